"""The leaderboard as a value: the standings of all who were played, under the labels of their rows, and its sources."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import attrs
from arena.record import JSON
from arena_report import families_of, game_kind
from arena_standings import Contest, Part, Standings, standings_of

from arena_command_leaderboard.entrants import SUBMITTED, Entrant
from arena_command_leaderboard.identified_matches import AllPlayed, Duplicates, PlayedOnce, Source

RANDOM: Final = frozenset(("random", "random-play"))
"""What plugins that play at random are called, and what submissions call them."""

WITHIN_ROW: Final = "of an agent against itself"


@attrs.frozen(kw_only=True)
class BoardAgent:
    """Who an agent of the leaderboard is, what it played, and in how many of its turns an answer was refused."""

    entrant: Entrant
    games: tuple[str, ...]
    turns: int
    illegal_turns: int

    @property
    def illegal(self) -> float | None:
        """The share of turns with an answer that was refused; ``None`` if no turn is known."""
        return self.illegal_turns / self.turns if self.turns else None

    def to_json(self) -> dict[str, JSON]:
        """The agent as plain data."""
        return {
            "names": list(self.entrant.names),
            "configuration": self.entrant.configuration.digest,
            "differs": dict(self.entrant.differs),
            "games": list(self.games),
            "illegal": self.illegal,
            "turns": self.turns,
        }


@attrs.frozen(kw_only=True)
class Board:
    """A leaderboard: ``standings`` say who is better, ``agents`` and ``games`` who and what that is, by label.

    ``merged`` are the parameters in which the agents of a row may differ. ``left_out`` counts matches by why they count
    nowhere; ``notes`` are sentences on what was put together.
    """

    standings: Standings
    agents: Mapping[str, BoardAgent]
    games: Mapping[str, Entrant]
    sources: tuple[Source, ...]
    duplicates: tuple[Duplicates, ...] = ()
    left_out: Mapping[str, int] = attrs.field(factory=dict[str, int])
    notes: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[Part, ...]:
        """The parts in which agents are compared with each other."""
        return tuple(part for part in self.standings.parts if len(part.rows) > 1)

    def to_json(self) -> dict[str, JSON]:
        """The leaderboard as plain data: ``verdict`` as a report has it, and its rows with who they are."""
        verdict = self.standings.to_json()
        rows: list[JSON] = [
            {**row, "part": number, **self.agents[row["agent"]].to_json()}
            for number, part in enumerate(verdict["parts"], 1)
            for row in part["rows"]
        ]
        return {
            "rows": rows,
            "verdict": verdict,
            "games": [
                {"game": label, "names": list(each.names), "configuration": each.configuration.digest}
                for label, each in self.games.items()
            ],
            "runs": [attrs.asdict(source) for source in self.sources],
            "duplicates": [
                {"sources": list(each.sources), "count": each.count, "matches": list(each.matches)}
                for each in self.duplicates
            ],
            "left_out": [{"why": why, "matches": count} for why, count in self.left_out.items()],
            "notes": list(self.notes),
            "merged": list(self.merged),
        }


def board_of(played: AllPlayed, level: float = 0.95) -> Board:
    """The leaderboard of all matches."""
    kinds = {digest: game_kind(played.baselines.get(digest)) for digest in played.games}
    kept = [match for match in played.matches if not match.is_within_row or kinds[match.game].together]
    left_out = dict(played.left_out)
    if count := len(played.matches) - len(kept):
        left_out[WITHIN_ROW] = count
    there = {match.game for match in kept}
    standings = standings_of(
        list(_labelled(kept, played)),
        {played.games[digest].label: kind for digest, kind in kinds.items()},
        random={agent.label for agent in played.agents.values() if _plays_at_random(agent)},
        level=level,
        families=_families(played.games[digest] for digest in played.games if digest in there),
    )
    return Board(
        standings=standings,
        agents=_agents(kept, played),
        games={game.label: game for digest, game in played.games.items() if digest in there},
        sources=played.sources,
        duplicates=played.duplicates,
        left_out=left_out,
        notes=(*played.notes, *_on_references(standings, played.agents.values())),
        merged=played.merged,
    )


def _plays_at_random(agent: Entrant) -> bool:
    told = agent.configuration.parameters
    return str(told.get(SUBMITTED, agent.configuration.use)).rpartition(":")[2] in RANDOM


def _labelled(matches: Iterable[PlayedOnce], played: AllPlayed) -> Iterator[Contest]:
    """The contests with labels for digests, by which a report of the same run knows games, blocks and agents."""
    for match in matches:
        contest, game = match.contest, played.games[match.game].label
        agents = tuple(played.agents[agent].label for agent in contest.agents)
        block = f"{game}{contest.block.removeprefix(contest.game)}"
        yield attrs.evolve(contest, game=game, agents=agents, block=block)


def _families(games: Iterable[Entrant]) -> dict[str, str]:
    """The name under which the many variants of one game have a table together, by label."""
    variants = {f"{' = '.join(game.names)}[{game.label}]": game.label for game in games}
    return {variants[variant]: family for variant, family in families_of(variants).items()}


def _agents(matches: Iterable[PlayedOnce], played: AllPlayed) -> dict[str, BoardAgent]:
    turns, illegal = Counter[str](), Counter[str]()
    games: defaultdict[str, set[str]] = defaultdict(set)
    for match in matches:
        turns.update(match.turns)
        illegal.update(match.illegal)
        for agent in match.agents:
            games[agent].add(match.game)
    return {
        agent.label: BoardAgent(
            entrant=agent,
            games=tuple(game.label for key, game in played.games.items() if key in games[digest]),
            turns=turns[digest],
            illegal_turns=illegal[digest],
        )
        for digest, agent in played.agents.items()
        if digest in games
    }


def _on_references(standings: Standings, agents: Iterable[Entrant]) -> Iterator[str]:
    """The sentence that ratings of agents that never met, or of a submission without random play, differ in scale."""
    rated = [
        part for part in standings.parts if len(part.rows) > 1 and any(row.rating is not None for row in part.rows)
    ]
    if len(rated) > 1:
        zeros = [part.reference or f"the mean of {part.rows[0].agent} and its opponents" for part in rated]
        yield f"Agents that never met have a scale each, with 1500 for {', '.join(zeros[:-1])} and for {zeros[-1]}."
    elif rated and not rated[0].reference and any(SUBMITTED in agent.configuration.parameters for agent in agents):
        yield (
            f"Nobody plays at random in the submission: 1500 is the mean of {rated[0].rows[0].agent} and its "
            "opponents, and no rating against random play can be compared with these."
        )
