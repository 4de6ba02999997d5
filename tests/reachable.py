"""What can be reached from an object by public attributes, items, and the objects that methods belong to."""

import functools
from collections.abc import Iterator, Mapping
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

ATOMS = (str, bytes, int, float, complex, bool, type(None), type, ModuleType, Enum, range)


def public(thing: Any) -> Iterator[tuple[str, Any]]:
    """What somebody gets hold of who goes by public attributes, items, and the objects that methods belong to."""
    if isinstance(thing, Mapping):
        yield from ((f"[{key!r}]", value) for key, value in thing.items())
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from ((f"[{place}]", value) for place, value in enumerate(thing))
    if isinstance(thing, MethodType | BuiltinFunctionType):
        yield ".__self__", thing.__self__
    if isinstance(thing, functools.partial):
        yield from ((".func", thing.func), (".args", thing.args), (".keywords", thing.keywords))
    if isinstance(thing, FunctionType | MethodType | BuiltinFunctionType):
        return
    for name in dir(thing):
        if not name.startswith("_"):
            try:
                yield f".{name}", getattr(thing, name)
            except Exception:  # what cannot be read leads nowhere
                continue


def reachable(root: Any, where: str) -> dict[int, tuple[str, Any]]:
    """Everything that can be reached from ``root``, with the way to it."""
    found: dict[int, tuple[str, Any]] = {}
    waiting = [(where, root, 0)]
    while waiting:
        way, thing, depth = waiting.pop()
        if isinstance(thing, ATOMS) or id(thing) in found or depth > 7:
            continue
        found[id(thing)] = (way, thing)
        waiting += [(way + step, value, depth + 1) for step, value in public(thing)]
    return found
