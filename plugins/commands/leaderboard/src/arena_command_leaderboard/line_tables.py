"""Shows lines of results in the terminal, with the columns of LLM-Game-Benchmark's leaderboard."""

from collections.abc import Sequence
from typing import cast

import click
from arena.tables import Cell, Estimate, Section, Table
from arena_cli import show_report
from arena_metric_outcomes.columns import counts, shares, text
from arena_metric_statistics.proportions import share
from arena_report import Report

from arena_command_leaderboard.results import KEYS, Key, RankingLine, SeatResult

_HEADINGS = {
    "pairing": ("1st", "2nd"),
    "agent": ("agent",),
    "opponent": ("against",),
    "game": ("game",),
    "form": ("form",),
}

_NO_RESULT = " Matches that ended in a network error have no result and are in no rate."


def keys_of(by: str) -> tuple[Key, ...]:
    """What lines stand for, from the words of ``--by``; a usage error for words that are none."""
    words = [word.strip() for word in by.split(",") if word.strip()]
    if unknown := [word for word in words if word not in KEYS]:
        raise click.UsageError(f"--by: expected some of {', '.join(KEYS)}, got {unknown[0]!r}")
    if "pairing" in words and {"agent", "opponent"} & set(words):
        raise click.UsageError("--by: pairing says who sat where already; leave agent and opponent out")
    if not words:
        raise click.UsageError(f"--by: expected some of {', '.join(KEYS)}")
    return cast("tuple[Key, ...]", tuple(words))


def show_lines(found: Sequence[RankingLine], keys: Sequence[Key], level: float) -> None:
    """Print lines of results as two tables."""
    names = text(*(heading for key in keys for heading in _HEADINGS[key]))
    has_lost = any(line.no_result for line in found)
    won = (
        *shares("won 1st", "won 2nd"),
        *counts("wins 1st", "wins 2nd", "disqualified 1st", "disqualified 2nd", "draws", "cut off"),
        *(counts("no result") if has_lost else ()),
    )
    moved = (
        *counts("moves 1st", "moves 2nd", "invalid 1st", "invalid 2nd"),
        *shares("share invalid 1st", "share invalid 2nd"),
    )
    note = (
        "1st and 2nd are the seats: of the agent of the line, or of whoever sat there. Matches count as independent. A "
        "disqualification is no win for the opponent."
    ) + (_NO_RESULT if has_lost else "")
    tried = "Moves are all that were tried, and invalid moves are a share of them."
    tables = (
        Table(
            title="Results",
            columns=(*names, *won),
            rows=tuple(
                (*_names(line, keys), *_results(line, level), *((line.no_result,) if has_lost else ()))
                for line in found
            ),
            note=note,
        ),
        Table(
            title="Moves",
            columns=(*names, *moved),
            rows=tuple((*_names(line, keys), *_moves(line)) for line in found),
            note=tried,
        ),
    )
    made = Report(title="leaderboard", sections=(Section(title="Leaderboard", tables=tables),), facts=())
    show_report(made)


def _names(line: RankingLine, keys: Sequence[Key]) -> tuple[str, ...]:
    named = {
        "pairing": (line.agent, line.opponent),
        "agent": (line.agent,),
        "opponent": (line.opponent,),
        "game": (line.game,),
        "form": (line.form,),
    }
    return tuple(name for key in keys for name in named[key])


def _results(line: RankingLine, level: float) -> tuple[Cell, ...]:
    first, second = line.first, line.second
    return (
        *(_won(first, level), _won(second, level), first.wins, second.wins),
        *(first.disqualifications, second.disqualifications, line.draws, line.cancelled),
    )


def _lost(line: RankingLine, is_shown: bool) -> tuple[Cell, ...]:
    return (line.no_result,) if is_shown else ()


def _moves(line: RankingLine) -> tuple[Cell, ...]:
    first, second = line.first, line.second
    return first.moves, second.moves, first.invalid, second.invalid, _invalid(first), _invalid(second)


def _won(seat: SeatResult, level: float) -> Estimate | None:
    if not seat.matches:
        return None
    return share([True] * seat.wins + [False] * (seat.matches - seat.wins), level=level)


def _invalid(seat: SeatResult) -> float | None:
    return seat.invalid / seat.moves if seat.moves else None
