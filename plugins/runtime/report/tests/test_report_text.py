"""Reports as text: numbers, terminal, Markdown, LaTeX."""

import re

import attrs
import pytest
from arena.tables import Column, Estimate, Figure, Section, Table
from arena_cli.output import Terminal
from arena_cli.results.terminal import report_lines
from arena_report.content.contract import Report
from arena_report.formats.formatting import figure_table, footnotes, format_cell
from arena_report.formats.latex import escaped, render as latex
from arena_report.formats.markdown import render as markdown

WON = Estimate(value=0.58, n=200, low=0.51, high=0.65, method="Wilson")
SHARE = Column(name="won", title="won", style="share")
NUMBER = Column(name="mean", title="mean return", style="number")
NASTY = r"a|b_c*d `e` <script> $f^2$ 50% & #1 {x} \end ~ [red]bold[/red] — …"


def report(*tables: Table, text: str = "", figures: tuple[Figure, ...] = ()) -> Report:
    section = Section(title="Results", tables=tables, text=text, figures=figures)
    return Report(title="night", sections=(section,), facts=(Section(title="Runs"),), notes=("mind the gap",))


def table(*names: str) -> Table:
    columns = (Column(name="agent", title="agent"), SHARE, NUMBER)
    return Table(title="Wins", columns=columns, rows=tuple((name, WON, WON) for name in names), note="Two seats.")


def printed(what: Report, width: int, *, is_brief: bool = False) -> str:
    return "\n".join(report_lines(what, Terminal(width=width), is_brief=is_brief))


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (WON, None, "0.58 [0.51, 0.65] n=200"),
        (WON, SHARE, "58% [51, 65] n=200"),
        (Estimate(value=0.5, n=3, low=0.499, high=0.501, unit="blocks"), None, "0.5000 [0.4990, 0.5010] n=3 blocks"),
        (Estimate(value=None, n=0), None, "— n=0"),
        (Estimate(value=1.0, n=1), SHARE, "100.0% n=1"),
        (Estimate(value=-0.001, n=9, low=-0.3, high=0.3), None, "0.00 [-0.30, 0.30] n=9"),
        (Estimate(value=0.5, n=2, low=0.0, high=20.0), None, "0.5 [0, 20] n=2"),
        (Estimate(value=-1.0, n=5, low=-7.0, high=13.0), None, "-1 [-7, 13] n=5"),
        (Estimate(value=0.125, n=8, low=0.01, high=0.5), SHARE, "12% [1, 50] n=8"),
        (None, SHARE, "—"),
        (True, None, "yes"),
        (12345, Column(name="n", title="n", style="count"), "12,345"),
        (0.25, SHARE, "25.0%"),
        (1.5, Column(name="c", title="c", style="money"), "$1.500"),
        (2, Column(name="c", title="c", style="seconds"), "2.000 s"),
        (0.00005, None, "5e-05"),
        ("name", SHARE, "name"),
    ],
)
def test_numbers_show_what_their_interval_warrants(cell, column, text):
    """Value, interval and n, with two digits of the interval's width; nothing is a dash."""
    assert format_cell(cell, column) == text


def test_notes_say_how_intervals_were_made():
    """Each way once, with the level; numbers that differ from row to row from the least to the greatest."""
    clustered = Estimate(value=0.5, n=2, low=0.1, high=0.9, method="Wilson, 3.1 effective trials")
    rows = ((clustered,), (attrs.evolve(clustered, method="Wilson, 12 effective trials"),), (WON,), (WON,))

    assert footnotes(Table(title="t", columns=(SHARE,), rows=rows, note="Mind.")) == (
        "Mind.",
        "Intervals at 95%: Wilson, 3.1 to 12 effective trials; Wilson.",
    )


def test_figures_have_their_numbers_as_a_table():
    """One row for each place along x, one column for each series; references are said in words."""
    figure = Figure(kind="bar", title="t", x=("a", 2.0), series={"s": (WON, None)}, references={"random": 0.5})

    found = figure_table(figure)

    assert found.rows == (("a", WON), ("2", None))
    assert found.note == "For comparison: random 0.500."


def test_terminal_gives_estimates_three_columns():
    """Value, interval and n have a column each."""
    text = printed(report(table("ann")), 120)

    assert "agent   won  95 %      matches" in text
    assert "ann    58 %  [51, 65]      200" in text


@pytest.mark.parametrize("width", [28, 52])
def test_narrow_table_of_few_rows_is_turned(width):
    """Where it is too narrow for the columns each of them is a line, and nothing is left out."""
    text = printed(report(table("ann")), width)

    lines = [line.split() for line in text.splitlines()]
    assert ["agent", "ann"] in lines
    assert ["won", "58", "%"] in lines
    assert ["95", "%", "[51,", "65]"] in lines
    assert ["matches", "200"] in lines
    assert ["mean", "return", "0.58"] in lines
    assert ["95", "%", "[0.51,", "0.65]"] in lines
    assert max(map(len, text.splitlines())) <= width


