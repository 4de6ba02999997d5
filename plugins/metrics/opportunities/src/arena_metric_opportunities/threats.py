"""What each move of a match took, missed, built and gave away, by exact detection.

A *winning cell* of a player is a cell that it could fill now, if it were to move, and that would complete a line that
counts; in games where pieces fall only the lowest free cell of a column can be filled. Of a move of a player, with the
position before it:

- there was a *win to take* if the player had a winning cell; the win was *missed* if the move filled none of them;
- there was a *block to make* if the player had no winning cell and the opponent had one or more; it was *missed* if the
  move filled none of the opponent's;
- *created* threats are the player's winning cells after the move that were none before it, and a *fork* is made by a
  move after which the player has two or more winning cells, having had fewer before;
- *lost* threats are the player's winning cells that the opponent's move took away;
- *given* threats are the opponent's winning cells after the move that were none before it: pieces that fall open them.

The move that ends the match counts like any other, but after it there are no threats any more. Chances of random play
are those of one move drawn uniformly from the legal ones in the same position. Moves put in by the policy for illegal
actions are no choices of the player: they change the board and are counted for nobody.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs
from arena.chance import Chance
from arena.game import Game
from arena.metric import Measurement
from arena.record import JSON, MatchRecord, Player, canonical
from arena_game_grid.game import Mnk
from arena_game_grid.state import GridState
from arena_game_grid.twins import GridTwin


@attrs.define
class Counts:
    """What one player did in one match; ``…_luck`` is how many random choice would have missed, on average."""

    moves: int = 0
    wins: int = 0
    missed_wins: int = 0
    win_luck: float = 0.0
    blocks: int = 0
    missed_blocks: int = 0
    block_luck: float = 0.0
    created: int = 0
    forks: int = 0
    lost: int = 0
    given: int = 0

    def to_json(self) -> dict[str, JSON]:
        """The counts, as the detail of a measurement."""
        return {name: getattr(self, name) for name in NAMES}


NAMES = tuple(field.name for field in attrs.fields(Counts))


def judged(game: Game) -> Mnk | None:
    """The game in whose positions threats are seen, for twins the original; ``None`` where no line wins."""
    original = game.original if isinstance(game, GridTwin) else game
    return original if isinstance(original, Mnk) and not original.misere else None


def looked(match: MatchRecord, game: Game, original: Mnk) -> Iterator[Measurement]:
    """The counts of each player, and its first move in words; the position is kept in the ``original`` of a twin."""
    state = cast("GridState", original.start(Chance(0), 2)[0])
    named = {} if game is original else _originals(game, original)
    counts, first = (Counts(), Counts()), dict[Player, str]()
    for event in match.played():
        data = cast("Mapping[str, Any]", event.data)
        player = cast("Player", event.player)
        is_own = data["by"] == "agent"
        if is_own and data["turn"] == 0:
            first[player] = str(data["label"])
        action = named[canonical(data["action"])] if named else data["action"]
        follow(state, action, counts, is_own=is_own)
    for player in (Player(0), Player(1)):
        found = counts[player]
        yield Measurement(name="opportunities", value=found.moves, player=player, detail=found.to_json())
        if player in first:
            yield Measurement(name="first move", value=first[player], player=player)


def _originals(game: Game, original: Mnk) -> dict[str, Any]:
    """The original's actions by the text of their twins', which come in the same order."""
    return dict(zip(map(canonical, game.actions(2) or ()), original.actions(2), strict=True))


def follow(state: GridState, action: Any, counts: tuple[Counts, Counts], *, is_own: bool = True) -> None:
    """Play ``action`` and count what it was; ``is_own`` is false for what a policy put in."""
    player = state.to_act()[0]
    own, theirs = _winning(state, player)
    options = _playable(state).bit_count() if own or theirs else 0
    cell = state.cell_of(action)
    assert isinstance(cell, int)  # what was played was legal
    filled = 1 << cell
    state.place(cell)
    own_after, theirs_after = _winning(state, player) if state.to_act() else (own, theirs)
    counts[1 - player].lost += (theirs & ~theirs_after).bit_count()
    if not is_own:
        return
    count = counts[player]
    count.moves += 1
    if own:
        count.wins += 1
        count.missed_wins += not own & filled
        count.win_luck += 1 - own.bit_count() / options
    elif theirs:
        count.blocks += 1
        count.missed_blocks += not theirs & filled
        count.block_luck += 1 - theirs.bit_count() / options
    if own_after != own:
        count.created += (own_after & ~own).bit_count()
        count.forks += own_after.bit_count() > 1 and own.bit_count() < 2
    if theirs_after != theirs:
        count.given += (theirs_after & ~theirs).bit_count()


def _winning(state: GridState, player: Player) -> tuple[int, int]:
    """The winning cells of ``player`` and of the other, as bit sets."""
    own, theirs = state.completing[player], state.completing[1 - player]
    if not state.board.gravity or not own | theirs:
        return own, theirs
    playable = _playable(state)
    return own & playable, theirs & playable


def _playable(state: GridState) -> int:
    return state.board.playable(state.stones[0] | state.stones[1])
