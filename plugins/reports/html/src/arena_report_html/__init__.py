"""Writes the portable report, one HTML file with tables and plots; and the plots as files."""

from arena.plugin import Plugin, Requirement

_INSTALL = "pip install arena-report-html"

HTML = Plugin(
    api=2,
    factory="arena_report_html.html:Html",
    summary="one portable HTML file: sortable tables, plots, settings and matches move by move",
    requirements=(Requirement("jinja2", _INSTALL), Requirement("matplotlib", _INSTALL)),
    licence="Apache-2.0",
)

FIGURES = Plugin(
    api=2,
    factory="arena_report_html.pictures:Pictures",
    summary="a directory with every figure as an SVG and a PNG file",
    requirements=(Requirement("matplotlib", _INSTALL),),
    licence="Apache-2.0",
)
