"""The option ``--workers``: in how many processes of this machine a run is played."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import click
from arena.record import JSON

T = TypeVar("T")

_HERE: Final = ("asyncio", "processes")
"""The executors in whose place ``--workers`` puts processes."""


class _Workers(click.ParamType[str]):
    name = "workers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if text != "auto" and not (text.isascii() and text.isdigit() and int(text) >= 1):
            self.fail(f"expected 'auto' or a number of processes from 1, got {text!r}", param, ctx)
        return text


def workers_option(command: T) -> T:
    """Add ``--workers`` to a command that plays."""
    option: Callable[[Any], Any] = click.option(
        "--workers", type=_Workers(), metavar="N", help="Play in N processes of this machine; auto: one for each core."
    )
    return option(command)


def in_processes(workers: str, overrides: Iterable[str], executor: JSON) -> tuple[str, ...]:
    """The ``overrides`` and the one that ``workers`` stands for; ``UsageError`` if the two contradict each other.

    ``executor`` is what the benchmark has in that place, ``None`` if nothing.
    """
    changes = tuple(overrides)
    if any(change.partition("=")[0].partition(".")[0].strip() == "executor" for change in changes):
        raise click.UsageError("--workers chooses the executor, and so does --set executor; leave one of them out")
    name = executor.get("use") if isinstance(executor, Mapping) else executor
    if name is not None and name not in _HERE:
        raise click.UsageError(
            f"--workers starts processes of this machine, and the benchmark has executor {name!r}; "
            f"write --set executor.workers={workers}, or --set 'executor={{use: processes, workers: {workers}}}'"
        )
    return (*changes, f"executor={{use: processes, workers: {workers}}}")
