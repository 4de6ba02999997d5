"""The report ``spin-bench``, from small runs of the suites to its tables, its figures and its files."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import arena
import pytest
from arena.errors import ConfigError
from arena.metric import MeasurementRow
from arena.record import Ending
from arena.tables import Cell, Estimate, Figure, Section, Table
from arena_cli.application.group import group
from arena_engine import Journal
from arena_report import Report, Screen, build
from arena_suite_spin_bench.hanabi_tables import scores_of_people
from arena_suite_spin_bench.layout import laid_out
from arena_suite_spin_bench.main_table import SCORES, average
from arena_suite_spin_bench.report import SpinBenchReport
from arena_suite_spin_bench.runs_together import BOARD, one_name_each
from arena_suite_spin_bench.scores import SpinBenchScores
from arena_suite_spin_bench.shipped_numbers import published, random_play
from click.testing import CliRunner

pytestmark = pytest.mark.xdist_group("report")  # one process: what all tests here share takes long to make

TASKS = ["blocksworld#1", "blocksworld#2", "logistics#1", "rovers#1", "satellite#1", "elevator#1"]
CUT_OFF = {
    "use": "llm",
    "backend": {
        "use": "scripted",
        "answers": ["First I read the initial state, and then what is to be reached."],
        "faults": [{"kind": "truncated", "share": 1.0}],
    },
    "constrained": False,
}
ONCE = {"use": "self-play"}
LOST = {"retries": 0, "then": "forfeit"}
ENGINE = {"use": "stockfish", "skill": 0, "nodes": 300, "tags": ["solver"]}


def played(directory: Path, name: str, benchmark: dict[str, Any]) -> Path:
    """One run of a benchmark as data."""
    return arena.run({"name": name, "seed": 1, **benchmark}, output=directory / name).directory


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Small versions of all suites, with an agent called ``mine`` in each and others in some."""
    place = tmp_path_factory.mktemp("runs")
    sweep = {"games.planning.tasks": TASKS}
    plans = {"games": {"planning": {"use": "planning"}}, "sweep": sweep, "schedule": ONCE, "illegal_actions": LOST}
    asked = {"agents": {"mine": "first-legal", "random": "random"}, "schedule": ONCE, "illegal_actions": LOST}
    lengths = {"games.questions.length": [2, 4, 6], "games.questions.number": [0, 1, 2]}
    board_games = {"tic-tac-toe": "tic-tac-toe", "connect-four": "connect-four", "chess": "chess"}
    solvers = {"tic-tac-toe": "minimax", "connect-four": "perfect", "chess": "stockfish-0"}
    found = {
        "planning": {**plans, "agents": {"mine": "reference", "cut": CUT_OFF}},
        "tracking": {**asked, "games": {"questions": "planning-tracking"}, "sweep": lengths},
        "recall": {**asked, "games": {"questions": "planning-recall"}, "sweep": lengths},
        "solvers": {
            "games": board_games,
            "agents": {
                "mine": "first-legal",
                "random": "random",
                "minimax": {"use": "minimax", "tags": ["solver"]},
                "perfect": {"use": "perfect-connect-four", "tags": ["solver"]},
                "stockfish-0": ENGINE,
            },
            "schedule": {
                "use": "by-game",
                "games": {game: {"use": "against-solvers", "pool": [name]} for game, name in solvers.items()},
            },
            # Enough nodes for any position: below its full skill the engine plays another match every time.
            "metrics": {"spin-bench": {"use": "spin-bench", "chess": {"use": "stockfish", "nodes": 20_000}}},
        },
        "pairs": {
            "games": {"tic-tac-toe": "tic-tac-toe", "connect-four": "connect-four"},
            "agents": {"mine": "first-legal", "random": "random", "other": "win-or-block"},
            "schedule": {"use": "round-robin", "repeats": 5},
        },
        "hanabi": {
            "games": {
                f"hanabi-{n}": {"use": "hanabi", "players": n, "hand-size": 4 if n == 5 else 5} for n in (2, 3, 4, 5)
            },
            "agents": {"mine": "hanabi-rules", "random": "random"},
            "schedule": {"use": "self-play", "repeats": 5, "same-deals": True},
        },
    }
    return {name: played(place, name, benchmark) for name, benchmark in found.items()}


