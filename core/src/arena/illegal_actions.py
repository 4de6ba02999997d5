"""The policy for illegal actions: what happens to an answer that cannot be played. Plugins may vary it by game."""

from typing import Literal

import attrs
from attrs.validators import ge, optional

from arena.game import Game


@attrs.frozen(kw_only=True)
class IllegalActionPolicy:
    """What happens to an answer that cannot be played.

    A player may try again ``retries`` times in one turn, and ``max_refusals`` times in one match if that is given.
    After that: ``forfeit`` (the others win), ``disqualify`` (nobody wins), ``random`` (a uniformly drawn legal action
    is played and marked as such) or ``skip`` (the game's do-nothing action, marked; forfeit if it has none).
    ``feedback`` tells the agent what was wrong. A match that needs more than ``max_answers`` of all players, refused
    ones included, ends there with ``Ending.TURN_LIMIT``.

    Subclasses are plugins (entry points ``arena.illegal_actions``): policies by name, which may depend on the game.
    """

    retries: int = attrs.field(default=3, validator=ge(0), metadata={"help": "further tries per turn"})
    max_refusals: int | None = attrs.field(
        default=None, validator=optional(ge(0)), metadata={"help": "refusals per player and match, over all turns"}
    )
    then: Literal["forfeit", "disqualify", "random", "skip"] = attrs.field(
        default="forfeit", metadata={"help": "what happens after the last try"}
    )
    feedback: bool = True
    max_answers: int | None = attrs.field(
        default=None, validator=optional(ge(1)), metadata={"help": "answers of all players in one match, refusals too"}
    )

    def for_game(self, game: Game, players: int) -> "IllegalActionPolicy":
        """The policy for matches of ``game``: by default the same in all games."""
        return self
