"""The metric ``spin-bench``: from any runs of the suites to the tables and figures of the paper."""

from collections.abc import Iterable
from typing import ClassVar, Final

import attrs
from arena.game import Game
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import MatchRecord, Player
from arena.solver import Solver
from arena.tables import Section
from arena_agent_chess.solver import StockfishSolver
from arena_agent_grid.solvers import ConnectFourSolver
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_metric_optimality.optimality import Optimality
from arena_metric_outcomes.illegal import IllegalActions
from arena_metric_outcomes.results import outcome
from arena_metric_planning.verdicts import measured as measured_planning
from arena_metric_ratings.contests import measured as measured_places

from arena_suite_spin_bench.board_tables import board_section
from arena_suite_spin_bench.diplomacy_negotiation import JUDGED_BY
from arena_suite_spin_bench.diplomacy_results import measured as measured_diplomacy
from arena_suite_spin_bench.diplomacy_tables import diplomacy_section
from arena_suite_spin_bench.draws import SolverDraws
from arena_suite_spin_bench.hanabi import HanabiScores
from arena_suite_spin_bench.hanabi_tables import hanabi_section, scores_of_people
from arena_suite_spin_bench.main_table import main_section
from arena_suite_spin_bench.planning_tables import planning_section
from arena_suite_spin_bench.results import Opponents, SpinResults
from arena_suite_spin_bench.runs_together import BOARD, is_among, plain_name

_CLASSES: Final = {TicTacToe: "tic-tac-toe", ConnectFour: "connect-four", Chess: "chess"}
_RANKED: Final = frozenset({"regret", "unsolved"})
_NODES: Final = 100_000


@attrs.frozen(kw_only=True)
class SpinBenchScores(Metric):
    """The tables and figures of SPIN-Bench, from whatever its suites have measured."""

    opponents: tuple[str, ...] = attrs.field(
        default=("minimax", "perfect", "stockfish-*"),
        metadata={"help": "agents that are opponents and nothing else; * stands for anything"},
    )
    ranked_against: tuple[str, ...] = attrs.field(
        default=("perfect", "stockfish-0"), metadata={"help": "the opponents against whom choices are ranked"}
    )
    connect_four: Solver = attrs.field(
        default=ConnectFourSolver(), metadata={"help": "the solver that ranks choices in connect four"}
    )
    chess: Solver = attrs.field(
        default=StockfishSolver(nodes=_NODES), metadata={"help": "the solver that ranks choices in chess"}
    )
    last_is_best: bool = attrs.field(
        default=False, metadata={"help": "rank the last choice of each match first, as SPIN-Bench's code does"}
    )
    people: str = attrs.field(
        default="",
        metadata={
            "help": "a CSV file of people's scores in Hanabi, with the columns players and score",
            "names_file": lambda given: bool(given["people"]),
            "file_use": "loaded",
        },
    )
    labels: str = attrs.field(
        default="",
        metadata={
            "help": "a file of `arena annotate` with people's labels of talk in Diplomacy",
            "names_file": lambda given: bool(given["labels"]),
            "file_use": "loaded",
        },
    )
    judged_by: ClassVar[tuple[str, ...]] = (JUDGED_BY,)

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """What the suites' own metrics measure, and of board games which it was and how each player came out."""
        yield from measured_planning(match.record)
        yield from measured_diplomacy(match)
        if match.game is not None:
            yield from HanabiScores().measure(match)
            if (board := _board(match.game)) is not None:
                yield from self._of_board(board, match)

    def _of_board(self, board: str, match: FinishedMatch) -> Iterable[Measurement]:
        record = match.record
        for player in map(Player, range(len(record.agents))):
            yield Measurement(name=BOARD, value=board, player=player, detail=outcome(record, player))
        yield from SolverDraws(solvers=self.opponents).measure(match)
        yield from IllegalActions().measure(match)
        yield from measured_places(record, disqualified_lose=True)
        solver = {"connect-four": self.connect_four, "chess": self.chess}.get(board)
        if solver is not None and self._is_ranked(record):
            ranking = Optimality(solvers=(solver,), last_is_best=self.last_is_best)
            yield from (each for each in ranking.measure(match) if each.name in _RANKED)

    def _is_ranked(self, record: MatchRecord) -> bool:
        return any(is_among(plain_name(agent, record.id), self.ranked_against) for agent in record.agents)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Table 1; then planning, board games, Hanabi and Diplomacy, each with its tables and figures."""
        results = SpinResults(measurements, Opponents(all=self.opponents, ranked=self.ranked_against))
        people = scores_of_people(self.people) if self.people else {}
        yield main_section(results)
        yield planning_section(results)
        yield board_section(results)
        yield hanabi_section(results, people)
        yield diplomacy_section(results, self.labels)


def _board(game: Game) -> str | None:
    return next((name for kind, name in _CLASSES.items() if isinstance(game, kind)), None)
