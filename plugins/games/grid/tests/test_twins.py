"""Twins: the same tree of play, told in another way."""

import json
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Game, State
from arena.record import Action, canonical_json
from arena.testing import check_game
from arena_engine import build_benchmark
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe
from arena_game_grid.twins import KINDS, GridTwin

ORIGINALS: tuple[Mnk, ...] = (
    TicTacToe(),
    ConnectFour(),
    Gomoku(),
    Mnk(rows=4, columns=5, align=3, misere=True),
    Mnk(rows=9, columns=10, align=4, overline=False, gravity=True),
)


def begun(game: Game) -> State:
    """The first position of the game for two players."""
    return game.start(Chance(0), 2)[0]


def legal(state: State) -> list[Action]:
    """The legal actions in their order."""
    if not state.to_act():
        return []
    options = state.decision(state.to_act()[0]).options
    assert options is not None
    return list(options.actions)


def agree(original: State, twin: State, renaming: dict[str, Action]) -> None:
    """Hold everything that play depends on in one position against the other."""
    assert tuple(original.to_act()) == tuple(twin.to_act())
    assert original.returns() == twin.returns()
    assert [renaming[canonical_json(action)] for action in legal(original)] == legal(twin)
    if original.to_act():
        (player,) = original.to_act()
        for own, other in renaming.items():
            assert (original.check(player, json.loads(own)) is None) == (twin.check(player, other) is None)


def renamed(original: Mnk, twin: GridTwin) -> dict[str, Action]:
    """The bijection of actions."""
    ours, theirs = original.actions(2), twin.actions(2)
    pairs = {canonical_json(a): b for a, b in zip(ours, theirs, strict=True)}
    assert len({canonical_json(b) for b in theirs}) == len(theirs) == len(pairs)
    return pairs


@pytest.mark.slow  # 5,478 positions; random matches are fast
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("kind", KINDS)
def test_twins_of_tic_tac_toe_have_its_whole_tree(kind: Any):
    """In every position there is, who moves, what is legal and what is earned agree under one renaming of actions."""
    original, twin = TicTacToe(), GridTwin(of=TicTacToe(), kind=kind)
    renaming = renamed(original, twin)
    stack, seen = [(begun(original), begun(twin))], set[str]()
    while stack:
        own, other = stack.pop()
        key = canonical_json(own.transposition_key())
        assert key == canonical_json(other.transposition_key())
        if key in seen:
            continue
        seen.add(key)
        agree(own, other, renaming)
        for action in legal(own):
            children = own.clone(), other.clone()
            children[0].apply({own.to_act()[0]: action})
            children[1].apply({own.to_act()[0]: renaming[canonical_json(action)]})
            stack.append(children)

    assert len(seen) == 5478


@pytest.mark.sample(fast=2, slow=9)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("original", ORIGINALS[1:], ids=lambda game: game.title)
def test_twins_agree_along_random_matches(original: Mnk, kind: Any):
    """The same along random matches of the larger games and of variants, to the end."""
    twin = GridTwin(of=original, kind=kind, names=3)
    renaming = renamed(original, twin)
    for seed in range(4):
        rng, own, other = Random(seed), begun(original), begun(twin)
        agree(own, other, renaming)
        while own.to_act():
            action = rng.choice(legal(own))
            (player,) = own.to_act()
            own.apply({player: action})
            other.apply({player: renaming[canonical_json(action)]})
            if len(legal(own)) % 10 == 0:
                agree(own, other, renaming)
        agree(own, other, renaming)


def progression(game: Mnk) -> Callable[[set[Any]], bool]:
    """What the rules of sequences say ends a game."""
    step = 10 if max(game.rows, game.columns) <= 8 else 100

    def ends(has: set[Any]) -> bool:
        for first in has:
            for by in (1, step - 1, step, step + 1):
                run = 1
                while first + run * by in has:
                    run += 1
                if (run >= game.align and game.overline) or (run == game.align and first - by not in has):
                    return True
        return False

    return ends


def fifteen(has: set[Any]) -> bool:
    """What the rules of number scrabble say ends a game."""
    return any(sum(three) == 15 for three in combinations(has, 3))


