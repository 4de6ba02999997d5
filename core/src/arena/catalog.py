"""Find plugins, load the ones asked for, and say plainly what is wrong with the rest."""

import os
import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from importlib.metadata import Distribution, EntryPoint, EntryPoints, entry_points
from typing import Any

import attrs
from stevedore import NamedExtensionManager
from stevedore.extension import Extension

from arena.errors import PluginError
from arena.plugin import API, KINDS, Plugin
from arena.provenance import Origin

DISABLE = "ARENA_DISABLE"
"""The environment variable that lists disabled plugins, separated by commas."""


class Status(StrEnum):
    """Whether a plugin can be used."""

    OK = "ok"
    DISABLED = "disabled"
    """Switched off; nothing of it was imported."""
    CONFLICT = "conflict"
    """Two distributions claim the name; ``dist:name`` picks one."""
    UNAVAILABLE = "unavailable"
    """Something it needs is not installed."""
    INCOMPATIBLE = "incompatible"
    """Written for another plugin contract."""
    BROKEN = "broken"
    """Its descriptor cannot be imported."""


@attrs.frozen
class Entry:
    """One installed plugin: where it comes from, whether it can be used, and if not, why and what to do.

    ``plugin`` is ``None`` where the descriptor was not imported. ``traceback`` is a broken plugin's, ``load_s`` the
    seconds its descriptor took to import.
    """

    kind: str
    name: str
    dist: str
    version: str
    entry_point: EntryPoint = attrs.field(repr=False)
    status: Status = Status.OK
    reason: str = ""
    remedy: str = ""
    plugin: Plugin | None = attrs.field(default=None, repr=False)
    traceback: str = attrs.field(default="", repr=False)
    load_s: float = 0.0

    @property
    def key(self) -> tuple[str, str]:
        """Kind and name, which should be unique and need not be."""
        return self.kind, self.name

    @property
    def summary(self) -> str:
        """The plugin's own line about itself, empty where its descriptor was not imported."""
        return self.plugin.summary if self.plugin else ""

    def load(self) -> Any:
        """Import what the plugin stands for; ``PluginError`` where that fails."""
        if self.plugin is None:
            raise PluginError(f"{self} is {self.status}: {self.reason}; {self.remedy}")
        try:
            return self.plugin.load()
        except (Exception, SystemExit) as error:
            raise PluginError(f"{self} is {Status.BROKEN}: {_said(error)}; {_repair(self.dist)}") from error

    def provenance(self) -> dict[str, Any]:
        """What a run writes down about this plugin."""
        origin = Origin.of(self.entry_point.dist) if self.entry_point.dist else Origin()
        return {
            "kind": self.kind,
            "name": self.name,
            "target": self.entry_point.value,
            "dist": self.dist,
            "version": self.version,
            "editable": origin.is_editable,
            "commit": origin.commit,
        }

    def to_json(self) -> dict[str, str]:
        """What ``arena list-plugins --json`` says of it."""
        names = ("kind", "name", "dist", "version", "status", "reason", "remedy", "summary")
        return {name: str(getattr(self, name)) for name in names}

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r} from {self.dist} {self.version}"


