"""An agent that plays a policy made elsewhere."""

import inspect
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, Reply, Seat, Turn
from arena.errors import ConfigError, PluginError
from arena.game import Decision, Game
from arena.plugin import resolve
from arena.record import Action, RefusalKind

from arena_agent_solvers.sources import Table, read_table
from arena_agent_solvers.thinking import drawn, imagined


@attrs.frozen(kw_only=True)
class Policy(Agent):
    """Plays a Python function, a table of probabilities by what the player knows, or a checkpoint of RLlib.

    A function is called with the decision and returns the action, or with ``gives: probabilities`` a probability for
    each option in the order of ``decision.options``. It may be ``async``. It is called again after a refusal, with the
    reasons in ``decision.rejected``.
    """

    policy: str = attrs.field(metadata={"help": "package.module:function, or the path of a table or checkpoint"})
    kind: Literal["function", "table", "rllib"] = attrs.field(
        default="function", metadata={"help": "what 'policy' names"}
    )
    gives: Literal["action", "probabilities"] = attrs.field(
        default="action", metadata={"help": "what the function returns"}
    )
    trusts_pickle: bool = attrs.field(
        default=False, metadata={"help": "the file is a pickle that you made yourself: reading one can run any code"}
    )
    module: str = attrs.field(default="default_policy", metadata={"help": "for rllib: which module of an algorithm"})
    actions: int | None = attrs.field(
        default=None, metadata={"help": "for rllib: the environment's number of options, where the game declares none"}
    )

    def __attrs_post_init__(self) -> None:
        if self.kind == "function":
            self.function()
        elif self.kind == "table":
            self.table()
        elif not self.trusts_pickle:
            raise ConfigError(
                "trusts-pickle: a checkpoint of RLlib holds pickles, and reading one can run any code; write "
                "'trusts-pickle: true' if you made it yourself"
            )
        else:
            self.checkpoint()

    def function(self) -> Callable[[Decision], Any]:
        """The function; ``ConfigError`` where there is none."""
        try:
            found = resolve(self.policy)
        except Exception as error:  # whatever happens while a module of somebody else is imported
            why = f"{type(error).__name__}: {error}"
            raise ConfigError(
                f"policy: cannot import {self.policy!r}, written package.module:function ({why})"
            ) from error
        if not callable(found):
            raise ConfigError(f"policy: {self.policy!r} is {type(found).__name__}; expected a function")
        return found

    def table(self) -> Table:
        """The table; ``ConfigError`` where it cannot be read."""
        return read_table(Path(self.policy).expanduser(), trusts_pickle=self.trusts_pickle)

    def checkpoint(self) -> Any:
        """The module of RLlib; ``ConfigError`` where it cannot be read."""
        from arena_agent_solvers import rllib

        return rllib.module_of(Path(self.policy).expanduser(), self.module)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """A table is for games of OpenSpiel, whose words for what a player knows are its keys."""
        if self.kind == "table":
            from arena_agent_solvers import spiel

            spiel.needed(game, players, "policy with a table")
        if self.kind == "rllib":
            from arena_agent_solvers import rllib

            rllib.numbered(game, players, self.actions)
        return {}

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down."""
        if self.kind == "rllib":
            return LearnedPlayer(seat, self)
        return TablePlayer(seat, self.table()) if self.kind == "table" else FunctionPlayer(seat, self)


class FunctionPlayer(PlayerAgent):
    """Plays what the function returns; what is illegal is refused like any other answer, and never replaced."""

    def __init__(self, seat: Seat, agent: Policy) -> None:
        self._seat = seat
        self._agent = agent
        self._function = agent.function()

    async def act(self, decision: Decision) -> Reply:
        """Ask the function."""
        found = self._function(decision)
        if inspect.isawaitable(found):
            found = await found
        if self._agent.gives == "action":
            return Reply(action=_plain(found), note={"policy": self._agent.policy})
        weights = _weights(found, decision, self._agent.policy)
        return Reply(
            action=drawn(weights, self._seat.rng),
            note={"policy": self._agent.policy, "probabilities": [list(pair) for pair in weights]},
        )


class TablePlayer(PlayerAgent):
    """Looks up what the player knows; where the table has nothing it has no action, rather than another."""

    def __init__(self, seat: Seat, table: Table) -> None:
        self._seat = seat
        self._table = table

    async def act(self, decision: Decision) -> Turn:
        """Draw from the probabilities of this situation."""
        from arena_agent_solvers import spiel

        seat = self._seat
        state = spiel.position_of(imagined(seat, decision))
        game = spiel.sequential(spiel.needed(seat.game, seat.players, "policy with a table"))
        situation = spiel.known(spiel.in_turn(game, state, seat.player), seat.player)
        found = self._table.get(situation)
        if found is None:
            return Refusal(kind=RefusalKind.EMPTY, reason=f"the table has nothing for {situation!r}")
        weights = list(found.items())
        return Reply(
            action=drawn(weights, seat.rng),
            note={"situation": situation, "probabilities": [list(pair) for pair in weights]},
        )


class LearnedPlayer(PlayerAgent):
    """Draws from the probabilities that a network gives to the legal actions."""

    def __init__(self, seat: Seat, agent: Policy) -> None:
        from arena_agent_solvers import rllib

        self._seat = seat
        self._module = agent.checkpoint()
        self._numbers = rllib.numbered(seat.game, seat.players, agent.actions)

    def act(self, decision: Decision) -> Reply:
        """Ask the network; in a thread, since it may be large."""
        from arena_agent_solvers import rllib

        weights = rllib.asked(self._module, decision, self._numbers)
        return Reply(action=drawn(weights, self._seat.rng), note={"probabilities": [list(pair) for pair in weights]})


def _plain(action: Any) -> Action:
    """The action as JSON: numbers of numpy are what they are worth."""
    return action.item() if hasattr(action, "item") else action


def _weights(found: Any, decision: Decision, name: str) -> list[tuple[Action, float]]:
    options = decision.options
    if options is None:
        raise PluginError(f"{name}: gives probabilities, and this decision has no list of options; give the action")
    numbers: Sequence[float] = [float(p) for p in found]
    if len(numbers) != len(options):
        raise PluginError(f"{name}: gave {len(numbers)} probabilities for {len(options)} options")
    if not all(isfinite(p) and p >= 0 for p in numbers) or abs(sum(numbers) - 1) > 1e-6:
        raise PluginError(f"{name}: gave {numbers!r}; expected probabilities that sum to 1")
    return list(zip(options.actions, numbers, strict=True))
