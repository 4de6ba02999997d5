"""The metric ``contamination`` on real matches of a game and its twins."""

from typing import Any

import arena
import pytest
from arena.metric import Baseline, FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, MatchPlan, MatchRecord, Player
from arena.tables import Estimate
from arena.testing import check_metric
from arena_metric_outcomes.contamination import Contamination

AGENTS = """
from random import Random

from arena.chance import Chance
from arena_agent_grid.solvers import GridSolver
from arena_game_grid.game import TicTacToe

SOLUTION = GridSolver(quickest=True).solve(TicTacToe(), 2)


def position(board):
    state, _ = TicTacToe().start(Chance(0), 2)
    cells = [cell for row in board for cell in row]
    for number in range(sum(cell != "" for cell in cells)):
        symbol = "XO"[number % 2]
        place = [at for at, cell in enumerate(cells) if cell == symbol][number // 2]
        state.place(place)
    return state


def learnt_by_heart(decision):
    if len(decision.observation.get("board", ())) != 3:
        return decision.options.actions[0]
    worths = SOLUTION.action_values(position(decision.observation["board"]), decision.player).values
    return max(worths, key=lambda worth: worth.probability).action
"""


GAMES = ("plain", "odd")
BOUNDED = Baseline(random=(0.0,), random_errors=(0.0,), random_n=0, min_return=-1, max_return=1)


def played(game: str, earned: float | None, repeat: int) -> MatchRecord:
    """A match of one, who was disqualified where nothing was earned."""
    plan = MatchPlan(
        id=f"{game}/ann/{repeat}.0", game=game, agents=("ann",), pairing="ann", repeat=repeat, rotation=0, chance_seed=1
    )
    if earned is None:
        gone = (Player(0),)
        return MatchRecord(plan=plan, seats=("X",), ending=Ending.DISQUALIFIED, returns=None, forfeited=gone)
    return MatchRecord(plan=plan, seats=("X",), ending=Ending.RULES, returns=(earned,))


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    """The table of a run in which one agent knows the original by heart and one plays by the rules."""
    place = tmp_path_factory.mktemp("contamination")
    (place / "by_heart.py").write_text(AGENTS)
    twins = {kind: {"use": "grid-twin", "of": "grid-tic-tac-toe", "kind": kind} for kind in ("numbers", "story")}
    benchmark = {
        "seed": 3,
        "games": {"original": "grid-tic-tac-toe", **twins, "larger": {"use": "mnk", "rows": 4, "columns": 4}},
        "agents": {
            "by-heart": {"use": "policy", "policy": "by_heart:learnt_by_heart"},
            "by-rules": "win-or-block",
            "random": "random",
        },
        "schedule": {"use": "round-robin", "repeats": 12},
        "metrics": {"contamination": {"use": "contamination", "beside": {"larger": "original"}}},
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(place))
        report = arena.run(benchmark, output=place / "run", trust_code=True).report()
    (table,) = [table for section in report.sections for table in section.tables if section.title == "Contamination"]
    names = [column.name for column in table.columns]
    found = [dict(zip(names, row, strict=True)) for row in table.rows]
    return {(str(line["twin"]), str(line["agent"])): line for line in found}


@pytest.mark.slow
def test_who_knows_only_the_original_is_found_out(lines: dict[tuple[str, str], dict[str, Any]]):
    """Perfect in the original and blind in its twins: a large difference that survives Holm; by the rules: none."""
    assert set(lines) == {
        (twin, a) for twin in ("numbers", "story", "larger") for a in ("by-heart", "by-rules", "random")
    }
    for twin in ("numbers", "story"):
        by_heart, by_rules = lines[twin, "by-heart"], lines[twin, "by-rules"]
        assert by_heart["pairs"] == by_rules["pairs"] == 48
        assert by_heart["difference"].low > 0
        assert by_heart["p (Holm)"] < 0.05
        assert by_heart["difference"].value == pytest.approx(
            by_heart["in the original"].value - by_heart["in the twin"].value
        )
        assert by_heart["expected"] == 0


@pytest.mark.slow
def test_variants_are_held_beside_their_original_and_marked(lines: dict[tuple[str, str], dict[str, Any]]):
    """Another board is another game: the row says so, and nothing is expected of it."""
    line = lines["larger", "random"]

    assert (line["original"], line["kind"], line["expected"]) == ("original", "variant", None)
    assert isinstance(line["difference"], Estimate)
    assert line["difference"].n == 24  # blocks: twelve repeats against each of two others


def test_metric_keeps_its_contract():
    """Pure, and content with any table, one without twins included."""
    assert check_metric(Contamination()).matches


def test_failing_in_one_of_two_worlds_costs_the_least_return():
    """A match that was lost by disqualification is paired with its twin, with the least return of its game."""
    records = [
        played(game, None if game == "plain" and repeat == 1 else 1.0, repeat) for game in GAMES for repeat in range(3)
    ]
    metric = Contamination(beside={"odd": "plain"})
    rows = [MeasurementRow.of(m, each) for each in records for m in metric.measure(FinishedMatch(each, None))]
    table = Measurements(rows=rows, baselines=dict.fromkeys(GAMES, BOUNDED))

    (section,) = metric.summarize(table)

    row = dict(zip([column.name for column in section.tables[0].columns], section.tables[0].rows[0], strict=True))
    assert (row["agent"], row["pairs"]) == ("ann", 3)
    assert row["in the original"].value == pytest.approx(1 / 3)
    assert row["in the twin"].value == 1.0
