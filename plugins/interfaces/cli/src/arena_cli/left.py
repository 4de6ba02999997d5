"""The entry points of plugins, without those that end the process when they are imported."""

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any, cast

from arena_cli import guarded


class FatalEntryPoint(EntryPoint):
    """An entry point that has ended the process when it was loaded; it is not loaded again."""

    def load(self) -> Any:
        """Raise ``ImportError``, which says what loading it does."""
        raise ImportError("it ends the process when it is imported")


def entry_points_left() -> Callable[..., EntryPoints] | None:
    """What a catalog finds entry points by, if some of them ended the process in an earlier try of this command."""
    if guarded.here is None or not guarded.here.vanished:
        return None
    fatal = {(str(fact["entry"]), str(fact["dist"])) for fact in guarded.here.vanished}

    def select(**wanted: Any) -> EntryPoints:
        chosen = cast("Iterable[EntryPoint]", entry_points(**wanted))
        return EntryPoints([_fatal(each) if _key(each) in fatal else each for each in chosen])

    return select


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
