"""Lays the leaderboard out for a terminal."""

from collections.abc import Callable, Sequence
from typing import Final

from arena.tables import Table
from arena_cli import Block, fitted, pair_lines, standing_lines, standings_blocks
from arena_cli.output import OutputColumn, Terminal, paragraph, shorten, table
from arena_standings import BY_GAME_LEVEL, Part

from arena_command_leaderboard.board import Board
from arena_command_leaderboard.cells import agent_table, by_play_table, cell_text, headline, remarks

LINES: Final = 25
"""The most lines, unless everything is wanted."""

_INDENT: Final = 2

_HINTS: Final = "by game: --by game · pairs: --by pair · a page: -o leaderboard.html"

_EVERYTHING: Final = 1_000_000


def board_lines(board: Board, terminal: Terminal, *, is_full: bool = False) -> list[str]:
    """Who is better over all games, and what must be said about it; 25 lines unless ``is_full``."""
    found = standings_blocks(board.standings, terminal, doubts=_doubts(board, terminal))
    blocks = [Block(_head(board, terminal)), *(block for block in found if not block.is_of_pairs)]
    foot = _remarks(board, terminal, is_full=is_full)
    if not is_full:
        foot += paragraph(_HINTS, terminal)
        return fitted([*blocks, *([Block(foot)] if foot else [])], LINES)
    blocks += [Block(pair_lines(part, board.standings, terminal, is_full=True)) for part in board.tables]
    blocks += [Block(_lines(agent_table(board, list(board.agents)), terminal))]
    blocks += [Block([line for told in board.standings.footnotes for line in paragraph(told, terminal, hanging=2)])]
    return fitted([block for block in (*blocks, Block(foot)) if block.lines], _EVERYTHING)


def game_lines(board: Board, terminal: Terminal) -> list[str]:
    """The ranking in each game for itself."""
    standings = board.standings
    by_game, level = standings.by_game, BY_GAME_LEVEL
    if not by_game:  # a single game has the ranking over all games
        by_game, level = {next(iter(board.games)): standings.parts}, standings.level

    def ranked(part: Part) -> list[str]:
        return standing_lines(part, level, terminal)

    return _by_title(board, [(game, part) for game, own in by_game.items() for part in own], ranked, terminal)


def pair_views(board: Board, terminal: Terminal) -> list[str]:
    """Every two agents that met, directly or through others, with the lead of the first, in the order of ranks."""

    def pairs(part: Part) -> list[str]:
        return pair_lines(part, board.standings, terminal, is_full=True)

    return _by_title(board, [("", part) for part in board.tables], pairs, terminal)


def play_lines(board: Board, terminal: Terminal) -> list[str]:
    """The order by play alone, without the matches that agents' own invalid answers ended."""

    def played(part: Part) -> list[str]:
        return _lines(by_play_table(part), terminal)

    told = paragraph("Without the matches that agents' own invalid answers ended.", terminal, hanging=_INDENT)
    return [*_by_title(board, [("", part) for part in board.tables], played, terminal), "", *told]


def _by_title(
    board: Board, parts: Sequence[tuple[str, Part]], lines: Callable[[Part], list[str]], terminal: Terminal
) -> list[str]:
    """The lines of each table of several agents, each under its title if it has one, and the remarks."""
    found = _head(board, terminal)
    for title, part in parts:
        heading = [shorten(title, terminal.width, terminal)] if title else []
        if len(part.rows) > 1:
            found += ["", *heading, *lines(part)]
    remarked = _remarks(board, terminal, is_full=False)
    return [*found, *([""] if remarked else []), *remarked]


def _head(board: Board, terminal: Terminal) -> list[str]:
    return paragraph(headline(board), terminal, hanging=_INDENT)


def _doubts(board: Board, terminal: Terminal) -> list[str]:
    if not board.standings.doubts:
        return []
    return paragraph(f"Doubts: {'; '.join(board.standings.doubts)}.", terminal, hanging=_INDENT)


def _lines(shown: Table, terminal: Terminal) -> list[str]:
    columns = [
        OutputColumn(
            title=each.title,
            align="right" if each.style == "count" else "left",
            shortens=each.name == "agent",
            keep=int(each.name == "games"),
        )
        for each in shown.columns
    ]
    return table(columns, [list(map(cell_text, row)) for row in shown.rows], terminal, _INDENT, "")


def _remarks(board: Board, terminal: Terminal, *, is_full: bool) -> list[str]:
    return [line for text in remarks(board, is_full=is_full) for line in paragraph(text, terminal, hanging=_INDENT)]
