"""Every figure that ``arena report --format figures`` writes, and the report as a file, read from their layout."""

from __future__ import annotations

import pytest

from ..browser.conftest import PICTURES, Visit
from .conftest import RUNS_OF_CI, WIDTHS
from .played_runs import RUNS, figures, report_file
from .test_pages import HEADLINE, INTERVAL, LAYOUT, cases, find, judge

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

WITH_FIGURES = [
    pytest.param(run, marks=[] if run in RUNS_OF_CI else [pytest.mark.campaign]) for run in RUNS if run != "live"
]


@pytest.mark.parametrize("run", WITH_FIGURES)
def test_figures_are_fit_to_be_seen(chromium, shown, tmp_path, run):
    """No text of a figure lies on another or is cut, and an axis of numbers says of what."""
    found = []
    page = chromium.new_page(viewport={"width": 2400, "height": 1600})
    written = figures(shown.runs / run, tmp_path)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for path in written:
        page.set_content(f"<!doctype html><title>{path.stem}</title>{path.read_text('utf-8').partition('?>')[2]}")
        seen = page.evaluate(f"(view) => ({LAYOUT})(view)", {})
        found += [f"{own['rule']}: {own['text']!r} in {path.stem} {own['where']} ({own['times']})" for own in seen]
        page.screenshot(path=PICTURES / f"seen-figure-{run}-{path.stem}.png", full_page=True)
    page.close()

    assert written
    judge(f"figures-{run}", found)


@pytest.mark.parametrize(("_name", "run", "width", "theme"), [*cases(["file"], RUNS)])
def test_report_as_a_file_is_fit_to_be_seen(chromium, shown, tmp_path, _name, run, width, theme):
    """The file begins with who is better and by how much, and all its tables and figures are whole."""
    context = chromium.new_context(color_scheme=theme, bypass_csp=True, **WIDTHS[width])
    visit = Visit(context.new_page(), shown.served)
    visit.page.goto(report_file(shown.runs / run, tmp_path).as_uri())
    found = find(visit, {"headline": HEADLINE, "interval": INTERVAL}, f"seen-file-{run}-{width}-{theme}")
    context.close()

    judge(f"file-{run}-{width}-{theme}", found)
