"""What all wrapped environments share as games, and the state of one match."""

import inspect
import json
from abc import abstractmethod
from base64 import b64encode
from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, Final, Literal

from arena.chance import Chance
from arena.errors import ConfigError, RuleError
from arena.game import ABSENT, Absent, Decision, Form, Game, GameFacts, Illegal, Options, State
from arena.installing import full_name
from arena.record import JSON, Action, GameEvent, Player, canonical_json

from arena_game_pettingzoo.engine import ANSI, PIXELS, EnvironmentEngine, EnvObservation
from arena_game_pettingzoo.observations import image, plain, text as sight_text
from arena_game_pettingzoo.pictures import Painter

BYTES: Final = 4
"""A seed is drawn byte by byte, so that each byte is one draw of chance."""

PICTURE_HELP: Final = (
    f"show it as a picture; most need {full_name('game-pettingzoo[pictures]')}, and hidden-information: false"
)


class Wrapped(Game):
    """An environment as a game; subclasses are frozen attrs classes that add fields."""

    name: str
    parameters: Mapping[str, Any]
    rules_text: str
    labels: tuple[str, ...]
    longest: int
    forfeit_return: float
    drawing: bool
    picture: bool
    hidden_information: bool
    outcome: Literal["win-loss", "payoff"] = "payoff"

    def __attrs_post_init__(self) -> None:
        plan = self.plan
        if self.picture and self.hidden_information:
            raise ConfigError(
                "picture: shows each player all that the environment draws, so hidden-information must be false; "
                "set it where nothing is hidden, or leave picture out"
            )
        if self.picture and not plan.can_picture:
            raise ConfigError(
                f"picture: {self.name!r} draws none ({PIXELS} is not among its render modes); leave it out"
            )

    @abstractmethod
    def engine(self, mode: str = "") -> EnvironmentEngine:
        """Make a new live environment, which draws in the render mode ``mode``."""

    @property
    @abstractmethod
    def plan(self) -> EnvironmentEngine:
        """An environment in which nothing is played, for looking up what is true of all."""

    @property
    def rules(self) -> str:
        """The user's text, or the environment's documentation followed by the actions."""
        if self.rules_text:
            return self.rules_text
        plan = self.plan
        lines = [f"The environment {self.name}.", inspect.cleandoc(plan.documentation)]
        for name, choices in zip(plan.names, plan.choices, strict=True):
            words = choices.label
            known = choices.actions
            listed = ", ".join(map(words, known)) if known and len(known) <= 64 else canonical_json(choices.schema)
            lines.append(f"{name} chooses among: {listed}.")
        return "\n\n".join([*filter(None, lines), f"The match is over after {self.longest} waves at the latest."])

    def player_counts(self) -> Sequence[int]:
        """As many as the environment has agents with these parameters."""
        return (len(self.plan.names),)

    def seats(self, players: int) -> Sequence[str]:
        """The environment's names of its agents."""
        return self.plan.names

    def facts(self, players: int) -> GameFacts:
        """Facts an environment does not state are assumed: chance, hidden information, a general sum."""
        return GameFacts(
            simultaneous=self.is_simultaneous,
            hidden_information=self.hidden_information,
            chance=True,
            max_steps=self.longest,
            forfeit_return=self.forfeit_return,
            others_return=0.0,
            outcome=self.outcome,
        )

    @property
    def is_simultaneous(self) -> bool:
        """Whether several players act in one step."""
        return False

    def actions(self, players: int) -> Sequence[Action] | None:
        """The actions of all players together, or ``None`` if they are not listed."""
        known = [choices.actions for choices in self.plan.choices]
        if any(actions is None for actions in known):
            return None
        return list({canonical_json(action): action for actions in known for action in actions or ()}.values())

    @property
    def forms(self) -> Mapping[str, Form]:
        return PICTURED if self.plan.can_picture else FORMS

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Draw a seed and reset the environment."""
        seed = sum(chance.index("seed", 256) << 8 * i for i in range(BYTES))
        state = WrappedState(self, seed)
        return state, state.news()

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        return (
            f"observed {canonical_json(data['observation'])}"
            if event.kind == "observed"
            else super().describe_event(event, player)
        )


class WrappedState(State):
    """One match: a live environment, its seed, and the actions played so far."""

    def __init__(self, game: Wrapped, seed: int) -> None:
        self.game = game
        self.seed = seed
        self._names = game.plan.names
        self._choices = game.plan.choices
        self._played: list[Mapping[Player, Any]] = []
        self._rewards: list[float] = []
        self._earned = [0.0] * len(self._names)
        self._views = ["{}"] * len(self._names)
        self._legal: dict[Player, Sequence[Action] | None] = {}
        self._live: EnvironmentEngine | None = None
        self._painter = Painter(partial(game.engine, PIXELS), seed)
        self._look(self._engine())

    def to_act(self) -> Sequence[Player]:
        return tuple(self._legal)

    def decision(self, player: Player) -> Decision:
        """The actions that the environment's mask leaves of the action space."""
        if player not in self._legal:
            raise RuleError(f"player {player!r} is not to act")
        choices, legal = self._choices[player], self._legal[player]
        if legal is None:
            return Decision(player=player, action_schema=choices.schema, sampler=choices.sample)
        return Decision(player=player, options=Options(legal, choices.label))

    def observe(self, player: Player | None) -> JSON:
        """What the environment shows ``player``; the spectator sees what all players see, the seed, and a picture."""
        if player is not None:
            return {**json.loads(self._views[player]), **(self._pictured() if self.game.picture else {})}
        return {"seed": self.seed, **self._seen_by_all()}

    def observe_public(self) -> JSON | Absent:
        """What all players see, where nothing is hidden; never the seed, which tells what is to come."""
        if self.game.hidden_information:
            return ABSENT
        return self._seen_by_all()

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse what is outside the action space or masked."""
        if player not in self._legal:
            return Illegal("not-your-turn", "it is not your turn")
        if fault := self._choices[player].fault(action):
            return fault
        legal = self._legal[player]
        if legal is None or action in legal:
            return None
        return Illegal("masked", f"{self._choices[player].label(action)} is not legal in this turn")

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        """One step of the environment, or one step for each acting player in turn if it takes single actions."""
        if set(actions) != set(self._legal) or not actions:
            raise RuleError(f"a step takes one action of each of {list(self._legal)}, not of {list(actions)}")
        for player, action in actions.items():
            if self.check(player, action) is not None:
                raise RuleError(f"player {player!r}: {action!r} is not legal and should have been checked")
        self._step(dict(sorted(actions.items())))
        return self.news()

    def returns(self) -> Sequence[float] | None:
        """The sum of each player's rewards, once the match is over."""
        return None if self._legal else list(self._earned)

    def rewards(self) -> Sequence[float] | None:
        """The rewards of the environment's last step."""
        return self._rewards or None

    def clone(self) -> "WrappedState":
        """The same seed and actions; a new environment replays them when it is needed."""
        other = copy(self)
        other._live = None
        other._played, other._views = list(self._played), list(self._views)
        return other

    def __getstate__(self) -> Any:
        # not by the environment's own pickling, which for many begins anew
        return {**self.__dict__, "_live": None, "_painter": None, "_choices": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._choices = self.game.plan.choices
        self._painter = Painter(partial(self.game.engine, PIXELS), self.seed)

    def news(self) -> list[GameEvent]:
        """The events of each player's new observation, for that player alone."""
        return [GameEvent("observed", json.loads(self._views[p]), (p,)) for p in self._changed]

    def _seen_by_all(self) -> dict[str, JSON]:
        return {"players": dict(zip(self._names, map(json.loads, self._views), strict=True)), **self._pictured()}

    def _pictured(self) -> dict[str, JSON]:
        """The picture of the position, where the environment draws one and can do so here."""
        if not self.game.plan.can_picture:
            return {}
        png = self._painter.png(list(self._played))
        return {} if png is None else {"picture": b64encode(png).decode()}

    def _step(self, actions: Mapping[Player, Any]) -> None:
        engine = self._engine()
        paid = engine.step(self._given(actions))
        self._played.append(actions)
        self._rewards = [float(paid.get(Player(p), 0.0)) + 0.0 for p in range(len(self._earned))]
        self._earned = [earned + reward for earned, reward in zip(self._earned, self._rewards, strict=True)]
        self._look(engine)

    def _engine(self) -> EnvironmentEngine:
        """The live environment; in a copy, one that is first brought to this position."""
        if self._live is None:
            self._live = self.game.engine(ANSI if self.game.drawing else "")
            self._live.reset(self.seed)
            for actions in self._played:
                self._live.step(self._given(actions))
        return self._live

    def _given(self, actions: Mapping[Player, Any]) -> dict[Player, Any]:
        return {p: self._choices[p].given(action) for p, action in actions.items()}

    def _look(self, engine: EnvironmentEngine) -> None:
        """Read what the environment shows, once per step: some environments show it only while their agents live."""
        sights = engine.sights()
        acting = () if len(self._played) >= self.game.longest else engine.acting()
        self._legal = {p: self._options(p, sights[p]) for p in acting}
        self._changed: list[Player] = []
        for p, name in enumerate(self._names):
            view: dict[str, Any] = {
                **json.loads(self._views[p]),
                "you": name,
                "earned": self._earned[p],
                "is_over": not acting,
            }
            if p in sights:
                view["observation"] = plain(sights[Player(p)].observation)
            view.setdefault("observation", None)
            view["legal"] = _listed(self._legal.get(Player(p), ()), self._choices[p].actions)
            if self.game.drawing:
                view["drawing"] = engine.drawing()
            if (text := canonical_json(view)) != self._views[p]:
                self._views[p] = text
                self._changed.append(Player(p))

    def _options(self, player: Player, sight: EnvObservation) -> Sequence[Action] | None:
        legal = self._choices[player].legal(sight.mask)
        if legal is not None and not legal:
            raise RuleError(f"{self._names[player]} is to act, and the environment's mask leaves it nothing to do")
        return legal


def _listed(legal: Sequence[Action] | None, known: Sequence[Action] | None) -> JSON:
    """The legal actions if a mask leaves only some of them."""
    return "all" if legal is None or legal == known else list(legal)


FORMS: Final[Mapping[str, Form]] = {"text": sight_text}
PICTURED: Final[Mapping[str, Form]] = {"text": sight_text, "image": image}
