"""What a match of Diplomacy is played by, besides its position and who holds which power."""

from typing import Literal

import attrs

from arena_game_diplomacy.match.scoring import Scoring


@attrs.frozen(kw_only=True)
class Terms:
    """What the rules read of the game's parameters, which have the same names and say more.

    ``begins_in`` is the year in which a match begins, ``powers_there`` are the powers that have something then.
    """

    negotiation_rounds: int
    message_limit: int
    messages_per_round: int
    win_centres: int
    begins_in: int
    last_year: int
    scoring: Scoring
    knowledge: Literal["none", "asked"]
    powers_there: tuple[str, ...]
