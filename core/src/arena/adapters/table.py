"""What all environments share: a game with its settings, and one match of it that is played from outside."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Literal, TypeVar

import attrs
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.adapters.encoding import Encoding, Hashing
from arena.adapters.numbering import Actions, numbering, written
from arena.agent import Agent
from arena.catalog import Catalog
from arena.chance import Chance
from arena.config import structure
from arena.errors import ConfigError, RuleError
from arena.game import ABSENT, Decision, Game, State
from arena.record import Action, Player, canonical

T = TypeVar("T", Game, Agent)

LONGEST_TEXT = 1 << 20
"""Characters of a text observation or action, at most."""


@attrs.frozen(kw_only=True)
class Settings:
    """How a game is shown to a learner and answered by it.

    ``players`` is how many play, as few as may unless given. ``form`` is the form of text observations. ``penalty``
    replaces what the game lets an offender earn under ``illegal="forfeit"``.
    """

    players: int | None = None
    actions: Actions = None
    observe: Literal["vector", "text"] = attrs.field(
        default="vector", validator=attrs.validators.in_(("vector", "text"))
    )
    form: str = "text"
    encoding: Encoding = attrs.field(factory=Hashing)
    illegal: Literal["raise", "forfeit"] = attrs.field(
        default="raise", validator=attrs.validators.in_(("raise", "forfeit"))
    )
    penalty: float | None = None


class AnyText(spaces.Text):
    """Texts in any script."""

    def __init__(self) -> None:
        super().__init__(LONGEST_TEXT, min_length=0)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length


class Table:
    """A game with its settings: spaces, and how to get from one to the other."""

    def __init__(self, game: "Game | str | Mapping[str, Any]", settings: Settings) -> None:
        self.game = plugin(game, Game)
        self.settings = settings
        counts = sorted(self.game.player_counts())
        self.players = counts[0] if settings.players is None else settings.players
        if self.players not in counts:
            raise ConfigError(f"players: expected {' or '.join(map(str, counts))}, got {settings.players!r}")
        self.facts = self.game.facts(self.players)
        self.seats = tuple(self.game.seats(self.players))
        self.forms = self.game.forms
        if settings.form not in self.forms:
            raise ConfigError(f"form: expected one of {', '.join(self.forms)}, got {settings.form!r}")
        self.numbering = numbering(self.game, self.players, settings.actions)

    def action_space(self) -> "spaces.Space[Any]":
        """``Discrete``, or text."""
        return AnyText() if self.numbering is None else spaces.Discrete(self.numbering.size)

    def observation_space(self) -> "spaces.Space[Any]":
        """A vector of numbers, or text."""
        if self.settings.observe == "text":
            return AnyText()
        return spaces.Box(-np.inf, np.inf, (self.settings.encoding.columns,), np.float32)

    def masked_space(self) -> "spaces.Dict":
        """An observation with the mask of legal actions beside it, as PettingZoo's own games have it."""
        space: dict[str, spaces.Space[Any]] = {"observation": self.observation_space()}
        if self.numbering is not None:
            space["action_mask"] = spaces.Box(0, 1, (self.numbering.size,), np.int8)
        return spaces.Dict(space)

    def see(self, state: State, player: Player) -> Any:
        """What ``player`` sees."""
        observation = state.observe(player)
        if self.settings.observe == "text":
            return str(self.forms[self.settings.form](observation))
        return np.array(self.settings.encoding.encode(observation), np.float32)

    def masked(self, state: State, player: Player, decision: Decision | None) -> dict[str, Any]:
        """What ``player`` sees and may do; nothing where it has no ``decision``."""
        seen = {"observation": self.see(state, player)}
        if self.numbering is not None:
            seen["action_mask"] = self.mask(decision)
        return seen

    def mask(self, decision: Decision | None) -> NDArray[np.int8]:
        """One for each index that may be played."""
        assert self.numbering is not None
        mask = np.zeros(self.numbering.size, np.int8)
        if decision is not None:
            mask[self.numbering.legal(decision)] = 1
        return mask

    def labels(self, decision: Decision) -> dict[int, str]:
        """The words of each index that may be played."""
        if self.numbering is None or decision.options is None:
            raise RuleError("actions are text here and have no indices")
        return dict(zip(self.numbering.legal(decision), (o.label for o in decision.options), strict=True))

    def read(self, decision: Decision, given: Any) -> tuple[Action, str]:
        """The action that was given, and why it cannot be played, empty where it can."""
        if self.numbering is None:
            if not isinstance(given, str):
                return None, f"expected the text of an action, got {given!r}"
            action = written(decision, given)
        else:
            if isinstance(given, bool | np.bool_) or not hasattr(given, "__index__"):
                return None, f"expected the index of an action, got {given!r}"
            action = self.numbering.action(decision, index(given))
        if action is ABSENT:
            return None, f"{given!r} stands for no action of this decision"
        refused = decision.state.check(decision.player, action)
        return action, "" if refused is None else f"{canonical(action)}: {refused.reason}"

    def forfeit(self, player: Player) -> list[float]:
        """What each player earns in all when ``player`` answers illegally."""
        facts, penalty = self.facts, self.settings.penalty
        own = facts.forfeit_return if penalty is None else penalty
        return [own if p == player else facts.others_return for p in range(self.players)]


