"""The mistakes found in a configuration, with their paths."""

import reprlib
from typing import Any

import attrs

from arena_engine.benchmark.merging import Path


@attrs.frozen
class BenchmarkProblem:
    """One mistake, with the path to it as the user wrote it."""

    path: Path
    text: str

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.text}" if self.path else self.text

    @classmethod
    def parse(cls, line: str) -> "BenchmarkProblem":
        """Create a problem from its text; a name with dots in the path is split."""
        path, colon, text = line.partition(": ")
        return cls(tuple(path.split(".")), text) if colon and " " not in path else cls((), line)


class InvalidValue(Exception):
    """Raised for a value that does not fit; without a text if the problems have been added already."""


def shortened(raw: Any) -> str:
    """A value's text for a message, cut if it is long."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 60
    return short.repr(raw)
