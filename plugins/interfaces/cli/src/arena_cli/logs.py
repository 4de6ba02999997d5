"""Configures logging for the command line; nothing else in the project does."""

import logging
import sys
from typing import Any

import structlog


def configure(*, is_verbose: bool) -> None:
    """Send log lines to the ``sys.stderr`` of the moment; debug ones only if ``is_verbose``."""
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
