"""Reads the matches of runs and submissions under the identities of their agents and games, each match once."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.metric import Baseline
from arena.record import MatchRecord
from arena.turns import data_of
from arena_engine import (
    Configuration,
    Journal,
    Variant,
    configurations_of,
    open_parts,
    recorded_games,
    unswept_name,
    variants_of,
)
from arena_engine.foundation import ReceivedFiles
from arena_report import ContestReader, ReturnsSeen, baselines_of
from arena_standings import Contest

from arena_command_leaderboard import submissions
from arena_command_leaderboard.entrants import SUBMITTED, Entrant, Register
from arena_command_leaderboard.journals import match_id
from arena_command_leaderboard.results import Result, SeatResult, distinct

NO_RESULT: Final = "without a result"
NO_RETURN: Final = "that gave nobody a return (cut off)"
HELD_IN_PART: Final = "of results whose other matches are in a run"
SELF_PLAY: Final = "of an agent against itself"

_MOST_KINDS: Final = 4_096
"""So many kinds of matches are recognised when they come again."""

_WINS: Final = Baseline(
    random=(), random_errors=(), random_n=0, returns="zero-sum", seats=("1st", "2nd"), counts_wins=True
)
"""What is known of a game of which only wins are told."""


@attrs.frozen(kw_only=True)
class PlayedOnce:
    """One match that says something of its players; in its contest game, block and agents, by seat, are digests.

    ``turns`` and ``illegal`` count, by agent, turns and those with a refused answer. A match ``is_within_row`` if
    agents that differ in its run are one row here, and nobody else played.
    """

    contest: Contest
    turns: Mapping[str, int] = attrs.field(factory=dict[str, int])
    illegal: Mapping[str, int] = attrs.field(factory=dict[str, int])
    is_within_row: bool = False

    @property
    def game(self) -> str:
        """The digest of the game."""
        return self.contest.game

    @property
    def agents(self) -> tuple[str, ...]:
        """The digests of the agents, by seat."""
        return self.contest.agents


@attrs.frozen(kw_only=True)
class Source:
    """A run, or a file of submissions, as the leaderboard names it, with its number of matches that have a result."""

    label: str
    path: str
    id: str = ""
    seed: int | None = None
    created: str = ""
    matches: int = 0


@attrs.frozen(kw_only=True)
class Duplicates:
    """Matches that several sources hold: their ids, or those of rows that stand for several; ``count`` of matches."""

    sources: tuple[str, ...]
    matches: tuple[str, ...]
    count: int


@attrs.frozen(kw_only=True)
class AllPlayed:
    """What all sources hold together.

    ``left_out`` counts matches by why they count nowhere; ``notes`` are sentences on what was put together.
    """

    matches: Sequence[PlayedOnce]
    agents: Mapping[str, Entrant]
    games: Mapping[str, Entrant]
    baselines: Mapping[str, Baseline]
    sources: tuple[Source, ...]
    duplicates: tuple[Duplicates, ...]
    left_out: Mapping[str, int]
    notes: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    unknown_keys: tuple[str, ...] = ()


class Collector:
    """Collects matches from several sources; ``merged`` are parameters of agents in which they may differ."""

    def __init__(self, catalog: Catalog, merged: Iterable[str] = ()) -> None:
        self._catalog = catalog
        self._merged = tuple(merged)
        self._agents, self._games = Register(merged), Register()
        self._matches: list[PlayedOnce] = []
        self._holders: dict[str, tuple[str, ...]] = {}
        self._results: dict[str, int] = {}  # by match, a hash of how it ended
        self._rows: dict[str, int] = {}  # matches, by the id of a row that does not name them
        self._baselines: dict[str, Baseline] = {}
        self._sources: list[Source] = []
        self._left_out: Counter[str] = Counter()
        self._kinds: dict[tuple[object, ...], PlayedOnce] = {}
        self._versions: defaultdict[str, set[str]] = defaultdict(set)
        self._contests = ContestReader()
        self._returns: defaultdict[str, ReturnsSeen] = defaultdict(ReturnsSeen)

    def all_played(self) -> AllPlayed:
        """Everything that was read."""
        for game, seen in self._returns.items():
            if game not in self._baselines and (made := seen.baseline) is not None:
                self._baselines[game] = made
        held: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for match, holders in self._holders.items():
            if len(holders) > 1:
                held[holders].append(match)
        return AllPlayed(
            matches=self._matches,
            agents=self._agents.entrants(),
            games=self._games.entrants(),
            baselines=self._baselines,
            sources=tuple(self._sources),
            duplicates=tuple(
                Duplicates(sources=who, matches=tuple(what), count=sum(self._rows.get(id_, 1) for id_ in what))
                for who, what in held.items()
            ),
            left_out=+self._left_out,
            notes=tuple(self._notes()),
            merged=self._merged,
            unknown_keys=tuple(sorted(self._agents.missed)),
        )

    def _notes(self) -> Iterator[str]:
        for name, versions in sorted(self._versions.items()):
            if len(versions) > 1:
                told = ", ".join(sorted(versions))
                yield f"Submissions of {name} are of several versions of the prompt and one row: {told}."

    def read_run(self, path: Path) -> None:
        """Read the matches of a run; where one was read already from another copy of it, it does not count again.

        ``ArenaError`` names a match that ended otherwise there.
        """
        with Journal.open(path) as journal:
            label = self._label(journal.directory.name)
            header, count = journal.header, 0
            agents = configurations_of(journal, "agent", self._catalog)
            games = configurations_of(journal, "game", self._catalog)
            variants = variants_of(journal)
            is_new, alone = False, (label,)  # one for all matches
            for record in journal.records():
                if not record.ending.is_result:
                    self._left_out[NO_RESULT] += 1
                    continue
                count += 1
                match = match_id(header.id, record)
                others = self._holders.get(match)
                self._holders[match] = alone if others is None else (*others, label)
                ended = hash((record.ending, record.returns, record.at_fault))
                if self._results.setdefault(match, ended) != ended and others is not None:
                    told = f"{others[0]} and {label} ({path}) tell the same match with different results"
                    raise ArenaError(f"{told} ({record.id}); leave one of them out")
                if others is None:
                    is_new = True
                    self._add(record, agents, games, variants)
            if is_new:
                self._describe(journal, games)
        source = Source(
            label=label, path=str(path), id=header.id, seed=header.seed, created=header.created, matches=count
        )
        self._sources.append(source)

    def read_submissions(self, paths: Iterable[Path], tell: Callable[[str], None]) -> None:
        """Read files of submissions, which know agents and games by name alone; rows of runs that were read stay out.

        A row that is there twice, by its own id or by those of its matches, counts once. ``tell`` is called for each
        row that contradicts itself.
        """
        files = ReceivedFiles()
        rows = [(path, row) for path in paths for row in submissions.read(path, tell, files)]
        kept, left = distinct(row for _, row in rows)
        labels = {id(row): self._label(path.name) for path, row in rows}
        for row, known in left:
            self._holders[row.id] = labels[id(known)], labels[id(row)]
            self._rows[row.id] = row.seats[0].matches
        for row in kept:
            if shared := row.match_ids & self._holders.keys():
                for match in shared:
                    self._hold(match, labels[id(row)])
                self._left_out[HELD_IN_PART] += max(row.seats[0].matches - len(shared), 0)
                continue
            self._add_row(row, labels[id(row)])
        for path in dict.fromkeys(path for path, _ in rows):
            count = sum(row.seats[0].matches for own, row in rows if own == path)
            self._sources.append(Source(label=path.name, path=str(path), matches=count))

    def _hold(self, match: str, source: str) -> None:
        self._holders[match] = (*self._holders.get(match, ()), source)

    def _label(self, name: str) -> str:
        """The name of a source, with its number if another one is called alike."""
        alike = sum(source.label.partition(" #")[0] == name for source in self._sources)
        return f"{name} #{alike + 1}" if alike else name

    def _add(
        self,
        record: MatchRecord,
        agents: Mapping[str, Configuration],
        games: Mapping[str, Configuration],
        variants: Mapping[str, Variant],
    ) -> None:
        game = self._game(record.game, games, len(record.agents))
        names = dict.fromkeys(record.agents)
        known = {name: self._agents.add(name, _known(agents, name), variants.get(name)) for name in names}
        own = tuple(known[name] for name in record.agents)
        renamed = attrs.evolve(record, plan=attrs.evolve(record.plan, game=game, agents=own))
        contest = self._contests.contest(renamed, renamed.plan.block)
        if not contest.counts:
            self._left_out[NO_RETURN] += 1
            return
        self._returns[game].add(renamed)
        turns, illegal = _turns(renamed)
        is_within_row = len(names) > 1 == len(set(own))
        kind = self._kind(PlayedOnce(contest=contest, turns=turns, illegal=illegal, is_within_row=is_within_row))
        shared = attrs.evolve(kind.contest, block=contest.block, match=contest.match)
        self._matches.append(attrs.evolve(kind, contest=shared))

    def _kind(self, match: PlayedOnce) -> PlayedOnce:
        """A match that is like others but for its name and block, from which these take their parts."""
        told = match.contest
        counted = tuple(match.turns.items()), tuple(match.illegal.items())
        key = (
            *(told.game, told.agents, told.returns, told.ending, told.at_fault, told.played),
            *(*counted, match.is_within_row),
        )
        found = self._kinds.get(key)
        if found is None:
            found = match
            if len(self._kinds) < _MOST_KINDS:
                self._kinds[key] = found
        return found

    def _game(self, name: str, games: Mapping[str, Configuration], players: int) -> str:
        found = _known(games, name)
        played = attrs.evolve(found, parameters={**found.parameters, "players": players})
        return self._games.add(unswept_name(name), played)

    def _describe(self, journal: Journal, games: Mapping[str, Configuration]) -> None:
        """Take over what the journal says of its games, or the games themselves where it says nothing."""
        recorded = recorded_games(journal)
        found = {name: (each.players, each.baseline) for name, each in recorded.items()}
        if games.keys() - recorded.keys():
            try:
                entries = {name: e for name, e in open_parts(journal, self._catalog).games.items() if name not in found}
            except ArenaError:  # then only returns tell what the games are
                entries = {}
            here = baselines_of(entries, seconds=0.0)
            found |= {name: (entries[name].players, baseline) for name, baseline in here.items()}
        for name, (players, baseline) in found.items():
            if name in games:
                self._baselines.setdefault(self._game_key(games[name], players), baseline)

    def _game_key(self, configuration: Configuration, players: int) -> str:
        parameters = {**configuration.parameters, "players": players}
        return attrs.evolve(configuration, parameters=parameters).digest

    def _add_row(self, row: Result, source: str) -> None:
        game = self._games.add(row.game, Configuration(parameters={SUBMITTED: row.game}))
        agents = tuple(self._agents.add(name, Configuration(parameters={SUBMITTED: name})) for name in row.agents)
        self._baselines[game] = _WINS
        first, second = row.seats
        ids = sorted(row.match_ids)
        for match in ids or [row.id]:
            self._hold(match, source)
        for name in row.agents:
            self._versions[name] |= {row.version} - {""}
        self._left_out[NO_RESULT] += first.cancelled + first.no_result
        counted = (
            {agents[0]: first.moves, agents[1]: second.moves},
            {agents[0]: first.invalid, agents[1]: second.invalid},
        )
        for number, (returns, at_fault) in enumerate(_told(first, second)):
            is_first = number == 0 and agents[0] != agents[1]
            turns, illegal = counted if is_first else ({}, {})
            contest = Contest(
                game=game,
                block=f"{game}/{row.id}/{number}",
                agents=agents,
                returns=returns,
                match=f"{row.id}/{number}",
                ending="disqualified" if at_fault else "finished",
                at_fault=at_fault,
            )
            self._matches.append(PlayedOnce(contest=contest, turns=turns, illegal=illegal))


def _told(first: SeatResult, second: SeatResult) -> Iterator[tuple[tuple[float, float] | None, tuple[int, ...]]]:
    """What each match of a row returned, and which seat was disqualified."""
    yield from [((1.0, -1.0), ())] * first.wins + [((-1.0, 1.0), ())] * second.wins + [((0.0, 0.0), ())] * first.draws
    yield from [(None, (0,))] * first.disqualifications + [(None, (1,))] * second.disqualifications


def _known(configurations: Mapping[str, Configuration], name: str) -> Configuration:
    """The configuration of that name; what the run does not say is known by its name alone."""
    return configurations.get(name) or Configuration(parameters={"use": name})


def _turns(match: MatchRecord) -> tuple[Counter[str], Counter[str]]:
    """By agent, how many turns there were, and in how many of them an answer was refused."""
    refused = {(event.player, data_of(event)["turn"]) for event in match.refused()}
    everything = refused | {(event.player, data_of(event).get("turn")) for event in match.played()}
    counted: list[Counter[str]] = []
    for some in (everything, refused):
        counted.append(Counter(match.agents[player] for player, _ in some if player is not None))
    return counted[0], counted[1]
