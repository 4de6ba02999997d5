"""What all drawings share: colours, and names that are not too long."""

from typing import Final

COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999933", "#888888")
"""Okabe and Ito's colours, told apart by the colour-blind and readable on light and dark."""

LONGEST: Final = 32
"""The most characters of a name in a drawing."""


def short_name(x: str | float) -> str:
    """A name as it stands in a drawing, cut where it is too long."""
    text = x if isinstance(x, str) else f"{x:g}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def colour_of(i: int) -> str:
    """The colour of a series by its place."""
    return COLOURS[i % len(COLOURS)]
