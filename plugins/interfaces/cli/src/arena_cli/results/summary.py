"""Lays out what a run or a report says first: what was played, who is better, the ranking, scores and pairs."""

from collections.abc import Iterable, Sequence
from typing import Final

import attrs
from arena.tables import Cell, Column, Estimate, Table
from arena_report import Report, RunHeadline, interval_of, pair_table, ranking_table, score_table
from arena_standings import CENTRE, ELO, Part, Standings, number, rating_text

from arena_cli import output
from arena_cli.output import OutputColumn, Terminal, paragraph, styled
from arena_cli.output.safe_text import CleanText
from arena_cli.output.table_layout import GAP

INDENT: Final = 2

_NARROWEST: Final = 13
"""The fewest columns for a picture of the intervals."""

_WIDEST: Final = 40
"""The most columns for it."""

_KEEP: Final = (0, 2, 0, 1, 0)
"""Which column of the pairs goes first where not all fit; 0 stays."""

_COLUMNS: Final = {
    "group": OutputColumn(title="", align="right"),
    "rank": OutputColumn(title="", align="right"),
    "agent": OutputColumn(title="", shortens=True),
    "rating": OutputColumn(title="", align="right"),
    "mean": OutputColumn(title="", align="right"),
    "interval": OutputColumn(title="", keep=9),
    "record": OutputColumn(title="", align="right", keep=4),
    "invalid": OutputColumn(title="", align="right", keep=7),
    "by-play": OutputColumn(title="", align="right", keep=2),
    "matches": OutputColumn(title="", align="right", keep=6),
}
"""How the columns of the ranking are laid out, by name."""

_SHORT: Final = {"group": "gr", "rating": "Elo", "record": "W–D–L", "invalid": "inv.", "matches": "n"}
"""The titles of columns where there is no room for their own."""

_FEW: Final = 3
"""Up to so many agents and games everything fits; of more sentences on single games only so many are shown."""


@attrs.define
class Block:
    """Lines that belong together. ``importance`` says which block goes first if not all fit: the lowest; 0 stays.

    ``rest`` makes the line that takes the place of the lines that are cut off the end, if any may be. A block that
    ``is_joined`` follows the one before without a blank line; one that ``is_of_pairs`` may stand further down.
    """

    lines: list[str]
    importance: int = 0
    rest: str = ""
    is_joined: bool = False
    is_of_pairs: bool = False


def summary(report: Report, terminal: Terminal, most: int, *, directory: str = "RUN") -> list[str]:
    """The lines about a report's verdict: at most ``most`` of them, with a blank one between the parts.

    Pairs are left out first, then scores, never the ranking, of which lines are left out only if it is the last part
    that is too long. ``directory`` is what a user is told to resume.
    """
    return fitted(blocks(report, terminal, directory), most)


def blocks(report: Report, terminal: Terminal, directory: str) -> list[Block]:
    """The parts of the summary, in their order."""
    return [
        Block(paragraph(headline(report.headline), terminal, hanging=INDENT)),
        *standings_blocks(report.verdict, terminal, _doubts(report, terminal, directory)),
    ]


def standings_blocks(standings: Standings, terminal: Terminal, doubts: Sequence[str] = ()) -> list[Block]:
    """Who is better, the lines of ``doubts`` about it, tables of those who met, scores by game, and pairs."""
    found = [
        Block(_sentences(standings, terminal), rest="… and {} more lines"),
        Block(_on_games(standings, terminal), importance=1, is_joined=True),
        Block(list(doubts), is_joined=True),
        Block(_rankings(standings, terminal), rest="… and {} more agents"),
        Block(_scores(standings, terminal), importance=4),
        Block(_pairs(standings, terminal), importance=2, is_of_pairs=True),
    ]
    return [block for block in found if block.lines]


def fitted(parts: Sequence[Block], most: int) -> list[str]:
    """The lines of all parts with a blank line between them; what is less important is left out until it fits."""
    kept = list(parts)
    while _length(kept) > most and (droppable := [block for block in kept if block.importance]):
        kept.remove(min(droppable, key=lambda block: block.importance))
    while (excess := _length(kept) - most) > 0 and (
        long := [block for block in kept if block.rest and len(block.lines) > 4]
    ):
        longest = max(long, key=lambda block: len(block.lines))
        _cut(longest, excess)
    lines: list[str] = []
    for block in kept:
        lines += ["", *block.lines] if lines and not block.is_joined else block.lines
    return lines


