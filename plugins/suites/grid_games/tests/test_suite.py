"""The suites as they are shipped, who meets whom in them, and the figures they print."""

import json

import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.testing import check_metric
from arena_cli.application.group import group
from arena_engine import Journal
from arena_engine.benchmark.documents import suites
from arena_metric_outcomes.several_answers import is_last_of_several
from arena_suite_grid_games.competition import CompetitionMetric
from arena_suite_grid_games.schedule import SameForm
from click.testing import CliRunner


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


@pytest.mark.campaign
def test_suites_are_listed_and_need_no_key():
    """Both are found by name; three games, both forms, every ordered pair five times, without a key."""
    listed = {suite.name: suite.dist for suite in suites(Catalog())}
    planned = arena("run", "suite:grid-games-2024", "--dry-run")
    images = arena("run", "suite:grid-games-2024-image", "--dry-run")

    assert {listed["grid-games-2024"], listed["grid-games-2024-image"]} == {"playarena-suite-grid-games"}
    assert planned.exit_code == images.exit_code == 0, planned.stderr + images.stderr
    assert "60 matches" in planned.output  # 3 games × 2 forms × 2 orders × 5
    assert "$0" in planned.output
    assert "30 matches" in images.output


EYES = """
agents:
  random: grid-random
  seer:
    use: llm
    constrained: false
    prompt: {style: grid-image, history: none}
    backend: {use: scripted, answers: ["{'row': 1, 'column': 1}", "{'row': 2, 'column': 2}"]}
"""


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("style", ["style: grid-image, ", ""])
def test_images_are_a_form_of_the_leaderboard(tmp_path, style):
    """Models are shown pictures in the second suite, unasked too, and their matches are in the form of images."""
    (tmp_path / "eyes.yaml").write_text(EYES.replace("style: grid-image, ", style))
    options = ("--agents", tmp_path / "eyes.yaml", "--game", "tic-tac-toe", "-n", 1, "-q", "-o", tmp_path / "run")

    done = arena("run", "suite:grid-games-2024-image", *options)
    shown = arena("leaderboard", tmp_path / "run", "--by", "form,agent", "--format", "csv").stdout

    assert done.exit_code == 0, done.stderr
    assert {line.split(",")[0] for line in shown.splitlines()[1:]} == {"image"}
    assert "seer" in shown


def test_schedule_of_the_paper():
    """Seven models and random play are 56 ordered pairs in each form: 42 of models, and 14 with random play."""
    forms = ("list", "illustration")
    agents = {f"m{i} ({form})": frozenset({f"m{i}", f"prompt.style=grid-{form}"}) for i in range(7) for form in forms}
    lineups = list(SameForm().lineups({**agents, "random": frozenset()}, 2))

    assert len(lineups) == len(set(lineups)) == 5 * 2 * 56
    assert all("list" not in a or "illustration" not in b for lineup in lineups for a, b in [lineup.agents])


def test_schedule_says_when_nobody_meets():
    """Agents in different forms alone cannot play."""
    with pytest.raises(ConfigError, match="same form"):
        list(SameForm().lineups({"a": frozenset({"f=x"}), "b": frozenset({"f=y"})}, 2))


def test_metric_keeps_its_contract():
    """The figures hold for matches of every ending, in any order."""
    assert check_metric(CompetitionMetric()).estimates > 10


def test_run_prints_the_figures(run):
    """The report has outcomes by seat, moves, and a leaderboard, and their numbers are the journal's."""
    with Journal.open(run) as journal:
        records = list(journal.records())
    shown = arena("report", run, "--metric", "competition", "--format", "markdown").stdout

    assert all(word in shown for word in ("Leaderboard over all games", "Outcomes by seat", "Moves", "random wins"))
    own = [r for r in records if r.agents == ("talker (grid-list)", "random")]
    out, wins = sum(0 in r.forfeited for r in own), sum(r.returns == (1, -1) for r in own)
    (line,) = [line for line in shown.splitlines() if "| list | talker | 1st" in line]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert "n=5" in cells[4]
    assert (cells[6], cells[8]) == (str(wins), str(out))
    assert out > 0


