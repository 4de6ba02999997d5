"""Puts a policy for illegal actions into the words that every page and command uses."""

from collections.abc import Mapping
from typing import Final

from arena.illegal_actions import IllegalActionPolicy

AFTER_LAST_TRY: Final[Mapping[str, str]] = {
    "forfeit": "the match is forfeited",
    "disqualify": "disqualified, and nobody wins",
    "random": "a random legal move is played",
    "skip": "the turn is skipped, or forfeited where that cannot be",
}
"""What happens to a player whose last try was refused, by the policy's ``then``."""


def allowance(policy: IllegalActionPolicy) -> str:
    """What a policy allows, in words: ``3 illegal moves per turn, then the match is forfeited``."""
    per_turn, per_match = policy.retries, policy.max_refusals
    if per_match is not None and per_match <= per_turn:
        allowed = f"{_moves(per_match)} per match"
    elif per_match is not None:
        allowed = f"{_moves(per_turn)} per turn and {per_match} per match"
    else:
        allowed = f"{_moves(per_turn)} per turn"
    return f"{allowed}, then {AFTER_LAST_TRY[policy.then]}"


def _moves(number: int) -> str:
    return f"{number or 'no'} illegal move{'' if number == 1 else 's'}"
