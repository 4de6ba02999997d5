"""What Kuhn and Leduc poker share: card names, the observation of each player, and events in words."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final

import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Entities, EntityStatus, Form
from arena.record import EVERYONE, JSON, GameEvent, Player

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.card_games.card_scenes import poker_hand
from arena_game_openspiel.engine import redeal
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import TERMINAL

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

WRITTEN: Final = {"j": "J", "jack": "J", "q": "Q", "queen": "Q", "k": "K", "king": "K"}
"""Ways to write the ranks of cards that are not numbers."""


@attrs.frozen(kw_only=True)
class Hand:
    """A hand so far: the players' cards, what each has paid, who folded, and the bets of each round in words.

    ``public`` is the public card, ``None`` before it is dealt; ``has_public`` is whether the game has one.
    """

    cards: tuple[str, ...]
    paid: tuple[int, ...]
    folded: frozenset[int]
    betting: tuple[tuple[tuple[int, str], ...], ...]
    has_public: bool = False
    public: str | None = None

    @property
    def staying(self) -> tuple[Player, ...]:
        """The players who have not folded."""
        return tuple(Player(p) for p in range(len(self.cards)) if p not in self.folded)


class Poker(SpielGame):
    """A poker game of one hand with one card each; subclasses say how the hand is read from OpenSpiel's state."""

    chance_mode = "card"
    words_of_the_rules: ClassVar[str]

    @abstractmethod
    def hand(self, engine: pyspiel.State) -> Hand:
        """Read the hand from the history of OpenSpiel's state."""

    @property
    def rules(self) -> str:
        return self.words_of_the_rules

    def player_counts(self) -> Sequence[int]:
        """Two to ten, as OpenSpiel allows."""
        return range(2, 11)

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """Show the cards of the players who have not folded if there are several, and report what everybody earned."""
        hand = self.hand(engine)
        return list(_settled(hand.staying, hand.cards, tuple(engine.returns())))

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Deal the cards again that the player does not see."""
        return redeal.imagine(engine, player, chance)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The cards ``player`` sees, and everybody's stakes and bets."""
        return self._seen(engine, player, range(engine.num_players()) if player is None else (player,))

    def public_view(self, engine: pyspiel.State) -> JSON:
        """Everybody's stakes and bets, and the cards that are shown at the end."""
        return self._seen(engine, None, ())

    def _seen(self, engine: pyspiel.State, player: Player | None, own: Iterable[int]) -> JSON:
        hand = self.hand(engine)
        names = self.seats(len(hand.cards))
        is_shown = engine.current_player() == TERMINAL and len(hand.staying) > 1
        visible = {*own, *(hand.staying if is_shown else ())}
        public: dict[str, Any] = {"public_card": hand.public, "round": len(hand.betting)} if hand.has_public else {}
        return {
            **self.status(engine, player),
            "cards": {name: hand.cards[p] if p in visible else None for p, name in enumerate(names)},
            **public,
            "pot": sum(hand.paid),
            "paid": dict(zip(names, hand.paid, strict=True)),
            "betting": [[[names[p], words] for p, words in bets] for bets in hand.betting],
            "folded": [names[p] for p in sorted(hand.folded)],
        }

    def names(self, observation: Any) -> Sequence[Entities]:
        """Ranks of cards, in letters or words; bare numbers are left out, as they may be amounts."""
        own = observation["cards"][observation["you"]] if observation["you"] else None
        deck = ranks(len(observation["cards"]) + 1)
        known: dict[str, EntityStatus] = {}
        for written, rank in WRITTEN.items():
            if rank in deck:
                known[written] = "unknown" if own is None else "held" if rank == own else "elsewhere"
        return (Entities(kind="card", pattern=r"(?-i:[JQK])|jack|queen|king|ace|joker", status=known),)

    @property
    def forms(self) -> Mapping[str, Form]:
        """The whole observation as text, each part of it alone, all of it in few words, and the table as a scene."""
        return {**FORMS, "scene": lambda view: poker_hand(view, _text(view), self.title)}

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "dealt":
            who = "You are" if data["player"] == player else f"{self.name_of(data['player'])} is"
            return f"{who} dealt {data['card']}"
        if event.kind == "opened":
            return f"the public card is {data['card']}"
        if event.kind == "showed":
            return f"{self.name_of(data['player'])} shows {data['card']}"
        if event.kind == "paid":
            return "; ".join(f"{self.name_of(p)} {_gain(value)}" for p, value in enumerate(data["returns"]))
        return super().describe_event(event, player)


