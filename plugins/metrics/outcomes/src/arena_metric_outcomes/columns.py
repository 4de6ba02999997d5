"""Creates table columns by the style of their values; a column's name is its title."""

from arena.tables import Column


def text(*titles: str) -> tuple[Column, ...]:
    """Columns of texts, such as names."""
    return tuple(Column(name=title, title=title) for title in titles)


def counts(*titles: str) -> tuple[Column, ...]:
    """Columns of whole numbers, such as counts."""
    return tuple(Column(name=title, title=title, style="count") for title in titles)


def numbers(*titles: str, unit: str = "") -> tuple[Column, ...]:
    """Columns of numbers with decimals; those without an interval are in ``unit``."""
    return tuple(Column(name=title, title=title, style="number", unit=unit) for title in titles)


def shares(*titles: str) -> tuple[Column, ...]:
    """Columns of fractions, shown in per cent."""
    return tuple(Column(name=title, title=title, style="share") for title in titles)


def money(*titles: str) -> tuple[Column, ...]:
    """Columns of US dollars."""
    return tuple(Column(name=title, title=title, style="money") for title in titles)
