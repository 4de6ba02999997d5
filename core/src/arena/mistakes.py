"""Mistakes in configuration: what they are and where."""

import reprlib
from typing import Any

import attrs

from arena.plain import Path


@attrs.frozen
class Problem:
    """One mistake, and the path to it as it was written."""

    path: Path
    text: str

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.text}" if self.path else self.text

    @classmethod
    def parse(cls, line: str) -> "Problem":
        """Undo ``str``, as far as paths hold no dots in a name."""
        path, colon, text = line.partition(": ")
        return cls(tuple(path.split(".")), text) if colon and " " not in path else cls((), line)


class Misfit(Exception):
    """A value that does not fit where it stands; without a text, why was noted further down."""


def shown(raw: Any) -> str:
    """A value in a message, cut where it is long."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 60
    return short.repr(raw)
