"""Waits for somebody outside who plays for an agent."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from arena.agent import Outside
from arena.record import MatchPlan, Player

from arena_engine.running.context import RunContext

T = TypeVar("T")


async def asked_outside(
    context: RunContext,
    plan: MatchPlan,
    player: Player,
    how: Outside,
    asking: Coroutine[Any, Any, T],
    leave: Callable[[], object],
) -> T:
    """What is answered for a player; meanwhile other matches have this one's place, and ``leave`` lets it get up."""
    if "player_waited" in context.active_hooks:
        context.hooks.player_waited(plan=plan, player=player)
    async with context.seats.waited(plan.id, player, plan.agents[player], how, leave):
        given = await context.unless_stopped(asking)
    if "player_returned" in context.active_hooks:
        context.hooks.player_returned(plan=plan, player=player)
    return given
