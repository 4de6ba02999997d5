"""What is shipped about the tasks: the seed of each, its reference plan, and what was measured along it.

One compressed file for each domain; ``scripts/make_tasks.py`` writes them. Problems themselves are not stored: the
generator writes them from the seed, and a digest shows whether it still writes the same.
"""

import json
import lzma
from functools import cache
from hashlib import sha256
from importlib.resources import files

import attrs

from arena_game_planning.generators import DOMAINS


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
