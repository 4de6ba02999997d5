"""Writes the tables of ``log-events.md``: each event of a run's log with its fields, from ``foundation.run_log``.

    .venv/bin/python docs/log_events.py

A test fails where the page is out of date.
"""

import inspect
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from arena_engine.foundation.run_log import BOUND, FIELDS, RunLog

PAGE = Path(__file__).resolve().parent / "log-events.md"
MADE = re.compile(
    r"(?<=<!-- made by docs/log_events\.py -->\n).*(?=<!-- end of what docs/log_events\.py makes -->)", re.DOTALL
)


def events() -> Iterator[tuple[str, Callable[..., None]]]:
    """The names of all events and the methods that tell them, in the order of the code."""
    return ((name, method) for name, method in vars(RunLog).items() if hasattr(method, "level"))


def fields(method: Callable[..., None]) -> tuple[str, ...]:
    """The fields of an event, beside those that are bound."""
    return tuple(name for name in inspect.signature(method).parameters if name != "self")


def _events() -> Iterator[str]:
    yield "| event | level | what has happened | its fields |"
    yield "|---|---|---|---|"
    for name, method in events():
        level: Any = getattr(method, "level", 0)
        meaning, listed = inspect.getdoc(method), ", ".join(f"`{field}`" for field in fields(method))
        yield f"| `{name}` | {logging.getLevelName(level).lower()} | {meaning} | {listed or 'none'} |"


def _fields(meanings: Mapping[str, str]) -> Iterator[str]:
    yield "| field | what it says |"
    yield "|---|---|"
    for name, meaning in meanings.items():
        yield f"| `{name}` | {meaning} |"


def made(page: str) -> str:
    """The page with its tables as the code has them."""
    parts = ("## Events", _events()), ("## Fields that are bound", _fields(BOUND)), ("## Other fields", _fields(FIELDS))
    text = "".join("\n".join(("", title, "", *lines, "")) for title, lines in parts)
    return MADE.sub(lambda _: f"{text}\n", page)


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text("utf-8")), "utf-8")
