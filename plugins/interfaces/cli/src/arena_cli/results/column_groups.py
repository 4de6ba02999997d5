"""A table's columns as a terminal shows them, and what of them is the same in all rows."""

from collections.abc import Sequence
from typing import Self

import attrs

from arena_cli.output import OutputColumn


@attrs.frozen
class TableGroup:
    """The terminal's columns for one column of a table, with the cells of each row; they are shown together or not."""

    title: str
    columns: tuple[OutputColumn, ...]
    cells: tuple[tuple[str, ...], ...]
    is_key: bool

    def without_last(self) -> Self:
        """The same without its last column, which says how many things each number was made from."""
        return attrs.evolve(self, columns=self.columns[:-1], cells=tuple(own[:-1] for own in self.cells))

    def without_n(self) -> Self | None:
        """The same without n, where that is the same in all rows; ``None`` where it is not, or there is none."""
        if len(self.columns) < 2 or not _is_same([own[-1] for own in self.cells]):
            return None
        return self.without_last()

    def said(self) -> str:
        """What the column says, if it says the same in all rows that it has: its title and the value; else nothing."""
        found = next((own for own in self.cells if any(own)), None)
        if found is None:
            return ""
        value, *more = found
        if more and more[-1]:
            more[-1] = f"({more[-1]} {self.columns[-1].title})"
        return " ".join(filter(None, (self.title, value, *more)))


def without_constants(groups: Sequence[TableGroup]) -> tuple[list[TableGroup], list[str]]:
    """The columns that say something of their own in each row, and in words what the others say.

    Those are columns that are the same in all rows, or as another column, and n where that is the same in all rows.
    What names the rows stays if nothing else does.
    """
    kept: list[TableGroup] = []
    told: list[str] = []
    counted: dict[str, list[str]] = {}
    shown: dict[tuple[tuple[str, ...], ...], str] = {}
    for group in groups:
        if _is_same(["\0".join(own) if any(own) else "" for own in group.cells]):
            told.append(group.said())
        elif not group.is_key and group.cells in shown:
            told.append(f"{group.title} as {shown[group.cells]}")
        else:
            shown[group.cells] = group.title
            shorter = group.without_n()
            kept.append(shorter or group)
            if shorter:
                n = next(own[-1] for own in group.cells if own[-1])
                counted.setdefault(f"{n} {group.columns[-1].title}", []).append(group.title)
    if kept and not any(group.is_key for group in kept):
        keys = [group for group in groups if group.is_key][-1:]
        kept, told = [*keys, *kept], [text for text in told if text not in [key.said() for key in keys]]
    told += [f"{', '.join(titles)} of {n}" for n, titles in counted.items()]
    return kept, _once([text for text in told if text])


def _once(told: Sequence[str]) -> list[str]:
    """The texts, with n in brackets only where no text before has said it."""
    said: set[str] = set()
    made: list[str] = []
    for text in told:
        start, bracket, n = text.removesuffix(")").partition(" (")
        is_said = bool(bracket) and n in said
        made.append(start if is_said else text)
        said |= {n, " ".join(reversed(text.rsplit(" ", 1)))}
    return made


def _is_same(cells: Sequence[str]) -> bool:
    """Whether all cells that are not empty are equal."""
    return len({cell for cell in cells if cell}) < 2
