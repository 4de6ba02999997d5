"""Carry the events of one run to everything that watches it; a watcher that breaks is isolated and named."""

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from pluggy import PluginManager, PluginValidationError

from arena.errors import PluginError, StopRun
from arena.hookspecs import EVENTS, SPECS, Hooks

Report: TypeAlias = Callable[[str, str, Exception], None]
"""Hears of a watcher that failed: its name, the hook, the error."""


class _StandIn:
    """Holds guarded hooks; compared by identity, as pluggy compares plugins with ``==``."""


class Bus:
    """The hooks of one run.

    ``failures`` tells, by watcher, why it fell silent: whatever that watcher computes must be shown as failed. A
    watcher that takes a deprecated hook or argument of ``specs`` is named in a warning.
    """

    def __init__(self, watchers: Mapping[str, object], report: Report, specs: Sequence[type] = SPECS) -> None:
        self.failures: dict[str, str] = {}
        self._report = report
        self._manager = PluginManager("arena")
        for spec in specs:
            self._manager.add_hookspecs(spec)
        for name, watcher in watchers.items():
            with warnings.catch_warnings(record=True) as deprecations:
                warnings.simplefilter("always")
                try:
                    self._manager.register(self._guarded(name, watcher), name)
                except PluginValidationError as error:
                    raise PluginError(f"observer {name!r}: {error}") from error
            for warning in deprecations:  # pluggy knows only the guard around the watcher
                warnings.warn(f"observer {name!r}: {warning.message}", warning.category, stacklevel=2)
        try:
            self._manager.check_pending()
        except PluginValidationError as error:
            raise PluginError(f"{error} (known hooks: {', '.join(sorted(EVENTS))})") from error

    @property
    def hooks(self) -> Hooks:
        """What to call at each moment, by keyword."""
        return cast("Hooks", self._manager.hook)

    @property
    def heard(self) -> frozenset[str]:
        """The hooks that somebody implements; the others need not be called."""
        return frozenset(name for name in EVENTS if getattr(self._manager.hook, name).get_hookimpls())

    def _guarded(self, name: str, watcher: object) -> object:
        stand_in = _StandIn()
        for attribute in dir(watcher):
            options: dict[str, Any] | None = getattr(getattr(watcher, attribute, None), "arena_impl", None)
            if options is None:
                continue
            if options["wrapper"] or options["hookwrapper"]:
                raise PluginError(
                    f"observer {name!r}: {attribute} is a hook wrapper; moments can be watched, not wrapped"
                )
            guard = self._guard(name, options.get("specname") or attribute, getattr(watcher, attribute))
            setattr(stand_in, attribute, guard)
        return stand_in

    def _guard(self, name: str, hook: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def guarded(*args: Any) -> None:
            if name in self.failures:
                return
            try:
                call(*args)
            except StopRun:
                raise
            except Exception as error:
                self.failures[name] = f"{hook}: {type(error).__name__}: {error}"
                self._report(name, hook, error)

        return guarded
