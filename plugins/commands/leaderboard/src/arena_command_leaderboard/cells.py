"""Writes the cells and lines of a leaderboard, the same for a terminal and for a page."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.tables import Cell, Column, Estimate, Table
from arena_cli.output import count, number, share
from arena_standings import Part

from arena_command_leaderboard.board import Board

_SHOWN: Final = 3
"""The most sources that a line names."""


def headline(board: Board) -> str:
    """What is on the board, in one line."""
    games = len(board.games)
    parts = [
        several(len(board.sources), "run", "runs"),
        several(board.standings.matches, "match", "matches"),
        several(games, "game", "games") if games != 1 else next(iter(board.games)),
        several(len(board.agents), "agent", "agents"),
    ]
    turns = sum(agent.turns for agent in board.agents.values())
    if turns and not any(agent.illegal_turns for agent in board.agents.values()):
        parts.append("no illegal answers")
    if board.merged:
        parts.append(f"merged over {', '.join(board.merged)}")
    return " · ".join(parts)


def remarks(board: Board, *, is_full: bool) -> list[str]:
    """Sentences on what was put together, what is held twice and what counts nowhere."""
    said = [*board.notes, *_duplicates(board, is_full=is_full)]
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
            yield _twice(each.sources, each.count, has_files=has_files)
            if is_full:
                yield f"  {' '.join(each.matches)}"
        return
    sources = tuple(dict.fromkeys(source for each in board.duplicates for source in each.sources))
    yield _twice(sources, sum(each.count for each in board.duplicates), has_files=has_files, are_same=False)


def _twice(sources: Sequence[str], matches: int, *, has_files: bool, are_same: bool = True) -> str:
    more = len(sources) - _SHOWN
    names = ", ".join(sources) if more <= 0 else f"{', '.join(sources[:_SHOWN])} and {more} more"
    what = "hold the same" if are_same else "share"
    who = several(len(sources), "source", "sources") if has_files else several(len(sources), "run", "runs")
    return f"{who} {what} {several(matches, 'match', 'matches')} ({names}): counted once."


def several(number: int, one: str, more: str) -> str:
    """A number of things with their name."""
    return f"{count(number)} {one if number == 1 else more}"


def by_play_table(part: Part) -> Table:
    """The agents of a table in order of their play alone, without disqualifications; who never played stands last."""
    columns = (
        Column(name="by-play", title="# by play"),
        Column(name="agent", title="agent"),
        Column(name="rank", title="#"),
        Column(name="refused", title="ended invalid", help="matches that the agent's own invalid answers ended"),
        Column(name="share", title="share"),
        Column(name="matches", title="matches", style="count"),
    )
    rows = sorted(part.rows, key=lambda row: len(part.rows) + 1 if row.by_play is None else row.by_play)
    return Table(
        title="Ranking by play",
        columns=columns,
        rows=tuple(
            (
                "" if row.by_play is None else str(row.by_play),
                row.agent,
                row.rank,
                count(row.refused),
                f"{100 * row.share_refused:.0f} %",
                row.matches,
            )
            for row in rows
        ),
        note="Without the matches that agents' own invalid answers ended.",
    )


def agent_table(board: Board, labels: Sequence[str]) -> Table:
    """The agents of the board with their invalid answers by turns, and what they played."""
    columns = (
        Column(name="agent", title="agent"),
        Column(name="illegal", title="illegal"),
        Column(name="turns", title="turns", style="count"),
        Column(name="games", title="games"),
    )
    rows: list[tuple[Cell, ...]] = []
    for label in labels:
        agent = board.agents[label]
        illegal = "" if agent.illegal is None else share(agent.illegal, agent.turns)
        rows.append((label, illegal, agent.turns, ", ".join(agent.games)))
    return Table(title="Agents", columns=columns, rows=tuple(rows))


def cell_text(cell: Cell) -> str:
    """A cell of such tables as text."""
    if isinstance(cell, Estimate):
        return "" if cell.value is None else number(cell.value, 2)
    return "" if cell is None else count(cell) if isinstance(cell, int) else str(cell)
