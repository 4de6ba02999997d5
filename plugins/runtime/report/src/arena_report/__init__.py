"""Builds reports of runs, as data, and writes them as text for terminals, documents and articles.

``build`` reads journals, lets the metrics measure every match that has a result, and returns a ``Report``: tables and
figures as data. Formats only show it; each is a plugin that implements
``ReportFormat``. Every number carries its n and its interval; what could not be computed says why.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_report.content.building import assemble as assemble, build as build, first_sentence as first_sentence
    from arena_report.content.contests import (
        ContestReader as ContestReader,
        families_of as families_of,
        game_kind as game_kind,
        outcome as outcome,
    )
    from arena_report.content.contract import (
        BoardImage as BoardImage,
        BoardScene as BoardScene,
        ExportFormat as ExportFormat,
        MatchView as MatchView,
        Move as Move,
        Report as Report,
        ReportFormat as ReportFormat,
        RunHeadline as RunHeadline,
        Screen as Screen,
    )
    from arena_report.formats.exports import (
        csv_table as csv_table,
        finished_matches as finished_matches,
        from_spreadsheet as from_spreadsheet,
        jsonl as jsonl,
        moves_csv as moves_csv,
        new_directory as new_directory,
        spreadsheet_row as spreadsheet_row,
        write_file as write_file,
    )
    from arena_report.formats.figures import (
        ChartMark as ChartMark,
        RankingChart as RankingChart,
        named_figures as named_figures,
        ranking_chart as ranking_chart,
        series_places as series_places,
    )
    from arena_report.formats.folding import fold_variants as fold_variants
    from arena_report.formats.formatting import (
        figure_table as figure_table,
        figure_tables as figure_tables,
        footnotes as footnotes,
        format_cell as format_cell,
        is_numeric as is_numeric,
        settings_text as settings_text,
    )
    from arena_report.formats.short_names import (
        BETWEEN as BETWEEN,
        least_width as least_width,
        short_names as short_names,
        short_pairs as short_pairs,
        shortened_parts as shortened_parts,
    )
    from arena_report.formats.standing_tables import (
        headline_parts as headline_parts,
        interval_of as interval_of,
        pair_table as pair_table,
        ranking_table as ranking_table,
        score_table as score_table,
    )
    from arena_report.metrics.baselines import (
        ReturnsSeen as ReturnsSeen,
        Waiting as Waiting,
        baseline as baseline,
        baselines_of as baselines_of,
    )
    from arena_report.metrics.choosing import make_metrics as make_metrics
    from arena_report.metrics.measuring import measure_all as measure_all

_HOMES: Final = {
    "BETWEEN": "arena_report.formats.short_names",
    "BoardImage": "arena_report.content.contract",
    "BoardScene": "arena_report.content.contract",
    "ChartMark": "arena_report.formats.figures",
    "ContestReader": "arena_report.content.contests",
    "ExportFormat": "arena_report.content.contract",
    "MatchView": "arena_report.content.contract",
    "Move": "arena_report.content.contract",
    "RankingChart": "arena_report.formats.figures",
    "Report": "arena_report.content.contract",
    "ReportFormat": "arena_report.content.contract",
    "ReturnsSeen": "arena_report.metrics.baselines",
    "RunHeadline": "arena_report.content.contract",
    "Screen": "arena_report.content.contract",
    "Waiting": "arena_report.metrics.baselines",
    "assemble": "arena_report.content.building",
    "baseline": "arena_report.metrics.baselines",
    "baselines_of": "arena_report.metrics.baselines",
    "build": "arena_report.content.building",
    "csv_table": "arena_report.formats.exports",
    "figure_table": "arena_report.formats.formatting",
    "figure_tables": "arena_report.formats.formatting",
    "finished_matches": "arena_report.formats.exports",
    "families_of": "arena_report.content.contests",
    "first_sentence": "arena_report.content.building",
    "fold_variants": "arena_report.formats.folding",
    "footnotes": "arena_report.formats.formatting",
    "format_cell": "arena_report.formats.formatting",
    "from_spreadsheet": "arena_report.formats.exports",
    "game_kind": "arena_report.content.contests",
    "headline_parts": "arena_report.formats.standing_tables",
    "interval_of": "arena_report.formats.standing_tables",
    "is_numeric": "arena_report.formats.formatting",
    "jsonl": "arena_report.formats.exports",
    "least_width": "arena_report.formats.short_names",
    "make_metrics": "arena_report.metrics.choosing",
    "measure_all": "arena_report.metrics.measuring",
    "moves_csv": "arena_report.formats.exports",
    "named_figures": "arena_report.formats.figures",
    "new_directory": "arena_report.formats.exports",
    "outcome": "arena_report.content.contests",
    "pair_table": "arena_report.formats.standing_tables",
    "ranking_chart": "arena_report.formats.figures",
    "ranking_table": "arena_report.formats.standing_tables",
    "score_table": "arena_report.formats.standing_tables",
    "series_places": "arena_report.formats.figures",
    "settings_text": "arena_report.formats.formatting",
    "short_names": "arena_report.formats.short_names",
    "short_pairs": "arena_report.formats.short_names",
    "shortened_parts": "arena_report.formats.short_names",
    "spreadsheet_row": "arena_report.formats.exports",
    "write_file": "arena_report.formats.exports",
}


__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads

import_module("arena_engine")  # looks whether the package arena is ours, before any module here imports it


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing the package stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
