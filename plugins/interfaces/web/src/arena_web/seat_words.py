"""What is said to whoever takes a seat, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from arena.record import MatchRecord
from arena_cli.output import amount

from arena_web.seat_matches import SeatLook, settings

Outcome: TypeAlias = Literal["won", "drawn", "lost"]
"""What came of a match for one player."""

_VERDICTS: Final[Mapping[Outcome, str]] = {"won": "You won.", "drawn": "A draw.", "lost": "You lost."}

AFTER: Final = "After the last refusal "

_THEN: Final[Mapping[str, str]] = {
    "forfeit": "you forfeit the match",
    "disqualify": "the match ends and nobody wins",
    "random": "an action is drawn at random and played for you",
    "skip": "nothing is done in your turn; where that cannot be, you forfeit the match",
}

STATES: Final[Mapping[str, str]] = {
    "playing": "The match is being played.",
    "waiting": "The match has not begun yet.",
    "not running": "Nobody plays the run at present; it goes on once the host resumes it.",
    "over": "All matches of this seat are over.",
}
"""What the states of a seat mean."""


def on_last_refusal(benchmark: Mapping[str, Any]) -> str:
    """What happens after the last refusal, by the policy of a run."""
    policy = benchmark.get("illegal_actions")
    known = settings(policy)
    is_named = isinstance(policy, str) or "use" in known
    then = "what the benchmark's policy says happens" if is_named else _THEN.get(str(known.get("then", "forfeit")), "")
    return f"{AFTER}{then}."


def refusal_words(reason: str, left: int | None, then: str) -> str:
    """A refusal in words: why, and how often one may still try."""
    why = f"Refused: {reason}." if reason else "Refused."
    if left is None:
        return f"{why} Try again."
    if left <= 0:
        return f"{why} It was the last one: {then.removeprefix(AFTER)}"
    return f"{why} Try again; {'the next refusal' if left == 1 else f'refusal {left} from here'} is the last. {then}"


def verdict_words(look: SeatLook, record: MatchRecord) -> str:
    """What a match came to for the player of the seat."""
    if record.returns is None:
        return "Nobody wins."
    own, unit = record.returns[look.match.player], "points"
    if look.game is not None:
        if look.game.baseline.counts_wins:
            return _VERDICTS[outcome_of(record.returns, look.match.player)]
        unit = look.game.baseline.return_unit
    return f"You earned {amount(own, unit)}."


def outcome_of(returns: Sequence[float], player: int) -> Outcome:
    """Whether a player won, lost or shared the best result of a game that is won or lost."""
    best = max(returns)
    if returns[player] < best:
        return "lost"
    return "won" if returns.count(best) == 1 else "drawn"
