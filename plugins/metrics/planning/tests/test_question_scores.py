"""Recall and tracking played by scripted agents, and the curve that is drawn through accuracies."""

from collections.abc import Sequence
from math import log1p
from pathlib import Path
from random import Random
from typing import Any, cast

import attrs
import numpy as np
import pytest
from arena.agent import Agent, Refusal, RefusalKind, Reply
from arena.game import Game
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import MatchRecord
from arena.tables import Estimate, Section
from arena.testing import FunctionAgent, check_metric, play
from arena_game_planning.questions.recall import FactualRecall
from arena_game_planning.questions.tracking import SpatialTracking, scene
from arena_metric_planning.correlations import pearson, spearman
from arena_metric_planning.curves import fit
from arena_metric_planning.metric import PlanningScores
from scipy.special import expit
from scipy.stats import pearsonr, spearmanr

NO_RETRIES = IllegalActionPolicy(retries=0, then="forfeit")


def tracker(longest: int) -> FunctionAgent:
    """Follows as many moves as it can keep, and answers the start beyond."""

    def follow(decision: Any, seat: Any) -> Reply:
        asked = scene(seat.game.length, seat.game.number)
        return Reply(action=list(asked.truth if len(asked.moves) <= longest else (99, 99)))

    return FunctionAgent(follow)


def matches(name: str, agent: Agent, games: dict[str, Game], tmp_path: Path) -> list[MatchRecord]:
    """One match of an agent in each game."""
    records: list[MatchRecord] = []
    for number, (game, made) in enumerate(games.items()):
        record = play(made, [agent], tmp_path / f"{name}{number}", illegal_actions=NO_RETRIES).over
        plan = attrs.evolve(record.plan, id=f"{game}/{name}/0.0", game=game, agents=(name,), pairing=name)
        records.append(attrs.evolve(record, plan=plan))
    return records


def sections(records: Sequence[MatchRecord]) -> dict[str, Section]:
    """The sections of a report about some matches, by title."""
    metric = PlanningScores()
    rows = [MeasurementRow.of(m, record) for record in records for m in metric.measure(FinishedMatch(record, None))]
    return {made.title: made for made in metric.summarize(Measurements(rows=rows))}


def rows_of(made: Section, title: str) -> list[list[Any]]:
    """The rows of a table, estimates as what they estimate."""
    (table,) = [table for table in made.tables if table.title == title]
    return [[cell.value if isinstance(cell, Estimate) else cell for cell in row] for row in table.rows]


@pytest.mark.slow
def test_tracking_is_shown_over_the_number_of_moves(tmp_path: Path):
    """Who follows five moves is right up to five, and the curve falls there; a refusal is an unanswered question."""
    games: dict[str, Game] = {
        f"tracking[length={length}][number={number}]": SpatialTracking(length=length, number=number)
        for length in range(1, 11)
        for number in range(2)
    }
    silent = FunctionAgent(lambda *_: Refusal(kind=RefusalKind.EMPTY, reason="nothing was said"))
    records = matches("five", tracker(5), games, tmp_path) + matches("silent", silent, games, tmp_path)
    made = sections(records)["Tracking"]

    by_agent = {row[0]: row[1:] for row in rows_of(made, "Tracking by agent")}
    assert by_agent["five"] == [20, 0.5, 0]
    assert by_agent["silent"] == [20, 0, 1]
    assert by_agent["perfect play"][1] == 1
    over = [row for row in rows_of(made, "Tracking over length") if row[0] == "five"]
    assert [row[3] for row in over] == [1.0] * 5 + [0.0] * 5
    (figure,) = made.figures
    assert set(figure.series) == {"five", "five, fitted", "silent", "silent, fitted"}


def test_recall_has_f1_by_domain_and_properties(tmp_path: Path):
    """An answer with one fact of two is wrong with an F1 between; tables are by domain and by number of properties."""
    games: dict[str, Game] = {
        f"recall[domain=elevator][length={length}][number={number}]": FactualRecall(
            domain="elevator", length=length, number=number
        )
        for length in (2, 4)
        for number in range(3)
    }
    nothing = FunctionAgent(lambda *_: Reply(action=[]))
    made = sections(matches("nothing", nothing, games, tmp_path))["Recall"]

    (row,) = [row for row in rows_of(made, "Recall by agent") if row[0] == "nothing"]
    assert row[1] == 6
    assert row[2] <= row[4] <= 1
    assert [row[0] for row in rows_of(made, "Recall by domain")] == ["elevator"]
    assert sum(row[2] for row in rows_of(made, "Recall by properties")) == 6


def test_metric_measures_nothing_else(tmp_path: Path):
    """Matches of other games give no measurement, and the report says that there is none."""
    assert set(sections([])) == {"Planning"}
    games: dict[str, Game] = {"tracking": SpatialTracking(length=3, number=0)}
    assert check_metric(PlanningScores(), matches("five", tracker(5), games, tmp_path)).measurements == 1


def test_curve_finds_what_made_the_shares():
    """From many shares drawn from a curve, the fit finds the curve within its band at most lengths."""
    rng, lengths = Random(3), [length for length in range(1, 41) for _ in range(50)]
    truth = [float(expit(4 - 1.6 * log1p(length))) for length in lengths]
    curve = fit(lengths, [float(rng.random() < p) for p in truth])

    assert curve is not None
    assert curve.slope == pytest.approx(-1.6, abs=0.25)
    bands = [curve.at(length, 0.95, "tasks") for length in range(1, 41)]
    inside = [
        cast("float", b.low) <= expit(4 - 1.6 * log1p(n)) <= cast("float", b.high) for n, b in enumerate(bands, 1)
    ]
    assert sum(inside) >= 36


def test_curve_is_finite_where_length_decides():
    """All short ones right and all long ones wrong has no largest likelihood, and a finite curve all the same."""
    curve = fit([1, 2, 3, 10, 11, 12], [1, 1, 1, 0, 0, 0])

    assert curve is not None
    middle = curve.at(5.6, 0.95, "tasks")
    assert middle.value == pytest.approx(0.5, abs=0.1)
    assert -20 < curve.slope < 0


@pytest.mark.parametrize("lengths", [[], [3, 3, 3, 3], [1, 2]])
def test_no_curve_from_too_little(lengths: list[float]):
    """Fewer than three, or one length alone, give no curve."""
    assert fit(lengths, [1.0] * len(lengths)) is None


def test_firths_estimate_is_the_published_one():
    """For a saturated two-group model Firth's log-odds are those with a half added to each cell."""
    lengths = [1.0] * 10 + [5.0] * 10
    curve = fit(lengths, [1.0] * 7 + [0.0] * 3 + [1.0] * 2 + [0.0] * 8)

    assert curve is not None
    assert curve.at(1, 0.95, "").value == pytest.approx(7.5 / 11)
    assert curve.at(5, 0.95, "").value == pytest.approx(2.5 / 11)


def test_correlations_are_those_of_scipy():
    """Pearson's and Spearman's coefficients agree with scipy, with equal values too."""
    rng = np.random.default_rng(1)
    values = np.column_stack([rng.integers(0, 6, 21).astype(float), rng.random(21)])

    assert pearson(values) == pytest.approx(float(pearsonr(*values.T).statistic))
    assert spearman(values) == pytest.approx(float(spearmanr(*values.T).statistic))
    assert pearson(np.ones((5, 2))) == 0
