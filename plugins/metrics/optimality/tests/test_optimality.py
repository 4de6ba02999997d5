"""Choices, exploitability and hindsight, against values known by hand."""

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply
from arena.game import Game, State
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import FinishedMatch
from arena.record import Player
from arena.solver import ActionValue, ActionValues, Solution, Solver
from arena.tables import Estimate, Section
from arena.testing import RANDOM, FunctionAgent, check_metric, playing
from arena_agent_solvers.cfr import Cfr
from arena_agent_solvers.search import AlphaBeta
from arena_agent_solvers.solver import BySolver
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.strategic_games.matrix import MatchingPennies, PrisonersDilemma
from arena_metric_optimality.optimality import Optimality

NASH = BySolver(solver=Cfr())
PERFECT = BySolver(solver=AlphaBeta())

PLAIN = (AlphaBeta(),)

FIRST = FunctionAgent(lambda decision, seat: Reply(action=decision.options.actions[0]))


def lines(section: Section, title: str) -> list[dict[str, Any]]:
    """The rows of a table by the names of its columns."""
    tables = {table.title: table for table in section.tables}
    if title not in tables:
        return []
    names = [column.name for column in tables[title].columns]
    return [dict(zip(names, row, strict=True)) for row in tables[title].rows]


def test_a_blunder_costs_what_it_gives_away(matches, judged):
    """Answering a corner with an edge loses tic-tac-toe: a regret of 1, where only the centre has none."""
    records = matches(TicTacToe(), [playing(0, 4, 8), playing(1, 2)])

    first, second = lines(judged(TicTacToe(), records), "Choices against optimal play")

    assert records[0].returns == (1.0, -1.0)
    assert (first["choices"], first["regret"].value, first["optimal"].value) == (3, 0.0, 1.0)
    # 1 - 0 for the edge, then nothing: lost is lost
    assert (second["choices"], second["regret"].value, second["optimal"].value) == (2, 0.5, 0.5)
    # random play finds the centre once in eight, and any of six lost moves
    assert second["random optimal"].value == pytest.approx((1 / 8 + 1) / 2)
    assert second["random regret"].value == pytest.approx((7 / 8 + 0) / 2)
    assert second["regret score"].value == pytest.approx((7 / 8 - 1) / (7 / 8))
    assert "exact" in second["method"]


def test_errors_are_illegal_and_suboptimal_moves(matches, judged):
    """Of two turns a match one gives the game away, and one begins with a taken square: half each, and all together."""
    policy = IllegalActionPolicy(retries=1)
    careless = FunctionAgent(lambda decision, seat: Reply(action=(1, 2 * decision.attempt)[decision.turn]))
    records = matches(TicTacToe(), [playing(0, 4, 8), careless], 3, illegal_actions=policy)

    first, second = lines(judged(TicTacToe(), records), "Errors")

    assert [event.data["kind"] for event in records[0].refused()] == ["illegal"]
    assert (second["turns"], second["judged"]) == (6, 6)
    assert (second["illegal"].value, second["unread"].value) == (0.5, 0.0)
    assert (second["suboptimal"].value, second["errors"].value) == (0.5, 1.0)
    assert 0 < second["random suboptimal"].value < 1
    assert all(0 <= second[name].low < second[name].high <= 1 for name in ("illegal", "suboptimal", "errors"))
    assert (first["turns"], first["illegal"].value, first["suboptimal"].value, first["errors"].value) == (9, 0, 0, 0)


def test_unreadable_answers_are_errors_of_their_own(matches, judged):
    """An answer that nobody could read is no illegal move, and its turn is an error all the same."""
    mumble = FunctionAgent(lambda decision, seat: Refusal(kind=RefusalKind.UNREADABLE, reason="no JSON"))
    policy = IllegalActionPolicy(retries=0, then="random")
    records = matches(TicTacToe(), [mumble, PERFECT], illegal_actions=policy)

    first, second = lines(judged(TicTacToe(), records), "Errors")

    assert (first["illegal"].value, first["unread"].value, first["judged"]) == (0.0, 1.0, 0)
    assert (first["suboptimal"], first["random suboptimal"]) == (None, None)
    assert (second["errors"].value, second["suboptimal"].value) == (0.0, 0.0)


def test_ranks_share_equal_values(matches, judged):
    """Of nine openings all keep the draw; of the replies to a corner one does, and the others are all second."""
    records = matches(TicTacToe(), [playing(0, 4, 8), playing(1, 2)])

    first, second = lines(judged(TicTacToe(), records, Optimality(top=1, solvers=PLAIN)), "Ranks of choices")
    _, wide = lines(judged(TicTacToe(), records, Optimality(top=2, solvers=PLAIN)), "Ranks of choices")

    assert (first["keeps"].value, first["top"].value) == (1.0, 1.0)
    assert (second["keeps"].value, second["top"].value, wide["top"].value) == (0.5, 0.5, 1.0)
    assert second["random keeps"].value == second["random top"].value == pytest.approx((1 / 8 + 1) / 2)