def ranks(number: int) -> tuple[str, ...]:
    """The highest ``number`` ranks, lowest first; the king is the highest."""
    return RANKS[-number:]


def chips(number: int) -> str:
    """An amount of chips in words."""
    return "1 chip" if number == 1 else f"{number} chips"


@lru_cache
def dealt(player: Player, card: str) -> GameEvent:
    """The event of a card that only its holder sees; equal deals share one event, which must not be changed."""
    return GameEvent("dealt", {"player": player, "card": card}, (player,))


@lru_cache(maxsize=1 << 10)
def _settled(staying: tuple[Player, ...], cards: tuple[str, ...], returns: tuple[float, ...]) -> tuple[GameEvent, ...]:
    shown = [GameEvent("showed", {"player": p, "card": cards[p]}, EVERYONE) for p in staying]
    paid = GameEvent("paid", {"returns": [value + 0.0 for value in returns]}, EVERYONE)
    return (*(shown if len(staying) > 1 else ()), paid)


def _text(view: Any) -> str:
    held = [f"{seat} holds {card}." for seat, card in view["cards"].items() if card and seat != view["you"]]
    own = [f"You hold {view['cards'][view['you']]}."] if view["you"] else []
    public = [public_card(view)] if "public_card" in view else []
    out = [f"Out: {', '.join(view['folded'])}."] if view["folded"] else []
    return "\n".join([*own, *held, *public, _stakes(view), _record(view), *out, status_line(view)])


def _short(view: Any) -> str:
    held = ", ".join(card if seat == view["you"] else f"{seat} {card}" for seat, card in view["cards"].items() if card)
    public = [f"public {view['public_card'] or 'none'}"] if "public_card" in view else []
    rounds = " / ".join(", ".join(f"{seat}: {words}" for seat, words in bets) or "no bets" for bets in view["betting"])
    return "; ".join([f"card {held}", *public, f"pot {view['pot']}", rounds])


def _private(view: Any) -> str:
    if view["you"]:
        return f"Your private card: {view['cards'][view['you']]}"
    return f"Private cards: {', '.join(f'{seat} {card}' for seat, card in view['cards'].items())}"


def public_card(view: Any) -> str:
    """The public card and the round of betting."""
    return f"The public card is {view['public_card'] or 'not dealt yet'}. This is round {view['round']}."


def _stakes(view: Any) -> str:
    paid = ", ".join(f"{seat} paid {amount}" for seat, amount in view["paid"].items())
    return f"The pot holds {chips(view['pot'])} ({paid})."


def _record(view: Any) -> str:
    if "round" not in view:
        return f"Betting: {_bets(view['betting'][0])}."
    return "\n".join(f"Betting in round {r}: {_bets(bets)}." for r, bets in enumerate(view["betting"], start=1))


def _bets(bets: Sequence[Sequence[str]]) -> str:
    return ", ".join(f"{seat}: {words}" for seat, words in bets) or "nothing yet"


def _gain(value: float) -> str:
    return f"wins {value:g}" if value > 0 else f"loses {-value:g}" if value < 0 else "breaks even"


FORMS: Final[Mapping[str, Form]] = {
    "text": _text,
    "private": _private,
    "stakes": _stakes,
    "record": _record,
    "short": _short,
}
