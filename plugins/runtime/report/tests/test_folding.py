"""Many variants of a game in one row: what is said of them, and where their own rows are."""

import pytest
from arena.tables import Column, Estimate, Figure, Section, Table
from arena_report import Report, fold_variants

COLUMNS = (
    Column(name="game", title="game"),
    Column(name="agent", title="agent"),
    Column(name="matches", title="matches", style="count"),
    Column(name="mean", title="mean return", style="number"),
)


def of(number: int) -> Estimate:
    return Estimate(value=float(number), n=4, low=number - 1.0, high=number + 1.0)


def table(variants: int) -> Table:
    """A table with a row for each variant of a game, and one of another game."""
    rows = tuple((f"two[number={i}]", "ann", 4, of(i)) for i in range(variants))
    return Table(title="Returns", columns=COLUMNS, rows=(*rows, ("hex", "ann", 6, of(7))))


def folded(*tables: Table, figures: tuple[Figure, ...] = ()) -> Report:
    return fold_variants(Report(title="r", sections=(Section(title="s", tables=tables, figures=figures),), facts=()))


def test_many_variants_are_one_row_with_their_spread():
    """Counts are added up; other numbers are the mean, with the least and the greatest; other games stay."""
    made = folded(table(21))

    (shown,) = made.sections[0].tables
    assert shown.rows == (("two (21 variants)", "ann", 84, "10.000 (0.000 … 20.000)"), ("hex", "ann", 6, of(7)))
    assert "--by-variant" in shown.note


def test_rows_of_variants_are_kept_the_greatest_deviation_first():
    """The rows that were folded are in the report's variants, and those that differ most come first."""
    (variants,) = folded(table(21)).variants

    assert variants.title == "s"
    games = [row[0] for row in variants.tables[0].rows]
    assert len(games) == 21
    assert set(games[:2]) == {"two[number=0]", "two[number=20]"}
    assert games[-1] == "two[number=10]"


@pytest.mark.parametrize("variants", [0, 1, 8])
def test_few_variants_stay_as_they_are(variants):
    """What can be read one by one is not folded."""
    made = folded(table(variants))

    assert made.sections[0].tables == (table(variants),)
    assert made.variants == ()


def test_figures_of_many_single_variants_are_left_out():
    """A figure for each of many variants, and one along all of them, would make a report too long to be read."""
    singles = [Figure(kind="bar", title=f"two[number={i}]: won", x=("a",), series={"won": (1.0,)}) for i in range(9)]
    names = tuple(f"two[number={i}]" for i in range(9))
    along = Figure(kind="bar", title="won", x=names, series={"won": (1.0,) * 9})
    other = Figure(kind="bar", title="hex: won", x=("a",), series={"won": (1.0,)})
    (section,) = folded(figures=(*singles, along, other)).sections

    assert section.figures == (other,)
    assert "10 figures of single variants are left out" in section.text


def test_what_is_the_same_in_all_variants_stays_a_number():
    """A value that all variants share is no text, so that a column of zeros is known as one."""
    zero = Estimate(value=0.0, n=4, unit="matches")
    rows = tuple((f"two[number={i}]", "ann", 4, zero) for i in range(9))
    others = tuple((f"two[number={i}]", "ben", 4, 2.5) for i in range(9))
    (shown,) = folded(Table(title="Returns", columns=COLUMNS, rows=(*rows, *others))).sections[0].tables

    assert shown.rows == (
        ("two (9 variants)", "ann", 36, Estimate(value=0.0, n=36, unit="matches")),
        ("two (9 variants)", "ben", 36, 2.5),
    )
