"""The policy for illegal actions that competitions of grid games use."""

from typing import Literal

import attrs
from arena.game import Game
from arena.illegal_actions import IllegalActionPolicy
from attrs.validators import ge, in_


@attrs.frozen(kw_only=True)
class Competition(IllegalActionPolicy):
    """Warns a player and lets it try again; after one invalid move too many it forfeits, which is no win for the other.

    Invalid moves are counted over the whole match: 3 are allowed in games of at most 9 moves (tic-tac-toe), 6 in those
    of at most 42 (connect four), 15 in longer ones (gomoku). A match that needs more than 20, 80 or 400 moves, invalid
    ones included, is cancelled: it ends by a limit of turns, without a winner. ``limits: code`` uses the limits of the
    published code, which differ from the text in one number: 7 instead of 6. ``max_refusals`` and ``max_answers`` set
    one bound for all games; ``retries`` bounds the tries of one turn as well.

    Source: Topsakal, Edell and Harper, grid-based game competitions (section 3.3), and the limits of moves in its code.
    """

    retries: int = attrs.field(
        default=1_000, validator=ge(0), metadata={"help": "further tries per turn, as far as those in all go"}
    )
    then: Literal["forfeit", "disqualify", "random", "skip"] = attrs.field(
        default="disqualify", metadata={"help": "what happens after the last try"}
    )
    limits: Literal["paper", "code"] = attrs.field(
        default="paper", validator=in_(("paper", "code")), metadata={"help": "which of the two where they differ"}
    )

    def for_game(self, game: Game, players: int) -> IllegalActionPolicy:
        """The policy with the bounds for a game of this length."""
        longest = game.facts(players).max_steps
        if longest <= 9:
            total, answers = 3, 20
        elif longest <= 42:
            total, answers = 6 if self.limits == "paper" else 7, 80
        else:
            total, answers = 15, 400
        total = total if self.max_refusals is None else self.max_refusals
        return IllegalActionPolicy(
            retries=min(self.retries, total),
            max_refusals=total,
            then=self.then,
            feedback=self.feedback,
            max_answers=answers if self.max_answers is None else self.max_answers,
        )
