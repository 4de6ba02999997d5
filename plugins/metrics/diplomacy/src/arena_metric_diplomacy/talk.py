"""The metric ``diplomacy-talk``: messages by number, length and audience, and which stated pacts the orders kept."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import JSON, Player
from arena.tables import Cell, Estimate, Section, Table
from arena_game_diplomacy.match.pacts import agreements, read
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import ratio
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate

from arena_metric_diplomacy.grouping import blocks, by_agent, detail, wanted
from arena_metric_diplomacy.keeping import KeptPact, kept_pacts
from arena_metric_diplomacy.match_phases import GLOBAL, Data, PlayedDiplomacy, played

TALK: Final = "talk"
PACT: Final = "pact"

STANCES: Final = ("propose", "request", "promise", "agree", "refuse")
"""What the writer of a sentence about a pact does with it."""

_NOTE: Final = (
    "Counted without a model, from messages that players wrote themselves. A message to GLOBAL is global, any other "
    "private; recipients are those of private messages. Stated pacts are fixed sentences of the game, such as those of "
    "diplomacy-chatty. A pact binds a power once it promised, or once both sides agreed in one phase; it is kept if "
    "the orders of every movement phase in which it was in force kept it."
)


@attrs.define
class _Said:
    """What one player wrote in a match; ``asked`` counts the rounds in which it was asked, ``wrote`` those it used."""

    asked: int
    wrote: int = 0
    messages: int = 0
    characters: int = 0
    broadcast: int = 0
    recipients: int = 0
    stances: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(STANCES, 0))

    def add(self, message: Data) -> None:
        is_global = GLOBAL in message["to"]
        self.messages += 1
        self.characters += len(message["text"])
        self.broadcast += is_global
        self.recipients += 0 if is_global else len(message["to"])
        for statement in read(message["text"]):
            self.stances[statement.stance] += 1

    def to_json(self) -> dict[str, JSON]:
        return {**attrs.asdict(self), "private": self.messages - self.broadcast}


@attrs.frozen(kw_only=True)
class DiplomacyTalk(Metric):
    """Messages in Diplomacy by number, length and audience, and how many stated pacts were kept."""

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row for what each player said, and one for each agreement that bound a player."""
        found = played(match.record)
        if found is None:
            return
        for place, said in enumerate(_said(found)):
            yield Measurement(name=TALK, value=said.messages, player=Player(place), detail=said.to_json())
        for pact in kept_pacts(found, agreements(found.messages, found.powers), match.record.id):
            yield pact_measurement(pact)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Tables of messages, of sentences about pacts, and of pacts that were kept beside random orders."""
        rows, level = wanted(measurements), measurements.level
        talk = [row for row in rows if row.name == TALK and detail(row)["asked"]]
        if not talk:
            yield Section(title="Talk", text="There is no match of Diplomacy with talk.")
            return
        tables = (_messages(talk, level), _sentences(talk, level), kept_table(rows, level))
        yield Section(title="Talk", tables=tuple(table for table in tables if table.rows), text=_NOTE)


def pact_measurement(pact: KeptPact) -> Measurement:
    """The measurement of one agreement: whether it was kept, with its phases and the chance of random orders."""
    agreed = pact.agreement
    told: dict[str, JSON] = {
        "kind": agreed.pact.kind,
        "bound": agreed.bound,
        "partner": agreed.partner,
        "phase": agreed.phase,
        "kept": pact.kept,
        "random": pact.random,
        "kept_at_random": pact.kept_at_random,
    }
    return Measurement(name=PACT, value=pact.is_kept, player=pact.player, detail=told)


def _said(match: PlayedDiplomacy) -> tuple[_Said, ...]:
    """What each player said, by player."""
    made = tuple(_Said(asked) for asked in match.asked)
    rounds: set[tuple[Player, str, int]] = set()
    for message in match.messages:
        player = match.owner(message["from"])
        assert player is not None
        made[player].add(message)
        rounds.add((player, message["phase"], message["round"]))
    for player, count in Counter(player for player, _, _ in rounds).items():
        made[player].wrote = count
    return made


def _messages(rows: Sequence[MeasurementRow], level: float) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for group, own in by_agent(rows).items():
        told = (
            rate(_each(own, "messages"), _each(own, "asked"), clusters=blocks(own), level=level),
            _share(own, "wrote", "asked", level),
            _per(own, "characters", "messages", level),
            _share(own, "private", "messages", level),
            _share(own, "broadcast", "messages", level),
            _per(own, "recipients", "private", level),
        )
        lines.append((*group, sum(_each(own, "asked")), sum(_each(own, "messages")), *told))
    columns = (
        *text("game", "agent"),
        *counts("rounds", "messages"),
        *numbers("per round"),
        *shares("wrote in"),
        *numbers("characters"),
        *shares("private", "global"),
        *numbers("recipients"),
    )
    note = "Rounds: those in which the player was asked. Characters are per message, recipients per private message."
    return Table(title="Messages", columns=columns, rows=tuple(lines), note=note)


def _sentences(rows: Sequence[MeasurementRow], level: float) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for group, own in by_agent(rows).items():
        stances = ([detail(row)["stances"][stance] for row in own] for stance in STANCES)
        rates = (rate(each, _each(own, "asked"), clusters=blocks(own), level=level) for each in stances)
        lines.append((*group, sum(_each(own, "asked")), *rates))
    columns = (*text("game", "agent"), *counts("rounds"), *numbers(*STANCES))
    return Table(title="Sentences about pacts, per round", columns=columns, rows=tuple(lines))


def kept_table(rows: Iterable[MeasurementRow], level: float) -> Table:
    """How many agreements that bound an agent were kept, by kind, beside what random orders would have kept."""
    pacts = [row for row in rows if row.name == PACT]
    lines: list[tuple[Cell, ...]] = []
    for group, own in by_agent(pacts).items():
        for kind in ("all", *sorted({detail(row)["kind"] for row in own})):
            these = [row for row in own if kind in ("all", detail(row)["kind"])]
            lines.append((*group, kind, len(these), *_kept(these, level)))
    columns = (
        *text("game", "agent", "pact"),
        *counts("agreed"),
        *shares("kept", "at random", "phases kept", "phases at random"),
    )
    note = (
        "Agreed: what bound a power towards one of another player and was put to the test by orders. At random: the "
        "probability that random orders in the same positions would have kept it."
    )
    return Table(title="Pacts that were kept", columns=columns, rows=tuple(lines), note=note)


def _kept(rows: Sequence[MeasurementRow], level: float) -> Iterator[Estimate]:
    own = blocks(rows)
    phases = [len(detail(row)["kept"]) for row in rows]
    yield share([bool(row.value) for row in rows], clusters=own, level=level)
    yield ratio([detail(row)["kept_at_random"] for row in rows], None, clusters=own, level=level, bounds=(0.0, 1.0))
    yield share([sum(detail(row)["kept"]) for row in rows], phases, clusters=own, level=level)
    yield ratio([sum(detail(row)["random"]) for row in rows], phases, clusters=own, level=level, bounds=(0.0, 1.0))


def _each(rows: Iterable[MeasurementRow], what: str) -> list[int]:
    return [detail(row)[what] for row in rows]


def _share(rows: Sequence[MeasurementRow], part: str, whole: str, level: float) -> Estimate:
    return share(_each(rows, part), _each(rows, whole), clusters=blocks(rows), level=level)


def _per(rows: Sequence[MeasurementRow], what: str, base: str, level: float) -> Estimate:
    return ratio(_each(rows, what), _each(rows, base), clusters=blocks(rows), level=level, bounds=(0.0, None))
