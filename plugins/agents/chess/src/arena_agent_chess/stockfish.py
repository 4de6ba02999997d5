"""The agent that plays chess by an engine of the user's own."""

from collections.abc import Mapping
from typing import Any, cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError, PluginError
from arena.game import Decision, Game
from arena.record import JSON
from attrs.validators import ge, gt, le, optional

from arena_agent_chess.positions import ChessPosition, position_of, unfit
from arena_agent_chess.program import find_program
from arena_agent_chess.search import MATE, SKILL, SearchLimit, SearchResult, checked, is_mate
from arena_agent_chess.sharing import shared_engine


def program_field() -> Any:
    """The parameter of agent and solver that names the engine's program."""
    return attrs.field(
        default="stockfish",
        metadata={
            "help": "an engine that speaks UCI, by name or file; any but 'stockfish' needs --trust-code",
            "names_code": lambda given: given["program"] != "stockfish",
        },
    )


def timeout_field() -> Any:
    """The parameter of agent and solver that says when an engine counts as hanging."""
    return attrs.field(
        default=60.0,
        validator=gt(0),
        metadata={"help": "seconds for one answer, beyond 'milliseconds'; an engine that takes longer is killed"},
    )


@attrs.frozen(kw_only=True)
class Stockfish(Agent):
    """Plays the move that the engine finds in a search of fixed size, with one thread and nothing kept between moves.

    At full skill and a number of nodes it plays the same in every run; below that it draws among good moves, and with
    ``milliseconds`` it depends on the machine. What it played is journaled, so a resumed match does not ask again.
    """

    skill: int = attrs.field(
        default=SKILL,
        validator=[ge(0), le(SKILL)],
        metadata={"help": "0 to 20; below 20 it is random, as the engine draws among the moves it found"},
    )
    nodes: int = attrs.field(default=100_000, validator=ge(1), metadata={"help": "positions looked at for each move"})
    milliseconds: int | None = attrs.field(
        default=None, validator=optional(ge(1)), metadata={"help": "time for each move, in place of 'nodes'"}
    )
    program: str = program_field()
    timeout_s: float = timeout_field()

    def join(self, seat: Seat) -> PlayerAgent:
        """Create the player; the engine is started when the first move is asked for."""
        return StockfishPlayer(seat, self)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` for other games than chess, and where there is no such program."""
        if reason := unfit(game, players):
            raise ConfigError(f"cannot play this game: {reason}")
        find_program(self.program)
        return {}

    @property
    def limit(self) -> SearchLimit:
        """How long it thinks about a move."""
        return SearchLimit(nodes=self.nodes, milliseconds=self.milliseconds)


class StockfishPlayer(PlayerAgent):
    """Asks the engine that all matches of the run share."""

    def __init__(self, seat: Seat, agent: Stockfish) -> None:
        self._seat = seat
        self._agent = agent

    async def act(self, decision: Decision) -> Reply:
        """Play the engine's move; what it found goes into the journal and into the record."""
        state = self._seat.resample_hidden(decision.turn)
        if state is None:
            raise PluginError("stockfish needs the moves of the match; write 'resample-hidden: true'")
        position = position_of(state)

        async def ask() -> JSON:
            return await self._found(position)

        found = cast("Mapping[str, Any]", await self._seat.once("engine", ask))
        action = position.actions[found["move"]]
        label = decision.options.label(action) if decision.options is not None else found["move"]
        worth = f", worth {_shown(found['score'])}" if found["score"] is not None else ""
        return Reply(action=action, reasoning=f"{label}{worth} ({found['engine']})", note=dict(found))

    async def _found(self, position: ChessPosition) -> dict[str, JSON]:
        agent = self._agent
        engine = shared_engine(find_program(agent.program))
        result = await engine.search(position.command, agent.limit, skill=agent.skill, timeout_s=agent.timeout_s)
        return _noted(engine.name, checked(engine.name, result, position.actions), agent)


def _noted(engine: str, result: SearchResult, agent: Stockfish) -> dict[str, JSON]:
    line = result.last
    return {
        "move": result.move,
        "engine": engine,
        "skill": agent.skill,
        "score": line.score if line else None,
        "depth": line.depth if line else None,
        "nodes": result.nodes,
    }


def _shown(score: int) -> str:
    """A score as players write it: in pawns, or the number of moves to a mate."""
    if is_mate(score):
        return f"mate in {MATE - abs(score)}" if score > 0 else f"mated in {MATE - abs(score)}"
    return f"{score / 100:+.2f}"