def headline(head: RunHeadline) -> str:
    """What was played, in one line: ``three · 90 matches in 7 s · 985 turns · no illegal answers · no model asked``."""
    played = _several(head.matches, "match", "matches")
    if head.planned > head.matches:
        played = f"{output.count(head.matches)} of {_several(head.planned, 'match', 'matches')}"
    parts = [head.name, played if head.seconds is None else f"{played} in {output.duration(head.seconds)}"]
    if head.turns:
        illegal = "no illegal answers"
        if head.illegal_turns:
            illegal = f"illegal answers in {output.share(head.illegal_turns / head.turns, head.turns)} of turns"
        parts += [_several(head.turns, "turn", "turns"), illegal]
    parts.append(_models(head.models))
    if head.cost_usd:
        parts.append(output.money(head.cost_usd))
    return " · ".join(parts)


def _models(names: Sequence[str]) -> str:
    if not names:
        return "no model asked"
    more = len(names) - _FEW
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:_FEW])} and {more} more models"


def _sentences(verdict: Standings, terminal: Terminal) -> list[str]:
    lines: list[str] = []
    for place, sentence in enumerate(verdict.sentences):
        for line in paragraph(sentence, terminal):
            lines.append(styled(line, bold=True) if terminal.has_colour and not place else line)
    for sentence in verdict.factor_sentences:
        lines += paragraph(sentence, terminal, hanging=INDENT)
    return lines


def _on_games(verdict: Standings, terminal: Terminal) -> list[str]:
    lines: list[str] = []
    for sentence in verdict.game_sentences[:_FEW]:
        lines += paragraph(sentence, terminal, INDENT, hanging=INDENT)
    if more := len(verdict.game_sentences) - _FEW:
        lines += [] if more < 0 else [CleanText(f"{'':{INDENT}}… and {_several(more, 'more game', 'more games')}")]
    return lines


def _doubts(report: Report, terminal: Terminal, directory: str) -> list[str]:
    # Where nothing has a result, the verdict is why.
    has_results = bool(report.verdict.parts) or not report.headline.planned
    said = [*(report.verdict.doubts if has_results else ()), *report.failures]
    return doubt_lines([each.replace("arena resume RUN", f"arena resume {directory}") for each in said], terminal)


def doubt_lines(said: Sequence[str], terminal: Terminal) -> list[str]:
    """What limits the standings, as one paragraph; nothing without any doubt."""
    if not said:
        return []
    return paragraph(f"Doubts: {'; '.join(doubt.rstrip('.') for doubt in said)}.", terminal, hanging=INDENT)


def _rankings(verdict: Standings, terminal: Terminal) -> list[str]:
    """The table of each group of agents that met; one agent alone has said all in its sentence."""
    lines: list[str] = []
    for part in verdict.parts:
        if len(part.rows) > 1:
            lines += [*([""] if lines else []), *standing_lines(part, verdict.level, terminal)]
    return lines


def standing_lines(part: Part, level: float, terminal: Terminal) -> list[str]:
    """The agents of one table, with a picture of their intervals as far as there is room."""
    table = ranking_table(part, level)
    plain = [_Columns.of(table, short=short) for short in (False, True)]
    for columns in plain:
        room = terminal.width - columns.width(terminal) - len(GAP)
        if room >= _NARROWEST and (picture := intervals_picture(part, min(room, _WIDEST))):
            return columns.with_last(picture).lines(terminal)
    tried = [*plain, _Columns.of(table, short=True, left_out="by-play")]
    return next((each for each in tried if each.width(terminal) <= terminal.width), tried[-1]).lines(terminal)


@attrs.frozen
class _Columns:
    """A ranking as a terminal shows it."""

    columns: Sequence[OutputColumn]
    rows: Sequence[Sequence[str]]

    @classmethod
    def of(cls, table: Table, *, short: bool, left_out: str = "") -> "_Columns":
        """The columns but one, with the short titles or their own."""
        kept = [(i, each) for i, each in enumerate(table.columns) if each.name != left_out]
        titles = [_SHORT.get(each.name, each.title) if short else each.title for _, each in kept]
        columns = [_COLUMNS.get(each.name, OutputColumn(title="")) for _, each in kept]
        return cls(
            [attrs.evolve(own, title=title) for own, title in zip(columns, titles, strict=True)],
            [[_cell(row[i], each) for i, each in kept] for row in table.rows],
        )

    def with_last(self, cells: Sequence[str]) -> "_Columns":
        """The same with one more column; its title comes first."""
        rows = [[*row, own] for row, own in zip(self.rows, cells[1:], strict=True)]
        return _Columns([*self.columns, OutputColumn(title=cells[0])], rows)

    def width(self, terminal: Terminal) -> int:
        """How wide it is with nothing shortened."""
        return max(map(terminal.columns, self.lines(attrs.evolve(terminal, width=1_000))))

    def lines(self, terminal: Terminal) -> list[str]:
        """Its lines."""
        return output.table(self.columns, self.rows, terminal, INDENT, more="")


