"""What all drawings share: colours, and names that are not too long."""

from collections.abc import Sequence
from math import nan
from typing import Any, Final

from arena.tables import Estimate

COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999933", "#888888")
"""Okabe and Ito's colours, told apart by the colour-blind and readable on light and dark."""

INK = "#010203"
"""A placeholder for the colour of text, which the page decides."""

LONGEST: Final = 32
"""The most characters of a name in a drawing."""


def short_name(x: str | float) -> str:
    """A name as it stands in a drawing, cut where it is too long."""
    text = x if isinstance(x, str) else f"{x:g}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def colour_of(i: int) -> str:
    """The colour of a series by its place."""
    return COLOURS[i % len(COLOURS)]


def ink_on(colour: Sequence[float]) -> str:
    """Black or white, whichever can be read better on this colour: with a contrast of 4.5 : 1 at least."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3])
    # Where the luminance plus 0.05 is the root of 1.05 times 0.05, black and white have the same contrast.
    return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "#ffffff"


def values_of(values: Sequence[float | Estimate | None]) -> list[float]:
    """The bare numbers; none where there is no number."""
    bare = (value.value if isinstance(value, Estimate) else value for value in values)
    return [nan if value is None else float(value) for value in bare]


def turned(x: Sequence[str | float]) -> dict[str, Any]:
    """Text settings that slant long names, each ending at its tick."""
    if sum(len(short_name(value)) for value in x) > 60 or max(map(len, map(short_name, x)), default=0) > 14:
        return {"rotation": 30.0, "ha": "right", "rotation_mode": "anchor"}
    return {}
