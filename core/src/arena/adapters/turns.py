"""A game as PettingZoo's AEC environment: one player after another."""

from random import Random
from typing import Any

from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]  # its types are in its code

from arena.adapters.table import Episode, Table, illegal, names, settings_of, texts
from arena.game import Decision
from arena.record import Action, Player


class TurnByTurn(AECEnv[str, Any, Any]):
    """One player chooses in each step; a wave of several is applied when the last of them has chosen.

    ``table`` holds the game and its facts. Until the wave is applied the position is the one all of them were shown,
    so nobody learns what the others have chosen.
    """

    def __init__(self, game: Any, **settings: Any) -> None:
        super().__init__()
        self.table = Table(game, settings_of(settings))
        self.possible_agents = names(self.table.players)
        self.agents = []
        self.metadata = {
            "name": type(self.table.game).__name__,
            "is_parallelizable": self.table.facts.simultaneous,
            "render_modes": ["ansi"],
        }
        self.render_mode = "ansi"
        self.observation_spaces = {agent: self.table.masked_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.table.action_space() for agent in self.possible_agents}
        self._rng = Random()

    def observation_space(self, agent: str) -> Any:
        """An observation and a mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match; equal seeds deal equal ones. ``options`` are not used."""
        if seed is not None:
            self._rng = Random(seed)
        self.episode = Episode(self.table, self._rng.getrandbits(63))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = {agent: {"seat": seat} for agent, seat in zip(self.agents, self.table.seats, strict=True)}
        self._skip_agent_selection = None
        self._wave: dict[Player, Action] = {}
        self._report()

    def step(self, action: Any) -> None:
        """Take the action of ``agent_selection``; ``RuleError`` where it is illegal and ``illegal`` is ``"raise"``."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player = Player(self.possible_agents.index(agent))
        meant, fault = self.table.read(self.episode.decisions[player], action)
        if fault and self.table.settings.illegal == "raise":
            raise illegal(self.table, player, fault)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._wave[player] = meant
        if fault:
            self.episode.forfeit(player)
        elif len(self._wave) == len(self.episode.decisions):
            self.episode.play(self._wave)
        else:
            self.agent_selection = self._next()
            return
        self._wave = {}
        self.rewards = dict(zip(self.agents, self.episode.rewards, strict=True))
        self._accumulate_rewards()
        self._report()

    def observe(self, agent: str) -> dict[str, Any]:
        """What ``agent`` sees; its mask is empty unless it has yet to choose in this wave."""
        player = Player(self.possible_agents.index(agent))
        decision = None if player in self._wave else self.episode.decisions.get(player)
        return self.table.masked(self.episode.state, player, decision)

    def decision(self, agent: str) -> Decision:
        """Arena's own view of what ``agent`` is asked: options with labels, schema, forms."""
        return self.episode.decisions[Player(self.possible_agents.index(agent))]

    def labels(self, agent: str) -> dict[int, str]:
        """The words of each index that ``agent`` may play."""
        return self.table.labels(self.decision(agent))

    def render(self) -> str:
        """The position as a spectator reads it, hidden parts included."""
        return texts(self.table.forms, self.episode.state)

    def close(self) -> None:
        """Nothing is held."""

    def _next(self) -> str:
        return next(self.possible_agents[p] for p in self.episode.decisions if p not in self._wave)

    def _report(self) -> None:
        self.terminations = dict.fromkeys(self.agents, self.episode.is_terminated)
        self.truncations = dict.fromkeys(self.agents, self.episode.is_truncated)
        self.agent_selection = self.agents[0] if self.episode.is_over else self._next()
