"""One seat of a game as a Gymnasium environment; Arena's agents play the others.

The match is played by Arena's own referee, with the learner as one of the agents: what opponents see, what follows from
their illegal answers and how a match ends is the same as in a benchmark. Nothing is journaled; ``cache`` keeps the
completions of opponents' models.
"""

import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import gymnasium
from arena.agent import Agent
from arena.errors import ConfigError, RuleError
from arena.game import Decision
from arena.record import Ending, MatchPlan, MatchRecord, Player

from arena_gym.environment import GameSpaces, illegal, plugin, settings_of, texts
from arena_gym.learner import LEARNER, LearnerMatches

MOST_UNASKED: Final = 100
"""So many matches are dealt in which the learner is never asked."""


class SingleAgentEnv(gymnasium.Env[Any, Any]):
    """A step is one action of the learner and all that follows until it must act again or the match is over.

    ``info`` holds ``seat``, the mask of legal actions as ``action_mask``, and at the end ``ending``, as in a match's
    record. A match in which the learner is never asked is skipped and another one is dealt; ``unasked`` counts them.
    After ``MOST_UNASKED`` of them the next step, whatever its action, ends the last one with what the learner earned.
    An opponent's bug, or a model that cannot be reached, raises; it never becomes a move. Unless ``illegal`` is given,
    an illegal action forfeits the match, since Gymnasium's learners and its check draw from the whole space.
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
        self.table = GameSpaces(game, settings_of({"illegal": "forfeit", **settings}))
        players = self.table.players
        if seat is not None and not 0 <= seat < players:
            raise ConfigError(f"seat: expected a player from 0 to {players - 1} or None, got {seat!r}")
        self.opponents = _opponents(opponents, players)
        self.seat = seat
        self.render_mode = "ansi"
        self._ended: MatchRecord | None = None
        self._matches = LearnerMatches(self.table.game, self.opponents, cache)
        self.action_space = self.table.action_space(self._matches.decision)
        self.observation_space = self.table.observation_space()
        # An environment that is dropped without ``close`` is cleaned up when it is collected, or at the end.
        self._close = weakref.finalize(self, self._matches.close)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new match and play until the learner must act; equal seeds give equal matches."""
        super().reset(seed=seed)
        for unasked in range(MOST_UNASKED):
            self._deal()
            self._ended = self._matches.go_on()
            if self._matches.decision() is not None:
                return self._observation(), self._info() | ({"unasked": unasked} if unasked else {})
        return self._observation(), self._info() | {"unasked": MOST_UNASKED}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play one action; raises ``RuleError`` after the end, or if it is illegal and ``illegal`` is ``"raise"``."""
        decision = self._matches.decision()
        if self._ended is not None:  # without asking the learner, in every match
            record, self._ended = self._ended, None
            return self._observation(), self._reward(record), True, False, self._info() | {"ending": str(record.ending)}
        if decision is None:
            raise RuleError("the match is over; call reset first")
        meant, fault = self.table.decode_action(decision, action)
        if fault and self.table.settings.illegal == "raise":
            raise illegal(self.table, self.player, fault)
        if fault:
            self._matches.leave()
            reward = self.table.forfeit(self.player)[self.player] - self._paid
            return self._observation(), reward, True, False, self._info() | {"ending": str(Ending.FORFEIT_ILLEGAL)}
        record = self._matches.go_on(meant)
        reward = self._reward(record)
        if record is None:
            return self._observation(), reward, False, False, self._info()
        is_cut = record.ending is Ending.TURN_LIMIT
        return self._observation(), reward, not is_cut, is_cut, self._info() | {"ending": str(record.ending)}

    def action_masks(self) -> Any:
        """The mask of legal actions, under the name that learners such as sb3-contrib's ``MaskablePPO`` call."""
        return self.table.mask(self._matches.decision())

    def decision(self) -> Decision | None:
        """The ``Decision`` that the learner is asked, or ``None`` after the end."""
        return self._matches.decision()

    def labels(self) -> dict[int, str]:
        """The label of each index that may be played."""
        decision = self._matches.decision()
        return {} if decision is None else self.table.labels(decision)

    def render(self) -> str:  # type: ignore[override]  # one frame, as text
        """The position as text for a spectator, hidden information included."""
        return texts(self.table.forms, self._matches.match.state.observe(None))

    def close(self) -> None:
        """End the match, and close the opponents' backends."""
        self._close()

    def _deal(self) -> None:
        players = self.table.players
        self.player = Player(int(self.np_random.integers(players)) if self.seat is None else self.seat)
        seed = int(self.np_random.integers(2**63 - 1))
        others = iter(range(players - 1))
        names = tuple(LEARNER if p == self.player else f"opponent-{next(others)}" for p in range(players))
        plan = MatchPlan(
            id=f"game/{','.join(names)}/{seed}",
            game="game",
            agents=names,
            pairing=",".join(sorted(names)),
            repeat=1,
            rotation=0,
            chance_seed=seed,
        )
        self._seen_events = 0
        self._paid = 0.0
        self._matches.deal(plan)

    def _reward(self, record: MatchRecord | None) -> float:
        news, self._seen_events = self._matches.match.events[self._seen_events :], len(self._matches.match.events)
        paid = [event.data for event in news if event.source == "referee" and event.kind == "rewarded"]
        reward = float(sum(rewards[self.player] for rewards in paid))  # type: ignore[index]  # a list by player
        if record is not None and record.returns is not None:
            reward = record.returns[self.player] - self._paid
        self._paid += reward
        return reward

    def _observation(self) -> Any:
        return self.table.encode_observation(self._matches.match.state.observe(self.player))

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.table.seats[self.player]}
        if self.table.numbering is not None:
            info["action_mask"] = self.action_masks()
        return info


def _opponents(given: Any, players: int) -> tuple[Agent, ...]:
    several = isinstance(given, Sequence) and not isinstance(given, str)
    agents: list[Any] = list(given) if several else [given] * (players - 1)  # pyright: ignore[reportUnknownArgumentType]
    if len(agents) != players - 1:
        raise ConfigError(f"opponents: expected {players - 1} beside the learner, got {len(agents)}")
    made = {id(agent): plugin(agent, Agent, "agent") for agent in agents}
    return tuple(made[id(agent)] for agent in agents)
