"""Scores of Hanabi by number of players, and beside them what SPIN-Bench's own program would have recorded."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import quantiles
from typing import Any, Final, cast

import attrs
from arena.metric import Baseline, FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import MatchRecord
from arena.tables import Cell, Estimate, Section, Table
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_metric_outcomes.columns import numbers, shares, text
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_mean

MEANING: Final = (
    "The score is the number of cards in the fireworks, and 0 if the last life was lost. SPIN-Bench's program writes "
    "the score down before the last action is applied: a match that is lost counts as if it had not been, and a last "
    "card that fits is left out. Where a player runs out of tries it crashes and records nothing. Hands are players by "
    "cards; random is the score of uniform legal play. The highest score is the number of all different cards, 25 with "
    "five colours, which some deals do not allow."
)


@attrs.frozen
class HanabiScores(Metric):
    """The score of each match of Hanabi, and the number that SPIN-Bench's program would have recorded for it."""

    needs_game = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One score for each match of Hanabi; ``detail`` has the setting and the recorded number.

        The score is 0 where somebody failed and the match has no returns.
        """
        game, record = match.game, match.record
        if isinstance(game, Hanabi) and not record.is_blameless:
            players = len(record.agents)
            setting = {"players": players, "hand": int(game.engine(players).get_parameters()["hand_size"])}
            detail = {**setting, "recorded": _recorded(record), "is-bombed": _is_bombed(record, game)}
            score = record.returns[0] if record.returns else 0.0
            yield Measurement(name="hanabi-score", value=score, detail=detail)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """One table: a row for each game and the agents in its seats."""
        groups: dict[tuple[str, str], list[MeasurementRow]] = {}
        for row in measurements.rows_named("hanabi-score"):
            if measurements.forfeits != "without" or not row.is_forfeited:
                groups.setdefault((row.game, ", ".join(dict.fromkeys(sorted(row.agents)))), []).append(row)
        if not groups:
            yield Section(title="Hanabi", text="There is no match of Hanabi to report.")
            return
        columns = (
            *text("game", "agent", "hands"),
            *numbers("score"),
            *text("quartiles"),
            *numbers("original records"),
            *shares("last life lost"),
            *numbers("random"),
        )
        rows = tuple(_row(*key, rows, measurements) for key, rows in sorted(groups.items()))
        yield Section(title="Hanabi", text=MEANING, tables=(Table(title="Hanabi scores", columns=columns, rows=rows),))


def _recorded(record: MatchRecord) -> int | None:
    """The cards laid before the last action: what SPIN-Bench's program records; ``None`` where it crashes."""
    if record.at_fault:
        return None
    moves = [cast("Mapping[str, Any]", event.data) for event in record.events if event.kind == "moved"]
    return sum(bool(move.get("is_next")) for move in moves[:-1])


def _is_bombed(record: MatchRecord, game: Hanabi) -> bool:
    """Whether the last life was lost."""
    moves = (cast("Mapping[str, Any]", event.data) for event in record.events if event.kind == "moved")
    return sum(move.get("is_next") is False for move in moves) >= game.lives


def _row(game: str, agent: str, rows: Sequence[MeasurementRow], measurements: Measurements) -> tuple[Cell, ...]:
    details = [cast("Mapping[str, Any]", row.detail) for row in rows]
    scores = [float(row.value or 0) for row in rows]
    recorded = [float(detail["recorded"]) for detail in details if detail["recorded"] is not None]
    baseline, level = measurements.baselines.get(game), measurements.level
    bounds = (0.0, None if baseline is None else baseline.max_return)
    return (
        *(game, agent, f"{details[0]['players']} × {details[0]['hand']}"),
        mean(scores, level=level, bounds=bounds),
        ", ".join(f"{quartile:g}" for quartile in quartiles(scores)),
        mean(recorded, level=level, bounds=bounds),
        share([detail["is-bombed"] for detail in details], level=level),
        _random(baseline, len(scores), level) if baseline and baseline.random else None,
    )


def quartiles(scores: Sequence[float]) -> tuple[float, float, float]:
    """The lower quartile, the median and the upper quartile, with linear interpolation between scores."""
    low, middle, high = quantiles(scores, n=4, method="inclusive") if len(scores) > 1 else [*scores] * 3
    return low, middle, high


def _random(baseline: Baseline, n: int, level: float) -> Estimate:
    """The mean score of random play in ``n`` matches."""
    error, played = baseline.random_errors[0], baseline.random_n
    bounds = (baseline.min_return, baseline.max_return)
    deviations = [error * sqrt(played)] * n
    return random_mean(baseline.random[0], deviations, error=error, playouts=played, level=level, bounds=bounds)
