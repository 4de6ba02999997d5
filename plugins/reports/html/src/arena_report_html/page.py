"""Builds the text of an HTML page from a report."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files

import attrs
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_report import (
    BETWEEN,
    BoardImage,
    MatchView,
    Report,
    figure_tables,
    footnotes,
    format_cell,
    is_numeric,
    settings_text,
    shortened_parts,
)
from arena_scene import scene_script, scene_style
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from arena_report_html.drawing import draw
from arena_report_html.inline_svg import inline
from arena_report_html.match_choice import chosen, others
from arena_report_html.palette import series_style
from arena_report_html.stepping import Steps, StepsView, steps_of
from arena_report_html.styling import PLACE, gathered, hashed
from arena_report_html.top import top_of

VARIANTS = 300
"""The most rows of single variants in a table; of more only the ``MOST_DIFFERENT`` are shown."""

MOST_DIFFERENT = 20

NAME = 36
"""The most characters of a name that are shown; the whole name is in the page all the same."""

_LONG = 14
"""From more characters on a name is given a least width, so that it is not broken into many lines."""

_TEMPLATES = files("arena_report_html") / "templates"


@attrs.frozen
class CellView:
    """A table cell as text, with the key it is sorted by, and its parts if it is an estimate.

    ``parts`` are those of a long name that are shown and those that are not, in turn; ``title`` is what a pointer on
    the cell shows.
    """

    text: str
    sort: str = ""
    interval: str = ""
    n: str = ""
    method: str = ""
    is_numeric: bool = False
    title: str = ""
    parts: tuple[str, ...] = ()


@attrs.frozen
class ColumnView:
    """How the cells of one column look: the classes of each, and the label that stands before it on a telephone."""

    classes: str
    label: str


@attrs.frozen
class FigureView:
    """A drawn figure with its caption and its numbers: a table for it and each figure beside it."""

    title: str
    svg: Markup | None
    problem: str
    tables: tuple[Table, ...]


@attrs.frozen
class BoardView:
    """A position of a match: a short caption, the picture if it can be shown, and all it shows in words."""

    caption: str
    svg: Markup | None
    words: str


@attrs.frozen
class SectionView:
    """A section of the page with the anchor that links point to, and the tables of single variants of games."""

    anchor: str
    section: Section
    figures: tuple[FigureView, ...]
    variants: tuple[Table, ...] = ()


def page(
    report: Report, *, figures: bool, moves: int, longest: int, matches: int, boards: int, elsewhere: str
) -> tuple[str, str]:
    """The page as text, and a second one with the matches it does not tell; empty if it tells all.

    ``moves`` limits the moves told in all, ``longest`` the length of each text, ``matches`` how many matches are told
    and ``boards`` how many of their positions. ``elsewhere`` is the file's name of the second page.
    """
    numbers = iter(range(1_000_000))
    variants = {section.title: section.tables for section in report.variants}
    sections = tuple(
        SectionView(
            f"section-{i}",
            section,
            tuple(_figures(section, numbers) if figures else _undrawn(section)),
            # The first of a metric's tables has its variants; all of all would not fit onto a page that is read.
            tuple(map(_most_different, variants.get(section.title, ())[:1])),
        )
        for i, section in enumerate((*report.sections, *report.facts), 1)
    )
    places = chosen(report, matches)
    left = others(report, places)
    first = _rendered(
        "page.html.jinja",
        tuple(report.matches[i] for i in places),
        moves,
        longest,
        boards,
        report=report,
        top=top_of(report),
        results=sections[: len(report.sections)],
        facts=sections[len(report.sections) :],
        settings={run: _as_text(settings_text(plain)) for run, plain in report.settings.items()},
        left=len(left),
        elsewhere=elsewhere,
    )
    if not left:
        return first, ""
    return first, _rendered("matches.html.jinja", left, moves, longest, 0, report=report)


def _as_text(text: str) -> Markup:
    """Text between tags, in which quotes stand as they are: settings are full of them."""
    return Markup(escape(text, quote=False))


def _most_different(table: Table) -> Table:
    """A table of variants with as many rows as can be read, the first of which differ most from the others."""
    if len(table.rows) <= VARIANTS:
        return table
    left = len(table.rows) - MOST_DIFFERENT
    note = f"{table.note} {left:,} more rows, which differ less: arena report RUN --by-variant -o FILE.html.".strip()
    return attrs.evolve(table, rows=table.rows[:MOST_DIFFERENT], note=note)


def _rendered(
    template: str, matches: Sequence[MatchView], moves: int, longest: int, positions: int, **more: object
) -> str:
    script, style, renderer = _read("page.js"), _read("page.css") + series_style(), ""
    steps = steps_of(matches, positions, longest) if positions else Steps((StepsView(),) * len(matches), 0, 0)
    if any(own.frames for own in steps.matches):
        style += scene_style()
        renderer = f"{scene_script()}\n{_read('boards.js')}"
    boards = inline(board.image for match in matches for board in match.boards)
    drawn = iter(boards.images)
    return gathered(
        _environment()
        .get_template(template)
        .render(
            **more,
            matches=tuple(_bounded(matches, moves, longest)),
            shared=boards.shared,
            boards=[[_board(board, next(drawn), longest) for board in match.boards] for match in matches],
            # The page's own script and style are trusted; nothing else on the page is.
            script=Markup(script),
            style=Markup(style),
            renderer=Markup(renderer),
            steps=steps,
            style_hash=PLACE,
            script_hashes=[hashed(text) for text in (script, renderer) if text],
        )
    )


@cache
def _environment() -> Environment:
    """Where templates are compiled, each once."""
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(_read),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cells": _cells, "views": _views, "notes": footnotes, "parts": _parts}
    environment.tests["numeric"] = is_numeric
    return environment


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text("utf-8")


def _cells(table: Table) -> list[list[CellView]]:
    columns = [[row[i] for row in table.rows] for i in range(len(table.columns))]
    parts = [_name_parts(cells) if i in _keys(table) else {} for i, cells in enumerate(columns)]
    return [
        [_cell(cell, column, own) for cell, column, own in zip(row, table.columns, parts, strict=True)]
        for row in table.rows
    ]


def _keys(table: Table) -> range:
    """The columns that name the rows: the texts before the first number that is no count, at least the first text."""
    texts = [i for i, column in enumerate(table.columns) if not is_numeric(column) and column.title != "#"]
    first = next(
        (i for i, column in enumerate(table.columns) if is_numeric(column) and i > min(texts, default=0)), None
    )
    if first is None:
        return range(min(texts, default=0), min(texts, default=-1) + 1)
    return range(min(texts, default=first), first)


def _views(table: Table) -> list[ColumnView]:
    """The looks of a table's columns; the number that matters most stands first on a telephone."""
    keys = _keys(table)
    numbers = [i for i, column in enumerate(table.columns) if is_numeric(column)]
    measured = [i for i in numbers if table.columns[i].style != "count"] or [i for i in numbers if i >= keys.stop]
    lead = next(iter(measured), None)
    views: list[ColumnView] = []
    for i, column in enumerate(table.columns):
        found = ["number"] if i in numbers else []
        found += ["lead"] if i == lead else ["key"] if i in keys else []
        found += ["long"] if i in keys and any(len(str(row[i])) > _LONG for row in table.rows) else []
        views.append(ColumnView(" ".join(found), "" if i in keys else _quoted(column.title.strip())))
    return views


