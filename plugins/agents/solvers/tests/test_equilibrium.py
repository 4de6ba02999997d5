"""Equilibria: what they earn, how they are kept, and who may play them."""

import gzip
from concurrent.futures import ThreadPoolExecutor

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Game, State
from arena.record import Player
from arena.solver import Solution
from arena.testing import RANDOM, check_agent
from arena_agent_solvers import cfr, policy_table
from arena_agent_solvers.cfr import Cfr, Equilibrium
from arena_agent_solvers.solver import BySolver
from arena_agent_solvers.tree import evaluated
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.dice_games.backgammon import Backgammon
from arena_game_openspiel.dice_games.liars_dice import LiarsDice
from arena_game_openspiel.strategic_games.matrix import MatchingPennies, PrisonersDilemma, RockPaperScissors

EQUILIBRIUM = BySolver(solver=Cfr())


def deals(game: Game) -> list[tuple[float, State]]:
    """Every way the two cards of Kuhn poker can be dealt, with how likely it is."""
    pairs = [(first, second) for first in range(3) for second in range(3) if first != second]
    return [(1 / 6, game.start(Chance(0, dict(enumerate(pair))), 2)[0]) for pair in pairs]


def expected(solution: Solution, state: State) -> float:
    """What the first player earns on average if both play the solution from here, by every line there is."""
    if (returns := state.returns()) is not None:
        return returns[0]
    (player,) = state.to_act()
    total = 0.0
    for worth in solution.policy(state, player):
        if worth.probability > 0:
            child = state.clone()
            child.apply({player: worth.action})
            total += worth.probability * expected(solution, child)
    return total


@pytest.mark.campaign
def test_equilibrium_of_kuhn_poker_earns_minus_one_eighteenth():
    """By enumeration of every deal and line through our own state the first player earns -1/18, to a millionth."""
    game = KuhnPoker()
    solution = Cfr().solve(game, 2)

    value = sum(p * expected(solution, state) for p, state in deals(game))

    assert value == pytest.approx(-1 / 18, abs=1e-6)
    assert solution.exploitability < 1e-4


def test_deals_are_what_they_seem():
    """The six deals above are six different ones, each with both cards where they were put."""
    seen = {str(state.observe(None)["cards"]) for _, state in deals(KuhnPoker())}  # type: ignore[call-overload, index]

    assert len(seen) == 6


def test_kuhn_poker_is_played_as_known():
    """The king always calls a bet and the jack never does; the queen calls a third of the time (Kuhn 1950)."""
    game = KuhnPoker()
    solution = Cfr().solve(game, 2)
    calls = {}
    for card in range(3):
        state, _ = game.start(Chance(0, {0: (card + 1) % 3, 1: card}), 2)
        state.apply({Player(0): 1})
        calls[card] = {w.action: w.probability for w in solution.policy(state, Player(1))}[1]

    assert calls == pytest.approx({0: 0.0, 1: 1 / 3, 2: 1.0}, abs=1e-2)


def test_worth_of_actions_in_kuhn_poker():
    """Facing a bet, folding loses the ante and calling with the best card wins two, so it never folds."""
    game = KuhnPoker()
    state, _ = game.start(Chance(0, {0: 0, 1: 2}), 2)
    state.apply({Player(0): 1})

    assessment = Cfr().solve(game, 2).action_values(state, Player(1))

    assert assessment is not None
    assert {w.action: w.value for w in assessment.values} == {0: -1.0, 1: 2.0}
    assert [w.probability for w in assessment.values] == [0.0, 1.0]


def test_nothing_is_said_of_what_the_other_never_allows():
    """Where the first player never bets, nothing is known of what the second does well after a bet."""
    game = KuhnPoker().engine(2)
    policy = {key: [(0, 0.5), (1, 0.5)] for card in range(3) for key in (f"{card}p", f"{card}b")}
    policy |= {key: [(0, 1.0), (1, 0.0)] for card in range(3) for key in (f"{card}", f"{card}pb")}

    found = evaluated(game, policy).situations

    assert {key for key, known in found.items() if not known.is_reached} == {"0b", "1b", "2b"}
    # with the best card after a check: checking back wins the ante, and so does a bet, which is always folded to
    assert found["2p"].values == (1.0, 1.0)


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("game", [MatchingPennies(), RockPaperScissors()])
def test_matrix_games_are_solved(game: Game):
    """In matching pennies and rock-paper-scissors both players mix evenly, and every choice is worth nothing."""
    state, _ = game.start(Chance(0), 2)
    solution = Cfr().solve(game, 2)
    even = 1 / len(state.decision(Player(0)).options or ())

    for player in (Player(0), Player(1)):
        assessment = solution.action_values(state, player)
        assert assessment is not None
        assert [w.probability for w in assessment.values] == pytest.approx([even] * len(assessment.values))
        assert [w.value for w in assessment.values] == pytest.approx([0.0] * len(assessment.values))


