"""Lists the actions that agents chose themselves, with the reasoning they gave."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs
from arena.record import Action, MatchRecord, Player, canonical_json


@attrs.frozen(kw_only=True)
class ReasonedMove:
    """One action of an agent; ``turn`` counts the agent's own turns from 0.

    ``reasoning`` is empty if it gave none.
    """

    step: int
    player: Player
    turn: int
    action: Action
    label: str
    reasoning: str


def moves(match: MatchRecord) -> Iterator[ReasonedMove]:
    """The applied actions that agents chose themselves, without those that an illegal-action policy chose."""
    for event in match.played():
        data = cast("Mapping[str, Any]", event.data)
        if event.player is not None and data["by"] == "agent":
            said = data.get("reasoning") or ""
            yield ReasonedMove(
                step=event.step,
                player=event.player,
                turn=data["turn"],
                action=data["action"],
                label=str(data.get("label") or canonical_json(data["action"])),
                reasoning=said if isinstance(said, str) and said.strip() else "",
            )
