"""Pig by OpenSpiel: a race with one die, in which whoever goes on may lose what they rolled."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import arena_scene
import attrs
import pyspiel
from arena.game import Drawing, Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.scenes import over

LABELS: Final = ("roll", "stop")

RULES = """\
Pig is a race with one die for two or more players, who take turns in the order of their numbers; player 1 begins. \
Everybody has a score, which is 0 at the start.

The die has the faces 1 to {faces}. In your turn you roll it or stop, as often as you like. A roll of 2 or more is \
added to your turn total, which is 0 at the beginning of your turn, and you go on. A roll of 1 ends your turn: the \
turn total is lost, your score stays as it was, and the next player begins. If you stop, the turn total is added to \
your score, and the next player begins. You may stop before you have rolled. As soon as your score and your turn \
total make {target} or more, you can only stop.

Whoever first has a score of {target} or more wins, and the match ends at once. If nobody has won after {longest} \
rolls and stops together, it is a draw. Everybody sees all rolls and all scores.

The winner earns 1, the others share a loss of 1 equally: with two players the loser earns -1. A draw earns \
everybody 0."""


@attrs.frozen
class Pig(SpielGame):
    """Roll on, or stop and keep what you have rolled."""

    target: int = attrs.field(default=100, validator=and_(ge(1), le(1_000)), metadata={"help": "the score that wins"})
    faces: int = attrs.field(default=6, validator=and_(ge(2), le(100)), metadata={"help": "faces of the die"})

    @property
    def rules(self) -> str:
        return RULES.format(faces=self.faces, target=self.target, longest=self.engine(2).max_game_length())

    def player_counts(self) -> Sequence[int]:
        """Two to ten, as OpenSpiel allows."""
        return range(2, 11)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            chance=True,
            returns="zero-sum",
            min_return=-1.0 / (players - 1),
            max_return=1.0,
            max_steps=self.engine(players).max_game_length(),
            forfeit_return=-1.0 / (players - 1),
            others_return=1.0 / (players - 1) ** 2,
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("pig", players=players, winscore=self.target, diceoutcomes=self.faces)

    @property
    def table(self) -> Sequence[str]:
        """The labels of the two actions: to roll the die, and to stop."""
        return LABELS

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """The die, which everybody sees."""
        return [GameEvent("rolled", {"player": _read(engine)[2], "die": outcome + 1}, EVERYONE)]

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """All scores, the turn total of whoever is to move, and how many rolls and stops there were."""
        scores, total, _ = _read(engine)
        seats = self.seats(engine.num_players())
        moves = sum(1 for each in engine.full_history() if each.player >= 0)
        return {
            "scores": dict(zip(seats, scores, strict=True)),
            "turn_total": total,
            "moves": moves,
            **self.status(engine, player),
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """The scores as text and as a scene."""
        return {"text": self._text, "scene": self._scene}

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "rolled":
            lost = ", which ends the turn" if data["die"] == 1 else ""
            return f"{self.name_of(data['player'])} rolls a {data['die']}{lost}"
        return super().describe_event(event, player)

    def _text(self, view: Any) -> str:
        scores = ", ".join(f"{seat} has {score}" for seat, score in view["scores"].items())
        longest = self.engine(2).max_game_length()
        total = "" if view["outcome"] else f" The turn total of {view['to_move']} is {view['turn_total']}."
        moves = f"Rolls and stops so far: {view['moves']} of {longest}."
        return f"Scores: {scores}; {self.target} or more wins.{total}\n{moves}\n{status_line(view)}"

    def _scene(self, view: Any) -> Drawing:
        meters = [
            arena_scene.Meter(id=f"score-{number}", label=seat, value=score, role=f"player-{number}")
            for number, (seat, score) in enumerate(view["scores"].items())
        ]
        total = arena_scene.Meter(id="total", label="turn total", value=view["turn_total"])
        part = arena_scene.Meters(id="scores", meters=[*meters, total], note=over(view))
        return Drawing(*arena_scene.Scene("Pig", self._text(view), part).drawn())


def _read(engine: pyspiel.State) -> tuple[list[int], int, int]:
    """The scores, the turn total, and whose turn it is."""
    found = re.match(r"Scores: ([\d ]+), Turn total: (\d+)\nCurrent player: (\d+)", str(engine))
    assert found is not None  # as OpenSpiel writes each state of pig
    return [int(score) for score in found[1].split()], int(found[2]), int(found[3])
