"""Expressions for the numbers between two bounds."""

from collections.abc import Iterator
from typing import Final

from arena_openai_protocol.gbnf import Rules, either, joined, literal

DIGITS: Final = 15
"""How many digits a number has at most where no bound says otherwise, before and behind the decimal point."""

_DIGIT: Final = "[0-9]"


def integers(rules: Rules, low: int | None, high: int | None) -> str:
    """The whole numbers from ``low`` to ``high``, of which ``low`` is no greater."""
    low, high = _bounded(low, high)
    found = list(_whole(rules, max(low, 0), high)) if high >= 0 else []
    if low < 0:
        found += [joined('"-"', each) for each in _whole(rules, max(1, -high), -low)]
    return either(found)


def numbers(rules: Rules, low: int | None, high: int | None) -> str:
    """The decimal numbers from ``low`` to ``high``, of which ``low`` is no greater."""
    is_open = (high is None, low is None)
    low, high = _bounded(low, high)
    found = list(_decimal(rules, max(low, 0), high, is_open=is_open[0])) if high >= 0 else []
    if low < 0:
        found.append(joined('"-"', either(list(_decimal(rules, max(0, -high), -low, is_open=is_open[1])))))
    return either(found)


def _bounded(low: int | None, high: int | None) -> tuple[int, int]:
    """Both bounds: where one is missing, there is room for as many numbers as have the usual number of digits."""
    most = 10**DIGITS - 1
    if low is None:
        low = -most if high is None else min(-most, high - most)
    return low, max(most, low + most) if high is None else high


def _decimal(rules: Rules, low: int, high: int, *, is_open: bool) -> Iterator[str]:
    """The decimal numbers between two bounds of at least zero; an open one may have a fraction behind it."""
    fraction = rules.named(joined('"."', rules.times(_DIGIT, 1, DIGITS)))
    if is_open or low < high:
        yield joined(either(list(_whole(rules, low, high if is_open else high - 1))), f"{fraction}?")
    if not is_open:
        zeros = rules.named(joined('"."', rules.times('"0"', 1, DIGITS)))
        yield joined(literal(str(high)), f"{zeros}?")


def _whole(rules: Rules, low: int, high: int) -> Iterator[str]:
    """The whole numbers between two bounds of at least zero, by their number of digits."""
    if low == 0 < high:
        yield '"0"'
        low = 1
    shortest, longest = len(str(low)), len(str(high))
    if shortest == longest and not (_is_first(low) and _is_last(high)):
        yield from _alike(rules, str(low), str(high))
        return
    if not _is_first(low):
        yield from _alike(rules, str(low), "9" * shortest)
        shortest += 1
    whole = longest if _is_last(high) else longest - 1
    if shortest <= whole:
        yield joined("[1-9]", rules.times(_DIGIT, shortest - 1, whole - 1))
    if whole < longest:
        yield from _alike(rules, "1" + "0" * (longest - 1), str(high))


def _is_first(number: int) -> bool:
    """Whether no smaller number has as many digits, zero left out."""
    return number == 10 ** (len(str(number)) - 1)


def _is_last(number: int) -> bool:
    """Whether no greater number has as many digits."""
    return number == 10 ** len(str(number)) - 1


def _alike(rules: Rules, low: str, high: str) -> Iterator[str]:
    """The numerals between two of the same length."""
    if not low:
        yield ""
        return
    first, last = int(low[0]), int(high[0])
    if first == last:
        yield from (joined(literal(low[0]), each) for each in _alike(rules, low[1:], high[1:]))
        return
    rest = len(low) - 1
    if low[1:] != "0" * rest:
        yield from (joined(literal(low[0]), each) for each in _alike(rules, low[1:], "9" * rest))
        first += 1
    above: list[str] = []
    if high[1:] != "9" * rest:
        above += (joined(literal(high[0]), each) for each in _alike(rules, "0" * rest, high[1:]))
        last -= 1
    if first <= last:
        yield joined(f"[{first}-{last}]", rules.times(_DIGIT, rest, rest))
    yield from above
