"""The portable report: one HTML file with tables and plots that needs nothing else; and the plots as files."""

from arena.plugin import Need, Plugin

_INSTALL = "pip install arena-report-html"

HTML = Plugin(
    factory="arena_report_html.html:Html",
    summary="one portable HTML file: sortable tables, plots, settings and matches move by move",
    needs=(Need("jinja2", _INSTALL), Need("matplotlib", _INSTALL)),
    licence="Apache-2.0",
)

FIGURES = Plugin(
    factory="arena_report_html.pictures:Pictures",
    summary="a directory with every figure as an SVG and a PNG file",
    needs=(Need("matplotlib", _INSTALL),),
    licence="Apache-2.0",
)
