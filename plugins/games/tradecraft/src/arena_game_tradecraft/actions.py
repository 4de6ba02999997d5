"""What players do: proposals, answers to them, and crafts, read from JSON.

Each action has one writing that is played. Whatever else can only mean one action (amounts with a decimal point, names
in other letters, parts left out) is read as it; a reason says what is wrong with anything else.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import attrs
from arena.game import Illegal
from arena.record import JSON, Player

from arena_game_tradecraft.amounts import read_amount, write_amounts
from arena_game_tradecraft.datapack import short
from arena_game_tradecraft.ruleset import RuleSet

_YES: Final = frozenset({"accept", "accepted", "approve", "approved", "yes", "true"})
_NO: Final = frozenset({"reject", "rejected", "decline", "declined", "no", "false"})
_SHOWN: Final = 60


@attrs.frozen
class Proposal:
    """``offer`` of the proposer's for ``request`` of the partner's; without a partner, nothing is proposed."""

    partner: Player | None
    offer: Mapping[str, Fraction]
    request: Mapping[str, Fraction]
    message: str = ""


@attrs.frozen
class Answer:
    """Yes or no to a proposal."""

    accept: bool
    message: str = ""


@attrs.frozen
class Making:
    """Inputs that are to become so much of one output."""

    inputs: Mapping[str, Fraction]
    output: str
    amount: Fraction


class Done:
    """No more crafts in this turn."""


class Misread(Exception):
    """What was written is no action; carries why."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.illegal = Illegal(kind, reason)


@attrs.frozen
class Reader:
    """Reads actions by the names there are: items of the rules, seats of the match."""

    rules: RuleSet
    seats: Sequence[str]
    message_limit: int

    def proposal(self, value: Any) -> Proposal:
        """A proposal; ``Misread`` where it is none."""
        table = _table(value, {"partner", "offer", "request", "message"}, {"partner"})
        partner = None if table["partner"] is None else self._seat(table["partner"])
        offer = self.amounts(table.get("offer"), "offer")
        request = self.amounts(table.get("request"), "request")
        message = self._message(table.get("message", ""))
        if partner is None and (offer or request or message):
            raise Misread("no-partner", "a proposal needs a partner; without one, offer, request and message are empty")
        return Proposal(partner, offer, request, message)

    def write_proposal(self, proposal: Proposal) -> dict[str, JSON]:
        """The writing of a proposal that is played."""
        return {
            "partner": None if proposal.partner is None else self.seats[proposal.partner],
            "offer": write_amounts(proposal.offer),
            "request": write_amounts(proposal.request),
            "message": proposal.message,
        }

    def answer(self, value: Any) -> Answer:
        """An answer to a proposal; ``Misread`` where it is none."""
        if isinstance(value, bool | str):
            value = {"accept": value}
        table = _table(value, {"accept", "message"}, {"accept"})
        accept = table["accept"]
        if isinstance(accept, str) and accept.strip().lower() in _YES | _NO:
            accept = accept.strip().lower() in _YES
        if not isinstance(accept, bool):
            raise Misread("schema", f"accept: expected true or false, got {_shown(accept)}")
        return Answer(accept, self._message(table.get("message", "")))

    def making(self, value: Any) -> Making | Done:
        """A craft, or the end of crafting; ``Misread`` where it is neither."""
        if value == "done" or (isinstance(value, dict) and value.keys() == {"done"} and value["done"] is True):
            return Done()
        table = _table(value, {"inputs", "output"}, {"inputs", "output"}, " or {'done': true}")
        inputs, made = self.amounts(table["inputs"], "inputs"), self.amounts(table["output"], "output")
        if len(made) != 1:
            raise Misread("schema", f"output: expected one item with its amount, got {len(made)}")
        ((output, amount),) = made.items()
        return Making(inputs, output, amount)

    def amounts(self, value: Any, where: str) -> dict[str, Fraction]:
        """Positive amounts by item; every mistake is in the reason."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise Misread("schema", f"{where}: expected a table of items and amounts, got {_shown(value)}")
        found: dict[str, Fraction] = {}
        faults: list[tuple[str, str]] = []
        for name, written in value.items():
            item, amount = self.item(name), read_amount(written)
            if item is None:
                faults.append(("unknown-item", f"{where}: there is no item {_shown(name)}"))
            elif amount is None:
                faults.append(("schema", f"{where}.{name}: expected an amount like 3 or '2/3', got {_shown(written)}"))
            elif amount <= 0:
                faults.append(("not-positive", f"{where}.{name}: amounts are above 0, got {_shown(written)}"))
            elif item in found:
                faults.append(("schema", f"{where}: {item!r} is there twice"))
            else:
                found[item] = amount
        if faults:
            raise Misread(faults[0][0], "; ".join(reason for _, reason in faults))
        return found

    def item(self, name: Any) -> str | None:
        """The item that a name can only mean."""
        if not isinstance(name, str) or name in self.rules.item_set:
            return name if isinstance(name, str) else None
        plain = short("_".join(name.strip().lower().split()))
        return plain if plain in self.rules.item_set else None

    def _seat(self, name: Any) -> Player:
        plain = " ".join(name.replace("_", " ").lower().split()) if isinstance(name, str) else name
        if plain not in self.seats:
            raise Misread("no-such-player", f"partner: expected one of {', '.join(self.seats)}, got {_shown(name)}")
        return Player(self.seats.index(plain))

    def _message(self, value: Any) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            raise Misread("schema", f"message: expected a text, got {_shown(value)}")
        if len(value) > self.message_limit:
            allowed = f"at most {self.message_limit} characters" if self.message_limit else "no messages in this match"
            raise Misread("message-too-long", f"message: expected {allowed}, got {len(value)} characters")
        return value


def write_answer(answer: Answer) -> dict[str, JSON]:
    """The writing of an answer that is played."""
    return {"accept": answer.accept, "message": answer.message}


def write_making(making: Making | Done) -> dict[str, JSON]:
    """The writing of a craft, or of the end of crafting, that is played."""
    if isinstance(making, Done):
        return {"done": True}
    return {"inputs": write_amounts(making.inputs), "output": write_amounts({making.output: making.amount})}


def _table(value: Any, known: set[str], needed: set[str], other: str = "") -> dict[str, Any]:
    names = ", ".join(sorted(known))
    if not isinstance(value, dict):
        raise Misread("schema", f"expected an object with {names}{other}, got {_shown(value)}")
    if missing := sorted(needed - value.keys()):
        raise Misread("schema", f"{missing[0]!r} is missing; expected an object with {names}{other}")
    if unknown := sorted(value.keys() - known):
        raise Misread("schema", f"unknown key {_shown(unknown[0])}; expected an object with {names}{other}")
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
