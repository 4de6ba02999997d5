"""How long reading a reply of one megabyte takes, whatever it is made of; goal: less than 0.2 s of CPU time.

    .venv/bin/python benchmarks/answers.py

Beside each time stands that of the first rule, which runs of older versions go on under, in the same run.
"""

import time

from arena.backend import Completion
from arena.game import Decision, Options
from arena.record import Player
from arena_agent_llm.answer import understand

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
    start = time.process_time()
    understand(Completion(text=text), decision, is_lenient=True, may_look_up=True, rule=rule)
    return time.process_time() - start


def main() -> None:
    """Measure each text before and behind an answer, and print the slower of both."""
    seconds("", 2)  # reads the word lists
    worst = 0.0
    print(f"{'one megabyte of':18} {'CPU s':>6} {'first rule':>11}")
    for name, piece in PIECES.items():
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        texts = (f"{text}\n{ANSWER}", f"{ANSWER}\n{text}")
        now, then = (max(seconds(each, rule) for each in texts) for rule in (2, 1))
        worst = max(worst, now)
        print(f"{name:18} {now:6.3f} {then:11.3f}")
    print(f"\nthe slowest took {worst:.3f} s (goal {GOAL_S} s: {'met' if worst < GOAL_S else 'missed'})")


if __name__ == "__main__":
    main()
