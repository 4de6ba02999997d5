"""Write ``docs/web-api.md`` from the table of routes of ``arena view``.

    .venv/bin/python docs/web_api.py

A test fails where the page is out of date.
"""

from collections.abc import Iterator
from pathlib import Path

from arena_web.routes import ROUTES
from arena_web.routing import ApiRoute

PAGE = Path(__file__).resolve().parent / "web-api.md"

HEAD = """# The API of `arena view`

<!-- made by docs/web_api.py -->

What the pages of [`arena view`](../plugins/interfaces/web/README.md) are made of can be asked by any program on the same
machine. All paths begin with `/api/1`; answers are JSON in UTF-8, times in UTC. `GET` changes nothing.

```shell
arena view --no-open          # prints http://127.0.0.1:8765/#key=KEY
curl -H "Authorization: Bearer KEY" http://127.0.0.1:8765/api/1/runs
```

The key is sent in the header alone. `RUN` is a run's name in the list, never a path. `MATCH` is a digest of the match's
id, 16 hexadecimal digits, as the list of matches gives it; `TURN` counts from 0. An *estimate* is as in
`arena report --json`: `value`, `n`, `unit`, `interval`, `level`, `method`. A long text is `text` (its first 20,000
characters), `length` and `digest`, by which the rest can be asked for.

Positions are as a *view* has them: `all`, the number of a player, or `public`, a bystander's. What a view may not know is
not sent: of others' turns it has what it was told (`player` is null there, `action` are the words), and so no position that
it could not tell from the one before. While somebody outside plays a game that hides something, that match and those with the
same deals are shown as a bystander sees them.

An error is `{"error": {"where", "what", "remedy"}}` with 400 for what cannot be understood, 401 without a valid key, 403
where it is not allowed, 404, 409 where a run is in no state for it, 413 for a body of more than a megabyte, 429 for more than 100
requests in a second, and 503 with `Retry-After` while something is being computed.

A game's code never runs in the server. Positions are computed in processes of their own, with 10 seconds and a gigabyte
for each request; a game that takes more, fails or is not installed gives a `problem`, and the turns are told as texts.
"""


def page() -> str:
    """The page as it should be."""
    reading = [route for route in ROUTES if not route.is_control]
    control = [route for route in ROUTES if route.is_control]
    parts = [HEAD, "## Reading\n", *(_told(route) for route in reading)]
    parts += ["## Control\n\nFor the host alone; with `--read-only` there are none of these routes.\n"]
    return "\n".join([*parts, *(_told(route) for route in control)])


def _told(route: ApiRoute) -> str:
    return "\n".join([f"### `{route.method} {_path(route)}`", "", *_lines(route)]) + "\n"


def _lines(route: ApiRoute) -> Iterator[str]:
    yield f"{route.summary} Gives {route.gives}."
    if route.body:
        yield ""
        yield f"The body is an object with {route.body}."
    if route.queries:
        yield ""
        yield "| query | is | unless given |"
        yield "|---|---|---|"
        yield from (f"| `{q.name}` | {q.help} | {f'`{q.default}`' if q.default != '' else ''} |" for q in route.queries)


def _path(route: ApiRoute) -> str:
    path = route.path
    for part in ("run", "match", "turn", "number", "digest", "kind", "name"):
        path = path.replace(f"{{{part}}}", part.upper())
    return path


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
