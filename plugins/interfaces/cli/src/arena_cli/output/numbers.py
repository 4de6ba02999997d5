"""Writes numbers the same way everywhere: counts, shares, intervals, money and times."""

from typing import Final

MINUS: Final = "\u2212"
"""The sign before a negative number; terminals without it get a hyphen."""

DECIMALS_FROM: Final = 1000
"""A share gets a decimal from this n on; below it a decimal would promise more than there is."""


def count(n: int) -> str:
    """A whole number: ``1,234``."""
    return f"{n:,}".replace("-", MINUS)


def singular(unit: str) -> str:
    """The unit of one thing: ``match`` of ``matches``, ``reply`` of ``replies``, ``block`` of ``blocks``."""
    if unit.endswith("ies"):
        return f"{unit[:-3]}y"
    return unit.removesuffix("es" if unit.endswith(("ches", "shes", "xes", "sses")) else "s")


def earned(value: float, unit: str) -> str:
    """A return in its unit, of which there may be one: ``2 points``, ``1 chip a hand``."""
    what, space, per = unit.partition(" ")
    what = singular(what) if abs(value) == 1 else what
    return f"{value:g} {what}{space}{per}"


def number(value: float, digits: int = 0) -> str:
    """A number with so many decimals, and no sign before a zero: ``0.31``, ``1645``."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", MINUS)


def signed(value: float, digits: int = 0) -> str:
    """A difference, which has its sign whichever it is: ``+53`` or ``0``, with a true minus sign."""
    text = number(value, digits)
    return text if text.startswith(MINUS) or not text.strip("0.") else f"+{text}"


def share(value: float, n: int) -> str:
    """A share of ``n`` things in per cent: ``81 %``; with a decimal from n = 1,000 on."""
    return f"{number(100 * value, _share_digits(n))} %"


def interval(low: float | None, high: float | None, digits: int = 0) -> str:
    """An interval in one cell: ``[35, 80]``, with an open end ``≥ 1718`` or ``≤ 1282``, without any end nothing."""
    if low is None:
        return "" if high is None else f"≤ {number(high, digits)}"
    return f"≥ {number(low, digits)}" if high is None else f"[{number(low, digits)}, {number(high, digits)}]"


def share_interval(low: float | None, high: float | None, n: int) -> str:
    """The interval of a share of ``n`` things, in per cent: ``[35, 80]``."""
    ends = [None if end is None else 100 * end for end in (low, high)]
    return interval(*ends, digits=_share_digits(n))


def money(usd: float) -> str:
    """An amount in US dollars: ``$12.34``, and ``under $0.01`` for less than a cent."""
    return "under $0.01" if 0 < usd < 0.01 else f"${usd:,.2f}"


def duration(seconds: float) -> str:
    """A length of time in its two largest units: ``7 s``, ``2 min 5 s``, ``3 h``."""
    whole = round(seconds)
    parts = [(whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    first = next((place for place, (amount, _) in enumerate(parts) if amount), len(parts) - 1)
    return " ".join(f"{amount} {unit}" for amount, unit in parts[first : first + 2] if amount) or "0 s"


def _share_digits(n: int) -> int:
    return 1 if n >= DECIMALS_FROM else 0
