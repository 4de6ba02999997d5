"""The report format ``vega``: each figure as a Vega-Lite file."""

import json
from pathlib import Path
from typing import ClassVar

import attrs
from arena_report import Report, ReportFormat, named_figures, write_file

from arena_report_vega.specification import specification


@attrs.frozen(kw_only=True)
class Vega(ReportFormat):
    """A directory with every figure of every metric as a Vega-Lite specification that needs no other file."""

    folds_variants: ClassVar[bool] = True

    def write(self, report: Report, path: Path) -> None:
        """Write ``NUMBER-TITLE.vl.json`` in the order of the report; other files in the directory are left alone.

        Raises ``ArenaError``, before anything is written, if a figure cannot be drawn.
        """
        sections = [section.title for section in report.sections for _ in section.figures]
        texts = {
            name: _json(specification(figure, section, report.notes))
            for (name, figure), section in zip(named_figures(report), sections, strict=True)
        }
        path.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_file(path / f"{name}.vl.json", [text])


def _json(value: object) -> bytes:
    """Return the value as indented UTF-8; an unpaired surrogate in a name becomes a question mark."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode(errors="replace")
