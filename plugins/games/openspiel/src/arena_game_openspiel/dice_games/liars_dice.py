"""Liar's dice by OpenSpiel, for two players."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.dice_games.dice_scenes import liars_table
from arena_game_openspiel.engine import redeal
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import CHANCE, TERMINAL, load

SEATS: Final = ("player 1", "player 2")

RULES = """\
Liar's dice is played by two players; a match is one round. Each player secretly rolls {dice} with faces 1 to \
{faces} and sees only its own result. So there are {total} dice on the table.

Player 1 makes the first bid; then the players take turns. A bid names a quantity and a face, and claims that among \
all dice of both players at least that many show that face. The face {faces} is wild: a die showing {faces} counts \
as every face. For a bid on the face {faces} only dice showing {faces} count.

Each bid must be higher than the one before: a higher quantity with any face, or the same quantity with a higher \
face. Instead of bidding, a player may call the other a liar, except in the first turn of the match. After the \
highest bid of all, {total} x face {faces}, only that is left. Everybody sees all bids.

After the call all dice are shown. If at least as many dice count for the last bid as it claimed, the player who \
made the bid wins; otherwise the player who called wins. There are no ties.

The winner earns 1 and the loser -1."""


@attrs.frozen
class LiarsDice(SpielGame):
    """Bid on dice that are partly hidden, or call the bluff."""

    chance_mode = "die"

    dice: int = attrs.field(default=1, validator=and_(ge(1), le(5)), metadata={"help": "dice of each player"})
    faces: int = attrs.field(default=6, validator=and_(ge(2), le(9)), metadata={"help": "faces of a die"})

    @property
    def title(self) -> str:
        return "Liar's dice"

    @property
    def rules(self) -> str:
        own = "one die" if self.dice == 1 else f"{self.dice} dice"
        return RULES.format(dice=own, faces=self.faces, total=2 * self.dice)

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        """The number of bids is bounded, since each must be higher than the last."""
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            max_steps=2 * self.dice * self.faces + 1,
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("liars_dice", numdice=self.dice, dice_sides=self.faces)

    @property
    def table(self) -> Sequence[str]:
        """The bids from the lowest to the highest, and the call."""
        return _bids(self.dice, self.faces)

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Only its owner sees a die."""
        player = Player(engine.move_number() // self.dice)
        return [GameEvent("rolled", {"player": player, "face": outcome + 1}, (player,))]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """Show everybody all dice, and who won."""
        dice = self._dice(engine)
        winner = engine.returns().index(1.0)
        return [GameEvent("showed", {"dice": dice, "winner": winner}, EVERYONE)]

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Roll the other player's dice again."""
        return redeal.imagine(engine, player, chance)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The player's own dice and all bids."""
        return self._seen(engine, player, SEATS if player is None else (SEATS[player],))

    def public_view(self, engine: pyspiel.State) -> JSON:
        """All bids, and the dice when they are shown."""
        return self._seen(engine, None, ())

    def _seen(self, engine: pyspiel.State, player: Player | None, own: Sequence[str]) -> JSON:
        dice = self._dice(engine)
        is_open = engine.current_player() == TERMINAL
        moves = [(step.player, self.table[step.action]) for step in engine.full_history() if step.player != CHANCE]
        return {
            **self.status(engine, player),
            "dice": {seat: dice[p] if is_open or seat in own else None for p, seat in enumerate(SEATS)},
            "bids": [[SEATS[p], words] for p, words in moves],
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text for all of it, the player's own dice alone, the bids alone, and the table as a scene."""
        return {**FORMS, "scene": lambda view: liars_table(view, _text(view), self.dice)}

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say that a bid is not higher than the last one, or that a call comes before any bid."""
        words = self.table
        if action == len(words) - 1:
            return "there is no bid to call yet"
        return "it is not higher than the last bid"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "rolled":
            who = "You roll" if data["player"] == player else f"{SEATS[data['player']]} rolls"
            return f"{who} a {data['face']}"
        if event.kind == "showed":
            shown = "; ".join(f"{seat} has {_faces(dice)}" for seat, dice in zip(SEATS, data["dice"], strict=True))
            return f"{shown}: {SEATS[data['winner']]} wins"
        return super().describe_event(event, player)

    def _dice(self, engine: pyspiel.State) -> list[list[int]]:
        rolls = [face + 1 for face in engine.history()[: 2 * self.dice]]
        return [sorted(rolls[: self.dice]), sorted(rolls[self.dice :])]


@cache
def _bids(dice: int, faces: int) -> tuple[str, ...]:
    bids = (f"bid {quantity} x face {face}" for quantity in range(1, 2 * dice + 1) for face in range(1, faces + 1))
    return (*bids, "call liar")


def _faces(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _text(view: Any) -> str:
    own = [
        f"{'You have' if seat == view['you'] else seat + ' has'} rolled {_faces(dice)}."
        for seat, dice in view["dice"].items()
        if dice
    ]
    return "\n".join([*own, _record(view), status_line(view)])


def _private(view: Any) -> str:
    if view["you"]:
        return f"Your dice, which only you see: {_faces(view['dice'][view['you']])}"
    known = "; ".join(f"{seat} {_faces(dice)}" for seat, dice in view["dice"].items() if dice)
    return f"Hidden dice: {known or 'not shown'}"


def _record(view: Any) -> str:
    return f"Bids so far: {', '.join(f'{seat}: {words}' for seat, words in view['bids']) or 'none yet'}."


FORMS: Final[Mapping[str, Form]] = {"text": _text, "private": _private, "record": _record}
