"""Reports on all 144 games: what a reader sees of nine agents, some of whose answers are refused."""

from pathlib import Path

import pytest
from arena_cli.application.group import group
from click.testing import CliRunner, Result

pytestmark = pytest.mark.xdist_group("report-tmgbench")  # one process: what all tests here share takes long to make

SCRIPTED = "{use: llm, prompt: {style: tmgbench-direct}, backend: {use: scripted, answers: [%s]}}"
NINE = "\n".join(
    (
        "agents:",
        "  nash: nash",
        *(f"  {rule}: {{use: rule-of-thumb, rule: {rule}}}" for rule in ("none", "first", "joint-payoff", "maximin")),
        "  random: random",
        "  empty: " + SCRIPTED % '"answer = []"',
        "  half: " + SCRIPTED % '"no idea", "answer = []"',
        "  refused: " + SCRIPTED % """ "unsure", "answer = [('A1', 'B7')]", "answer = [('A1', 'B1')]" """,
    )
)


def command(*arguments: object) -> Result:
    found = CliRunner(env={"COLUMNS": "80"}).invoke(group, [str(each) for each in arguments], prog_name="arena")
    assert found.exit_code == 0, found.stderr
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The classic suite, asked once, by nine agents."""
    place = tmp_path_factory.mktemp("nine")
    (place / "nine.yaml").write_text(NINE, encoding="utf-8")
    command("run", "suite:tmgbench-classic", "--agents", place / "nine.yaml", "-n", "1", "-q", "-o", place / "run")
    return place / "run"


@pytest.mark.campaign
@pytest.mark.parametrize(("more", "most"), [((), 100), (("--full",), 250)])
def test_a_report_on_all_games_can_be_read(run: Path, more: tuple[str, ...], most: int):
    """The table of scores begins within the first screen, its agents stand before the exact lines, and all is short."""
    lines = command("report", run, *more).stdout.splitlines()

    start = next(i for i, line in enumerate(lines) if "Accuracy, inconsistency and bias" in line)
    rows = [line.split("  ")[1] for line in lines[start + 2 : start + 19]]
    are_exact = [row.startswith("(") for row in rows]
    assert start < 30
    assert are_exact == [False] * 9 + [True] * 8
    assert len(lines) <= most
    assert max(map(len, lines)) <= 80


@pytest.mark.campaign  # as above
def test_a_page_on_all_games_is_small(run: Path):
    """The page has at most 15 figures and a megabyte."""
    command("report", run, "-o", run / "page.html")

    page = (run / "page.html").read_text(encoding="utf-8")
    assert page.count("<figure>") <= 15
    assert len(page.encode()) <= 1_000_000


@pytest.mark.campaign  # as above
def test_figures_are_written_of_what_is_folded(run: Path):
    """Figures of single games are no files; every figure of the page is one."""
    command("report", run, "--format", "vega", "-o", run / "figures")

    assert len(list((run / "figures").iterdir())) <= 15
