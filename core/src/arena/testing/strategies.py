"""Matches of any game as values that hypothesis draws and shrinks: ``pip install 'arena-core[testing]'``.

::

    @given(action_sequences(Hex(size=3)))
    def test_somebody_is_connected_when_the_board_is_full(walk):
        ...
"""

from random import Random

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:  # pragma: no cover -- a matter of what is installed
    raise ModuleNotFoundError(
        "arena.testing.strategies needs hypothesis; install it with: pip install 'arena-core[testing]'",
        name="hypothesis",
    ) from error

from arena.game import Decision, Game
from arena.record import Action
from arena.testing.conformance import reported
from arena.testing.values import copied
from arena.testing.walk import Walk

_SEEDS = st.integers(0, 2**32 - 1)
_GOES_ON = st.integers(0, 19).map(bool)  # the walk is twenty waves long on average, and stops where it shrinks


def action_sequences(
    game: Game, players: int | None = None, *, waves: int | None = None, is_whole: bool = False
) -> st.SearchStrategy[Walk]:
    """Legal actions from the start of a match on, as the walk that they make.

    A walk has ``state``, ``waves`` (the actions), ``told`` (the events), ``is_over`` and ``step``; it is printed as the
    line of play that leads there. It is drawn afresh for each example, so a test may play on from it. ``players`` are
    the fewest that may play unless given. A walk stops anywhere, after ``waves`` at the latest (the game's own limit
    unless given); with ``is_whole`` it goes on to there or to the end of the match.

    It shrinks to fewer waves, to options that stand earlier and to the deal of seed 0. What a game raises comes as a
    ``ConformanceError`` with the line of play.
    """
    count = min(game.player_counts()) if players is None else players
    return _walks(game, count, game.facts(count).wave_limit if waves is None else waves, is_whole)


@st.composite
def _walks(draw: st.DrawFn, game: Game, players: int, limit: int, is_whole: bool) -> Walk:
    walk: Walk | None = None
    seed = draw(_SEEDS)
    with reported(lambda: None if walk is None else walk.line):
        walk = Walk.begin(game, players, seed)
        while not walk.is_over and len(walk.waves) < limit and draw(_waves(walk, is_whole)):
            pass
    return walk


@st.composite
def _waves(draw: st.DrawFn, walk: Walk, is_whole: bool) -> bool:
    """Whether the walk went on by a wave: whether it does and the wave are drawn together, so that both can go."""
    if not is_whole and not draw(_GOES_ON):
        return False
    walk.step({player: draw(_actions(walk.state.decision(player))) for player in walk.to_act})
    return True


def _actions(decision: Decision) -> st.SearchStrategy[Action]:
    options = decision.options
    if options is None:
        return _SEEDS.map(lambda seed: copied(decision.sample(Random(seed))))
    return st.integers(0, len(options) - 1).map(lambda place: copied(options.actions[place]))
