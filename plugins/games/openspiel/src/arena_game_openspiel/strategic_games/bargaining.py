"""Bargaining by OpenSpiel: share things whose worth to the other player is hidden, by offers in turn."""

import re
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
from arena_game_openspiel.engine.spiel import TERMINAL, load
from arena_game_openspiel.scenes import amount_id, amounts_table

THINGS: Final = ("book", "hat", "ball")
"""The kinds of things, in OpenSpiel's order."""

SUM: Final = 10
"""What all things together are worth to each player."""

RULES: Final = """\
Two players share some things: books, hats and balls. How many there are of each kind is drawn by chance: 1 to 5, and \
5 to 7 together. Also drawn is what one thing of each kind is worth to you, and to the other player: whole numbers of \
points, such that all things together are worth {sum} to each player. A kind may be worth 0 to one of you, but not to \
both.

Player 1 makes the first offer; then the players take turns. In your turn you either accept the other player's last \
offer, or make an offer yourself. An offer says what the player who makes it keeps; the other player gets everything \
else. "keep 2 books, 0 hats, 1 ball" means: I keep two books and one ball, and you get the rest. Any offer is \
allowed, whatever was offered before. Nothing else can be said.

The match ends when an offer is accepted, which then holds. It also ends, without an agreement, as soon as {most} \
offers by both together have been made: the last of them cannot be accepted any more.

With an agreement everybody earns what the things that they get are worth to them. Without one, both earn 0. What \
counts is how many points you earn, not whether you have more than the other player.

Both see the things and all offers. What things are worth to you is hidden from the other player, also at the end."""


KEEP: Final = "keep"
"""The id of the table in which an offer is made."""


