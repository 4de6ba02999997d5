"""The report format ``html``: one HTML file that needs no network."""

import re
from pathlib import Path
from typing import ClassVar, Final

import attrs
from arena_report import Report, ReportFormat
from attrs.validators import ge

from arena_report_html.page import page

_UNSEEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that reorder a line, so that what is read is not what was written."""


@attrs.frozen(kw_only=True)
class Html(ReportFormat):
    """One HTML file without any request to elsewhere; pictures are inline SVG, everything a model wrote is escaped."""

    shows_boards: ClassVar[bool] = True

    figures: bool = attrs.field(default=True, metadata={"help": "draw the figures; their numbers are there anyway"})
    moves: int = attrs.field(
        default=20_000, validator=ge(0), metadata={"help": "moves told at most, over all matches; bounds the file"}
    )
    longest: int = attrs.field(
        default=2_000, validator=ge(1), metadata={"help": "characters of one text by a model; the rest is cut off"}
    )

    def write(self, report: Report, path: Path) -> None:
        text = page(report, figures=self.figures, moves=self.moves, longest=self.longest)
        path.write_text(
            _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text), encoding="utf-8", errors="replace", newline="\n"
        )
