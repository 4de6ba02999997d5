"""Five board games by rules of our own, beside the engine: what may be done, what it does, how it ends."""

from collections import Counter
from typing import Any

import pytest
from arena.chance import Chance
from arena_game_openspiel.board_games.breakthrough import Breakthrough
from arena_game_openspiel.board_games.dots_and_boxes import DotsAndBoxes
from arena_game_openspiel.board_games.morris import NineMensMorris
from arena_game_openspiel.board_games.oware import Oware
from arena_game_openspiel.board_games.pentago import Pentago

from .test_explained import Board, board, named, played, square

LETTERS = "abcdefghijklmnopqrst"


def zero_sum(winner: int | None) -> list[float]:
    return [0.0, 0.0] if winner is None else [1.0 if player == winner else -1.0 for player in (0, 1)]


def morris_lines() -> list[list[str]]:
    """The lines of three nested squares and of the four bars that join the middles of their sides."""
    lines = list[list[str]]()
    for low, high in (("a1", "g7"), ("b2", "f6"), ("c3", "e5")):
        (left, bottom), (right, top) = low, high
        lines += [[f"{file}{rank}" for file in (left, "d", right)] for rank in (bottom, top)]
        lines += [[f"{file}{rank}" for rank in (bottom, "4", top)] for file in (left, right)]
    bars = [["a4", "b4", "c4"], ["e4", "f4", "g4"], ["d1", "d2", "d3"], ["d5", "d6", "d7"]]
    return [*lines, *bars]


LINES = morris_lines()
POINTS = {point for line in LINES for point in line}


def in_mill(men: dict[str, int], point: str) -> bool:
    return any(point in line and all(men.get(other) == men[point] for other in line) for line in LINES)


def morris_moves(men: dict[str, int], hands: list[int], side: int, takes: bool) -> set[str]:
    """All legal actions by the rules."""
    own, enemy = ({point for point, whose in men.items() if whose == each} for each in (side, 1 - side))
    empty = POINTS - set(men)
    if takes:
        return {f"take {point}" for point in enemy if not in_mill(men, point)} or {f"take {point}" for point in enemy}
    if hands[side]:
        return {f"put {point}" for point in empty}
    near = {(line[a], line[b]) for line in LINES for a, b in ((0, 1), (1, 0), (1, 2), (2, 1))}
    return {f"{a}-{b}" for a in own for b in empty if len(own) == 3 or (a, b) in near}


def check_morris(seed: int) -> None:
    men, hands, side, takes, turns = dict[str, int](), [9, 9], 0, False, 0
    seats = ("White", "Black")
    for state, options, label, _ in played(NineMensMorris(), seed):
        view = state.observe(None)
        held = [{point for point, whose in men.items() if whose == player} for player in (0, 1)]
        few = [len(held[player]) + hands[player] < 3 for player in (0, 1)]
        assert {seat: set(points) for seat, points in view["men"].items()} == dict(zip(seats, held, strict=True))
        assert view["in_hand"] == dict(zip(seats, hands, strict=True))
        assert (view["takes"], view["turns"]) == (takes and bool(options), turns)
        if not options:
            break
        assert view["to_move"] == seats[side]
        assert not any(few)
        assert set(options) == morris_moves(men, hands, side, takes)
        if takes:
            del men[label.removeprefix("take ")]
            takes = False
        else:
            if "-" in label:
                del men[label[:2]]
            else:
                hands[side] -= 1
            men[label[-2:]] = side
            takes = in_mill(men, label[-2:])
        if not takes:
            side, turns = 1 - side, turns + 1
    stuck = not morris_moves(men, hands, side, takes)
    assert turns == 200 or any(few) or stuck
    loser = side if stuck else few.index(True) if any(few) else None
    assert state.returns() == zero_sum(None if loser is None else 1 - loser)


def oware_moves(seeds: list[int], side: int) -> list[int]:
    """The places of all houses that may be chosen; the first half of them is South's."""
    half = len(seeds) // 2
    own = range(half * side, half * side + half)
    is_hungry = sum(seeds) == sum(seeds[place] for place in own)
    return [place for place in own if seeds[place] > (own[-1] - place if is_hungry else 0)]


