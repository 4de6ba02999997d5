"""The bus: who hears what, and what happens to a watcher that breaks."""

import pytest
from arena.errors import PluginError, StopRun
from arena.hookspecs import hookimpl
from arena_engine.job.bus import Bus


class Listener:
    def __init__(self):
        self.heard = []

    @hookimpl
    def run_started(self, name):
        self.heard.append(name)

    @hookimpl(specname="run_finished")
    def the_end(self, stopped):
        self.heard.append(stopped)


class Broken:
    @hookimpl
    def run_started(self, name):
        raise ValueError(f"cannot bear {name}")


class Stopper:
    @hookimpl
    def run_started(self):
        raise StopRun("enough")


def failures():
    found = []
    return found, lambda name, hook, error: found.append((name, hook, str(error)))


def test_watchers_take_the_arguments_they_want():
    """A watcher may take any of a hook's arguments and may name its method as it likes."""
    listener = Listener()
    bus = Bus({"l": listener}, print)

    bus.hooks.run_started(name="r", plans=(), done=0)
    bus.hooks.run_finished(name="r", stopped="why")

    assert listener.heard == ["r", "why"]
    assert bus.active_hooks == {"run_started", "run_finished"}


def test_broken_watcher_is_reported_once_and_the_others_hear_on():
    """One that raises is named once and silent afterwards; nobody else notices."""
    listener, (found, report) = Listener(), failures()
    bus = Bus({"b": Broken(), "l": listener}, report)

    for name in ("one", "two"):
        bus.hooks.run_started(name=name, plans=(), done=0)

    assert found == [("b", "run_started", "cannot bear one")]
    assert listener.heard == ["one", "two"]
    assert bus.failures["b"] == "run_started: ValueError: cannot bear one"


def test_stop_run_passes():
    """StopRun is the one exception of a watcher that reaches the run."""
    bus = Bus({"s": Stopper()}, print)

    with pytest.raises(StopRun, match="enough"):
        bus.hooks.run_started(name="r", plans=(), done=0)


def test_misspelt_hook_is_an_error():
    """A hook that does not exist is refused with the list of those that do."""

    class Misspelt:
        @hookimpl
        def run_start(self, name):
            """Is refused before it could be called, since no hook has this name."""

    with pytest.raises(PluginError, match=r"run_start.*run_started"):
        Bus({"m": Misspelt()}, print)


def test_unknown_argument_is_an_error():
    """A hook that asks for an argument its specification lacks is refused."""

    class Curious:
        @hookimpl
        def run_started(self, colour):
            """Is refused before it could be called, since the hook has no argument ``colour``."""

    with pytest.raises(PluginError, match="colour"):
        Bus({"c": Curious()}, print)


def test_moments_cannot_be_wrapped():
    """A wrapper could hold up or change a moment, so it is refused."""

    class Wrapper:
        @hookimpl(wrapper=True)
        def run_started(self):
            return (yield)

    with pytest.raises(PluginError, match="wrapper"):
        Bus({"w": Wrapper()}, print)