def test_perfect_play_scores_one(matches, judged):
    """Minimax never gives anything away: no regret, only optimal choices, a score of 1; its opponent has some."""
    records = matches(TicTacToe(), [PERFECT, RANDOM], 6)

    first, second = lines(judged(TicTacToe(), records), "Choices against optimal play")

    assert (first["regret"].value, first["optimal"].value) == (0.0, 1.0)
    assert (first["regret score"].value, first["optimal score"].value) == (1.0, 1.0)
    assert second["regret"].value > 0
    assert second["regret"].low < second["regret"].value < second["regret"].high
    assert second["regret"].n == 6


@pytest.mark.campaign
def test_random_play_scores_zero(matches, judged):
    """A random player of Kuhn poker scores 0 within its interval, and the equilibrium 1."""
    records = matches(KuhnPoker(), [NASH, RANDOM], 60)

    section = judged(KuhnPoker(), records)

    nash, random = lines(section, "Choices against optimal play")
    ranked, _ = lines(section, "Ranks of choices")

    assert nash["regret score"].value == pytest.approx(1.0, abs=1e-3)
    assert nash["optimal"].value == ranked["keeps"].value == 1.0
    assert random["regret score"].low < 0 < random["regret score"].high
    assert random["optimal score"].low < 0 < random["optimal score"].high


def test_folding_the_best_card_costs_three(matches, judged):
    """Facing a bet in Kuhn poker with a king, folding loses 1 where calling wins 2; with a jack it is right."""
    records = matches(KuhnPoker(), [playing(1), playing(0)], 12)
    costs = {}
    for record in records:
        king = next(e.data["card"] for e in record.events if e.kind == "dealt" and e.data["player"] == 1)
        rows = list(Optimality().measure(FinishedMatch(record, KuhnPoker())))
        costs[king] = next(m.value for m in rows if m.name == "regret" and m.player == 1)

    assert costs == pytest.approx({"J": 0.0, "Q": 0.0, "K": 3.0}, abs=1e-3)


@pytest.mark.campaign
def test_exploitability_of_one_way_play(matches, judged):
    """Who folds every hand to a bet loses 19/18 to a best response, 20/18 below the value: worse than random play."""
    records = matches(KuhnPoker(), [playing(1), playing(0)], 24)

    _, second = lines(judged(KuhnPoker(), records), "Exploitability")

    assert (second["choices"], second["situations"]) == (24, "3 of 6")
    assert second["exploitability"].value == pytest.approx(20 / 18, abs=1e-3)
    assert second["optimal"] == pytest.approx(0.0, abs=1e-4)
    # random calls in the same three situations, the rest by the solution
    assert 0 < second["random"] < second["exploitability"].value
    assert second["score"].value < 0
    assert second["finite"] < second["random"]


@pytest.mark.campaign
def test_exploitability_has_an_interval_and_its_bias_beside_it(matches, judged):
    """Even the equilibrium looks exploitable in forty hands, about as much as the reference that had as many."""
    records = matches(KuhnPoker(), [NASH, RANDOM], 40)

    first, second = lines(judged(KuhnPoker(), records), "Exploitability")

    assert first["exploitability"].low <= first["exploitability"].value <= first["exploitability"].high
    assert first["exploitability"].value < 3 * first["finite"] + 0.05
    assert second["exploitability"].value > first["exploitability"].value
    assert second["exploitability"].n == 40


@pytest.mark.slow
def test_one_shot_matrix_games_have_an_equilibrium(matches, judged):
    """In matching pennies no choice has regret, and always the same side loses everything to a best response."""
    records = matches(MatchingPennies(), [playing(0), RANDOM], 8)
    section = judged(MatchingPennies(), records)

    first, _ = lines(section, "Choices against optimal play")
    exploited, _ = lines(section, "Exploitability")

    assert first["regret"].value == 0.0
    assert first["regret score"].value is None
    assert exploited["exploitability"].value == pytest.approx(1.0)


def test_regret_in_hindsight_of_a_dilemma(matches, judged):
    """Cooperating against a defector earns 0 where defecting earns 1; random choice has half of this regret."""
    game = PrisonersDilemma()
    section = judged(game, matches(game, [playing(0), playing(1)], 3))

    first, second = lines(section, "Regret in hindsight")

    assert (first["earned"].value, first["best"], first["regret"].value) == (0.0, "defect", 1.0)
    assert (first["random"].value, first["score"].value) == (0.5, -1.0)
    assert first["random"].high == pytest.approx(0.5 + 1.96 * 0.5 / 3**0.5, abs=1e-3)
    assert (second["regret"].value, second["score"].value) == (0.0, 1.0)
    assert lines(section, "Choices against optimal play") == []
    (why,) = lines(section, "Not judged")
    assert "others can have several that earn differently" in why["why"]


