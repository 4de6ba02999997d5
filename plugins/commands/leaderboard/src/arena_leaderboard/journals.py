"""Results of a run, from its journal."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast
from uuid import NAMESPACE_URL, UUID, uuid5

import attrs
from arena.benchmark import Benchmark, from_plain
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.journal import Journal
from arena.record import Ending, Event, MatchRecord, Player
from arena.replay import plain_of
from arena.turns import table

from arena_leaderboard.results import Result, Seat

_VARIANT = re.compile(r"\[prompt\.(?:style|form)=([^\]]*)\]")


def apart(agent: str) -> tuple[str, str]:
    """An agent that was swept over styles or forms of its prompt: its name, and the style or form; empty for others."""
    return _VARIANT.sub("", agent), "+".join(_VARIANT.findall(agent))


def identity(run: str, *path: str) -> UUID:
    """The id of something in a run: the same wherever it is made from the journal."""
    return uuid5(NAMESPACE_URL, "/".join(("arena", run, *path)))


@attrs.frozen(eq=False)
class Forms:
    """In which form each agent of a run is shown the game, and what it is called without it.

    An agent that is swept over forms or styles of prompt is the same agent in each; ``by_agent`` is empty for agents
    that look at no form, such as random play. ``versions`` are those of the agents' prompts.
    """

    by_agent: Mapping[str, str]
    versions: Mapping[str, str]
    are_known: bool

    @classmethod
    def of(cls, journal: Journal, catalog: Catalog) -> "Forms":
        """As the benchmark says; nothing is known where it cannot be built here."""
        try:
            benchmark: Benchmark | None = from_plain(plain_of(journal), catalog)
        except ArenaError:
            benchmark = None
        agents = benchmark.agents if benchmark else {}
        forms = {name: "+".join(sorted(entry.agent.forms())) for name, entry in agents.items()}
        return cls(forms, _versions(journal), benchmark is not None)

    def form(self, record: MatchRecord) -> str:
        """The form that the players were shown: ``-`` if nobody looked at one, ``unknown`` if that cannot be told."""
        shown = dict.fromkeys(form for agent in record.agents if (form := self.by_agent.get(agent)))
        return "+".join(shown) or ("-" if self.are_known else "unknown")

    def version(self, record: MatchRecord) -> str:
        """The versions of the prompts in a match."""
        return "+".join(dict.fromkeys(self.versions[agent] for agent in record.agents if agent in self.versions))

    def name(self, agent: str) -> str:
        """The agent without the variant of its prompt."""
        return apart(agent)[0]


def results(journal: Journal, catalog: Catalog) -> tuple[list[Result], int]:
    """The results of all matches of two players that have one, and how many others there are."""
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
            seats=(Seat(), Seat()),
            date=run.created,
        )
        seats = tuple(had + new for had, new in zip(result.seats, seats_of(record), strict=True))
        ids = result.match_ids | {str(identity(run.id, record.id))}
        found[key] = attrs.evolve(result, seats=cast("tuple[Seat, Seat]", seats), match_ids=ids)
    return list(found.values()), others


def _versions(journal: Journal) -> dict[str, str]:
    """The version of each agent's prompt, from what it played; one that played nothing has none."""
    found: dict[str, str] = {}
    for record in journal.records():
        for event in record.played():
            note = table(event).get("note")
            if isinstance(note, Mapping) and "parts" in note and event.player is not None:
                found[record.agents[event.player]] = str(cast("Any", note)["parts"])
    return found


def seats_of(record: MatchRecord) -> tuple[Seat, Seat]:
    """What one match was to each of its two players."""
    first, second = (_seat(record, Player(p)) for p in range(2))
    return first, second


def _seat(record: MatchRecord, player: Player) -> Seat:
    invalid = sum(1 for _ in _own(record.refused(), player))
    returns = record.returns
    is_out = record.ending is Ending.DISQUALIFIED
    return Seat(
        matches=1,
        wins=int(returns is not None and returns[player] > returns[1 - player]),
        disqualifications=int(is_out and player in record.gone),
        draws=int(returns is not None and returns[0] == returns[1]),
        cancelled=int(returns is None and not is_out),
        moves=invalid + sum(table(event)["by"] == "agent" for event in _own(record.played(), player)),
        invalid=invalid,
    )


def _own(events: Iterator[Event], player: Player) -> Iterator[Event]:
    return (event for event in events if event.player == player)
