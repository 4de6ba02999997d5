"""Write docs/planning-tasks.md: how many tasks are shipped, how hard they are, and who found their plans.

.venv/bin/python plugins/games/planning/scripts/tasks_page.py > docs/planning-tasks.md
"""

import sys
from collections.abc import Iterator, Sequence
from math import log10
from statistics import mean, median

from arena_game_planning.generators import DOMAINS, generator
from arena_game_planning.stored import StoredTask, stored_tasks

PUBLISHED = {
    "floortile": 25, "grid": 14, "logistics": 14, "sokoban": 13, "termes": 423, "assembly": 4, "barman": 89.5,
    "blocksworld": 31, "briefcaseworld": 52, "multi-agent-coordination": 20, "cooperate-sequential-gripper": 62,
    "elevator": 33.5, "depots": 47.5, "freecell": 122, "rovers": 26, "satellite": 14.5,
}  # fmt: skip
"""The median length of plans of ``lama-first`` for the tasks of SPIN-Bench; numeric ones were not solved."""

HEAD = """\
# Tasks of planning

What the game `planning` is played with. This page is written by `plugins/games/planning/scripts/tasks_page.py` from
what is shipped; a test fails where it is out of date. How tasks are named, chosen and made is in the
[README](../plugins/games/planning/README.md).

There are {total:,} tasks in 21 domains, as many in each as in SPIN-Bench. Domains are written from their published
descriptions, problems come from seeded generators, and no file of a competition or of SPIN-Bench is among them. Every
task has a reference plan that the validator and VAL accept. Its length is the *s* of the N-step number; the mean over
all tasks is {mean:.1f}. The plan is the generator's own (*constructed*), without steps that it can do without, or that
of Fast Downward (`lama-first`, 10 s) where that is shorter. *Published* is the median length of the plans that Fast
Downward finds for the published tasks.

## Lengths

| domain | class | tasks | median | longest | published | constructed | by Fast Downward | known to be shortest |
|---|---|---|---|---|---|---|---|---|
"""

BESIDE = """
## Beside Fast Downward

No plan is padded. *Solved* are the tasks for which Fast Downward finds a plan within 10 s, with its `lama-first`; the
ratio is the length of the shipped plan over that of its plan. It does not read numeric domains.

| domain | solved | its median | median of the ratio | greatest ratio |
|---|---|---|---|---|
"""

CHOICE = """
## How much there is to choose from

*Legal actions* is the mean number of applicable ground actions along the reference plan, here its median over tasks.
*States* is the logarithm to base 10 of the number of states that can be reached: counted up to a million, bounded above
that by the product of the domains of the variables that are left after reachability without deletions. The *space* is
the logarithm of states times legal actions. Where nothing was measured there is a dash; numbers have no bound in
numeric domains.

| domain | legal actions | counted | states, median | space, median |
|---|---|---|---|---|
"""

DASH = "\u2013"


def page() -> str:
    """The page in Markdown, with the table of all domains beside what SPIN-Bench published."""
    records = {domain: stored_tasks(domain) for domain in DOMAINS}
    every = [record for shipped in records.values() for record in shipped]
    head = HEAD.format(total=len(every), mean=mean(len(record.plan) for record in every))
    lengths = [_row(domain, *_lengths(domain, shipped)) for domain, shipped in records.items()]
    beside = [_row(domain, *_beside(shipped)) for domain, shipped in records.items() if domain in PUBLISHED]
    choice = [_row(domain, *_choice(shipped)) for domain, shipped in records.items()]
    return "".join((head, *lengths, BESIDE, *beside, CHOICE, *choice))


def _lengths(domain: str, shipped: Sequence[StoredTask]) -> Iterator[object]:
    steps = [len(record.plan) for record in shipped]
    yield ", ".join(generator(domain).classes)
    yield len(shipped)
    yield _number(median(steps))
    yield max(steps)
    yield _number(PUBLISHED[domain]) if domain in PUBLISHED else "numeric"
    yield sum(record.found_by == "construction" for record in shipped)
    yield sum(record.found_by != "construction" for record in shipped)
    yield sum(record.is_optimal for record in shipped)


def _beside(shipped: Sequence[StoredTask]) -> Iterator[object]:
    solved = [(len(record.plan), record.planner_steps) for record in shipped if record.planner_steps]
    ratios = [own / its for own, its in solved]
    yield f"{len(solved)} of {len(shipped)}"
    yield _number(median(its for _, its in solved))
    yield f"{median(ratios):.2f}"
    yield f"{max(ratios):.2f}"


def _choice(shipped: Sequence[StoredTask]) -> Iterator[object]:
    legal = [record.legal_actions for record in shipped if record.legal_actions]
    known = [record for record in shipped if record.states is not None]
    yield f"{median(legal):.1f}"
    yield f"{sum(record.is_counted for record in known)} of {len(known)}" if known else DASH
    yield f"{median(record.states or 0 for record in known):.1f}" if known else DASH
    spaces = [(record.states or 0) + log10(record.legal_actions or 1) for record in known]
    yield f"{median(spaces):.1f}" if known else DASH


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    sys.stdout.write(page())
