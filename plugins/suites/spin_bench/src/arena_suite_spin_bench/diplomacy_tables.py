"""Tables 2, 9 and 10, the ablation and Figure 4 of SPIN-Bench: Diplomacy, beside what the paper printed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from arena.tables import Cell, Column, Figure, Section, Table
from arena_metric_diplomacy.centres import DiplomacyCentres
from arena_metric_diplomacy.grouping import GREEDY, RANDOM
from arena_metric_diplomacy.knowledge import DiplomacyKnowledge
from arena_metric_diplomacy.knowledge_reports import REPORT
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.proportions import share

from arena_suite_spin_bench.diplomacy_negotiation import negotiation_tables
from arena_suite_spin_bench.diplomacy_results import (
    ABLATION,
    BASIC,
    KINDS,
    SETTING,
    TESTED,
    DiplomacyResults,
    DiplomacyRows,
    Talk,
)
from arena_suite_spin_bench.main_table import MEASURED, PUBLISHED, REFERENCE
from arena_suite_spin_bench.results import SpinResults
from arena_suite_spin_bench.shipped_numbers import published

TITLE: Final = "SPIN-Bench: Diplomacy"
TOGETHER: Final = "all matches"

_TALKS: Final[tuple[tuple[Talk, str], ...]] = (("silent", "w/o"), ("talking", "with"))
_SHORT: Final = {"move": "Move", "attack": "Att.", "self_code": "SS", "others_code": "SO"}
_PRINTED: Final = {"move": "move", "attack": "attack", "self_code": "support-self", "others_code": "support-others"}
_REFERENCES: Final = (RANDOM, GREEDY)

_TEXT: Final = (
    "Rows of Table 10 are the tested agent in the seats of Table 6, without negotiation (w/o) and with it (with); SC "
    "are its centres and CR the provinces under its influence at the end. Orders are counted as in the original's "
    "code: all supports, those to hold included. Random and greedy play are all players without talk."
)
_DOUBLED: Final = (
    "SS as printed by the original has a doubled denominator: its program counts each support-self order twice and "
    "adds the supports of others. Published numbers of orders given are corrected here, (T self - T others) / 2, and "
    "so are their rates; the columns 'printed' show what the original prints, for measured rows what it would print."
)


def diplomacy_section(results: SpinResults, labels: str) -> Section:
    """All tables and figures of Diplomacy; ``labels`` is a file of people's annotations. What is missing is named."""
    found = DiplomacyResults(results)
    negotiation = list(negotiation_tables(results, labels))
    if not any(row.name == SETTING for row in results.rows) and not negotiation:
        return Section(title=TITLE, text="Not measured: Tables 2, 9, 10 and 11 and Figure 4 (suite:spin-diplomacy-…).")
    tables = [_basic(found), *_orders(found), *negotiation, _ablation(found)]
    shown = [table for table in tables if any(row[1] == MEASURED for row in table.rows)]
    missing = [table.title for table in tables if table not in shown]
    facts = list(_facts(found))
    told = f" Not measured: {'; '.join(missing)}." if missing else ""
    return Section(
        title=TITLE,
        tables=(*shown, *(table for each in facts for table in each.tables)),
        figures=(*(figure for each in facts for figure in each.figures), *_curves(found)),
        text=f"{_TEXT}{told}",
    )


def _basic(found: DiplomacyResults) -> Table:
    """Table 9: France against six neutral powers."""
    rows = [(agent, MEASURED, *_ends(found.of(BASIC, agent))) for agent in found.agents(BASIC)]
    rows += [(who, REFERENCE, *_ends(found.reference(BASIC, who))) for who in _REFERENCES] if rows else []
    for row in published("table-9"):
        rows.append((row["system"], PUBLISHED, float("years" in row), row.get("years"), row["centres"]))
    columns = (*text("agent", "row"), *shares("won"), *numbers("years to win", "centres"))
    note = (
        "Won: 18 centres by 1920; years to win are those of matches that were won. Published rows are one match each."
    )
    title = "Table 9: one agent as France against neutral powers"
    return Table(title=title, columns=columns, rows=tuple(rows), note=note)


