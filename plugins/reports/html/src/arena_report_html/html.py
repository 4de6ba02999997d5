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
    folds_variants: ClassVar[bool] = True

    figures: bool = attrs.field(default=True, metadata={"help": "draw the figures; their numbers are there anyway"})
    moves: int = attrs.field(
        default=20_000, validator=ge(0), metadata={"help": "moves told at most, over all matches; bounds the file"}
    )
    matches: int = attrs.field(
        default=20,
        validator=ge(0),
        metadata={"help": "matches told, the most surprising ones; the others are in a second file, matches.html"},
    )
    boards: int = attrs.field(
        default=2_000, validator=ge(0), metadata={"help": "positions to step through at most, over all matches told"}
    )
    longest: int = attrs.field(
        default=2_000, validator=ge(1), metadata={"help": "characters of one text by a model; the rest is cut off"}
    )

    def write(self, report: Report, path: Path) -> None:
        """Write the page, and beside it ``matches.html`` if there are more matches than it tells.

        Beside a page that is not called ``report.html`` that file has the page's name before its own.
        """
        beside = path.with_name("matches.html" if path.stem == "report" else f"{path.stem}-matches.html")
        first, second = page(
            report,
            figures=self.figures,
            moves=self.moves,
            longest=self.longest,
            matches=self.matches,
            boards=self.boards,
            elsewhere=beside.name,
        )
        for text, place in ((first, path), (second, beside)):
            if text:
                place.write_text(
                    _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text), encoding="utf-8", errors="replace", newline="\n"
                )
