"""The rules of Nim, its theory, and the contract that every game of Arena keeps."""

import pytest
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Drawing, PlayerView, State
from arena.record import Player
from arena.testing import check_game
from arena_scene import scene_faults
from nim.heaps import arena_games
from nim.nim import Nim, mover_wins


def play(game: Nim, *moves: tuple[str, int]) -> State:
    """The state after ``moves``, each a heap and a number."""
    state, _ = game.start(Chance(0), 2)
    for heap, take in moves:
        state.apply({state.to_act()[0]: {"heap": heap, "take": take}})
    return state


@pytest.mark.parametrize("game", [Nim(), Nim(heaps=(1,)), Nim(heaps=(1, 2, 3), misere=True)], ids=repr)
def test_nim_keeps_the_contract(game: Nim):
    """Nim passes the checks that Arena ships for every game."""
    check_game(game)


def test_offered_games_are_nim():
    """Each name that the hook offers is Nim with the heaps that it names, and can be played."""
    offered = arena_games()

    assert len(offered) == 6
    for name, plugin in offered.items():
        game = plugin.load()(heaps=tuple(plugin.preset["heaps"]), misere=plugin.preset["misere"])
        made = f"nim-{'-'.join(map(str, game.heaps))}{'-misere' if game.misere else ''}"
        assert (type(game), made) == (Nim, name)
        assert game.start(Chance(0), 2)[0].to_act() == (Player(0),)


def test_last_thing_wins():
    """Who takes the last thing wins in normal play."""
    assert play(Nim(heaps=(2, 1)), ("A", 2), ("B", 1)).returns() == (-1.0, 1.0)


def test_last_thing_loses_in_misere_play():
    """Who takes the last thing loses in misère play."""
    assert play(Nim(heaps=(2, 1), misere=True), ("A", 2), ("B", 1)).returns() == (1.0, -1.0)


def test_options_are_every_number_from_every_heap():
    """One option for each thing on the table, in words."""
    options = play(Nim(heaps=(2, 1))).decision(Player(0)).options

    assert options is not None
    assert [option.label for option in options] == ["take 1 from heap A", "take 2 from heap A", "take 1 from heap B"]


@pytest.mark.parametrize("action", [{"heap": "A", "take": 3}, {"heap": "C", "take": 1}, {"heap": "A"}, "A", 1, None])
def test_other_actions_are_refused(action: object):
    """What is not an option is refused with a reason, whatever its shape."""
    illegal = play(Nim(heaps=(2, 1))).check(Player(0), action)

    assert illegal is not None
    assert illegal.reason


def test_taking_too_much_changes_nothing():
    """An unchecked action that the rules forbid raises and leaves the heaps alone."""
    state = play(Nim(heaps=(2, 1)))

    with pytest.raises(RuleError):
        state.apply({Player(0): {"heap": "A", "take": 3}})

    assert state.observe(None) == {"heaps": {"A": 2, "B": 1}, "turn": 0}


@pytest.mark.parametrize("misere", [False, True])
def test_theory_agrees_with_search(misere: bool):
    """Bouton's rule names the winner of every position up to three heaps of four that exhaustive search finds."""
    wins: dict[tuple[int, ...], bool] = {(0, 0, 0): misere}
    for heaps in sorted(((a, b, c) for a in range(5) for b in range(5) for c in range(5)), key=sum):
        if any(heaps):
            followers = [(*heaps[:i], rest, *heaps[i + 1 :]) for i in range(3) for rest in range(heaps[i])]
            wins[heaps] = not all(wins[follower] for follower in followers)

    assert all(mover_wins(heaps, misere) == won for heaps, won in wins.items())


def test_forms_show_the_heaps():
    """The text names every heap, the illustration draws it."""
    observation = play(Nim(heaps=(2, 1)), ("B", 1)).observe(None)

    assert Nim().forms["text"](observation) == "heaps: A has 2, B has 0"
    assert Nim().forms["illustration"](observation) == "A oo\nB"


def test_things_are_touched():
    """Touching a thing takes it with all that lie to its right, and every option has its own thing."""
    state = play(Nim(heaps=(2, 1)))
    decision = state.decision(Player(0)).asked(PlayerView(state, Player(0)), forms=Nim(heaps=(2, 1)).forms)

    touches = Nim(heaps=(2, 1)).touches(decision)

    assert touches is not None
    paths = {choice.label: choice.path for choice in touches.choices}
    assert paths == {
        "take 1 from heap A": ("heaps:0,1",),
        "take 2 from heap A": ("heaps:0,0",),
        "take 1 from heap B": ("heaps:1,0",),
    }
    drawing = decision.render("scene")
    assert isinstance(drawing, Drawing)
    assert scene_faults(drawing.data) == ()


def test_large_heaps_are_told():
    """Heaps that nobody could count in a picture are told in words."""
    assert "scene" not in Nim(heaps=(1_000,)).forms
