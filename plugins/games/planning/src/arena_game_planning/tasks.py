"""The tasks that are shipped, by domain and number, and how tasks are chosen."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import log10
from random import Random

from arena.errors import ConfigError, did_you_mean

from arena_game_planning.folders import folder
from arena_game_planning.generators import DOMAINS, Draft, generator
from arena_game_planning.task import PlanningTask
from arena_game_planning.task_data import digest, stored_tasks

__all__ = [
    "PlanningTask",
    "TaskChoice",
    "all_tasks",
    "domain_text",
    "draft",
    "known_domain",
    "numbers",
    "problem_text",
    "select",
    "task",
    "task_count",
]

TaskChoice = str | Sequence[str] | Mapping[str, int | str]
"""``all``, ``DOMAIN``, ``DOMAIN#3``, ``DOMAIN#3-7``, a list of these, ``{per-domain: N}`` or ``{folder: PATH}``."""


def domain_text(domain: str) -> str:
    """The text of a domain in PDDL, as it is shipped."""
    return files("arena_game_planning").joinpath("domains", f"{domain}.pddl").read_text("utf-8")


def draft(domain: str, number: int, seed: int) -> Draft:
    """What the generator of a domain draws for a number, which fixes the size, with a seed."""
    makes = generator(domain)
    return makes.draw(Random(f"{domain}/{number}/{seed}"), makes.sizes[number - 1])


def problem_text(domain: str, number: int, seed: int) -> str:
    """The text of the problem that is drawn for a number with a seed."""
    return draft(domain, number, seed).text(domain, f"{domain}-{number}")


def task_count(domain: str) -> int:
    """How many tasks of a domain are shipped; their numbers start with 1."""
    return len(stored_tasks(known_domain(domain)))


@cache
def task(domain: str, number: int) -> PlanningTask:
    """The shipped task of a domain with a number from 1.

    A domain or number that does not exist raises ``ConfigError``. So does a generator that no longer writes the
    problem to which the shipped plan belongs.
    """
    name = known_domain(domain)
    records = stored_tasks(name)
    if not 1 <= number <= len(records):
        raise ConfigError(f"{name}#{number}: expected a number from 1 to {len(records)}")
    record = records[number - 1]
    about, problem = domain_text(name), problem_text(name, number, record.seed)
    if digest(about, problem) != record.digest:
        raise ConfigError(
            f"{name}#{number}: the generator no longer writes the problem that was shipped; "
            "make the tasks again with scripts/make_tasks.py"
        )
    space = None
    if record.states is not None and record.legal_actions:
        space = record.states + log10(record.legal_actions)
    return PlanningTask(
        domain=name,
        number=number,
        domain_text=about,
        problem_text=problem,
        plan=record.plan,
        found_by=record.found_by,
        optimal=record.is_optimal,
        classes=generator(name).classes,
        legal_actions=record.legal_actions,
        state_space=space,
        is_counted=record.is_counted,
    )


def all_tasks() -> tuple[PlanningTask, ...]:
    """All shipped tasks, domain after domain, by number."""
    return tuple(task(domain, number) for domain in DOMAINS for number in range(1, task_count(domain) + 1))


def select(choice: TaskChoice) -> tuple[PlanningTask, ...]:
    """The tasks that a choice names, each once, in the order in which they are named.

    ``{per-domain: N}`` takes so many of every domain, spread evenly from the easiest to the hardest. What names no
    task raises ``ConfigError``.
    """
    if isinstance(choice, Mapping) and "folder" in choice:
        return _folder(choice)
    return tuple(task(domain, number) for domain, number in numbers(choice))


def numbers(choice: TaskChoice) -> tuple[tuple[str, int], ...]:
    """Domain and number of the shipped tasks that a choice names, in the order of ``select``; none is made for this."""
    if isinstance(choice, str):
        return _named(choice)
    if isinstance(choice, Mapping):
        return _described(choice)
    return tuple(dict.fromkeys(chosen for word in choice for chosen in _named(word)))


def known_domain(word: str) -> str:
    """The name of a shipped domain, whichever case and hyphens it is written with."""
    name = word.strip().lower().replace("_", "-")
    if name not in DOMAINS:
        raise ConfigError(f"no domain called {word!r}{did_you_mean(name, DOMAINS)}")
    return name


def _named(word: str) -> tuple[tuple[str, int], ...]:
    if word == "all":
        return tuple((domain, number) for domain in DOMAINS for number in range(1, task_count(domain) + 1))
    domain, mark, numbers = word.partition("#")
    name = known_domain(domain)
    if not mark:
        return tuple((name, number) for number in range(1, task_count(name) + 1))
    found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", numbers)
    if found is None or (found[2] and int(found[2]) < int(found[1])):
        raise ConfigError(f"{word}: expected a number or a range such as 3-7 after '#', got {numbers!r}")
    first, last = int(found[1]), int(found[2] or found[1])
    if not 1 <= first <= last <= task_count(name):
        raise ConfigError(f"{word}: expected numbers from 1 to {task_count(name)}")
    return tuple((name, number) for number in range(first, last + 1))


def _described(choice: Mapping[str, int | str]) -> tuple[tuple[str, int], ...]:
    match dict(choice):
        case {"per-domain": int(count), **rest} if not rest and count > 0:
            return tuple((domain, number) for domain in DOMAINS for number in _evenly(task_count(domain), count))
        case _:
            raise ConfigError(
                f"tasks: expected per-domain with a whole number or folder with a path, got {dict(choice)}"
            )


def _folder(choice: Mapping[str, int | str]) -> tuple[PlanningTask, ...]:
    if set(choice) != {"folder"}:
        raise ConfigError(f"tasks: expected folder with a path and nothing else, got {dict(choice)}")
    return folder(str(choice["folder"]))


def _evenly(total: int, count: int) -> tuple[int, ...]:
    """So many of the numbers 1 … total, each in the middle of its share."""
    count = min(total, count)
    return tuple(1 + (2 * place + 1) * total // (2 * count) for place in range(count))
