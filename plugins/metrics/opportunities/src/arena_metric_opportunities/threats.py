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
from arena.record import JSON, MatchRecord, Player, canonical_json
from arena_game_grid.game import Mnk
from arena_game_grid.state import GridState
from arena_game_grid.twins import GridTwin


@attrs.define
class Counts:
    """What one player did in one match.

    ``win_chance`` and ``block_chance`` are the expected numbers of opportunities that a uniform random choice would
    have missed.
    """

    moves: int = 0
    wins: int = 0
    missed_wins: int = 0
    win_chance: float = 0.0
    blocks: int = 0
    missed_blocks: int = 0
    block_chance: float = 0.0
    created: int = 0
    forks: int = 0
    lost: int = 0
    given: int = 0

    def to_json(self) -> dict[str, JSON]:
        """The counts, as the detail of a measurement."""
        return {_KEYS.get(name, name): count for name, count in attrs.asdict(self).items()}


# The keys under which measurements have always been stored.
_KEYS = {"win_chance": "win_luck", "block_chance": "block_luck"}


def judged(game: Game) -> Mnk | None:
    """The game in whose positions threats are found: for a twin its original; ``None`` if lines do not win."""
    original = game.original if isinstance(game, GridTwin) else game
    return original if isinstance(original, Mnk) and not original.misere else None


def looked(match: MatchRecord, game: Game, original: Mnk) -> Iterator[Measurement]:
    """The counts of each player and the label of its first move; a twin's moves are replayed in ``original``."""
    state = cast("GridState", original.start(Chance(0), 2)[0])
    named = {} if game is original else _originals(game, original)
    counts, first = (Counts(), Counts()), dict[Player, str]()
    for event in match.played():
        data = cast("Mapping[str, Any]", event.data)
        player = cast("Player", event.player)
        is_own = data["by"] == "agent"
        if is_own and data["turn"] == 0:
            first[player] = str(data["label"])
        action = named[canonical_json(data["action"])] if named else data["action"]
        follow(state, action, counts, is_own=is_own)
    for player in (Player(0), Player(1)):
        found = counts[player]
        yield Measurement(name="opportunities", value=found.moves, player=player, detail=found.to_json())
        if player in first:
            yield Measurement(name="first move", value=first[player], player=player)


def _originals(game: Game, original: Mnk) -> dict[str, Any]:
    """The original's actions by the canonical text of the twin's action in the same place."""
    return dict(zip(map(canonical_json, game.actions(2) or ()), original.actions(2), strict=True))


def follow(state: GridState, action: Any, counts: tuple[Counts, Counts], *, is_own: bool = True) -> None:
    """Play ``action`` and count it; ``is_own`` is false for moves that an illegal-action policy chose."""
    player = state.to_act()[0]
    own, theirs = _winning(state, player)
    options = _playable(state).bit_count() if own or theirs else 0
    cell = state.cell_of(action)
    assert isinstance(cell, int)  # recorded and sampled actions are legal
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
        count.win_chance += 1 - own.bit_count() / options
    elif theirs:
        count.blocks += 1
        count.missed_blocks += not theirs & filled
        count.block_chance += 1 - theirs.bit_count() / options
    if own_after != own:
        count.created += (own_after & ~own).bit_count()
        count.forks += own_after.bit_count() > 1 and own.bit_count() < 2
    if theirs_after != theirs:
        count.given += (theirs_after & ~theirs).bit_count()


def _winning(state: GridState, player: Player) -> tuple[int, int]:
    """The winning cells of ``player`` and of its opponent, as bit sets."""
    own, theirs = state.completing[player], state.completing[1 - player]
    if not state.board.gravity or not own | theirs:
        return own, theirs
    playable = _playable(state)
    return own & playable, theirs & playable


def _playable(state: GridState) -> int:
    return state.board.playable(state.stones[0] | state.stones[1])
