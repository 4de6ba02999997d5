"""A sealed-bid auction at the first price, by OpenSpiel."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import arena_scene
import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Drawing, Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine import redeal
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import CHANCE, TERMINAL, load
from arena_game_openspiel.scenes import called

RULES: Final = """\
This is an auction of one thing, with sealed bids, for two or more players. How many points the thing is worth to a \
player is drawn by chance for each player alone: a whole number from 1 to {most}, all of them equally likely. Two \
players may have the same number.

Everybody bids once, in the order of the players' numbers. A bid is a whole number of points from 0 up to one less \
than what the thing is worth to you: if it is worth 6, you may bid 0 to 5. When all have bid, the highest bid gets the \
thing and pays what it has bid (the first price). If several players share the highest bid, chance draws one of them, \
each with equal probability. Then the match is over.

You see what the thing is worth to you, and nobody else sees it. Your bid stays sealed until the end; only \
who has already bid is public. At the end all bids are shown, and who gets the thing.

Whoever gets the thing earns what it is worth to them, less the bid. All others earn 0 and pay nothing. The players \
are not paid by each other, and nobody can lose points."""


@attrs.frozen
class FirstPriceAuction(SpielGame):
    """Bid less than the thing is worth to you, and more than the others."""

    most: int = attrs.field(
        default=10, validator=and_(ge(2), le(100)), metadata={"help": "the most that the thing can be worth"}
    )

    @property
    def title(self) -> str:
        return "First-price auction"

    @property
    def rules(self) -> str:
        return RULES.format(most=self.most)

    def player_counts(self) -> Sequence[int]:
        """Two to ten, as OpenSpiel allows."""
        return range(2, 11)

    def facts(self, players: int) -> GameFacts:
        """The most is earned by who bids nothing and gets what is worth the most."""
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="general-sum",
            min_return=0.0,
            max_return=float(self.most),
            max_steps=players,
            forfeit_return=0.0,
            others_return=float(self.most),
            outcome="payoff",
            return_unit="points",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("first_sealed_auction", players=players, max_value=self.most)

    @property
    def table(self) -> Sequence[str]:
        """The bids; each action is the number that is bid."""
        return _bids(self.most)

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """What the thing is worth, which only its player learns; a draw among equal bids is told at the end."""
        player = Player(len(engine.history()))
        if player >= engine.num_players():
            return []
        return [GameEvent("valued", {"player": player, "value": outcome}, (player,))]

    def acted(self, engine: pyspiel.State, player: Player, action: int, label: str) -> list[GameEvent]:
        """The bid, which only the bidder sees, and that there is one, which is public."""
        return [
            GameEvent("moved", {"player": player, "action": action, "label": label}, (player,)),
            GameEvent("sealed", {"player": player}, EVERYONE),
        ]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """All bids, and who got the thing; what it was worth to the others is never told."""
        _, bids, winner = _read(engine)
        return [GameEvent("sold", {"bids": bids, "winner": winner}, EVERYONE)]

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Draw anew what the thing is worth to the others, and their bids."""
        return redeal.imagine(engine, player, chance)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """What the thing is worth to the player, the player's own bid, and who has bid."""
        seats = self.seats(engine.num_players())
        return self._seen(engine, player, seats if player is None else (seats[player],))

    def public_view(self, engine: pyspiel.State) -> JSON:
        """Who has bid; all bids at the end."""
        return self._seen(engine, None, ())

    def _seen(self, engine: pyspiel.State, player: Player | None, own: Sequence[str]) -> JSON:
        seats = self.seats(engine.num_players())
        values, bids, winner = _read(engine)
        is_over = engine.current_player() == TERMINAL
        opened = seats if is_over else own
        placed = dict(zip(seats, bids, strict=False))
        return {
            "values": {seat: v if seat in own else None for seat, v in zip(seats, values, strict=True)},
            "bids": {seat: bid if seat in opened else None for seat, bid in placed.items()},
            "winner": seats[winner] if winner is not None else None,
            **self.status(engine, player),
            "outcome": f"{seats[winner]} gets the thing" if is_over and winner is not None else None,
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, and a table as a scene."""
        return {"text": _text, "scene": _scene}

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Name the highest bid that is allowed."""
        return f"a bid is a whole number from 0 to {_read(engine)[0][player] - 1} here"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "valued":
            whom = "you" if data["player"] == player else self.name_of(data["player"])
            return f"the thing is worth {data['value']} to {whom}"
        if event.kind == "sealed":
            return f"{self.name_of(data['player'])} has bid"
        if event.kind == "sold":
            told = ", ".join(f"{self.name_of(p)} bid {bid}" for p, bid in enumerate(data["bids"]))
            return f"{told}: {self.name_of(data['winner'])} gets the thing"
        return super().describe_event(event, player)


@cache
def _bids(most: int) -> tuple[str, ...]:
    return tuple(f"bid {number}" for number in range(most))


def _read(engine: pyspiel.State) -> tuple[list[int], list[int], int | None]:
    """What the thing is worth to everybody, the bids so far, and who got it."""
    players, history = engine.num_players(), engine.full_history()
    drawn = [each.action for each in history if each.player == CHANCE]
    bids = [each.action for each in history if each.player != CHANCE]
    return drawn[:players], bids, drawn[players] if len(drawn) > players else None


def _text(view: Any) -> str:
    lines = [
        f"The thing is worth {value} to {'you' if seat == view['you'] else seat}."
        for seat, value in view["values"].items()
        if value is not None
    ]
    said = [f"{seat} has bid{'' if bid is None else f' {bid}'}" for seat, bid in view["bids"].items()]
    return "\n".join([*lines, f"Bids so far: {', '.join(said) or 'none'}.", status_line(view)])


def _scene(view: Any) -> Drawing:
    rows = [
        arena_scene.TableRow(
            cells=[
                called(seat, view),
                "?" if value is None else str(value),
                "" if seat not in view["bids"] else "sealed" if view["bids"][seat] is None else str(view["bids"][seat]),
            ],
            role=f"player-{number}",
        )
        for number, (seat, value) in enumerate(view["values"].items())
    ]
    columns = [arena_scene.TableColumn(title=title) for title in ("player", "worth", "bid")]
    note = f"The match is over: {view['outcome']}." if view["outcome"] else ""
    table = arena_scene.SceneTable(id="bids", columns=columns, rows=rows, note=note)
    return Drawing(*arena_scene.Scene("First-price auction", _text(view), table).drawn())
