"""Random play by exact enumeration: every line of play with its probability, as a fraction."""

from collections import Counter
from fractions import Fraction
from functools import cache, partial
from random import Random
from statistics import fmean, variance

import pytest
from arena.chance import Chance
from arena.record import Ending
from arena_engine import run
from arena_game_grid.game import ConnectFour, Gomoku, TicTacToe

# Uniform play of legal moves on 3 by 3: independent exact values, with which all games on record agree.
FIRST_WINS, SECOND_WINS, DRAWS = Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63)
ENDS = {
    (None, 9): Fraction(8, 63),
    (0, 5): Fraction(2, 21),
    (0, 7): Fraction(37, 140),
    (0, 9): Fraction(71, 315),
    (1, 6): Fraction(37, 420),
    (1, 8): Fraction(1, 5),
}
SEQUENCES = {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}


def enumerated():
    """The probabilities of all endings under uniform play, the numbers of sequences, and all positions."""
    positions, terminal = set(), set()

    @cache
    def ends(key):
        state = by_key[key]
        positions.add(key)
        if not state.to_act():
            terminal.add(key)
            length = sum(stones.bit_count() for stones in state.stones)
            return {(state.winner, length): (Fraction(1), 1)}
        options = state.decision(state.to_act()[0]).options.actions
        found = {}
        for action in options:
            following = state.clone()
            following.apply({following.to_act()[0]: action})
            by_key.setdefault(following.transposition_key(), following)
            for end, (chance, sequences) in ends(following.transposition_key()).items():
                before, counted = found.get(end, (Fraction(0), 0))
                found[end] = before + chance / len(options), counted + sequences
        return found

    start, _ = TicTacToe().start(Chance(0), 2)
    by_key = {start.transposition_key(): start}
    return ends(start.transposition_key()), positions, terminal


@pytest.mark.slow
def test_random_play_of_tic_tac_toe_is_exact():
    """Enumerated over all 255,168 lines of play, uniform legal play ends as often in each way as it must."""
    ends, positions, terminal = enumerated()

    assert {end: chance for end, (chance, _) in ends.items()} == ENDS
    assert sum(chance for (winner, _), (chance, _) in ends.items() if winner == 0) == FIRST_WINS
    assert sum(chance for (winner, _), (chance, _) in ends.items() if winner == 1) == SECOND_WINS
    assert ends[None, 9][0] == DRAWS
    assert sum(chance * length for (_, length), (chance, _) in ends.items()) == Fraction(3203, 420)
    assert (len(positions), len(terminal)) == (5_478, 958)
    lengths = Counter()
    for (_, length), (_, sequences) in ends.items():
        lengths[length] += sequences
    assert lengths == SEQUENCES


# Positions of connect four by the number of discs (John Tromp; OEIS A212693), which count those after a win as ends.
CONNECT_FOUR_POSITIONS = (1, 7, 49, 238, 1_120, 4_263)


def test_positions_of_connect_four_are_as_many_as_known():
    """From the empty board exactly the known numbers of positions can be reached with up to five discs."""
    start, _ = ConnectFour().start(Chance(0), 2)
    layer, sizes = {start.transposition_key(): start}, []
    for _ in CONNECT_FOUR_POSITIONS:
        sizes.append(len(layer))
        following = {}
        for state in layer.values():
            for action in state.legal if state.to_act() else ():
                other = state.clone()
                other.apply({other.to_act()[0]: action})
                following[other.transposition_key()] = other
        layer = following

    assert tuple(sizes) == CONNECT_FOUR_POSITIONS


def paper_random(allowed):
    """How matches of tic-tac-toe end if both name any of nine cells, by going through all of them, in doubles.

    Returns the probabilities that the first or the second wins, of a draw, and that the first or the second is out.
    """
    by_key = {}

    @cache
    def ends(key, invalid):
        state = by_key[key]
        if not state.to_act():
            outcome = 2 if state.winner is None else state.winner
            return tuple(float(i == outcome) for i in range(5))
        player = state.to_act()[0]
        taken = 1 - len(state.legal) / 9
        spent = tuple(n + (p == player) for p, n in enumerate(invalid))
        if spent[player] > allowed:
            found = [taken * (i == 3 + player) for i in range(5)]
        else:
            found = [taken * value for value in ends(key, spent)] if taken else [0.0] * 5
        for action in state.legal:
            other = state.clone()
            other.apply({player: action})
            by_key.setdefault(other.transposition_key(), other)
            found = [
                value + more / 9 for value, more in zip(found, ends(other.transposition_key(), invalid), strict=True)
            ]
        return tuple(found)

    start, _ = TicTacToe().start(Chance(0), 2)
    by_key[start.transposition_key()] = start
    return ends(start.transposition_key(), (0, 0))


@pytest.mark.campaign
def test_random_play_of_competitions_ends_as_it_must(tmp_path):
    """600 refereed matches of random play over all cells end as often in each way as exact enumeration says.

    Each share is within four standard errors of its probability.
    """
    matches, exact = 600, paper_random(3)
    benchmark = {
        "games": {"ttt": "grid-tic-tac-toe"},
        "agents": {"one": "grid-random", "two": "grid-random"},
        "schedule": {"use": "fixed", "seatings": [["one", "two"]], "repeats": matches},
        "illegal-actions": "grid-games-2024",
        "metrics": ["outcomes"],
    }
    records = run(benchmark, output=tmp_path / "run").matches
    seen = Counter(ending(record) for record in records)

    assert len(records) == matches
    assert sum(exact) == pytest.approx(1)
    for outcome, chance in enumerate(exact):
        error = (chance * (1 - chance) / matches) ** 0.5
        assert abs(seen[outcome] / matches - chance) < 4 * error


def ending(record):
    if record.ending is Ending.DISQUALIFIED:
        return 3 + record.forfeited[0]
    return {1.0: 0, -1.0: 1, 0.0: 2}[record.returns[0]]


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(("ours", "theirs"), [(ConnectFour(), "connect_four"), (Gomoku(), "mnk(m=15,n=15,k=5)")])
def test_random_play_of_larger_games_agrees_with_another_engine(ours, theirs):
    """Wins, draws and lengths of random matches are those of OpenSpiel's rules, within four standard errors.

    1,500 matches of connect four and 120 of gomoku with each engine.
    """
    number = 1_500 if isinstance(ours, ConnectFour) else 120
    own, other = (
        [play(seed) for seed in range(number)] for play in (partial(our_match, ours), partial(spiel_match, theirs))
    )

    for value in range(2):
        a, b = [match[value] for match in own], [match[value] for match in other]
        error = ((variance(a) + variance(b)) / number) ** 0.5
        assert abs(fmean(a) - fmean(b)) < 4 * error


def our_match(game, seed):
    """The first player's return, and the length."""
    state, rng, length = game.start(Chance(0), 2)[0], Random(seed), 0
    while acting := state.to_act():
        state.apply({acting[0]: rng.choice(state.legal)})
        length += 1
    return state.returns()[0], length


def spiel_match(name, seed):
    import pyspiel

    state, rng = pyspiel.load_game(name).new_initial_state(), Random(seed)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state.returns()[0], len(state.history())
