"""Write the table of sizes in ``docs/suites/spin-planning.md``: the shipped tasks beside the paper's.

    python plugins/games/planning/scripts/describe_tasks.py

Objects and goals are counted in the problems, goals with every connective and function in them. A plan is the one of
Fast Downward (``lama-first``, 10 s) where it reads the domain and finds one, else the shipped one. A test fails where
the page is out of date.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import attrs
from arena_game_planning.generators import DOMAINS
from arena_game_planning.tasks.shipped import draft, stored_tasks

PAGE: Final = Path(__file__).parents[4] / "docs" / "suites" / "spin-planning.md"
MADE: Final = re.compile(r"(?<=<!-- made by describe_tasks\.py -->\n).*(?=<!-- end of what it makes -->)", re.DOTALL)

OBJECTS: Final = {
    "drone": 40, "counters": 22, "markettrader": 21.5, "multi-agent-coordination": 44.5, "settlersnumeric": 15,
    "freecell": 88, "depots": 40.5, "cooperate-sequential-gripper": 35.5, "assembly": 14, "satellite": 22,
    "blocksworld": 9.5,
}  # fmt: skip
"""Medians of objects in the paper's tasks, where they were counted."""

GOALS: Final = {"drone": 47, "settlersnumeric": 22, "counters": 85, "briefcaseworld": 14.5}
"""Medians of goals with their connectives there, where they were counted."""

PLANS: Final = {
    "floortile": 25, "grid": 14, "logistics": 14, "sokoban": 13, "termes": 423, "assembly": 4, "barman": 89.5,
    "blocksworld": 31, "briefcaseworld": 52, "multi-agent-coordination": 20, "cooperate-sequential-gripper": 62,
    "elevator": 33.5, "depots": 47.5, "freecell": 122, "rovers": 26, "satellite": 14.5,
}  # fmt: skip
"""Medians of Fast Downward's plans for the paper's tasks."""


@attrs.frozen
class Sizes:
    """What the tasks of a domain are like: a number for each task, and the states that were counted or bounded."""

    objects: tuple[int, ...]
    goals: tuple[int, ...]
    plans: tuple[int, ...]
    counted: int
    bounded: int


def sizes(domain: str) -> Sizes:
    """The sizes of the shipped tasks of a domain."""
    records = stored_tasks(domain)
    drafts = [draft(domain, number, record.seed) for number, record in enumerate(records, 1)]
    found = [record.planner_steps for record in records if record.planner_steps]
    return Sizes(
        tuple(sum(len(names) for _, names in drawn.objects) for drawn in drafts),
        tuple(1 + sum(wish.count("(") for wish in drawn.goal) for drawn in drafts),
        tuple(found or (len(record.plan) for record in records)),
        sum(record.is_counted for record in records),
        sum(record.states is not None and not record.is_counted for record in records),
    )


def table() -> str:
    """The table in Markdown."""
    return "\n".join([*_rows(), ""])


def _rows() -> Iterator[str]:
    yield "| domain | tasks | objects | paper | goals | paper | plan | paper | states counted, bounded |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for domain in DOMAINS:
        own = sizes(domain)
        cells = (
            *(domain, str(len(own.objects))),
            *(_both(own.objects), _known(OBJECTS, domain)),
            *(_both(own.goals), _known(GOALS, domain)),
            *(_both(own.plans), _known(PLANS, domain)),
            f"{own.counted}, {own.bounded}",
        )
        yield f"| {' | '.join(cells)} |"


def _both(values: Sequence[int]) -> str:
    """The median, and the 90th percentile in brackets."""
    return f"{median(values):g} ({sorted(values)[min(len(values) - 1, 9 * len(values) // 10)]})"


def _known(medians: dict[str, float], domain: str) -> str:
    return f"{medians[domain]:g}" if domain in medians else "–"


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    PAGE.write_text(MADE.sub(lambda _: table(), page), "utf-8")
