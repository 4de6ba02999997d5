"""The suites of board games: what is played how often by whom, and the tables that their page promises."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.metric import FinishedMatch
from arena.record import Ending, MatchPlan, MatchRecord, Player
from arena.testing import check_metric
from arena_agent_grid.solvers import ConnectFourSolver
from arena_cli.application.group import group
from arena_engine import Journal, load_benchmark, plan_matches
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_suite_spin_bench.draws import SolverDraws
from arena_suite_spin_bench.schedule import AgainstSolvers
from click.testing import CliRunner, Result

pytestmark = pytest.mark.xdist_group("boards")  # one process: what all tests here share takes long to make

LEVELS = (0, 5, 10, 15, 20)


def arena(*arguments: object) -> Result:
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


def records(run: Path) -> list[MatchRecord]:
    with Journal.open(run) as journal:
        return list(journal.records())


def test_suite_against_solvers_plays_as_in_the_paper():
    """Ten games of tic-tac-toe and connect four, four of chess at each of five levels, sides swapped at half."""
    benchmark = load_benchmark("suite:spin-solvers")

    plans = [plan for plan in plan_matches(benchmark) if "smollm" in plan.agents]

    played = Counter((plan.game, plan.pairing, plan.agents.index("smollm")) for plan in plans)
    assert played == {
        **{("tic-tac-toe", "minimax,smollm", seat): 5 for seat in (0, 1)},
        **{("connect-four", "perfect,smollm", seat): 5 for seat in (0, 1)},
        **{("chess", f"smollm,stockfish-{level}", seat): 2 for level in LEVELS for seat in (0, 1)},
    }
    assert [benchmark.agents[f"stockfish-{level}"].agent.skill for level in LEVELS] == list(LEVELS)
    assert (benchmark.illegal_actions.retries, benchmark.illegal_actions.then) == (10, "forfeit")
    assert benchmark.agents["smollm"].agent.takes == "last"


def test_round_robin_plays_as_in_the_paper():
    """Every pair plays ten games of tic-tac-toe and connect four and four of chess, half of them from either side."""
    plans = plan_matches(load_benchmark("suite:spin-round-robin"))

    assert Counter((plan.game, plan.agents) for plan in plans) == {
        (game, agents): times
        for game, times in {"tic-tac-toe": 5, "connect-four": 5, "chess": 2}.items()
        for agents in (("random", "smollm"), ("smollm", "random"))
    }


def test_solvers_do_not_meet_and_nobody_else_is_left_out():
    """Whoever has no tag plays each solver of the pool from both seats."""
    agents = {"a": frozenset[str](), "s1": frozenset({"solver"}), "b": frozenset({"x"}), "s2": frozenset({"solver"})}

    found = [lineup.agents for lineup in AgainstSolvers(pool=("solver",)).lineups(agents, 2)]

    assert found == [
        ("a", "s1"),
        ("s1", "a"),
        ("a", "s2"),
        ("s2", "a"),
        ("b", "s1"),
        ("s1", "b"),
        ("b", "s2"),
        ("s2", "b"),
    ]
    with pytest.raises(ConfigError, match="no agent but the solvers"):
        list(AgainstSolvers(pool=("s1",)).lineups({"s1": frozenset({"solver"})}, 2))
    with pytest.raises(ConfigError, match="tag the opponents 'solver'"):
        list(AgainstSolvers(pool=("a",)).lineups({"a": frozenset()}, 2))
    with pytest.raises(ConfigError, match="this game has 3 players"):
        list(AgainstSolvers(pool=("s1",)).lineups(agents, 3))


MINE = """
name: mine
extends: suite:spin-solvers
agents:
  smollm: null
  talker:
    use: llm
    backend: {use: scripted, answers: [%s]}
    prompt: {style: spin-board, history: none}
    constrained: false
    takes: last
