"""Ends a match for its players: closes their agents, and says what a forfeit is."""

import inspect
from collections.abc import Sequence

from arena.agent import PlayerAgent
from arena.errors import StopRun
from arena.record import Ending, Event, RefusalKind

from arena_engine.match.player import MatchPlayer
from arena_engine.running.context import RunContext
from arena_engine.running.plugin_calls import awaiting, call_of
from arena_engine.running.stopping import Interrupted

_FORFEITS: dict[RefusalKind | None, Ending] = {
    RefusalKind.ILLEGAL: Ending.FORFEIT_ILLEGAL,
    RefusalKind.LATE: Ending.FORFEIT_TIME,
}


def forfeit_of(player: MatchPlayer) -> Ending:
    """How a match ends that a player has forfeited."""
    return Ending.FORFEIT_LEFT if player.has_left else _FORFEITS.get(player.refusal, Ending.FORFEIT_FORMAT)


def withheld(event: Event) -> Event:
    """Mark an action as not applied, because the match ended in this step; other events stay as they are."""
    return event._replace(kind="withheld") if event.source == "referee" and event.kind == "played" else event


async def close_agents(players: Sequence[MatchPlayer], context: RunContext) -> None:
    """Close each player's agent; an error becomes a warning of the run and changes no result."""
    failed: list[str] = []
    for player in players:
        close = type(player.agent).close
        if close is PlayerAgent.close:  # most agents hold nothing
            continue
        try:
            with awaiting(call_of("agent", player.agent_name, close)):
                closing = player.agent.close()
                if closing is not None and inspect.isawaitable(closing):
                    with context.tasks.ended_on_stop(lambda: True):
                        await closing
        except (StopRun, Interrupted):
            failed.append(f"{player.who}, player {player.player}: cut off")
        except Exception as error:
            player.log.close_failed(error=error)
            who = f"agent {player.agent_name!r} ({player.calls.kind})"
            failed.append(f"{who}, player {player.player}: {type(error).__name__}: {error}")
    if failed:
        context.warn(f"close failed: {'; '.join(failed)}")
