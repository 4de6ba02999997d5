"""Logging of the command line; the only place that configures it."""

import logging
import sys
from typing import Any

import structlog


def configure(*, is_verbose: bool) -> None:
    """Send log lines to standard error, whatever that is when the line is written."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if is_verbose else logging.WARNING),
        logger_factory=_to_stderr,
    )


def _to_stderr(*_: Any) -> Any:
    return structlog.PrintLogger(sys.stderr)