@pytest.fixture(scope="module")
def report(runs: dict[str, Path]) -> Report:
    """The report of all runs together, as the command builds it."""
    journals = [Journal.open(run) for run in runs.values()]
    made = build(journals, wanted=SpinBenchReport.metrics)
    for journal in journals:
        journal.close()
    assert not made.failures
    return made


def table(report: Report, title: str) -> Table:
    """The one table whose title begins so."""
    (found,) = [t for s in report.sections for t in s.tables if t.title.startswith(title)]
    return found


def row_of(table: Table, *names: Cell) -> dict[str, Cell]:
    """The row that begins with these cells, by column."""
    (found,) = [row for row in table.rows if row[: len(names)] == names]
    return dict(zip([column.name for column in table.columns], found, strict=True))


def estimate(cell: Cell) -> Estimate:
    """A cell that must be an estimate with an interval, or with the reason that there is none."""
    assert isinstance(cell, Estimate)
    assert cell.low is not None or cell.method.startswith("no interval: ")
    return cell


def figures(report: Report, number: int) -> list[Figure]:
    """The figures with a number of the paper."""
    return [f for s in report.sections for f in s.figures if f.title.startswith(f"Figure {number}:")]


@pytest.mark.slow
def test_one_agent_has_all_ten_numbers_and_their_average(report: Report):
    """Six runs make one row for an agent, with n and interval where there can be one, and the mean of ten of them."""
    row = row_of(table(report, "Table 1"), "mine", "measured")

    cells = [estimate(row[score.name]) for score in SCORES]
    assert [cell.n for cell in cells] == [6, 6, 1, 1, 1, 1, 1, 5, 5, 5, 5]
    assert (cells[0].value, estimate(row["average"]).n) == (1.0, 10)
    values = [s.weight * float(c.value or 0) for s, c in zip(SCORES, cells, strict=True)]
    assert estimate(row["average"]).value == pytest.approx(sum(values) / 10)


@pytest.mark.slow
def test_the_look_ahead_of_the_reference_is_the_mean_length_of_its_plans(report: Report):
    """Who solves everything looks as far ahead as the reference plans are long on average."""
    found = table(report, "Table 1")

    optimal = row_of(found, "optimal play", "reference")["look-ahead"]
    assert optimal == pytest.approx(estimate(row_of(found, "mine", "measured")["look-ahead"]).value)


@pytest.mark.slow
def test_an_agent_without_all_numbers_has_no_average_and_is_told_why(report: Report):
    """Where something was not measured the cell is empty, so is the average, and the note names the suite."""
    found = table(report, "Table 1")
    row = row_of(found, "cut", "measured")

    assert row["average"] is None
    assert row["draws-chess"] is None
    assert "No average of 'cut', not measured: TTT draws" in found.note
    assert "Hanabi 5P (suite:spin-hanabi)" in found.note


def test_the_published_rows_give_their_published_averages():
    """The mean of ten numbers is what the paper prints, for o1 49.8, within the rounding of its numbers."""
    for row in published("table-1"):
        cells = {s.name: Estimate(value=row[s.name] / (100 if s.style == "share" else 1), n=1) for s in SCORES}
        found = average(cells, 0.95)
        assert found is not None
        assert found.value == pytest.approx(row["average"], abs=0.051), row["system"]
    assert (published("table-1")[0]["system"], published("table-1")[0]["average"]) == ("o1", 49.8)


def test_the_interval_of_the_average_combines_those_of_the_ten():
    """Ten equal intervals give one that is narrower by the square root of ten; without an end it is the value."""
    cells = {s.name: Estimate(value=0.5, low=0.4, high=0.7, n=10) if s.weight == 100 else None for s in SCORES}
    cells |= {s.name: Estimate(value=12.5, low=10.0, high=17.5, n=5) for s in SCORES if s.name.startswith("hanabi")}
    cells["look-ahead"] = None

    found = average(cells, 0.9)

    assert found is not None
    assert (found.value, found.level, found.n) == (50.0, 0.9, 10)
    assert (found.low, found.high) == (pytest.approx(50 - 10 / 10**0.5), pytest.approx(50 + 20 / 10**0.5))


@pytest.mark.slow
def test_the_classes_of_o1s_errors_and_its_accuracy_sum_to_one(report: Report):
    """The published shares of o1 sum to 100 %, and so do those of each agent here."""
    found = table(report, "Table 3")

    assert row_of(found, "o1", "published")["sum"] == pytest.approx(1.0)
    assert all(row_of(found, agent, "measured")["sum"] == 1.0 for agent in ("mine", "cut"))


