"""What all environments share: a game with its settings, and one match that is played step by step."""

from collections.abc import Callable, Mapping, Sequence
from operator import index
from random import Random
from typing import Any, Literal, TypeAlias, TypeVar

import attrs
import numpy as np
from arena.agent import Agent
from arena.chance import Chance
from arena.errors import ConfigError, RuleError
from arena.game import ABSENT, Decision, Drawing, Game, Image, PlayerView
from arena.record import JSON, Action, Player, canonical_json
from arena_engine import make_plugin
from gymnasium import spaces
from numpy.typing import NDArray

from arena_gym.encoding import Encoding, HashedFeatures
from arena_gym.indexing import Actions, action_index, written

T = TypeVar("T", Game, Agent)

Asked: TypeAlias = Callable[[], Decision | None]
"""Says which decision is open, if any."""

LONGEST_TEXT = 1 << 20
"""The most characters that a text observation or action may have."""


@attrs.frozen(kw_only=True)
class Settings:
    """How a learner sees a game and answers it.

    ``players`` is how many play, by default as few as the game allows. ``form`` is the form of text observations.
    ``penalty`` replaces the game's own returns for an offender under ``illegal="forfeit"``.
    """

    players: int | None = None
    actions: Actions = None
    observe: Literal["vector", "text"] = attrs.field(
        default="vector", validator=attrs.validators.in_(("vector", "text"))
    )
    form: str = "text"
    encoding: Encoding = attrs.field(factory=HashedFeatures)
    illegal: Literal["raise", "forfeit"] = attrs.field(
        default="raise", validator=attrs.validators.in_(("raise", "forfeit"))
    )
    penalty: float | None = None


class AnyText(spaces.Text):
    """A text space for any script, limited only in length."""

    def __init__(self) -> None:
        super().__init__(LONGEST_TEXT, min_length=0)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a text of at most ``LONGEST_TEXT`` characters."""
        return isinstance(x, str) and len(x) <= self.max_length


class ActionText(AnyText):
    """The actions of a game as text; a sample is a legal one of the decision that is open, and empty without one."""

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self._asked = asked

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """The JSON text of a legal action, drawn as ``Decision.sample`` does; masks are ignored."""
        decision = self._asked()
        if decision is None:
            return ""
        return canonical_json(decision.sample(Random(int(self.np_random.integers(2**63 - 1)))))

    def __deepcopy__(self, memo: dict[int, Any]) -> "ActionText":
        # Whoever copies a space (vector environments do) means the same match.
        return ActionText(self._asked)


class GameSpaces:
    """A game with its settings, as spaces; converts observations and actions to and from them."""

    def __init__(self, game: "Game | str | Mapping[str, Any]", settings: Settings) -> None:
        self.game = plugin(game, Game, "game")
        self.settings = settings
        counts = sorted(self.game.player_counts())
        self.players = self.game.usual_players if settings.players is None else settings.players
        if self.players not in counts:
            raise ConfigError(f"players: expected {' or '.join(map(str, counts))}, got {settings.players!r}")
        self.facts = self.game.facts(self.players)
        self.seats = tuple(self.game.seats(self.players))
        self.forms = self.game.forms
        if settings.form not in self.forms:
            raise ConfigError(f"form: expected one of {', '.join(self.forms)}, got {settings.form!r}")
        self.numbering = action_index(self.game, self.players, settings.actions)

    def action_space(self, asked: Asked) -> "spaces.Space[Any]":
        """A ``Discrete`` space, or a text space whose samples answer what is ``asked`` if actions are given as text."""
        return ActionText(asked) if self.numbering is None else spaces.Discrete(self.numbering.size)

    def observation_space(self) -> "spaces.Space[Any]":
        """A ``Box`` of numbers, or a text space."""
        if self.settings.observe == "text":
            return AnyText()
        return spaces.Box(-np.inf, np.inf, (self.settings.encoding.columns,), np.float32)

    def masked_space(self) -> "spaces.Dict":
        """An observation together with the mask of legal actions, as in PettingZoo's own games."""
        space: dict[str, spaces.Space[Any]] = {"observation": self.observation_space()}
        if self.numbering is not None:
            space["action_mask"] = spaces.Box(0, 1, (self.numbering.size,), np.int8)
        return spaces.Dict(space)

    def encode_observation(self, observation: JSON) -> Any:
        """Encode an observation as the settings say: a vector, or text."""
        if self.settings.observe == "text":
            return in_words(self.forms[self.settings.form](observation))
        return np.array(self.settings.encoding.encode(observation), np.float32)

    def masked(self, observation: JSON, decision: Decision | None) -> dict[str, Any]:
        """An encoded observation with its mask; all zeros if the player has no ``decision``."""
        seen = {"observation": self.encode_observation(observation)}
        if self.numbering is not None:
            seen["action_mask"] = self.mask(decision)
        return seen

    def mask(self, decision: Decision | None) -> NDArray[np.int8]:
        """The action mask: 1 for each index that may be played, else 0."""
        assert self.numbering is not None
        mask = np.zeros(self.numbering.size, np.int8)
        if decision is not None:
            mask[self.numbering.legal(decision)] = 1
        return mask

    def labels(self, decision: Decision) -> dict[int, str]:
        """The label of each index that may be played."""
        if self.numbering is None or decision.options is None:
            raise RuleError("actions are text here and have no indices")
        return dict(zip(self.numbering.legal(decision), (o.label for o in decision.options), strict=True))

    def decode_action(self, decision: Decision, given: Any) -> tuple[Action, str]:
        """The action that ``given`` stands for, and why it is illegal, or an empty text if it is legal."""
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
        refused = decision.check(action)
        return action, "" if refused is None else f"{canonical_json(action)}: {refused.reason}"

    def forfeit(self, player: Player) -> list[float]:
        """The return of every player if ``player`` answers illegally."""
        facts, penalty = self.facts, self.settings.penalty
        own = facts.forfeit_return if penalty is None else penalty
        return [own if p == player else facts.others_return for p in range(self.players)]


