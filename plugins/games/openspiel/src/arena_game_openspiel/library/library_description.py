"""Any game of OpenSpiel with the library's own labels and observations: rules are a text of ours, or its facts."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, Literal

import attrs
import pyspiel
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player, canonical_json

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine import redeal
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import moved
from arena_game_openspiel.library.description import describe, dressed, registered, specification, told
from arena_game_openspiel.library.probe import fatal_end

Dynamics = pyspiel.GameType.Dynamics
Information = pyspiel.GameType.Information
ChanceMode = pyspiel.GameType.ChanceMode
Utility = pyspiel.GameType.Utility

COUNTS: Final[Mapping[str, Sequence[int]]] = {"chinese_checkers": (2, 3, 4, 6), "snake": (2, 4), "pathfinding": ()}
"""The possible numbers of players of games for which OpenSpiel's bounds are too wide; empty: only its default."""

UNPLAYABLE: Final = {
    "crossword": "its moves are structures, not numbers",
    "dou_dizhu": "its players do not see the bids that decide what is legal",
}
SEED: Final = "rng_seed"
"""The parameter that seeds games with a random generator of their own; its value is drawn from the match's chance."""

HALF: Final = 1 << 15
"""The number of values of half a seed: 15 bits."""

COLOURS: Final = re.compile(r"\x1b\[[\d;]*m")
"""The signs by which some games colour their text in a terminal; they are left out."""

LONGEST: Final = 10_000
"""The most steps of a match; replaces OpenSpiel's own limit if that is higher."""

RETURNS: Final[dict[Any, Literal["zero-sum", "constant-sum", "cooperative", "general-sum"]]] = {
    Utility.ZERO_SUM: "zero-sum",
    Utility.CONSTANT_SUM: "constant-sum",
    Utility.IDENTICAL: "cooperative",
    Utility.GENERAL_SUM: "general-sum",
}


@attrs.frozen
class UnwordedGame(SpielGame):
    """A game of OpenSpiel by its short name; labels and observations are OpenSpiel's own."""

    name: str
    parameters: Mapping[str, Any] = attrs.field(factory=dict, hash=False)

    def __attrs_post_init__(self) -> None:
        _check_name(self.name)
        kind = _load(self.name, self._key()).get_type()
        problem = _problem(self.name, self.parameters, kind)
        if problem:
            raise ConfigError(f"name: {self.name!r} cannot be played here: {problem}")

    @property
    def title(self) -> str:
        """OpenSpiel's long name of the game."""
        return self._game().get_type().long_name

    @property
    def rules(self) -> str:
        """Our text, where there is one for these parameters, and OpenSpiel's facts about the game."""
        return describe(self.name, self._game(), self.parameters, tuple(self.player_counts()), is_veiled=self.is_veiled)

    @property
    def has_rules(self) -> bool:
        """Whether there is a text of ours for these parameters: OpenSpiel has facts about its games, and no rules."""
        return told(self.name, self.parameters) is not None

    @property
    def is_veiled(self) -> bool:
        """Whether moves are hidden information, so that events go only to the players the engine shows them to."""
        kind = self._game().get_type()
        return (
            kind.information == Information.IMPERFECT_INFORMATION or kind.chance_mode == ChanceMode.SAMPLED_STOCHASTIC
        )

    @property
    def pays_as_it_goes(self) -> bool:
        return self._game().get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS

    def player_counts(self) -> Sequence[int]:
        """The numbers that OpenSpiel allows; a single one if a parameter or the game fixes it."""
        game = self._game()
        kind = game.get_type()
        if "players" not in specification(self.name) or "players" in self.parameters:
            return (game.num_players(),)
        return COUNTS.get(self.name, range(kind.min_num_players, kind.max_num_players + 1)) or (game.num_players(),)

    def seats(self, players: int) -> Sequence[str]:
        """The players by number, counted from 0 as in OpenSpiel."""
        return tuple(f"player {p}" for p in range(players))

    def facts(self, players: int) -> GameFacts:
        """The facts that OpenSpiel states."""
        game = self.engine(players)
        kind = game.get_type()
        least, greatest = _finite(game.min_utility()), _finite(game.max_utility())
        forfeit = least if least is not None else -1.0
        others = -forfeit / (players - 1) if kind.utility == Utility.ZERO_SUM and players > 1 else 0.0
        return GameFacts(
            simultaneous=kind.dynamics == Dynamics.SIMULTANEOUS and players > 1,
            hidden_information=kind.information == Information.IMPERFECT_INFORMATION,
            chance=kind.chance_mode == ChanceMode.SAMPLED_STOCHASTIC
            or (kind.chance_mode == ChanceMode.EXPLICIT_STOCHASTIC and game.max_chance_outcomes() > 1),
            returns=RETURNS[kind.utility] if players > 1 else "general-sum",
            min_return=least,
            max_return=greatest,
            max_steps=max(1, min(game.max_game_length(), LONGEST)),
            forfeit_return=forfeit,
            others_return=forfeit if kind.utility == Utility.IDENTICAL else others,
        )

    def engine(self, players: int) -> pyspiel.Game:
        return _load(self.name, self._key(players))

    def begin(self, players: int, chance: Chance) -> pyspiel.State:
        """OpenSpiel's initial state; a game with its own random generator is made anew with a seed from the chance."""
        game = self.engine(players)
        if game.get_type().chance_mode == ChanceMode.SAMPLED_STOCHASTIC:
            seed = chance.index("seed", HALF) * HALF + chance.index("seed", HALF)
            game = pyspiel.load_game(self.name, {**game.get_parameters(), **self._given(players), SEED: seed})
        return game.new_initial_state()

    def glimpse(self, engine: pyspiel.State, player: Player) -> str:
        """The player's information state if OpenSpiel has a text of it, else its observation."""
        see = redeal.sight(engine.get_game())
        assert see is not None  # checked when the game was made
        return see(engine, player)

    def words(self, engine: pyspiel.State, player: Player, legal: Sequence[int]) -> Callable[[int], str]:
        """OpenSpiel's labels, made unique and never bare numbers."""
        return dressed({action: engine.action_to_string(player, action) for action in legal}).__getitem__

    def acted(self, engine: pyspiel.State, player: Player, action: int, label: str) -> list[GameEvent]:
        """Public in games with perfect information, else only for the player who moved."""
        if not self.is_veiled:
            return [moved(player, action, label)]
        return [GameEvent("moved", {"player": player, "action": action, "label": label}, (player,))]

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """Each player gets its own move; what it sees of the others' moves is in its next observation."""
        told = zip(actions.items(), labels, strict=True)
        return [event for (p, action), label in told for event in self.acted(engine, p, action, label)]

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Chance outcomes are public in games with perfect information, and not reported in others."""
        if self.is_veiled:
            return []
        return [GameEvent("drawn", {"label": engine.action_to_string(-1, outcome)}, EVERYONE)]

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """A copy if nothing is hidden, else a resampled state; ``None`` if future chance is already fixed."""
        kind = engine.get_game().get_type()
        if kind.chance_mode == ChanceMode.SAMPLED_STOCHASTIC:
            return None
        if kind.information == Information.IMPERFECT_INFORMATION:
            return redeal.imagine(engine, player, chance)
        return engine.clone()

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """OpenSpiel's text; with perfect information also who is to move."""
        status = self.status(engine, player)
        if player is None:
            return {"text": COLOURS.sub("", str(engine)), **status}
        if self.is_veiled:
            return {"text": self.glimpse(engine, player), "you": status["you"], "to_move": None, "outcome": None}
        kind = engine.get_game().get_type()
        text = engine.observation_string(player) if kind.provides_observation_string else str(engine)
        return {"text": COLOURS.sub("", text), **status}

    @property
    def forms(self) -> Mapping[str, Form]:
        """The text of OpenSpiel for the position."""
        return FORMS

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        """Describe chance outcomes and observations in OpenSpiel's words."""
        data: Any = event.data
        if event.kind == "drawn":
            return f"chance: {data['label']}"
        if event.kind == "observed":
            return data["text"]
        return super().describe_event(event, player)

    def _game(self) -> pyspiel.Game:
        return _load(self.name, self._key())

    def _given(self, players: int | None) -> dict[str, Any]:
        varies = players is not None and "players" not in self.parameters and len(self.player_counts()) > 1
        return {**self.parameters, "players": players} if varies else dict(self.parameters)

    def _key(self, players: int | None = None) -> str:
        return canonical_json(self._given(players))