@pytest.mark.slow
def test_answers_that_were_cut_off_are_counted_apart_within_other(report: Report):
    """A plan that the token limit cut off counts as other, and its share and count stand beside it."""
    row = row_of(table(report, "Table 3"), "cut", "measured")

    assert (estimate(row["other"]).value, estimate(row["cut off"]).value, row["count"]) == (1.0, 1.0, 6)
    assert estimate(row["BC"]).value == estimate(row["GS"]).value == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("number", "what"), [(2, "tracking"), (3, "recall")])
def test_accuracy_over_length_has_a_point_for_each_length(report: Report, number: int, what: str):
    """Figures 2 and 3: the lengths along the axis, a line for each agent with its n, between random and perfect."""
    (figure,) = figures(report, number)

    assert figure.title == f"Figure {number}: {what}, accuracy over length"
    assert figure.x == (2.0, 4.0, 6.0)
    questions = 9
    assert set(figure.series) == {f"mine (n={questions})", f"random (n={questions})"}
    assert all(
        isinstance(v, Estimate) and v.n == 3 and v.low is not None for own in figure.series.values() for v in own
    )
    assert figure.references["perfect answers"] == 1.0
    assert 0 < figure.references["random answers"] < 0.5
    assert len(table(report, f"Figure {number}: {what}").rows) == 6


@pytest.mark.slow
def test_accuracy_is_drawn_against_the_size_of_tasks(report: Report):
    """Figure 5: a point with an interval for each domain and agent, over the number of legal actions."""
    drawn = {figure.x_title: figure for figure in figures(report, 5)}
    legal = drawn["legal actions per step"]

    assert legal.title == "Figure 5: accuracy against legal actions per step"
    assert set(legal.series) == {"mine (n=6)", "cut (n=6)"}
    assert len(legal.x) == 5
    assert all(isinstance(value, Estimate) for value in legal.series["mine (n=6)"])
    assert table(report, "Figure 5").rows


@pytest.mark.slow
def test_scores_of_hanabi_are_drawn_as_distributions(report: Report):
    """Figure 6: shares of matches by score for each number of players, which sum to one; quartiles in the table."""
    drawn = figures(report, 6)

    assert [f.title for f in drawn] == [f"Figure 6: scores of Hanabi with {n} players" for n in (2, 3, 4, 5)]
    assert drawn[0].x == ("mine (n=5)", "random (n=5)")
    assert sum(float(cast("Estimate", own[0]).value or 0) for own in drawn[0].series.values()) == pytest.approx(1.0)
    row = row_of(table(report, "Figure 6"), 2, "mine", 5)
    quartiles = [estimate(row[name]).value or 0 for name in ("lower quartile", "median", "upper quartile")]
    assert quartiles == sorted(quartiles)
    assert float(cast("float", row["least"])) <= quartiles[0] <= quartiles[2] <= float(cast("float", row["most"]))


@pytest.mark.slow
def test_peoples_scores_stand_beside_those_of_agents(runs: dict[str, Path], tmp_path: Path):
    """A file of people's scores gives them a bar and a row for each number of players that it has."""
    (tmp_path / "people.csv").write_text("players,score\n2,21\n2,19\n2,24\n", encoding="utf-8")

    metric = SpinBenchScores(people=str(tmp_path / "people.csv"))
    made = arena.load(runs["hanabi"]).report({"spin-bench": metric})

    assert figures(made, 6)[0].x == ("mine (n=5)", "random (n=5)", "people (n=3)")
    assert estimate(row_of(table(made, "Figure 6"), 2, "people", 3)["median"]).value == 21
    assert "people (n=3)" not in figures(made, 6)[1].x


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("players,points\n2,3\n", "'score' is missing"),
        ("players,score\n2,many\n", "people.csv:2: expected a number of players and a score"),
        ("players,score\n2,12\n6,12\n", "people.csv:3: expected 2 to 5 players and a score from 0 to 25, got 6 and 12"),
    ],
)
def test_a_file_of_scores_that_cannot_be_read_is_named(tmp_path: Path, text: str, told: str):
    """What is wrong with the file is said with its line."""
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match=told):
        scores_of_people(str(tmp_path / "people.csv"))


