"""A card each and four guesses, where everybody is told the first card and search agents are handed the truth."""

from collections.abc import Mapping, Sequence

import attrs
from arena.chance import Chance
from arena.game import Decision, Game, GameFacts, Options, State
from arena.record import EVERYONE, JSON, GameEvent, Player


@attrs.frozen
class Cards(Game):
    """Guess the other's card."""

    ranks: int = attrs.field(default=6, metadata={"help": "how many different cards there are"})

    @property
    def rules(self) -> str:
        return (
            f"Two players get one of {self.ranks} different cards each, see their own alone, and guess in turn, twice "
            "each, which card the other holds. Who is right in the last guess wins one point from the other."
        )

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            hidden_information=True, chance=True, returns="zero-sum", min_return=-1, max_return=1, max_steps=4
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        hands = chance.shuffle("deal", range(1, self.ranks + 1))[:2]
        first, second = ({"player": player, "card": card} for player, card in enumerate(hands))
        # The fault: the first card goes to everybody.
        return Hands(self.ranks, hands), [GameEvent("dealt", first, EVERYONE), GameEvent("dealt", second, (Player(1),))]


@attrs.define(eq=False)
class Hands(State):
    """Two cards, and what was guessed."""

    ranks: int
    hands: list[int]
    guesses: list[int] = attrs.field(factory=list[int])

    def to_act(self) -> Sequence[Player]:
        return (Player(len(self.guesses) % 2),) if len(self.guesses) < 4 else ()

    def decision(self, player: Player) -> Decision:
        others = [card for card in range(1, self.ranks + 1) if card != self.hands[player]]
        return Decision(player=player, phase="guess", options=Options(others, lambda card: f"guess {card}"))

    def observe(self, player: Player | None) -> JSON:
        cards = {str(p): card for p, card in enumerate(self.hands) if player in (None, p)}
        return {"cards": cards, "guesses": list(self.guesses)}

    def apply(self, actions: Mapping[Player, int]) -> Sequence[GameEvent]:
        ((player, card),) = actions.items()
        self.guesses.append(card)
        return [GameEvent("guessed", {"player": player, "guess": card}, EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        first, second = (float(guess == self.hands[1 - p]) for p, guess in enumerate(self.guesses[2:]))
        return (first - second, second - first)

    def resample_hidden(self, player: Player, chance: Chance) -> State | None:
        # The fault: what the player has not seen is the truth.
        return self.clone()