def test_matching_pennies_between_random_agents_is_even():
    """Over all four outcomes two uniform players of matching pennies earn exactly nothing on average."""
    game = MatchingPennies()
    earned = []
    start, _ = game.start(Chance(0), 2)
    for first in start.decision(Player(0)).options or ():
        for second in start.decision(Player(1)).options or ():
            state = start.clone()
            state.apply({Player(0): first.action, Player(1): second.action})
            earned.append(state.returns())

    assert len(earned) == 4
    assert [sum(values) for values in zip(*earned, strict=True)] == [0.0, 0.0]


@pytest.mark.campaign
def test_small_liars_dice_is_solved():
    """With three faces the first player wins 5 of 9, and nobody can gain against the solution."""
    solution = Cfr().solve(LiarsDice(faces=3), 2)

    assert solution.exploitability < 1e-3
    assert solution.table.returns[0] == pytest.approx(1 / 9, abs=1e-3)  # type: ignore[attr-defined]


@pytest.mark.campaign
def test_exploitability_of_a_policy():
    """Always folding a bet in Kuhn poker loses against a best response; playing the equilibrium does not."""
    solution = Cfr().solve(KuhnPoker(), 2)
    folding = {key: {"0": 1.0, "1": 0.0} for key in ("0b", "1b", "2b")}

    assert solution.best_response_gain({}, Player(1)) == pytest.approx(0.0, abs=1e-4)
    # betting wins 1, and checking a king 1/6 more from jacks that bluff: the other earns (1 + 1 + 7/6) / 3
    assert solution.best_response_gain(folding, Player(1)) == pytest.approx(19 / 18 + 1 / 18, abs=1e-3)


@pytest.mark.slow
def test_exploitability_of_uniform_play_in_kuhn_poker():
    """Best responses take 5/12 from a uniform first and 1/2 from a uniform second player (NashConv 11/12)."""
    solution = Cfr().solve(KuhnPoker(), 2)
    uniform = {key: {"0": 0.5, "1": 0.5} for key in solution.table.situations}  # type: ignore[attr-defined]

    assert solution.best_response_gain(uniform, Player(0)) == pytest.approx(5 / 12 - 1 / 18, abs=1e-6)
    assert solution.best_response_gain(uniform, Player(1)) == pytest.approx(1 / 2 + 1 / 18, abs=1e-6)


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(
    ("game", "players", "why"),
    [
        (TicTacToe(), 2, "in this one players see everything"),
        (PrisonersDilemma(), 2, "others can have several that earn differently"),
        (KuhnPoker(), 3, "games of two players, not of 3"),
        (LiarsDice(dice=2), 2, "this one has more than 1,000,000"),
        (Backgammon(), 2, "players see everything"),
    ],
)
def test_other_games_are_refused_with_the_reason(game: Game, players: int, why: str):
    """What CFR cannot solve it refuses, and says why."""
    assert why in str(Cfr().unsupported_reason(game, players))


def test_equilibrium_is_computed_once(cache, monkeypatch):
    """What one process has computed the next one reads: equal to the last digit."""
    first = Equilibrium(KuhnPoker().engine(2), 50).table
    monkeypatch.setattr(cfr, "_made", {})
    kept = {path.name: path.read_bytes() for path in cache.glob("*.json.gz")}
    second = Equilibrium(KuhnPoker().engine(2), 50)
    monkeypatch.setattr(second, "_computed", lambda: pytest.fail("it was computed again"))

    assert second.table == first
    assert {path.name: path.read_bytes() for path in cache.glob("*.json.gz")} == kept
    assert not list(cache.glob(".*"))


