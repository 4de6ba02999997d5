"""Goofspiel by OpenSpiel: bid cards for prizes, all at the same time, in the open."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from string import ascii_uppercase
from typing import Any, Final, Literal

import arena_scene
import attrs
import pyspiel
from arena.game import Drawing, Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import TERMINAL, load
from arena_game_openspiel.scenes import over

ORDERS: Final = {
    "random": "in random order, which nobody knows",
    "ascending": "in rising order from 1",
    "descending": "in falling order down to 1",
}

RULES = """\
Goofspiel is a game of bidding for two or more players. There are {cards} prizes, worth 1 to {cards} points. To bid \
with, everybody has the cards A to {last}: A is the lowest, each letter is higher than those before it, and {last} is \
the highest.

A match has {cards} rounds, and in each of them one prize is bid for; the prizes come {order}. When the prize is \
open, all players choose at the same time one of the cards that they still have. Then the cards are shown. If one \
player's card is higher than those of all others, that player gets the points of the prize. If two or more players \
share the highest card, nobody gets the prize. In either case all cards that were bid are gone, also those of \
players who got nothing, and so is the prize.

In the last round everybody has one card left, which is played for them. Whoever then has the most points wins. What \
the others bid in a round is hidden until all have chosen; the points and the cards that everybody has left are open \
to all.

