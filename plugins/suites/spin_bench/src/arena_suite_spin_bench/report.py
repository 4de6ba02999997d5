"""The report format ``spin-bench``: the paper's tables and figures from any runs of its suites."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import ClassVar, Final

import attrs
from arena.catalog import Catalog
from arena.errors import PluginError
from arena.installing import full_name, install_line
from arena.tables import Table
from arena_report import Report, ReportFormat, Screen, write_file

from arena_suite_spin_bench.layout import laid_out

METRIC: Final = "spin-bench"
NAME: Final = "SPIN-Bench"
_WIDTH: Final = 80
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9]+")
_NAME: Final = 60


@attrs.frozen
class SpinBenchReport(ReportFormat):
    """The paper's tables as it prints them; in full, or in a directory, the figures as well, and the last boards."""

    metrics: ClassVar[tuple[str, ...]] = (METRIC,)
    shows_boards: ClassVar[bool] = True

    def write(self, report: Report, path: Path) -> None:
        """Write ``tables.txt``, ``tables.md``, each figure as SVG and PNG, and the last board of matches as SVG.

        Other files there are left alone. Raises ``PluginError``, before anything is written, if the distribution that
        draws figures is missing.
        """
        try:
            tables, figures = map(_format, ("markdown", "figures"))
        except PluginError as error:
            raise PluginError(
                f"{error}; figures take {install_line(full_name('suite-spin-bench[figures]'))}"
            ) from error
        path.mkdir(parents=True, exist_ok=True)
        write_file(path / "tables.txt", ["\n".join(_texts(report, _WIDTH)).encode()])
        tables.write(report, path / "tables.md")
        figures.write(report, path)
        for number, match in enumerate(report.matches, 1):
            if match.boards:
                name = f"last-board-{number}-{_UNSAFE.sub('-', match.id)[:_NAME]}.svg"
                write_file(path / name, [match.boards[-1].image.data])

    def text(self, report: Report, screen: Screen) -> str:
        """The tables in 80 columns; in full, everything else as the terminal shows it."""
        lines = list(_texts(report, screen.width))
        if screen.is_brief:
            left = [table.title for section in report.sections for table in section.tables if not _is_laid_out(table)]
            lines += [f"More with --full: {'; '.join(left)}."] if left else []
            lines += ["The figures as files: --output DIRECTORY."] if any(s.figures for s in report.sections) else []
            return "\n".join([*lines, *(f"Note: {note}" for note in report.notes)])
        return "\n".join([*lines, _format("terminal").text(_rest(report), screen) or ""])


def _texts(report: Report, width: int) -> Iterator[str]:
    """What is measured and how, then the tables of each section that are laid out."""
    sections = [section for section in report.sections if section.title.startswith(NAME)]
    if not sections:
        yield f"There is no table of {NAME}: the metric {METRIC!r} was not asked for, or it failed. Leave out --metric."
    for section in sections:
        yield from (section.title, *wrap(section.text, width, break_on_hyphens=False), "")
        for table in filter(_is_laid_out, section.tables):
            yield from (laid_out(table, width), "")


def _is_laid_out(table: Table) -> bool:
    return [column.name for column in table.columns[:2]] == ["agent", "row"]


def _rest(report: Report) -> Report:
    """The report without what is laid out already."""
    sections = (
        attrs.evolve(s, text="", tables=tuple(t for t in s.tables if not _is_laid_out(t)))
        if s.title.startswith(NAME)
        else s
        for s in report.sections
    )
    return attrs.evolve(report, sections=tuple(s for s in sections if s.tables or s.text))


def _format(name: str) -> ReportFormat:
    return Catalog().get("report", name).load()()
