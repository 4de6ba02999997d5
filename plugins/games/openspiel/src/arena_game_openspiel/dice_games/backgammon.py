"""Backgammon by OpenSpiel, with moves and dice in words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import attrs
import pyspiel
from arena.game import Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, in_, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.dice_games.dice_scenes import backgammon_board, backgammon_path
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("X", "O")
BAR: Final = 100
"""The engine's number for the bar."""
CHECKERS: Final = 15
SCORING: Final = {"plain": "winloss_scoring", "gammons": "enable_gammons", "full": "full_scoring"}
WORTH: Final = {
    "plain": "The winner earns 1 and the loser -1, by however much the game was won.",
    "gammons": "The winner earns 1 and the loser -1, or 2 and -2 if the loser has borne off no checker (gammon).",
    "full": (
        "The winner earns 1 and the loser -1, or 2 and -2 if the loser has borne off no checker (gammon), or 3 and -3 "
        "if the loser also has a checker on the bar or in the winner's home board (backgammon)."
    ),
}

RULES = """\
Backgammon is a race of two players, X and O, with 15 checkers each, on 24 points. Each player numbers the points \
from its own side: your checkers move from your point 24 down to your point 1 and then off the board, so your point \
n is your opponent's point 25 - n. Points 1 to 6 are your home board. At the start each player has 2 checkers on its \
24-point, 5 on its 13-point, 3 on its 8-point and 5 on its 6-point.

At the start both roll one die; who has the higher number moves first, with these two numbers. From then on the \
players take turns, each rolling two dice first. You move one checker by the number of one die, and one checker (the \
same or another) by the number of the other. A double is played twice: you choose two moves, then two more in a \
second decision. A checker may not land on a point that holds two or more enemy checkers. If it lands on a point \
with a single enemy checker, that one is hit and goes to the bar. While you have a checker on the bar you must bring \
it in before anything else: with a die of n it enters on your point 25 - n. When all your checkers that are in play \
are in your home board, you may bear off: with a die of n from your point n, or from your highest occupied point if \
that is lower than n. You must play both dice if you can; if you can play only one of them, it must be the higher \
one where that is possible; what cannot be played is passed. There is no doubling cube.

Moves are written as from/to in the numbers of the player who moves, in the order in which they are played; bar and \
off are where checkers come in and leave, * marks a hit: "13/8, 6/5*" or "bar/22". Where a checker is borne off with \
a higher number than its point, the number is named: "3/off with 5".

Whoever bears off all 15 checkers first wins. After {turns} turns of both players together without a winner the game \
is a draw. Both players see everything; the dice are the only luck.

{worth} A draw earns both 0."""


