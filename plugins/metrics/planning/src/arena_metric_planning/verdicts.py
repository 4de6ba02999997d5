"""Reads from the record of one match how its only player did: in a planning task, or with a question."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from arena.metric import Measurement
from arena.record import JSON, MatchRecord, Player

PLAN: Final = "plan"
RECALL: Final = "recall"
TRACKING: Final = "tracking"

_JUDGED: Final = "judged"
_KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    PLAN: (
        *("task", "domain", "classes", "mode", "disguise", "length", "cost", "reference_length", "reference_cost"),
        *("legal_actions", "state_space", "is_counted"),
    ),
    RECALL: ("question", "domain", "length", "properties", "f1", "precision", "recall"),
    TRACKING: ("question", "length"),
}
"""What is kept of an event, by what was asked."""

_SPIN_CLASS: Final[Mapping[str | None, str]] = {"BC": "BC", "GS": "GS"}

OTHER: Final = "other"
PUT_IN: Final = "put-in"
"""The error of a match in which the policy for illegal actions answered in the player's place."""


def measured(record: MatchRecord) -> Iterator[Measurement]:
    """One measurement for a match in which something was judged: whether it is right, with all else in its detail."""
    told = _judged(record)
    if told is None:
        return
    kind = PLAN if "error_class" in told else RECALL if "f1" in told else TRACKING
    detail: dict[str, JSON] = {name: told.get(name) for name in _KEPT[kind]}
    put_in = sum(cast("Any", event.data).get("by", "agent") != "agent" for event in record.played())
    is_own = not put_in or told.get("mode") == "steps"
    is_right = bool(told["valid"]) and is_own
    detail["put_in"] = put_in
    if told.get("left_out"):
        detail["left_out"] = told["left_out"]
    if kind == PLAN:
        detail["spin"], detail["error"] = (None, None) if is_right else _error(record, told, is_own=is_own)
    else:
        detail["is_answered"] = is_own and not record.forfeited
    yield Measurement(name=kind, value=float(is_right), player=Player(0), detail=detail)


def _judged(record: MatchRecord) -> Mapping[str, Any] | None:
    """The data of the event that says how the player did; ``None`` in other games."""
    if len(record.agents) != 1:
        return None
    for event in reversed(record.events):
        if event.source == "game" and event.kind == _JUDGED and isinstance(event.data, Mapping):
            return event.data if "valid" in event.data else None
    return None


def _error(record: MatchRecord, told: Mapping[str, Any], *, is_own: bool) -> tuple[str, str]:
    """The class of an error, as SPIN-Bench has it, and the finer one.

    What the player never answered is no plan of its own: it counts as other, under the kind of its last refusal.
    """
    refusals = [cast("Any", event.data)["kind"] for event in record.refused()]
    if not is_own:
        return OTHER, f"answer-{refusals[-1]}" if refusals else PUT_IN
    if record.forfeited and refusals:
        return OTHER, f"answer-{refusals[-1]}"
    return _SPIN_CLASS.get(told["spin"], OTHER), str(told["error_class"] or "unreadable")
