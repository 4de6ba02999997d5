"""An agent that plays the best response to a given policy."""

from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal

import attrs
import pyspiel
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError, PluginError
from arena.game import Decision, Game
from arena.record import Player

from arena_agent_solvers import openspiel
from arena_agent_solvers.cfr import LARGEST, Cfr, Equilibrium
from arena_agent_solvers.policy_files import read_table
from arena_agent_solvers.seat_state import imagined
from arena_agent_solvers.tree import Probabilities, Response, best_response


@attrs.frozen(kw_only=True)
class BestResponse(Agent):
    """Plays what earns most against an opponent with a known policy, in small two-player games of OpenSpiel."""

    plays_in_own_process: ClassVar[bool] = True

    to: Literal["random", "equilibrium", "table"] = attrs.field(
        default="random", metadata={"help": "the opponent's policy: uniform, this package's equilibrium, or a file"}
    )
    table: Path | None = attrs.field(default=None, metadata={"help": "the file, for 'to: table'", "file_use": "loaded"})
    trusts_pickle: bool = attrs.field(
        default=False,
        metadata={
            "help": "the file is a pickle that you made yourself, which can run any code; needs --trust-pickle as well",
            "reads_pickle": True,
        },
    )

    def __attrs_post_init__(self) -> None:
        if (self.to == "table") != (self.table is not None):
            raise ConfigError("table: needed for 'to: table', and only there")

    def join(self, seat: Seat) -> PlayerAgent:
        return BestResponsePlayer(seat, self)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` for games that are too large or not OpenSpiel's."""
        engine = openspiel.needed(game, players, "best-response")
        reason = openspiel.why_not(engine, players, "best-response", LARGEST)
        if self.to == "equilibrium":
            reason = reason or Cfr().unsupported_reason(game, players)
        if reason:
            raise ConfigError(f"cannot play this game: {reason}")
        return {}


class BestResponsePlayer(PlayerAgent):
    """Looks up its action in the best response, which all players of the process share."""

    def __init__(self, seat: Seat, agent: BestResponse) -> None:
        self._seat = seat
        self._agent = agent
        self._response: Response | None = None

    def act(self, decision: Decision) -> Reply:
        """Play the best response; it is computed in the first turn."""
        seat, agent = self._seat, self._agent
        state = imagined(seat, decision)
        if self._response is None:
            self._response = _responded(agent, seat.game, seat.players, seat.player)
        game = openspiel.sequential(openspiel.needed(seat.game, seat.players, "best-response"))
        situation = openspiel.known(openspiel.in_turn(game, openspiel.position_of(state), seat.player), seat.player)
        action = self._response.actions.get(situation)
        if action is None:
            raise PluginError(
                f"the best response has nothing for {situation!r}; tell the author of playarena-agent-solvers"
            )
        against = str(agent.table) if agent.table else agent.to
        label = decision.options.label(action) if decision.options is not None else str(action)
        return Reply(
            action=action,
            reasoning=f"{label}: the best response to {against}, which earns {self._response.value:.4g} on average",
            note={"method": f"best response to {against}", "value": self._response.value, "situation": situation},
        )


@lru_cache(maxsize=64)
def _responded(agent: BestResponse, game: Game, players: int, player: Player) -> Response:
    engine = openspiel.needed(game, players, "best-response")
    turns = openspiel.sequential(engine)
    return best_response(turns, player, _policy(agent, engine, turns))


def _policy(agent: BestResponse, engine: pyspiel.Game, turns: pyspiel.Game) -> Probabilities:
    everywhere = _uniform(turns)
    if agent.to == "equilibrium":
        table = Equilibrium(engine, None).table.situations
        return {key: list(zip(k.actions, k.probabilities, strict=True)) for key, k in table.items()}
    if agent.table is None:
        return everywhere
    found = read_table(agent.table, trusts_pickle=agent.trusts_pickle)
    if missing := [key for key in everywhere if key not in found]:
        raise PluginError(f"{agent.table}: has no probabilities for {missing[0]!r} and {len(missing) - 1} others")
    return {key: list(found[key].items()) for key in everywhere}


def _uniform(turns: pyspiel.Game) -> Probabilities:
    found: dict[str, list[tuple[int, float]]] = {}
    stack = [turns.new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        actions = state.legal_actions()
        if not state.is_chance_node():
            key = openspiel.known(state, state.current_player())
            found.setdefault(key, [(action, 1 / len(actions)) for action in actions])
        stack += [state.child(action) for action in actions]
    return found
