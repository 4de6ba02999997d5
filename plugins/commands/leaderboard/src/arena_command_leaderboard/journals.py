"""Reads the results of a run from its journal."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast
from uuid import NAMESPACE_URL, UUID, uuid5

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.record import Ending, Event, MatchRecord, Player
from arena.turns import data_of
from arena_engine import Benchmark, Journal, open_benchmark

from arena_command_leaderboard.results import Result, SeatResult

_VARIANT = re.compile(r"\[(?:prompt\.)?(?:style|form)=([^\]]*)\]")


def apart(agent: str) -> tuple[str, str]:
    """Split an agent's name from the style or form of prompt it was swept over, which is empty for other agents."""
    return _VARIANT.sub("", agent), "+".join(_VARIANT.findall(agent))


IMPORTED: Final = "imported"
"""The kind of the referee's event with the id that a match has wherever it was published."""


def match_id(run: str, record: MatchRecord) -> str:
    """The id of a run's match; that of a match which was imported is the same in every run and table of results."""
    for event in record.events[:1]:
        if event.source == "referee" and event.kind == IMPORTED:
            return str(data_of(event)["id"])
    return str(identity(run, record.id))


def identity(run: str, *path: str) -> UUID:
    """A stable id of something in a run: the same whenever it is computed from the journal."""
    return uuid5(NAMESPACE_URL, "/".join(("arena", run, *path)))


@attrs.frozen(eq=False)
class Forms:
    """The form of observation that each agent of a run was shown, and its name without that form.

    An agent that is swept over forms or styles of prompt is the same agent in each; ``by_agent`` is empty for agents
    that look at no form, such as random play. ``versions`` are those of the agents' prompts.
    """

    by_agent: Mapping[str, str]
    versions: Mapping[str, str]
    are_known: bool

    @classmethod
    def of(cls, journal: Journal, catalog: Catalog) -> "Forms":
        """Read the forms from the benchmark; they are unknown if it cannot be built here."""
        try:
            return cls.of_benchmark(journal, open_benchmark(journal, catalog))
        except ArenaError:
            return cls.of_benchmark(journal, None)

    @classmethod
    def of_benchmark(cls, journal: Journal, benchmark: Benchmark | None) -> "Forms":
        """Read the forms from a benchmark that is already built; ``None`` means that it cannot be built."""
        agents = benchmark.agents if benchmark else {}
        forms = {name: "+".join(sorted(entry.agent.forms())) for name, entry in agents.items()}
        return cls(forms, _versions(journal), benchmark is not None)

    def form(self, record: MatchRecord) -> str:
        """The form that the players were shown: ``-`` if no agent looks at one, ``unknown`` if that cannot be told."""
        shown = dict.fromkeys(form for agent in record.agents if (form := self.by_agent.get(agent)))
        return "+".join(shown) or ("-" if self.are_known else "unknown")

    def version(self, record: MatchRecord) -> str:
        """The versions of the prompts used in a match, joined by ``+``."""
        return "+".join(dict.fromkeys(self.versions[agent] for agent in record.agents if agent in self.versions))

    def name(self, agent: str) -> str:
        """The agent's name without the variant of its prompt."""
        return apart(agent)[0]


def results(journal: Journal, catalog: Catalog) -> tuple[list[Result], int]:
    """The results of all two-player matches that have one, and the number of other matches."""
    forms, run = Forms.of(journal, catalog), journal.header
    found: dict[tuple[str, ...], Result] = {}
    others = 0
    for record in journal.records():
        if not record.ending.is_result or len(record.agents) != 2:
            others += 1
            continue
        first, second = (forms.name(agent) for agent in record.agents)
        key = (record.game, forms.form(record), forms.version(record), first, second)
        result = found.get(key) or Result(
            id=str(identity(run.id, *key)),
            source=f"{run.name} ({journal.directory.name})",
            game=key[0],
            form=key[1],
            version=key[2],
            agents=(first, second),
            seats=(SeatResult(), SeatResult()),
            date=run.created,
        )
        seats = tuple(had + new for had, new in zip(result.seats, seats_of(record), strict=True))
        ids = result.match_ids | {match_id(run.id, record)}
        found[key] = attrs.evolve(result, seats=cast("tuple[SeatResult, SeatResult]", seats), match_ids=ids)
    return list(found.values()), others


def _versions(journal: Journal) -> dict[str, str]:
    """The prompt version of each agent, read from its moves; an agent that never moved has none."""
    found: dict[str, str] = {}
    for record in journal.records():
        for event in record.played():
            note = data_of(event).get("note")
            if isinstance(note, Mapping) and "parts" in note and event.player is not None:
                found[record.agents[event.player]] = str(cast("Any", note)["parts"])
    return found


def seats_of(record: MatchRecord) -> tuple[SeatResult, SeatResult]:
    """The results of one match for its first and second player."""
    first, second = (_seat(record, Player(p)) for p in range(2))
    return first, second


def _seat(record: MatchRecord, player: Player) -> SeatResult:
    invalid = sum(1 for _ in _own(record.refused(), player))
    returns = record.returns
    is_out = record.ending is Ending.DISQUALIFIED
    return SeatResult(
        matches=1,
        wins=int(returns is not None and returns[player] > returns[1 - player]),
        disqualifications=int(is_out and player in record.forfeited),
        draws=int(returns is not None and returns[0] == returns[1]),
        cancelled=int(returns is None and not is_out),
        moves=invalid + sum(data_of(event)["by"] == "agent" for event in _own(record.played(), player)),
        invalid=invalid,
    )


def _own(events: Iterator[Event], player: Player) -> Iterator[Event]:
    return (event for event in events if event.player == player)
