"""Which games of OpenSpiel have rules, labels and observations of ours, and for which of their parameters."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
from arena.plugin import resolve

from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.library.description import specification
from arena_game_openspiel.library.library_description import UnwordedGame

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
        "dice_games.backgammon:Backgammon",
        {"scoring_type": "scoring", "max_player_turns": "max_turns"},
        values={"winloss_scoring": "plain", "enable_gammons": "gammons", "full_scoring": "full"},
    ),
    "bargaining": Wording("strategic_games.bargaining:Bargaining", {"max_turns": "offers"}),
    "blackjack": Wording("card_games.blackjack:Blackjack"),
    "blotto": Wording("strategic_games.blotto:Blotto", {"coins": "coins", "fields": "fields"}),
    "breakthrough": Wording("board_games.breakthrough:Breakthrough", {"rows": "rows", "columns": "columns"}),
    "chess": Wording("board_games.chess:Chess"),
    "checkers": Wording("board_games.checkers:Checkers"),
    "connect_four": Wording(
        "board_games.connect_four:ConnectFour", {"rows": "rows", "columns": "columns", "x_in_row": "align"}
    ),
    "dots_and_boxes": Wording(
        "board_games.dots_and_boxes:DotsAndBoxes",
        {"num_rows": "rows", "num_cols": "columns"},
        defaults={"rows": 2, "columns": 2},
    ),
    "first_sealed_auction": Wording("strategic_games.auction:FirstPriceAuction", {"max_value": "most"}),
    "gin_rummy": Wording(
        "card_games.gin_rummy:GinRummy",
        {"knock_card": "knock", "gin_bonus": "gin_bonus", "undercut_bonus": "undercut_bonus"},
    ),
    "go": Wording("board_games.go:Go", {"board_size": "size", "komi": "komi"}, defaults={"size": 19}),
    "goofspiel": Wording("strategic_games.goofspiel:Goofspiel", {"num_cards": "cards", "points_order": "prizes"}),
    "hanabi": Wording(
        "card_games.hanabi:Hanabi",
        {
            "colors": "colours",
            "ranks": "ranks",
            "hand_size": "hand_size",
            "max_information_tokens": "hints",
            "max_life_tokens": "lives",
        },
    ),
    "hex": Wording("board_games.hex:Hex", {"num_rows": "rows", "num_cols": "columns"}),
    "kuhn_poker": Wording("card_games.kuhn:KuhnPoker"),
    "leduc_poker": Wording("card_games.leduc:LeducPoker"),
    "liars_dice": Wording("dice_games.liars_dice:LiarsDice", {"numdice": "dice", "dice_sides": "faces"}),
    "nim": Wording(
        "board_games.nim:Nim",
        {"pile_sizes": "heaps", "is_misere": "misere"},
        converters={"pile_sizes": lambda sizes: [int(size) for size in sizes.split(";")]},
    ),
    "nine_mens_morris": Wording("board_games.morris:NineMensMorris"),
    "othello": Wording("board_games.othello:Othello"),
    "oware": Wording("board_games.oware:Oware", {"num_houses_per_player": "houses", "num_seeds_per_house": "seeds"}),
    "pentago": Wording("board_games.pentago:Pentago"),
    "pig": Wording("dice_games.pig:Pig", {"winscore": "target", "diceoutcomes": "faces"}),
    "tic_tac_toe": Wording("board_games.tic_tac_toe:TicTacToe"),
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
