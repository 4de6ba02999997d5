"""Write docs/tradecraft-problems.md: which problems are shipped, how hard they are, and a few of each to read.

.venv/bin/python plugins/games/tradecraft/problems_page.py > docs/tradecraft-problems.md
"""

import sys
from collections.abc import Iterable, Iterator, Sequence

from arena_game_tradecraft.amounts import say_amounts
from arena_game_tradecraft.difficulty import BANDS
from arena_game_tradecraft.problem import Problem, load_problems
from problem_sets import SETS

HEAD = """\
# Problems of TradeCraft

What matches start from. This page is written by `plugins/games/tradecraft/problems_page.py`; a test fails where it is
out of date. How problems are named, written and made up is in the [README](../plugins/games/tradecraft/README.md).

`paper` are the five problems of the paper's experiments, the others are made up from a seed
(`plugins/games/tradecraft/problem_sets.py`). In all of them each target alone is within reach if everybody helps, and
no player of several reaches its own without a trade; all of that, and every number here, is proved by the solver. A
*chain* is how many crafts lead to a target from all hands together, *trades* how many accepted proposals of one kind
each way it takes, *kinds* how many kinds must change hands for it, each at the least. A problem is as hard as its
hardest target, which is as hard as its chain times its trades (one where there is none): easy from {easy}, medium from
{medium}, hard from {hard}. *Jointly* are those where all targets can be held at once; in the others somebody must lose.
"""

EXAMPLES = """
## One of each

The first of each level; `|` stands between players.
"""


def page() -> Iterator[str]:
    """The lines of the page."""
    sets = {"paper": ("minecraft", load_problems("paper"))}
    sets |= {name: (wanted.ruleset, load_problems(name)) for name, wanted in SETS.items()}
    yield HEAD.format(**{level: _span(*ends) for level, ends in BANDS.items()})
    head = ("problems", "rule set", "players", "n", *BANDS, "jointly", "chain", "trades", "kinds")
    yield from _table(head, ((f"`{name}`", rules, *_counts(problems)) for name, (rules, problems) in sets.items()))
    yield EXAMPLES
    firsts = (row for name, (_, problems) in sets.items() for row in _firsts(name, problems))
    yield from _table(("problem", "level", "hands", "targets"), firsts)


def _counts(problems: Sequence[Problem]) -> Iterator[object]:
    known = [problem.difficulty for problem in problems if problem.difficulty]
    yield problems[0].players
    yield len(problems)
    yield from (sum(d.level == level for d in known) for level in BANDS)
    yield sum(d.jointly is True for d in known)
    for found in ("chain", "trades", "kinds"):
        yield _range([int(n) for d in known for n in getattr(d, found)])


def _firsts(name: str, problems: Sequence[Problem]) -> Iterator[tuple[str, str, str, str]]:
    for level in BANDS:
        for number, problem in enumerate(problems, 1):
            if problem.difficulty and problem.difficulty.level == level:
                hands = " \\| ".join(say_amounts(hand).replace(", ", " + ") for hand in problem.hands)
                targets = " \\| ".join(map(say_amounts, problem.targets))
                yield f"`{name}#{number}`", level, hands, targets
                break


def _span(first: int, last: int | None) -> str:
    return f"{first} to {last}" if last is not None else f"{first} on"


def _range(numbers: Sequence[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}" if min(numbers) < max(numbers) else str(min(numbers))


def _table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(map(str, head))} |"
    yield "|" + "---|" * len(head)
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()).rstrip() + "\n")
