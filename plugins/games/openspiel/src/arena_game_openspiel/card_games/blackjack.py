"""Blackjack by OpenSpiel: one player against a dealer who plays by fixed rules."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import arena_scene
import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Drawing, Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.card_games.card_scenes import held
from arena_game_openspiel.engine import redeal
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import TERMINAL, load
from arena_game_openspiel.scenes import over

LABELS: Final = ("hit", "stand")
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DEALT: Final = 4
"""How many cards are dealt at the start: two to the player, and then two to the dealer."""

RULES: Final = """\
Blackjack is played here by one player against a dealer, who has no choices. One hand is played with a shuffled deck \
of 52 cards. You want a higher total than the dealer's, but not above 21.

A card from 2 to 10 counts its number; J, Q and K count 10 each; an ace (A) counts 11 or 1, whichever makes the \
highest total that is not above 21: A and 6 are 17, and so are A, 6 and K.

You get two cards, and so does the dealer. In your turn you hit or stand. If you hit, you get one more card, and it is \
your turn again. If your total is above 21, you have lost at once. If you stand, the \
dealer takes cards as long as the dealer's total is 16 or less, and stops at 17 or more, also where an ace counts 11. \
Then the match is over.

You earn 1 if your total is higher than the dealer's, or if the dealer's is above 21 and yours is not; -1 if you are \
above 21 or your total is lower; 0 if both are equal. An ace and a ten are worth no more than any other 21.

Cards are written by rank and suit (c, d, h, s: clubs, diamonds, hearts, spades): 10h is the ten of hearts. The \
dealer's first card is hidden from you until the end; all other cards are open."""


@attrs.frozen
class Blackjack(SpielGame):
    """Come nearer to 21 than the dealer, and not above it."""

    chance_mode = "card"

    @property
    def rules(self) -> str:
        return RULES

    def player_counts(self) -> Sequence[int]:
        return (1,)

    def facts(self, players: int) -> GameFacts:
        """What can be earned is no sum of players; a forfeit counts as a lost hand."""
        return GameFacts(
            hidden_information=True,
            chance=True,
            min_return=-1.0,
            max_return=1.0,
            max_steps=self.engine(players).max_game_length(),
            forfeit_return=-1.0,
            outcome="payoff",
            return_unit="points a hand",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("blackjack")

    @property
    def table(self) -> Sequence[str]:
        """To take a card, and to stop."""
        return LABELS

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """A card, which everybody sees; of the dealer's first one only that there is one."""
        number, card = len(engine.history()), _card(outcome)
        is_dealers = number in (2, 3) or (number >= DEALT and engine.is_turn_over(0))
        if number == 2:
            return [GameEvent("covered", None, EVERYONE)]
        return [GameEvent("dealt", {"player": None if is_dealers else 0, "card": card}, EVERYONE)]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """The dealer's first card, and both totals."""
        view: Any = self.view(engine, None)
        totals = {"card": view["dealer"][0], "player": view["total"], "dealer": view["dealer_total"]}
        return [GameEvent("opened", totals, EVERYONE)]

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Deal the dealer's first card anew."""
        return redeal.imagine(engine, player, chance)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The player's cards and what they make, and the dealer's; the first of these is hidden until the end."""
        is_over = engine.current_player() == TERMINAL
        own, dealers = (list(map(_card, engine.cards(who))) for who in (0, engine.dealer_id()))
        sees_all = is_over or player is None
        status = self.status(engine, player)
        if is_over:
            (earned,) = engine.returns()
            status["outcome"] = {1.0: f"{self.name_of(0)} won", -1.0: "the dealer won", 0.0: "draw"}[earned]
        return {
            "cards": own,
            "total": engine.get_best_player_total(0),
            "dealer": dealers if sees_all else [None, *dealers[1:]],
            "dealer_total": engine.get_best_player_total(engine.dealer_id()) if sees_all else None,
            **status,
        }

    def public_view(self, engine: pyspiel.State) -> JSON:
        """What the player sees, who sees nothing more than a bystander."""
        view: Any = self.view(engine, Player(0))
        return {**view, "you": None}

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, and the cards as a scene."""
        return {"text": _text, "scene": _scene}

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "you hit or stand"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "covered":
            return "the dealer gets a card that is hidden"
        if event.kind == "dealt":
            who = "the dealer" if data["player"] is None else self.name_of(data["player"])
            return f"{who} gets {data['card']}"
        if event.kind == "opened":
            totals = f"{self.name_of(0)} has {data['player']}, the dealer {data['dealer']}"
            return f"the dealer's hidden card is {data['card']}; {totals}"
        return super().describe_event(event, player)


def _card(number: int) -> str:
    return f"{RANKS[number % len(RANKS)]}{'cdhs'[number // len(RANKS)]}"


def _text(view: Any) -> str:
    whose = ("Your cards", "your") if view["you"] else ("The player's cards", "the player's")
    dealers = " ".join(card or "(hidden)" for card in view["dealer"])
    total = f", total {view['dealer_total']}" if view["dealer_total"] is not None else ""
    return "\n".join(
        [
            f"{whose[0]}: {' '.join(view['cards'])}, total {view['total']}.",
            f"The dealer's cards: {dealers}{total}.",
            status_line(view),
        ]
    )


def _scene(view: Any) -> Drawing:
    hands = [
        arena_scene.Cards(
            id=name,
            title=title,
            note="" if total is None else f"total {total}",
            cards=[held(f"{name}-{at}", card, f"card {at + 1} of {title}") for at, card in enumerate(cards)],
        )
        for name, title, cards, total in (
            ("dealer", "the dealer", view["dealer"], view["dealer_total"]),
            ("own", "you" if view["you"] else "the player", view["cards"], view["total"]),
        )
    ]
    note = arena_scene.SceneText(id="over", text=over(view), kind="note")
    parts = [*hands, *([note] if view["outcome"] else [])]
    return Drawing(*arena_scene.Scene("Blackjack", _text(view), *parts).drawn())
