"""The colours of drawings by matplotlib: of a page that decides itself, and of files for light and for dark ground."""

from typing import Any, Final

import attrs
import matplotlib as mpl
from matplotlib.colors import Colormap, LinearSegmentedColormap

from arena_report_html.palette import DARK_SERIES, GROUND, INK, LIGHT_SERIES, ON_SERIES, SERIES, ink_on, parts_of


@attrs.frozen(kw_only=True)
class Look:
    """Colours by what they are for; series keep the order of their hues, so that a figure reads alike everywhere.

    ``cells`` are the colours of a heat map from zero upwards, ``signed_cells`` from the least to the greatest: the name
    of one of matplotlib's scales, or the colours between which it runs. ``on_cells`` is for names that stand on them,
    ``on_series`` for those on the colours of series: black or white, unless given.
    """

    ink: str
    ground: str
    series: tuple[str, ...]
    cells: str | tuple[str, ...] = "Blues"
    signed_cells: str | tuple[str, ...] = "RdBu"
    missing: str = "#dddddd"
    on_cells: str = "#000000"
    on_series: tuple[str, ...] = ()

    def colour(self, i: int) -> str:
        """The colour of a series by its place."""
        return self.series[i % len(self.series)]

    def ink_on(self, i: int) -> str:
        """The colour of text on the colour of a series, by its place."""
        return self.on_series[i % len(self.series)] if self.on_series else ink_on(parts_of(self.colour(i)))

    def settings(self) -> dict[str, Any]:
        """What tells matplotlib of these colours."""
        inked = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
        grounds = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
        return {**dict.fromkeys(inked, self.ink), **dict.fromkeys(grounds, self.ground)}

    def scale(self, *, is_signed: bool) -> Colormap:
        """The colours of cells from the least value to the greatest."""
        own = self.signed_cells if is_signed else self.cells
        return mpl.colormaps[own] if isinstance(own, str) else LinearSegmentedColormap.from_list("cells", own)


PAGE: Final = Look(ink=INK, ground=GROUND, series=SERIES, on_series=ON_SERIES)
"""For a drawing within a page: all these are replaced by the page's own, which has them for light and dark ground."""

LIGHT: Final = Look(ink="#1b1f24", ground="#ffffff", series=LIGHT_SERIES)

DARK: Final = Look(
    ink="#e6e9ed",
    ground="#14171b",
    series=DARK_SERIES,
    cells=("#1b2026", "#2b7bc0"),
    signed_cells=("#b8402f", "#1b2026", "#2b7bc0"),
    missing="#474e57",
    on_cells="#e6e9ed",
)
"""For the ground of dark pages; zero is dark there, as it is light on white."""

THEMES: Final = {"light": LIGHT, "dark": DARK}
