"""Makes the leaderboard from matches: one standing for all who met, and for each game that pays in its own unit."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

import attrs
from arena.metric import Baseline
from arena_metric_ratings.contests import Contest as RatedMatch, groups

from arena_command_leaderboard.board import Board, Standing
from arena_command_leaderboard.entrants import SUBMITTED, Entrant
from arena_command_leaderboard.identified_matches import SELF_PLAY, AllPlayed, PlayedOnce
from arena_command_leaderboard.rating import Table, rated

RANDOM: Final = frozenset(("random", "random-play"))
"""What plugins that play at random are called, and what submissions call them."""

SHARE: Final = "of the way from random to optimal play"
"""The unit of returns that are normalised."""

MET_NOBODY: Final = "of an agent that met no other one"

_SURE: Final = 1e-9


def board_of(played: AllPlayed, level: float = 0.95, *, with_games: bool = True) -> Board:
    """The leaderboard of all matches; without ``with_games`` it has no standings of single games."""
    random = {digest for digest, agent in played.agents.items() if _plays_at_random(agent)}
    table = Table(agents=played.agents, games=played.games, baselines=played.baselines, random=random, level=level)
    kept = [match for match in played.matches if not _is_self_play(match, played.baselines)]
    left_out = dict(played.left_out)
    if count := len(played.matches) - len(kept):
        left_out[SELF_PLAY] = count
    standings, alone = _over_all(kept, table)
    if alone:
        left_out[MET_NOBODY] = alone
    there = {match.game for match in kept}
    by_game: dict[str, tuple[Standing, ...]] = {}
    for game, entrant in played.games.items() if with_games else ():
        if game in there and (own := tuple(_of_game(game, kept, table))):
            by_game[entrant.label] = own
    return Board(
        standings=tuple(standings),
        by_game=by_game,
        games={game.label: game for digest, game in played.games.items() if digest in there},
        sources=played.sources,
        matches=len(kept),
        agents=len({agent for match in kept for agent in match.agents}),
        turns=sum(sum(match.turns.values()) for match in kept),
        illegal_turns=sum(sum(match.illegal.values()) for match in kept),
        duplicates=played.duplicates,
        left_out=left_out,
        merged=played.merged,
        level=level,
    )


def _plays_at_random(agent: Entrant) -> bool:
    told = agent.configuration.parameters
    return told.get(SUBMITTED, agent.configuration.use) in RANDOM


def _is_self_play(match: PlayedOnce, baselines: Mapping[str, Baseline]) -> bool:
    """Whether an agent met nobody but itself where one's gain is another's loss."""
    baseline = baselines.get(match.game)
    is_alone = len(match.contest.returns) == 1 and len(match.agents) > 1
    return is_alone and (baseline is None or baseline.has_winners)


def _counts_wins(game: str, table: Table) -> bool:
    baseline = table.baselines.get(game)
    return baseline is None or baseline.counts_wins


def _over_all(matches: Sequence[PlayedOnce], table: Table) -> tuple[list[Standing], int]:
    """The standings over all games, and how many matches are in none."""
    games = list(dict.fromkeys(match.game for match in matches))
    won = [game for game in games if _counts_wins(game, table)]
    standings, alone = _rated([match for match in matches if match.game in won], table)
    scales = {game: scale for game in games if game not in won and (scale := _scale(table.baselines[game])) is not None}
    if scales:
        standings += _normalised([match for match in matches if match.game in scales], scales, table)
    for game in games:
        if game not in won and game not in scales:
            standings += _paid([match for match in matches if match.game == game], table, table.games[game].label)
    if len(standings) == 1:
        standings = [attrs.evolve(standings[0], title="" if standings[0].kind == "rating" else standings[0].title)]
    return standings, alone


def _of_game(game: str, matches: Sequence[PlayedOnce], table: Table) -> list[Standing]:
    own = [match for match in matches if match.game == game]
    title = table.games[game].label
    if not _counts_wins(game, table):
        return _paid(own, table, title)
    return [attrs.evolve(each, title=f"{title}{each.title}") for each in _rated(own, table, is_one_game=True)[0]]


def _rated(matches: Sequence[PlayedOnce], table: Table, *, is_one_game: bool = False) -> tuple[list[Standing], int]:
    """The standings of agents in games that count wins, one for each group that met."""
    parts = _groups(matches)
    several = [part for part in parts if len(part) > 1]
    found: list[Standing] = []
    for number, agents in enumerate(several, 1):
        own = [match for match in matches if match.agents[0] in agents]
        title = f"group {number} of {len(several)}, which never met"
        title = "" if len(several) == 1 else f", {title}" if is_one_game else title
        made = rated(own, agents, table, title)
        if title and not is_one_game:
            made = attrs.evolve(made, title=f"{title}: {', '.join(made.games)}")
        elif not title and not is_one_game:
            made = attrs.evolve(made, title=", ".join(made.games))
        found.append(made)
    rated_agents = {agent for part in several for agent in part}
    return found, sum(match.agents[0] not in rated_agents for match in matches)


def _paid(matches: Sequence[PlayedOnce], table: Table, title: str) -> list[Standing]:
    """The standings of agents by what they earn; agents that never met are compared where they play side by side."""
    baselines = {match.game: table.baselines[match.game] for match in matches}
    is_side_by_side = all(each.returns == "cooperative" or each.players == 1 for each in baselines.values())
    parts = [tuple(sorted({a for m in matches for a in m.agents}))] if is_side_by_side else _groups(matches)
    found: list[Standing] = []
    for number, agents in enumerate(parts, 1):
        own = [match for match in matches if match.agents[0] in agents]
        verdict = table.verdict(own)
        unit = next((each.unit for each in verdict.ranking if each.unit), "")
        group = "" if len(parts) == 1 else f", group {number} of {len(parts)}, which never met"
        rows = [table.row(each, own) for each in verdict.ranking]
        # Where all blocks are alike there is no interval; others may be surely ahead or behind all the same.
        rows = [
            attrs.evolve(row, rank=None, ranks=None)
            if row.interval == (None, None) and row.ranks == (1, len(rows)) and len(rows) > 1
            else row
            for row in rows
        ]
        found.append(
            Standing(
                title=f"{title}{group}",
                kind="return",
                games=table.game_names(own),
                rows=tuple(sorted(rows, key=lambda row: row.rank is None)),
                pairs=table.named(verdict).pairs,
                unit=unit,
            )
        )
    return found


def _normalised(
    matches: Sequence[PlayedOnce], scales: Mapping[str, tuple[float, float]], table: Table
) -> list[Standing]:
    """One standing over games in whose returns random play is 0 and optimal play 1."""
    shared = {game: table.baselines[game].returns == "cooperative" for game in scales}
    moved: list[PlayedOnce] = []
    for match in matches:
        low, high = scales[match.game]
        contest = match.contest
        returns: dict[str, float] = {}
        for agent, value in contest.returns.items():
            seats = len(contest.seats.get(agent, ())) or 1
            # A shared return is divided by the seats when it is averaged; elsewhere it is the mean over the seats.
            own = (value / seats - low) / (high - low)
            returns[agent] = own * seats if shared[match.game] else own
        moved.append(attrs.evolve(match, contest=attrs.evolve(contest, returns=returns)))
    baselines = {
        game: attrs.evolve(table.baselines[game], return_unit=SHARE, counts_wins=False, random=(), optimal=None)
        for game in scales
    }
    title = f"games that pay ({', '.join(table.games[game].label for game in scales)}): random play 0, optimal play 1"
    return _paid(moved, attrs.evolve(table, baselines={**table.baselines, **baselines}), title)


def _scale(baseline: Baseline) -> tuple[float, float] | None:
    """What random and optimal play earn on average over the seats, where optimal play earns more."""
    if baseline.has_winners or not baseline.random or baseline.optimal is None:
        return None
    low, high = fmean(baseline.random), fmean(baseline.optimal)
    return (low, high) if high - low > _SURE else None


def _groups(matches: Sequence[PlayedOnce]) -> tuple[tuple[str, ...], ...]:
    """The agents that are connected by matches, the largest group first."""
    return groups([RatedMatch(match.id, "", match.agents, match.places) for match in matches])
