"""Finds installed plugins, loads the ones asked for, and says what is wrong with those that cannot be used."""

import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from importlib.metadata import Distribution, EntryPoint
from itertools import chain
from operator import attrgetter
from typing import Any, Final

import attrs
from stevedore import NamedExtensionManager
from stevedore.extension import Extension

from arena.calls import PluginCall, calling
from arena.errors import PluginError
from arena.installed import DISABLE, InstalledPlugin, Offers, Status, normalized, repair, said
from arena.plugin import API, KINDS, OFFERS, RESERVED, Plugin, group_of, is_importable

__all__ = ["Catalog", "InstalledPlugin", "Status"]

_LISTED: Final = (*KINDS, OFFERS)
_KINDS: Final = {group_of(kind): kind for kind in _LISTED}


class Catalog:
    """Every plugin installed in this environment, by kind and name.

    ``entry_points`` are those to look at, by default the installed ones. ``disabled`` names plugins, as ``dist``,
    ``kind:name`` or ``name``, in addition to those in ``ARENA_DISABLE``; they are never imported. Modules that offer
    plugins by hooks are called at the first look-up.
    """

    def __init__(self, entry_points: Iterable[EntryPoint] | None = None, disabled: Iterable[str] = ()) -> None:
        self._found = _installed() if entry_points is None else [*_plugins(entry_points)]
        self._disabled = tuple(disabled)
        self._off = dict.fromkeys(map(normalized, self._disabled), "the plugins disabled for this run")
        self._off |= dict.fromkeys(filter(None, map(normalized, os.environ.get(DISABLE, "").split(","))), DISABLE)
        self._used: dict[tuple[str, str], InstalledPlugin] = {}
        self._offers = Offers()
        self._is_importable = cache(is_importable)

    @cached_property
    def _entries(self) -> list[InstalledPlugin]:
        found = [self._switched(entry) if self._off else entry for entry in self._found]
        sources = {id(e): e for e in found if e.kind == OFFERS and e.status is Status.OK}
        offered = chain.from_iterable(map(self._offers.of, sources.values()))
        found = [*[e for e in found if id(e) not in sources], *map(self._switched, offered)]
        found.sort(key=attrgetter("name", "dist"))
        return [entry for kind in _LISTED for entry in found if entry.kind == kind]

    @cached_property
    def _claims(self) -> dict[tuple[str, str], list[InstalledPlugin]]:
        found: dict[tuple[str, str], list[InstalledPlugin]] = {}
        for entry in self._entries:
            if entry.status is Status.OK:
                found.setdefault((entry.kind, entry.name), []).append(entry)
        return found

    @property
    def disabled(self) -> tuple[str, ...]:
        """The names of plugins that are disabled in addition to those in ``ARENA_DISABLE``."""
        return self._disabled

    def without(self, names: Iterable[str]) -> "Catalog":
        """A catalog of the same plugins with these disabled as well."""
        more = tuple(names)
        if not more:
            return self
        less = type(self)((), (*self._disabled, *more))
        less._found, less._offers, less._is_importable = self._found, self._offers, self._is_importable
        return less

    def entries(self, kind: str | None = None) -> Iterator[InstalledPlugin]:
        """Every plugin of one kind, or of all, with its status; imports descriptors, but not the plugins themselves."""
        for each in _LISTED if kind is None else (kind,):
            mine = [e for e in self._entries if e.kind == each]
            loader = _Loader(each, filter(self._is_sole, mine))
            for entry in mine:
                if self._is_sole(entry):
                    yield self._checked(entry, loader)
                else:
                    yield self._contested(entry) if entry.status is Status.OK else entry

    def installed(self) -> tuple[InstalledPlugin, ...]:
        """Every installed plugin, without importing any descriptor that an entry point names.

        Their status is therefore unknown, except for disabled plugins and broken offers.
        """
        return tuple(self._entries)

    def has(self, kind: str, name: str) -> bool:
        """Whether a plugin of that name is installed and not disabled; it need not be usable."""
        return bool(self._matches(kind, name))

    def get(self, kind: str, name: str) -> InstalledPlugin:
        """The one usable plugin called ``name``; otherwise ``PluginError`` says why and what to do.

        ``dist:name`` chooses between distributions that claim the same name.
        """
        if (kind, name) not in self._used:
            matches = self._matches(kind, name)
            if not matches:
                raise PluginError(self._unknown(kind, name))
            if len({e.dist for e in matches}) < len(matches):
                raise PluginError(_told(self._contested(matches[0])))
            if len(matches) > 1:
                choices = " or ".join(repr(f"{e.dist}:{e.name}") for e in matches)
                raise PluginError(f"several distributions have a {kind} called {name!r}; write {choices}")
            entry = self._checked(matches[0], _Loader(kind, matches))
            if entry.status is not Status.OK:
                raise PluginError(_told(entry))
            self._used[kind, name] = entry
        return self._used[kind, name]

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of all plugins of a kind that are not disabled."""
        return tuple(dict.fromkeys(e.name for e in self._entries if e.kind == kind and e.status is Status.OK))

    def _switched(self, entry: InstalledPlugin) -> InstalledPlugin:
        if not (token := next((token for token in _tokens(entry) if token in self._off), "")):
            return entry
        where = self._off[token]
        return _but(entry, Status.DISABLED, f"{token!r} is in {where}", f"take {token!r} out of {where}")

    def _checked(self, entry: InstalledPlugin, loader: "_Loader") -> InstalledPlugin:
        entry = entry if entry.plugin else _loaded(entry, loader)
        return _judged(entry, entry.plugin, self._is_importable) if entry.plugin else entry

    def _is_sole(self, entry: InstalledPlugin) -> bool:
        return entry.status is Status.OK and (len(self._claims[entry.key]) == 1 or _is_reserved(entry))

    def _contested(self, entry: InstalledPlugin) -> InstalledPlugin:
        dists = [e.dist for e in self._claims[entry.key]]
        if owner := next((d for d in dists if d in RESERVED.get(entry.kind, ())), ""):
            reason = f"the name is reserved for {owner}"
            return _but(entry, Status.CONFLICT, reason, f"give it another name, or uninstall {entry.dist}")
        if dists.count(entry.dist) > 1:
            targets = " and ".join(e.target for e in self._claims[entry.key] if e.dist == entry.dist)
            return _but(entry, Status.CONFLICT, f"{entry.dist} gives the name twice, by {targets}", repair(entry.dist))
        rivals = ", ".join(d for d in dists if d != entry.dist)
        choices = " or ".join(repr(f"{d}:{entry.name}") for d in dists)
        remedy = f"uninstall one of {', '.join(dists)}, or write {choices}"
        return _but(entry, Status.CONFLICT, f"the name is also taken by {rivals}", remedy)

    def _matches(self, kind: str, name: str, *, is_ok: bool = True) -> list[InstalledPlugin]:
        dist, _, bare = name.rpartition(":")
        every = self._claims.get((kind, bare), []) if is_ok else self._entries
        mine = [e for e in every if e.key == (kind, bare) and (e.status is Status.OK) is is_ok]
        if not dist:
            return [e for e in mine if _is_reserved(e)] or mine
        return [e for e in mine if normalized(dist) == normalized(e.dist)]

    def _unknown(self, kind: str, name: str) -> str:
        if off := self._matches(kind, name, is_ok=False):
            return _told(off[0])
        names = self.names(kind)
        broken = [e for e in self._entries if e.status is Status.BROKEN and e.kind in (kind, OFFERS)]
        if broken:
            return f"no {kind} called {name!r}; {_told(broken[0])}"
        if close := get_close_matches(name.rpartition(":")[2], names, n=1):
            return f"no {kind} called {name!r} (did you mean {close[0]!r}?)"
        return f"no {kind} called {name!r} (installed: {', '.join(names) or 'none'})"


class _Loader(NamedExtensionManager[Any]):
    """stevedore's loader, with the entry points that the catalog found: its own disk cache misses re-installations."""

    def __init__(self, kind: str, entries: Iterable[InstalledPlugin]) -> None:
        self._live = [entry.entry_point for entry in entries if entry.plugin is None]
        self.failures: dict[str, BaseException] = {}
        self.load_s: dict[str, float] = {}
        super().__init__(group_of(kind), [ep.name for ep in self._live], on_missing_entrypoints_callback=None)

    def list_entry_points(self) -> list[EntryPoint]:
        return self._live

    def _load_one_plugin(self, ep: EntryPoint, *args: Any, **options: Any) -> Extension[Any] | None:
        start = time.perf_counter()
        try:
            with calling(PluginCall(ep.group, ep.name, point=ep)):
                return super()._load_one_plugin(ep, *args, **options)
        except (Exception, SystemExit) as error:
            self.failures[ep.name] = error
            return None
        finally:
            self.load_s[ep.name] = time.perf_counter() - start