def _quoted(label: str) -> str:
    """A label as a style sheet writes it; none where it has signs with a meaning there."""
    return "" if set(label) & set('{}<>\\"\n') else f'--label: "{label}"'


def _parts(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """The parts of one of several names."""
    return shortened_parts(names, NAME)[name]


def _name_parts(cells: Sequence[Cell]) -> dict[str, tuple[str, ...]]:
    """Of long names the parts that are shown and those that are not; of two names with a dash, those of each."""
    names = list(dict.fromkeys(cell for cell in cells if isinstance(cell, str)))
    if max(map(len, names), default=0) <= NAME:
        return {}
    pairs = [name.partition(BETWEEN) for name in names]
    if not all(dash for _, dash, _ in pairs):
        return shortened_parts(names, NAME)
    parts = shortened_parts((name for a, _, b in pairs for name in (a, b)), NAME)
    return {
        name: (*parts[a][:-1], f"{parts[a][-1]}{dash}{parts[b][0]}", *parts[b][1:])
        for name, (a, dash, b) in zip(names, pairs, strict=True)
    }


def _cell(cell: Cell, column: Column, names: Mapping[str, tuple[str, ...]]) -> CellView:
    text, numeric = format_cell(cell, column), is_numeric(column)
    if isinstance(cell, Estimate):
        value, _, n = text.rpartition(" n=")
        value, bracket, interval = value.partition(" [")
        sort = "" if cell.value is None else repr(cell.value)
        return CellView(value, sort, f"[{interval}" if bracket else "", f"n={n}", cell.method, numeric)
    sort = "" if cell is None else str(cell) if isinstance(cell, str) else repr(float(cell))
    sort = "" if sort == text else sort
    parts = names.get(text, ())
    return CellView(text, sort, is_numeric=numeric, title=text if len(parts) > 1 else "", parts=parts)


def _figures(section: Section, numbers: Iterator[int]) -> Iterator[FigureView]:
    for figure in section.figures:
        try:
            yield FigureView(figure.title, Markup(draw(figure, f"f{next(numbers)}")), "", figure_tables(figure))
        except Exception as error:  # a figure comes from a plugin; its numbers are shown all the same
            yield _failed(figure, error)


def _failed(figure: Figure, error: Exception) -> FigureView:
    return FigureView(figure.title, None, f"cannot be drawn: {type(error).__name__}: {error}", figure_tables(figure))


def _undrawn(section: Section) -> Iterator[FigureView]:
    return (FigureView(figure.title, None, "", figure_tables(figure)) for figure in section.figures)


def _board(board: BoardImage, svg: Markup | None, longest: int) -> BoardView:
    words = board.image.alt
    return BoardView(f"step {board.step}: {_cut(words.partition('. ')[0], 100)}", svg, _cut(words, longest))


def _bounded(matches: Iterable[MatchView], moves: int, longest: int) -> Iterator[MatchView]:
    left = moves
    for match in matches:
        told = match.moves
        if told is not None and len(told) <= left:
            left -= len(told)
            cut = (
                attrs.evolve(move, text=_cut(move.text, longest), reasoning=_cut(move.reasoning, longest))
                for move in told
            )
            yield attrs.evolve(match, moves=tuple(cut))
        else:
            yield attrs.evolve(match, moves=None)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text) - longest:,} characters more)"