def test_very_narrow_terminal_names_the_columns_it_has_no_room_for():
    """Where neither fits, those that are left out are named, with where they are."""
    shares = [attrs.evolve(WON, value=0.5 + i / 100, n=200 + i) for i in range(9)]
    wide = attrs.evolve(table("ann"), rows=tuple((f"ann {i}", won, won) for i, won in enumerate(shares)))

    text = " ".join(printed(report(wide), 24).split())

    assert "not shown:" in text
    assert "-o report.html" in text


def test_terminal_prints_text_as_it_is():
    """Markup in names is shown, not obeyed."""
    assert "[red]bold[/red]" in printed(report(table("[red]bold[/red]"), text="[b]"), 120)


def test_narrow_terminal_gets_every_number_and_no_line_too_long():
    """A table of two rows that is too wide is turned, with nothing left out and nothing over the edge."""
    columns = tuple(Column(name=f"share {i}", title=f"share {i}", style="share") for i in range(9))
    cells = tuple(attrs.evolve(WON, value=0.5 + i / 100, n=200 + i) for i in range(18))
    wide = Table(title="Wide", columns=columns, rows=(cells[:9], cells[9:]))

    text = printed(report(wide), 60)

    assert max(map(len, text.splitlines())) <= 60
    assert [i for i in range(9) if not re.search(rf"{50 + i} % +{59 + i} %\n.*\n.* {200 + i} +{209 + i}\n", text)] == []


def test_narrow_terminal_never_cuts_a_table_into_parts():
    """One with too many rows to be turned is one table, and names the columns that it has no room for."""
    columns = tuple(Column(name=f"share {i}", title=f"share {i}", style="share") for i in range(9))
    rows = tuple(tuple(attrs.evolve(WON, value=r / 100 + i / 50, n=200 + r - i) for i in range(9)) for r in range(20))

    text = printed(report(Table(title="Wide", columns=columns, rows=rows)), 60)

    assert len(re.findall(r"^ +19 % +\[51, 65\] +219 +21 %", text, re.MULTILINE)) == 1
    assert "not shown: share 2, share 3, share 4, share 5," in text


def test_brief_terminal_report_has_the_first_tables_and_the_notes():
    """The first table of each result, no facts, the notes, and how many tables there are beside."""
    second = Table(title="Second", columns=(SHARE,), rows=((WON,),))
    what = report(table("ann"), second)

    brief, full = printed(what, 120, is_brief=True), printed(what, 120)

    assert "Results: Wins" in brief
    assert "Second" not in brief
    assert "Runs" not in brief
    assert "mind the gap" in brief
    assert "one more table: --full (Results)" in brief
    assert "Second" in full
    assert "Runs" in full


def test_markdown_tables():
    """One row per line, numbers to the right, notes below."""
    lines = markdown(report(table("ann"))).splitlines()

    at = lines.index("| agent | won | mean return |")
    assert lines[at + 1] == "| --- | ---: | ---: |"
    assert lines[at + 2] == r"| ann | 58% \[51, 65\] n=200 | 0.58 \[0.51, 0.65\] n=200 |"
    assert lines[at + 4] == "Two seats."


def test_markdown_interprets_nothing():
    """No character of a name is left with a meaning in Markdown, and cells stay in their columns."""
    (line,) = [line for line in markdown(report(table(NASTY))).splitlines() if "script" in line]

    assert len(re.findall(r"(?<!\\)\|", line)) == 4
    assert "\\<script\\>" in line
    assert re.search(r"(?<!\\)[*_`<]", line) is None


def test_markdown_settings_cannot_break_out():
    """A fence in the settings is enclosed by a longer one."""
    what = Report(title="t", sections=(), facts=(), settings={"run": {"prompt": "```\n# not a heading"}})

    assert "````json" in markdown(what)


def test_latex_escapes_everything():
    """Every special character is written so that it is printed."""
    assert escaped("a_b & 50% $x$ #1 {y} ~ ^ \\ <") == (
        r"a\_b \& 50\% \$x\$ \#1 \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{} \textless{}"
    )
    assert escaped("--") == "{-}{-}"
    assert escaped("one\ntwo") == "one two"


def test_latex_tables_are_whole():
    """Each table has its environment, rules, caption and as many cells as columns, also with a hostile name."""
    text = latex(
        report(table(NASTY, "[second]"), figures=(Figure(kind="bar", title="f", x=("a",), series={"s": (1.0,)}),))
    )

    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 2
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert all(len(re.findall(r"(?<!\\)&", row)) == 2 for row in rows[:3])
    assert rows[2].startswith("{[}second{]}")
    assert r"\begin{tabular}{lrr}" in text


def test_failed_metric_is_shown_everywhere():
    """The reason stands in each kind of text."""
    what = Report(title="t", sections=(Section(title="style", text="failed: 50% of it"),), facts=())

    assert "failed: 50% of it" in printed(what, 80)
    assert "failed: 50% of it" in markdown(what)
    assert r"failed: 50\% of it" in latex(what)


def test_table_without_rows_is_shown_in_full():
    """A table with text in its last column and no row has its heading alone."""
    columns = (Column(name="n", title="n", style="count"), Column(name="why", title="why"))
    what = Report(
        title="r", sections=(Section(title="s", tables=(Table(title="Empty", columns=columns, rows=()),)),), facts=()
    )

    assert "Empty" in printed(what, 80)