@attrs.frozen
class Bargaining(SpielGame):
    """Share books, hats and balls by offers in turn; nobody knows what they are worth to the other."""

    offers: int = attrs.field(
        default=10,
        validator=and_(ge(2), le(40)),
        metadata={"help": "offers after which the match ends without an agreement"},
    )

    @property
    def rules(self) -> str:
        return RULES.format(sum=SUM, most=self.offers)

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        """Who accepts makes no offer, so that an agreement takes no more steps than offers."""
        return GameFacts(
            hidden_information=True,
            chance=True,
            min_return=0.0,
            max_return=float(SUM),
            max_steps=self.offers,
            forfeit_return=0.0,
            others_return=0.0,
            outcome="payoff",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("bargaining", max_turns=self.offers)

    @property
    def table(self) -> Sequence[str]:
        """All offers, and accepting the last one."""
        return _labels()

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """The things, which both see, and what they are worth to each player, which only that player learns."""
        deal = engine.child(outcome).instance()
        worth = [
            GameEvent("valued", {"player": p, "worth": dict(zip(THINGS, values, strict=True))}, (Player(p),))
            for p, values in enumerate(deal.values)
        ]
        return [GameEvent("laid-out", {"things": dict(zip(THINGS, deal.pool, strict=True))}, EVERYONE), *worth]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """Who gets what; what that is worth to them is theirs to know."""
        view: Any = self.public_view(engine)
        return [GameEvent("closed", {"shares": view["shares"]}, EVERYONE)]

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Draw anew what things are worth to the other player."""
        return redeal.imagine(engine, player, chance)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The things, what they are worth to the player, and all offers."""
        return self._seen(engine, player, (0, 1) if player is None else (player,))

    def public_view(self, engine: pyspiel.State) -> JSON:
        """The things and all offers."""
        return self._seen(engine, None, ())

    def _seen(self, engine: pyspiel.State, player: Player | None, own: Sequence[int]) -> JSON:
        seats, deal = self.seats(2), engine.instance()
        offers = [(seats[number % 2], list(offer.quantities)) for number, offer in enumerate(engine.offers())]
        is_over = engine.current_player() == TERMINAL
        is_agreed = is_over and engine.history()[-1] == engine.agree_action()
        shares: dict[str, Any] | None = None
        if is_agreed:
            keeper, kept = offers[-1]
            rest = [many - own for many, own in zip(deal.pool, kept, strict=True)]
            shares = {seat: _named(kept if seat == keeper else rest) for seat in seats}
        return {
            "things": _named(deal.pool),
            "worth": {seat: _named(deal.values[p]) if p in own else None for p, seat in enumerate(seats)},
            "offers": [{"by": seat, "keeps": _named(kept)} for seat, kept in offers],
            "most_offers": self.offers,
            "shares": shares,
            **self.status(engine, player),
            "outcome": ("the last offer is accepted" if is_agreed else "no agreement") if is_over else None,
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, which tells all offers, and the things and offers as tables."""
        return {"text": _text, "short": _text, "scene": _scene}

    says = "Touch how many you keep of each thing, from the first row to the last, or accept the last offer."

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """How many of each thing are kept; accepting is a button."""
        kept = map(int, re.findall(r"\d+", label))
        return [amount_id(KEEP, thing, many) for thing, many in zip(THINGS, kept, strict=False)]

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say that there are not so many things, or nothing to accept."""
        if action == engine.agree_action():
            return "there is no offer yet that you could accept"
        return _there(_named(engine.instance().pool), " only")

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "laid-out":
            return _there(data["things"])
        if event.kind == "valued":
            whom = "you" if data["player"] == player else self.name_of(data["player"])
            return f"to {whom} {_each(data['worth'])}"
        if event.kind == "closed":
            return _shared(data["shares"])
        return super().describe_event(event, player)


@cache
def _labels() -> tuple[str, ...]:
    offers = load("bargaining").all_offers()
    return (*(f"keep {_told(_named(offer.quantities))}" for offer in offers), "accept")


def _named(numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(THINGS, numbers, strict=True))


def _told(things: Mapping[str, int]) -> str:
    return ", ".join(f"{many} {thing}{'' if many == 1 else 's'}" for thing, many in things.items())


def _there(things: Mapping[str, int], only: str = "") -> str:
    return f"there {'is' if next(iter(things.values())) == 1 else 'are'}{only} {_told(things)}"


def _each(worth: Mapping[str, int]) -> str:
    return ", ".join(f"a {thing} is worth {points}" for thing, points in worth.items())


def _shared(shares: Mapping[str, Mapping[str, int]] | None) -> str:
    if shares is None:
        return "there is no agreement"
    return "; ".join(f"{seat} gets {_told(things)}" for seat, things in shares.items())


def _text(view: Any) -> str:
    lines = [f"{_there(view['things']).capitalize()}."]
    lines += [
        f"To {'you' if seat == view['you'] else seat} {_each(worth)}."
        for seat, worth in view["worth"].items()
        if worth is not None
    ]
    lines += [
        f"Offer {number}: {own['by']} keeps {_told(own['keeps'])}."
        for number, own in enumerate(view["offers"], start=1)
    ]
    lines.append(f"Offers so far: {len(view['offers'])} of {view['most_offers']}.")
    if view["outcome"]:
        lines.append(f"{_shared(view['shares']).capitalize()}.")
    return "\n".join([*lines, status_line(view)])


def _scene(view: Any) -> Drawing:
    known = {seat: worth for seat, worth in view["worth"].items() if worth is not None}
    titles = ["thing", "how many", *(f"worth to {'you' if seat == view['you'] else seat}" for seat in known)]
    rows = [
        arena_scene.TableRow(cells=[thing, str(many), *(str(worth[thing]) for worth in known.values())])
        for thing, many in view["things"].items()
    ]
    note = f"The match is over: {view['outcome']}." if view["outcome"] else ""
    things = arena_scene.SceneTable(
        id="things", columns=[arena_scene.TableColumn(title=title) for title in titles], rows=rows, note=note
    )
    seats = list(view["worth"])
    offers = [
        arena_scene.TableRow(
            cells=[own["by"], *map(str, own["keeps"].values())], role=f"player-{seats.index(own['by'])}"
        )
        for own in view["offers"]
    ]
    made = arena_scene.SceneTable(
        id="offers",
        caption="offers: what each player would keep",
        columns=[arena_scene.TableColumn(title=title) for title in ("player", *(f"{thing}s" for thing in THINGS))],
        rows=offers,
    )
    keep = [amounts_table(KEEP, "what you keep", view["things"])] if view["you"] and not view["outcome"] else []
    parts = [things, *([made] if offers else []), *keep]
    return Drawing(*arena_scene.Scene("Bargaining", _text(view), *parts).drawn())