def check_oware(seed: int) -> None:
    half, each = (6, 4) if seed % 2 else (2 + seed % 5, 1 + seed % 7)
    names = "ABCDEFGHIJKLMNOPQRST"[: 2 * half]
    seeds, taken, side = [each] * 2 * half, [0, 0], 0
    before = {(tuple(seeds), side)}
    is_again = False
    for state, options, label, _ in played(Oware(houses=half, seeds=each), seed):
        if is_over := is_again or max(taken) > half * each or not oware_moves(seeds, side):
            taken = [taken[0] + sum(seeds[:half]), taken[1] + sum(seeds[half:])]
            seeds = [0] * 2 * half
        view = state.observe(None)
        assert view["houses"] == dict(zip(names, seeds, strict=True))
        assert list(view["captured"].values()) == taken
        assert is_over is (not options)
        if is_over:
            break
        assert view["to_move"] == ("South", "North")[side]
        assert set(options) == {f"house {names[place]}" for place in oware_moves(seeds, side)}
        start = last = names.index(label[-1])
        hand, seeds[start] = seeds[start], 0
        while hand:
            last = (last + 1) % len(seeds)
            if last != start:
                seeds[last], hand = seeds[last] + 1, hand - 1
        enemy = range(half - half * side, 2 * half - half * side)
        captured = list[int]()
        while last in enemy and seeds[last] in (2, 3):
            captured.append(last)
            last -= 1
        if captured and sum(seeds[place] for place in captured) < sum(seeds[place] for place in enemy):
            before = set()
            for place in captured:
                taken[side], seeds[place] = taken[side] + seeds[place], 0
        side = 1 - side
        is_again = (tuple(seeds), side) in before
        before.add((tuple(seeds), side))
    assert sum(taken) == 2 * half * each
    assert state.returns() == zero_sum(None if taken[0] == taken[1] else taken.index(max(taken)))


def at(name: str) -> tuple[int, int]:
    """The column and the row of a square of a board of any height."""
    return LETTERS.index(name[0]), int(name[1:]) - 1


def check_breakthrough(seed: int) -> None:
    game = Breakthrough(rows=3 + seed % 9, columns=2 + seed % 7)
    last, deep = game.rows - 1, 2 if game.rows > 5 else 1
    men: Board = {
        (c, r): mark for c in range(game.columns) for n in range(deep) for r, mark in ((n, "W"), (last - n, "B"))
    }
    side, winner = "B", ""
    for state, options, label, _ in played(game, seed):
        view = state.observe(None)
        assert board(view, True) == men
        assert bool(winner) is (not options)
        if winner:
            break
        assert view["to_move"] == {"B": "Black", "W": "White"}[side]
        up, legal = {"B": -1, "W": 1}[side], set[str]()
        for (c, r), mark in men.items():
            for to in ((c - 1, r + up), (c, r + up), (c + 1, r + up)):
                if mark != side or not 0 <= to[0] < game.columns or men.get(to) == side:
                    continue
                if to not in men or to[0] != c:
                    sign = "x" if to in men else "-"
                    legal.add(f"{LETTERS[c]}{r + 1}{sign}{LETTERS[to[0]]}{to[1] + 1}")
        assert set(options) == legal
        start, end = map(at, label.replace("x", "-").split("-"))
        assert (end in men) is ("x" in label)
        men[end] = men.pop(start)
        if end[1] == {"B": 0, "W": last}[side] or set(men.values()) == {side}:
            winner = side
        side = "W" if side == "B" else "B"
    assert state.returns() == zero_sum("BW".index(winner))


QUARTERS = {"top left": (0, 0), "top right": (3, 0), "bottom left": (0, 3), "bottom right": (3, 3)}


