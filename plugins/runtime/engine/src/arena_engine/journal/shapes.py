"""The shape of JSON that may come from anybody: what is of another shape is one sentence."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from math import isfinite
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")

Check = Callable[[Any], str | None]
"""Says what is wrong with a value, as the end of a sentence that names it, or ``None``."""

_CHECKS: Final[dict[int, tuple[Any, Check]]] = {}


class Exactly(dict[str, Any]):
    """The shape of a table that has no other keys."""


def fits(value: Any, shape: Any, where: str) -> None:
    """Raise ``ValueError`` if JSON has another shape.

    A shape is a type (``float`` also takes whole numbers, and ``object`` anything), a tuple of alternatives, a set of
    the texts that are possible, a list with the shape of all items or of each, or a table with the shape of each value.
    A key that ends in ``?`` may be missing; only an ``Exactly`` has no others.
    """
    if fault := _check_of(shape)(value):
        raise ValueError(f"{where}{fault}")


def _check_of(shape: Any) -> Check:
    """The check of a shape, made once: reading a long run asks for the same few shapes millions of times."""
    known = _CHECKS.get(id(shape))
    if known is None:
        known = _CHECKS[id(shape)] = (shape, _made(shape))  # with the shape, whose id no other gets while it lives
    return known[1]


def _made(shape: Any) -> Check:
    if isinstance(shape, tuple):
        return _one_of(list(map(_check_of, cast("tuple[Any, ...]", shape))))
    if isinstance(shape, frozenset):
        return _among(cast("frozenset[str]", shape))
    if isinstance(shape, list):
        return _list_of(list(map(_check_of, cast("list[Any]", shape))))
    if isinstance(shape, Mapping):
        return _table_of(cast("Mapping[str, Any]", shape), isinstance(shape, Exactly))
    return _of_type(shape)


def _one_of(checks: Sequence[Check]) -> Check:
    *others, last = checks

    def check(value: Any) -> str | None:
        return None if any(other(value) is None for other in others) else last(value)

    return check


def _among(known: frozenset[str]) -> Check:
    def check(value: Any) -> str | None:
        return None if value in known else f" is {shortened(repr(value))}, which is none of the known ones"

    return check


def _list_of(checks: Sequence[Check]) -> Check:
    is_of_anything = list(checks) == [_anything]

    def check(value: Any) -> str | None:
        if not isinstance(value, list):
            return " is no list"
        items = cast("list[Any]", value)
        if is_of_anything:
            return None
        if len(checks) > 1 and len(items) != len(checks):
            return f" has {len(items)} items, not {len(checks)}"
        for number, (item, each) in enumerate(zip(items, cycle(checks), strict=False)):
            if fault := each(item):
                return f"[{number}]{fault}"
        return None

    return check


def _table_of(shape: Mapping[str, Any], has_no_others: bool) -> Check:
    inner = [(name.removesuffix("?"), name.endswith("?"), _check_of(each)) for name, each in shape.items()]
    known = {key for key, _, _ in inner}

    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return " is no table"
        table = cast("dict[str, Any]", value)
        for key, is_optional, each in inner:
            if key not in table:
                if not is_optional:
                    return f" has no {key!r}"
            elif fault := each(table[key]):
                return f".{key}{fault}"
        if has_no_others and (more := table.keys() - known):
            return f" has {shortened(repr(min(more)))}, which it should not"
        return None

    return check


def _of_type(kind: type) -> Check:
    def check(value: Any) -> str | None:
        if (type(value) is kind and (kind is not float or isfinite(value))) or (kind is float and type(value) is int):
            return None
        return f" is {shortened(repr(value))}, which is no {kind.__name__}"

    return _anything if kind is object else check


def _anything(value: Any) -> str | None:
    return None


def shaped(shape: Any, what: str, make: Callable[[Any], T] = lambda raw: raw) -> Callable[[Any], T]:
    """A maker for ``parsed`` that checks the shape first."""

    def made(raw: Any) -> T:
        fits(raw, shape, what)
        return make(raw)

    return made


def shortened(text: str) -> str:
    """A text in one line of at most a hundred characters."""
    line = " ".join(text[:1_000].split())  # shapes are tried one after the other, also on an answer of megabytes
    return line if len(line) <= 100 else f"{line[:100]}…"