def _cell(cell: Cell, column: Column) -> str:
    if cell is None:
        return ""
    return output.count(cell) if isinstance(cell, int) and column.style == "count" else str(cell)


def intervals_picture(part: Part, width: int) -> list[str]:
    """The axis with its ends, then one line for each agent: its interval, its value, and where the reference is.

    Empty where there is no number, or only one.
    """
    values = [(row.rating if part.unit == ELO else row.mean.value if row.mean else None) for row in part.rows]
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return []
    ends = [interval_of(row, part) for row in part.rows]
    finite = [*known, *(end for own in ends for end in own if end is not None)]
    low, high = min(finite), max(finite)
    if high <= low:
        return []
    texts = [rating_text(end) if part.unit == ELO else number(end) for end in (low, high)]
    head = f"{texts[0]}{texts[1]:>{width - len(texts[0])}}"
    zero = CENTRE if part.unit == ELO and part.reference else None

    def place(value: float) -> int:
        return round((value - low) / (high - low) * (width - 1))

    lines = [head]
    for value, own in zip(values, ends, strict=True):
        signs = [" "] * width
        if zero is not None and low <= zero <= high:
            signs[place(zero)] = "┆"
        if own != (None, None):
            first, last = (0 if own[0] is None else place(own[0])), (width - 1 if own[1] is None else place(own[1]))
            signs[first : last + 1] = "─" * (last + 1 - first)
            if own[0] is None:
                signs[0] = "<"
            if own[1] is None:
                signs[-1] = ">"
        if value is not None:
            signs[place(value)] = "●"
        lines.append("".join(signs))
    return lines


def decimals(values: Iterable[float | None]) -> int:
    """How many decimals tell such values apart: two below 10, one below 100."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    return 2 if largest < 10 else 1 if largest < 100 else 0


def _scores(verdict: Standings, terminal: Terminal) -> list[str]:
    table = score_table(verdict)
    if table is None:
        return []
    columns = [OutputColumn(title=table.title, shortens=True)]
    columns += [OutputColumn(title=each.title, align="right", keep=1) for each in table.columns[1:]]
    rows = [_score_row(row, table) for row in table.rows]
    return output.table(columns, rows, terminal, INDENT)


def _score_row(row: Sequence[object], table: Table) -> list[str]:
    cells: list[str] = [str(row[0])]
    for cell, column in zip(row[1:], table.columns[1:], strict=True):
        value, n = (cell.value, cell.n) if isinstance(cell, Estimate) else (cell, 0)
        if not isinstance(value, (int, float)):
            cells.append("")
        else:
            cells.append(output.share(value, n) if column.style == "share" else output.number(value, decimals([value])))
    return cells


def _pairs(verdict: Standings, terminal: Terminal) -> list[str]:
    return [line for part in verdict.parts if part.shown_pairs for line in pair_lines(part, verdict, terminal)]


def pair_lines(part: Part, standings: Standings, terminal: Terminal, *, is_full: bool = False) -> list[str]:
    """The pairs of one table that have a line each; all of them if ``is_full``."""
    table = pair_table(part, standings, pairs=part.pairs if is_full else None)
    columns = [OutputColumn(title=each.title, keep=keep) for each, keep in zip(table.columns, _KEEP, strict=True)]
    columns[0] = attrs.evolve(columns[0], shortens=True)
    return output.table(columns, [list(map(str, row)) for row in table.rows], terminal, INDENT, more="-o PAGE.html")


def _several(number: int, one: str, more: str) -> str:
    return f"{output.count(number)} {one if number == 1 else more}"


def _length(parts: Sequence[Block]) -> int:
    return sum(len(block.lines) + (not block.is_joined) for block in parts) - 1


def _cut(block: Block, excess: int) -> None:
    """Leave out lines at the end of a block, at most down to four, and say how many."""
    keep = max(len(block.lines) - excess - 1, 3)
    left_out = len(block.lines) - keep
    block.lines = [*block.lines[:keep], CleanText(f"{'':{INDENT}}{block.rest.format(left_out)}")]
    block.rest = ""