def test_outcomes_are_six_series_in_per_cent_of_the_seat(run):
    """Each game and form has a figure: won, drawn and disqualified as first and as second, with n, and a good title."""
    with Journal.open(run) as journal:
        records = list(journal.records())
    report = json.loads(arena("report", run, "--metric", "competition", "--json").stdout)
    drawn = [f for s in report["sections"] for f in s["figures"] if f["title"].startswith("Outcomes by seat")]

    assert [f["title"] for f in drawn] == [f"Outcomes by seat: tic-tac-toe, {f}" for f in ("illustration", "list")]
    for figure, form in zip(drawn, ("illustration", "list"), strict=True):
        assert list(figure["series"]) == [
            f"{word} as {seat}" for seat in ("1st", "2nd") for word in ("won", "drawn", "disqualified")
        ]
        assert figure["x"] == ["random", "talker"]
        assert "n = 5 matches of each agent in each seat" in figure["note"]
        own = [r for r in records if r.agents == ("random", f"talker (grid-{form})")]
        won, lost = (figure["series"][name] for name in ("won as 1st", "won as 2nd"))
        assert won[0]["value"] == pytest.approx(100 * sum(r.returns == (1, -1) for r in own) / 5)
        assert lost[1]["value"] == pytest.approx(100 * sum(r.returns == (-1, 1) for r in own) / 5)
        assert won[0]["n"] == 5
        assert all(0 <= end <= 100 for cells in figure["series"].values() for c in cells for end in c["interval"])


def test_moves_of_all_forms_are_in_one_figure(run):
    """A game has one figure: moves and moves to taken cells per match by agent, the forms side by side."""
    report = json.loads(arena("report", run, "--metric", "competition", "--json").stdout)
    (drawn,) = [f for s in report["sections"] for f in s["figures"] if f["title"].startswith("Moves and invalid")]

    assert drawn["title"] == "Moves and invalid moves per match: tic-tac-toe"
    assert list(drawn["series"]) == [
        f"{word}, {form}" for word in ("moves", "invalid (already taken)") for form in ("illustration", "list")
    ]
    assert drawn["x"] == ["random", "talker"]


def test_no_two_figures_of_a_report_have_one_title(run):
    """Whoever cites a figure by its title means one."""
    report = json.loads(arena("report", run, "--json").stdout)
    titles = [f["title"] for s in report["sections"] for f in s["figures"]]

    assert len(titles) == len(set(titles))


SEVERAL = """
agents:
  random: grid-random
  talker:
    use: llm
    constrained: false
    takes: last
    prompt: {style: grid-list, history: none}
    backend:
      use: scripted
      answers:
        - "{'row': 1, 'column': 1} is what they expect. I take {'row': 3, 'column': 3}"
        - "{'row': 2, 'column': 2}"
        - "{'row': 1, 'column': 3}"
"""


@pytest.mark.slow
def test_strict_reading_stands_below_the_originals_rule(tmp_path):
    """An agent that plays the last of several answers has a second line: the same replies, read by the rule alone."""
    (tmp_path / "mine.yaml").write_text(SEVERAL)
    options = ("--agents", tmp_path / "mine.yaml", "--game", "tic-tac-toe", "-n", 2, "-q", "-o", tmp_path / "run")
    done = arena("run", "suite:grid-games-2024", "--set", "limits.concurrency=1", *options)
    assert done.exit_code == 0, done.stderr
    with Journal.open(tmp_path / "run") as journal:
        records = list(journal.records())
    of_talker = [(r, r.agents.index("talker")) for r in records]
    refused = sum(e.player == p for r, p in of_talker for e in r.refused())
    several = sum(is_last_of_several(e) for r, p in of_talker for e in r.played() if e.player == p)

    report = json.loads(arena("report", tmp_path / "run", "--metric", "competition", "--json").stdout)

    (moves,) = [t for s in report["sections"] for t in s["tables"] if t["title"] == "Moves"]
    names = [column["name"] for column in moves["columns"]]
    lines = [dict(zip(names, row, strict=True)) for row in moves["rows"]]
    as_set, strict = [line for line in lines if line["agent"] == "talker"]
    assert (as_set["answers read"], strict["answers read"]) == ("as set", "strict")
    assert several > 0
    assert as_set["invalid moves per match"]["value"] == pytest.approx(refused / len(records))
    assert strict["invalid moves per match"]["value"] == pytest.approx((refused + several) / len(records))
    assert [line["answers read"] for line in lines if line["agent"] == "random"] == ["as set"]
