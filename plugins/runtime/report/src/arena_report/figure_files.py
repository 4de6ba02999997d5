"""Lists the figures of a report with their file names, for formats that write each to its own file."""

import re
from collections.abc import Iterator

from arena.tables import Figure

from arena_report.contract import Report

_LONGEST = 80


def named_figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Yield each figure of the report's sections in order, with its file name (``NUMBER-TITLE``, no extension).

    All numbers of a report have equally many digits, so file names sort in the order of the report.
    """
    figures = [figure for section in report.sections for figure in section.figures]
    for number, figure in enumerate(figures, 1):
        yield f"{number:0{len(str(len(figures)))}}-{_file_name(figure.title)}", figure


def _file_name(title: str) -> str:
    """Return the title in letters, digits and hyphens, short enough for any file system."""
    words = re.sub(r"\W+", "-", title.lower(), flags=re.ASCII).strip("-")
    return words[:_LONGEST].rstrip("-") or "figure"
