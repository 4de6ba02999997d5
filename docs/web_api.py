"""Write ``docs/web-api.md`` from the table of routes of ``arena view``.

    .venv/bin/python docs/web_api.py

A test fails where the page is out of date.
"""

from collections.abc import Iterator
from pathlib import Path

from arena_web.api.routing import LOOKERS, ApiRoute
from arena_web.serving.routes import ROUTES

PAGE = Path(__file__).resolve().parent / "web-api.md"

HEAD = """# The API of `arena view`

<!-- made by docs/web_api.py -->

What the pages of [`arena view`](../plugins/interfaces/web/README.md) are made of can be asked by any program on the
same machine. All paths begin with `/api/1`; answers are JSON in UTF-8, times in UTC. `GET` changes nothing.

```text
arena view --no-open          # prints http://127.0.0.1:8765/#key=KEY
curl -H "Authorization: Bearer KEY" http://127.0.0.1:8765/api/1/runs
```

The key is sent in the header alone. `RUN` is a run's name in the list, never a path. `MATCH` is a digest of the
match's id, 16 hexadecimal digits, as the list of matches gives it; `TURN` counts from 0. An *estimate* is as in
`arena report --json`: `value`, `n`, `unit`, `interval`, `level`, `method`. A long text is `text` (its first 20,000
characters), `length` and `digest`, by which the rest can be asked for.

Positions are as a *view* has them: `all`, the number of a player, or `public`, a bystander's. What a view may not
know is not sent: of others' turns it has what it was told (`player` is null there, `action` are the words), and so no
position that it could not tell from the one before. While somebody outside plays a game that hides something, that
match and those with the same deals are shown as a bystander sees them, unless the host has them shown (`show-all`).

An error is `{"error": {"where", "what", "remedy"}}` with 400 for what cannot be understood, 401 without a valid key,
403 where it is not allowed, 404, 409 where a run is in no state for it, 413 for a body of more than a megabyte, 429
for more than 100 requests in a second, and 503 with `Retry-After` while something is being computed.

A game's code never runs in the server. Positions are computed in processes of their own, with 10 seconds and a
gigabyte for each request; a game that takes more, fails or is not installed gives a `problem`, and the turns are told
as texts.
"""


LIVE = """## Live

A WebSocket at `/api/1/live` sends what happens while a run is played, whichever process plays it. The first message
says the key, `{"key": KEY}`, within 5 seconds; then `{"watch": ["runs", "run:RUN", "match:RUN/MATCH?as=VIEW"],
"from": {TOPIC: NUMBER}}` and `{"drop": [TOPIC]}` as often as one likes; `{"ping": true}` is answered by
`{"kind": "pong"}`. The topic `runs` is the list of runs, of which a change is told at most twice a second.
`GET /api/1/live` gives the same messages to who asks and waits.

Each message has `topic`, `number` and `kind`. Numbers of a topic have no gaps; what a view may not know makes no
message. `from` brings what came after a number, or one `reset` with all that is to be seen where that is not kept any
more: of each topic the last 256 messages are, and for a minute after nobody watches it.

| kind | of | holds |
|---|---|---|
| `reset` | the list | `total` |
| `reset` | a run | `progress` |
| `reset` | a match | `state`, `view`, `positions`, `turn_total`, `ending`, `frame` in full |
| `runs_changed` | the list | `runs` (rows of `GET /runs`), names that have `come` or are `gone`, `more`, `total` |
| `run_progress` | a run | `state`, `state_words`, `done`, `planned`, `playing` |
| `match_started` | a run | `match`, `label` |
| `ended` | a run | the match's row of the list; of many at once the newest 20 |
| `frame` | a match | `position`, `frame` (the difference from the position before), `words` |
| `turn` | a match | a line of its list of turns |
| `state` | a match | `state`: it has begun |
| `ended` | a match | `state`, `ending`, `players` |
| `notice` | all | `what`, `remedy`: why it cannot be watched |

Who takes nothing for 30 seconds is let go, and so is who has a link that has ended. A key has 64 connections of 50
topics each; a bystander's has 500, of the single topic `watch`, which gives what a match gives.
"""


SEATS = """## Seats

For whoever has the link of a seat, `http://127.0.0.1:8765/seat#KEY`: a page, or a program in any language. The key
stands in the header as above; it opens these routes and no other. What is told is what the seat's player may know.

1. `GET /api/1/seat` says which match is at hand.
2. `GET /api/1/seat/turn?match=MATCH&after=-1&wait=30` waits for its turn; then `after` is the turn that was answered
   last.
3. `POST /api/1/seat/turn/TURN/try/TRY?match=MATCH` with `{"action": …}` answers it. 200: it counts, and is in the
   journal. 422: it was refused, with the reason and what is left; ask for the turn again. 409: something else is
   asked by now.
4. 410 says how the match ended, and which is next. Where several may be, another one may begin first: each turn names
   its match.

What a turn holds is enough to play. `GET /api/1/seat/position?match=MATCH&after=NUMBER&wait=30` also follows what
others do meanwhile: the newest position as the player sees it, and what was told on the way there. Of a step that the
player cannot tell from nothing there is no position. A match is shown once it has lasted a second.

While somebody asks, and 30 seconds longer, the run waits for open seats. A run that was killed or stopped and is
resumed asks the open turn again under the same key, and nothing that was answered. 503 means that nobody plays the
run at present.
"""


WATCHING = """## Watching

For whoever has the link of a match, `http://127.0.0.1:8765/watch#KEY`: a page, or a program. The key opens these two
routes, and the topic `watch` of `/live`. What is told is what everybody may know, and neither names nor numbers of the
run, the match or its agents; 401 says that the link has ended.
"""


STUDIES = """## Studies

For whoever has a participant's link of `arena study`, `http://127.0.0.1:8765/study#KEY`: a page, or a program. The key
opens these routes, and those of the participant's own seat once the matches have begun; `game` of the seat is then the
game's title, since the run calls it like the condition. Everything is asked in the order of `steps`; what comes before
its time is 409. 401 says that the link has ended, or that everything of this participant was forgotten.
"""


def page() -> str:
    """The page as it should be."""
    reading = [route for route in ROUTES if route.rights[0] in LOOKERS and not route.is_control]
    control = [route for route in ROUTES if route.is_control]
    own = ("seat", "bystander", "participant")
    seats, watched, studies = ([route for route in ROUTES if route.rights == (right,)] for right in own)
    parts = [HEAD, "## Reading\n", *(_told(route) for route in reading)]
    parts += ["## Control\n\nFor the host alone; with `--read-only` there are none of these routes.\n"]
    parts += [*(_told(route) for route in control), SEATS, *(_told(route) for route in seats)]
    parts += [WATCHING, *(_told(route) for route in watched), STUDIES, *(_told(route) for route in studies)]
    return "\n".join([*parts, LIVE])


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
    for part in ("run", "match", "turn", "number", "digest", "kind", "name", "form", "link"):
        path = path.replace(f"{{{part}}}", part.upper())
    return path.replace("{attempt}", "TRY")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
