"""A planner that does as the first word of ``planner.txt`` beside it says; what follows is the plan."""

import sys
from pathlib import Path

told = Path(__file__).with_suffix(".txt")
word, _, plan = told.read_text().partition("\n")
with told.with_suffix(".log").open("a") as log:
    log.write(" ".join(sys.argv[1:]) + "\n")

if word == "plan":
    Path("plan").write_text(f"; cost = 3 (unit cost)\n{plan}")
elif word == "chatter":
    sys.stdout.write("Searching... " * 100_000)
    Path("plan").write_text(plan)
elif word == "unsolvable":
    sys.exit(11)
elif word == "unread":
    sys.stdout.write("numbers are not supported\n")
    sys.exit(31)
elif word == "die":
    sys.stdout.write("out of cheese\n")
    sys.exit(32)
