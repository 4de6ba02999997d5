"""How long reading a reply of one megabyte takes, whatever it is made of.

    python benchmarks/answers.py [--rounds 5] [--quick] [--write]

Each text stands before and behind an answer; what counts is the slowest. The first rule, which runs of older versions
go on under, reads the same texts in the same round.
"""

import argparse
import sys
from collections.abc import Iterator

from arena.backend import Completion
from arena.game import Decision, Options
from arena.record import Player
from arena_agent_llm.answer import understand
from ratios.rounds import in_turns, own_seconds
from ratios.rows import Row, limited, over
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


def seconds(text: str, rule: int) -> float:
    """CPU seconds of reading ``text`` once."""
    decision = Decision(player=Player(0), options=Options(("rock", "paper", "scissors"), str))
    completion = Completion(text=text)
    return own_seconds(lambda: understand(completion, decision, is_lenient=True, may_look_up=True, rule=rule))


def texts() -> Iterator[str]:
    """A megabyte of each kind, before an answer and behind one."""
    for piece in PIECES.values():
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        yield from (f"{text}\n{ANSWER}", f"{ANSWER}\n{text}")


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """The slowest text by each rule."""
    seconds("", 2)  # reads the word lists
    rules = {f"{rule}": lambda rule=rule: max(seconds(text, rule) for text in texts()) for rule in (2, 1)}
    found = in_turns(rules, options.rounds, is_warm=True)
    yield limited(f"reading a megabyte, the slowest of {len(PIECES)} kinds", found["2"], GOAL_S, "CPU s")
    yield Row(name="the slowest by today's rule × by the first", ratios=over(found["2"], found["1"]))


if __name__ == "__main__":
    sys.exit(run(__doc__, measure))