def _ends(rows: DiplomacyRows) -> tuple[Cell, ...]:
    wins = rows.wins()
    won = share(wins, clusters=[row.block for row in rows.standings], level=rows.level) if wins else None
    return won, rows.years(), rows.centres()


def _orders(found: DiplomacyResults) -> Iterator[Table]:
    """Table 10, with the rows of Table 2 that it leaves out: rates, then the numbers behind them."""
    whole = [(str(number), agent) for number in TESTED for agent in found.agents(str(number))]
    for title, make, columns, note in (
        ("Table 10: orders that came about, centres and regions", _rates, _rate_columns(), _DOUBLED),
        ("Table 10: moves and attacks", _moves, _count_columns(("move", "attack")), "S: succeeded; T: given."),
        ("Table 10: supports", _supports, _support_columns(), f"S: succeeded; T: given. {_DOUBLED}"),
    ):
        rows: list[tuple[Cell, ...]] = []
        for suite, agent in whole:
            sides = [found.of(suite, agent, talk) for talk, _ in _TALKS]
            rows.append((f"{suite}: {agent}", MEASURED, *make(sides)))
        for suite in dict.fromkeys(suite for suite, _ in whole) if make is _rates else ():
            for who in _REFERENCES:
                sides = [found.reference(suite, who, "silent"), found.reference("", who)]
                rows.append((f"{suite}: {who}", REFERENCE, *make(sides)))
        rows += _published(make)
        yield Table(title=title, columns=(*text("agent", "row"), *columns), rows=tuple(rows), note=note)


def _rates(sides: Sequence[DiplomacyRows]) -> Iterator[Cell]:
    for kind in KINDS:
        yield from (side.rate(kind) if side.orders else None for side in sides)
    yield from (side.centres() for side in sides)
    yield from (side.regions() for side in sides)


def _moves(sides: Sequence[DiplomacyRows]) -> Iterator[Cell]:
    for kind in KINDS[:2]:
        for side in sides:
            yield from (side.sum("succeeded", kind), side.sum("given", kind))


def _supports(sides: Sequence[DiplomacyRows]) -> Iterator[Cell]:
    for side in sides:
        yield from (side.sum("succeeded", "self_code"), side.sum("given", "self_code"), side.printed_rate())
        yield from (side.sum("succeeded", "others_code"), side.sum("given", "others_code"))


def _rate_columns() -> tuple[Column, ...]:
    rates = (f"{_SHORT[kind]} {word}" for kind in KINDS for _, word in _TALKS)
    return (*shares(*rates), *numbers(*(f"{what} {word}" for what in ("SC", "CR") for _, word in _TALKS)))


def _count_columns(kinds: Iterable[str]) -> tuple[Column, ...]:
    return counts(*(f"{_SHORT[kind]} {what} {word}" for kind in kinds for _, word in _TALKS for what in "ST"))


def _support_columns() -> tuple[Column, ...]:
    made: list[Column] = []
    for _, word in _TALKS:
        made += [*counts(f"SS S {word}", f"SS T {word}"), *shares(f"SS printed {word}")]
        made += counts(f"SO S {word}", f"SO T {word}")
    return tuple(made)


def _published(make: Any) -> Iterator[tuple[Cell, ...]]:
    """The published rows of both tables, side by side without and with negotiation."""
    pairs: dict[tuple[str, str], dict[bool, Mapping[str, Any]]] = {}
    for row in published("table-10"):
        pairs.setdefault((str(row["agents"]), row["system"]), {})[row["negotiation"]] = row
    for row in published("table-2-orders"):
        pairs.setdefault(("4", row["system"]), {})[row["negotiation"]] = row
    cells = {_rates: _published_rates, _moves: _published_moves, _supports: _published_supports}[make]
    for (suite, system), sides in sorted(pairs.items(), key=lambda pair: pair[0][0]):
        yield (f"{suite}: {system}", PUBLISHED, *cells([sides[False], sides[True]]))


