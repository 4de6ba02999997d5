"""Leduc poker for two or more players."""

from collections.abc import Mapping
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Form, GameFacts
from arena.record import EVERYONE, GameEvent, Player

from arena_game_openspiel.card_games.poker import Hand, Poker, chips, dealt, public_card, ranks
from arena_game_openspiel.engine.spiel import CHANCE, load
from arena_game_openspiel.random_play import RANDOM_PLAY

FOLD, CALL, RAISE = 0, 1, 2
SIZES: Final = (2, 4)
"""The size of a bet or raise, in chips, in the first and in the second round."""
MOST_RAISES: Final = 2
"""The most bets and raises of all players together in one round."""

RULES = """\
Leduc poker is a small poker game; a match is one hand. With n players the deck has two cards of each of n + 1 \
ranks: J, J, Q, Q, K, K for two players (K is the highest, J the lowest), and each further player adds two cards of \
the next lower rank (10, 9, 8, ...). Suits do not matter. Everybody pays an ante of 1 chip into the pot. Then \
everybody is dealt one card, which only its holder sees.

There are two rounds of betting. After the first, one public card from the rest of the deck is laid open for \
everybody. In each round player 1 acts first, or the next player in order who is still in. In your turn you may

- fold, if somebody has put in more than you: you are out of the hand and lose what you paid;
- check, if nobody has put in more than you (pay nothing), or call (pay what is missing to the highest stake);
- bet or raise: pay what is missing to the highest stake, and 2 chips more in the first round or 4 chips more in the \
second. In each round there can be at most two bets and raises together, by all players.

A round ends when everybody who is still in has acted and has paid the same. Everybody sees all of these moves.

If all others fold, the last player in takes the pot and no card is shown. Otherwise, after the second round, the \
players who are still in show their cards to everybody. A pair, your card having the same rank as the public card, \
beats every hand that is no pair. Without a pair the higher card wins. Equal hands share the pot equally.

You earn what you take from the pot less what you paid into it: with two players between -13 and 13."""


@attrs.frozen
class LeducPoker(Poker):
    """One card each, one public card and two rounds of betting."""

    words_of_the_rules = RULES

    def facts(self, players: int) -> GameFacts:
        """The facts for this number of players; the value of the game of two is known to about 4e-6."""
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="zero-sum",
            min_return=-13.0,
            max_return=13.0 * (players - 1),
            optimal_returns=(-0.085606, 0.085606) if players == 2 else None,
            optimal_source="equilibrium value by CFR+, exploitability 2.5e-5" if players == 2 else "",
            random=RANDOM_PLAY.get("leduc-poker") if players == 2 else None,
            max_steps=self.engine(players).max_game_length(),
            forfeit_return=-13.0,
            others_return=13.0 / (players - 1),
            outcome="payoff",
            return_unit="chips a hand",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("leduc_poker", players=players)

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The action in poker terms, and what it costs."""
        return _HandReplay.of(engine).words(player, action)

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """A card for each player in order, then the public one."""
        players, number = engine.num_players(), engine.move_number()
        card = ranks(players + 1)[outcome // 2]
        if number < players:
            return [dealt(Player(number), card)]
        return [GameEvent("opened", {"card": card}, EVERYONE)]

    @property
    def forms(self) -> Mapping[str, Form]:
        """The forms of poker, the public card alone, and what a player may do in one word each."""
        return {**super().forms, "public": public_card, "short-actions": _short_actions}

    def hand(self, engine: pyspiel.State) -> Hand:
        """Read the hand by replaying the history from the start."""
        table = _HandReplay.of(engine)
        return Hand(
            cards=tuple(table.cards),
            paid=tuple(table.paid),
            folded=frozenset(table.folded),
            betting=tuple(map(tuple, table.betting)),
            has_public=True,
            public=table.public,
        )


def _short_actions(view: Any) -> str:
    if view["to_move"] is None:
        return "none"
    missing = max(view["paid"].values()) - view["paid"][view["to_move"]]
    raises = sum(words.startswith(("bet", "raise")) for _, words in view["betting"][-1])
    names = ("fold", "call", "raise") if missing else ("check", "bet")
    return " ".join(names if raises < MOST_RAISES else names[:-1])


@attrs.define(eq=False)
class _HandReplay:
    """Replays a hand from OpenSpiel's history, and keeps its stakes and bets."""

    paid: list[int]
    cards: list[str] = attrs.field(factory=list)
    public: str | None = None
    folded: set[int] = attrs.field(factory=set)
    betting: list[list[tuple[int, str]]] = attrs.field(factory=lambda: [[]])

    @classmethod
    def of(cls, engine: pyspiel.State) -> "_HandReplay":
        players = engine.num_players()
        names = ranks(players + 1)
        table = cls([1] * players)
        for step in engine.full_history():
            if step.player != CHANCE:
                table.act(step.player, step.action)
            elif len(table.cards) < players:
                table.cards.append(names[step.action // 2])
            else:
                table.public = names[step.action // 2]
                table.betting.append([])
        return table

    def act(self, player: int, action: int) -> None:
        self.betting[-1].append((player, self.words(player, action)))
        if action == FOLD:
            self.folded.add(player)
        else:
            self.paid[player] = max(self.paid) + (self.size if action == RAISE else 0)

    def words(self, player: int, action: int) -> str:
        missing = max(self.paid) - self.paid[player]
        if action == FOLD:
            return "fold"
        if action == CALL:
            return f"call {chips(missing)}" if missing else "check"
        if not missing:
            return f"bet {chips(self.size)}"
        return f"raise by {chips(self.size)} (pay {missing + self.size})"

    @property
    def size(self) -> int:
        return SIZES[len(self.betting) - 1]
