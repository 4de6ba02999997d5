"""The leaderboard as one web page that needs nothing but itself."""

import json
from collections.abc import Iterable
from importlib import resources

from arena_metric_statistics.clusters import normal_quantile
from jinja2 import Environment

from arena_leaderboard.results import Result


def page(results: Iterable[Result], level: float) -> str:
    """HTML with the results in it: it sorts, filters and adds up in the browser, without a network."""
    found = list(results)
    template = (resources.files("arena_leaderboard") / "templates" / "leaderboard.html").read_text("utf-8")
    made = Environment(autoescape=True).from_string(template)
    rows = [_plain(result) for result in found]
    # what stands in a script must not be able to end it
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
            [s.matches, s.wins, s.disqualifications, s.draws, s.cancelled, s.moves, s.invalid] for s in result.seats
        ],
    }
