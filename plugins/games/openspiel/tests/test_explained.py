"""Checkers, othello, nim and pig by rules of our own, beside the engine: what may be done, and what comes of it."""

from collections.abc import Iterator
from functools import cache
from itertools import count, product
from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena.game import Game, State
from arena.record import GameEvent
from arena_game_openspiel.board_games.checkers import Checkers
from arena_game_openspiel.board_games.nim import Nim
from arena_game_openspiel.board_games.othello import Othello
from arena_game_openspiel.dice_games.pig import Pig

FILES = "abcdefgh"
Board = dict[tuple[int, int], str]
"""What stands on each column and row, counted from the bottom in checkers, from the top in othello."""


def board(view: Any, bottom_up: bool) -> Board:
    rows = view["board"][::-1] if bottom_up else view["board"]
    return {(c, r): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark}


def square(name: str) -> tuple[int, int]:
    return FILES.index(name[0]), int(name[1]) - 1


def named(at: tuple[int, int]) -> str:
    return f"{FILES[at[0]]}{at[1] + 1}"


def played(game: Game, seed: int, players: int = 2) -> Iterator[tuple[State, dict[str, int], str, list[GameEvent]]]:
    """Each position of a random match, with its options by label, the one that is played, and what is told of it."""
    state, _ = game.start(Chance(seed), players)
    rng = Random(seed)
    while acting := state.to_act():
        (player,) = acting
        options = {option.label: option.action for option in state.decision(player).options}
        label = rng.choice(sorted(options))
        told: list[GameEvent] = []
        yield state, options, label, told
        told += state.apply({player: options[label]})
    yield state, {}, "", []


def checkers_moves(pieces: Board, side: str, only: tuple[int, int] | None) -> set[str]:
    """All legal moves by the rules; ``only`` is the piece that goes on capturing."""
    steps, jumps = set[str](), set[str]()
    for (c, r), mark in pieces.items():
        if mark.lower() != side or only not in (None, (c, r)):
            continue
        for up in (1, -1) if mark.isupper() else (1,) if side == "w" else (-1,):
            for right in (1, -1):
                near, far = (c + right, r + up), (c + 2 * right, r + 2 * up)
                if near not in pieces and min(near) >= 0 and max(near) < 8:
                    steps.add(f"{named((c, r))}-{named(near)}")
                enemy = pieces.get(near, side).lower() != side
                if enemy and far not in pieces and min(far) >= 0 and max(far) < 8:
                    jumps.add(f"{named((c, r))}x{named(far)}")
    return jumps or (set() if only else steps)


def check_checkers(seed: int) -> None:
    side, only, quiet = "w", None, 0
    pieces: Board = {}
    for state, options, label, _ in played(Checkers(), seed):
        view = state.observe(None)
        pieces = pieces or board(view, True)
        assert board(view, True) == pieces
        assert view["quiet"] == quiet
        assert view["goes_on"] == (named(only) if only else None)
        if not options:
            break
        assert view["to_move"] == {"w": "White", "b": "Black"}[side]
        assert set(options) == checkers_moves(pieces, side, only)
        start, end = square(label[:2]), square(label[3:])
        mark = pieces.pop(start)
        becomes_king = mark.islower() and end[1] == (7 if side == "w" else 0)
        pieces[end] = mark.upper() if becomes_king else mark
        quiet = 0 if "x" in label else quiet + 1
        if "x" in label:
            del pieces[(start[0] + end[0]) // 2, (start[1] + end[1]) // 2]
        again = "x" in label and not becomes_king and "x" in "".join(checkers_moves(pieces, side, end))
        only = end if again else None
        side = side if again else {"w": "b", "b": "w"}[side]
    returns = state.returns()
    if quiet == 40:
        assert returns == [0.0, 0.0]
    else:
        assert not checkers_moves(pieces, side, None)
        assert returns == ([-1.0, 1.0] if side == "w" else [1.0, -1.0])


def flanked(discs: Board, at: tuple[int, int], side: str) -> set[tuple[int, int]]:
    """The discs that a new one turns over."""
    found = set[tuple[int, int]]()
    for right, down in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y):
        line = list[tuple[int, int]]()
        for step in count(1):
            cell = (at[0] + step * right, at[1] + step * down)
            if discs.get(cell) in (None, side):
                found |= set(line) if discs.get(cell) == side else set()
                break
            line.append(cell)
    return found


def othello_moves(discs: Board, side: str) -> dict[str, set[tuple[int, int]]]:
    empty = ((c, r) for c in range(8) for r in range(8) if (c, r) not in discs)
    return {named(at): turned for at in empty if (turned := flanked(discs, at, side))}


