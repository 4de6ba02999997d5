"""The tasks that are shipped: how they are chosen, and their seeds, reference plans and measurements.

One compressed file for each domain; ``scripts/make_tasks.py`` writes them. Problems themselves are not stored: the
generator writes them from the seed, and a digest shows whether it still writes the same.
"""

import json
import lzma
import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import log10
from random import Random

import attrs
from arena.errors import ConfigError, did_you_mean

from arena_game_planning.generators import DOMAINS, Draft, generator
from arena_game_planning.tasks.folders import folder
from arena_game_planning.tasks.task import PlanningTask


@attrs.frozen
class StoredTask:
    """The record of one shipped task.

    ``planner_steps`` is the length of the plan that Fast Downward finds within 10 seconds, ``None`` where it finds
    none or cannot read the domain. ``is_optimal`` says whether the plan is known to be a shortest one.
    ``legal_actions`` is the mean number of applicable actions along the plan, ``states`` the logarithm to base 10 of
    the number of reachable states, counted where ``is_counted``, otherwise a bound from above; both are ``None`` where
    they were not measured.
    """

    seed: int
    digest: str
    found_by: str
    plan: tuple[str, ...] = attrs.field(converter=tuple)
    planner_steps: int | None = None
    is_optimal: bool = False
    legal_actions: float | None = None
    states: float | None = None
    is_counted: bool = False


def digest(domain_text: str, problem_text: str) -> str:
    """Sixteen hexadecimal digits that stand for the bytes of a task."""
    return sha256(f"{domain_text}\0{problem_text}".encode()).hexdigest()[:16]


@cache
def stored_tasks(domain: str) -> tuple[StoredTask, ...]:
    """What is shipped about the tasks of a domain, in the order of their numbers; the first has number 1."""
    if domain not in DOMAINS:
        raise KeyError(domain)
    packed = files("arena_game_planning").joinpath("plans", f"{domain}.json.xz").read_bytes()
    return tuple(StoredTask(**record) for record in json.loads(lzma.decompress(packed)))


def packed_tasks(tasks: tuple[StoredTask, ...]) -> bytes:
    """The bytes of a file that ``stored_tasks`` reads; the same tasks give the same bytes."""
    text = json.dumps([attrs.asdict(task) for task in tasks], separators=(",", ":"))
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


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
    return folder(str(choice["folder"])).tasks


def _evenly(total: int, count: int) -> tuple[int, ...]:
    """So many of the numbers 1 … total, each in the middle of its share."""
    count = min(total, count)
    return tuple(1 + (2 * place + 1) * total // (2 * count) for place in range(count))
