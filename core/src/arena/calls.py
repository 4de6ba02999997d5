"""Notes which function of which plugin each thread calls, so that one that blocks or ends the process can be named.

A call is noted from its beginning to its end: ``with calling(PluginCall("metric", name, metric.measure)): …``.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from weakref import WeakValueDictionary

import attrs


@attrs.frozen(eq=False)
class PluginCall:
    """A call of a plugin's ``function``, by its ``kind`` and ``name`` or ``""``; ``point`` is what is imported."""

    kind: str
    name: str
    function: object = None
    point: EntryPoint | None = None

    @property
    def who(self) -> str:
        """The plugin and its function, as messages name them: ``agent 'a' (lab.agents:Block.act)``."""
        where = f"{getattr(self.function, '__module__', '?')}:{getattr(self.function, '__qualname__', '?')}"
        return " ".join(filter(None, (self.kind, self.name and repr(self.name), f"({where})" if self.kind else where)))


class Caller:
    """A thread, or a task, that calls plugins; ``call`` is the innermost call that has begun there and not ended."""

    call: PluginCall | None = None


def caller_here() -> Caller:
    """The thread that this is called in."""
    return _here.caller


def caller_in(thread: int) -> Caller | None:
    """The thread with an identifier; ``None`` if it calls no plugins."""
    return _threads.get(thread)


@contextmanager
def calling(call: PluginCall) -> Generator[None]:
    """A context in which this thread makes a call; nothing may be awaited in it, since other tasks would run there."""
    caller = _here.caller
    outer, caller.call = caller.call, call
    try:
        yield
    finally:
        caller.call = outer


class _Here(threading.local):
    """The caller of each thread; it is forgotten with its thread."""

    def __init__(self) -> None:
        self.caller = Caller()
        _threads[threading.get_ident()] = self.caller


_threads: WeakValueDictionary[int, Caller] = WeakValueDictionary()
_here = _Here()
