"""Reports on many variants, asked for in full: how they stay short."""

from arena.tables import Column, Section, Table
from arena_cli.output import Terminal
from arena_cli.results.terminal import dense_sections

TERMINAL = Terminal(width=80, has_colour=False)


def table(title: str, rows: int, columns: int = 2) -> Table:
    """A table of numbers that differ."""
    numbers = tuple(Column(name=f"number {i}", title=f"number {i}", style="count") for i in range(columns))
    cells = tuple((f"agent {r}", *(1000 * r + i + 1 for i in range(columns))) for r in range(rows))
    return Table(title=title, columns=(Column(name="agent", title="agent"), *numbers), rows=cells)


def shown(most: int, *tables: Table) -> list[str]:
    """The lines of one section with these tables."""
    section = Section(title="Metric", tables=tables)
    return [line for part in dense_sections([section], TERMINAL, most) for line in part]


def test_tables_have_all_rows_where_there_is_room():
    """All rows are there, and of a table that is too wide the columns that it has no room for are named."""
    lines = shown(1000, table("first", 30), table("second", 30, 20))

    assert sum("agent 29" in line for line in lines) == 2
    assert sum("not shown" in line for line in lines) == 1
    assert "number 19" in " ".join(lines)


def test_rows_go_but_never_those_of_the_first_table():
    """The first table has all its rows, of the others the first ones are shown."""
    lines = shown(50, table("first", 30), table("second", 30), table("third", 3))

    assert len(lines) <= 50
    assert sum("agent 29" in line for line in lines) == 1
    assert any("22 more rows (--by-variant)" in line for line in lines)
    assert any("third" in line for line in lines)


def test_at_last_only_the_first_table_is_shown():
    """Where even the first rows of all tables are too many, the longest ones have none and say how many they are."""
    lines = shown(46, table("first", 30), table("second", 30), table("third", 20))

    assert len(lines) <= 46
    assert sum("agent 29" in line for line in lines) == 1
    assert any("not shown: 30 rows (--by-variant)" in line for line in lines)


def test_a_table_without_any_column_of_its_own_is_shortened_too():
    """It has no columns that could be left out, and stays within the lines that there are."""
    column = Column(name="agent", title="agent")
    alike = Table(
        title="alike", columns=(column, Column(name="v", title="v" * 90)), rows=(("a", "same"), ("a", "same"))
    )

    lines = shown(36, table("first", 30), alike)

    assert "alike" in lines
    assert len(lines) <= 36
