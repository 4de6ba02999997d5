"""How long reading a reply of one megabyte takes, whatever it is made of.

    python benchmarks/answers.py [--rounds 5] [--quick] [--write]

Each text stands before and behind an answer; what counts is the slowest.
"""

import argparse
import sys
from collections.abc import Iterator

from arena.backend import Completion
from arena.game import Decision, Options
from arena.record import Player
from arena_agent_llm.replies.answer import understand
from ratios.rounds import in_turns, own_seconds
from ratios.rows import Row, limited
from ratios.script import run

GOAL_S = 0.2
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
}


def seconds(text: str) -> float:
    """CPU seconds of reading ``text`` once."""
    decision = Decision(player=Player(0), options=Options(("rock", "paper", "scissors"), str))
    completion = Completion(text=text)
    return own_seconds(lambda: understand(completion, decision, is_lenient=True, may_look_up=True))


def texts() -> Iterator[str]:
    """A megabyte of each kind, before an answer and behind one."""
    for piece in PIECES.values():
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        yield from (f"{text}\n{ANSWER}", f"{ANSWER}\n{text}")


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """The slowest text."""
    seconds("")  # reads the word lists
    found = in_turns({"reading": lambda: max(map(seconds, texts()))}, options.rounds, is_warm=True)
    yield limited(f"reading a megabyte, the slowest of {len(PIECES)} kinds", found["reading"], GOAL_S, "CPU s")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure))
