"""An installed plugin and its status, and the plugins that distributions offer by hooks."""

import re
import time
import traceback
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.metadata import EntryPoint
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, cast

import attrs
from pluggy import HookImpl, PluginManager

from arena.calls import PluginCall, calling
from arena.errors import PluginError
from arena.hookspecs import OfferSpec
from arena.plugin import KINDS, Plugin, group_of

DISABLE: Final = "ARENA_DISABLE"
"""The environment variable that lists disabled plugins, separated by commas."""


class Status(StrEnum):
    """Whether an installed plugin can be used, and why not."""

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
class InstalledPlugin:
    """One installed plugin: where it comes from, whether it can be used, and if not, why and what to do.

    ``entry_point`` leads to its descriptor, or to the module that offers it by ``hook``. ``plugin`` is ``None`` if the
    descriptor was not imported. ``traceback`` is empty unless the plugin is broken; ``load_s`` are the seconds that
    importing its descriptor, or the module that offers it, took.
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
    hook: str = attrs.field(default="", repr=False)

    @property
    def key(self) -> tuple[str, str]:
        """Kind and name; two distributions may claim the same."""
        return self.kind, self.name

    @property
    def target(self) -> str:
        """Where its descriptor comes from: ``module:attribute``, or ``module:hook``."""
        return f"{self.entry_point.module}:{self.hook}" if self.hook else self.entry_point.value

    @property
    def summary(self) -> str:
        """The plugin's description of itself in one line; empty if its descriptor was not imported."""
        return self.plugin.summary if self.plugin else ""

    def load(self) -> Any:
        """Import the class that the descriptor names; ``PluginError`` if that fails."""
        if self.plugin is None:
            raise PluginError(f"{self} is {self.status}: {self.reason}; {self.remedy}")
        try:
            with calling(PluginCall(self.kind, self.name, point=self.entry_point)):
                return self.plugin.load()
        except (Exception, SystemExit) as error:
            raise PluginError(f"{self} is {Status.BROKEN}: {said(error)}; {repair(self.dist)}") from error

    def file(self) -> Traversable:
        """The file of a plugin whose factory is a file (a suite, a prompt style); ``PluginError`` if it is missing."""
        root, path = self.resource()
        return root.joinpath(*path.split("/"))

    def read_text(self) -> str:
        """The text of the plugin's file, read as UTF-8."""
        return self.file().read_text(encoding="utf-8")

    def resource(self) -> tuple[Traversable, str]:
        """The root of the package that ships the plugin's file, and the file's path in it."""
        factory = self.plugin.factory if self.plugin else ""
        package, _, path = factory.partition(":")
        try:
            root = files(package)
        except (ImportError, ValueError, TypeError) as error:
            raise PluginError(f"{self} is broken: {error}; reinstall {self.dist}") from error
        if not path or not root.joinpath(*path.split("/")).is_file():
            raise PluginError(f"{self} is broken: {self.dist} ships no file {path!r}; reinstall {self.dist}")
        return root, path

    def to_json(self) -> dict[str, str]:
        """The plugin as ``arena list-plugins --json`` shows it."""
        names = ("kind", "name", "dist", "version", "status", "reason", "remedy", "summary")
        return {name: str(getattr(self, name)) for name in names}

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r} from {self.dist} {self.version}"


@cache
def normalized(name: str) -> str:
    """A name as package indexes compare them: in lower case, with single dashes."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def said(error: BaseException) -> str:
    """An error's class and message in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def repair(dist: str) -> str:
    """What to do about a distribution whose plugin is broken."""
    return f"reinstall or upgrade {dist}, or switch it off with {DISABLE}={normalized(dist)}"


def hook_of(kind: str) -> str:
    """The hook that offers plugins of a kind: ``arena_games``, ``arena_prompt_styles``."""
    return group_of(kind).replace(".", "_")


class Offers:
    """The plugins offered by hooks; each module that implements such hooks is imported and called once."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], tuple[InstalledPlugin, ...]] = {}

    def of(self, source: InstalledPlugin) -> tuple[InstalledPlugin, ...]:
        """The plugins offered by ``source``, an entry of the group ``arena.plugins``; faulty ones are marked broken."""
        key = source.dist, source.name
        if key not in self._answers:
            self._answers[key] = tuple(_answers(source))
        return self._answers[key]


def _answers(source: InstalledPlugin) -> Iterator[InstalledPlugin]:
    start = time.perf_counter()
    manager = PluginManager("arena")
    manager.add_hookspecs(OfferSpec)
    try:
        with calling(PluginCall(source.kind, source.name, point=source.entry_point)):
            manager.register(source.entry_point.load())
        manager.check_pending()
    except (Exception, SystemExit) as error:
        yield _failed(source, error)
        return
    source = attrs.evolve(source, load_s=time.perf_counter() - start)
    hooks = {kind: hook_of(kind) for kind in KINDS}
    asked = [(k, hook, i) for k, hook in hooks.items() for i in getattr(manager.hook, hook).get_hookimpls()]
    if not asked:
        reason = f"{source.target} implements no hook of arena.hookspecs.OfferSpec; mark functions with @hookimpl"
        yield _broken(source, reason)
    # pluggy would stop at the first one that raises, so each is called by itself.
    for kind, hook, implementation in asked:
        yield from _offered(attrs.evolve(source, kind=kind, hook=hook), implementation)


def _offered(source: InstalledPlugin, implementation: HookImpl) -> Iterator[InstalledPlugin]:
    try:
        with calling(PluginCall(source.kind, source.hook, implementation.function, point=source.entry_point)):
            answer: Any = implementation.function()
        offered = dict(cast("Mapping[Any, Any]", answer)) if isinstance(answer, Mapping) else None
    except (Exception, SystemExit) as error:
        yield _failed(source, error)
        return
    if offered is None or not all(isinstance(name, str) for name in offered):
        yield _broken(source, f"{source.target} gives {answer!r:.80}, not a mapping from names to arena.plugin.Plugin")
        return
    for name, plugin in offered.items():
        entry = attrs.evolve(source, name=name)
        if isinstance(plugin, Plugin):
            yield attrs.evolve(entry, plugin=plugin)
        else:
            yield _broken(entry, f"{source.target} gives {plugin!r:.80} for {name!r}, not an arena.plugin.Plugin")


def _failed(source: InstalledPlugin, error: BaseException) -> InstalledPlugin:
    return attrs.evolve(_broken(source, said(error)), traceback="".join(traceback.format_exception(error)))


def _broken(source: InstalledPlugin, reason: str) -> InstalledPlugin:
    return attrs.evolve(source, status=Status.BROKEN, reason=reason, remedy=repair(source.dist))
