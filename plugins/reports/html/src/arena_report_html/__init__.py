"""Writes the portable report, one HTML file with tables and plots; and the plots as files."""

from arena.plugin import Plugin, Requirement

HTML = Plugin(
    factory="arena_report_html.html:Html",
    summary="one portable HTML file: sortable tables, plots, settings and matches move by move",
    requirements=(Requirement("jinja2", "pip install arena-report-html"),),
    licence="Apache-2.0",
)

FIGURES = Plugin(
    factory="arena_report_html.pictures:Pictures",
    summary="a directory with every figure as an SVG and a PNG file",
    requirements=(Requirement("matplotlib", "pip install 'arena-report-html[charts]'"),),
    licence="Apache-2.0",
)