def test_other_iterations_are_another_equilibrium(cache):
    """More iterations are kept beside fewer, and are closer to an equilibrium."""
    few, many = (Equilibrium(KuhnPoker().engine(2), n).table for n in (5, 500))

    assert few.exploitability > many.exploitability > 0
    assert "500 iterations" in many.method


@pytest.mark.parametrize(
    "damage",
    [b"", b"no gzip", gzip.compress(b"[1]", mtime=0), gzip.compress(b'{"check":"1","table":"{}"}', mtime=0)],
    ids=["empty", "no gzip", "no table", "wrong checksum"],
)
def test_damaged_file_is_said_and_computed_again(cache, monkeypatch, damage: bytes):
    """A file that cannot be used is warned of by name, and replaced by a good one."""
    first = Equilibrium(KuhnPoker().engine(2), 60).table
    (path,) = [p for p in cache.glob("*.json.gz") if policy_table.load(p) == first]
    path.write_bytes(damage)
    monkeypatch.setattr(cfr, "_made", {})

    with pytest.warns(RuntimeWarning, match=rf"{path.name}: cannot be used .* the equilibrium is computed again"):
        again = Equilibrium(KuhnPoker().engine(2), 60).table

    assert again == first
    assert policy_table.load(path) == first


def test_many_may_ask_at_once(cache, monkeypatch):
    """Eight threads get the same table, computed once; no file is left half written."""
    monkeypatch.setattr(cfr, "_made", {})
    computed = []
    whole = Equilibrium._computed

    def counted(self):
        computed.append(1)
        return whole(self)

    monkeypatch.setattr(Equilibrium, "_computed", counted)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: Equilibrium(KuhnPoker().engine(2), 70).table, range(8)))

    assert len(computed) == 1
    assert all(table is found[0] for table in found)
    assert not list(cache.glob(".*"))


def test_cache_that_cannot_be_written_costs_nothing_but_time(monkeypatch, tmp_path):
    """Where nothing can be kept the equilibrium is played all the same, and that is said."""
    (tmp_path / "arena").write_text("a file where a directory should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cfr, "_made", {})

    with pytest.warns(RuntimeWarning) as told:
        assert Equilibrium(KuhnPoker().engine(2), 80).table.counts == (6, 6)
    assert any("cannot be written" in str(warning.message) for warning in told)


@pytest.mark.sample(fast=1, slow=0)
@pytest.mark.parametrize("game", [KuhnPoker(), MatchingPennies(), LiarsDice(faces=3)])
def test_equilibrium_agent_keeps_the_contract(game: Game):
    """It plays legal actions only, and the same again when replayed."""
    assert check_agent(EQUILIBRIUM, game, matches=1, is_legal=True).replies


def test_what_it_thought_is_written_down(play):
    """Each move comes with the probabilities it was drawn from, what the actions earn, and how good the policy is."""
    record = play(KuhnPoker(), [EQUILIBRIUM, RANDOM], seed=4).over

    note = next(event.data["note"] for event in record.played() if event.player == 0)
    assert [pair[0] for pair in note["worths"]] == [0, 1]
    assert sum(p for *_, p in note["worths"]) == pytest.approx(1)
    assert note["exploitability"] < 1e-4
    assert "20,000 iterations" in note["method"]


def test_agent_refuses_before_anything_is_played():
    """A game without a unique equilibrium is a mistake of the benchmark."""
    with pytest.raises(ConfigError, match="cannot play this game: CFR finds equilibria of zero-sum games"):
        EQUILIBRIUM.needs(PrisonersDilemma(), 2)


@pytest.mark.campaign  # half a minute of CFR on one core
def test_leduc_poker_is_solved():
    """The first player loses 0.0856 chips a hand, the value that is known, and nobody gains much against it."""
    table = Equilibrium(LeducPoker().engine(2), None).table

    assert table.exploitability < 1e-3
    assert table.returns[0] == pytest.approx(-0.0856, abs=1e-3)
    assert table.counts == (468, 468)


@pytest.mark.campaign  # a minute of CFR on one core
def test_liars_dice_is_solved():
    """With a die of six faces each, the first player loses 1/36, and nobody gains a hundredth against the solution."""
    table = Equilibrium(LiarsDice().engine(2), None).table

    assert table.exploitability < 5e-3
    assert table.returns[0] == pytest.approx(-1 / 36, abs=5e-3)
    assert table.counts == (12_288, 12_288)
