"""Reads the results of a run from its journal."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, cast
from uuid import NAMESPACE_URL, UUID, uuid5

import attrs
from arena.record import Event, MatchRecord, Player
from arena.turns import data_of
from arena_engine import OF_PROMPTS, Journal, RecordedPrompt, Variant, recorded_prompts, variants_of

from arena_command_leaderboard.results import Result, SeatResult

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
    """What each agent of a run is shown by its configuration, whatever it played, and its name without that.

    An agent that is swept over forms or styles of prompt is the same agent in each.
    """

    prompts: Mapping[str, RecordedPrompt]
    variants: Mapping[str, Variant] = attrs.field(factory=dict[str, Variant])

    @classmethod
    def of(cls, journal: Journal) -> "Forms":
        """Read what the journal says of its agents."""
        return cls(recorded_prompts(journal), variants_of(journal))

    def form(self, record: MatchRecord) -> str:
        """The form that the players are shown: ``-`` if no agent looks at one, ``unknown`` if that cannot be told."""
        if not self.prompts:
            return "unknown"
        return self._joined("+".join(own.forms) for own in self._of(record)) or "-"

    def version(self, record: MatchRecord) -> str:
        """The versions of the players' prompts, joined by ``+``."""
        return self._joined(own.version for own in self._of(record))

    def name(self, agent: str) -> str:
        """The agent's name without the variant of its prompt."""
        return self.variants[agent].without(OF_PROMPTS).name if agent in self.variants else agent

    def _of(self, record: MatchRecord) -> Iterator[RecordedPrompt]:
        return (self.prompts[agent] for agent in record.agents if agent in self.prompts)

    @staticmethod
    def _joined(words: Iterable[str]) -> str:
        return "+".join(dict.fromkeys(filter(None, words)))


def results(journal: Journal) -> tuple[list[Result], int]:
    """The results of all two-player matches that have one, and the number of other matches."""
    forms, run = Forms.of(journal), journal.header
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


def seats_of(record: MatchRecord) -> tuple[SeatResult, SeatResult]:
    """The results of one match for its first and second player."""
    first, second = (_seat(record, Player(p)) for p in range(2))
    return first, second


def _seat(record: MatchRecord, player: Player) -> SeatResult:
    invalid = sum(1 for _ in _own(record.refused(), player))
    returns = record.returns
    return SeatResult(
        matches=1,
        wins=int(returns is not None and returns[player] > returns[1 - player]),
        disqualifications=int(returns is None and player in record.at_fault),
        draws=int(returns is not None and returns[0] == returns[1]),
        cancelled=int(record.is_blameless),
        moves=invalid + sum(data_of(event)["by"] == "agent" for event in _own(record.played(), player)),
        invalid=invalid,
    )


def _own(events: Iterator[Event], player: Player) -> Iterator[Event]:
    return (event for event in events if event.player == player)
