"""Writes the cells and lines of a leaderboard, the same for a terminal and for a page."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena_cli.output import count, interval, number, signed
from arena_report import VerdictPair

from arena_command_leaderboard.board import Board, BoardRow, Standing

NOT_ENOUGH: Final = "not enough matches"
"""What stands in place of an interval that says too little."""

_SHOWN: Final = 3
"""The most sources that a line names."""


def rank(row: BoardRow) -> str:
    """The rank with the interval of ranks: ``1``, ``2–3``; empty without one."""
    if row.ranks is None:
        return "" if row.rank is None else str(row.rank)
    best, worst = row.ranks
    return str(best) if best == worst else f"{best}–{worst}"


def merit(row: BoardRow, standing: Standing) -> tuple[str, str]:
    """The number that ranks an agent, and its interval, or what stands in its place."""
    if standing.kind == "return":
        digits = 2
        value = "" if row.mean_return is None else number(row.mean_return, digits)
        return value, NOT_ENOUGH if row.rank is None else interval(*row.interval, digits)
    value = "" if row.rating is None else number(row.rating)
    if row.is_reference:
        return value, "reference"
    return value, NOT_ENOUGH if row.rank is None else interval(*row.interval)


def headline(board: Board) -> str:
    """What is on the board, in one line."""
    games = len(board.games)
    parts = [
        several(len(board.sources), "run", "runs"),
        several(board.matches, "match", "matches"),
        several(games, "game", "games") if games != 1 else next(iter(board.games)),
        several(board.agents, "agent", "agents"),
    ]
    if board.turns and not board.illegal_turns:
        parts.append("no illegal answers")
    if board.merged:
        parts.append(f"merged over {', '.join(board.merged)}")
    return " · ".join(parts)


def remarks(board: Board, *, is_full: bool) -> list[str]:
    """Sentences on what is held twice and what counts nowhere."""
    said = [*_duplicates(board, is_full=is_full)]
    if board.left_out:
        told = "; ".join(f"{several(number, 'match', 'matches')} {why}" for why, number in board.left_out.items())
        said.append(f"Left out: {told}.")
    return said


def _duplicates(board: Board, *, is_full: bool) -> Iterator[str]:
    """How many matches several sources hold, in one sentence; in full each group of sources has its own."""
    if not board.duplicates:
        return
    has_files = any(not source.id for source in board.sources)
    if is_full or len(board.duplicates) == 1:
        for each in board.duplicates:
            yield _twice(each.sources, len(each.matches), has_files=has_files)
            if is_full:
                yield f"  {' '.join(each.matches)}"
        return
    sources = tuple(dict.fromkeys(source for each in board.duplicates for source in each.sources))
    yield _twice(sources, sum(len(each.matches) for each in board.duplicates), has_files=has_files, are_same=False)


def _twice(sources: Sequence[str], matches: int, *, has_files: bool, are_same: bool = True) -> str:
    more = len(sources) - _SHOWN
    names = ", ".join(sources) if more <= 0 else f"{', '.join(sources[:_SHOWN])} and {more} more"
    what = "hold the same" if are_same else "share"
    who = several(len(sources), "source", "sources") if has_files else several(len(sources), "run", "runs")
    return f"{who} {what} {several(matches, 'match', 'matches')} ({names}): counted once."


def level_name(level: float) -> str:
    """A level in per cent: ``95 %``."""
    return f"{100 * level:.4g} %"


def several(number: int, one: str, more: str) -> str:
    """A number of things with their name."""
    return f"{count(number)} {one if number == 1 else more}"


def pair_cells(pair: VerdictPair) -> list[str]:
    """Two agents, their record, the lead with its interval, matches, blocks, and how many more matches it takes.

    Where returns are compared there is no record of wins.
    """
    digits = 0 if pair.measure == "elo" else 2
    low, high = pair.interval
    unit = "Elo" if pair.measure == "elo" else pair.unit
    if low is None or high is None:
        end = high if low is None else low
        ends = "" if end is None else f"{'≤' if low is None else '≥'} {signed(end, digits)}"
    else:
        ends = f"[{signed(low, digits)}, {signed(high, digits)}]"
    return [
        pair.a,
        pair.b,
        pair.record if pair.measure == "elo" else "",
        "" if pair.difference is None else f"{signed(pair.difference, digits)} {unit}",
        ends,
        count(pair.matches),
        count(pair.blocks),
        "told apart" if pair.settled else "" if pair.more_matches is None else f"about {count(pair.more_matches)}",
    ]
