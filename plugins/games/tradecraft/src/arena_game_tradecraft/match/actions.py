"""The actions of players, read from JSON: proposals, answers to them, and crafts.

Each action has one canonical form. Other values that can only mean one action (amounts with a decimal point, names in
another case, optional parts left out) are read as that action; for anything else a reason says what is wrong.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import attrs
from arena.game import Illegal
from arena.record import JSON, Player

from arena_game_tradecraft.rules.amounts import read_amount, write_amounts
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.rules.tags import short

_YES: Final = frozenset({"accept", "accepted", "approve", "approved", "yes", "true"})
_NO: Final = frozenset({"reject", "rejected", "decline", "declined", "no", "false"})
_SHOWN: Final = 60


@attrs.frozen
class Proposal:
    """The proposer's ``offer`` for the partner's ``request``; without a partner, nothing is proposed."""

    partner: Player | None
    offer: Mapping[str, Fraction]
    request: Mapping[str, Fraction]
    message: str = ""


@attrs.frozen
class Answer:
    """The acceptance or rejection of a proposal, with a message."""

    accept: bool
    message: str = ""


@attrs.frozen
class CraftAction:
    """Inputs that are to become this amount of one output."""

    inputs: Mapping[str, Fraction]
    output: str
    amount: Fraction


class Done:
    """The end of a player's crafts in this turn."""


class Misread(Exception):
    """A value is no action; carries the kind and the reason of the refusal."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.illegal = Illegal(kind, reason)


@attrs.frozen
class Reader:
    """Reads actions by the names that exist: items of the rules, seats of the match."""

    rules: RuleSet
    seats: Sequence[str]
    message_limit: int

    def proposal(self, value: Any) -> Proposal:
        """Read a proposal; ``Misread`` if the value is none."""
        table = _table(value, {"partner", "offer", "request", "message"}, {"partner"})
        partner = None if table["partner"] is None else self._seat(table["partner"])
        offer = self.amounts(table.get("offer"), "offer")
        request = self.amounts(table.get("request"), "request")
        message = self._message(table.get("message", ""))
        if partner is None and (offer or request or message):
            raise Misread("no-partner", "a proposal needs a partner; without one, offer, request and message are empty")
        return Proposal(partner, offer, request, message)

    def write_proposal(self, proposal: Proposal) -> dict[str, JSON]:
        """Write a proposal in its canonical form."""
        return {
            "partner": None if proposal.partner is None else self.seats[proposal.partner],
            "offer": write_amounts(proposal.offer),
            "request": write_amounts(proposal.request),
            "message": proposal.message,
        }

    def answer(self, value: Any) -> Answer:
        """Read an answer to a proposal; ``Misread`` if the value is none."""
        if isinstance(value, bool | str):
            value = {"accept": value}
        table = _table(value, {"accept", "message"}, {"accept"})
        accept = table["accept"]
        if isinstance(accept, str) and accept.strip().lower() in _YES | _NO:
            accept = accept.strip().lower() in _YES
        if not isinstance(accept, bool):
            raise Misread("schema", f"accept: expected true or false, got {_shown(accept)}")
        return Answer(accept, self._message(table.get("message", "")))

    def making(self, value: Any) -> CraftAction | Done:
        """Read a craft, or the end of crafting; ``Misread`` if the value is neither."""
        if value == "done" or (isinstance(value, dict) and value.keys() == {"done"} and value["done"] is True):
            return Done()
        table = _table(value, {"inputs", "output"}, {"inputs", "output"}, " or {'done': true}")
        inputs, made = self.amounts(table["inputs"], "inputs"), self.amounts(table["output"], "output")
        if len(made) != 1:
            raise Misread("schema", f"output: expected one item with its amount, got {len(made)}")
        ((output, amount),) = made.items()
        return CraftAction(inputs, output, amount)

    def amounts(self, value: Any, where: str) -> dict[str, Fraction]:
        """Read positive amounts by item; ``Misread`` lists every mistake."""
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
        """The item that a name means, or ``None`` if it is unknown."""
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
    """Write an answer in its canonical form."""
    return {"accept": answer.accept, "message": answer.message}


def write_making(making: CraftAction | Done) -> dict[str, JSON]:
    """Write a craft, or the end of crafting, in its canonical form."""
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
