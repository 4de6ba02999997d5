"""Any game of OpenSpiel by its short name: in our words where there are any for its parameters, else in OpenSpiel's."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import attrs
import pyspiel
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Decision, Form, Game, GameFacts, State, Touchable
from arena.record import JSON, GameEvent, Player, canonical_json

from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.library.description import dressed
from arena_game_openspiel.library.game_descriptions import worded
from arena_game_openspiel.library.library_description import UnwordedGame
from arena_game_openspiel.strategic_games.matrix import AnyMatrix

CELLS: Final = 36
"""The most cells of a table of payoffs that is told cell by cell."""


@attrs.frozen
class OpenSpiel(Game):
    """A game of OpenSpiel by its short name, in our words where there are rules for its parameters."""

    name: str = attrs.field(
        metadata={
            "help": "short name in OpenSpiel, such as clobber or gin_rummy",
            "names_file": lambda given: "file" in given["name"],
            "file_use": "loaded",
        }
    )
    parameters: Mapping[str, Any] = attrs.field(
        factory=dict,
        hash=False,
        metadata={
            "help": "its parameters in OpenSpiel, where not the defaults",
            "names_file": lambda given: "file" in str(given["parameters"]),
            "file_use": "loaded",
        },
    )

    def __attrs_post_init__(self) -> None:
        UnwordedGame(self.name, self.parameters)

    @property
    def told(self) -> SpielGame:
        """The game in our words, as a table of payoffs or as the library tells it."""
        return _told(self.name, canonical_json(self.parameters))

    @property
    def title(self) -> str:
        return self.told.title

    @property
    def rules(self) -> str:
        return self.told.rules

    @property
    def has_rules(self) -> bool:
        """Whether the rules are ours, or the payoffs; OpenSpiel has facts about its games, and no rules."""
        return self.told.has_rules

    def player_counts(self) -> Sequence[int]:
        """The numbers that OpenSpiel allows; a single one if a parameter or the game fixes it."""
        return UnwordedGame(self.name, self.parameters).player_counts()

    def seats(self, players: int) -> Sequence[str]:
        return self.told.seats(players)

    def facts(self, players: int) -> GameFacts:
        return self.told.facts(players)

    def actions(self, players: int) -> Sequence[int]:
        return self.told.actions(players)

    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's game, for algorithms of OpenSpiel."""
        return self.told.engine(players)

    @property
    def forms(self) -> Mapping[str, Form]:
        return self.told.forms

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        if players not in self.player_counts():
            counts = " or ".join(map(str, self.player_counts()))
            raise ConfigError(f"players: {self.name!r} is for {counts} players, not for {players}")
        return self.told.start(chance, players)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        return self.told.describe_event(event, player)

    def names(self, observation: JSON) -> Sequence[Any]:
        return self.told.names(observation)

    def touches(self, decision: Decision) -> Touchable | None:
        return self.told.touches(decision)


@lru_cache(maxsize=256)
def _told(name: str, parameters: str) -> SpielGame:
    plain = UnwordedGame(name, json.loads(parameters))
    return _payoffs(plain) or worded(plain) or plain


def _payoffs(plain: UnwordedGame) -> AnyMatrix | None:
    """A game of two players who choose once and at the same time, as its table of payoffs; else ``None``."""
    if tuple(plain.player_counts()) != (2,):
        return None
    game = plain.engine(2)
    kind = game.get_type()
    is_once = kind.information == pyspiel.GameType.Information.ONE_SHOT
    if not is_once or kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC:
        return None
    state = game.new_initial_state()
    choices = [state.legal_actions(player) for player in (0, 1)]
    if len(choices[0]) * len(choices[1]) > CELLS or any(own != [*range(len(own))] for own in choices):
        return None
    words = [dressed({action: state.action_to_string(p, action) for action in own}) for p, own in enumerate(choices)]
    return AnyMatrix(
        title=plain.title,
        rows=tuple(words[0].values()),
        columns=tuple(words[1].values()),
        payoffs=tuple(tuple(_earned(state, row, column) for column in choices[1]) for row in choices[0]),
    )


def _earned(state: pyspiel.State, row: int, column: int) -> tuple[float, float]:
    after = state.clone()
    after.apply_actions([row, column])
    first, second = after.returns()
    return first + 0.0, second + 0.0
