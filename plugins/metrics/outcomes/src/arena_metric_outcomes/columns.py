"""Creates table columns by the style of their values; a column's name is its title."""

from typing import Final

from arena.tables import Column

LAST_OF_SEVERAL_NOTE: Final = (
    "Last of several counts actions that the rule for answers would have refused, since the answer held several; the "
    "agent is set to play the last one. Random and optimal play need none."
)


def text(*titles: str) -> tuple[Column, ...]:
    """Columns of texts, such as names."""
    return tuple(Column(name=title, title=title) for title in titles)


def counts(*titles: str) -> tuple[Column, ...]:
    """Columns of whole numbers, such as counts."""
    return tuple(Column(name=title, title=title, style="count") for title in titles)


def numbers(*titles: str) -> tuple[Column, ...]:
    """Columns of numbers with decimals."""
    return tuple(Column(name=title, title=title, style="number") for title in titles)


def shares(*titles: str) -> tuple[Column, ...]:
    """Columns of fractions, shown in per cent."""
    return tuple(Column(name=title, title=title, style="share") for title in titles)


def money(*titles: str) -> tuple[Column, ...]:
    """Columns of US dollars."""
    return tuple(Column(name=title, title=title, style="money") for title in titles)


def last_of_several() -> tuple[Column, ...]:
    """Columns of actions that were the last of several answers: how many, and their share of all actions."""
    return (*counts("last of several"), *shares("share of actions"))