@pytest.mark.slow
def test_ranks_are_stacked_for_connect_four_and_chess(report: Report):
    """Figure 7: ranks 1 to 10 and outside of each agent's choices and of random choice, which sum to one."""
    drawn = figures(report, 7)

    assert [f.title for f in drawn] == ["Figure 7: connect-four, ranks of choices", "Figure 7: chess, ranks of choices"]
    for figure in drawn:
        assert list(figure.series) == [*map(str, range(1, 11)), "outside 10"]
        assert [str(x).partition(" (n=")[0] for x in figure.x] == ["mine", "random", "random choice"]
        for i in range(3):
            column = [own[i] for own in figure.series.values()]
            parts = [float((cell.value if isinstance(cell, Estimate) else cell) or 0) for cell in column]
            assert sum(parts) == pytest.approx(1.0)


@pytest.mark.slow
def test_ratings_are_of_matches_between_agents_alone(report: Report):
    """Table 4: everybody but solvers, whose games count elsewhere; both ratings and the number of matches."""
    found = table(report, "Table 4")
    row = row_of(found, "mine", "measured")

    assert {str(r[0]) for r in found.rows if r[1] == "measured"} == {"mine", "random", "other"}
    assert (row["games TTT"], row["games C4"], row["games CH"]) == (20, 20, None)
    batches = [float(cast("float", r[3])) for r in found.rows if r[1] == "measured"]
    assert sum(batches) == pytest.approx(3000)
    assert row_of(found, "Human", "published")["batch C4"] == 1692


@pytest.mark.slow
def test_illegal_moves_are_counted_by_game(report: Report):
    """Table 7: nobody here makes one, with an upper bound; the published fractions are shown in per cent."""
    found = table(report, "Table 7")
    row = row_of(found, "mine", "measured")

    assert (estimate(row["IMT TTT"]).value, estimate(row["IML CH"]).value) == (0, 0)
    assert estimate(row["IML TTT"]).n == 11
    mistral = row_of(found, "Mistral", "published")
    assert (mistral["IMT TTT"], mistral["IML TTT"], mistral["IML CH"]) == (0.385, None, 0.962)


@pytest.mark.slow
def test_draws_are_against_solvers_alone(report: Report):
    """Table 8: two games of each agent against each solver, which are no opponents of a row of their own."""
    found = table(report, "Table 8: draws")

    assert {str(r[0]) for r in found.rows if r[1] == "measured"} == {"mine", "random"}
    assert estimate(row_of(found, "mine", "measured")["C4"]).value == 0
    assert row_of(found, "o1-preview", "published")["TTT"] == 0.9
    by_opponent = table(report, "Table 8: by opponent")
    assert {str(row[2]) for row in by_opponent.rows} == {"minimax", "perfect", "stockfish-0"}


@pytest.mark.slow
def test_random_play_stands_beside_every_column(report: Report):
    """What random play reaches is known for each column of Table 1, with its n, and is near what is known of it."""
    row = row_of(table(report, "Table 1"), "random play", "reference")
    found = {score.name: estimate(row[score.name]) for score in SCORES}

    assert all(each.n >= 20 for each in found.values())
    assert found["draws-tic-tac-toe"].low < 0.127 < cast("float", found["draws-tic-tac-toe"].high)  # type: ignore[operator]
    assert found["top-3-connect-four"].value == pytest.approx(0.684, abs=0.03)
    assert all(float(found[f"hanabi-{players}"].value or 0) < 0.1 for players in (2, 3, 4, 5))
    assert random_play("average", 0.95) is None


@pytest.mark.slow
def test_the_tables_fit_eighty_columns(report: Report):
    """Every line that the report lays out is at most 80 columns wide, and names what is left for the full report."""
    text = SpinBenchReport().text(report, Screen(width=80, is_brief=True))

    assert not [line for line in text.splitlines() if len(line) > 80 and not line.startswith(("More", "Note"))]
    for title in ("Table 1:", "Table 3:", "Table 4:", "Table 7:", "Table 8: draws", "published by Yao et al. (2025):"):
        assert title in text
    line = next(line for line in text.splitlines() if line.startswith("o1 "))
    printed = [58.6, 16.1, 70.0, 0.0, 0.0, 83.1, 45.9, 16.4, 14.8, 14.8, 14.2, 49.8]
    assert [float(word) for word in line.split()[1:]] == printed
    assert "Figure 6: scores of Hanabi" in text.rpartition("More with --full")[2]


