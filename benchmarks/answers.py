"""How long reading a reply of one megabyte takes, whatever it is made of, and a plain answer.

    python benchmarks/answers.py [--rounds 5] [--quick] [--write]

Each text stands before an answer, behind one, and in its reasoning; what counts is the slowest.
"""

import argparse
import json
import sys
from collections.abc import Iterator

from arena.backend import Completion
from arena.game import Decision, Options
from arena.record import Player
from arena_agent_llm.replies.answer import understand
from ratios.rounds import in_turns, own_seconds
from ratios.rows import Row, limited
from ratios.script import run

GOAL_S = 0.15
PLAIN_GOAL_US = 60
SIZE = 1_000_000
ANSWER = '{"action": "rock"}'
PIECES = {
    "prose": "The other player likes rock, but I think paper is better than scissors. ",
    "answers": f"{ANSWER}\n",
    "offers": "Or maybe paper. ",
    "open objects": '{"action": ',
    "open strings": '{"a": "',
    "open braces": "{",
    "comments": "{//\n",
    "open thoughts": "<think>",
    "closed thoughts": "</think>",
    "open lists": "[[",
    "fences": "```json\n",
    "blank lines": "\n",
    "blanks": " ",
    "boxes": "\\boxed{a} ",
    "tags": "<a>x</a>",
    "calls": "play(a) ",
    "lines with the key": "action: rock\n",
    "announcements": "My final answer is as follows\n",
    "letters": "x",
}


def seconds(text: str) -> float:
    """CPU seconds of reading ``text`` once."""
    decision = Decision(player=Player(0), options=Options(("rock", "paper", "scissors"), str))
    completion = Completion(text=text)
    return own_seconds(lambda: understand(completion, decision, is_lenient=True, may_look_up=True))


def texts() -> Iterator[str]:
    """A megabyte of each kind, before an answer, behind one and in its reasoning."""
    for piece in PIECES.values():
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        yield from (f"{text}\n{ANSWER}", f"{ANSWER}\n{text}", f'{{"reasoning": {json.dumps(text)}, "action": "rock"}}')


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """The slowest text."""
    seconds("My move:\n" + ANSWER)  # makes the patterns
    found = in_turns({"reading": lambda: max(map(seconds, texts()))}, options.rounds, is_warm=True)
    yield limited(f"reading a megabyte, the slowest of {len(PIECES)} kinds", found["reading"], GOAL_S, "CPU s")
    plain = in_turns(
        {"plain": lambda: sum(seconds(ANSWER) for _ in range(1_000)) * 1_000}, options.rounds, is_warm=True
    )
    yield limited("reading a plain answer", plain["plain"], PLAIN_GOAL_US, "CPU \u00b5s")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure))
