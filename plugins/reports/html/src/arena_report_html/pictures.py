"""The report format ``figures``: every figure as a file of its own."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import attrs
import matplotlib as mpl
from arena.tables import Figure
from arena_report import Report, ReportFormat, figure_table, footnotes, named_figures
from attrs.validators import ge, le
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG

from arena_report_html.look import THEMES
from arena_report_html.plotting import canvas_of, settings, write_notes

_RENDERERS = {"svg": FigureCanvasSVG, "png": FigureCanvasAgg}


@attrs.frozen(kw_only=True)
class Pictures(ReportFormat):
    """A directory with every figure of every metric as a file of its own, as SVG and as PNG."""

    folds_variants: ClassVar[bool] = True

    forms: tuple[str, ...] = attrs.field(
        default=("svg", "png"),
        validator=attrs.validators.deep_iterable(attrs.validators.in_(_RENDERERS)),
        metadata={"help": "kinds of files: svg, png"},
    )
    dots_per_inch: int = attrs.field(
        default=150, validator=[ge(20), le(1200)], metadata={"help": "resolution of PNG files"}
    )
    theme: Literal["light", "dark"] = attrs.field(
        default="light", validator=attrs.validators.in_(THEMES), metadata={"help": "light or dark ground"}
    )

    def write(self, report: Report, path: Path) -> None:
        """Write ``NUMBER-TITLE.svg`` and ``.png`` in the order of the report; other files there are left alone."""
        path.mkdir(parents=True, exist_ok=True)
        for name, figure in named_figures(report):
            for form in self.forms:
                self._save(figure, path / f"{name}.{form}")

    def _save(self, figure: Figure, path: Path) -> None:
        form = path.suffix[1:]
        # Text stays text in an SVG, so that it can be searched and edited; it is drawn with the reader's fonts.
        look = THEMES[self.theme]
        with mpl.rc_context(settings(path.stem, look)):
            canvas = canvas_of(figure, look)
            metadata: dict[str, Any] = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
            metadata["Title" if form == "svg" else "Description"] = figure.title
            _RENDERERS[form](canvas)
            room = write_notes(canvas, footnotes(figure_table(figure)))
            canvas.savefig(path, format=form, dpi=self.dots_per_inch, metadata=metadata, **room)
