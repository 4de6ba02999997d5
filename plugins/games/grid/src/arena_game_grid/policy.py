"""What grid-game competitions do about moves that cannot be played."""

from typing import Literal

import attrs
from arena.executor import IllegalActions
from arena.game import Game
from attrs.validators import ge, in_


@attrs.frozen(kw_only=True)
class Competition(IllegalActions):
    """A player is warned and tries again; with one invalid move too many it is out, which is no win for the other.

    Invalid moves are counted over the whole match: 3 are allowed in games that last at most 9 moves (tic-tac-toe), 6 in
    those of at most 42 (connect four), 15 in longer ones (gomoku). A match that needs more than 20, 80 or 400 moves,
    invalid ones included, is cancelled: it ends by a limit of turns, without a winner. ``limits: code`` takes what the
    published code does where it differs from the paper: 7 instead of 6. ``total`` and ``answers`` set one bound for all
    games; ``retries`` bounds the tries of one turn as well.

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

    def of(self, game: Game, players: int) -> IllegalActions:
        """The bounds for a game of this length."""
        longest = game.facts(players).wave_limit
        if longest <= 9:
            total, answers = 3, 20
        elif longest <= 42:
            total, answers = 6 if self.limits == "paper" else 7, 80
        else:
            total, answers = 15, 400
        total = total if self.total is None else self.total
        return IllegalActions(
            retries=min(self.retries, total),
            total=total,
            then=self.then,
            feedback=self.feedback,
            answers=answers if self.answers is None else self.answers,
        )
