"""What runs and reports say first: the verdict, the ranking, and no more lines than there are to be."""

import json
import re
from pathlib import Path

import attrs
import pytest
from arena.tables import Column, Estimate, Section, Table
from arena_cli.output import OutputColumn, Terminal, table as output_table
from arena_cli.results.metric_tables import brief_table, full_table, says_something
from arena_cli.results.summary import Block, fitted, headline, standing_lines, summary
from arena_report import Report, RunHeadline
from arena_standings import Part, Row, Standings

BENCH = """
name: small
seed: 1
games: {ttt: {use: tic-tac-toe}}
agents: {one: {use: random}, two: {use: first-legal}}
schedule: {use: round-robin, repeats: 3}
"""
SHARE = Column(name="won", title="won", style="share")


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(BENCH)
    return path


def ranked(*names: str) -> tuple[Part, ...]:
    rows = (
        Row(agent=name, group=1, ranks=(1, len(names)), strength=0.0, rating=1500.0 - place, interval=(1400.0, None))
        for place, name in enumerate(names)
    )
    return (Part(rows=tuple(attrs.evolve(row, won=3, lost=3, matches=6) for row in rows)),)


def report(verdict: Standings, *sections: Section, **options: object) -> Report:
    head = RunHeadline(name="three", matches=6, planned=6, turns=40)
    return Report(title="three", sections=sections, facts=(), verdict=verdict, headline=head, **options)


def test_the_headline_says_what_was_played():
    """Matches, time, turns, illegal answers, models and money in one line; what there is none of is half a sentence."""
    plain = RunHeadline(name="three", matches=90, planned=90, seconds=7.2, turns=985)
    paid = RunHeadline(
        name="night",
        matches=88,
        planned=90,
        seconds=7200,
        turns=1000,
        illegal_turns=25,
        models=("gpt-4o",),
        cost_usd=1.5,
    )

    assert headline(plain) == "three · 90 matches in 7 s · 985 turns · no illegal answers · no model asked"
    assert headline(paid) == (
        "night · 88 of 90 matches in 2 h · 1,000 turns · illegal answers in 2.5 % of turns · gpt-4o · $1.50"
    )


@pytest.mark.parametrize("most", [8, 12, 20, 40])
def test_there_are_no_more_lines_than_wanted(most):
    """The ranking of many agents is cut so that the verdict stays on the screen."""
    verdict = Standings(sentences=("nobody leads.",), parts=ranked(*(f"agent-{n}" for n in range(60))))

    lines = summary(report(verdict), Terminal(), most)

    assert len(lines) <= most
    assert "nobody leads." in lines
    assert f"{60 - (most - 5) + 1} more agents" in lines[-1]


def test_the_less_important_goes_first():
    """Whole parts are left out, the least important one first, before any is cut."""
    parts = [Block(["a"]), Block(["b"] * 6, importance=2), Block(["c"] * 3, importance=1)]

    assert fitted(parts, 12) == ["a", "", *["b"] * 6, "", *["c"] * 3]
    assert fitted(parts, 11) == ["a", "", *["b"] * 6]
    assert fitted(parts, 7) == ["a"]


def test_doubts_name_the_command_to_paste():
    """A run that is to be resumed is named by its directory, and what failed stands directly under the verdict."""
    verdict = Standings(
        sentences=("one leads.",),
        parts=ranked("one", "two"),
        doubts=("1 match failed (ttt: out of memory); arena resume RUN plays it again",),
    )
    head = RunHeadline(name="three", matches=5, planned=6)
    made = Report(title="three", sections=(), facts=(), verdict=verdict, headline=head)

    lines = summary(made, Terminal(width=120), 20, directory="runs/three")

    assert lines[2] == "one leads."
    assert lines[3] == "Doubts: 1 match failed (ttt: out of memory); arena resume runs/three plays it again."


