"""What was measured in any runs of the suites, by agent and by what it was measured in."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, cast

import attrs
from arena.metric import MeasurementRow, Measurements
from arena_metric_planning.results import PlanResult, QuestionResult, plan_results, question_results
from arena_metric_planning.verdicts import PLAN

from arena_suite_spin_bench.runs_together import BOARD, HANABI, boards, is_among, one_name_each

BOARDS: Final = ("tic-tac-toe", "connect-four", "chess")
"""The board games, in the order of the paper."""

SHORT: Final[Mapping[str, str]] = {"tic-tac-toe": "TTT", "connect-four": "C4", "chess": "CH"}
"""How the paper's headings shorten their names."""

GAME: Final = "SPIN-Bench"
"""The name under which the tasks of all runs are taken together."""


@attrs.frozen(kw_only=True)
class Opponents:
    """Which agents are opponents and nothing else, by names in which ``*`` stands for anything.

    ``ranked`` are those against whom choices are ranked.
    """

    all: tuple[str, ...]
    ranked: tuple[str, ...]

    def of(self, row: MeasurementRow) -> str | None:
        """The opponent of a player; ``None`` if it met an agent like itself, or is an opponent itself."""
        others = [agent for agent in row.agents if is_among(agent, self.all)]
        return others[0] if len(others) == 1 and row.agent not in others and len(row.agents) == 2 else None


@attrs.define(eq=False, slots=False)
class SpinResults:
    """The measurements of any runs, each under the agent's own name."""

    measurements: Measurements
    opponents: Opponents

    @cached_property
    def rows(self) -> list[MeasurementRow]:
        """All measurements that count."""
        kept = [r for r in self.measurements.rows if self.measurements.forfeits != "without" or not r.is_forfeited]
        return one_name_each(kept)

    @property
    def level(self) -> float:
        """The confidence level of all intervals."""
        return self.measurements.level

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """Everybody who was measured, without those who are opponents and nothing else."""
        found = {agent for row in self.rows for agent in row.agents}
        return tuple(sorted(agent for agent in found if not is_among(agent, self.opponents.all)))

    @cached_property
    def plans(self) -> list[PlanResult]:
        """Whole plans for tasks under their own names; plans made step by step are another task."""
        found = plan_results(self._together(row for row in self.rows if row.name == PLAN))
        return [result for result in found if result.mode == "plan" and result.disguise is None]

    def questions(self, kind: str) -> list[QuestionResult]:
        """Answers to questions of recall or of tracking."""
        return question_results(self._together(row for row in self.rows if row.name == kind), kind)

    def _together(self, rows: Iterable[MeasurementRow]) -> Iterable[MeasurementRow]:
        return (attrs.evolve(row, game=GAME) for row in rows)

    @cached_property
    def _boards(self) -> Mapping[str, str]:
        return boards(self.rows)

    def of_board(self, board: str, name: str) -> list[MeasurementRow]:
        """The measurements of one name in the matches of one board game."""
        return [row for row in self.rows if row.name == name and self._boards.get(row.match) == board]

    def against(self, board: str, agent: str) -> list[MeasurementRow]:
        """How an agent came out against its opponents in a board game: ``detail`` says won, drawn or lost."""
        return [r for r in self.of_board(board, BOARD) if r.agent == agent and self.opponents.of(r) is not None]

    def choices(self, board: str, agent: str) -> list[MeasurementRow]:
        """The ranked choices of an agent against the opponents against whom choices are ranked."""
        found = self.of_board(board, "regret")
        return [r for r in found if r.agent == agent and is_among(self.opponents.of(r) or "", self.opponents.ranked)]

    def unranked(self, board: str) -> str:
        """Why no choice in a board game could be ranked; empty if none was tried."""
        for row in self.of_board(board, "unsolved"):
            return "; ".join(str(why) for why in cast("Mapping[str, Any]", row.detail).values())
        return ""

    def hanabi(self, agent: str | None = None) -> list[MeasurementRow]:
        """The scores of matches of Hanabi in which one agent held all seats, with the hands of the paper."""
        return [
            row
            for row in self.rows
            if row.name == HANABI
            and len(set(row.agents)) == 1
            and agent in (None, row.agents[0])
            and _has_its_hand(row)
        ]


def players_of(row: MeasurementRow) -> int:
    """The number of players of a match of Hanabi."""
    return int(cast("Mapping[str, Any]", row.detail)["players"])


def _has_its_hand(row: MeasurementRow) -> bool:
    """Whether cards were dealt as in the paper: five, and four to five players."""
    return cast("Mapping[str, Any]", row.detail)["hand"] == (4 if players_of(row) == 5 else 5)


def blocks(rows: Sequence[MeasurementRow]) -> list[str]:
    """The label of the rotation block of each row; rows of one block are not independent."""
    return [row.block for row in rows]
