"""The agent ``open-seat``: a seat that a person in a browser, or a program, takes by a link."""

from typing import Literal

import attrs
from arena.agent import Agent, Outside, PlayerAgent, Seat
from attrs.validators import ge, gt


@attrs.frozen(kw_only=True)
class OpenSeat(Agent):
    """Waits for somebody outside who takes the seat by its link; what was answered is journaled and not asked again."""

    title: str = attrs.field(default="", metadata={"help": "what the others call whoever sits there"})
    absent: Literal["wait", "leave", "pause"] = attrs.field(
        default="wait",
        metadata={
            "help": "where nobody answers: wait for ever while somebody is there; leave, a forfeit; or pause, the "
            "run ends without this match and can be resumed"
        },
    )
    absent_s: float = attrs.field(
        default=86_400.0, validator=gt(0), metadata={"help": "after how many seconds it leaves or pauses"}
    )
    at_once: int = attrs.field(default=1, validator=ge(1), metadata={"help": "matches it sits in at the same time"})
    look_ups: Literal["as-models", "free"] = attrs.field(
        default="as-models",
        metadata={"help": "whether look-ups have the limits that models have, or none; those made are recorded"},
    )
    checks: Literal["free", "none"] = attrs.field(
        default="free",
        metadata={"help": "whether it may be asked before a try if an action is legal, which no model may"},
    )
    reveal: Literal["never", "after"] = attrs.field(
        default="never",
        metadata={
            "help": "whether all of a match, prompts and answers of the others too, may be seen from this seat once it "
            "is over and nobody outside is still to sit with its deals"
        },
    )

    @property
    def outside(self) -> Outside:
        return Outside(absent=self.absent, absent_s=self.absent_s, at_once=self.at_once)

    def join(self, seat: Seat) -> PlayerAgent:
        from arena_web.open_seat.seat_player import SeatPlayer  # with what draws positions, which a run may never need

        return SeatPlayer(
            seat,
            leaves_after_s=self.absent_s if self.absent == "leave" else None,
            look_ups=self.look_ups,
            may_check=self.checks == "free",
        )
