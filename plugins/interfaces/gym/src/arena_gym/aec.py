"""A game as PettingZoo's AEC environment: one player after another."""

from functools import partial
from random import Random
from typing import Any

from arena.game import Decision
from arena.record import Action, Player
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]  # its types are in its code

from arena_gym.environment import Episode, GameSpaces, illegal, names, settings_of, texts


class AECEnvironment(AECEnv[str, Any, Any]):
    """Players choose one after another; a simultaneous step is applied when the last of its players has chosen.

    ``table`` holds the game and its facts. Until the step is applied, all of its players see the same position, so
    nobody learns what the others have chosen.
    """

    def __init__(self, game: Any, **settings: Any) -> None:
        super().__init__()
        self.table = GameSpaces(game, settings_of(settings))
        self.possible_agents = names(self.table.players)
        self.agents = []
        self.metadata = {
            "name": type(self.table.game).__name__,
            "is_parallelizable": self.table.facts.simultaneous,
            "render_modes": ["ansi"],
        }
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

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match; equal seeds give equal matches. ``options`` are ignored."""
        if seed is not None:
            self._rng = Random(seed)
        self.episode = Episode(self.table, self._rng.getrandbits(63))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = {agent: {"seat": seat} for agent, seat in zip(self.agents, self.table.seats, strict=True)}
        self._skip_agent_selection = None
        self._step: dict[Player, Action] = {}
        self._report()

    def step(self, action: Any) -> None:
        """Play for ``agent_selection``; raises ``RuleError`` on an illegal action if ``illegal`` is ``"raise"``."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player = Player(self.possible_agents.index(agent))
        meant, fault = self.table.decode_action(self.episode.decisions[player], action)
        if fault and self.table.settings.illegal == "raise":
            raise illegal(self.table, player, fault)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._step[player] = meant
        if fault:
            self.episode.forfeit(player)
        elif len(self._step) == len(self.episode.decisions):
            self.episode.play(self._step)
        else:
            self.agent_selection = self._next()
            return
        self._step = {}
        self.rewards = dict(zip(self.agents, self.episode.rewards, strict=True))
        self._accumulate_rewards()
        self._report()

    def observe(self, agent: str) -> dict[str, Any]:
        """What ``agent`` sees; its mask is all zeros unless it has yet to choose in this step."""
        player = Player(self.possible_agents.index(agent))
        decision = None if player in self._step else self.episode.decisions.get(player)
        return self.table.masked(self.episode.state.observe(player), decision)

    def decision(self, agent: str) -> Decision:
        """The ``Decision`` that ``agent`` is asked, with labelled options, schema and forms."""
        return self.episode.decisions[Player(self.possible_agents.index(agent))]

    def labels(self, agent: str) -> dict[int, str]:
        """The label of each index that ``agent`` may play."""
        return self.table.labels(self.decision(agent))

    def _open(self, agent: str) -> Decision | None:
        """The decision that ``agent`` is asked, if any."""
        player = Player(self.possible_agents.index(agent))
        return self.episode.decisions.get(player) if self.agents else None

    def render(self) -> str:
        """The position as text for a spectator, hidden information included."""
        return texts(self.table.forms, self.episode.state.observe(None))

    def close(self) -> None: ...

    def _next(self) -> str:
        return next(self.possible_agents[p] for p in self.episode.decisions if p not in self._step)

    def _report(self) -> None:
        self.terminations = dict.fromkeys(self.agents, self.episode.is_terminated)
        self.truncations = dict.fromkeys(self.agents, self.episode.is_truncated)
        self.agent_selection = self.agents[0] if self.episode.is_over else self._next()
