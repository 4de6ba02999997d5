"""The entry points of plugins, without those that end the process when they are imported."""

from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from arena.plugin import KINDS, OFFERS, group_of


class FatalEntryPoint(EntryPoint):
    """An entry point that has ended the process when it was loaded; it is not loaded again."""

    def load(self) -> Any:
        """Raise ``ImportError``, which says what loading it does."""
        raise ImportError("it ends the process when it is imported")


def entry_points_left(vanished: Sequence[Mapping[str, Any]]) -> list[EntryPoint] | None:
    """What a catalog is made of, if some entry points ended the process in an earlier try of this command."""
    if not vanished:
        return None
    fatal = {(str(fact["entry"]), str(fact["dist"])) for fact in vanished}
    every = [each for kind in (*KINDS, OFFERS) for each in entry_points(group=group_of(kind))]
    return [_fatal(each) if _key(each) in fatal else each for each in every]


def _key(point: EntryPoint) -> tuple[str, str]:
    return entry_of(point), dist_of(point)


def _fatal(point: EntryPoint) -> EntryPoint:
    made = FatalEntryPoint(point.name, point.value, point.group)
    vars(made).update(dist=point.dist)  # an entry point has no other way to be given its distribution
    return made


def entry_of(point: EntryPoint) -> str:
    """An entry point as its group and name."""
    return f"{point.group} {point.name}"


def dist_of(point: EntryPoint) -> str:
    """The distribution of an entry point with its version; empty if it has none."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else ""
