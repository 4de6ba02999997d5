"""Other spellings of actions than their labels: letters of either case, and what follows the words all labels share."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

LONGEST: Final = 100
"""The longest text that is read as another spelling of an action, in characters."""


def spelt(labels: Sequence[str], text: str) -> int | None:
    """The place of the one label that ``text`` means, in letters of either case or without the words all begin with."""
    return _spellings(tuple(labels)).get(_plain(text)) if labels and len(text) <= LONGEST else None


def read_in(table: Sequence[str], value: Any) -> Any:
    """The action that another spelling of its label means; what is none comes back as it is."""
    meant = spelt(table, value) if isinstance(value, str) else None
    return value if meant is None else meant


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


@lru_cache(maxsize=256)
def _spellings(table: tuple[str, ...]) -> Mapping[str, int]:
    """The actions by their labels in small letters, and by what follows the words that all labels begin with.

    What two labels share is left out, and what holds no letter: a number alone is no action.
    """
    first = table[0].split()
    shared = next((n for n in range(len(first)) if any(label.split()[: n + 1] != first[: n + 1] for label in table)), 0)
    found: dict[str, set[int]] = {}
    for action, label in enumerate(table):
        for text in (label, " ".join(label.split()[shared:])):
            found.setdefault(_plain(text), set()).add(action)
    return {text: min(of) for text, of in found.items() if len(of) == 1 and any(map(str.isalpha, text))}
