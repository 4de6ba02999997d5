"""Lays out what a run or a report says first: what was played, who is better, the ranking, scores and pairs."""

from collections.abc import Iterable, Sequence
from typing import Final

import attrs
from arena.tables import Estimate, Table
from arena_report import RankedAgent, Report, RunHeadline, Verdict, VerdictPair

from arena_cli import output
from arena_cli.output import OutputColumn, Terminal, paragraph, styled
from arena_cli.output.safe_text import CleanText

INDENT: Final = 2

RECORD: Final = "won–lost–drawn"
"""What the three numbers of a pair are; it stands above the first of them."""

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
    verdict = report.verdict
    doubts = Block(_doubts(report, terminal, directory))
    has_failures = report.headline.matches < report.headline.planned
    found = [
        Block(paragraph(headline(report.headline), terminal, hanging=INDENT)),
        Block(_sentences(verdict, terminal), rest="… and {} more lines"),
        # Where results are counted in different things, only the games themselves say who is better.
        Block(_on_games(verdict, terminal), importance=5 if _is_mixed(verdict) else 1, is_joined=True),
        *([doubts] if has_failures else []),
        Block(_ranking(verdict, terminal), rest="… and {} more agents"),
        *([] if has_failures else [doubts]),
        Block(_scores(verdict, terminal), importance=4),
        Block(_pairs(verdict, terminal), importance=2, is_of_pairs=True),
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


def _sentences(verdict: Verdict, terminal: Terminal) -> list[str]:
    lines: list[str] = []
    for sentence in verdict.sentences:
        for line in paragraph(sentence, terminal):
            lines.append(styled(line, bold=True) if terminal.has_colour else line)
    return lines


def _on_games(verdict: Verdict, terminal: Terminal) -> list[str]:
    lines: list[str] = []
    for sentence in verdict.game_sentences[:_FEW]:
        lines += paragraph(sentence, terminal, INDENT, hanging=INDENT)
    if more := len(verdict.game_sentences) - _FEW:
        lines += [] if more < 0 else [CleanText(f"{'':{INDENT}}… and {_several(more, 'more game', 'more games')}")]
    return lines


def _is_mixed(verdict: Verdict) -> bool:
    """Whether some games count wins and others pay, or they pay in different units."""
    scores = verdict.scores.columns[1:] if verdict.scores else ()
    return len({(column.style, column.help) for column in scores}) > 1


def _doubts(report: Report, terminal: Terminal, directory: str) -> list[str]:
    # Where nothing has a result, the verdict is why.
    has_results = bool(report.verdict.ranking) or not report.headline.planned
    said = [*(report.verdict.doubts if has_results else ()), *report.failures]
    if not said:
        return []
    text = f"Doubts: {'; '.join(doubt.rstrip('.') for doubt in said)}."
    return paragraph(text.replace("arena resume RUN", f"arena resume {directory}"), terminal, hanging=INDENT)


def _ranking(verdict: Verdict, terminal: Terminal) -> list[str]:
    ranking = verdict.ranking
    if len(ranking) < 2:  # the sentence has said it all
        return []
    level = f"{100 * verdict.level:.4g} %"
    columns = [OutputColumn(title="#", align="right"), OutputColumn(title="agent", shortens=True)]
    rows = [[str(each.rank), each.agent] for each in ranking]
    nothing: tuple[list[OutputColumn], list[list[str]]] = [], [[] for _ in ranking]
    for titles, cells in (nothing if _is_mixed(verdict) else _merit(ranking, level), _record(ranking)):
        columns += titles
        rows = [[*row, *own] for row, own in zip(rows, cells, strict=True)]
    return output.table(columns, rows, terminal, INDENT)


def _merit(ranking: Sequence[RankedAgent], level: str) -> tuple[list[OutputColumn], list[list[str]]]:
    """The number that ranks the agents, with its interval: ratings, else mean returns, else the share of points."""
    if any(each.rating is not None or each.reference for each in ranking):
        cells = [
            [
                "" if each.rating is None else output.number(each.rating),
                each.reference or output.interval(*each.interval),
            ]
            for each in ranking
        ]
        return [OutputColumn(title="rating", align="right"), OutputColumn(title=level)], cells
    if any(each.mean_return is not None for each in ranking) and any(each.score is None for each in ranking):
        digits = decimals([each.mean_return for each in ranking])
        cells = [
            [
                "" if each.mean_return is None else output.number(each.mean_return, digits),
                output.interval(*each.mean_interval, digits),
            ]
            for each in ranking
        ]
        unit = next((each.unit for each in ranking if each.unit), "mean return")
        return [OutputColumn(title=unit, align="right"), OutputColumn(title=level, keep=9)], cells
    if any(each.score is not None for each in ranking):
        cells = [["" if each.score is None else output.share(each.score, each.blocks)] for each in ranking]
        return [OutputColumn(title="score", align="right")], cells
    return [], [[] for _ in ranking]


def _record(ranking: Sequence[RankedAgent]) -> tuple[list[OutputColumn], list[list[str]]]:
    titles = (("won", 4), ("drawn", 3), ("lost", 4), ("matches", 6), ("blocks", 5))
    columns = [OutputColumn(title=title, align="right", keep=keep) for title, keep in titles]
    cells = [
        [output.count(n) for n in (each.won, each.drawn, each.lost, each.matches, each.blocks)] for each in ranking
    ]
    return columns, cells


def decimals(values: Iterable[float | None]) -> int:
    """How many decimals tell such values apart: two below 10, one below 100."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    return 2 if largest < 10 else 1 if largest < 100 else 0


def _scores(verdict: Verdict, terminal: Terminal) -> list[str]:
    table = verdict.scores
    if table is None:
        return []
    columns = [OutputColumn(title=table.title, shortens=True)]
    columns += [OutputColumn(title=each.title, align="right", keep=1) for each in table.columns[1:]]
    rows = [_score_row(row, table) for row in table.rows]
    note = paragraph(f"({table.note})", terminal, INDENT) if table.note else []
    return [*output.table(columns, rows, terminal, INDENT), *note]


def _score_row(row: Sequence[object], table: Table) -> list[str]:
    cells: list[str] = [str(row[0])]
    for cell, column in zip(row[1:], table.columns[1:], strict=True):
        value, n = (cell.value, cell.n) if isinstance(cell, Estimate) else (cell, 0)
        if not isinstance(value, (int, float)):
            cells.append("")
        else:
            cells.append(output.share(value, n) if column.style == "share" else output.number(value, decimals([value])))
    return cells


def _pairs(verdict: Verdict, terminal: Terminal) -> list[str]:
    if len(verdict.ranking) < 3:  # the sentence has said it all
        return []
    record = RECORD if any(pair.measure == "elo" for pair in verdict.shown_pairs) else ""
    columns = [
        OutputColumn(title="", shortens=True),
        OutputColumn(title=record, keep=2),
        OutputColumn(title=""),
        OutputColumn(title="", keep=1),
    ]
    rows = [_pair(pair, verdict) for pair in verdict.shown_pairs]
    lines = output.table(columns, rows, terminal, INDENT, more="")
    return lines if record else lines[1:]


def _pair(pair: VerdictPair, verdict: Verdict) -> list[str]:
    low, high = pair.interval
    if pair.measure == "return":
        digits = decimals([pair.difference])
        lead = "" if pair.difference is None else f"{output.signed(pair.difference, digits)} {pair.unit}"
    else:
        # An end that is hardly more or less than 0 must not read as 0.
        digits = 1 if any(end is not None and 0.05 <= abs(end) < 0.5 for end in pair.interval) else 0
        lead = "" if pair.difference is None else f"{output.signed(pair.difference)} Elo"
    ends = _signed_interval(low, high, digits)
    beside = ", " if ends[:1] in "≥≤" else " "
    lead = beside.join(part for part in (lead, ends) if part) or "no interval"
    told = "settled" if pair.settled else ""
    if not pair.settled and pair.more_matches is not None:
        told = f"about {output.count(pair.more_matches)} more {'match' if pair.more_matches == 1 else 'matches'}"
    record = pair.record if pair.measure == "elo" else _several(pair.matches, "match", "matches")
    return [f"{pair.a} – {pair.b}", record, lead, told or "open"]


def _signed_interval(low: float | None, high: float | None, digits: int) -> str:
    if low is None:
        return "" if high is None else f"≤ {output.signed(high, digits)}"
    if high is None:
        return f"≥ {output.signed(low, digits)}"
    return f"[{output.signed(low, digits)}, {output.signed(high, digits)}]"


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
