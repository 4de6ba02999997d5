"""The actions that agents meant and played, with what they said about them."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs
from arena.record import Action, MatchRecord, Player, canonical


@attrs.frozen(kw_only=True)
class Move:
    """One action of an agent; ``turn`` counts its own from 0. ``reasoning`` is empty where it gave none."""

    wave: int
    player: Player
    turn: int
    action: Action
    label: str
    reasoning: str


def moves(match: MatchRecord) -> Iterator[Move]:
    """The applied actions that an agent chose itself; what a policy put in has no reasoning to look at."""
    for event in match.played():
        data = cast("Mapping[str, Any]", event.data)
        if event.player is not None and data["by"] == "agent":
            said = data.get("reasoning") or ""
            yield Move(
                wave=event.wave,
                player=event.player,
                turn=data["turn"],
                action=data["action"],
                label=str(data.get("label") or canonical(data["action"])),
                reasoning=said if isinstance(said, str) and said.strip() else "",
            )