def _loaded(entry: InstalledPlugin, loader: _Loader) -> InstalledPlugin:
    load_s = loader.load_s[entry.name]
    if error := loader.failures.get(entry.name):
        trace = "".join(traceback.format_exception(error))
        return _but(entry, Status.BROKEN, said(error), repair(entry.dist), traceback=trace, load_s=load_s)
    plugin: Any = loader[entry.name].plugin
    if not isinstance(plugin, Plugin):
        reason = f"{entry.target} is {plugin!r}, not an arena.plugin.Plugin"
        return _but(entry, Status.BROKEN, reason, repair(entry.dist), load_s=load_s)
    return attrs.evolve(entry, plugin=plugin, load_s=load_s)


def _judged(entry: InstalledPlugin, plugin: Plugin, is_importable: Callable[[str], bool]) -> InstalledPlugin:
    if plugin.api != API:
        reason = f"written for plugin contract {plugin.api!r}, and this Arena knows contract {API}"
        remedy = f"upgrade Arena, or install a version of {entry.dist} that is written for contract {API}"
        return _but(entry, Status.INCOMPATIBLE, reason, remedy)
    if missing := plugin.missing(is_importable):
        reason = f"needs {', '.join(need.module for need in missing)}"
        return _but(entry, Status.UNAVAILABLE, reason, "; ".join(dict.fromkeys(need.how_to_get() for need in missing)))
    return entry


