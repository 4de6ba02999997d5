"""Matches of any game as values that hypothesis draws and shrinks: ``pip install 'playarena-testing[strategies]'``.

::

    @given(action_sequences(Hex(size=3)))
    def test_somebody_is_connected_when_the_board_is_full(walk):
        ...
"""

from random import Random

from arena.installing import full_name, install_line

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:  # pragma: no cover -- a matter of what is installed
    line = install_line(full_name("testing[strategies]"))
    raise ModuleNotFoundError(
        f"arena_testing.strategies needs hypothesis; install it with: {line}", name="hypothesis"
    ) from error

from arena.game import Decision, Game
from arena.record import Action

from arena_testing.foundation.conformance import reported
from arena_testing.foundation.playthrough import Playthrough
from arena_testing.foundation.values import copied

_SEEDS = st.integers(0, 2**32 - 1)
_GOES_ON = st.integers(0, 19).map(bool)  # twenty steps on average; 0, towards which hypothesis shrinks, ends it


def action_sequences(
    game: Game, players: int | None = None, *, steps: int | None = None, is_whole: bool = False
) -> st.SearchStrategy[Playthrough]:
    """Draw a sequence of legal actions from the start of a match, as the playthrough that plays them.

    A playthrough has ``state``, ``steps`` (the actions), ``told`` (the events), ``is_over`` and ``step``; hypothesis
    prints it as the actions that lead there. It is created afresh for each example, so a test may play on from it.

    ``players`` defaults to the smallest number the game allows. A playthrough stops anywhere, at the latest after
    ``steps`` (default: the game's own limit); with ``is_whole`` it goes on to that limit or to the end of the match.

    It shrinks towards fewer steps, earlier options and the deal of seed 0. An exception that the game raises becomes a
    ``ConformanceError`` with the actions that lead to it.
    """
    count = min(game.player_counts()) if players is None else players
    return _walks(game, count, game.facts(count).max_steps if steps is None else steps, is_whole)


@st.composite
def _walks(draw: st.DrawFn, game: Game, players: int, limit: int, is_whole: bool) -> Playthrough:
    walk: Playthrough | None = None
    seed = draw(_SEEDS)
    with reported(lambda: None if walk is None else walk.line):
        walk = Playthrough.begin(game, players, seed)
        while not walk.is_over and len(walk.steps) < limit and draw(_steps(walk, is_whole)):
            pass
    return walk


@st.composite
def _steps(draw: st.DrawFn, walk: Playthrough, is_whole: bool) -> bool:
    """Play one step, or none; whether and which are drawn together, so that hypothesis can drop both at once."""
    if not is_whole and not draw(_GOES_ON):
        return False
    walk.step({player: draw(_actions(walk.state.decision(player))) for player in walk.to_act})
    return True


def _actions(decision: Decision) -> st.SearchStrategy[Action]:
    options = decision.options
    if options is None:
        return _SEEDS.map(lambda seed: copied(decision.sample(Random(seed))))
    return st.integers(0, len(options) - 1).map(lambda place: copied(options.actions[place]))
