"""Random play by exact enumeration: every line of play with its probability, as a fraction."""

from collections import Counter
from fractions import Fraction
from functools import cache

from arena.chance import Chance
from arena_game_grid.game import TicTacToe

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
            by_key.setdefault(following.position(), following)
            for end, (chance, sequences) in ends(following.position()).items():
                before, counted = found.get(end, (Fraction(0), 0))
                found[end] = before + chance / len(options), counted + sequences
        return found

    start, _ = TicTacToe().start(Chance(0), 2)
    by_key = {start.position(): start}
    return ends(start.position()), positions, terminal


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
