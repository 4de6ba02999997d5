"""Prepares matches for reading: who played, how the match ended, and its moves."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from arena.record import Event, MatchRecord, Player, canonical_json

from arena_report.contract import NO_SCENES, BoardImage, MatchView, Move, SceneSeries

_TOLD = frozenset({"played", "refused", "withheld", "gone"})


def view(
    match: MatchRecord,
    boards: tuple[BoardImage, ...] = (),
    scenes: SceneSeries = NO_SCENES,
    *,
    is_full: bool,
) -> MatchView:
    """One match as a report lists it; moves are included only if ``is_full``."""
    played = [event for event in match.played() if _data(event).get("by", "agent") == "agent"]
    turns = sum(1 for _ in match.played())
    return MatchView(
        id=match.id,
        game=match.game,
        players=tuple(_player(match, Player(p)) for p in range(len(match.agents))),
        ending=str(match.ending),
        returns=match.returns,
        turns=turns,
        refusals=sum(1 for _ in match.refused()),
        substitutes=turns - len(played),
        reason=match.failure.reason if match.failure else "",
        moves=tuple(_moves(match)) if is_full else None,
        boards=boards,
        scenes=scenes,
    )


def _player(match: MatchRecord, player: Player) -> str:
    return f"{match.agents[player]} ({match.seats[player]})" if match.seats else match.agents[player]


def _moves(match: MatchRecord) -> Iterator[Move]:
    for event in match.events:
        if event.source == "referee" and event.kind in _TOLD and event.player is not None:
            data = _data(event)
            yield Move(
                step=event.step,
                player=_player(match, event.player),
                outcome=event.kind,
                text=_text(event.kind, data),
                turn=data.get("turn"),
                attempt=data.get("try", 0),
                by=data.get("by", "agent"),
                reasoning=data.get("reasoning", ""),
            )


def _text(kind: str, data: Mapping[str, Any]) -> str:
    if kind == "gone":
        return f"out of tries, the last one {data.get('kind')}"
    action = data.get("label") or (canonical_json(data["action"]) if "action" in data else data.get("text", ""))
    return action if kind != "refused" else ": ".join(t for t in (str(data["kind"]), action, data["reason"]) if t)


def _data(event: Event) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", event.data) if isinstance(event.data, Mapping) else {}
