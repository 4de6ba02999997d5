"""What all drawings share: colours, and names that are not too long."""

import re
from collections.abc import Sequence
from math import nan
from typing import Any, Final

import attrs
from arena.tables import Estimate, Figure
from arena_report import short_names

LIGHT_SERIES: Final = ("#0072b2", "#b87a00", "#00875f", "#b5598c", "#3392cc", "#c25400", "#7f7f26", "#767676")
"""Okabe and Ito's hues, told apart by the colour-blind, as dark as lines on white must be: 3 : 1 at least."""

DARK_SERIES: Final = ("#2f93d6", "#e69f00", "#1fb58a", "#d98fb7", "#8fd0f5", "#f0763a", "#b5b54a", "#a0a0a0")
"""The same hues on the ground of dark pages."""

INK: Final = "#010203"
"""A placeholder for the colour of text, which the page decides, as it does the others."""

GROUND: Final = "#010204"
"""A placeholder for the colour of the page."""

SERIES: Final = tuple(f"#0102{16 + i:02x}" for i in range(len(LIGHT_SERIES)))
"""Placeholders for the colours of series."""

ON_SERIES: Final = tuple(f"#0102{32 + i:02x}" for i in range(len(LIGHT_SERIES)))
"""Placeholders for the colours of text that stands on the colour of a series."""

LONGEST: Final = 32
"""The most characters of a name in a drawing."""


def with_short_names(figure: Figure) -> Figure:
    """The same figure with names that are not too long, and still apart; series of a pie are its titles and stay."""
    along = short_names((x for x in figure.x if isinstance(x, str)), LONGEST)
    names = short_names((*figure.series, *figure.references), LONGEST)
    return attrs.evolve(
        figure,
        x=tuple(along[x] if isinstance(x, str) else x for x in figure.x),
        series={name if figure.kind == "pie" else names[name]: values for name, values in figure.series.items()},
        references={names[name]: value for name, value in figure.references.items()},
    )


def label_of(x: str | float) -> str:
    """What stands at a place along x."""
    return x if isinstance(x, str) else f"{x:g}"


def colour_of(i: int) -> str:
    """The colour of a series by its place, which the style sheet of a page holds."""
    return f"var(--series-{i % len(LIGHT_SERIES)})"


def with_colours_of_page(text: str) -> str:
    """A drawing with the colours of the page in place of the placeholders."""
    return _PLACEHOLDER.sub(lambda found: _MEANT[found[0]], text)


def series_style() -> str:
    """The colours of series as a part of a page's style sheet: for light ground, and for dark."""
    light, dark = _declared(LIGHT_SERIES), _declared(DARK_SERIES)
    return f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def _declared(series: Sequence[str]) -> str:
    colours = [f"--series-{i}: {colour};" for i, colour in enumerate(series)]
    inks = [f"--on-series-{i}: {ink_on(parts_of(colour))};" for i, colour in enumerate(series)]
    return " ".join((*colours, *inks))


def parts_of(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of ``#rrggbb``, from 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


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
    if sum(len(label_of(value)) for value in x) > 60 or max(map(len, map(label_of, x)), default=0) > 14:
        return {"rotation": 40.0, "ha": "right", "rotation_mode": "anchor"}
    return {}


_MEANT: Final = {
    INK: "currentColor",
    GROUND: "var(--paper)",
    **{SERIES[i]: colour_of(i) for i in range(len(SERIES))},
    **{ON_SERIES[i]: f"var(--on-series-{i})" for i in range(len(ON_SERIES))},
}

_PLACEHOLDER: Final = re.compile("|".join(_MEANT))
