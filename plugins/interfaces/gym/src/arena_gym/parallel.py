"""A game as PettingZoo's parallel environment: all players step together."""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from arena.errors import RuleError
from arena.game import Decision
from arena.record import Action, Player
from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]  # its types are in its code

from arena_gym.environment import Episode, GameSpaces, illegal, names, numbers, settings_of, texts


class ParallelEnvironment(ParallelEnv[str, Any, Any]):
    """All players step together; actions of players who are not to act are ignored.

    If several players answer illegally under ``illegal="forfeit"``, the first of them in player order forfeits.
    """

    def __init__(self, game: Any, **settings: Any) -> None:
        self.table = GameSpaces(game, settings_of(settings))
        self.possible_agents = names(self.table.players)
        self.agents = []
        self.metadata = {"name": type(self.table.game).__name__, "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.observation_spaces = {agent: self.table.masked_space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: self.table.action_space(partial(self._open, agent)) for agent in self.possible_agents
        }
        self._rng = Random()

    def observation_space(self, agent: str) -> Any:
        """The space of an observation with its action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of actions, which is the same for all players."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start a new match; equal seeds give equal matches. ``options`` are ignored."""
        if seed is not None:
            self._rng = Random(seed)
        self.episode = Episode(self.table, self._rng.getrandbits(63))
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one step; raises ``RuleError`` on a missing action, or an illegal one if ``illegal`` is ``"raise"``."""
        step: dict[Player, Action] = {}
        for player, decision in self.episode.decisions.items():
            agent = self.possible_agents[player]
            if agent not in actions:
                raise RuleError(f"{agent} is to act and was given no action; give one for each agent with a mask")
            step[player], fault = self.table.decode_action(decision, actions[agent])
            if fault:
                if self.table.settings.illegal == "raise":
                    raise illegal(self.table, player, fault)
                self.episode.forfeit(player)
                break
        else:
            self.episode.play(step)
        over = (self.episode.is_terminated, self.episode.is_truncated)
        ended, cut = (dict.fromkeys(self.agents, flag) for flag in over)
        result = (self._observations(), numbers(self.episode.rewards, self.agents), ended, cut, self._infos())
        if any(over):
            self.agents = []
        return result

    def decision(self, agent: str) -> Decision | None:
        """The ``Decision`` that ``agent`` is asked, or ``None`` if it is not to act."""
        return self.episode.decisions.get(Player(self.possible_agents.index(agent)))

    def labels(self, agent: str) -> dict[int, str]:
        """The label of each index that ``agent`` may play."""
        decision = self.decision(agent)
        return {} if decision is None else self.table.labels(decision)

    def _open(self, agent: str) -> Decision | None:
        """The decision that ``agent`` is asked, if any."""
        player = Player(self.possible_agents.index(agent))
        return self.episode.decisions.get(player) if self.agents else None

    def render(self) -> str:
        """The position as text for a spectator, hidden information included."""
        return texts(self.table.forms, self.episode.state.observe(None))

    def close(self) -> None: ...

    def _observations(self) -> dict[str, Any]:
        episode = self.episode
        return {
            agent: self.table.masked(episode.state.observe(Player(p)), episode.decisions.get(Player(p)))
            for p, agent in enumerate(self.agents)
        }

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"seat": seat} for agent, seat in zip(self.agents, self.table.seats, strict=True)}