class Episode:
    """One match, played step by step; ``rewards`` are those of the last step, by player."""

    def __init__(self, table: GameSpaces, seed: int) -> None:
        self.table = table
        self.state, _ = table.game.start(Chance(seed), table.players)
        self.steps = 0
        self.decisions: dict[Player, Decision] = {}
        self._views: list[PlayerView] = []
        self.rewards = [0.0] * table.players
        self.is_terminated = False
        self.is_truncated = False
        self._paid = [0.0] * table.players
        self._ask()

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.is_terminated or self.is_truncated

    def play(self, step: Mapping[Player, Action]) -> None:
        """Apply one step: an action of each player to act, which must be legal."""
        self.state.apply(step)
        for view in self._views:
            view.is_open = False
        self.steps += 1
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
        self.is_truncated = bool(acting) and self.steps >= self.table.facts.max_steps
        self._views = [] if self.is_over else [PlayerView(self.state, p) for p in acting]
        asked = zip(acting, self._views, strict=False)
        self.decisions = {p: self.state.decision(p).asked(view, forms=self.table.forms) for p, view in asked}


def plugin(given: "T | str | Mapping[str, Any]", contract: type[T], kind: str) -> T:
    """A game or agent: returned as it is, or built from its description in the style of a benchmark file.

    The description is the calling program's own, so what it names is trusted.
    """
    if isinstance(given, contract):
        return given
    return make_plugin(kind, given, trust_code=True, trust_pickle=True)


def illegal(table: GameSpaces, player: Player, reason: str) -> RuleError:
    """The error to raise for an illegal action of ``player``."""
    seat = table.seats[player]
    return RuleError(f"{seat}: illegal action: {reason}; nothing was played (illegal='forfeit' ends the match)")


def names(players: int) -> list[str]:
    """The players' names in PettingZoo's style."""
    return [f"player_{p}" for p in range(players)]


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Settings from keywords; raises ``ConfigError`` naming the one that is unknown or invalid."""
    known = [field.name for field in attrs.fields(Settings)]
    if unknown := [key for key in given if key not in known]:
        raise ConfigError(f"{unknown[0]}: unknown setting (there is: {', '.join(known)})")
    try:
        return Settings(**given)
    except (TypeError, ValueError) as error:
        raise ConfigError(str(error.args[0])) from error


def texts(forms: Mapping[str, Any], observation: JSON) -> str:
    """The position as text, from what a spectator observes."""
    return in_words(forms["text"](observation))


def in_words(shown: str | Image | Drawing) -> str:
    """A form of an observation as text; what is no text says itself in words."""
    return shown if isinstance(shown, str) else shown.alt


def numbers(values: Sequence[float], agents: Sequence[str]) -> dict[str, float]:
    """Pair values, which are in player order, with the names of ``agents``."""
    return dict(zip(agents, values, strict=True))
