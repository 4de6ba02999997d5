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
    assert shown.rows == (("two (21 variants)", "ann", 84, "10 (0 … 20)"), ("hex", "ann", 6, of(7)))
    assert "--by-variant" in made.notes[-1]


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
    made = folded(figures=(*singles, along, other))

    assert made.sections[0].figures == (other,)
    assert "10 figures of single variants are left out" in made.notes[-1]


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


def test_figures_along_variants_show_what_is_none():
    """A figure with many variants and something else along its axis is of that alone."""
    names = (*(f"two[number={i}]" for i in range(9)), "all games")
    along = Figure(kind="bar", title="refused", x=names, series={"ann": (*(0.0,) * 9, 0.5)})

    (shown,) = folded(figures=(along,)).sections[0].figures

    assert (shown.x, shown.series) == (("all games",), {"ann": (0.5,)})


def test_what_is_said_of_all_variants_together_is_their_row():
    """Where a row counts what all variants count, its estimate, which has an interval, stands for them."""
    rows = tuple((f"two[number={i}]", "ann", 4, of(i)) for i in range(9))
    (shown,) = (
        folded(Table(title="Rates", columns=COLUMNS, rows=(*rows, ("all games", "ann", 36, of(4))))).sections[0].tables
    )

    assert shown.rows == (("two (9 variants)", "ann", 36, of(4)),)


def test_another_game_is_no_sum_of_variants():
    """A row that counts something else than all variants together is another game's."""
    rows = tuple((f"two[number={i}]", "ann", 4, of(i)) for i in range(9))
    (shown,) = folded(Table(title="Rates", columns=COLUMNS, rows=(*rows, ("hex", "ann", 35, of(4))))).sections[0].tables

    assert [row[0] for row in shown.rows] == ["two (9 variants)", "hex"]


def test_agents_of_which_the_same_is_said_share_a_row():
    """Two equal rows have both names; the most of them, if more than two, are the others, and stand last."""
    quiet = tuple((f"two[number={i}]", name, 4, 0.0) for i in range(9) for name in ("ann", "ben", "cid"))
    pair = tuple((f"two[number={i}]", name, 4, 0.5) for i in range(9) for name in ("dee", "eve"))
    (shown,) = folded(Table(title="Refusals", columns=COLUMNS, rows=(*quiet, *pair))).sections[0].tables

    assert [row[1] for row in shown.rows] == ["dee, eve", "the other 3"]


def test_what_was_said_above_is_not_said_again():
    """A later table of the same name has only the rows in which it differs, and none at all is left out."""
    first = table(9)
    later = Table(title="Returns", columns=COLUMNS, rows=(*first.rows[:9], ("hex", "ann", 5, of(7))))
    same = Section(title="again", tables=(first,), text="x")
    sections = (Section(title="s", tables=(first,)), Section(title="t", tables=(later,)), same)
    made = fold_variants(Report(title="r", sections=sections, facts=()))

    assert [row[0] for row in made.sections[1].tables[0].rows] == ["hex"]
    assert "as above" in made.sections[1].tables[0].note
    assert made.sections[2].tables == ()