def test_table_of_zeros_says_nothing():
    """Zeros, counts that equal what was counted, and an exact 1 without an interval are no news."""
    columns = (
        Column(name="agent", title="agent"),
        Column(name="turns", title="turns", style="count"),
        Column(name="answered", title="answered", style="count"),
        Column(name="per", title="answers per turn", style="number"),
    )
    calm = Table(title="Calm", columns=columns, rows=(("one", 7, 7, Estimate(value=1.0, n=3)), ("two", 8, 8, None)))
    busy = Table(title="Busy", columns=columns, rows=(("one", 7, 6, Estimate(value=1.0, n=3)), ("two", 8, 8, None)))

    assert not says_something(calm)
    assert says_something(busy)


def test_value_interval_and_n_have_a_column_each():
    """An estimate takes three columns; an open end is told by its bound, and a column of zeros is left out."""
    columns = (Column(name="agent", title="agent"), Column(name="lost", title="lost", style="count"), SHARE)
    rows = (
        ("one", 0, Estimate(value=0.575, n=20, low=0.35, high=0.8, unit="blocks")),
        ("two", 0, Estimate(value=0.9, n=20, low=0.7, unit="blocks")),
    )
    table = Table(title="Wins", columns=columns, rows=rows)

    lines = brief_table(Section(title="Outcomes", tables=(table,)), table, Terminal())

    assert lines == [
        "Outcomes: Wins",
        "  agent   won  95 %      blocks",
        "  one    57 %  [35, 80]      20",
        "  two    90 %  ≥ 70          20",
    ]


def test_columns_that_do_not_fit_are_named_or_become_rows():
    """A brief table names what it leaves out; a full one of one row is turned."""
    columns = (
        Column(name="agent", title="agent"),
        *(Column(name=f"c{n}", title=f"column {n}", style="count") for n in range(9)),
    )
    table = Table(title="Wide", columns=columns, rows=(("one", *range(1, 10)),))
    terminal = Terminal(width=50)

    brief = brief_table(Section(title="Wide", tables=(table,)), table, terminal)
    full = full_table(table, terminal)

    assert "column 8" in brief[-1]
    assert "(--full)" in brief[-1]
    assert full[1] == "  agent     one"
    assert full[2:] == [f"  column {n}    {n + 1}" for n in range(9)]
    assert max(map(len, [*brief, *full])) <= 50


def test_names_of_a_sweep_are_apart_in_a_narrow_table():
    """What differs between long names is shown in every row, also where two of them stand in one cell."""
    names = [f"a-searching-player (simulations={n}, exploration={c})" for n in (2, 20) for c in (0.5, 1.0)]
    alone = [OutputColumn(title="agent", shortens=True), OutputColumn(title="n", align="right")]
    pairs = [OutputColumn(title="pair", shortens=True), OutputColumn(title="lead")]

    shown = output_table(alone, [(name, "1") for name in names], Terminal(width=40))
    compared = output_table(pairs, [(f"{names[0]} \u2013 {name}", "+1") for name in names[1:]], Terminal(width=50))

    assert [re.findall(r"[\d.]+", line)[:2] for line in shown[1:]] == [
        ["2", "0.5"],
        ["2", "1.0"],
        ["20", "0.5"],
        ["20", "1.0"],
    ]
    assert [re.findall(r"[\d.]+", line)[:4] for line in compared[1:]] == [
        ["2", "0.5", "2", "1.0"],
        ["2", "0.5", "20", "0.5"],
        ["2", "0.5", "20", "1.0"],
    ]
    assert max(map(len, shown)) <= 40
    assert max(map(len, compared)) <= 50


def test_run_prints_json_in_place_of_its_path(arena, bench):
    """One object with the path, how far it got, and the verdict."""
    done = arena("run", bench, "-o", "run", "--json")

    found = json.loads(done.stdout)
    assert done.exit_code == 0, done.stderr
    assert (found["format"], found["run"], found["report"]) == (1, "run", "run/report.html")
    assert found["matches"] == {"planned": 6, "finished": 6, "failed": 0}
    assert found["stopped"] is None
    assert found["verdict"]["parts"][0]["rows"][0]["matches"] == 6
    assert [pair["matches"] for pair in found["verdict"]["parts"][0]["pairs"]] == [6]


