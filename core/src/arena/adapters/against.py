"""One seat of a game as a Gymnasium environment; Arena's agents hold the others.

The match is played by Arena's own referee, with the learner as one more agent at the table: what opponents see, how
their illegal answers are dealt with and how a match ends is the same as in a benchmark. Nothing is journaled; ``cache``
keeps what opponents' models answer.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import attrs
import gymnasium

from arena.adapters.table import Table, illegal, plugin, settings_of, texts
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.cache import Cache
from arena.connections import Connections
from arena.errors import ConfigError, RuleError
from arena.executor import Work
from arena.game import ABSENT, Absent, Decision
from arena.record import Action, Ending, MatchPlan, MatchRecord, Player
from arena.referee import Match, Referee
from arena.rehearsal import Scratch

T = TypeVar("T")

_LEARNER = "learner"


class AgainstOpponents(gymnasium.Env[Any, Any]):
    """A step is one action of the learner and everything until it is to act again, or the match is over.

    ``info`` holds ``seat``, the mask of legal actions as ``action_mask``, and at the end ``ending``, as in a match's
    record. A match in which the learner is never asked is no episode: another one is dealt, and ``unasked`` counts
    them. An opponent's bug, or a model that cannot be reached, raises; it never becomes a move.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 -- Gymnasium's own attribute

    def __init__(
        self,
        game: Any,
        opponents: Any = "random",
        *,
        seat: int | None = 0,
        cache: Path | str | None = None,
        **settings: Any,
    ) -> None:
        self.table = Table(game, settings_of(settings))
        players = self.table.players
        if seat is not None and not 0 <= seat < players:
            raise ConfigError(f"seat: expected a player from 0 to {players - 1} or None, got {seat!r}")
        self.opponents = _opponents(opponents, players)
        self.seat = seat
        self.render_mode = "ansi"
        self.action_space = self.table.action_space()
        self.observation_space = self.table.observation_space()
        self._loop = asyncio.new_event_loop()
        self._learner = _Learner()
        agents = {_LEARNER: self._learner, **{f"opponent-{i}": agent for i, agent in enumerate(self.opponents)}}
        desk = Scratch()
        work = Work(plans=(), games={"game": self.table.game}, agents=agents, seed=0)
        self._connections = Connections(desk, Cache.at(None if cache is None else Path(cache), work.seed))
        self._referee = Referee(work, desk, self._connections)
        self._playing: asyncio.Task[MatchRecord] | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a new match and play until the learner is asked; equal seeds give equal ones."""
        super().reset(seed=seed)
        for unasked in range(1000):
            self._deal()
            self._go_on()
            if self._learner.decision is not None:
                return self._observation(), self._info() | ({"unasked": unasked} if unasked else {})
        raise RuleError(f"{self.table.seats[self.player]} was not to act in 1000 matches; give another seat")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play; ``RuleError`` where the match is over, or the action illegal and ``illegal`` is ``"raise"``."""
        decision = self._learner.decision
        if decision is None:
            raise RuleError("the match is over; call reset first")
        meant, fault = self.table.read(decision, action)
        if fault and self.table.settings.illegal == "raise":
            raise illegal(self.table, self.player, fault)
        if fault:
            self._learner.decision = None
            self._leave()
            reward = self.table.forfeit(self.player)[self.player] - self._paid
            return self._observation(), reward, True, False, self._info() | {"ending": str(Ending.FORFEIT_ILLEGAL)}
        record = self._go_on(meant)
        reward = self._reward(record)
        if record is None:
            return self._observation(), reward, False, False, self._info()
        is_cut = record.ending is Ending.TURN_LIMIT
        return self._observation(), reward, not is_cut, is_cut, self._info() | {"ending": str(record.ending)}

    def action_masks(self) -> Any:
        """The mask of legal actions, under the name by which learners that mask ask for it."""
        return self.table.mask(self._learner.decision)

    def decision(self) -> Decision | None:
        """Arena's own view of what the learner is asked, ``None`` after the end."""
        return self._learner.decision

    def labels(self) -> dict[int, str]:
        """The words of each index that may be played."""
        return {} if self._learner.decision is None else self.table.labels(self._learner.decision)

    def render(self) -> str:  # type: ignore[override]  # one frame, as text
        """The position as a spectator reads it, hidden parts included."""
        return texts(self.table.forms, self._match.state)

    def close(self) -> None:
        """Let the opponents go and close what they have open."""
        if not self._loop.is_closed():
            self._leave()
            self._run(self._connections.close())
            self._loop.close()

    def _deal(self) -> None:
        self._leave()
        players = self.table.players
        self.player = Player(int(self.np_random.integers(players)) if self.seat is None else self.seat)
        seed = int(self.np_random.integers(2**63 - 1))
        others = iter(range(players - 1))
        names = tuple(_LEARNER if p == self.player else f"opponent-{next(others)}" for p in range(players))
        plan = MatchPlan(
            id=f"game/{','.join(names)}/{seed}",
            game="game",
            agents=names,
            pairing=",".join(sorted(names)),
            repeat=1,
            rotation=0,
            chance_seed=seed,
        )
        self._heard = 0
        self._paid = 0.0
        self._match = Match(self._referee, plan, {})

    def _go_on(self, action: Action | Absent = ABSENT) -> MatchRecord | None:
        """Let the match go on, with the learner's action, until the learner is asked; its record where it is over."""
        self._run(self._until_asked(action))
        if self._playing is None or not self._playing.done():
            return None
        playing, self._playing = self._playing, None
        return playing.result()

    async def _until_asked(self, action: Action | Absent) -> None:
        asked = self._learner.listen()
        if action is ABSENT:
            self._playing = asyncio.ensure_future(self._match.play())
        else:
            self._learner.answer(action)
        assert self._playing is not None
        await asyncio.wait((self._playing, asked), return_when=asyncio.FIRST_COMPLETED)

    def _reward(self, record: MatchRecord | None) -> float:
        news, self._heard = self._match.events[self._heard :], len(self._match.events)
        paid = [event.data for event in news if event.source == "referee" and event.kind == "rewarded"]
        reward = float(sum(rewards[self.player] for rewards in paid))  # type: ignore[index]  # a list by player
        if record is not None and record.returns is not None:
            reward = record.returns[self.player] - self._paid
        self._paid += reward
        return reward

    def _observation(self) -> Any:
        return self.table.see(self._match.state, self.player)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.table.seats[self.player]}
        if self.table.numbering is not None:
            info["action_mask"] = self.action_masks()
        return info

    def _leave(self) -> None:
        """End a match that is not over; nothing of it counts."""
        if self._playing is not None:
            self._playing.cancel()
            self._run(asyncio.wait((self._playing,)))
            self._playing = None
        if hasattr(self, "_match"):
            self._match.leave()
            del self._match.chairs[:]

    def _run(self, waiting: Coroutine[Any, Any, T]) -> T:
        """Run to the end, beside another loop where one runs in this thread (in a notebook, say)."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._loop.run_until_complete(waiting)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(self._loop.run_until_complete, waiting).result()


@attrs.define(eq=False)
class _Learner(Agent, PlayerAgent):
    """Waits for what is given to ``answer``."""

    decision: Decision | None = None
    _asked: "asyncio.Future[None] | None" = None
    _answer: "asyncio.Future[Action] | None" = None

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down; the environment plays one match at a time."""
        self.decision = None
        return self

    def listen(self) -> "asyncio.Future[None]":
        """Done when the learner is asked the next time."""
        self._asked = asyncio.get_running_loop().create_future()
        return self._asked

    def answer(self, action: Action) -> None:
        """What the learner plays."""
        assert self._answer is not None
        self.decision = None
        self._answer.set_result(action)

    async def act(self, decision: Decision) -> Reply:
        """Ask."""
        self.decision = decision
        self._answer = asyncio.get_running_loop().create_future()
        assert self._asked is not None
        self._asked.set_result(None)
        return Reply(action=await self._answer)


def _opponents(given: Any, players: int) -> tuple[Agent, ...]:
    several = isinstance(given, Sequence) and not isinstance(given, str)
    agents: list[Any] = list(given) if several else [given] * (players - 1)  # pyright: ignore[reportUnknownArgumentType]
    if len(agents) != players - 1:
        raise ConfigError(f"opponents: expected {players - 1} beside the learner, got {len(agents)}")
    made = {id(agent): plugin(agent, Agent) for agent in agents}
    return tuple(made[id(agent)] for agent in agents)
