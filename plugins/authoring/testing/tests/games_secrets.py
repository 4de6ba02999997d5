"""A game of one hidden card each, whose positions can be drawn for players who think ahead."""

from collections.abc import Mapping, Sequence

import attrs
from arena.chance import Chance
from arena.game import Decision, Game, GameFacts, Options, State
from arena.record import EVERYONE, JSON, GameEvent, Player


@attrs.frozen
class Cards(Game):
    """Guess the other's card."""

    ranks: int = 6

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
        events = [GameEvent("dealt", {"player": p, "card": card}, (Player(p),)) for p, card in enumerate(hands)]
        return Hands(self.ranks, hands), events


@attrs.define(eq=False)
class Hands(State):
    """Two cards, and what was guessed."""

    ranks: int
    hands: list[int]
    guesses: list[int] = attrs.field(factory=list)

    def to_act(self) -> Sequence[Player]:
        return (Player(len(self.guesses) % 2),) if len(self.guesses) < 4 else ()

    def decision(self, player: Player) -> Decision:
        others = [card for card in range(1, self.ranks + 1) if card != self.hands[player]]
        return Decision(player=player, phase="guess", options=Options(others, lambda card: f"guess {card}"))

    def observe(self, player: Player | None) -> JSON:
        cards = {str(p): card for p, card in enumerate(self.hands) if player in (None, p)}
        return {"cards": cards, "guesses": list(self.guesses)}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        ((player, card),) = actions.items()
        self.guesses.append(card)
        return [GameEvent("guessed", {"player": player, "guess": card}, EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        first, second = (float(guess == self.hands[1 - p]) for p, guess in enumerate(self.guesses[2:]))
        return (first - second, second - first)

    def resample_hidden(self, player: Player, chance: Chance) -> State | None:
        """The other card is drawn from those that the player does not hold."""
        other = chance.choice("other", [card for card in range(1, self.ranks + 1) if card != self.hands[player]])
        return type(self)(self.ranks, self._with(player, other), list(self.guesses))

    def clone(self) -> State:
        return type(self)(self.ranks, list(self.hands), list(self.guesses))

    def _with(self, player: Player, other: int) -> list[int]:
        return [self.hands[player], other] if player == 0 else [other, self.hands[player]]


@attrs.frozen
class Dice(Game):
    """Roll a die twice each; whoever has rolled more wins."""

    rules = "Two players roll a die in turn, or pass, twice each. Who has rolled more in all wins; the first, if equal."

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(chance=True, returns="zero-sum", min_return=-1, max_return=1, max_steps=4)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Rolls(chance), ()


@attrs.define(eq=False)
class Rolls(State):
    """What was rolled, and the chance that will roll."""

    chance: Chance
    rolled: list[int] = attrs.field(factory=list)

    def to_act(self) -> Sequence[Player]:
        return (Player(len(self.rolled) % 2),) if len(self.rolled) < 4 else ()

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, options=Options(["roll", "pass"]))

    def observe(self, player: Player | None) -> JSON:
        return {"rolled": list(self.rolled)}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        ((player, action),) = actions.items()
        self.rolled.append(1 + self.chance.index("die", 6) if action == "roll" else 0)
        return [GameEvent("rolled", {"player": player, "die": self.rolled[-1]}, EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        wins = sum(self.rolled[::2]) >= sum(self.rolled[1::2])
        return (1.0, -1.0) if wins else (-1.0, 1.0)

    def resample_hidden(self, player: Player, chance: Chance) -> State | None:
        """Later rolls come from the chance that is given."""
        return type(self)(chance, list(self.rolled))

    def clone(self) -> State:
        return type(self)(self.chance.clone(), list(self.rolled))