def neighbours(game: Mnk, places: Callable[[Any], tuple[int, int]]) -> Callable[[set[Any]], bool]:
    """What rules of lines say ends a game, from what places are called."""

    def ends(has: set[Any]) -> bool:
        there = {places(name) for name in has}
        for r, c in there:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = 1
                while (r + run * down, c + run * right) in there:
                    run += 1
                is_whole = (r - down, c - right) not in there
                if (run >= game.align and game.overline) or (run == game.align and is_whole):
                    return True
        return False

    return ends


@pytest.mark.slow
@pytest.mark.sample(slow=11)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("original", ORIGINALS, ids=lambda game: game.title)
def test_what_the_twin_tells_decides_the_game(original: Mnk, kind: Any):
    """Matches end exactly when the words of the twin's rules say so, read from what players are shown to have."""
    twin = GridTwin(of=original, kind=kind, names=1)
    reskin = twin.reskin
    if kind == "numbers":
        ends = fifteen if original == TicTacToe() else progression(original)
    elif kind == "coordinates":

        def place(name: str) -> tuple[int, int]:
            row, column = name.split("-")
            return reskin.rows.index(row), reskin.columns.index(column)

        ends = neighbours(original, place)
    else:

        def numbered(name: str) -> tuple[int, int]:
            _, one, _, two = name.split()
            return int(one), int(two)

        ends = neighbours(original, numbered)

    finished = 0
    for seed in range(6):
        rng, state = Random(seed), begun(twin)
        while state.to_act():
            (player,) = state.to_act()
            state.apply({player: rng.choice(legal(state))})
            view: Any = state.observe(None)
            has = set(view["has"][reskin.seats[player]])
            over = state.returns() is not None and state.returns() != (0.0, 0.0)
            assert ends(has) == over
            finished += over
    assert finished


@pytest.mark.campaign
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("original", [TicTacToe(), ConnectFour(), Gomoku(rows=6, columns=6)], ids=lambda g: g.title)
def test_twins_keep_the_contract_of_a_game(original: Mnk, kind: Any):
    """Pure, deterministic, without leaks, and refusing what is not legal."""
    check_game(GridTwin(of=original, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("original", ORIGINALS[:3], ids=lambda g: g.title)
def test_twins_do_not_name_their_original(original: Mnk, kind: Any):
    """Neither title nor rules nor labels have the original's name, symbols or coordinates."""
    twin = GridTwin(of=original, kind=kind)
    state = begun(twin)
    options = state.decision(state.to_act()[0]).options
    assert options is not None
    shown = " ".join([twin.title, twin.rules, *(o.label for o in options), str(twin.forms["text"](state.observe(0)))])

    for word in ("tic-tac-toe", "connect four", "gomoku", "row ", "column", "stone", "disc", "board"):
        assert word not in shown.lower()
    assert twin.twin_of == original
    assert set(twin.seats(2)).isdisjoint(original.seats(2))


def test_refusals_are_of_the_same_kinds():
    """What is malformed, out of bounds or taken in the original is so in the twin."""
    state = begun(GridTwin(of=TicTacToe(), kind="numbers"))
    state.apply({0: {"number": 5}})

    kinds = [getattr(state.check(1, action), "kind", None) for action in (5, {"number": 10}, {"number": 5})]

    assert kinds == ["format", "out-of-bounds", "taken"]
    assert state.check(1, {"number": 4}) is None


def test_names_come_from_their_seed():
    """Another seed, other names; the same seed, the same."""
    one, same, other = (GridTwin(of=Gomoku(), kind="coordinates", names=n) for n in (1, 1, 2))

    assert one.rules == same.rules != other.rules


def test_benchmark_names_twins_with_their_original():
    """A twin is written with the game it is made of; what has no twin is refused."""
    made = build_benchmark(
        {
            "games": {"scrabble": {"use": "grid-twin", "of": "grid-tic-tac-toe", "kind": "numbers"}},
            "agents": {"a": "random", "b": "random"},
        }
    )
    assert made.games["scrabble"].game == GridTwin()
    for wrong in ({"use": "mnk", "wraps": "all"}, "kuhn-poker"):
        with pytest.raises(ConfigError, match="twin"):
            build_benchmark(
                {"games": {"g": {"use": "grid-twin", "of": wrong}}, "agents": {"a": "random", "b": "random"}}
            )
