"""Simple pacts between powers, told in fixed sentences that programs write, read and hold against the orders given.

A sentence is a lead, what is to be done, and perhaps an end::

    Let us keep BUR and PIE empty until F1902.      proposes: binds both once each has said so to the other
    Please support A PAR to BUR with A MUN.         asks: binds the other once it agrees
    I will support A MUN in place.                  promises: binds the writer
    I agree to keep the peace until S1903.          agrees to what the other proposed or asked
    I refuse to keep the peace until S1903.         takes back what its writer said of this pact

Without an end a pact is about the orders of the phase in which it is made. Everything else that a message says is
passed over, and so is a sentence of which only a part is of this form, such as a condition.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from arena_game_diplomacy.rules.notation import Order, parse_order
from arena_game_diplomacy.rules.position import Position

Stance = Literal["propose", "request", "promise", "agree", "refuse"]
"""What a sentence does with a pact."""

LEADS: Final[Mapping[Stance, str]] = {
    "propose": "Let us",
    "request": "Please",
    "promise": "I will",
    "agree": "I agree to",
    "refuse": "I refuse to",
}

_PLACE = "[A-Z]{3}(?:/[A-Z]{2})?"
_UNIT = f"[AF] {_PLACE}"
_SENTENCE: Final = re.compile(
    rf"(?:^|(?<=[.!?;] ))(?P<lead>(?i:{'|'.join(LEADS.values())})) (?:"
    r"(?:(?i:keep) (?:(?P<peace>(?i:the peace))"
    r"|(?P<provinces>[A-Z]{3}(?:, [A-Z]{3})*(?: (?i:and) [A-Z]{3})?) (?i:empty))(?: (?i:until) (?P<until>[SF]\d{4}))?)"
    rf"|(?:(?i:support) (?P<unit>{_UNIT}) (?:(?i:to) (?P<target>{_PLACE})|(?i:in place))"
    rf"(?: (?i:with) (?P<supporter>{_UNIT}))?)"
    r") ?(?=[.!;]|$)"
)


@attrs.frozen
class Pact:
    """What is agreed upon, without saying by whom.

    ``peace``: no move, and no support or convoy of a move, to where the other has a unit or owns a centre. ``empty``:
    none to one of ``provinces``, whose names are sorted. ``support``: ``unit`` is supported to ``target``, or to hold
    where that is empty, by ``supporter`` or, where that is empty, by any unit. ``until`` is the last year and season
    (``F1902``) for which it holds, and empty for the phase of the agreement alone.
    """

    kind: Literal["peace", "empty", "support"]
    provinces: tuple[str, ...] = ()
    unit: str = ""
    target: str = ""
    supporter: str = ""
    until: str = ""

    @property
    def units(self) -> tuple[str, ...]:
        """The units that it names."""
        return tuple(filter(None, (self.unit, self.supporter)))


@attrs.frozen
class Statement:
    """What one sentence says: a pact, and whether its writer proposes, requests, promises, agrees or refuses."""

    stance: Stance
    pact: Pact


def write(statement: Statement) -> str:
    """The sentence that says this; ``read`` gets the statement back from it."""
    pact = statement.pact
    match pact.kind:
        case "peace":
            body = "keep the peace"
        case "empty":
            *most, last = pact.provinces
            body = f"keep {', '.join(most) + ' and ' if most else ''}{last} empty"
        case "support":
            body = f"support {pact.unit} {f'to {pact.target}' if pact.target else 'in place'}"
            body += f" with {pact.supporter}" if pact.supporter else ""
    return f"{LEADS[statement.stance]} {body}{f' until {pact.until}' if pact.until else ''}."


def read(text: str) -> tuple[Statement, ...]:
    """What the sentences of a text say about pacts, in their order; nothing where no sentence is of the form."""
    stances: dict[str, Stance] = {lead.lower(): stance for stance, lead in LEADS.items()}
    return tuple(
        Statement(stances[found["lead"].lower()], _pact(found)) for found in _SENTENCE.finditer(" ".join(text.split()))
    )


def _pact(found: re.Match[str]) -> Pact:
    if found["unit"]:
        return Pact("support", (), found["unit"], found["target"] or "", found["supporter"] or "")
    if found["peace"]:
        return Pact("peace", until=found["until"] or "")
    provinces = tuple(sorted(set(re.findall("[A-Z]{3}", found["provinces"]))))
    return Pact("empty", provinces, until=found["until"] or "")


@attrs.frozen
class Agreement:
    """A pact that binds one power towards another since a phase; a mutual pact makes two agreements."""

    pact: Pact
    bound: str
    partner: str
    phase: str

    def in_force(self, phase: str) -> bool:
        """Whether it is about the orders of a phase (``F1901M``); it never is about retreats and adjustments."""
        if not phase.endswith("M"):
            return False
        if not self.pact.until:
            return phase == self.phase
        return _time(self.phase) <= _time(phase) <= _time(self.pact.until)


def _time(phase: str) -> tuple[int, bool]:
    """The year and whether it is autumn, of a phase or of the end of a pact."""
    return int(phase[1:5]), phase[0] == "F"


def agreements(messages: Iterable[Mapping[str, Any]], powers: Sequence[str]) -> tuple[Agreement, ...]:
    """What messages have bound powers to, in the order in which it was first spoken of.

    ``messages`` are the data of events of the kind ``message``, in order; ``GLOBAL`` stands for all other ``powers``.
    What two powers tell each other in one phase belongs together, crossing proposals included; nothing is carried over
    to the next phase. What is in force already is not agreed upon again, and what is over is not agreed upon at all.
    """
    said: dict[tuple[str, frozenset[str], Pact], dict[str, set[Stance]]] = {}
    for message in messages:
        writer, recipients = message["from"], message["to"]
        partners = powers if "GLOBAL" in recipients else recipients
        for statement in read(message["text"]):
            for partner in partners:
                if partner != writer:
                    pair = said.setdefault((message["phase"], frozenset((writer, partner)), statement.pact), {})
                    stances = pair.setdefault(writer, set())
                    pair.setdefault(partner, set())
                    stances.clear() if statement.stance == "refuse" else stances.add(statement.stance)
    found: list[Agreement] = []
    latest: dict[tuple[Pact, str, str], Agreement] = {}
    for (phase, _, pact), pair in said.items():
        for bound, partner in (tuple(pair), tuple(pair)[::-1]):
            made, before = Agreement(pact, bound, partner, phase), latest.get((pact, bound, partner))
            if _binds(pair[bound], pair[partner]) and made.in_force(phase) and not (before and before.in_force(phase)):
                found.append(made)
                latest[pact, bound, partner] = made
    return tuple(found)


def _binds(own: set[Stance], other: set[Stance]) -> bool:
    """Whether what a power and its partner said of a pact binds the power."""
    if "promise" in own or ("agree" in own and "request" in other):
        return True
    return bool(own & {"propose", "agree"} and other & {"propose", "agree"} and "propose" in own | other)


@attrs.frozen
class Verdict:
    """Whether a power kept an agreement in one phase, and by which of its orders it broke or kept it.

    ``orders`` are those against a broken pact of peace or of empty provinces, and those that keep a pact of support.
    """

    agreement: Agreement
    phase: str
    is_kept: bool
    orders: tuple[str, ...]


def judge_pact(agreement: Agreement, position: Position, orders: Mapping[str, Sequence[str]]) -> Verdict | None:
    """Hold an agreement against the orders given in a position; ``None`` where it is not about them.

    ``orders`` are in standard notation, by power. What was ordered counts and not what came of it: a support that was
    cut was given, and an attack that bounced was made.
    """
    if not agreement.in_force(position.phase):
        return None
    pact, given = agreement.pact, {text: parse_order(position.board, text) for text in orders.get(agreement.bound, ())}
    if pact.kind == "support":
        kept = tuple(text for text, order in given.items() if _supports(order, pact))
        return Verdict(agreement, position.phase, bool(kept), kept)
    closed, own = set(pact.provinces), set[str]()
    if pact.kind == "peace":
        own = {unit[:5] for unit in position.units.get(agreement.partner, ())}
        closed = {unit[2:] for unit in own} | set((position.centres or {}).get(agreement.partner, ()))
    hostile = [text for text, order in given.items() if (order.helped or "")[:5] not in own]
    broken = tuple(text for text in hostile if (given[text].target or "")[:3] in closed)
    return Verdict(agreement, position.phase, not broken, broken)


def _supports(order: Order, pact: Pact) -> bool:
    """Whether an order is the support that a pact is about; coasts make no difference."""
    if order.kind != "support" or (order.helped or "")[:5] != pact.unit[:5]:
        return False
    return (order.target or "")[:3] == pact.target[:3] and order.unit.startswith(pact.supporter[:5])
