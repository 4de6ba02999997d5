"""Plays an open seat of Arena: python seat.py 'http://127.0.0.1:8765/seat#KEY'."""

import json
import sys
import time
from http.client import HTTPException
from typing import Any
from urllib.request import HTTPError, Request, urlopen


def choose(turn: dict[str, Any]) -> Any:
    """The first legal action; without options, one has to fit turn["schema"]. Put your own player here."""
    if turn["options"] is None:
        sys.exit("this turn has no options: an action has to fit its schema, which this client cannot; write choose()")
    return turn["options"][0]["action"]


def ask(path: str, body: Any = None) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    try:
        try:
            answer = urlopen(Request(f"{SITE}/api/1/seat{path}", data, {"Authorization": f"Bearer {KEY}"}))
        except HTTPError as error:  # an answer as well: it says what is wrong
            answer = error
        return answer.status, json.loads(answer.read() or b"null")
    except (OSError, HTTPException, ValueError) as error:
        sys.exit(f"no seat at {SITE} ({getattr(error, 'reason', error)}); is arena view running there?")


SITE, _, KEY = sys.argv[-1].partition("/seat#")
if not (SITE.startswith("http") and KEY):
    print(f"expected a seat's link, http://ADDRESS/seat#KEY, got {sys.argv[1:]}; ask its host", file=sys.stderr)
    sys.exit(2)
match, after = ask("")[1].get("match", "unknown"), -1
while match:
    status, told = ask(f"/turn?match={match}&after={after}&wait=30")
    if status == 200:
        match, turn = told["match"], told["turn"]
        status, answer = ask(f"/turn/{turn}/try/{told['try']}?match={match}", {"action": choose(told)})
        print(told["text"], answer, sep="\n")
        after = turn if status == 200 else after
    elif status == 410:  # the match is over
        print(told["verdict_words"])
        match, after = told["next_match"], -1
    elif status != 204:  # 503: nobody plays the run at present
        time.sleep(3) if status == 503 else sys.exit("{what}; {remedy}".format(**told["error"]))