def check_pentago(seed: int) -> None:
    stones: Board = {}
    side, fives = "X", [False, False]
    for state, options, label, _ in played(Pentago(), seed):
        view = state.observe(None)
        assert board(view, False) == stones
        fives = [
            any(
                all(stones.get((c + step * right, r + step * down)) == mark for step in range(5))
                for c in range(6)
                for r in range(6)
                for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
            )
            for mark in "XO"
        ]
        assert (any(fives) or len(stones) == 36) is (not options)
        if not options:
            break
        assert view["to_move"] == side
        empty = [named((c, r)) for c in range(6) for r in range(6) if (c, r) not in stones]
        ways = [f"{quarter} {way}" for quarter in QUARTERS for way in ("clockwise", "counterclockwise")]
        assert set(options) == {f"{cell}, turn {way}" for cell in empty for way in ways}
        cell, _, turn = label.partition(", turn ")
        quarter, _, way = turn.rpartition(" ")
        stones[square(cell)] = side
        left, top = QUARTERS[quarter]
        inside = {
            (c - left, r - top): stones.pop((c, r)) for c, r in [*stones] if left <= c < left + 3 and top <= r < top + 3
        }
        for (c, r), mark in inside.items():
            to = (2 - r, c) if way == "clockwise" else (r, 2 - c)
            stones[left + to[0], top + to[1]] = mark
        side = "O" if side == "X" else "X"
    assert state.returns() == zero_sum(fives.index(True) if sum(fives) == 1 else None)


def check_dots_and_boxes(seed: int) -> None:
    game = DotsAndBoxes(rows=1 + seed % 4, columns=1 + seed % 5)
    dots = [(c, r) for c in range(game.columns + 1) for r in range(game.rows + 1)]
    sides = {f"{named(a)}-{named(b)}" for a in dots for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in dots}
    drawn, side = list[str](), 0
    owners = dict[tuple[int, int], str]()
    for state, options, label, _ in played(game, seed):
        view = state.observe(None)
        assert view["lines"] == drawn
        assert {(c, r): own for r, row in enumerate(view["boxes"]) for c, own in enumerate(row) if own} == owners
        counts = Counter(owners.values())
        assert view["scores"] == {seat: counts[seat] for seat in ("player 1", "player 2")}
        assert set(options) == sides - set(drawn)
        if not options:
            break
        assert view["to_move"] == f"player {side + 1}"
        drawn.append(label)
        completed = [(c, r) for c, r in dots if (c, r) not in owners and all(edge in drawn for edge in edges(c, r))]
        owners |= dict.fromkeys(completed, f"player {side + 1}")
        side = side if completed else 1 - side
    won, lost = counts["player 1"], counts["player 2"]
    assert won + lost == game.rows * game.columns
    assert state.returns() == zero_sum(None if won == lost else int(lost > won))


def edges(c: int, r: int) -> list[str]:
    """The four lines around the box whose top left dot is this one."""
    a, b, d, e = (named(dot) for dot in ((c, r), (c + 1, r), (c, r + 1), (c + 1, r + 1)))
    return [f"{a}-{b}", f"{d}-{e}", f"{a}-{d}", f"{b}-{e}"]


CHECKS: list[Any] = [check_morris, check_oware, check_breakthrough, check_pentago, check_dots_and_boxes]


@pytest.mark.parametrize("check", CHECKS)
def test_board_games_are_played_by_the_rules_that_they_state(check):
    """Positions, options, captures, scores and ends are those of the rules, in some random matches."""
    for seed in range(3):
        check(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("check", CHECKS)
def test_board_games_are_played_by_the_rules_that_they_state_in_300_matches(check):
    """The same in 300 matches each, on boards of several sizes."""
    for seed in range(300):
        check(seed)


SHUT_IN = (
    "put e4, put c3, put b2, put d2, put c4, put a7, put d6, put f2, put d7, put f6, put e3, put d3, put c5, "
    "put e5, put d1, put a1, put g7, put d5, e4-f4, e5-e4, g7-g4, a7-a4, d7-a7, a4-b4, a7-a4, e4-e5, e3-e4, "
    "take b4, d3-e3, g4-g1, c3-d3, c4-c3"
)
"""A match of morris at whose end the players have nine and eight men, and the one to move cannot move any."""


def test_a_player_of_morris_without_a_move_loses():
    """Random matches hardly ever end so."""
    state, _ = NineMensMorris().start(Chance(0), 2)
    for label in SHUT_IN.split(", "):
        (player,) = state.to_act()
        state.apply({player: next(o.action for o in state.decision(player).options if o.label == label)})
    view = state.observe(None)
    assert [len(men) for men in view["men"].values()] == [9, 8]
    assert state.returns() == zero_sum(0)
