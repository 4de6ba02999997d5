"""Writes the portable report, one HTML file with tables and plots; and the plots as files."""

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

HTML = Plugin(
    factory="arena_report_html.html:Html",
    summary="one portable HTML file: sortable tables, plots, settings and matches move by move",
    requirements=(Requirement("jinja2", package=full_name("report-html")),),
    licence="Apache-2.0",
)

FIGURES = Plugin(
    factory="arena_report_html.pictures:Pictures",
    summary="a directory with every figure as an SVG and a PNG file",
    requirements=(Requirement("matplotlib", package=full_name("report-html[charts]")),),
    licence="Apache-2.0",
)
