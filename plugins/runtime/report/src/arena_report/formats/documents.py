"""The report and export formats that need no other distribution."""

from abc import abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import attrs
from arena_engine import Journal

from arena_report.content.contract import ExportFormat, Report, ReportFormat, Screen
from arena_report.formats import exports, latex, markdown


class _TextFormat(ReportFormat):
    """A report format whose files hold the same text as standard output."""

    folds_variants: ClassVar[bool] = True

    @abstractmethod
    def text(self, report: Report, screen: Screen) -> str: ...

    def write(self, report: Report, path: Path) -> None:
        exports.write_file(path, [self.text(report, Screen()).encode()])


@attrs.frozen
class Markdown(_TextFormat):
    """The whole report as Markdown."""

    def text(self, report: Report, screen: Screen) -> str:
        return markdown.render(report)


@attrs.frozen
class Latex(_TextFormat):
    """All tables of the report as LaTeX."""

    def text(self, report: Report, screen: Screen) -> str:
        return latex.render(report)


class _FileFormat(ExportFormat):
    """An export format that writes a single file."""

    @abstractmethod
    def content(self, journal: Journal) -> Iterable[bytes]: ...

    def write(self, journal: Journal, path: Path) -> None:
        exports.write_file(path, self.content(journal))


@attrs.frozen(kw_only=True)
class JsonLines(_FileFormat):
    """One JSON object a match; with ``events``, all that happened in it."""

    events: bool = attrs.field(default=False, metadata={"help": "add all events of each match"})

    def content(self, journal: Journal) -> Iterable[bytes]:
        return exports.jsonl(exports.finished_matches(journal.records()), events=self.events)


@attrs.frozen
class Csv(_FileFormat):
    """One row a match, with a heading."""

    def content(self, journal: Journal) -> Iterable[bytes]:
        return exports.csv_table(exports.finished_matches(journal.records()))


@attrs.frozen
class Parquet(_FileFormat):
    """One row a match, with types."""

    def content(self, journal: Journal) -> Iterable[bytes]:
        """One row per match; raises ``PluginError`` if pyarrow is not installed."""
        return exports.parquet(exports.finished_matches(journal.records()))
