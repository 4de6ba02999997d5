"""The page on the API is what the table of routes says."""

import sys
from pathlib import Path

from arena_web.serving.routes import ROUTES

DOCS = Path(__file__).parents[4] / "docs"


def test_page_is_made_of_the_routes():
    """``docs/web-api.md`` is what ``docs/web_api.py`` writes."""
    sys.path.insert(0, str(DOCS))
    try:
        import web_api
    finally:
        sys.path.remove(str(DOCS))

    assert web_api.PAGE.read_text("utf-8") == web_api.page(), "run .venv/bin/python docs/web_api.py"


def test_each_route_says_what_it_is():
    """Every route has a sentence, what it gives, and no second one of its method and path."""
    assert all(route.summary.endswith(".") and route.gives for route in ROUTES)
    assert len({(route.method, route.path) for route in ROUTES}) == len(ROUTES)
    changing = {route.method for route in ROUTES if route.is_control and not route.path.startswith("/new/")}
    assert changing <= {"POST", "DELETE"}