def test_regret_in_hindsight_over_rounds(matches, judged):
    """In a repeated dilemma each round counts, with what the other did in that round."""
    game = PrisonersDilemma(rounds=3)
    section = judged(game, matches(game, [playing(0, 0, 1), playing(0, 1, 1)]))

    first, second = lines(section, "Regret in hindsight")

    # reward 5, sucker 0, punishment 1; defecting throughout would have earned 10, 1 and 1
    assert first["choices"] == 3
    assert first["earned"].value == pytest.approx(6 / 3)
    assert first["regret"].value == pytest.approx((12 - 6) / 3)
    # reward 5, temptation 10, punishment 1; defecting throughout would have earned 10, 10 and 1
    assert second["regret"].value == pytest.approx((21 - 16) / 3)


def test_games_without_a_solver_are_named(matches, judged):
    """Where no solver takes a game there is no number, but each solver's reason."""
    section = judged(Hanabi(), matches(Hanabi(), [RANDOM, RANDOM]))

    (line,) = lines(section, "Not judged")
    assert line["game"] == "game"
    assert "alpha-beta searches games without hidden information and chance" in line["why"]
    assert "equilibria of zero-sum games" in line["why"]
    assert [table.title for table in section.tables] == ["Not judged"]


def test_solver_that_gives_up_is_named(matches, judged):
    """A game that turns out to be too large has no number either."""
    metric = Optimality(solvers=(AlphaBeta(nodes=300),))
    records = matches(ConnectFour(), [RANDOM, RANDOM], 2)

    section = judged(ConnectFour(), records, metric)

    (line,) = lines(section, "Not judged")
    assert "looked at 300 positions" in line["why"]
    assert lines(section, "Choices against optimal play") == []


def test_substitutes_are_not_judged(matches, judged):
    """What a policy put in was no choice of the agent."""
    policy = IllegalActionPolicy(retries=0, then="random")
    records = matches(TicTacToe(), [playing(*["nowhere"] * 5), RANDOM], illegal_actions=policy)
    section = judged(TicTacToe(), records)

    assert {line["agent"] for line in lines(section, "Choices against optimal play")} == {"agent-1"}
    (line,) = lines(section, "Not judged")
    assert (line["agent"], line["why"]) == ("agent-0", "put in by the policy for illegal actions")
    assert line["choices"] >= 3


@attrs.frozen
class Always(Solver):
    """A solver of somebody else: the action with the greatest number is worth it."""

    def unsupported_reason(self, game: Game, players: int) -> str | None:
        return None

    def solve(self, game: Game, players: int) -> Solution:
        return Greatest()


class Greatest(Solution):
    method = "by size"

    def action_values(self, state: State, player: Player) -> ActionValues:
        options = state.decision(player).options
        assert options is not None
        numbers = [int(str(action)) for action in options.actions]
        worths = tuple(
            ActionValue(action=n, value=0.0, probability=float(n == max(numbers)), score=float(n)) for n in numbers
        )
        return ActionValues(values=worths)


def test_solvers_of_others_judge_too(matches, judged):
    """Any class that keeps the contract of a solver can be named, whatever the metric knows of it."""
    records = matches(TicTacToe(), [playing(8, 6, 7), playing(1, 2)])

    section = judged(TicTacToe(), records, Optimality(solvers=(Always(),), top=1))

    first, _ = lines(section, "Choices against optimal play")
    ranks, _ = lines(section, "Ranks of choices")

    # 8 of 0 to 8; then 6 where 7 is free, then 7: all worth the same, and ranked by the solver's own score
    assert (first["regret"].value, first["optimal"].value) == (0.0, pytest.approx(2 / 3))
    assert ranks["top"].value == pytest.approx(2 / 3)
    assert ranks["keeps"].value == 1.0
    assert first["method"] == "Always: by size"


@pytest.mark.slow
@pytest.mark.parametrize("game", [PrisonersDilemma(), KuhnPoker(), TicTacToe()])
@pytest.mark.sample(slow=1)
def test_metric_keeps_its_contract(matches, game: Game):
    """Pure, independent of order, and every share with its n and interval."""
    report = check_metric(Optimality(), matches(game, [RANDOM, RANDOM], 6), game)

    assert report.measurements
    assert report.estimates


def test_nothing_to_judge_is_said():
    """Without the game there is no number."""
    assert check_metric(Optimality()).tables == 0


