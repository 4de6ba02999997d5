"""Which games of OpenSpiel have rules, labels and observations of ours, and for which of their parameters."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
from arena.plugin import resolve

from arena_game_openspiel.description import specification
from arena_game_openspiel.engine import SpielGame
from arena_game_openspiel.library_description import UnwordedGame

_HERE: Final = "arena_game_openspiel"


@attrs.frozen
class Wording:
    """The class of a game in our words, and its fields by the parameters of OpenSpiel that they stand for.

    ``defaults`` are the fields whose default is another one than OpenSpiel's; ``values`` are words for OpenSpiel's, and
    ``converters`` make the value of a field from that of a parameter.
    """

    factory: str
    fields: Mapping[str, str] = attrs.field(factory=dict[str, str])
    defaults: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    values: Mapping[str, str] = attrs.field(factory=dict[str, str])
    converters: Mapping[str, Callable[[Any], Any]] = attrs.field(factory=dict[str, Callable[[Any], Any]])

    def make(self, parameters: Mapping[str, Any]) -> SpielGame:
        """The game with these parameters of OpenSpiel; ``LookupError`` and ``ValueError`` where it has no words."""
        given = {
            self.fields[name]: self.converters.get(name, lambda plain: self.values.get(str(plain), plain))(value)
            for name, value in parameters.items()
        }
        return resolve(f"{_HERE}.{self.factory}")(**{**self.defaults, **given})


WORDED: Final[Mapping[str, Wording]] = {
    "backgammon": Wording(
        "backgammon:Backgammon",
        {"scoring_type": "scoring", "max_player_turns": "max_turns"},
        values={"winloss_scoring": "plain", "enable_gammons": "gammons", "full_scoring": "full"},
    ),
    "bargaining": Wording("bargaining:Bargaining", {"max_turns": "offers"}),
    "blackjack": Wording("blackjack:Blackjack"),
    "blotto": Wording("blotto:Blotto", {"coins": "coins", "fields": "fields"}),
    "breakthrough": Wording("breakthrough:Breakthrough", {"rows": "rows", "columns": "columns"}),
    "chess": Wording("chess:Chess"),
    "checkers": Wording("checkers:Checkers"),
    "connect_four": Wording("connect_four:ConnectFour", {"rows": "rows", "columns": "columns", "x_in_row": "align"}),
    "dots_and_boxes": Wording(
        "dots_and_boxes:DotsAndBoxes", {"num_rows": "rows", "num_cols": "columns"}, defaults={"rows": 2, "columns": 2}
    ),
    "first_sealed_auction": Wording("auction:FirstPriceAuction", {"max_value": "most"}),
    "gin_rummy": Wording(
        "gin_rummy:GinRummy",
        {"knock_card": "knock", "gin_bonus": "gin_bonus", "undercut_bonus": "undercut_bonus"},
    ),
    "go": Wording("go:Go", {"board_size": "size", "komi": "komi"}, defaults={"size": 19}),
    "goofspiel": Wording("goofspiel:Goofspiel", {"num_cards": "cards", "points_order": "prizes"}),
    "hanabi": Wording(
        "hanabi:Hanabi",
        {
            "colors": "colours",
            "ranks": "ranks",
            "hand_size": "hand_size",
            "max_information_tokens": "hints",
            "max_life_tokens": "lives",
        },
    ),
    "hex": Wording("hex:Hex", {"num_rows": "rows", "num_cols": "columns"}),
    "kuhn_poker": Wording("kuhn:KuhnPoker"),
    "leduc_poker": Wording("leduc:LeducPoker"),
    "liars_dice": Wording("liars_dice:LiarsDice", {"numdice": "dice", "dice_sides": "faces"}),
    "nim": Wording(
        "nim:Nim",
        {"pile_sizes": "heaps", "is_misere": "misere"},
        converters={"pile_sizes": lambda sizes: [int(size) for size in sizes.split(";")]},
    ),
    "nine_mens_morris": Wording("morris:NineMensMorris"),
    "othello": Wording("othello:Othello"),
    "oware": Wording("oware:Oware", {"num_houses_per_player": "houses", "num_seeds_per_house": "seeds"}),
    "pentago": Wording("pentago:Pentago"),
    "pig": Wording("pig:Pig", {"winscore": "target", "diceoutcomes": "faces"}),
    "tic_tac_toe": Wording("tic_tac_toe:TicTacToe"),
}
"""The games in our words, by their names in OpenSpiel."""


def worded(plain: UnwordedGame) -> SpielGame | None:
    """The game in our words; ``None`` if there are none for its parameters, or not for all its numbers of players."""
    wording, usual = WORDED.get(plain.name), specification(plain.name)
    if wording is None:
        return None
    unusual = {name: value for name, value in plain.parameters.items() if value != usual.get(name)}
    unusual.pop("players", None)
    try:
        made = wording.make(unusual)
    except (LookupError, ValueError):  # a parameter or a value of one for which we have no words
        return None
    return made if set(plain.player_counts()) <= set(made.player_counts()) else None
