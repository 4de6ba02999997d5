"""Blotto by OpenSpiel: spread coins over fields at the same time; who has more on a field wins it."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from string import ascii_uppercase
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
from arena_game_openspiel.scenes import amount_id, amounts_table, over

RULES = """\
Blotto is played by two or more players, who spread coins over {fields} fields, lettered {letters}. A match is one \
choice of everybody, at the same time.

Everybody has {coins} coin{s} and places all of them: each coin goes on one field, and a field may get none. An \
action gives the coins on each field: "{example}" places {told}.

When all have chosen, the choices are shown and the match is over. On each field the players' coins are compared. If \
one player has more coins there than each of the others, that player wins the field; if two or more share the most, \
nobody wins it. All fields count the same, and by how many coins a field is won does not matter.

Whoever has won the most fields wins the match. What the others choose is hidden from you until you have chosen, too. \
There is no chance.

The winner earns 1, and the others share a loss of 1 equally: with two players the loser earns -1. If several players \
have won the most fields, they share the 1 equally. If all have won equally many, it is a draw, and everybody earns \
0."""


PLACE: Final = "place"
"""The id of the table in which coins are placed."""

WIDEST: Final = 12
"""With more coins they are placed by buttons."""


@attrs.frozen
class Blotto(SpielGame):
    """Spread coins over fields; more coins win a field, and more fields the match."""

    coins: int = attrs.field(default=10, validator=and_(ge(1), le(20)), metadata={"help": "coins of each player"})
    fields: int = attrs.field(default=3, validator=and_(ge(2), le(4)), metadata={"help": "fields"})

    @property
    def rules(self) -> str:
        letters = ascii_uppercase[: self.fields]
        example = [self.coins - self.coins // 3, *[0] * (self.fields - 2), self.coins // 3]
        placed = [f"{_coins(many)} on {name}" for name, many in zip(letters, example, strict=True)]
        return RULES.format(
            fields=self.fields,
            letters=f"{letters[0]} to {letters[-1]}",
            coins=self.coins,
            s="" if self.coins == 1 else "s",
            example=_label(example),
            told=f"{', '.join(placed[:-1])} and {placed[-1]}",
        )

    def player_counts(self) -> Sequence[int]:
        """Two to ten, as OpenSpiel allows."""
        return range(2, 11)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            simultaneous=True,
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            max_steps=1,
            forfeit_return=-1.0,
            others_return=1.0 / (players - 1),
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("blotto", coins=self.coins, fields=self.fields, players=players)

    @property
    def table(self) -> Sequence[str]:
        """The coins on each field, for all ways to place them."""
        return _ways(self.coins, self.fields)

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """What everybody has placed, and who has won which field."""
        placed = [list(_placed(label)) for label in labels]
        return [GameEvent("revealed", {"placed": placed, "winners": _winners(placed)}, EVERYONE)]

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """What everybody has placed once all have chosen, the winner of each field, and how many each has won."""
        seats = self.seats(engine.num_players())
        told = re.findall(r"action: \[([\d,]+)\]", str(engine))
        placed = [[int(many) for many in own.split(",")] for own in told]
        winners = _winners(placed) if placed else []
        return {
            "coins": self.coins,
            "fields": list(ascii_uppercase[: self.fields]),
            "placed": dict(zip(seats, placed, strict=bool(placed))),
            "winners": [None if winner is None else seats[winner] for winner in winners],
            "won": {seat: winners.count(number) for number, seat in enumerate(seats)},
            **self.status(engine, player),
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, and the fields as a table."""
        return {"text": _text, "scene": _scene}

    says = "Touch how many coins you place on each field, from the first row to the last."

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """How many coins lie on each field; a button where there are too many for a table."""
        if self.coins > WIDEST:
            return ()
        return [amount_id(PLACE, name, many) for name, many in zip(ascii_uppercase, _placed(label), strict=False)]

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return f"all of {_coins(self.coins)} are to be placed"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "revealed":
            placed = "; ".join(f"{self.name_of(p)} places {_label(own)}" for p, own in enumerate(data["placed"]))
            names = [None if winner is None else self.name_of(winner) for winner in data["winners"]]
            return f"{placed}. {_won(ascii_uppercase[: len(names)], names)}"
        return super().describe_event(event, player)


@cache
def _ways(coins: int, fields: int) -> tuple[str, ...]:
    """All ways to place the coins, in OpenSpiel's order: with the fewest on the first field first."""

    def spread(left: int, places: int) -> list[list[int]]:
        if places == 1:
            return [[left]]
        return [[first, *rest] for first in range(left + 1) for rest in spread(left - first, places - 1)]

    return tuple(_label(way) for way in spread(coins, fields))


def _label(placed: Sequence[int]) -> str:
    return ", ".join(f"{name} {many}" for name, many in zip(ascii_uppercase, placed, strict=False))


def _placed(label: str) -> Sequence[int]:
    return [int(own.split()[1]) for own in label.split(", ")]


def _winners(placed: Sequence[Sequence[int]]) -> list[int | None]:
    """Who has more coins than each of the others on each field."""
    fields = list(zip(*placed, strict=True))
    return [field.index(max(field)) if field.count(max(field)) == 1 else None for field in fields]


def _coins(many: int) -> str:
    return f"{many} coin{'' if many == 1 else 's'}"


def _won(fields: Sequence[str], winners: Sequence[str | None]) -> str:
    return "Fields: " + ", ".join(f"{name} {seat or 'nobody'}" for name, seat in zip(fields, winners, strict=True))


def _text(view: Any) -> str:
    lines = [f"{seat}: {_label(placed)}." for seat, placed in view["placed"].items()]
    if view["placed"]:
        lines.append(f"{_won(view['fields'], view['winners'])}.")
    else:
        lines.append(f"Everybody places {_coins(view['coins'])} on the fields {', '.join(view['fields'])}.")
        lines.append("Nobody's choice is known yet.")
    return "\n".join([*lines, status_line(view)])


def _scene(view: Any) -> Drawing:
    columns = [arena_scene.TableColumn(title="player")]
    columns += [arena_scene.TableColumn(title=name, kind="number") for name in view["fields"]]
    columns.append(arena_scene.TableColumn(title="fields won", kind="number"))
    rows = [
        arena_scene.TableRow(
            cells=[
                seat,
                *map(str, view["placed"].get(seat, ["?"] * len(view["fields"]))),
                str(won) if view["placed"] else "",
            ],
            role=f"player-{number}",
        )
        for number, (seat, won) in enumerate(view["won"].items())
    ]
    note = over(view) or f"{_coins(view['coins'])} each"
    table = arena_scene.SceneTable(id="fields", columns=columns, rows=rows, note=note)
    is_asked = view["you"] is not None and not view["placed"] and view["coins"] <= WIDEST
    most = {str(name): int(view["coins"]) for name in view["fields"]}
    place = amounts_table(PLACE, "your coins", most) if is_asked else None
    return Drawing(*arena_scene.Scene("Blotto", _text(view), *([place] if place else []), table).drawn())
