"""The pictures in ``docs/web.md``: what they show is there, and they are drawn anew into ``build/web``."""

from pathlib import Path

import pytest

from .conftest import PICTURES, visiting

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

DOCS = Path(__file__).parents[5] / "docs"
SHOWN = {
    "web-runs": "/",
    "web-run": "/run/demo",
    "web-match": "?at=6",
    "web-report": "/run/demo/report",
    "web-new-match": "/new/match",
}


@pytest.mark.parametrize("name", SHOWN)
def test_picture_of_the_docs_can_be_drawn(chromium, served, match, name):
    """Each picture of the docs is of a page that opens; copying it from build/web renews it."""
    path = SHOWN[name] if SHOWN[name].startswith("/") else match + SHOWN[name]
    with visiting(chromium, served, viewport={"width": 1280, "height": 860}) as visit:
        visit.to(path).wait_for_load_state("networkidle")
        PICTURES.mkdir(parents=True, exist_ok=True)
        visit.page.screenshot(path=PICTURES / f"{name}.png")

    assert f"images/{name}.png" in (DOCS / "web.md").read_text("utf-8")
    assert (DOCS / "images" / f"{name}.png").stat().st_size < 120_000
