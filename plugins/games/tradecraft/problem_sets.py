"""Write the problem sets that are shipped: each from a seed, so that anybody can make the same ones again.

.venv/bin/python plugins/games/tradecraft/problem_sets.py [NAME …]
"""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import attrs
from arena_game_tradecraft.generation.generating import Generated, generate
from arena_game_tradecraft.match.problem import BANDS, write_problems
from arena_game_tradecraft.rules.loading import load

PROBLEMS = Path(__file__).parent / "src" / "arena_game_tradecraft" / "problems"


@attrs.frozen
class Wanted:
    """How many problems of each level, for how many players and by which rules."""

    ruleset: str
    players: int
    easy: int
    medium: int
    hard: int


SETS: Mapping[str, Wanted] = {
    "minecraft-solo": Wanted("minecraft", 1, 6, 6, 0),
    "minecraft-pairs": Wanted("minecraft", 2, 20, 16, 8),
    "minecraft-trios": Wanted("minecraft", 3, 12, 8, 0),
    "minecraft-fives": Wanted("minecraft", 5, 5, 0, 0),
    "alchemy-solo": Wanted("alchemy", 1, 4, 4, 4),
    "alchemy-pairs": Wanted("alchemy", 2, 20, 16, 4),
    "alchemy-trios": Wanted("alchemy", 3, 3, 3, 0),
}


def write(name: str, wanted: Wanted) -> None:
    """Make one set and write its file; levels from easy to hard."""
    rules = load(wanted.ruleset)
    found = []
    for level in (level for level in BANDS if getattr(wanted, level)):
        began = time.process_time()
        wish = Generated(seed=1, players=wanted.players, count=getattr(wanted, level), level=level)
        found += generate(rules, wish)
        sys.stderr.write(f"{name}: {len(found)} up to {level}, {time.process_time() - began:.0f} s\n")
    (PROBLEMS / f"{name}.json").write_text(write_problems(found), "utf-8")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or SETS:
        write(chosen, SETS[chosen])
