"""Prints warnings about what was given as lines of the program, each once."""

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from arena.errors import InputWarning

from arena_cli.output.streams import status


@contextmanager
def telling_in_one_line() -> Generator[None]:
    """Print one line for each warning on what was given, once; other warnings are unchanged."""
    told: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        show = warnings.showwarning

        def tell(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
            if not issubclass(category, InputWarning):
                show(message, category, *place, **options)
            elif str(message) not in told:
                told.add(str(message))
                status(f"warning: {message}")

        warnings.showwarning = tell
        yield