"""


@pytest.fixture(scope="module")
def perfect_game(tmp_path_factory) -> Path:
    """The suite without chess, with a model that always gives two answers, of which the last is a column."""
    place = tmp_path_factory.mktemp("suite")
    answers = """'{"action": "column A"} {"action": "column D"}'"""
    (place / "mine.yaml").write_text(MINE % answers)
    options = ("--game", "tic-tac-toe", "--game", "connect-four", "-n", 1, "-q", "-o", place / "run")
    done = arena("run", place / "mine.yaml", *options)
    assert done.exit_code == 0, done.stderr
    return place / "run"


@pytest.mark.campaign
def test_tables_of_the_page_are_there(perfect_game):
    """The report has draws against solvers, shares of ranks and what illegal moves cost, with n and random play."""
    shown = arena("report", perfect_game, "--format", "markdown").stdout

    for title in ("Draws against solvers", "Shares of ranks", "What refusals cost", "Refusals", "last of several"):
        assert title in shown
    (line,) = [line for line in shown.splitlines() if line.startswith("| connect-four | random | perfect |")]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[3:7] == ["2", "0", "0", "2"]
    assert cells[7].startswith("0% ")
    assert "n=1 blocks" in cells[7]


@pytest.mark.slow  # plays and solves connect four
def test_illegal_moves_lose_after_ten_retries(perfect_game):
    """A model that cannot find a legal move is asked eleven times in that turn, and then has lost."""
    lost = [match for match in records(perfect_game) if match.forfeited]

    assert lost
    for match in lost:
        (player,) = match.forfeited
        last = max(event.data["turn"] for event in match.refused() if event.player == player)
        tries = [event for event in match.refused() if event.player == player and event.data["turn"] == last]
        assert len(tries) == 11
        assert match.returns is not None
        assert match.returns[player] == -1


@pytest.mark.campaign
@pytest.mark.usefixtures("stockfish")
def test_chess_of_the_suite_is_judged_by_stockfish(tmp_path):
    """Two games at each of three levels: results, ranks and centipawns of random play beside random choice."""
    (tmp_path / "mine.yaml").write_text(
        "name: mine\nextends: suite:spin-solvers\nagents: {smollm: null, stockfish-5: null, stockfish-10: null}\n"
    )
    changes = [f"agents.stockfish-{level}.nodes=300" for level in (0, 15, 20)]
    # Stockfish's weakest level chooses by the clock, so any position may come up: with 3,000 nodes the solver
    # could not score every move where a queen has many, and then the whole match went unjudged.
    changes.append("metrics.optimality.solvers=[{use: stockfish, nodes: 20000}]")
    options = ("--game", "chess", "-n", 1, "-q", "-o", tmp_path / "run")

    done = arena("run", tmp_path / "mine.yaml", *options, *(word for each in changes for word in ("--set", each)))
    shown = arena("report", tmp_path / "run", "--format", "markdown").stdout

    assert done.exit_code == 0, done.stderr
    assert Counter(match.agents for match in records(tmp_path / "run")) == Counter(
        {
            pair: 1
            for level in (0, 15, 20)
            for pair in ((f"stockfish-{level}", "random"), ("random", f"stockfish-{level}"))
        }
    )
    rows = {tuple(cell.strip() for cell in line.strip("|").split("|")) for line in shown.splitlines() if "|" in line}
    assert ("chess", "random", "all", "6", "0", "0", "6") in {row[:7] for row in rows}
    assert any(row[:2] == ("chess", "random") and row[-1] == "centipawns" for row in rows)
    assert "Stockfish" in shown
    assert "did not give all" not in shown


@pytest.mark.parametrize("notation", ["uci", "san"])
@pytest.mark.parametrize("listed", [True, False])
def test_chess_prompt_has_position_and_moves(tmp_path, notation, listed):
    """The style for chess shows the board and the position in FEN, and the moves in either notation, or none."""
    (tmp_path / "mine.yaml").write_text(
        f"""
        games: {{chess: {{use: chess, notation: {notation}}}}}
        agents:
          talker:
            use: llm
            backend: {{use: scripted}}
            constrained: false
            prompt: {{style: spin-chess, list-actions: {str(listed).lower()}}}
          random: random
        schedule: {{use: fixed, seatings: [[talker, random]]}}
        """
    )

    shown = arena("run", tmp_path / "mine.yaml", "--show-prompt").stdout

    assert "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in shown
    assert "8  r n b q k b n r" in shown
    assert ("- g1f3" in shown, "- Nf3" in shown) == (listed and notation == "uci", listed and notation == "san")
    assert ("Your legal moves" in shown) == listed


@pytest.mark.parametrize(("game", "place"), [("tic-tac-toe", "row 1, column 1"), ("connect-four", "   A B C D E F G")])
def test_board_prompt_has_drawing_and_list(game, place):
    """The style of the other board games shows the board drawn and as a list, without a word of chess."""
    shown = arena("run", "suite:spin-solvers", "--show-prompt", "--game", game).stdout

    assert place in shown
    assert "The same position as a list:" in shown
    assert "Forsyth" not in shown


@pytest.mark.parametrize(("ending", "gone", "results"), [("disqualified", (1,), [1, -1]), ("turn-limit", (), [])])
def test_a_disqualification_is_lost_against_a_solver(ending, gone, results):
    """Whoever fails loses to the solver, also where nobody is given the win; a match without a loser counts nowhere."""
    plan = MatchPlan(id="c4", game="c4", agents=("perfect", "m"), pairing="p", repeat=0, rotation=0, chance_seed=0)
    record = MatchRecord(
        plan=plan, seats=("x", "o"), ending=Ending(ending), returns=None, forfeited=tuple(map(Player, gone))
    )

    assert [row.value for row in SolverDraws().measure(FinishedMatch(record, None))] == results


def test_metric_keeps_its_contract():
    """The figures hold for matches of every ending, in any order."""
    assert check_metric(SolverDraws(solvers=("a*",))).estimates >= 0


@pytest.mark.campaign
@pytest.mark.timeout(1_800)
def test_random_play_against_exact_connect_four():
    """Over 2,000 moves of random play the share of ranks 1 to 3 is 68.4 % within 3 points; nothing is drawn or won."""
    game = ConnectFour()
    solution = ConnectFourSolver(quickest=True).solve(game, 2)
    rng = Random(2)
    hits = moves = matches = 0
    results = Counter[float]()

    while moves < 2_000:
        matches += 1
        state, _ = game.start(Chance(matches), 2)
        while acting := state.to_act():
            values = solution.action_values(state, acting[0]).values
            if acting[0] == matches % 2:
                played = rng.choice(values)
                moves += 1
                hits += sum(value.score > played.score for value in values) < 3
            else:
                (played,) = rng.choices(values, [value.probability for value in values])
            state.apply({acting[0]: played.action})
        returns = state.returns()
        assert returns is not None
        results[returns[matches % 2]] += 1

    assert abs(100 * hits / moves - 68.4) <= 3
    assert results == {-1.0: matches}
