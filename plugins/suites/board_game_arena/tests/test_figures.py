"""The figures of the paper, drawn again from moves with labels."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena_cli.application.group import group
from arena_metric_reasoning.reasoning import Reasoning
from arena_report import Report
from arena_report.formats.latex import render as latex
from arena_report.formats.markdown import render as markdown
from arena_report_html.pictures import Pictures
from arena_report_vega.specification import specification
from click.testing import CliRunner

SAID = {
    "Blocking": "I must block this.",
    "Positional": "The corner is mine.",
    "Winning Logic": "This will win.",
    "Heuristic": "It is most likely advantageous.",
}
"""A reason for each label, by the words of the paper's Figure 1."""

PAPER = {
    "connect-four": {"Blocking": 15, "Positional": 5},
    "kuhn-poker": {"Winning Logic": 20},
    "tic-tac-toe": {"Blocking": 14, "Heuristic": 6},
}
"""Figures 2 to 4: 75 % and 25 %; 100 %; 70 % and 30 %, of twenty moves each."""

SILENT = 3
"""Moves without any reasoning, in each game."""


def record(game: str, number: int, reasons: list[str]) -> MatchRecord:
    """A match in which the model said these things, one a move."""
    events = tuple(
        Event(
            step,
            "referee",
            "played",
            Player(0),
            {"action": step, "label": "", "turn": step, "try": 0, "by": "agent", "reasoning": reason},
            (Player(0),),
        )
        for step, reason in enumerate(reasons)
    )
    plan = MatchPlan(
        id=f"{game}/{number}",
        game=game,
        agents=("codegemma-7b-it", "random"),
        pairing="both",
        repeat=number,
        rotation=0,
        chance_seed=number,
    )
    return MatchRecord(
        plan=plan, seats=("a", "b"), ending=Ending.RULES, returns=(1.0, -1.0), steps=len(events), events=events
    )


@pytest.fixture(scope="module")
def section():
    """What the metric says of four matches in each game, with as many moves of each label as the paper's shares."""
    records = []
    for game, counts in PAPER.items():
        moves = [SAID[label] for label, count in counts.items() for _ in range(count)] + [""] * SILENT
        records += [record(game, number, moves[number::4]) for number in range(4)]
    metric = Reasoning()
    rows = [MeasurementRow.of(m, match) for match in records for m in metric.measure(FinishedMatch(match, None))]
    return next(iter(metric.summarize(Measurements(rows=rows))))


def pie_of(section, game):
    (figure,) = (each for each in section.figures if each.kind == "pie" and each.title.startswith(game))
    return figure


@pytest.mark.parametrize("game", PAPER)
def test_pies_have_the_shares_of_the_paper(section, game):
    """Each pie has the paper's shares with n and interval, and its title the moves and matches, also silent ones."""
    pie = pie_of(section, game)

    ((title, values),) = pie.series.items()
    total = sum(PAPER[game].values())
    shares = {label: value.value for label, value in zip(pie.x, values, strict=True)}
    assert {label: share for label, share in shares.items() if share} == {
        label: pytest.approx(count / total) for label, count in PAPER[game].items()
    }
    assert title == f"codegemma-7b-it: {total} moves in 4 matches, {SILENT} without reasoning"
    assert all(value.low < value.high and value.n == 4 for value in values)


def test_files_of_a_pie_say_on_what_it_is_based(section, tmp_path):
    """As a file in every format a pie has its numbers of moves and matches, each share's interval, and its note."""
    pie = pie_of(section, "connect-four")
    report = Report(title="r", sections=(type(section)(title="Reasoning", figures=(pie,)),), facts=())

    Pictures(forms=("svg", "png")).write(report, tmp_path)
    (file,) = tmp_path.glob("*.svg")
    drawn = " ".join(text.strip() for text in ElementTree.parse(file).getroot().itertext())
    words = {
        "svg": drawn,
        "vega": json.dumps(specification(pie, "Reasoning")),
        "latex": latex(report),
        "markdown": markdown(report),
    }

    for form, told in words.items():
        plain = " ".join(told.replace('", "', " ").replace("\\n", " ").split())
        assert "20 moves in 4 matches" in plain, form
        assert "3 without reasoning" in plain, form
        assert "Shares of the moves with reasoning" in plain, form
    for form in ("svg", "vega"):
        assert "Blocking 75% [" in words[form], form
        assert "Positional 25% [" in words[form], form
    assert "0.75 {[}" in words["latex"]


PAGE = Path(__file__).parents[4] / "docs" / "suites" / "board-game-arena.md"

ROWS = (
    ("--metric outcomes --full", ("Rewards",)),
    ("--metric optimality --full", ("Choices against optimal play", "Errors")),
    ("--metric reasoning --full", ("Reasoning", "Does the action follow?")),
)
"""The options with which the page makes a table of the paper, and what the tables are called."""

AGENTS = """
limits: {concurrency: 1}  # answers are said in their order, in one match after another
agents:
  random: random
  talker:
    use: llm
    constrained: false
    prompt: {style: STYLE}
    backend:
      use: scripted
      answers: ['{"reasoning": "I must block the corner", "action": 99}', '{"reasoning": "I win", "action": 1}']
"""


def arena(*arguments: object) -> str:
    done = CliRunner().invoke(group, [str(each) for each in arguments], prog_name="arena")
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two games of the suite with scripted agents, cut by the options that a user has."""
    directory = tmp_path_factory.mktemp("run")
    (directory / "mine.yaml").write_text(AGENTS.replace("STYLE", str(Path(__file__).with_name("numbers.yaml"))))
    games = ("--game", "tic-tac-toe", "--game", "kuhn-poker")
    suite = ("run", "suite:board-game-arena", "--agents", directory / "mine.yaml", "-n", 2, *games)
    arena(*suite, "-q", "-o", directory / "run")
    return directory / "run"


@pytest.mark.sample(fast=1, slow=1)
@pytest.mark.parametrize(("options", "titles"), ROWS)
def test_rows_of_the_page_are_made_by_their_commands(run, options, titles):
    """Each command of the page prints its tables, whose numbers have n and intervals in what programs read."""
    assert f"arena report bga {options}" in PAGE.read_text("utf-8")

    shown = arena("report", run, *options.split())
    told = json.loads(arena("report", run, *options.split()[:2], "--json"))

    tables = {table["title"]: table for section in told["sections"] for table in section["tables"]}
    for title in titles:
        assert title in shown
        estimates = [cell for row in tables[title]["rows"] for cell in row if isinstance(cell, dict)]
        assert estimates
        assert all(cell["n"] >= 1 and cell["unit"] for cell in estimates if cell["value"] is not None)


@pytest.mark.campaign
def test_figures_of_the_page_are_made_by_their_command(run, tmp_path):
    """The pies of the paper are files, one for each game that was played."""
    assert "`arena report bga --metric reasoning --format figures -o figures`" in PAGE.read_text("utf-8")

    arena("report", run, "--metric", "reasoning", "--format", "figures", "-o", tmp_path / "figures")

    names = {path.name.partition("-")[2] for path in (tmp_path / "figures").iterdir()}
    assert {
        f"{game}-types-of-reasoning.{form}" for game in ("tic-tac-toe", "kuhn-poker") for form in ("svg", "png")
    } <= names
