"""Shows how many matches are needed: a line for each pair of agents of a run, or a line for each number of matches."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs
from arena.record import JSON
from arena.tables import Table
from arena_cli.output import OutputColumn, Terminal, count, paragraph, share, table
from arena_standings import BY_GAME_LEVEL, ends_text, lead_text, signed_text

from arena_metric_outcomes.sample_size import ALL_GAMES, APART, ComparedPair, NeededMatches, PowerRequest

LISTED: Final = 12
"""The most pairs that are shown unless all are wanted; those that need the most matches come first."""

ENOUGH: Final = "enough"

_COMPARED: Final = (
    OutputColumn(title="game", shortens=True),
    OutputColumn(title="pair", shortens=True),
    OutputColumn(title="played", align="right", keep=2),
    OutputColumn(title="lead", keep=3),
    OutputColumn(title="interval", keep=1),
    OutputColumn(title="more"),
)

_NEEDED: Final = (
    OutputColumn(title="game", shortens=True),
    OutputColumn(title="pair", shortens=True),
    OutputColumn(title="compared", keep=1),
    OutputColumn(title="played", align="right", keep=4),
    OutputColumn(title="blocks", align="right", keep=2),
    OutputColumn(title="needed", align="right", keep=5),
    OutputColumn(title="more"),
)


def compared_lines(found: Sequence[ComparedPair], level: float, terminal: Terminal, *, is_full: bool) -> Iterator[str]:
    """A line for each pair of the standings: the lead, and how many more matches would settle it."""
    yield from paragraph("more matches that might tell two agents apart, if the lead is what it looks like", terminal)
    ordered = sorted(found, key=lambda each: (each.game != ALL_GAMES, -_missing(each)))
    yield from _table(_COMPARED, [_compared(each) for each in ordered], terminal, is_full=is_full)
    levels = f"at {share(level, 1)}"
    if any(each.game == ALL_GAMES for each in found):
        levels += f" over all games, and at {share(BY_GAME_LEVEL, 0)} in single games"
    enough = f"{ENOUGH}: told apart; " if any(each.pair.separated for each in found) else ""
    yield from paragraph(f"{enough}all intervals hold together {levels}", terminal)


def needed_lines(
    found: Sequence[NeededMatches], test: PowerRequest, difference: float, terminal: Terminal, *, is_full: bool
) -> Iterator[str]:
    """A line for each pair: how many matches were played, how many are needed, and how many more that is."""
    yield from paragraph(f"matches that find a difference of {difference:g} ({test.short})", terminal)
    ordered = sorted(found, key=lambda each: -_most(each.more))
    yield from _table(_NEEDED, [_needed(each) for each in ordered], terminal, is_full=is_full)
    if any(each.compared == APART for each in found):
        yield from paragraph("apart: they share neither matches nor deals, so that many are needed of each", terminal)


def _table(
    columns: Sequence[OutputColumn], rows: Sequence[tuple[str, ...]], terminal: Terminal, *, is_full: bool
) -> Iterator[str]:
    """The lines of a table without the columns of games, or of ways to compare, that say the same in each row."""
    shown = rows if is_full else rows[:LISTED]
    same = {"game", "compared"}
    kept = [i for i, each in enumerate(columns) if each.title not in same or len({row[i] for row in rows}) > 1]
    yield from table([columns[i] for i in kept], [[row[i] for i in kept] for row in shown], terminal)
    if left := len(rows) - len(shown):
        yield f"  {count(left)} more pair{'' if left == 1 else 's'}: --full"


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


def compared_to_json(found: Sequence[ComparedPair], level: float) -> dict[str, JSON]:
    """The pairs of the standings as plain data; an open end of an interval is ``None``."""
    pairs: list[JSON] = [
        {
            "game": each.game,
            "a": each.pair.a,
            "b": each.pair.b,
            "matches": each.pair.matches,
            "won": each.pair.won,
            "drawn": each.pair.drawn,
            "lost": each.pair.lost,
            "lead": each.pair.lead,
            "unit": each.unit,
            "interval": [*each.pair.interval],
            "separated": each.pair.separated,
            "more": _more(each),
        }
        for each in found
    ]
    return {"level": level, "by_game_level": BY_GAME_LEVEL, "pairs": pairs}


def needed_to_json(found: Sequence[NeededMatches], test: PowerRequest, difference: float) -> dict[str, JSON]:
    """The pairs of a run with the matches that find a difference, as plain data."""
    pairs: list[JSON] = [attrs.asdict(each) | {"more": each.more} for each in found]
    return {"power": test.power, "level": test.level, "difference": difference, "pairs": pairs}


def sizes_to_json(found: Table, test: PowerRequest) -> dict[str, JSON]:
    """Numbers of matches with the power that they give, as plain data; the middle one is what is needed."""
    return {"power": test.power, "level": test.level, "sizes": list[JSON](_sizes(found)), "note": found.note}


def _sizes(found: Table) -> list[dict[str, Any]]:
    return [{"blocks": row[0], "matches": row[1], "power": row[-1]} for row in found.rows]


def _matches(size: dict[str, Any]) -> str:
    blocks = "" if size["blocks"] == size["matches"] else f" ({count(size['blocks'])} blocks)"
    return f"{count(size['matches'])} matches{blocks}"


def _compared(each: ComparedPair) -> tuple[str, ...]:
    pair, more = each.pair, _more(each)
    said = _unknown(each) if more is None else f"about {count(more)}" if more else ENOUGH
    return (
        each.game,
        f"{pair.a} \u2013 {pair.b}",
        count(pair.matches) if pair.matches else "",
        lead_text(pair.lead, each.unit),
        ends_text(pair.interval, lambda end: signed_text(end, each.unit)) if pair.has_interval else "",
        said,
    )


def _unknown(each: ComparedPair) -> str:
    """Why it cannot be said how many more matches might tell the two apart."""
    if not each.pair.matches:
        return "they did not meet"
    if not round(each.pair.t, 6):
        return "equal so far"
    return "nearly equal" if each.can_tell else "too few repeats"


def _needed(each: NeededMatches) -> tuple[str, ...]:
    more = each.more
    return (
        each.game,
        f"{each.a} \u2013 {each.b}",
        each.compared,
        count(each.matches),
        count(each.blocks),
        "" if each.needed is None else count(each.needed),
        "no variance was seen" if more is None else count(more) if more else ENOUGH,
    )


def _more(each: ComparedPair) -> int | None:
    """How many more matches might tell the two apart; 0 if they are, ``None`` if it cannot be said."""
    return 0 if each.pair.separated else each.pair.more


def _missing(each: ComparedPair) -> float:
    return _most(_more(each))


def _most(more: int | None) -> float:
    return float("inf") if more is None else more
