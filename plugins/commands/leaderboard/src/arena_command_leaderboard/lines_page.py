"""Writes lines of results as a single web page that needs no network."""

import json
from collections.abc import Iterable
from importlib import resources

from arena_metric_statistics.clusters import normal_quantile

from arena_command_leaderboard.results import Result


def lines_page(results: Iterable[Result], level: float) -> str:
    """The page as HTML with all results in it; sorting, filtering and summing happen in the browser."""
    from jinja2 import Environment  # pages alone need it

    found = list(results)
    template = (resources.files("arena_command_leaderboard") / "templates" / "lines.html").read_text("utf-8")
    made = Environment(autoescape=True).from_string(template)
    rows = [_plain(result) for result in found]
    # "</script>" in a name must not end the script element
    told = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return made.render(rows=told, z=normal_quantile(level), level=f"{100 * level:g}", count=len(found))


def _plain(result: Result) -> dict[str, object]:
    return {
        "id": result.id,
        "source": result.source,
        "contributor": result.contributor,
        "date": result.date,
        "version": result.version,
        "game": result.game,
        "form": result.form,
        "agents": result.agents,
        "seats": [
            [s.matches, s.wins, s.disqualifications, s.draws, s.cancelled, s.moves, s.invalid, s.no_result]
            for s in result.seats
        ],
    }
