"""Writes the events of a run: to standard error with ``-v``, and as lines of JSON to a file."""

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from arena.record import JSON
from arena_engine import RunLog

from arena_cli.output.signs import visible
from arena_cli.process.event_file import EventFile


def when_imported(name: str, then: Callable[[], None]) -> None:
    """Call ``then`` as soon as the module ``name`` is imported: now, if it is already."""
    if name in sys.modules:
        then()
    else:
        sys.meta_path.insert(0, _Watcher(name, then))


class _Watcher(MetaPathFinder):
    """Stands before all other finders, and leaves every import to them."""

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self._name = name
        self._then = then

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_tell(module: ModuleType) -> None:
                run(module)
                self._then()

            spec.loader.exec_module = run_and_tell
        return spec


LEVELS: Final = (logging.WARNING, logging.INFO, logging.DEBUG)
"""What is shown on standard error without ``-v``, with it, and with ``-vv``. Without it a run shows no event."""

_FIRST: Final = ("time", "level", "event")


def run_log(verbosity: int, file: EventFile | None) -> RunLog:
    """The log of a run for a command; ``verbosity`` is how often ``-v`` was given.

    Loggers of plugins, which are structlog's own, write to standard error too, and without ``-v`` only warnings.
    """
    shown = LEVELS[min(verbosity, len(LEVELS) - 1)]
    when_imported("structlog", partial(_configure, shown))
    if not verbosity and file is None:
        return RunLog()
    import structlog

    lines = None if file is None else _json_logger(file)

    def sink(level: int, event: str, fields: Mapping[str, JSON]) -> None:
        if verbosity:
            with suppress(OSError, ValueError):  # nobody reads standard error any more
                structlog.get_logger().log(level, event, **_brief(fields, verbosity))
        if lines is not None:
            lines.log(level, event, **fields)

    return RunLog(sink, shown if file is None else logging.DEBUG)


def _configure(shown: int) -> None:
    import structlog

    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.processors.format_exc_info,
            _made_visible,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(shown),
        logger_factory=_to_stderr,
    )


def _json_logger(file: EventFile) -> Any:
    import structlog

    return structlog.wrap_logger(
        structlog.WriteLogger(file),  # pyright: ignore[reportArgumentType]  # it writes and flushes, and nothing else
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            _ordered,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
    )


def _brief(fields: Mapping[str, JSON], verbosity: int) -> dict[str, JSON]:
    """The fields as a line shows them: stacks only with ``-vv``."""
    return {name: value for name, value in fields.items() if name != "stack" or verbosity > 1}


def _ordered(_logger: object, _method: str, event: Any) -> Any:
    return {name: event.pop(name) for name in _FIRST} | dict(event)


def _made_visible(_logger: object, _method: str, event: Any) -> Any:
    return {name: visible(value, keeps="\n") if isinstance(value, str) else value for name, value in event.items()}


def _to_stderr(*_: Any) -> Any:
    import structlog

    return structlog.PrintLogger(sys.stderr)
