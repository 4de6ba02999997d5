"""How matches end, in words for people."""

from collections.abc import Mapping
from typing import Final

from arena.record import Ending

ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.RULES: "won, lost, drawn or scored by the rules of the game",
    Ending.FORFEIT_ILLEGAL: "forfeited: the last try was an illegal action",
    Ending.FORFEIT_FORMAT: "forfeited: the last answer could not be read",
    Ending.FORFEIT_TIME: "forfeited: the last try ran out of time",
    Ending.FORFEIT_LEFT: "forfeited: somebody got up",
    Ending.DISQUALIFIED: "disqualified; nobody wins",
    Ending.TURN_LIMIT: "the limit of steps was reached",
    Ending.CANCELLED: "cancelled from outside, without a result",
    Ending.INFRASTRUCTURE_FAILURE: "a backend could not be reached; played again when the run is resumed",
    Ending.FAILED: "a plugin failed; played again when the run is resumed",
}
"""How a match ended, in words."""