@pytest.mark.campaign
def test_report_judges_long_after_the_run(tmp_path):
    """The journal is all it takes: a run that was not measured is judged by ``arena report --metric optimality``."""
    import arena
    from arena_cli.application.group import group
    from click.testing import CliRunner

    plain: Mapping[str, Any] = {
        "games": {"ttt": "tic-tac-toe", "kuhn": "kuhn-poker"},
        "agents": {"random": "random", "first": "first-legal"},
        "schedule": {"use": "round-robin", "repeats": 3},
        "metrics": [],
    }
    arena.run(plain, output=tmp_path / "run")

    done = CliRunner().invoke(
        group, ["report", str(tmp_path / "run"), "--metric", "optimality", "--format", "markdown"]
    )

    assert done.exit_code == 0, done.output
    assert "Choices against optimal play" in done.output
    assert "Exploitability" in done.output
    assert "| kuhn | random |" in done.output


@pytest.mark.slow
def test_estimates_say_what_they_rest_on(matches, judged):
    """Each number has its n: matches for an agent, for random choice the choices that it stands beside."""
    section = judged(KuhnPoker(), matches(KuhnPoker(), [RANDOM, RANDOM], 10))

    for title in ("Choices against optimal play", "Exploitability"):
        for line in lines(section, title):
            found = [cell for cell in line.values() if isinstance(cell, Estimate)]
            assert found
            assert {cell.unit for cell in found} <= {"matches", "blocks", "choices"}
            assert all(cell.n == line["choices"] if cell.unit == "choices" else cell.n <= 10 for cell in found)
            assert {"random", "random optimal"} & set(line)
    (figure,) = section.figures
    assert figure.references == {"random choice": 0.0, "optimal choice": 1.0}


@pytest.mark.campaign
def test_ranks_of_every_choice_are_shared_out(matches, judged):
    """Random play has the shares of random choice in its own positions; perfect play is always first."""
    game = TicTacToe()
    records = matches(game, [RANDOM, PERFECT], 30)

    section = judged(game, records, Optimality(solvers=PLAIN, shows_ranks=True))

    random, perfect = lines(section, "Shares of ranks")
    assert perfect["rank"].value == perfect["top 1"].value == 1
    assert perfect["outside 10"].value == 0
    assert random["top 1"].low <= random["random top 1"].value <= random["top 1"].high
    assert random["top 1"].value <= random["top 3"].value <= random["top 10"].value == 1
    (figure,) = [figure for figure in section.figures if figure.kind == "stacked-bar"]
    assert figure.x == ("agent-0", "agent-1", "random choice")
    for place in range(3):
        parts = [series[place] for series in figure.series.values()]
        assert sum(getattr(part, "value", part) for part in parts) == pytest.approx(1)


def test_last_choice_may_count_as_best(matches):
    """On request the last choice of a match has rank 1, and all others keep theirs."""
    game = TicTacToe()
    (record,) = matches(game, [RANDOM, RANDOM], 1)

    plain, other = (
        [m for m in Optimality(last_is_best=last).measure(FinishedMatch(record, game)) if m.name == "regret"]
        for last in (False, True)
    )

    last = record.steps - 1
    order = sorted(range(len(plain)), key=lambda i: (plain[i].turn, plain[i].player))
    assert len(plain) == record.steps
    assert {i for i in order if plain[i] != other[i]} <= {order[last]}
    assert other[order[last]].detail["rank"] == 1
    assert set(other[order[last]].detail["ranks"]) == {1}


class InPence(Solver):
    """Scores moves of tic-tac-toe by their number, in a unit of its own."""

    is_exact = False

    def unsupported_reason(self, game, players):
        return None

    def solve(self, game, players):
        return Pence()


class Pence(Solution):
    method, score_unit, score_limit = "by number", "pence", 6.0

    def action_values(self, state, player):
        actions = state.decision(player).options.actions
        values = tuple(
            ActionValue(action=a, value=a / 10, probability=float(a == max(actions)), score=a) for a in actions
        )
        return Searched(values=values)


class Searched(ActionValues):
    facts = {"depth": 3}  # noqa: RUF012 -- a solver's values say so of each position


def test_losses_are_in_the_solvers_unit(matches, judged):
    """Where scores have a unit, what was lost is told in it; scores beyond the limit count as the limit."""
    game = TicTacToe()
    (record,) = matches(game, [FIRST, FIRST], 1)
    metric = Optimality(solvers=(InPence(),), shows_ranks=True)

    section = judged(game, [record], metric)

    assert [
        (row["agent"], row["choices"], row["loss"].value, row["unit"]) for row in lines(section, "Loss by choice")
    ] == [
        ("agent-0", 4, pytest.approx((6 + 4 + 2 + 0) / 4), "pence"),
        ("agent-1", 3, pytest.approx((5 + 3 + 1) / 3), "pence"),
    ]
    first = next(m for m in metric.measure(FinishedMatch(record, game)) if m.name == "regret")
    assert first.detail["search"] == {"depth": 3}
