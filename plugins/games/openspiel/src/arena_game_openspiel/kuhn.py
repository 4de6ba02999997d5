"""Kuhn poker, for two players and more."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Form, GameFacts
from arena.record import JSON, GameEvent, Player

from arena_game_openspiel import poker, redeal
from arena_game_openspiel.engine import SpielGame, load
from arena_game_openspiel.state import TERMINAL

PASS, BET = 0, 1
OPEN: Final = ("check", "bet 1 chip")
FACING: Final = ("fold", "call 1 chip")

RULES = """\
Kuhn poker is a very small poker game; a match is one hand. With n players the deck has n + 1 cards, all of \
different ranks: J, Q and K for two players (K is the highest, J the lowest), and each further player adds the next \
lower rank (10, 9, 8, ...). Everybody pays an ante of 1 chip into the pot. Then everybody is dealt one card, which \
only its holder sees. One card is left over; nobody sees it.

There is one round of betting. Player 1 acts first, then the others in order. While nobody has bet, you may check \
(pay nothing) or bet 1 chip. Once somebody has bet, each of the other players, in order and going around, acts \
exactly once more: it calls (pays 1 chip) or folds (pays nothing and is out of the hand). There is only one bet and \
no raise. If everybody checks, the betting ends without a bet. Everybody sees all of these moves.

If all others fold, the player who bet takes the pot and no card is shown. Otherwise the players who are still in \
show their cards to everybody, and the highest card takes the whole pot. There are no ties.

You earn what you take from the pot less what you paid into it: with two players between -2 and 2."""


@attrs.frozen
class KuhnPoker(SpielGame):
    """One card each and a single bet."""

    luck = "card"

    @property
    def rules(self) -> str:
        """The rules for any number of players."""
        return RULES

    def player_counts(self) -> Sequence[int]:
        """Two to ten."""
        return range(2, 11)

    def seats(self, players: int) -> Sequence[str]:
        """Player 1 acts first."""
        return poker.seats(players)

    def facts(self, players: int) -> GameFacts:
        """The game of two is solved."""
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="zero-sum",
            least_return=-2.0,
            greatest_return=2.0 * (players - 1),
            optimal_returns=(-1 / 18, 1 / 18) if players == 2 else None,
            optimal_source="equilibrium value (Kuhn 1950)" if players == 2 else "",
            wave_limit=2 * players - 1,
            forfeit_return=-2.0,
            others_return=2.0 / (players - 1),
        )

    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's ``kuhn_poker``."""
        return load("kuhn_poker", players=players)

    def words(self, engine: pyspiel.State, player: Player, legal: Sequence[int]) -> Callable[[int], str]:
        """The engine's pass and bet mean check and bet, or fold and call, depending on what went before."""
        return (FACING if BET in engine.history()[engine.num_players() :] else OPEN).__getitem__

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Check, bet, fold or call."""
        return self.words(engine, player, ())(action)

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Cards are dealt to the players in order."""
        return [_dealt(len(engine.history()), outcome, engine.num_players())]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """Who is still in shows its card."""
        return list(_ended(engine.num_players(), tuple(engine.history()), tuple(engine.returns())))

    def imagine(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Deal the cards again that the player does not see."""
        return redeal.imagine(engine, player, chance)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The table as ``player`` sees it."""
        hand = _Hand.of(engine.num_players(), engine.history())
        names = self.seats(len(hand.cards))
        is_shown = engine.current_player() == TERMINAL and len(hand.staying) > 1
        visible = {p for p in range(len(names)) if player in (None, p) or (is_shown and p in hand.staying)}
        paid = [1 + (p in hand.paying) for p in range(len(names))]
        return {
            **self.status(engine, player),
            "cards": {name: hand.cards[p] if p in visible else None for p, name in enumerate(names)},
            "pot": sum(paid),
            "paid": dict(zip(names, paid, strict=True)),
            "betting": [[[names[p], words] for p, words in hand.betting]],
            "folded": [name for p, name in enumerate(names) if p not in hand.staying],
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Words."""
        return FORMS

    def tell(self, event: GameEvent, player: Player | None) -> str:
        """Cards, bets and the end in words."""
        return poker.tell(self.name_of, event, player) or super().tell(event, player)


FORMS: Final[Mapping[str, Form]] = {"text": poker.text}


@attrs.frozen
class _Hand:
    """A hand so far: cards, who pays the bet, who is still in, and the betting in words."""

    cards: tuple[str, ...]
    paying: frozenset[int]
    staying: tuple[Player, ...]
    betting: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, players: int, history: Sequence[int]) -> "_Hand":
        moves = [(turn % players, move) for turn, move in enumerate(history[players:])]
        first_bet = next((turn for turn, (_, move) in enumerate(moves) if move == BET), len(moves))
        folded = {p for p, move in moves[first_bet:] if move == PASS}
        return cls(
            cards=tuple(poker.ranks(players + 1)[card] for card in history[:players]),
            paying=frozenset(p for p, move in moves if move == BET),
            staying=tuple(Player(p) for p in range(players) if p not in folded),
            betting=tuple((p, (FACING if turn > first_bet else OPEN)[move]) for turn, (p, move) in enumerate(moves)),
        )


@lru_cache
def _dealt(player: int, card: int, players: int) -> GameEvent:
    return poker.dealt(Player(player), poker.ranks(players + 1)[card])


@lru_cache(maxsize=1 << 10)
def _ended(players: int, history: tuple[int, ...], returns: tuple[float, ...]) -> tuple[GameEvent, ...]:
    hand = _Hand.of(players, history)
    return tuple(poker.settled({p: hand.cards[p] for p in hand.staying}, returns))
