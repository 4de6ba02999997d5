"""Our verdicts beside those of VAL on shipped tasks: their reference plans and mutations of them."""

from collections import Counter
from importlib.resources import files

import pytest
from arena_game_planning.generators import DOMAINS
from arena_game_planning.tasks.shipped import task, task_count

from .small_tasks import SmallTask
from .test_agreement_with_val import disagreements

STORED = files("arena_game_planning").joinpath("plans")
SHIPPED = [domain for domain in DOMAINS if STORED.joinpath(f"{domain}.json.xz").is_file()]


def compared(domain: str, count: int, rounds: int, folder) -> Counter[str]:
    """Compare verdicts on so many tasks of a domain, from easy to hard; returns how often VAL said what."""
    total = task_count(domain)
    said: Counter[str] = Counter()
    for place in range(count):
        found = task(domain, 1 + (2 * place + 1) * total // (2 * count))
        small = SmallTask(found.name, found.domain_text, found.problem_text, "\n".join(found.plan or ()))
        counts, differing = disagreements(small, found.number, rounds, folder)
        assert differing == []
        said += counts
    return said


@pytest.mark.sample(fast=1, slow=4)
@pytest.mark.parametrize("domain", SHIPPED)
def test_verdicts_on_three_tasks_are_those_of_val(domain, tmp_path):
    """In each domain VAL says of three reference plans and 15 mutations what we say, with class and step."""
    said = compared(domain, 3, 1, tmp_path)

    assert said["valid"] >= 3
    assert said["crashed"] == 0


@pytest.mark.campaign
@pytest.mark.parametrize("domain", SHIPPED)
def test_verdicts_on_fifteen_tasks_are_those_of_val(domain, tmp_path):
    """The same on 15 tasks and 15 mutations of each plan: more than 4,000 plans over 21 domains."""
    said = compared(domain, 15, 3, tmp_path)

    assert said.total() >= 15 * 13
    assert said["valid"] >= 15
