"""The suites spin-planning and spin-planning-small, from the command line to the tables that their page names."""

import json
import re
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

import arena
import pytest
from arena.tables import Estimate, Section
from arena_cli.application.group import group
from arena_cli.results.terminal import TerminalReport
from arena_engine import load_benchmark, plan_matches
from arena_game_planning.generators import DOMAINS
from arena_game_planning.playing.game import Planning
from arena_game_planning.tasks.shipped import numbers, task, task_count
from arena_report.content.contract import Report, Screen
from arena_report_html.html import Html
from click.testing import CliRunner

pytestmark = pytest.mark.xdist_group("planning-suites")  # one process: what all tests here share takes long to make

MOST_LINES = 300
MOST_BYTES = 2_000_000


def command(*words: object) -> str:
    """What a command prints; it must succeed."""
    done = CliRunner().invoke(group, [str(word) for word in words], prog_name="arena")
    assert done.exit_code == 0, done.output
    return done.output


def scripted(answer: str) -> dict[str, Any]:
    """A model that always answers the same, asked as the suite asks."""
    backend = {"use": "scripted", "answers": [answer]}
    return {"use": "llm", "backend": backend, "prompt": {"style": "spin-planning"}, "constrained": False}


def limits_are_kept(report: Report, tmp_path: Path) -> None:
    """What the terminal shows is short, and the page is small."""
    shown = TerminalReport().text(report, Screen(width=120, has_styles=False, is_brief=True))
    Html().write(report, tmp_path / "report.html")

    assert len(shown.splitlines()) <= MOST_LINES
    assert (tmp_path / "report.html").stat().st_size < MOST_BYTES


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of spin-planning-small, played by the reference, at random, and by two models that do not plan."""
    place = tmp_path_factory.mktemp("small")
    agents = {
        "reference": "reference",
        "random-walk": "random-walk",
        "empty": scripted('{"plan": ""}'),
        "silent": scripted("I would rather not."),
    }
    (place / "mine.yaml").write_text(json.dumps({"agents": agents}), encoding="utf-8")
    command("run", "suite:spin-planning-small", "--agents", place / "mine.yaml", "-q", "--output", place / "run")
    return arena.load(place / "run").report()


def section(report: Report) -> Section:
    """The section about planning."""
    return next(section for section in report.sections if section.title == "Planning")


def rows(report: Report, title: str) -> list[dict[str, Any]]:
    """The rows of a table by the names of its columns; of estimates, what is estimated."""
    (table,) = [table for table in section(report).tables if table.title == title]
    names = [column.name for column in table.columns]
    bare = ([cell.value if isinstance(cell, Estimate) else cell for cell in row] for row in table.rows)
    return [dict(zip(names, row, strict=True)) for row in bare]


@pytest.mark.parametrize(
    ("suite", "count"), [pytest.param("spin-planning", 1_280, marks=pytest.mark.campaign), ("spin-planning-small", 42)]
)
def test_every_agent_gets_every_task_once(suite: str, count: int):
    """As many games as tasks, each played once by each agent, with one try."""
    benchmark = load_benchmark(f"suite:{suite}")
    plans = plan_matches(benchmark)
    games = [entry.game for entry in benchmark.games.values()]
    pools = [[(each.domain, each.number) for each in game.pool] for game in games if isinstance(game, Planning)]

    assert [len(pool) for pool in pools] == [1] * count
    wanted = numbers("all") if count == 1_280 else numbers({"per-domain": 2})
    assert [pool[0] for pool in pools] == list(wanted)
    assert Counter(plan.agents for plan in plans) == {(name,): count for name in benchmark.agents}
    assert (benchmark.illegal_actions.retries, benchmark.illegal_actions.then) == (0, "forfeit")


@pytest.mark.slow
def test_every_domain_has_two_tasks_in_the_small_suite(small: Report):
    """The table by domain has a row for each domain and agent."""
    found = rows(small, "Planning by domain")

    assert Counter(row["domain"] for row in found) == dict.fromkeys(DOMAINS, 4)
    assert {row["tasks"] for row in rows(small, "Domains")} == {2}


@pytest.mark.slow
def test_reference_and_empty_plans_are_the_two_ends(small: Report):
    """The reference solves all and looks ahead as far as can be; an empty plan misses every goal, silence is other."""
    found = {row["agent"]: row for row in rows(small, "Planning by agent")}
    errors = {row["agent"]: row for row in rows(small, "Errors by agent")}
    lengths = [row["median length"] for row in rows(small, "Domains")]

    assert found["reference"]["accuracy"] == found["perfect play"]["accuracy"] == 1
    assert found["reference"]["look-ahead"] == pytest.approx(fmean(lengths))  # of two, the median is the mean
    assert (found["empty"]["accuracy"], errors["empty"]["GS"]) == (0, 1)
    assert (found["silent"]["accuracy"], errors["silent"]["other"], errors["silent"]["cut off"]) == (0, 1, 0)
    assert found["random-walk"]["accuracy"] < 0.3


@pytest.mark.slow
def test_tables_and_figures_of_the_page_are_there(small: Report):
    """Each table that the page names is in the report, and each figure."""
    tables = {table.title for table in section(small).tables}
    figures = {figure.title.removeprefix("planning: ") for figure in section(small).figures}

    assert tables >= {"Planning by agent", "Planning by domain", "Errors by agent", "Errors by domain"}
    assert tables >= {"Why plans are not valid", "Accuracy over length", "Published by SPIN-Bench", "Domains"}
    assert figures >= {"classes of errors", "accuracy over steps of the reference plan"}


@pytest.mark.slow
def test_report_of_the_small_suite_is_short(small: Report, tmp_path: Path):
    """The terminal and the page are small with four agents."""
    limits_are_kept(small, tmp_path)


def test_dry_run_tells_what_each_domain_takes(tmp_path: Path):
    """Calls, tokens and money by domain, and what a part of each domain would cost, with its error."""
    priced = scripted('{"plan": ""}')
    priced["backend"]["price-usd-per-1k-tokens"] = 0.01
    tasks = ["rovers#1", "rovers#2", "rovers#3", "logistics#1", "logistics#2"]
    (tmp_path / "mine.yaml").write_text(json.dumps({"agents": {"model": priced}}), encoding="utf-8")
    sweep = f"sweep={{games.planning.tasks: {json.dumps(tasks)}}}"
    shown = command("run", "suite:spin-planning", "--agents", tmp_path / "mine.yaml", "--dry-run", "--set", sweep)
    told = re.sub(r"\n +(?=tokens|points|sent|written|at |most|about|\$)", " ", shown).splitlines()

    (rovers,) = [line for line in told if line.startswith("  planning[tasks=rovers]: 3 games, 3 (3 to 3) calls, ")]
    (part,) = [line for line in told if line.startswith("  1 of each, 2 games: 2 (2 to 2) calls, ")]
    assert "tokens sent, at most" in rovers
    assert "$" in rovers
    assert part.endswith(" points")


@pytest.mark.campaign  # plays 2,560 matches: two minutes
def test_report_of_all_tasks_is_short(tmp_path: Path):
    """All 1,280 tasks: the reference solves every one, and the report is within its limits."""
    agents = ("--agent", "reference", "--agent", "random-walk")
    command("run", "suite:spin-planning", *agents, "-q", "--output", tmp_path / "run")
    report = arena.load(tmp_path / "run").report()

    by_agent = {row["agent"]: row for row in rows(report, "Planning by agent")}
    assert (by_agent["reference"]["matches"], by_agent["reference"]["accuracy"]) == (1_280, 1)
    by_domain = rows(report, "Planning by domain")
    assert Counter(row["agent"] for row in by_domain) == {"reference": len(DOMAINS), "random-walk": len(DOMAINS)}
    assert sum(map(task_count, DOMAINS)) == 1_280
    limits_are_kept(report, tmp_path)


def test_every_task_of_a_folder_is_asked_once(tmp_path: Path):
    """A folder in the place of the suite's tasks is one game a file; those not readable are counted."""
    for number in (1, 2):
        (tmp_path / f"p{number}.pddl").write_text(task("blocksworld", number).problem_text)
    (tmp_path / "domain.pddl").write_text(task("blocksworld", 1).domain_text)
    (tmp_path / "broken.pddl").write_text("(define (problem")
    own = tmp_path / "own.yaml"
    own.write_text(
        f"extends: suite:spin-planning\nsweep: null\ngames: {{planning: {{tasks: {{folder: {tmp_path}}}}}}}\n"
    )
    (tmp_path / "mine.yaml").write_text("agents: {random-walk: random-walk}")

    command("run", own, "--agents", tmp_path / "mine.yaml", "-q", "--output", tmp_path / "run")
    run = arena.load(tmp_path / "run")
    asked = {
        match.game: event.data["task"] for match in run.matches for event in match.events if event.kind == "judged"
    }
    told = " ".join(command("report", tmp_path / "run", "--full").split())

    assert len(run.matches) == 2
    assert asked == {"planning[tasks=blocksworld#1]": "p1.pddl", "planning[tasks=blocksworld#2]": "p2.pddl"}
    assert "Not counted: 1 file of its folder cannot be read" in told
