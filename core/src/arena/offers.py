"""Finds the plugins that distributions offer by hooks: many of them, or ones with generated names."""

import time
import traceback
from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs
from pluggy import HookImpl, PluginManager

from arena.calls import PluginCall, calling
from arena.hookspecs import OfferSpec
from arena.installed import InstalledPlugin, Status, repair, said
from arena.plugin import KINDS, Plugin, group_of


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