@attrs.frozen
class Backgammon(SpielGame):
    """A race with dice for two players."""

    chance_mode = "dice"

    scoring: Literal["plain", "gammons", "full"] = attrs.field(
        default="plain", validator=in_(tuple(SCORING)), metadata={"help": "whether big wins count double and triple"}
    )
    max_turns: int = attrs.field(
        default=500, validator=and_(ge(1), le(10_000)), metadata={"help": "turns after which the game is a draw"}
    )

    @property
    def rules(self) -> str:
        return RULES.format(turns=self.max_turns, worth=WORTH[self.scoring])

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The seats are X and O; the dice decide who moves first."""
        return SEATS

    def facts(self, players: int) -> GameFacts:
        """A turn is one step, or two steps after a double."""
        most = {"plain": 1.0, "gammons": 2.0, "full": 3.0}[self.scoring]
        return GameFacts(
            chance=True,
            returns="zero-sum",
            min_return=-most,
            max_return=most,
            max_steps=2 * self.max_turns + 2,
            forfeit_return=-most,
            others_return=most,
            outcome="win-loss" if self.scoring == "plain" else "payoff",
            return_unit="points a game",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("backgammon", scoring_type=SCORING[self.scoring], max_player_turns=self.max_turns)

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The moves in the order played; OpenSpiel's own words sort them, so two actions could look the same."""
        moves = engine.spiel_move_to_checker_moves(player, action)  # type: ignore[attr-defined]
        parts, single = [], set[int]()
        for move in moves:
            if move.pos < 0:
                continue
            start = 25 if move.pos == BAR else _own(player, move.pos)
            end = start - move.num
            # a blot that the first move has hit is gone when the second gets there
            is_hit = end > 0 and end not in single and engine.board(1 - player, _own(player, end, -1)) == 1  # type: ignore[attr-defined]
            if is_hit:
                single.add(end)
            mark = "*" if is_hit else f" with {move.num}" if end < 0 else ""
            parts.append(f"{_place(start)}/{_place(end)}{mark}")
        return ", ".join(parts) or "pass"

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Dice are public; the first roll also says who starts."""
        words = engine.action_to_string(-1, outcome)
        found = re.search(r"roll: (\d)(\d)", words)
        assert found, words
        starts = words.partition(" starts")[0][-1] if "starts" in words else None
        data: JSON = {"dice": [int(found[1]), int(found[2])], "starts": starts}
        return [GameEvent("rolled", data, EVERYONE)]

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board in the point numbers of ``player``; the spectator sees those of X."""
        own = Player(0) if player is None else player
        points = {}
        for point in range(24, 0, -1):
            for side, seat in enumerate(SEATS):
                count = engine.board(side, _own(own, point, -1))  # type: ignore[attr-defined]
                if count:
                    points[str(point)] = [seat, count]
        bar = [engine.board(side, BAR) for side in (0, 1)]  # type: ignore[attr-defined]
        off = [CHECKERS - bar[s] - sum(n for seat, n in points.values() if seat == SEATS[s]) for s in (0, 1)]
        text = str(engine)
        dice = re.search(r"Dice: (\d*)", text)
        return {
            **self.status(engine, player),
            "numbering": SEATS[own],
            "points": points,
            "bar": dict(zip(SEATS, bar, strict=True)),
            "off": dict(zip(SEATS, off, strict=True)),
            "dice": [int(die) for die in dice[1]] if dice else [],
            "is_second_half": "Extra turn: 1" in text,
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, a drawing in characters, and the board as a scene."""
        return {**FORMS, "scene": lambda view: backgammon_board(view, _text(view))}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """From where to where each checker goes."""
        return backgammon_path(label, player)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "rolled":
            starts = f", {data['starts']} starts" if data["starts"] else ""
            return f"the dice show {data['dice'][0]} and {data['dice'][1]}{starts}"
        return super().describe_event(event, player)


def _own(player: int, number: int, step: int = 1) -> int:
    """Convert an OpenSpiel position to the point number of ``player``, or back with ``step`` -1."""
    if player == 0:
        return 24 - number
    return number + step


def _place(point: int) -> str:
    return "bar" if point == 25 else "off" if point <= 0 else str(point)


def _text(view: Any) -> str:
    side = view["numbering"]
    lines = [f"Points in the numbers of {side}, who moves from 24 to 1:"]
    for seat in (side, *(s for s in SEATS if s != side)):
        places = ", ".join(f"{count} on {point}" for point, (s, count) in view["points"].items() if s == seat)
        lines.append(f"{seat}: {places or 'nothing'}; {view['bar'][seat]} on the bar, {view['off'][seat]} borne off")
    return "\n".join([*lines, _dice(view), status_line(view)])


def _illustration(view: Any) -> str:
    def row(points: Sequence[int]) -> str:
        held = [view["points"].get(str(point)) for point in points]
        marks = [f"{cell[0]}{cell[1]}" if cell else "." for cell in held]
        return " ".join(f"{mark:>3}" for mark in marks[:6]) + " |" + " ".join(f"{mark:>3}" for mark in marks[6:])

    def names(points: Sequence[int]) -> str:
        return " ".join(f"{p:>3}" for p in points[:6]) + " |" + " ".join(f"{p:>3}" for p in points[6:])

    top, bottom = range(13, 25), range(12, 0, -1)
    sides = [f"{seat}: bar {view['bar'][seat]}, off {view['off'][seat]}" for seat in SEATS]
    lines = [names(top), row(top), "-" * 49, row(bottom), names(bottom), "; ".join(sides)]
    return "\n".join([*lines, f"Points in the numbers of {view['numbering']}.", _dice(view), status_line(view)])


def _dice(view: Any) -> str:
    if not view["dice"]:
        return "No dice are on the table."
    again = " (the second half of a double)" if view["is_second_half"] else ""
    return f"The dice show {' and '.join(map(str, view['dice']))}{again}."


FORMS: Final[Mapping[str, Form]] = {"text": _text, "illustration": _illustration}
