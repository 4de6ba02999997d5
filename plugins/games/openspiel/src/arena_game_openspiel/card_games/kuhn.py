"""Kuhn poker for two or more players."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Form, GameFacts
from arena.record import GameEvent, Player

from arena_game_openspiel.card_games.poker import Hand, Poker, dealt, ranks
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.random_play import RANDOM_PLAY

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
class KuhnPoker(Poker):
    """One card each and a single bet."""

    words_of_the_rules = RULES

    def facts(self, players: int) -> GameFacts:
        """The facts for this number of players; the game of two is solved."""
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="zero-sum",
            min_return=-2.0,
            max_return=2.0 * (players - 1),
            optimal_returns=(-1 / 18, 1 / 18) if players == 2 else None,
            optimal_source="equilibrium value (Kuhn 1950)" if players == 2 else "",
            random=RANDOM_PLAY.get("kuhn-poker") if players == 2 else None,
            max_steps=2 * players - 1,
            forfeit_return=-2.0,
            others_return=2.0 / (players - 1),
            outcome="payoff",
            return_unit="chips a hand",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("kuhn_poker", players=players)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Those of all poker games, and what a player may do in one word each."""
        return {**super().forms, "short-actions": _short_actions}

    def words(self, engine: pyspiel.State, player: Player, legal: Sequence[int]) -> Callable[[int], str]:
        """Translate OpenSpiel's pass and bet into check and bet, or fold and call, depending on what went before."""
        return (FACING if BET in engine.history()[engine.num_players() :] else OPEN).__getitem__

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Cards are dealt to the players in order."""
        return [dealt(Player(len(engine.history())), ranks(engine.num_players() + 1)[outcome])]

    def hand(self, engine: pyspiel.State) -> Hand:
        """Read the hand from the history, whose first moves are the deals."""
        return _hand(engine.num_players(), tuple(engine.history()))


def _short_actions(view: Any) -> str:
    is_bet = any(words == OPEN[BET] for _, words in view["betting"][0])
    return " ".join(words.split()[0] for words in (FACING if is_bet else OPEN))


@lru_cache(maxsize=1 << 10)
def _hand(players: int, history: tuple[int, ...]) -> Hand:
    moves = [(turn % players, move) for turn, move in enumerate(history[players:])]
    first_bet = next((turn for turn, (_, move) in enumerate(moves) if move == BET), len(moves))
    betting = tuple((p, (FACING if turn > first_bet else OPEN)[move]) for turn, (p, move) in enumerate(moves))
    paying = {p for p, move in moves if move == BET}
    return Hand(
        cards=tuple(ranks(players + 1)[card] for card in history[:players]),
        paid=tuple(1 + (p in paying) for p in range(players)),
        folded=frozenset(p for p, move in moves[first_bet:] if move == PASS),
        betting=(betting,),
    )