class Catalog:
    """Every plugin installed in this environment, by kind and name.

    ``select`` finds entry points by ``group``; without it, those installed now are used. ``disabled`` names plugins, as
    ``dist``, ``kind:name`` or ``name``, in addition to those in ``ARENA_DISABLE``; they are never imported.
    """

    def __init__(self, select: Callable[..., EntryPoints] | None = None, disabled: Iterable[str] | None = None) -> None:
        self._select = select or entry_points().select
        self._disabled = tuple(disabled or ())
        self._off = dict.fromkeys(map(_plain, self._disabled), "the plugins disabled for this run")
        self._off |= dict.fromkeys(map(_plain, os.environ.get(DISABLE, "").split(",")), DISABLE)
        self._entries = sorted(self._find(), key=lambda e: (KINDS.index(e.kind), e.name, e.dist))
        self._claims = Counter(e.key for e in self._entries if e.status is Status.OK)
        self._used: dict[tuple[str, str], Entry] = {}

    def without(self, names: Iterable[str]) -> "Catalog":
        """The same catalog with more plugins disabled."""
        more = tuple(names)
        return Catalog(self._select, (*self._disabled, *more)) if more else self

    def entries(self, kind: str | None = None) -> Iterator[Entry]:
        """Every plugin with its status, of one kind or all; imports descriptors and nothing they point to."""
        for each in KINDS if kind is None else (kind,):
            mine = [e for e in self._entries if e.kind == each]
            shelf = _Shelf(f"arena.{each}s", (e.entry_point for e in mine if self._is_sole(e)))
            for entry in mine:
                if self._is_sole(entry):
                    yield _checked(entry, shelf)
                else:
                    yield entry if entry.status is Status.DISABLED else self._contested(entry)

    def found(self) -> tuple[Entry, ...]:
        """Every plugin there is, by its metadata alone: nothing is imported, and nothing known of its status."""
        return tuple(self._entries)

    def has(self, kind: str, name: str) -> bool:
        """Whether something of that name is installed and not disabled, usable or not; imports nothing."""
        return bool(self._matches(kind, name))

    def get(self, kind: str, name: str) -> Entry:
        """The one usable plugin called ``name``; ``PluginError`` says why there is none and what to do.

        ``dist:name`` picks between distributions that claim the same name.
        """
        if (kind, name) not in self._used:
            matches = self._matches(kind, name)
            if not matches:
                raise PluginError(self._unknown(kind, name))
            if len(matches) > 1:
                choices = " or ".join(repr(f"{e.dist}:{e.name}") for e in matches)
                raise PluginError(f"several distributions have a {kind} called {name!r}; write {choices}")
            entry = _checked(matches[0], _Shelf(f"arena.{kind}s", [matches[0].entry_point]))
            if entry.status is not Status.OK:
                raise PluginError(f"{entry} is {entry.status}: {entry.reason}; {entry.remedy}")
            self._used[kind, name] = entry
        return self._used[kind, name]

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of all plugins of a kind that are not disabled."""
        return tuple(dict.fromkeys(e.name for e in self._entries if e.kind == kind and e.status is Status.OK))

    def _find(self) -> Iterator[Entry]:
        known: dict[int, tuple[str, str]] = {}
        for kind in KINDS:
            for found in self._select(group=f"arena.{kind}s"):
                # A distribution parses its metadata afresh at every access.
                if id(found.dist) not in known:
                    known[id(found.dist)] = _name_and_version(found.dist)
                entry = Entry(kind, found.name, *known[id(found.dist)], found)
                where = [(token, self._off[token]) for token in _tokens(entry) if token in self._off]
                yield _switched_off(entry, *where[0]) if where else entry

    def _is_sole(self, entry: Entry) -> bool:
        return entry.status is Status.OK and self._claims[entry.key] == 1

    def _contested(self, entry: Entry) -> Entry:
        dists = [e.dist for e in self._entries if e.key == entry.key and e.status is Status.OK]
        rivals = ", ".join(d for d in dists if d != entry.dist)
        choices = " or ".join(repr(f"{d}:{entry.name}") for d in dists)
        return attrs.evolve(
            entry,
            status=Status.CONFLICT,
            reason=f"the name is also taken by {rivals}",
            remedy=f"uninstall one of {', '.join(dists)}, or write {choices}",
        )

    def _matches(self, kind: str, name: str, status: Status = Status.OK) -> list[Entry]:
        dist, _, bare = name.rpartition(":")
        mine = [e for e in self._entries if e.key == (kind, bare) and e.status is status]
        return [e for e in mine if not dist or _plain(dist) == _plain(e.dist)]

    def _unknown(self, kind: str, name: str) -> str:
        if off := self._matches(kind, name, Status.DISABLED):
            return f"{off[0]} is {off[0].status}: {off[0].reason}; {off[0].remedy}"
        names = self.names(kind)
        if close := get_close_matches(name.rpartition(":")[2], names, n=1):
            return f"no {kind} called {name!r} (did you mean {close[0]!r}?)"
        return f"no {kind} called {name!r} (installed: {', '.join(names) or 'none'})"


class _Shelf(NamedExtensionManager[Any]):
    """stevedore's named loader over live entry points.

    Left to itself stevedore rebuilds entry points from a disk cache, which drops the distribution they came from and
    misses re-installations.
    """

    def __init__(self, group: str, found: Iterable[EntryPoint]) -> None:
        self._live = list(found)
        self.failures: dict[str, BaseException] = {}
        self.load_s: dict[str, float] = {}
        super().__init__(group, [ep.name for ep in self._live], on_missing_entrypoints_callback=None)

    def list_entry_points(self) -> list[EntryPoint]:
        return self._live

    def _load_one_plugin(self, ep: EntryPoint, *args: Any, **options: Any) -> Extension[Any] | None:
        start = time.perf_counter()
        try:
            return super()._load_one_plugin(ep, *args, **options)
        except (Exception, SystemExit) as error:
            self.failures[ep.name] = error
            return None
        finally:
            self.load_s[ep.name] = time.perf_counter() - start


def _checked(entry: Entry, shelf: _Shelf) -> Entry:
    load_s = shelf.load_s[entry.name]
    if error := shelf.failures.get(entry.name):
        trace = "".join(traceback.format_exception(error))
        return _but(entry, Status.BROKEN, _said(error), _repair(entry.dist), traceback=trace, load_s=load_s)
    plugin: Any = shelf[entry.name].plugin
    if not isinstance(plugin, Plugin):
        reason = f"{entry.entry_point.value} is {plugin!r}, not an arena.plugin.Plugin"
        return _but(entry, Status.BROKEN, reason, _repair(entry.dist), load_s=load_s)
    entry = attrs.evolve(entry, plugin=plugin, load_s=load_s)
    if plugin.api != API:
        remedy = f"upgrade {'arena-core' if plugin.api > API else entry.dist}"
        reason = f"written for plugin API {plugin.api}, and this core speaks {API}"
        return _but(entry, Status.INCOMPATIBLE, reason, remedy)
    if missing := plugin.missing():
        reason = f"needs {', '.join(need.module for need in missing)}"
        return _but(entry, Status.UNAVAILABLE, reason, "; ".join(dict.fromkeys(need.install for need in missing)))
    return entry


def _but(entry: Entry, status: Status, reason: str, remedy: str, **also: Any) -> Entry:
    return attrs.evolve(entry, status=status, reason=reason, remedy=remedy, **also)


def _switched_off(entry: Entry, token: str, where: str) -> Entry:
    return _but(entry, Status.DISABLED, f"{token!r} is in {where}", f"take {token!r} out of {where}")


def _name_and_version(dist: Distribution | None) -> tuple[str, str]:
    metadata: Mapping[str, Any] = dist.metadata if dist else {}  # pyright: ignore[reportAssignmentType] -- a message
    return str(metadata.get("Name", "an unknown distribution")), str(metadata.get("Version", "without a version"))


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def _tokens(entry: Entry) -> tuple[str, ...]:
    return _plain(entry.dist), _plain(entry.name), _plain(f"{entry.kind}:{entry.name}")


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _repair(dist: str) -> str:
    return f"reinstall or upgrade {dist}, or switch it off with {DISABLE}={_plain(dist)}"
