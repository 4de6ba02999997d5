"""What commands print: texts without secrets, in which nothing is hidden that a terminal would obey."""

import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Any, Final

import click

from arena_cli.output.signs import visible

_REDACTION: Final = "arena_engine.foundation.redaction"


def shown(text: object) -> str:
    """A text as it may be printed: without the secrets of backends in use, and with a sign for each control character.

    Lines and tabs stay. What this process has styled itself is styled after this.
    """
    clean = str(text)
    if (redaction := sys.modules.get(_REDACTION)) is not None:  # without it there is no backend
        clean = redaction.Redactor.known().text(clean)
    return visible(clean)


class CleanText(str):
    """A text that may be printed as it is: it holds no secret, and no more that a terminal obeys than our own styles.

    A text that is made from it by formatting or adding is a plain ``str`` again, and is cleaned when it is printed.
    """

    __slots__ = ()


def clean(text: str) -> CleanText:
    """A text as it may be printed; what has been cleaned before stays as it is."""
    return text if isinstance(text, CleanText) else CleanText(shown(text))


def styled(text: object, **style: Any) -> CleanText:
    """A text as it may be printed, with the colours and so on that ``click.style`` knows."""
    return CleanText(click.style(shown(text), **style))


def join(*parts: str, separator: str = "") -> CleanText:
    """One line made of several texts, of which some may be styled; the others are cleaned."""
    return CleanText(separator.join(clean(part) for part in parts))


def guard_tracebacks() -> None:
    """Let no traceback that Python or ``asyncio`` prints by itself hold a secret; called once, by the command."""
    sys.excepthook = _print
    threading.excepthook = lambda raised: _print(raised.exc_type, raised.exc_value, raised.exc_traceback)
    if logging.lastResort is not None:  # where what nobody handles ends, such as errors of tasks nobody awaits
        logging.lastResort.setFormatter(_Formatter())


class _Formatter(logging.Formatter):
    """Formats what nobody handles."""

    def format(self, record: logging.LogRecord) -> str:
        return shown(super().format(record))


def _print(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if not issubclass(kind, SystemExit):
        sys.stderr.write(shown("".join(traceback.format_exception(kind, error, trace))))