def _published_rates(sides: Sequence[Mapping[str, Any]]) -> Iterator[Cell]:
    for number, kind in enumerate(KINDS):
        yield from (_rate(side, kind, side["rates"][number]) for side in sides)
    yield from (side["centres"] for side in sides)
    yield from (side["regions"] for side in sides)


def _rate(side: Mapping[str, Any], kind: str, printed: float) -> Cell:
    """A published rate: where the numbers are printed too, of these, with those of support-self corrected."""
    if "move" not in side:
        return None if kind == "self_code" else printed
    succeeded, given = _numbers(side, kind)
    return succeeded / given if given else None


def _numbers(side: Mapping[str, Any], kind: str) -> tuple[int, int]:
    succeeded, given = side[_PRINTED[kind]]
    return succeeded, (given - side["support-others"][1]) // 2 if kind == "self_code" else given


def _published_moves(sides: Sequence[Mapping[str, Any]]) -> Iterator[Cell]:
    for kind in KINDS[:2]:
        for side in sides:
            yield from _numbers(side, kind) if "move" in side else (None, None)


def _published_supports(sides: Sequence[Mapping[str, Any]]) -> Iterator[Cell]:
    for side in sides:
        known = "move" in side
        yield from _numbers(side, "self_code") if known else (None, None)
        yield side["rates"][KINDS.index("self_code")]
        yield from _numbers(side, "others_code") if known else (None, None)


def _ablation(found: DiplomacyResults) -> Table:
    """The ablation of appendix D.3; measured rows are the agents of the suite, by their names."""
    rows: list[tuple[Cell, ...]] = [
        (agent, MEASURED, None, None, *_ends(found.of(ABLATION, agent))) for agent in found.agents(ABLATION)
    ]
    for row in published("ablation"):
        asked = ["yes" if row[name] else "no" for name in ("steps", "facts")]
        rows.append((row["system"], PUBLISHED, *asked, float("years" in row), row.get("years"), row["centres"]))
    columns = (*text("agent", "row", "steps", "facts"), *shares("won"), *numbers("years to win", "centres"))
    note = (
        "Steps: whether the prompt has steps to think through; facts: whether it asks for a report of what the player "
        "believes. Of measured rows the agents' names say it, or the run's settings."
    )
    return Table(title="Appendix D.3: ablation of the prompt", columns=columns, rows=tuple(rows), note=note)


def _facts(found: DiplomacyResults) -> Iterator[Section]:
    """Figure 4: F1 of what players report of their position, over all matches in which they were asked."""
    rows = [attrs.evolve(row, game=TOGETHER) for row in found.results.rows if row.name == REPORT]
    if rows:
        (made,) = DiplomacyKnowledge().summarize(attrs.evolve(found.measurements, rows=rows))
        by_agent, by_field, *_ = (attrs.evolve(each, title=f"Figure 4: {each.title.lower()}") for each in made.tables)
        figures = (
            attrs.evolve(
                each,
                title=each.title.replace(TOGETHER, "Figure 4"),
                note=f"{each.note} The paper's figure has no numbers.",
            )
            for each in made.figures
        )
        shown = attrs.evolve(by_agent, note=f"{by_agent.note} {made.text}".strip())
        yield attrs.evolve(made, tables=(shown, by_field), figures=tuple(figures))


def _curves(found: DiplomacyResults) -> Iterator[Figure]:
    """Centres by year of everybody, for each game of the suites."""
    games = [game for game, (suite, _) in found.settings.items() if suite]
    rows = [row for row in found.results.rows if row.game in games]
    if rows:
        for section in DiplomacyCentres().summarize(attrs.evolve(found.measurements, rows=rows)):
            yield from (figure for figure in section.figures if figure.y_title == "centres")
