from typing import Any

import pytest
from arena.metric import Measurements
from arena.tables import Estimate, Section
from arena_game_two_by_two.matrix import Choices
from arena_game_two_by_two.topology import GAMES
from arena_metric_equilibria.answers import AnswerGroup, Key
from arena_metric_equilibria.score_tables import reference
from arena_metric_equilibria.scores import score
from arena_metric_equilibria.styles import style_section, styled


def named(style: str) -> str:
    return f"small ({style})"


STYLES = ("direct", "chain-of-thought", "second-order")
TABLE = Measurements(
    rows=(),
    baselines={},
    level=0.95,
    seed=1,
    missing=(),
    prompts={named(style): ("small", f"tmgbench-{style}") for style in STYLES},
)


def group(agent: str, rule: str, wrong: int = 0) -> AnswerGroup:
    """An agent that answers by a rule, twice each, and names nothing in the first games."""
    answers: dict[str, list[Any]] = {game: [*given] * 2 for game, given in reference(rule, GAMES).items()}
    for game in list(answers)[:wrong]:
        answers[game] = [Choices(), Choices()]
    return AnswerGroup(Key("classic", "", agent), answers)


@pytest.fixture(scope="module")
def section() -> Section:
    groups = [
        group(named("second-order"), "nash", wrong=30),
        group(named("chain-of-thought"), "nash", wrong=60),
        group(named("direct"), "first"),
        group("nash", "nash"),
    ]
    return style_section(styled(groups, TABLE), TABLE)


def rows(section: Section, title: str) -> list[dict[str, Any]]:
    table = next(table for table in section.tables if table.title == title)
    return [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]


def test_only_agents_of_several_styles_are_compared():
    """An agent without a style, or with one alone, is in no table of styles."""
    assert styled([group("nash", "nash"), group(named("direct"), "first")], TABLE) == []


@pytest.mark.slow
def test_styles_stand_side_by_side(section: Section):
    """A row has one score of one model in all styles, in the paper's order, and random and optimal answers."""
    par, degree, _ = rows(section, "Scores by style")

    assert list(par) == [
        *("form", "model", "score", "tmgbench-direct", "tmgbench-chain-of-thought", "tmgbench-second-order"),
        *("random", "optimal"),
    ]
    assert (par["model"], par["score"], par["optimal"]) == ("small", "PAR", 1)
    assert (par["random"].value, par["random"].n) == (1 / 16, 144)
    assert degree["random"].value == pytest.approx(1 / 4 + 1 / (4 * 2))
    assert par["tmgbench-direct"].value == pytest.approx(3 / 16)
    assert degree["tmgbench-direct"].value == pytest.approx(float(score(reference("first", GAMES)).id or 0))


@pytest.mark.slow
def test_differences_are_paired_and_marked(section: Section):
    """Less accuracy than chain of thought is worse and more is better, if the interval excludes 0."""
    found = {(row["style"], row["score"]): row for row in rows(section, "Difference to chain of thought")}
    direct, second = found["direct", "PAR"], found["second-order", "PAR"]

    assert {style for style, _ in found} == {"direct", "second-order"}
    assert isinstance(direct["difference"], Estimate)
    assert direct["difference"].n == 144
    assert direct["verdict"] == "worse"
    gained = sum(bool(GAMES[game].matrix.equilibria) for game in list(GAMES)[30:60])
    assert second["difference"].value == pytest.approx(gained / 144)
    assert second["verdict"] == "better"
    assert found["second-order", "ID"]["verdict"] == "better"


@pytest.mark.slow
def test_the_significance_degree_is_told_by_style(section: Section):
    """Each style has its SD over the 18 games without equilibrium."""
    (row,) = rows(section, "Significance degree by style")

    assert row["tmgbench-direct"].n == 18
    assert (row["random"].value, row["optimal"]) == (0, 0)
    assert row["random"].low < 0 < row["random"].high


@pytest.mark.slow
def test_two_styles_are_drawn_beside_each_other(section: Section):
    """The radar of direct answers has that of chain of thought beside it, each value with its interval and n."""
    first, second = section.figures

    assert [panel.title.rpartition(", ")[2] for panel in first.panels] == [
        "tmgbench-direct",
        "tmgbench-chain-of-thought",
    ]
    assert second.beside == ()
    assert {value.n for value in first.series["small"] if isinstance(value, Estimate)} == {18, 108, 9, 57, 12}