The winner earns 1, and the others share a loss of 1 equally: with two players the loser earns -1. If several players \
have the most points, they share the 1 equally. If all have equal points, it is a draw, and everybody earns 0."""


@attrs.frozen
class Goofspiel(SpielGame):
    """Bid cards for prizes; whoever bids most takes the prize, and every card is played once."""

    cards: int = attrs.field(default=13, validator=and_(ge(2), le(20)), metadata={"help": "cards of each player"})
    prizes: Literal["random", "ascending", "descending"] = attrs.field(
        default="random", metadata={"help": "the order in which the prizes come"}
    )

    @property
    def rules(self) -> str:
        return RULES.format(cards=self.cards, order=ORDERS[self.prizes], last=ascii_uppercase[self.cards - 1])

    def player_counts(self) -> Sequence[int]:
        """Two to ten, as OpenSpiel allows."""
        return range(2, 11)

    def facts(self, players: int) -> GameFacts:
        """The last round is no step, since nobody chooses in it."""
        return GameFacts(
            simultaneous=True,
            chance=self.prizes == "random",
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            max_steps=self.cards - 1,
            forfeit_return=-1.0,
            others_return=1.0 / (players - 1),
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("goofspiel", players=players, num_cards=self.cards, points_order=self.prizes)

    @property
    def table(self) -> Sequence[str]:
        """The cards from the lowest to the highest; letters, since a number could be taken for that of an action."""
        return _bids(self.cards)

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """The prize that is laid open; that of the last round is told with its bids."""
        return [GameEvent("opened", {"prize": outcome + 1}, EVERYONE)]

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """All bids of a round, and who gets the prize."""
        prizes = _prizes(engine)
        return [_round(len(prizes), prizes[-1], [ascii_uppercase[action] for action in actions.values()])]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """The last round, which was played without a question."""
        return [_round(*self._rounds(engine)[-1])]

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The prize, the rounds so far, and everybody's points and cards."""
        seats = self.seats(engine.num_players())
        rounds = self._rounds(engine)
        prizes, is_over = _prizes(engine), engine.current_player() == TERMINAL
        points = re.search(r"^Points: (.*)$", str(engine), re.MULTILINE)
        assert points is not None  # as OpenSpiel writes each state
        return {
            "prize": None if is_over else prizes[-1],
            "to_come": sorted({*range(1, self.cards + 1)} - {*prizes}),
            "rounds": [
                {"prize": prize, "bids": bids, "winner": None if (best := _best(bids)) is None else seats[best]}
                for _, prize, bids in rounds
            ],
            "points": dict(zip(seats, map(int, points[1].split()), strict=True)),
            "cards": {
                seat: sorted({*ascii_uppercase[: self.cards]} - {bids[number] for _, _, bids in rounds})
                for number, seat in enumerate(seats)
            },
            **self.status(engine, player),
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, which tells all rounds, and everybody's cards and all rounds as a scene."""
        return {"text": self._text, "short": self._text, "scene": self._scene}

    says = "Touch the card that you bid."

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The card in one's hand."""
        return (_card_id(ascii_uppercase[action]),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "you have it no more"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "opened":
            return f"the next prize is worth {_points(data['prize'])}"
        if event.kind == "revealed":
            return _told(data["round"], data["prize"], data["bids"], self.name_of)
        return super().describe_event(event, player)

    def _rounds(self, engine: pyspiel.State) -> list[tuple[int, int, list[str]]]:
        """The number, the prize and the bids of each round; OpenSpiel's history lacks the last one."""
        players, history = engine.num_players(), engine.history()
        start = 1 if self.prizes == "random" else 0
        found = [
            [ascii_uppercase[card] for card in history[place + start : place + start + players]]
            for place in range(0, len(history) - players - start + 1, players + start)
        ]
        if len(found) == self.cards - 1:
            all_cards = {*ascii_uppercase[: self.cards]}
            found.append([(all_cards - {bids[p] for bids in found}).pop() for p in range(players)])
        return [(n, prize, bids) for n, (prize, bids) in enumerate(zip(_prizes(engine), found, strict=False), start=1)]

    def _text(self, view: Any) -> str:
        seats = list(view["points"])
        lines = [
            _told(number, own["prize"], own["bids"], seats.__getitem__) + "."
            for number, own in enumerate(view["rounds"], start=1)
        ]
        if view["prize"] is not None:
            left = ", ".join(map(str, view["to_come"]))
            lines.append(
                f"This is round {len(lines) + 1} of {self.cards}: the prize is worth {_points(view['prize'])}."
            )
            lines.append(f"Prizes to come: {left} ({ORDERS[self.prizes]}).")
            lines += [f"Cards of {seat}: {' '.join(cards)}." for seat, cards in view["cards"].items()]
        points = ", ".join(f"{seat} has {many}" for seat, many in view["points"].items())
        return "\n".join([*lines, f"Points: {points}.", status_line(view)])

    def _scene(self, view: Any) -> Drawing:
        columns = [
            arena_scene.TableColumn(title="player"),
            arena_scene.TableColumn(title="points", kind="number"),
            arena_scene.TableColumn(title="cards left"),
        ]
        rows = [
            arena_scene.TableRow(cells=[seat, view["points"][seat], " ".join(cards)], role=f"player-{number}")
            for number, (seat, cards) in enumerate(view["cards"].items())
        ]
        prize = f"the prize is worth {_points(view['prize'])}" if view["prize"] is not None else ""
        players = arena_scene.SceneTable(id="players", columns=columns, rows=rows, note=over(view) or prize)
        titles = ("round", "prize", "bids", "goes to")
        rounds = arena_scene.SceneTable(
            id="rounds",
            caption="rounds so far",
            columns=[arena_scene.TableColumn(title=title) for title in titles],
            rows=[
                arena_scene.TableRow(
                    cells=[str(number), str(own["prize"]), " ".join(own["bids"]), own["winner"] or "nobody"]
                )
                for number, own in enumerate(view["rounds"], start=1)
            ],
        )
        told = [rounds] if view["rounds"] else []
        return Drawing(*arena_scene.Scene("Goofspiel", self._text(view), *_held(view), players, *told).drawn())


def _held(view: Any) -> "list[arena_scene.Cards]":
    """The prize that lies open, and one's own cards, the lowest first."""
    if view["prize"] is None:
        return []
    worth = _points(view["prize"])
    prize = arena_scene.SceneCard(id="prize", text=str(view["prize"]), role="hue-yellow", label=f"prize: {worth}")
    parts = [arena_scene.Cards(id="prizes", title="prize", note=f"worth {worth}", cards=[prize])]
    own = view["cards"].get(view["you"], ())
    cards = [arena_scene.SceneCard(id=_card_id(letter), rank=letter, label=f"card {letter}") for letter in own]
    if cards:
        title, note = "your cards", f"{own[0]} is the lowest"
        number = list(view["cards"]).index(view["you"])
        parts.append(arena_scene.Cards(id="hand", title=title, note=note, owner=number, cards=cards))
    return parts


def _card_id(letter: str) -> str:
    return f"card-{letter}"


@cache
def _bids(cards: int) -> tuple[str, ...]:
    return tuple(f"card {letter}" for letter in ascii_uppercase[:cards])


def _prizes(engine: pyspiel.State) -> list[int]:
    """The prizes so far, the one that is open included."""
    found = re.search(r"^Point card sequence: (.*)$", str(engine), re.MULTILINE)
    assert found is not None  # as OpenSpiel writes each state
    return [*map(int, found[1].split())]


def _best(bids: Sequence[str]) -> int | None:
    """Whose card is higher than those of all others."""
    return bids.index(max(bids)) if bids.count(max(bids)) == 1 else None


def _round(number: int, prize: int, bids: list[str]) -> GameEvent:
    return GameEvent("revealed", {"round": number, "prize": prize, "bids": bids, "winner": _best(bids)}, EVERYONE)


def _points(many: int) -> str:
    return f"{many} point{'' if many == 1 else 's'}"


def _told(number: int, prize: int, bids: Sequence[str], name: Any) -> str:
    said = ", ".join(f"{name(player)}: {card}" for player, card in enumerate(bids))
    best = _best(bids)
    return f"Round {number}, prize {prize}: {said}; {'nobody' if best is None else name(best)} gets it"
