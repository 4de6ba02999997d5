"""Calls the observers of a run. An observer that raises is reported once and switched off; the run goes on."""

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from arena.calls import PluginCall, caller_here
from arena.errors import PluginError, StopRun
from arena.hookspecs import EVENTS, Hooks
from pluggy import PluginManager, PluginValidationError

FailureCallback: TypeAlias = Callable[[str, str, Exception], None]
"""Called once for an observer that failed, with its name, the hook and the error."""


class _Guarded:
    """An observer's hooks, guarded; compared by identity, since pluggy compares plugins with ``==``."""


class Bus:
    """The hooks of one run, called on all its observers.

    ``failures`` says why an observer was switched off, by its name: whatever it computes must be shown as failed.
    """

    def __init__(self, observers: Mapping[str, object], report: FailureCallback) -> None:
        self.failures: dict[str, str] = {}
        self._report = report
        self._manager = PluginManager("arena")
        self._manager.add_hookspecs(Hooks)
        for name, observer in observers.items():
            try:
                self._manager.register(self._guarded(name, observer), name)
            except PluginValidationError as error:
                raise PluginError(f"observer {name!r}: {error}") from error
        try:
            self._manager.check_pending()
        except PluginValidationError as error:
            raise PluginError(f"{error} (known hooks: {', '.join(sorted(EVENTS))})") from error

    @property
    def hooks(self) -> Hooks:
        """Call a hook on all observers by its name, with keyword arguments."""
        return cast("Hooks", self._manager.hook)

    @property
    def active_hooks(self) -> frozenset[str]:
        """The names of the hooks that some observer implements; the others need not be called."""
        return frozenset(name for name in EVENTS if getattr(self._manager.hook, name).get_hookimpls())

    def _guarded(self, name: str, observer: object) -> object:
        hooks = _Guarded()
        for attribute in dir(observer):
            options: dict[str, Any] | None = getattr(getattr(observer, attribute, None), "arena_impl", None)
            if options is None:
                continue
            if options["wrapper"] or options["hookwrapper"]:
                what = "is a hook wrapper; moments can be watched, not wrapped"
                raise PluginError(f"observer {name!r}: {attribute} {what}")
            guard = self._guard(name, options.get("specname") or attribute, getattr(observer, attribute))
            setattr(hooks, attribute, guard)
        return hooks

    def _guard(self, name: str, hook: str, call: Callable[..., Any]) -> Callable[..., Any]:
        noted = PluginCall("observer", name, call)

        @functools.wraps(call)
        def guarded(*args: Any) -> None:
            if name in self.failures:
                return
            caller = caller_here()  # a context would take longer than most observers
            outer, caller.call = caller.call, noted
            try:
                call(*args)
            except StopRun:
                raise
            except Exception as error:
                self.failures[name] = f"{hook}: {type(error).__name__}: {error}"
                self._report(name, hook, error)
            finally:
                caller.call = outer

        return guarded
