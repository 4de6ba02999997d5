"""Lays the leaderboard out for a terminal."""

from collections.abc import Sequence
from typing import Final

from arena_cli.output import CleanText, OutputColumn, Terminal, count, paragraph, share, shorten, table

from arena_command_leaderboard.board import Board, BoardRow, Standing
from arena_command_leaderboard.cells import headline, level_name, merit, pair_cells, rank, remarks, several

LINES: Final = 25
"""The most lines, unless everything is wanted."""

_FEWEST: Final = 4
"""So many rows of a standing stay in any case."""

_SENTENCES: Final = 2
"""The most sentences of a standing on who cannot be told apart."""

_IN_FULL: Final = ("blocks", "won", "drawn", "lost")
"""Columns that are there when everything is wanted."""

_WIDE: Final = 100
"""From so many columns on, pairs have columns that are less important."""

_HINTS: Final = "by game: --by game · pairs: --by pair · a page: -o leaderboard.html"


def board_lines(board: Board, terminal: Terminal, *, is_full: bool = False) -> list[str]:
    """The ranking over all games, and what must be said about it; 25 lines unless ``is_full``."""
    head = paragraph(headline(board), terminal, hanging=2)
    foot = [*_remarks(board, terminal, is_full=is_full), *([] if is_full else paragraph(_HINTS, terminal))]
    parts = [_Part(each, board, terminal, is_full=is_full) for each in board.standings]
    if not is_full:
        _fit(parts, LINES - len(head) - len(foot) - 1)
    hidden = [part.standing for part in parts if part.is_hidden]
    lines = [*head, *(line for part in parts if not part.is_hidden for line in ("", *part.lines())), ""]
    if hidden:
        told = (
            f"{several(len(hidden), 'more standing', 'more standings')}: --full ({', '.join(s.title for s in hidden)})"
        )
        lines += [shorten(told, terminal.width, terminal)]
    return [*lines, *foot]


def game_lines(board: Board, terminal: Terminal) -> list[str]:
    """The ranking in each game for itself."""
    lines = paragraph(headline(board), terminal, hanging=2)
    for standings in board.by_game.values():
        for standing in standings:
            lines += ["", *_Part(standing, board, terminal, is_full=True).lines()]
    remarked = _remarks(board, terminal, is_full=False)
    return [*lines, *([""] if remarked else []), *remarked]


def pair_lines(board: Board, terminal: Terminal) -> list[str]:
    """Every two agents that met, with the lead of the first over the second, in the order of the ranking."""
    lines = paragraph(headline(board), terminal, hanging=2)
    for standing in board.standings:
        lines += ["", *([_heading(standing, terminal)] if standing.title and len(board.standings) > 1 else [])]
        is_rating = standing.kind == "rating"
        columns = [
            OutputColumn(title="agent", shortens=True),
            OutputColumn(title="against", shortens=True),
            OutputColumn(title="won–lost–drawn", align="right"),
            OutputColumn(title="lead", align="right"),
            OutputColumn(title=level_name(board.level)),
            OutputColumn(title="n", align="right"),
            OutputColumn(title="blocks", align="right"),
            OutputColumn(title="more to tell", align="right"),
        ]
        # The record holds n, too; what is less important takes room that names need.
        shown = [i for i in range(8) if i != (5 if is_rating else 2) and (i < 6 or terminal.width >= _WIDE)]
        rows = [pair_cells(pair) for pair in standing.pairs]
        lines += table([columns[i] for i in shown], [[row[i] for i in shown] for row in rows], terminal, 2, "")
        if len(standing.pairs) > 1:
            level = level_name(board.level)
            told = f"(these {len(standing.pairs)} intervals hold together at {level}: Bonferroni)"
            lines += paragraph(told, terminal, 2, 2)
    remarked = _remarks(board, terminal, is_full=False)
    return [*lines, *([""] if remarked else []), *remarked]


class _Part:
    """One standing on the screen; ``cut`` rows are left out at its end."""

    def __init__(self, standing: Standing, board: Board, terminal: Terminal, *, is_full: bool) -> None:
        self.standing, self.cut, self.is_hidden = standing, 0, False
        self._board, self._terminal, self._is_full = board, terminal, is_full

    def lines(self) -> list[str]:
        standing, terminal = self.standing, self._terminal
        rows = standing.rows[: len(standing.rows) - self.cut]
        lines = [_heading(standing, terminal)] if self._needs_title() else []
        lines += table(
            _columns(standing, self._board.level, is_full=self._is_full),
            [_row(r, standing, is_full=self._is_full) for r in rows],
            terminal,
            2,
            "",
        )
        if self.cut:
            lines += [CleanText(f"  … and {several(self.cut, 'more agent', 'more agents')}: --full")]
        said = [*standing.sentences, *(f"({note})" for note in standing.notes)]
        if standing.resampled == "runs":
            said.append("(intervals by resampling runs)")
        if said and (standing.kind == "rating" or self._is_full):
            kept = said if self._is_full else said[: _SENTENCES + 1]
            lines += ["", *(line for text in kept for line in paragraph(text, terminal, hanging=2))]
        return lines

    def _needs_title(self) -> bool:
        return bool(self.standing.title) and (
            self._is_full or len(self._board.standings) > 1 or self.standing.kind == "return"
        )


def _fit(parts: Sequence[_Part], most: int) -> None:
    """Leave out the last rows of long standings, then the last standings, until all fit."""

    def length() -> int:
        return sum(len(part.lines()) + 1 for part in parts if not part.is_hidden) + any(p.is_hidden for p in parts)

    while length() > most:
        shown = [part for part in parts if not part.is_hidden]
        longest = max(shown, key=lambda part: len(part.standing.rows) - part.cut)
        if len(longest.standing.rows) - longest.cut > _FEWEST:
            longest.cut += 1
        elif len(shown) > 1:
            shown[-1].is_hidden = True
        else:
            return


def _heading(standing: Standing, terminal: Terminal) -> str:
    return shorten(standing.title, terminal.width, terminal)


def _columns(standing: Standing, level: float, *, is_full: bool) -> list[OutputColumn]:
    is_rating = standing.kind == "rating"
    merit = "rating" if is_rating else standing.unit or "mean return"
    return [
        OutputColumn(title="#"),
        OutputColumn(title="agent", shortens=True),
        OutputColumn(title=merit, align="right"),
        OutputColumn(title=level_name(level)),
        *([OutputColumn(title="score", align="right", keep=9)] if is_rating else []),
        OutputColumn(title="n", align="right", keep=8),
        OutputColumn(title="illegal", align="right", keep=6),
        *(OutputColumn(title=title, align="right", keep=3) for title in (_IN_FULL if is_full else ())),
    ]


def _row(row: BoardRow, standing: Standing, *, is_full: bool) -> list[str]:
    return [
        rank(row),
        row.agent.label,
        *merit(row, standing),
        *([] if standing.kind == "return" else ["" if row.score is None else share(row.score, row.matches)]),
        count(row.matches),
        "" if row.illegal is None else share(row.illegal, row.turns),
        *(map(count, (row.blocks, row.won, row.drawn, row.lost)) if is_full else ()),
    ]


def _remarks(board: Board, terminal: Terminal, *, is_full: bool) -> list[str]:
    return [line for text in remarks(board, is_full=is_full) for line in paragraph(text, terminal, hanging=2)]