def _told(entry: InstalledPlugin) -> str:
    return f"{entry} is {entry.status}: {entry.reason}; {entry.remedy}"


def _is_reserved(entry: InstalledPlugin) -> bool:
    return entry.dist in RESERVED.get(entry.kind, ())


def _but(entry: InstalledPlugin, status: Status, reason: str, remedy: str, **also: Any) -> InstalledPlugin:
    return attrs.evolve(entry, status=status, reason=reason, remedy=remedy, **also)


@lru_cache(maxsize=1024)  # a distribution reads its metadata afresh at every access
def _name_and_version(dist: Distribution | None) -> tuple[str, str]:
    # Parsing all of a distribution's metadata takes ten times as long as finding these two lines.
    head = (dist.read_text("METADATA") or "").partition("\n\n")[0] if dist else ""
    fields: Any = dict(line.split(": ", 1) for line in head.splitlines() if line.startswith(("Name: ", "Version: ")))
    fields = dist.metadata if dist and len(fields) < 2 else fields
    return str(fields.get("Name", "an unknown distribution")), str(fields.get("Version", "without a version"))


def _installed() -> list[InstalledPlugin]:
    """The installed plugins; of two distributions of one name the first counts."""
    found: list[InstalledPlugin] = []
    before: list[str] = []
    for place in sys.path:
        plugins, has_any = _installed_in(place, _changed_at(place))
        for name, own in plugins.items():
            if not before or not any(Distribution.discover(name=name, path=before)):
                found += own
        before += [place] * has_any
    return found


@lru_cache(maxsize=256)
def _installed_in(place: str, changed_at: int) -> tuple[dict[str, list[InstalledPlugin]], bool]:
    """The plugins in a folder of ``sys.path`` by distribution, and if it has any; read again when it has changed."""
    found: dict[str, list[InstalledPlugin]] = {}
    dists = [*Distribution.discover(path=[place])]
    for dist in dists:
        if own := [*_plugins(dist.entry_points)]:
            found.setdefault(normalized(own[0].dist), own)
    return found, bool(dists)


def _plugins(entry_points: Iterable[EntryPoint]) -> Iterator[InstalledPlugin]:
    for each in entry_points:
        if kind := _KINDS.get(each.group):
            yield InstalledPlugin(kind, each.name, *_name_and_version(each.dist), each)


def _changed_at(place: str) -> int:
    try:
        return os.stat(place or ".").st_mtime_ns
    except OSError:
        return 0


def _tokens(entry: InstalledPlugin) -> tuple[str, ...]:
    # The name of an entry point that leads to offers is no plugin's name.
    names = () if entry.kind == OFFERS else (entry.name,)
    return tuple(map(normalized, (entry.dist, *names, f"{entry.kind}:{entry.name}")))
