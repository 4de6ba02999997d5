"""The best play of two players who share all their information."""

from collections.abc import Mapping
from typing import Any, cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena.record import Action
from arena_game_tradecraft.match.state import TradeState
from arena_game_tradecraft.solver import Joint, PlanTurn, joint_plan, making, proposing

from arena_agent_tradecraft.trader import tradecraft_only


@attrs.frozen(kw_only=True)
class TradePlanner(Agent):
    """Plays its part of the plan by which both players hold their targets at once, in the fewest turns.

    An upper bound rather than a fair player: it looks at both targets, though the rules show it only its own. Two of
    them win together whenever the solver finds a plan; if there is none, one of them wins alone, as soon as either can.
    With another partner it proposes what the plan says and accepts nothing else.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return PlannerPlayer(seat)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` unless the game is TradeCraft with two players; requires nothing of a backend."""
        if players != 2:
            raise ConfigError(f"trade-planner plans for two players, not {players}; choose problems for two")
        return tradecraft_only("trade-planner", game)


@attrs.define(eq=False)
class PlannerPlayer(PlayerAgent):
    """Plays one match; remembers what the plan says for the turn in which it was asked."""

    seat: Seat
    _turn: int = attrs.field(default=0, init=False)
    _planned: PlanTurn | None = attrs.field(default=None, init=False)

    async def act(self, decision: Decision) -> Reply:
        # Knowingly more than the rules show: nothing public leads to the state, which alone has both targets.
        state = cast("Any", decision._view._state)
        state = cast("TradeState", getattr(state, "_state", state))  # the referee's check of a state lies between
        if state.turn != self._turn:
            # nothing has changed hands since the turn began, or this player would have been asked before
            self._turn, self._planned = state.turn, _next_turn(state)
        acts = {"propose": self._propose, "decide": self._answer, "craft": self._craft}
        return Reply(action=acts[decision.phase](state))

    def _propose(self, state: TradeState) -> Action:
        trade = self._planned.trade if self._planned else None
        if trade is None:
            return {"partner": None, "offer": {}, "request": {}, "message": ""}
        return proposing(trade, state.reader.seats)

    def _answer(self, state: TradeState) -> Action:
        proposal, trade = cast("Any", state.proposal), self._planned.trade if self._planned else None
        accept = trade is not None and (proposal.offer, proposal.request) == (trade.offer, trade.request)
        return {"accept": accept, "message": ""}

    def _craft(self, state: TradeState) -> Action:
        me = self.seat.player
        crafts = self._planned.crafts[me] if self._planned else ()
        made = state.crafts[me]
        if made < min(len(crafts), state.terms.max_crafts) and self._is_traded(state):
            return making(crafts[made])
        return {"done": True}

    def _is_traded(self, state: TradeState) -> bool:
        """Whether the trade that the planned crafts depend on has taken place, or none was planned."""
        if self._planned is None or self._planned.trade is None:
            return True
        return any(turn == state.turn and event.kind == "accepted" for turn, event in state.log)


def _next_turn(state: TradeState) -> PlanTurn | None:
    """The first turn of the quickest plan: one by which both win, or else one of them."""
    order = tuple(cast("int", state.proposer) ^ number for number in (0, 1))
    found: list[Joint] = []
    for winners in ((0, 1), (0,), (1,)):
        found.append(
            joint_plan(
                state.rules,
                state.shown,
                state.problem.targets,
                max_turns=state.max_turns - state.turn + 1,
                order=order,
                winners=winners,
            )
        )
        if found[0].plan:
            break
    plans = [joint.plan for joint in found if joint.plan and joint.plan.turns]
    best = min(plans, key=lambda plan: len(plan.turns), default=None)
    return best.turns[0] if best else None