def check_othello(seed: int) -> None:
    side = "X"
    discs: Board = {square("e4"): "X", square("d5"): "X", square("d4"): "O", square("e5"): "O"}
    for state, options, label, _ in played(Othello(), seed):
        view = state.observe(None)
        assert board(view, False) == discs
        counts = [list(discs.values()).count(sign) for sign in "XO"]
        assert list(view["discs"].values()) == counts
        if not options:
            break
        legal = othello_moves(discs, side)
        assert view["to_move"] == {"X": "Black", "O": "White"}[side]
        assert set(options) == (set(legal) or {"pass"})
        if label != "pass":
            discs |= dict.fromkeys([square(label), *legal[label]], side)
        side = "O" if side == "X" else "X"
    assert not othello_moves(discs, "X")
    assert not othello_moves(discs, "O")
    black, white = counts
    assert state.returns() == [float((black > white) - (black < white)), float((white > black) - (white < black))]


def check_pig(seed: int) -> None:
    game, players = Pig(target=20 + seed % 30, faces=4 + seed % 5), 2 + seed % 3
    scores, total, turn, moves = [0] * players, 0, 0, 0
    before: tuple[str, list[GameEvent]] = ("", [])
    for state, options, label, told in played(game, seed, players):
        if before[0] == "roll":
            (die,) = [event.data["die"] for event in before[1] if event.kind == "rolled"]
            assert 1 <= die <= game.faces
            total, turn = (0, (turn + 1) % players) if die == 1 else (total + die, turn)
        elif before[0] == "stop":
            scores[turn] += total
            if scores[turn] < game.target:
                turn = (turn + 1) % players
            total = 0
        view = state.observe(None)
        assert list(view["scores"].values()) == scores
        assert view["moves"] == moves
        if not options:
            break
        assert view["turn_total"] == total
        assert view["to_move"] == f"player {turn + 1}"
        assert set(options) == ({"stop"} if scores[turn] + total >= game.target else {"roll", "stop"})
        before, moves = (label, told), moves + 1
    assert scores[turn] >= game.target
    assert state.returns() == pytest.approx([1.0 if p == turn else -1 / (players - 1) for p in range(players)])


def check_nim(seed: int) -> None:
    rng = Random(seed)
    game = Nim(heaps=tuple(rng.randint(1, 6) for _ in range(1 + seed % 5)), misere=seed % 2 == 0)
    heaps, turn = dict(zip("ABCDE", game.heaps, strict=False)), 0
    for state, options, label, _ in played(game, seed):
        view = state.observe(None)
        assert view["heaps"] == heaps
        if not options:
            break
        assert view["to_move"] == f"player {turn + 1}"
        assert set(options) == {f"take {n} from heap {name}" for name, own in heaps.items() for n in range(1, own + 1)}
        assert set(options.values()) <= set(game.actions(2))
        heaps[label[-1]] -= int(label.split()[1])
        turn = 1 - turn
    assert not any(heaps.values())
    last = 1 - turn
    winner = 1 - last if game.misere else last
    assert state.returns() == [1.0 if player == winner else -1.0 for player in (0, 1)]


def test_nim_is_won_by_whom_its_facts_say():
    """Playing all heaps of up to three by three to their ends gives the returns that are stated as optimal."""

    @cache
    def wins(heaps: tuple[int, ...], misere: bool) -> bool:
        after = [(*heaps[:at], n - take, *heaps[at + 1 :]) for at, n in enumerate(heaps) for take in range(1, n + 1)]
        return any(not wins(own, misere) for own in after) if any(heaps) else misere

    for heaps in product(range(1, 4), repeat=3):
        for misere in (True, False):
            first = 1.0 if wins(heaps, misere) else -1.0
            assert Nim(heaps=heaps, misere=misere).facts(2).optimal_returns == (first, -first)


CHECKS = [check_checkers, check_othello, check_pig, check_nim]


@pytest.mark.parametrize("check", CHECKS)
def test_games_are_played_by_the_rules_that_they_state(check):
    """Positions, options, captures, scores and ends are those of the rules, in some random matches."""
    for seed in range(3):
        check(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("check", CHECKS)
def test_games_are_played_by_the_rules_that_they_state_in_300_matches(check):
    """The same in 300 matches each, in which passes, kings and double jumps occur; half a minute."""
    for seed in range(300):
        check(seed)


def test_pig_is_a_draw_in_the_end():
    """If everybody stops all the time, 1,000 rolls and stops end the match without a winner."""
    game = Pig()
    state, _ = game.start(Chance(0), 2)
    for _ in range(1_000):
        assert state.returns() is None
        state.apply({state.to_act()[0]: 1})

    assert state.returns() == [0.0, 0.0]
    assert state.observe(None)["outcome"] == "draw"