@lru_cache(maxsize=256)
def _load(name: str, parameters: str) -> pyspiel.Game:
    given = json.loads(parameters)
    # a number of players within the game's own bounds is safe, and so are its defaults
    if given.keys() - {"players"} or not _allows(name, given.get("players")):
        end = fatal_end(name, parameters)
        if end:
            raise ConfigError(
                f"parameters: OpenSpiel's {name!r} ends the process with {parameters} ({end}); "
                "give parameters that go together"
            )
    try:
        return pyspiel.load_game(name, given)
    except pyspiel.SpielError as error:
        raise ConfigError(f"parameters: OpenSpiel refuses {parameters} for {name!r}: {error}") from error


def _allows(name: str, players: Any) -> bool:
    kind = registered(name)
    return players is None or (type(players) is int and kind.min_num_players <= players <= kind.max_num_players)


def _check_name(name: str) -> None:
    known = pyspiel.registered_names()
    if name not in known:
        close = get_close_matches(name, known, n=1) or get_close_matches(name.replace("-", "_"), known, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise ConfigError(f"name: OpenSpiel has no game called {name!r}{hint}")


def _problem(name: str, parameters: Mapping[str, Any], kind: pyspiel.GameType) -> str | None:
    if name in UNPLAYABLE:
        return UNPLAYABLE[name]
    if kind.dynamics == Dynamics.MEAN_FIELD:
        return "it is a mean field game, played by a population and not by players"
    if not kind.provides_information_state_string and not kind.provides_observation_string:
        return "the engine does not tell its players what they see"
    if SEED in parameters:
        return f"{SEED!r} is drawn from the seed of the match, leave it out"
    if kind.chance_mode == ChanceMode.SAMPLED_STOCHASTIC and SEED not in specification(name):
        return "its chance comes from a generator that cannot be seeded, so a match could not be repeated"
    return None


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


def _text(view: Any) -> str:
    if view["to_move"] or view["outcome"]:
        return f"{view['text'].rstrip()}\n{status_line(view)}"
    return f"{view['text'].rstrip()}\nYou are {view['you']}." if view["you"] else view["text"]


FORMS: Final[Mapping[str, Form]] = {"text": _text}
