"""Shows how many matches are needed: a line for each pair of agents of a run, or a line for each number of matches."""

from collections.abc import Iterator
from math import ceil
from typing import Any, Final, cast

from arena.record import JSON
from arena.tables import Cell, Estimate, Table
from arena_cli.output import OutputColumn, Terminal, count, interval, paragraph, share, table

from arena_metric_outcomes.sample_size import ALL_GAMES, APART, PowerRequest

LEAST_BLOCKS: Final = 10
"""How many blocks it takes before it is said how many more matches are needed."""

TOO_FEW: Final = "too few blocks"

LISTED: Final = 12
"""The most pairs that are shown unless all are wanted; those that need the most matches come first."""

_COLUMNS: Final = (
    OutputColumn(title="game", shortens=True),
    OutputColumn(title="pair", shortens=True),
    OutputColumn(title="compared", keep=1),
    OutputColumn(title="played", align="right", keep=4),
    OutputColumn(title="blocks", align="right", keep=2),
    OutputColumn(title="needed", align="right", keep=5),
    OutputColumn(title="95 %", keep=3),
    OutputColumn(title="more"),
)


def pair_lines(
    found: Table, test: PowerRequest, difference: float | None, terminal: Terminal, *, is_full: bool
) -> Iterator[str]:
    """A line for each pair: how many matches were played, how many are needed, and how many more that is."""
    how = "if the difference is what it looks like" if difference is None else f"for a difference of {difference:g}"
    yield from paragraph(f"matches to tell two agents apart, {how} ({test.short})", terminal)
    rows = sorted(found.rows, key=lambda row: (row[0] != ALL_GAMES, -_missing(row)))
    shown = rows if is_full else rows[:LISTED]
    titles = {"game"} if len({row[0] for row in rows}) == 1 else set[str]()
    titles |= {"compared"} if len({row[3] for row in rows if row[0] != ALL_GAMES}) == 1 else set[str]()
    kept = [at for at, column in enumerate(_COLUMNS) if column.title not in titles]
    columns = [_interval_column(_COLUMNS[at], test) for at in kept]
    yield from table(columns, [[cell for at, cell in enumerate(_cells(row)) if at in kept] for row in shown], terminal)
    if left := len(rows) - len(shown):
        yield f"  {count(left)} more pairs: --full"
    if any(_cells(row)[-1] == TOO_FEW for row in shown):
        yield from paragraph(f"how many more is said from {LEAST_BLOCKS} rotation blocks of a pair on", terminal)
    if any(row[3] == APART for row in shown):
        yield from paragraph("apart: they share neither matches nor deals, so that many are needed of each", terminal)


def size_lines(found: Table, test: PowerRequest, terminal: Terminal) -> Iterator[str]:
    """How many matches are needed, and what half and twice as many would do."""
    sizes = _sizes(found)
    needed = next((size for size in sizes if size["power"] >= test.power), sizes[-1])
    each = "of each agent " if found.note.endswith("own.") else ""
    yield from paragraph(f"{_matches(needed)} {each}are needed ({test.short})", terminal)
    others = [size for size in sizes if size is not needed]
    if others:
        said = "; ".join(f"with {_matches(size)} the power is {share(size['power'], 1)}" for size in others)
        yield from paragraph(said, terminal)


def pairs_to_json(found: Table, test: PowerRequest) -> dict[str, JSON]:
    """The pairs of a run as plain data; an open end of an interval is ``None``."""
    pairs: list[JSON] = []
    for row in found.rows:
        game, first, second, compared, matches = row[:5]
        effect, needed = _estimates(row)
        pairs.append(
            {
                "game": str(game),
                "a": str(first),
                "b": str(second),
                "compared": str(compared),
                "matches": cast("int", matches),
                "blocks": effect.n,
                "effect": effect.value,
                "effect_interval": [effect.low, effect.high],
                "needed": needed.value,
                "interval": [needed.low, needed.high],
                "more": _more(row),
                "method": needed.method,
            }
        )
    return {"power": test.power, "level": test.level, "pairs": pairs}


def sizes_to_json(found: Table, test: PowerRequest) -> dict[str, JSON]:
    """Numbers of matches with the power that they give, as plain data; the middle one is what is needed."""
    return {"power": test.power, "level": test.level, "sizes": list[JSON](_sizes(found)), "note": found.note}


def _sizes(found: Table) -> list[dict[str, Any]]:
    return [{"blocks": row[0], "matches": row[1], "power": row[-1]} for row in found.rows]


def _matches(size: dict[str, Any]) -> str:
    blocks = "" if size["blocks"] == size["matches"] else f" ({count(size['blocks'])} blocks)"
    return f"{count(size['matches'])} matches{blocks}"


def _cells(row: tuple[Cell, ...]) -> tuple[str, ...]:
    effect, needed = _estimates(row)
    more = _more(row)
    said = _unknown(effect.n) if more is None else f"about {count(more)}" if more else "enough"
    bounds = interval(needed.low, needed.high)
    is_known = needed.value is not None and (more or needed.value < cast("int", row[4]))
    wanted = count(ceil(needed.value or 0)) if is_known else ""
    return (
        str(row[0]),
        f"{row[1]} \u2013 {row[2]}",
        str(row[3]),
        count(cast("int", row[4])),
        str(effect.n),
        wanted,
        bounds,
        said,
    )


def _unknown(blocks: int) -> str:
    return TOO_FEW if blocks < LEAST_BLOCKS else "nothing can be said"


def _interval_column(column: OutputColumn, test: PowerRequest) -> OutputColumn:
    if column.title != "95 %":
        return column
    return OutputColumn(title=f"{100 * test.level:g} %", keep=column.keep)


def _estimates(row: tuple[Cell, ...]) -> tuple[Estimate, Estimate]:
    effect, needed = row[5:7]
    assert isinstance(effect, Estimate)
    assert isinstance(needed, Estimate)
    return effect, needed


def _more(row: tuple[Cell, ...]) -> int | None:
    """How many more matches are needed, of each agent where they are compared apart; ``None`` if it cannot be said."""
    needed = _estimates(row)[1].value
    if needed is None:
        return None
    played = cast("int", row[4]) / (2 if row[3] == APART else 1)
    return max(0, ceil(needed - played))


def _missing(row: tuple[Cell, ...]) -> float:
    more = _more(row)
    return float("inf") if more is None else more