class Episode:
    """One match, played wave by wave; ``rewards`` are those of the last wave."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.state, _ = table.game.start(Chance(seed), table.players)
        self.waves = 0
        self.decisions: dict[Player, Decision] = {}
        self.rewards = [0.0] * table.players
        self.is_terminated = False
        self.is_truncated = False
        self._paid = [0.0] * table.players
        self._ask()

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen."""
        return self.is_terminated or self.is_truncated

    def play(self, wave: Mapping[Player, Action]) -> None:
        """Apply one checked action of each player to act."""
        self.state.apply(wave)
        for decision in self.decisions.values():
            decision.expire()
        self.waves += 1
        self._ask()
        rewards = self.state.rewards()
        self.rewards = [0.0] * self.table.players if rewards is None else [float(r) for r in rewards]
        if self.is_over and (returns := self.state.returns()) is not None:
            self.rewards = [float(total) - paid for total, paid in zip(returns, self._paid, strict=True)]
        self._paid = [paid + reward for paid, reward in zip(self._paid, self.rewards, strict=True)]

    def forfeit(self, player: Player) -> None:
        """End the match because ``player`` gave an illegal action."""
        self.decisions = {}
        self.is_terminated = True
        self.rewards = [total - paid for total, paid in zip(self.table.forfeit(player), self._paid, strict=True)]

    def _ask(self) -> None:
        acting = self.state.to_act()
        self.is_terminated = not acting
        self.is_truncated = bool(acting) and self.waves >= self.table.facts.wave_limit
        self.decisions = {} if self.is_over else {p: self.state.decision(p) for p in acting}


def plugin(given: "T | str | Mapping[str, Any]", contract: type[T]) -> T:
    """A game or agent as it is, or made of what a benchmark file would say."""
    return given if isinstance(given, contract) else structure(given, contract, Catalog())


def illegal(table: Table, player: Player, reason: str) -> RuleError:
    """What is raised for an illegal action."""
    seat = table.seats[player]
    return RuleError(f"{seat}: illegal action: {reason}; nothing was played (illegal='forfeit' ends the match)")


def names(players: int) -> list[str]:
    """The players as PettingZoo names them."""
    return [f"player_{p}" for p in range(players)]


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Settings from keywords; ``ConfigError`` names one that does not exist or does not fit."""
    known = [field.name for field in attrs.fields(Settings)]
    if unknown := [key for key in given if key not in known]:
        raise ConfigError(f"{unknown[0]}: unknown setting (there is: {', '.join(known)})")
    try:
        return Settings(**given)
    except (TypeError, ValueError) as error:
        raise ConfigError(str(error.args[0])) from error


def texts(forms: Mapping[str, Any], state: State) -> str:
    """The position as a spectator reads it."""
    return str(forms["text"](state.observe(None)))


def numbers(values: Sequence[float], agents: Sequence[str]) -> dict[str, float]:
    """Values by player, by name."""
    return dict(zip(agents, values, strict=True))