@pytest.mark.slow
def test_a_cell_that_was_not_measured_is_a_dash(report: Report):
    """In the text a dash stands for what was not measured, the average among it."""
    lines = laid_out(table(report, "Table 1"), 80).splitlines()

    cut = next(line for line in lines if line.startswith("cut"))
    assert cut.split()[3:] == ["\N{EN DASH}"] * 10


@pytest.mark.campaign
def test_the_command_writes_tables_and_figures(runs: dict[str, Path], tmp_path: Path):
    """``arena report RUN --format spin-bench -o DIRECTORY`` writes the tables as text and Markdown, and each figure."""
    words = [
        "report",
        str(runs["tracking"]),
        str(runs["hanabi"]),
        "--format",
        "spin-bench",
        "-o",
        str(tmp_path / "out"),
    ]
    done = CliRunner().invoke(group, words, prog_name="arena")

    assert done.exit_code == 0, done.output
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"tables.txt", "tables.md", "1-figure-2-tracking-accuracy-over-length.svg"} <= names
    assert sum(name.endswith(".png") for name in names) == 5
    assert "Table 1: planning, board games and Hanabi" in (tmp_path / "out" / "tables.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_command_prints_what_was_measured_and_what_was_not(runs: dict[str, Path]):
    """One run alone makes a report too: Table 1 with dashes, and what the other suites would add."""
    words = ["report", str(runs["tracking"]), "--format", "spin-bench", "--full"]
    done = CliRunner().invoke(group, words, prog_name="arena")

    assert done.exit_code == 0, done.output
    assert (
        "Not measured: Table 3 and Figure 5 (suite:spin-planning); Figure 3: recall (suite:spin-recall)."
        in " ".join(done.output.split())
    )
    assert "Figure 2: tracking, accuracy over length" in done.output


@pytest.mark.slow
def test_another_metric_makes_no_table(runs: dict[str, Path]):
    """With a metric of the user's own the report says that its own is not there."""
    words = ["report", str(runs["tracking"]), "--format", "spin-bench", "--metric", "outcomes"]
    done = CliRunner().invoke(group, words, prog_name="arena")

    assert done.exit_code == 0, done.output
    assert "There is no table of SPIN-Bench" in done.output


@pytest.mark.campaign
def test_equal_runs_give_equal_bytes(runs: dict[str, Path]):
    """The same journals give the same report."""
    texts: list[str] = []
    for _ in range(2):
        with Journal.open(runs["hanabi"]) as journal:
            made = build([journal], wanted=SpinBenchReport.metrics)
        texts.append(SpinBenchReport().text(made, Screen(width=80)))

    assert texts[0] == texts[1]


def row(agent: str, match: str, name: str = "plan", agents: Sequence[str] = ()) -> MeasurementRow:
    """One measurement of an agent."""
    return MeasurementRow(
        name=name,
        value="chess" if name == BOARD else 1.0,
        match=match,
        block="b",
        game="g",
        pairing="",
        ending=Ending.RULES,
        agents=tuple(agents) or (agent,),
        agent=agent,
    )


def test_an_agent_that_differs_by_run_is_one_line():
    """A report of several runs tells agents of one name apart by their runs; they are taken together here."""
    found = one_name_each([row("mine (one)", "one: m/1.0"), row("mine (two)", "two: m/1.0", name="tracking")])

    assert [each.agent for each in found] == ["mine", "mine"]


def test_two_agents_of_one_name_that_did_the_same_stay_apart():
    """Where two runs measured the same thing, equal names may be different players, and keep their runs' names."""
    found = one_name_each([row("mine (one)", "one: m/1.0"), row("mine (two)", "two: m/1.0")])

    assert [each.agent for each in found] == ["mine (one)", "mine (two)"]


def test_a_name_with_brackets_of_its_own_is_kept():
    """Only what the report added is taken off a name."""
    (found,) = one_name_each([row("mine (large)", "m/1.0")])

    assert found.agent == "mine (large)"


@pytest.mark.slow
def test_sections_say_how_to_measure_what_is_missing(runs: dict[str, Path]):
    """A report of Hanabi alone has no table of board games, and names the suites that make them."""
    sections: tuple[Section, ...] = arena.load(runs["hanabi"]).report({"spin-bench": SpinBenchScores()}).sections

    (boards,) = [section for section in sections if section.title == "SPIN-Bench: board games"]
    assert not boards.tables
    assert "suite:spin-solvers" in boards.text
    assert json.dumps([section.title for section in sections])[1:13] == '"SPIN-Bench"'
