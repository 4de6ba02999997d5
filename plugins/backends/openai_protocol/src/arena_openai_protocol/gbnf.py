"""Writes GBNF, the notation of llama.cpp's grammars, so that every version of it and of its relatives reads it.

The notation: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md. Repetitions are spelled out by
rules that double: ``{m,n}`` is younger than grammars are, and bounds over 2,000 are refused or silently not kept.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

SPACE: Final = '" "?'
"""At most one space: a model that may write any number of them does not always stop."""

_NESTED: Final = 8
"""Up to so many things that may be left out are one in the other; from there on, their number is chosen first."""


def json_literal(value: Any) -> str:
    """A terminal for exactly this JSON value; ``ValueError`` if it is none."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        text = json.dumps(value, allow_nan=False)  # half a character has no bytes of its own
    return literal(text)


def literal(text: str) -> str:
    """A terminal for exactly this text, which has no control characters."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def either(alternatives: Sequence[str]) -> str:
    """One of several expressions; the same one twice is one."""
    different = dict.fromkeys(alternatives)
    return next(iter(different)) if len(different) == 1 else f"({' | '.join(different)})"


def joined(*parts: str) -> str:
    """One expression after the other; empty ones are nothing."""
    return " ".join(part for part in parts if part)


class Rules:
    """The rules of a grammar; what is written twice is one rule."""

    def __init__(self) -> None:
        self._bodies: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def named(self, body: str) -> str:
        """The name of a rule with this body."""
        if body not in self._names:
            name = self.reserved()
            self._names[body] = name
            self._bodies[name] = body
        return self._names[body]

    def reserved(self) -> str:
        """A name whose body is defined later, for rules that lead to themselves."""
        name = f"r{len(self._bodies)}"
        self._bodies[name] = ""
        return name

    def define(self, name: str, body: str) -> None:
        """Give a reserved name its body."""
        self._bodies[name] = body

    def times(self, unit: str, least: int, most: int | None) -> str:
        """From ``least`` to ``most`` of a unit, any number from ``least`` on where that is ``None``."""
        return joined(self._exactly(unit, least), f"{unit}*" if most is None else self._at_most(unit, most - least))

    def listed(self, item: str, least: int, most: int | None) -> str:
        """From ``least`` to ``most`` items with commas between them; empty where there can be none."""
        if most == 0:
            return ""
        more = self.named(joined('","', SPACE, item))
        found = joined(item, self.times(more, max(0, least - 1), None if most is None else most - 1))
        return found if least else f"({found})?"

    def text(self, root: str) -> str:
        """The whole grammar, which begins with an expression."""
        lines = (f"{name} ::= {body}" for name, body in self._bodies.items())
        return "\n".join((f"root ::= {root}", *lines, ""))

    def _exactly(self, unit: str, number: int) -> str:
        parts: list[str] = []
        doubled = unit
        while number:
            if number % 2:
                parts.append(doubled)
            number //= 2
            if number:
                doubled = self.named(f"{doubled} {doubled}")
        return joined(*parts)

    def _at_most(self, unit: str, number: int) -> str:
        if number <= _NESTED:
            found = ""
            for _ in range(number):
                found = f"({joined(unit, found)})?"
            return found
        # Each length can be written in one way, so that llama.cpp follows few possibilities: their logarithm.
        half = (number + 1) // 2
        long = joined(self._exactly(unit, half), self._at_most(unit, number - half))
        return self.named(f"{long} | {self._at_most(unit, half - 1)}")
