"""An agent that plays a policy made elsewhere."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply, Response, Seat
from arena.errors import ConfigError, PluginError
from arena.game import Decision, Game
from arena.plugin import resolve
from arena.record import JSON, Action

from arena_agent_solvers.policy_files import Table, read_table
from arena_agent_solvers.seat_state import drawn, imagined


@attrs.frozen(kw_only=True)
class Policy(Agent):
    """Plays a Python function, a table of probabilities by information state, or a checkpoint of RLlib.

    A function is called with the decision and returns the action, or with ``gives: probabilities`` a probability for
    each option in the order of ``decision.options``. It may be ``async``; otherwise it runs in a thread. It is called
    again after a refusal, with the reasons in ``decision.rejected``. What it returns is journaled, so a resumed run
    does not call it again.
    """

    policy: str = attrs.field(
        metadata={
            "help": "package.module:function (needs --trust-code), or the path of a table or checkpoint",
            "names_code": lambda parameters: parameters["kind"] == "function",
            "names_file": lambda parameters: parameters["kind"] != "function",
            "file_use": "loaded",
        }
    )
    kind: Literal["function", "table", "rllib"] = attrs.field(
        default="function", metadata={"help": "what 'policy' names"}
    )
    gives: Literal["action", "probabilities"] = attrs.field(
        default="action", metadata={"help": "what the function returns"}
    )
    trusts_pickle: bool = attrs.field(
        default=False,
        metadata={
            "help": "the file is a pickle that you made yourself, which can run any code; needs --trust-pickle as well",
            "reads_pickle": True,
        },
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
                "'trusts-pickle: true' if you made it yourself, and give --trust-pickle"
            )
        else:
            self.checkpoint()

    def function(self) -> Callable[[Decision], Any]:
        """The imported function; ``ConfigError`` if it does not exist."""
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
        """The table of probabilities; ``ConfigError`` if it cannot be read."""
        return read_table(Path(self.policy).expanduser(), trusts_pickle=self.trusts_pickle)

    def checkpoint(self) -> Any:
        """The RLlib module of the checkpoint; ``ConfigError`` if it cannot be read."""
        from arena_agent_solvers import rllib

        return rllib.module_of(Path(self.policy).expanduser(), self.module)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` if a table is to play a game that is not OpenSpiel's, whose words are its keys."""
        if self.kind == "table":
            from arena_agent_solvers import openspiel

            openspiel.needed(game, players, "policy with a table")
        if self.kind == "rllib":
            from arena_agent_solvers import rllib

            rllib.numbered(game, players, self.actions)
        return {}

    def join(self, seat: Seat) -> PlayerAgent:
        if self.kind == "rllib":
            return LearnedPlayer(seat, self)
        return TablePlayer(seat, self.table()) if self.kind == "table" else FunctionPlayer(seat, self)


class FunctionPlayer(PlayerAgent):
    """Plays what the function returns; an illegal action is refused like any other and never replaced."""

    def __init__(self, seat: Seat, agent: Policy) -> None:
        self._seat = seat
        self._agent = agent
        self._function = agent.function()

    async def act(self, decision: Decision) -> Reply:
        """Call the function, once, and play the action it returns or draw one by its probabilities."""
        found = await self._seat.once("policy", self._asking(decision))
        if self._agent.gives == "action":
            return Reply(action=found, note={"policy": self._agent.policy})
        weights = _weights(found, decision, self._agent.policy)
        return Reply(
            action=drawn(weights, self._seat.rng),
            note={"policy": self._agent.policy, "probabilities": [list(pair) for pair in weights]},
        )

    def _asking(self, decision: Decision) -> Callable[[], JSON | Awaitable[JSON]]:
        """What ``seat.once`` calls: the function, with its result made JSON."""
        to_json = _plain if self._agent.gives == "action" else _numbers

        def ask() -> JSON | Awaitable[JSON]:
            found = self._function(decision)
            return wait(found) if inspect.isawaitable(found) else to_json(found)

        async def wait(found: Awaitable[Any]) -> JSON:
            return to_json(await found)

        async def ask_here() -> JSON:
            return to_json(await self._function(decision))

        return ask_here if inspect.iscoroutinefunction(self._function) else ask


class TablePlayer(PlayerAgent):
    """Looks up the information state; refuses if the table has no entry for it, rather than play anything else."""

    def __init__(self, seat: Seat, table: Table) -> None:
        self._seat = seat
        self._table = table

    async def act(self, decision: Decision) -> Response:
        """Draw an action by the table's probabilities for this information state."""
        from arena_agent_solvers import openspiel

        seat = self._seat
        state = openspiel.position_of(imagined(seat, decision))
        game = openspiel.sequential(openspiel.needed(seat.game, seat.players, "policy with a table"))
        situation = openspiel.known(openspiel.in_turn(game, state, seat.player), seat.player)
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
        """Ask the network; no coroutine, so that a large network runs in a thread."""
        from arena_agent_solvers import rllib

        weights = rllib.asked(self._module, decision, self._numbers)
        return Reply(action=drawn(weights, self._seat.rng), note={"probabilities": [list(pair) for pair in weights]})


def _plain(action: Any) -> Action:
    """Convert the action to JSON: numbers of NumPy become plain ones."""
    return action.item() if hasattr(action, "item") else action


def _numbers(found: Any) -> JSON:
    """Convert probabilities to JSON: whatever can be iterated becomes a list of plain numbers."""
    return [float(p) for p in found]


def _weights(found: Any, decision: Decision, name: str) -> list[tuple[Action, float]]:
    options = decision.options
    if options is None:
        raise PluginError(f"{name}: gives probabilities, and this decision has no list of options; give the action")
    numbers: Sequence[float] = found
    if len(numbers) != len(options):
        raise PluginError(f"{name}: gave {len(numbers)} probabilities for {len(options)} options")
    if not all(isfinite(p) and p >= 0 for p in numbers) or abs(sum(numbers) - 1) > 1e-6:
        raise PluginError(f"{name}: gave {numbers!r}; expected probabilities that sum to 1")
    return list(zip(options.actions, numbers, strict=True))
