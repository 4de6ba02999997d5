"""Reads JSON that people wrote, and names mistakes by file and path."""

import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NoReturn

import attrs
from arena.errors import ConfigError

from arena_game_tradecraft.rules.amounts import read_amount

_LONGEST_NUMBER = 24
_MOST_ALIKE = 20
_PLACE = re.compile(r"(?P<file>[^:]*): (?:[\w#.\[\]-]+: )?(?P<mistake>.+)", re.DOTALL)
_SHOWN = 60


@attrs.frozen
class Node:
    """One value of a document with its place: ``recipes/torch.json: result.count``."""

    file: str
    value: Any
    path: str = ""

    @classmethod
    def parse(cls, file: str, content: bytes | str) -> "Node":
        """Parse a whole document; numbers with a decimal point are kept exactly.

        A key that occurs twice in one object is an error, because one of the two values would be lost.
        """
        try:
            return cls(file, json.loads(content, parse_float=_exactly, object_pairs_hook=_table))
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{file}: this is not JSON: {error}") from error

    def fail(self, problem: str) -> NoReturn:
        """Raise ``ConfigError`` with this place and ``problem``."""
        raise ConfigError(f"{self.file}: {self.path}: {problem}" if self.path else f"{self.file}: {problem}")

    def expected(self, what: str) -> NoReturn:
        """Raise ``ConfigError`` that says what was expected in this place, and what was found."""
        shown = str(self.value) if isinstance(self.value, Fraction) else repr(self.value)
        self.fail(f"expected {what}, got {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'}")

    def has(self, key: str) -> bool:
        """Whether this is an object with that key."""
        return isinstance(self.value, dict) and key in self.value

    def at(self, key: str) -> "Node":
        """The value under a key; ``ConfigError`` if it is missing."""
        table = self.table()
        if key not in table:
            self.fail(f"{key!r} is missing")
        return table[key]

    def table(self) -> "dict[str, Node]":
        """The values of an object by key; ``ConfigError`` if this is no object."""
        if not isinstance(self.value, dict):
            self.expected("a table")
        return {
            key: Node(self.file, item, f"{self.path}.{key}" if self.path else key) for key, item in self.value.items()
        }

    def items(self) -> "Iterator[Node]":
        """The values of a list; ``ConfigError`` if this is no list."""
        if not isinstance(self.value, list):
            self.expected("a list")
        return (Node(self.file, item, f"{self.path}[{i}]") for i, item in enumerate(self.value))

    def text(self, what: str = "a text") -> str:
        """A string that is not empty; ``ConfigError`` if this is none."""
        if not isinstance(self.value, str) or not self.value.strip():
            self.expected(what)
        return self.value

    def whole(self, least: int = 1) -> int:
        """An integer of at least ``least``; ``4.0`` is accepted, ``true`` is not."""
        number = None if isinstance(self.value, str | list) else read_amount(self.value)
        if number is None or number.denominator != 1 or number < least:
            self.expected(f"a whole number of at least {least}")
        return int(number)

    def amount(self) -> Fraction:
        """A positive amount, exactly: ``3``, ``0.1`` or ``"16/3"``."""
        amount = read_amount(self.value)
        if amount is None or amount <= 0:
            self.expected("an amount above 0, like 3, 0.5 or '16/3'")
        return amount


def gathered(problems: Sequence[str]) -> tuple[str, ...]:
    """The mistakes, where more than 20 that are equal but for their place become the first one and their number."""
    alike: dict[str, list[str]] = {}
    for problem in problems:
        place = _PLACE.fullmatch(problem)
        alike.setdefault(place["mistake"] if place else problem, []).append(problem)
    many = {same[0]: len(same) for same in alike.values() if len(same) > _MOST_ALIKE}
    rest = {problem for same in alike.values() if len(same) > _MOST_ALIKE for problem in same[1:]}
    return tuple(
        f"{problem} (and {many[problem] - 1:,} more of this kind)" if problem in many else problem
        for problem in problems
        if problem not in rest
    )


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"the key {twice!r} stands twice in one table")
    return table


def _exactly(text: str) -> Fraction | float:
    # an exponent can make a short text a number of any size
    return Fraction(text) if len(text) <= _LONGEST_NUMBER and "e" not in text.lower() else float(text)
