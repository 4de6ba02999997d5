"""Actions that were the last of several answers, which agents mark in their notes: counted, and told in tables."""

from collections.abc import Mapping
from typing import Any, Final, cast

from arena.agent import LAST_OF_SEVERAL
from arena.record import Event
from arena.tables import Column
from arena.turns import data_of

from arena_metric_outcomes.columns import counts, shares, text

MEANING: Final = (
    "Last of several counts actions that the rule for answers would have refused, since the answer held several; the "
    "agent is set to play the last one. Random and optimal play need none."
)

AS_SET: Final = "as set"
STRICT: Final = "strict"
"""How the answers of a line are read: as the agent was set, or by the rule for answers alone."""

STRICTLY: Final = (
    "Lines that are read strictly count the very same replies by the rule for answers alone: what was played as the "
    "last of several answers is refused. How the matches would have gone on is not known."
)


def is_last_of_several(event: Event) -> bool:
    """Whether the action of a referee's event would have been refused but for the agent's setting; none that was is."""
    if event.kind == "refused" or (note := data_of(event).get("note")) is None:
        return False
    return isinstance(note, Mapping) and cast("Mapping[str, Any]", note).get("answer") == LAST_OF_SEVERAL


def last_of_several() -> tuple[Column, ...]:
    """Columns of such actions: how many, and their share of all actions."""
    return (*counts("last of several"), *shares("actions last of several"))


def readings() -> tuple[Column, ...]:
    """The column that tells how the answers of a line are read."""
    return text("answers read")
