"""Runs a whole review: every part of every plugin of a distribution, then the distribution itself."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs
from arena.plugin import OFFERS
from arena_testing.foundation import not_installed

from arena_devkit.review.determinism import KINDS, compare
from arena_devkit.review.findings import PARTS, SLOW, Finding, Item, joined
from arena_devkit.review.requirements import dependencies
from arena_devkit.review.targets import Project
from arena_devkit.review.tasks import Task, carry_out
from arena_devkit.review.wheels import wheel

IMPORTS: Final = ("descriptor", "class", "parameters", "schema")
_IMPORTS_S: Final = 90.0
_CONDUCT_S: Final = 600.0
_PLAYOUTS_S: Final = 1_800.0
_SPEED_S: Final = 120.0
_SHAPELESS: Final = frozenset({"suite", "prompt-style", "command", OFFERS})


@attrs.frozen(kw_only=True)
class ReviewSettings:
    """Which parts are checked, and how thoroughly."""

    parts: frozenset[str] = frozenset(PARTS)
    seed: int = 0
    is_quick: bool = False
    is_online: bool = False
    game: str | None = None

    @classmethod
    def of(cls, only: Sequence[str], skip: Sequence[str], *, is_quick: bool, **more: Any) -> "ReviewSettings":
        """Settings for the parts asked for; a quick review leaves out slow parts that are not named."""
        parts = set(only or PARTS) - set(skip)
        if is_quick and not only:
            parts -= set(SLOW)
        return cls(parts=frozenset(parts), is_quick=is_quick, **more)


@attrs.frozen(kw_only=True)
class Reviewed:
    """The results for one plugin, or for its distribution (kind ``distribution``)."""

    kind: str
    name: str
    dist: str
    version: str
    items: tuple[Item, ...]

    @property
    def passed(self) -> bool:
        """Whether no part failed."""
        return all(item.status != "failed" for item in self.items)

    def to_json(self) -> dict[str, Any]:
        """The results as ``arena check --json`` shows them."""
        told = {name: getattr(self, name) for name in ("kind", "name", "dist", "version", "passed")}
        return {**told, "items": [item.to_json() for item in self.items]}


def review(projects: Sequence[Project], settings: ReviewSettings) -> Iterator[Reviewed]:
    """Review every plugin and then its distribution; yields each when it is done."""
    for project in projects:
        for entry in project.entries:
            if not settings.parts & set(parts_of(entry.kind)):
                continue
            task = Task(
                task="imports",
                kind=entry.kind,
                name=entry.name,
                dist=entry.dist,
                seed=settings.seed,
                is_quick=settings.is_quick,
                is_online=settings.is_online,
                game=settings.game,
            )
            rivals = [e.dist for p in projects for e in p.entries if e.key == entry.key and e.dist != entry.dist]
            items = _plugin(task, settings.parts, rivals)
            yield Reviewed(kind=entry.kind, name=entry.name, dist=entry.dist, version=entry.version, items=tuple(items))
        looks: dict[str, Callable[[Project], Item]] = {"dependencies": dependencies, "wheel": wheel}
        if items := [_timed(look, project) for part, look in looks.items() if part in settings.parts]:
            name, version = project.name, project.version
            yield Reviewed(kind="distribution", name=name, dist=name, version=version, items=tuple(items))


def parts_of(kind: str) -> tuple[str, ...]:
    """The parts of a review that apply to a kind of plugin."""
    shape = ("descriptor", "class") if kind in _SHAPELESS else IMPORTS
    found = [*shape, "conformance"]
    if kind in KINDS:
        found.append("determinism")
    if kind == "game":
        found += ["leaks", "resample", "playouts", "speed"]
    return tuple(part for part in PARTS if part in found)


def _plugin(task: Task, wanted: frozenset[str], rivals: Sequence[str]) -> list[Item]:
    parts = [part for part in parts_of(task.kind) if part in wanted]
    # In a process of its own first: a plugin that cannot be imported cannot be tried.
    looked = [part for part in IMPORTS if part in ("descriptor", "class", *parts)]
    done = carry_out(attrs.evolve(task, parts=tuple(parts)), looked, _IMPORTS_S)
    items = list(done.items)
    if rivals:
        reason = f"the name {task.name!r} is also taken by {', '.join(rivals)}"
        items.append(Item(part="descriptor", findings=(Finding.of("conflict", reason, is_warning=True),)))
    if not done.values.get("is_usable") or not done.values.get("is_loaded"):
        why = next((item.untested for item in items if item.part == "descriptor" and item.untested), "")
        items += [Item(part=p, untested="it cannot be imported") for p in parts if p not in looked]
        unusable = [attrs.evolve(item, untested=why) if why and item.untested else item for item in items]
        return [item for item in joined(unusable) if item.part in parts or item.status == "failed"]
    hidden = [part for part in ("leaks", "resample") if part in parts_of(task.kind)]
    if {"conformance", "determinism", *hidden} & set(parts):
        found = carry_out(attrs.evolve(task, task="conduct"), ["conformance"], _CONDUCT_S).items
        items += found
        ended = "the conformance checks ended at another fault; mend that first"
        items += [Item(part=part, untested=ended) for part in hidden if part not in {item.part for item in found}]
    if "determinism" in parts:
        items.append(_compared(task))
    for part, limit_s in (("playouts", _PLAYOUTS_S), ("speed", _SPEED_S)):
        if part in parts:
            items += carry_out(attrs.evolve(task, task=part), (part,), limit_s).items
    return _told_once([item for item in joined(items) if item.part in parts])


def _told_once(items: Sequence[Item]) -> list[Item]:
    """Leave out the doubt that schemas were not checked where the part ``schema`` says so."""
    if not any(item.part == "schema" and item.untested == not_installed() for item in items):
        return [*items]
    return [
        attrs.evolve(item, findings=[found for found in item.findings if found.rule != "schemas"]) for item in items
    ]


def _compared(task: Task) -> Item:
    began = time.monotonic()
    item = compare(task)
    return attrs.evolve(item, seconds=time.monotonic() - began)


def _timed(look: Callable[[Project], Item], project: Project) -> Item:
    began = time.monotonic()
    item = look(project)
    return attrs.evolve(item, seconds=time.monotonic() - began)
