"""Oware by OpenSpiel: sow the seeds of a house, and capture where the last one makes two or three."""

import re
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Form
from arena.record import JSON, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("South", "North")

RULES = """\
Oware is played by South and North. South has the houses A to {south_last}, North \
{north_first} to {north_last}. They form a ring in the order of their letters; after {north_last} comes A again. At \
the start each house holds {seeds} seed{s}. South moves first; then the players take turns.

In your turn you choose one of your houses that is not empty, take all its seeds out, and sow them: one into each \
house that follows, around again if there are many, but never into the house that they came from.

If the last seed falls into a house of the other player and makes 2 or 3 seeds there, you capture these. You also \
capture from the house before it, and so on backwards, while these are houses of the other player with 2 or 3 \
seeds. But if those were all the seeds in the other player's houses, you capture none.

If all houses of the other player are empty, you must choose a house from which a seed reaches them.

The game ends when somebody has captured more than {half} seeds, when the player to move has no house to choose, or \
when, with no capture in between, all houses hold the same seeds as before with the same player to move. Then both \
capture what lies in their own houses. Whoever has more wins; equal numbers are a draw. Both see everything.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class Oware(BoardGame):
    """Sow seeds around the board and capture more of them than the other player."""

    seat_names = (
        SEATS  # optimal returns: a draw is known for other rules of repetition (Romein and Bal 2002), not for these
    )

    houses: int = attrs.field(default=6, validator=and_(ge(2), le(10)), metadata={"help": "houses of each player"})
    seeds: int = attrs.field(default=4, validator=and_(ge(1), le(10)), metadata={"help": "seeds in each house"})

    @property
    def rules(self) -> str:
        letters = self.letters
        return RULES.format(
            south_last=letters[self.houses - 1],
            north_first=letters[self.houses],
            north_last=letters[-1],
            seeds=self.seeds,
            s="" if self.seeds == 1 else "s",
            half=self.houses * self.seeds,
        )

    @property
    def letters(self) -> str:
        """The names of the houses, South's first."""
        return ascii_uppercase[: 2 * self.houses]

    def engine(self, players: int) -> pyspiel.Game:
        return load("oware", num_houses_per_player=self.houses, num_seeds_per_house=self.seeds)

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """What an action is called: the house that is emptied, as ``house A``."""
        return f"house {self.letters[player * self.houses + action]}"

    def lexicon(self, player: Player) -> Sequence[str]:
        return [f"house {letter}" for letter in self.letters[player * self.houses :][: self.houses]]

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The seeds in each house, and those that each player has captured."""
        text = str(engine)
        north, south = ([*map(int, row.split())] for row in re.findall(r"^[ \d]+$", text, re.MULTILINE))
        captured = dict(re.findall(r"Player (\d) score = (\d+)", text))
        return {
            "houses": dict(zip(self.letters, [*south, *reversed(north)], strict=True)),
            "captured": {seat: int(captured[str(number)]) for number, seat in enumerate(SEATS)},
            **self.status(engine, player),
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Both rows of houses, as text and as a scene."""
        return {"text": _text, "illustration": _text, "scene": lambda view: scenes.oware_board(view, _text(view))}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The house; North's lie above from right to left."""
        column = self.houses - 1 - action if player else action
        return (f"{scenes.BOARD}:{1 - player},{column}",)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say that the house is empty, or that it must feed the other player."""
        return "the house is empty, or its seeds do not reach the other player, whose houses are all empty"


def _text(view: Any) -> str:
    names, half = list(view["houses"]), len(view["houses"]) // 2
    rows = [
        f"{seat}:  " + "  ".join(f"{name} {view['houses'][name]:>2}" for name in own)
        for seat, own in (("North", names[: half - 1 : -1]), ("South", names[:half]))
    ]
    captured = ", ".join(f"{seat} {many}" for seat, many in view["captured"].items())
    return "\n".join([*rows, f"Seeds captured: {captured}.", status_line(view)])
