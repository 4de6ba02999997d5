"""Card games: hidden cards, where each player sees its own, and a game of hints, where it sees all but its own."""

import copy
from collections.abc import Mapping, Sequence

import attrs
from arena.chance import Chance
from arena.game import Decision, Game, GameFacts, Options, State
from arena.record import EVERYONE, JSON, GameEvent, Player

CARDS = ("jack", "queen", "king")


@attrs.frozen
class KuhnPoker(Game):
    """Poker with three cards and one bet."""

    rules = (
        "Each player puts one coin into the pot and is dealt one card of jack, queen and king. The first player may "
        "check or bet one coin. After a bet the other may call it or fold; after a check the other may check or bet, "
        "and after that bet the first may call or fold. Who folds loses the pot; otherwise the higher card wins it."
    )

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="zero-sum",
            min_return=-2,
            max_return=2,
            optimal_returns=(-1 / 18, 1 / 18),
            optimal_source="Kuhn, A simplified two-person poker, 1950",
            max_steps=3,
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        hands = chance.shuffle("deal", CARDS)[:2]
        return KuhnHand(hands), [GameEvent("dealt", card, (Player(p),)) for p, card in enumerate(hands)]


@attrs.define(eq=False)
class KuhnHand(State):
    """Two cards and what was said about them."""

    hands: list[str]
    bids: list[str] = attrs.field(factory=list)

    def to_act(self) -> Sequence[Player]:
        over = self.bids[-1:] in (["call"], ["fold"]) or self.bids == ["check", "check"]
        return () if over else (Player(len(self.bids) % 2),)

    def decision(self, player: Player) -> Decision:
        bids = ["call", "fold"] if "bet" in self.bids else ["check", "bet"]
        return Decision(player=player, phase="bid", options=Options(bids))

    def observe(self, player: Player | None) -> JSON:
        cards = {str(p): card for p, card in enumerate(self.hands) if player is None or p == player}
        return {"cards": cards, "bids": list(self.bids)}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        ((player, bid),) = actions.items()
        self.bids.append(bid)
        events = [GameEvent("bid", [player, bid], EVERYONE)]
        if not self.to_act() and bid != "fold":
            events.append(GameEvent("shown", list(self.hands), EVERYONE))
        return events

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        if self.bids[-1] == "fold":
            winner, stake = len(self.bids) % 2, 1.0
        else:
            winner, stake = max((0, 1), key=lambda p: CARDS.index(self.hands[p])), 1.0 + ("bet" in self.bids)
        return (stake, -stake) if winner == 0 else (-stake, stake)


@attrs.frozen
class Fireworks(Game):
    """Play cards in order without seeing one's own."""

    colours: tuple[str, ...] = ("red", "blue")
    ranks: tuple[int, ...] = (1, 1, 2, 3)
    mistakes: int = 2

    @property
    def rules(self) -> str:
        return (
            f"Everybody holds two cards and sees all cards but its own. The cards are {', '.join(self.colours)} with "
            f"the numbers {self.ranks}. In turn, a player plays one of its cards or tells another which of that "
            "player's cards have a given colour. A card that continues its colour's pile, 1, 2, 3, scores one for "
            f"everybody; any other is a mistake. A played card is replaced from the deck. The game ends after "
            f"{self.mistakes} mistakes or when a card cannot be replaced."
        )

    def player_counts(self) -> Sequence[int]:
        return (2, 3)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="cooperative",
            min_return=0,
            max_steps=200,
            forfeit_return=0,
            others_return=0,
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        deck = chance.shuffle("deck", [[colour, rank] for colour in self.colours for rank in self.ranks])
        hands = [[deck.pop(), deck.pop()] for _ in range(players)]
        state = FireworksTable(self, hands, deck)
        return state, [GameEvent("dealt", [p, list(hand)], state.others(p)) for p, hand in enumerate(hands)]


@attrs.define(eq=False)
class FireworksTable(State):
    """Hands, deck and piles."""

    game: Fireworks
    hands: list[list[list]]
    deck: list[list]
    piles: dict[str, int] = attrs.field(factory=dict)
    hints: list = attrs.field(factory=list)
    mistakes: int = 0
    turn: int = 0
    is_over: bool = False

    def others(self, player: int) -> tuple[Player, ...]:
        return tuple(Player(p) for p in range(len(self.hands)) if p != player)

    def to_act(self) -> Sequence[Player]:
        return () if self.is_over else (Player(self.turn % len(self.hands)),)

    def decision(self, player: Player) -> Decision:
        plays = [["play", position] for position in (0, 1)]
        hints = [["hint", p, colour] for p in self.others(player) for colour in self.game.colours]
        return Decision(player=player, options=Options(plays + hints, self._label))

    def observe(self, player: Player | None) -> JSON:
        hands = {str(p): [list(card) for card in hand] for p, hand in enumerate(self.hands) if p != player}
        seen: dict = {
            "hands": hands,
            "piles": dict(self.piles),
            "hints": copy.deepcopy(self.hints),
            "mistakes": self.mistakes,
        }
        return {**seen, "deck": [list(card) for card in self.deck]} if player is None else seen

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        ((player, (verb, *rest)),) = actions.items()
        self.turn += 1
        return self._hint(player, *rest) if verb == "hint" else self._play(player, *rest)

    def returns(self) -> Sequence[float] | None:
        return [float(sum(self.piles.values()))] * len(self.hands) if self.is_over else None

    def _label(self, action: Sequence) -> str:
        if action[0] == "play":
            return f"play your {('left', 'right')[action[1]]} card"
        return f"tell player {action[1]} which cards are {action[2]}"

    def _hint(self, player: Player, to: int, colour: str) -> Sequence[GameEvent]:
        at = [position for position, card in enumerate(self.hands[to]) if card[0] == colour]
        self.hints.append([to, colour, at])
        return (GameEvent("hinted", {"by": player, "to": to, "colour": colour, "cards": list(at)}, EVERYONE),)

    def _play(self, player: Player, position: int) -> Sequence[GameEvent]:
        colour, rank = self.hands[player][position]
        fits = self.piles.get(colour, 0) + 1 == rank
        if fits:
            self.piles[colour] = rank
        else:
            self.mistakes += 1
        events = [
            GameEvent(
                "played-card", {"by": player, "position": position, "card": [colour, rank], "fits": fits}, EVERYONE
            )
        ]
        self.is_over = self.mistakes == self.game.mistakes or not self.deck
        if not self.is_over:
            card = self.hands[player][position] = self.deck.pop()
            events.append(GameEvent("drew", {"by": player, "card": list(card)}, self.others(player)))
        return events