def test_report_prints_every_number_with_its_n(arena, bench):
    """One object with verdict, tables and figures, in which each estimate has n, interval and unit."""
    arena("run", bench, "-o", "run", "-q", "--set", "name=night")
    done = arena("report", "run", "--json")

    found = json.loads(done.stdout)
    cells = [c for s in found["sections"] for t in s["tables"] for row in t["rows"] for c in row if isinstance(c, dict)]
    assert done.exit_code == 0, done.stderr
    assert found["format"] == 1
    assert found["headline"]["name"] == "night"
    assert found["made_by"] == [f"arena run {bench} --set name=… (seed 1) with arena 0.1.0"]
    assert len(cells) > 5
    assert {tuple(cell) for cell in cells} == {("value", "n", "unit", "interval", "standard_error", "level", "method")}


def test_json_is_all_there_is(arena, bench):
    """What chooses another form of the report does not go with --json."""
    arena("run", bench, "-o", "run", "-q")

    done = arena("report", "run", "--json", "--format", "markdown")

    assert done.exit_code == 2
    assert "--json prints everything as one object" in " ".join(done.stderr.split())


@pytest.mark.campaign
def test_nothing_stands_below_the_paths(arena, bench):
    """The verdict is followed by the paths alone, and the directory is the only line on standard output."""
    done = arena("run", bench, "-o", "run")

    assert done.stdout == "run\n"
    assert done.stderr.splitlines()[-2:] == ["report  run/report.html", "more    arena report run --full"]


def full_part(size: int, matches: int = 120) -> Part:
    """Agents with names of 23 characters, of which one failed in every tenth match and has another place by play."""
    rows = [
        Row(
            agent=f"agent number {n:02} (short)",
            group=1 + n // 4,
            ranks=(max(1, n - 2), min(size, n + 3)),
            strength=0.0,
            rating=1900.0 - 50 * n,
            interval=(1700.0 - 50 * n, 2100.0 - 50 * n),
            won=matches - 10,
            drawn=4,
            lost=6,
            matches=matches,
            refused=matches // 10 if n == 1 else 0,
            by_play=n + 1,
        )
        for n in range(size)
    ]
    return Part(rows=tuple(rows), reference=rows[-1].agent)


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("size", [2, 12])
def test_the_first_table_is_whole(width, size):
    """Group, ranks, agent, rating with interval, outcomes, share invalid and matches are there, no name cut."""
    part = full_part(size)

    head, *lines = standing_lines(part, 0.95, Terminal(width=width))

    assert all(len(line) <= width for line in (head, *lines))
    assert " ".join(head.split()).startswith("gr # agent Elo 95 % W–D–L inv. ")
    for row, line in zip(part.rows, lines, strict=True):
        ends = f"[{row.interval[0]:.0f}, {row.interval[1]:.0f}]"
        share = f"{100 * row.share_refused:.0f} %"
        told = " ".join(line.split())
        assert told.startswith(f"{row.group} {row.rank} {row.agent} {row.rating:.0f} {ends} 110–4–6 {share} ")
        assert " 120" in told


def test_long_names_are_cut_before_numbers_go():
    """A name that does not fit is shortened in its middle, and each number stays."""
    rows = (attrs.evolve(full_part(2).rows[0], agent=f"{'a' * 40} (direct)"), full_part(2).rows[1])

    _, line, _ = standing_lines(Part(rows=rows), 0.95, Terminal(width=80))

    assert "…" in line
    assert all(word in line for word in ("direct)", "1900", "[1700, 2100]", "110–4–6", "120"))


def test_one_match_has_the_same_table():
    """With a single match each column is there that has a number."""
    rows = [
        Row(agent=name, group=1, ranks=(1, 2), strength=0.0, won=won, lost=1 - won, matches=1)
        for name, won in (("one", 1), ("two", 0))
    ]

    lines = standing_lines(Part(rows=tuple(rows)), 0.95, Terminal(width=80))

    assert [" ".join(line.split()) for line in lines] == [
        "group # agent 95 % won–drawn–lost matches",
        "1 1–2 one no interval 1–0–0 1",
        "1 1–2 two no interval 0–0–1 1",
    ]
