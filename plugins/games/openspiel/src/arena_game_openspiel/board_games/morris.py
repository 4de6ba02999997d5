"""Nine men's morris by OpenSpiel: place nine men, move them, and take one of the other player's for each mill."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, Form, GameFacts, Illegal
from arena.record import JSON, Player

from arena_game_openspiel.board_games import line_scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import grid, status_line
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("White", "Black")
FILES: Final = "abcdefg"
RANKS: Final = "7654321"
POINTS: Final = (
    *("a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"),
    *("e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"),
)
"""The points in OpenSpiel's order."""

LINES: Final = (
    *("a7-d7-g7", "b6-d6-f6", "c5-d5-e5", "a4-b4-c4", "e4-f4-g4", "c3-d3-e3", "b2-d2-f2", "a1-d1-g1"),
    *("a1-a4-a7", "b2-b4-b6", "c3-c4-c5", "d1-d2-d3", "d5-d6-d7", "e3-e4-e5", "f2-f4-f6", "g1-g4-g7"),
)
"""All lines: those along the rows from the top, and those along the columns from the left."""

BLANK: Final = (". - - . - - .", "| . - . - . |", "| | . . . | |", ". . .   . . .")
"""The upper half of the empty board and its middle; the lower half is its mirror image."""

TURNS: Final = 200
"""After so many turns of both players the game is a draw."""

RULES = f"""\
Nine men's morris is played by White and Black with nine men each on a board of 24 points. A point is named by its \
column, a to g from left to right, and its row, 1 to 7 from bottom to top. There are 16 lines of three points: \
{", ".join(LINES)}. On each line the middle point is next to both others. On drawn boards W is a white man, B a black \
one. White begins; then the players take turns.

As long as you have men in hand, a turn puts one of them on an empty point (put d7). Later it moves one of your men \
along a line to an empty point next to it (d7-d6). When only three men are left to you, a man may move to any empty \
point.

If the man that you put or moved completes a line of three of your men, a mill, you take one enemy man off the board \
in the same turn (take d6). It must not stand in a mill, unless all enemy men on the board do.

You lose when you have fewer than three men, in hand and on the board together, or no move in your turn. If nobody \
has lost after {TURNS} turns of both together, it is a draw. Both players see everything.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class NineMensMorris(BoardGame):
    """Bring three men into a line to take one of the other player's."""

    seat_names = SEATS

    @property
    def title(self) -> str:
        return "Nine men's morris"

    @property
    def rules(self) -> str:
        return RULES

    def facts(self, players: int) -> GameFacts:
        """Optimal play is a draw; whoever cannot be beaten without a count of turns is not beaten with it."""
        return attrs.evolve(
            super().facts(players),
            optimal_returns=(0.0, 0.0),
            optimal_source="a draw, solved (Gasser 1996)",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("nine_mens_morris")

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """``put d7``, ``d7-d6`` or ``take d6``."""
        if action >= len(POINTS):
            return "-".join(_ends(action))
        return f"{'take' if _takes(str(engine)) else 'put'} {POINTS[action]}"

    def read(self, engine: pyspiel.State, player: Player, text: str) -> int | Illegal | None:
        """A move in letters of either case, also where another kind of move is to be made."""
        words = text.casefold().split()
        is_single = len(words) == 2 and words[0] in ("put", "take") and words[1] in POINTS
        if is_single and (words[0] == "take") is not _takes(str(engine)):
            return Illegal("illegal", f"{' '.join(words)} is not legal: {self.refusal(engine, player, 0)}")
        return POINTS.index(words[1]) if is_single else _moves().get("".join(words))

    def called(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return self.label(engine, player, action)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The points on which each player has men, the men in hand, whether one is to be taken, and the turns."""
        text = str(engine)
        signs = [sign for line in text.split("\n")[:13] for sign in re.findall(r"[.WB]", line)]
        hands, turns = re.search(r"deploy: (\d+) (\d+)", text), re.search(r"Turn number: (\d+)", text)
        assert hands is not None
        assert turns is not None  # both are in each state that OpenSpiel writes
        return {
            "men": {
                seat: [point for point, sign in zip(POINTS, signs, strict=True) if sign == seat[0]] for seat in SEATS
            },
            "in_hand": {seat: int(number) for seat, number in zip(SEATS, hands.groups(), strict=True)},
            "takes": _takes(text) and not engine.is_terminal(),
            "turns": int(turns[1]),
            **self.status(engine, player),
        }

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The men, how many are in hand, what is to be done, and the turns so far."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """A drawing, the men of each player, and the board as a scene."""
        return {**FORMS, "scene": lambda view: line_scenes.morris_board(view, _illustration(view), POINTS, LINES)}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The points that a man leaves, goes to or is taken from."""
        ends = (POINTS[action],) if action < len(POINTS) else _ends(action)
        return [f"point-{point}" for point in ends]

    def names(self, observation: Any) -> Sequence[Entities]:
        """Points by column and row."""
        taken = {point for own in observation["men"].values() for point in own}
        status: Any = {f"{point[0]} {point[1]}": "taken" if point in taken else "free" for point in POINTS}
        return (Entities(kind="point", pattern=r"([a-z])(\d{1,2})", status=status),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say what is to be done in this position."""
        if _takes(str(engine)):
            return "you take an enemy man now, one outside a mill if there is one"
        if engine.legal_actions()[0] < len(POINTS):
            return "you put a man on an empty point now"
        return "you move one of your men to an empty point now, along a line unless you have only three"


def _takes(text: str) -> bool:
    return "Capture time" in text


@cache
def _ends(action: int) -> tuple[str, str]:
    """The points that a move leaves and reaches."""
    start, end = divmod(action - len(POINTS), len(POINTS))
    return POINTS[start], POINTS[end]


@cache
def _moves() -> Mapping[str, int]:
    """The numbers of all moves from point to point, by their labels."""
    return {"-".join(_ends(action)): action for action in range(len(POINTS), len(POINTS) * (len(POINTS) + 1))}


def _count(view: Any, seat: str) -> str:
    return f"{len(view['men'][seat])} on the board, {view['in_hand'][seat]} in hand"


def _rest(view: Any) -> list[str]:
    takes = [f"{view['to_move']} has completed a mill and takes an enemy man."] if view["takes"] else []
    return [*takes, f"Turns so far: {view['turns']} of {TURNS}.", status_line(view)]


def _illustration(view: Any) -> str:
    rows = [list(line[::2]) for line in (*BLANK, *BLANK[2::-1])]
    for seat, points in view["men"].items():
        for point in points:
            rows[RANKS.index(point[1])][FILES.index(point[0])] = seat[0]
    men = "; ".join(f"{seat} has {_count(view, seat)}" for seat in SEATS)
    signs = f"W is a white man, B a black one. {men}."
    return "\n".join([grid(rows, RANKS, FILES), signs, *_rest(view)])


def _list(view: Any) -> str:
    lines = [f"{seat}: {' '.join(view['men'][seat]) or 'no men'} ({_count(view, seat)})" for seat in SEATS]
    return "\n".join([*lines, *_rest(view)])


FORMS: Final[Mapping[str, Form]] = {"text": _illustration, "list": _list, "illustration": _illustration}
