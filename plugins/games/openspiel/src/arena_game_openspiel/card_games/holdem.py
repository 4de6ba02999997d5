"""Texas hold'em by OpenSpiel, without a limit or with a fixed one."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, Literal

import attrs
import pyspiel
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Drawing, Entities, Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.card_games.card_scenes import poker_hand
from arena_game_openspiel.card_games.poker import Hand, Poker, chips, dealt
from arena_game_openspiel.engine.redeal import replay
from arena_game_openspiel.engine.spiel import CHANCE, TERMINAL, load

FOLD, CALL, POT, ALL_IN, HALF_POT = range(5)
"""OpenSpiel's actions; with a fixed limit the third one is a raise by the limit."""

BOARD: Final = (0, 3, 4, 5)
"""How many cards are on the board in each round of betting."""

RAISES: Final = (3, 4, 4, 4)
"""The most raises of each round with a fixed limit."""

LIMIT_PLAYERS: Final = 4
"""The most players with a fixed limit; with more OpenSpiel ends the process."""

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

RULES = """\
Texas hold'em is poker for 2 to {most} players; a match is one hand. Everybody gets two cards only they see; five are \
laid on the board. Your hand is the best five of these seven, ranked as usual.

First the blinds are paid: {small} chips by player 1 and {big}, the big blind, by player 2; with two players, the \
other way round. Four rounds of betting follow, with 0, 3, 4 and 5 cards on the board. The first begins after the big \
blind, the others at player 1; whoever is out is passed over. In your turn you may

- fold, if somebody has paid more: you are out;
- call, if somebody has: you pay what is missing; or else check, paying nothing;
- {raises}

{stacks} Moves are public.

The last player in takes the pot. If several are in at the end, they show their cards, and the best hand takes it; \
equal hands share it. You earn what you take less what you paid.

Cards have a rank (2 to 10, J, Q, K, A) and a suit (c, d, h, s: clubs, diamonds, hearts, spades): 10h is the ten of \
hearts."""

NO_LIMIT = (
    "bet or raise: pay what is missing and, on top, half of what the pot then holds (rounded up) or all of it; or "
    "go all in.",
    "Everybody begins with {stack} chips and can bet no more. A round ends when all who are in have acted and paid the "
    "same, or all their chips.",
)
FIXED = (
    "bet or raise: pay what is missing and, on top, {big} chips in the first two rounds, {double} in the others; at "
    "most 3 times in the first round and 4 in each other one, by all together.",
    "Nobody runs out of chips. A round ends when all who are in have acted and paid the same.",
)


@attrs.frozen(kw_only=True)
class TexasHoldem(Poker):
    """Two cards each, five on the board, and four rounds of betting."""

    words_of_the_rules = RULES

    betting: Literal["no-limit", "limit"] = attrs.field(
        default="no-limit",
        metadata={"help": "no-limit: half the pot, the pot or all chips; limit: fixed bets, 4 players at most"},
    )
    small_blind: int = attrs.field(
        default=50, validator=and_(ge(1), le(10_000)), metadata={"help": "chips of the small blind"}
    )
    big_blind: int = attrs.field(
        default=100,
        validator=and_(ge(1), le(10_000)),
        metadata={"help": "chips of the big blind, and of a raise with a fixed limit"},
    )
    stack: int = attrs.field(
        default=2_000,
        validator=and_(ge(2), le(1_000_000)),
        metadata={"help": "chips that each player begins with, without a limit"},
    )

    def __attrs_post_init__(self) -> None:
        if self.small_blind > self.big_blind:
            raise ConfigError(f"small-blind: expected at most the big blind, {self.big_blind}, got {self.small_blind}")
        if self.betting == "no-limit" and self.stack < 2 * self.big_blind:
            raise ConfigError(
                f"stack: expected at least twice the big blind, {2 * self.big_blind} chips, got {self.stack}"
            )

    @property
    def title(self) -> str:
        return "Texas hold'em"

    @property
    def rules(self) -> str:
        raises, stacks = FIXED if self.betting == "limit" else NO_LIMIT
        amounts = {"small": self.small_blind, "big": self.big_blind, "double": 2 * self.big_blind, "stack": self.stack}
        return RULES.format(
            most=max(self.player_counts()), raises=raises.format(**amounts), stacks=stacks.format(**amounts), **amounts
        )

    def player_counts(self) -> Sequence[int]:
        """Two to ten; with a fixed limit OpenSpiel plays with four at most."""
        return range(2, (LIMIT_PLAYERS if self.betting == "limit" else 10) + 1)

    def facts(self, players: int) -> GameFacts:
        """The most that anybody can pay bounds what is lost, and what is won from all others."""
        most = float(self.most_paid)
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="zero-sum",
            min_return=-most,
            max_return=most * (players - 1),
            max_steps=self.engine(players).max_game_length(),
            forfeit_return=-most,
            others_return=most / (players - 1),
            outcome="payoff",
            return_unit="chips a hand",
        )

    def engine(self, players: int) -> pyspiel.Game:
        blinds = [self.small_blind, self.big_blind, *[0] * (players - 2)]
        big = self.big_blind
        return load(
            "universal_poker",
            betting="limit" if self.betting == "limit" else "nolimit",
            bettingAbstraction="fcpa" if self.betting == "limit" else "fchpa",
            numPlayers=players,
            numRounds=len(BOARD),
            numSuits=4,
            numRanks=len(RANKS),
            numHoleCards=2,
            numBoardCards="0 3 1 1",
            blind=_listed(blinds if players > 2 else blinds[::-1]),
            firstPlayer=f"{3 if players > 2 else 2} 1 1 1",
            stack=_listed([self.most_paid] * players),
            raiseSize=_listed([big, big, 2 * big, 2 * big]),
            maxRaises=_listed(RAISES),
        )

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The action in poker terms, and what it costs: what the engine then counts as paid."""
        if action == FOLD:
            return "fold"
        paid = _paid(engine)
        cost = _paid(engine.child(action))[player] - paid[player]
        if action == CALL:
            return f"call {chips(cost)}" if cost else "check"
        # the blinds are bets, so that the first round knows raises alone
        verb = "bet" if max(paid) == paid[player] and not _is_first_round(engine) else "raise"
        if self.betting == "limit":
            return f"{verb}, paying {chips(cost)}"
        what = {POT: f"{verb} the pot", HALF_POT: f"{verb} half the pot", ALL_IN: "go all in"}[action]
        return f"{what}, paying {chips(cost)}"

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Two cards for each player in order, then those on the board."""
        number = len(engine.history())
        if number < 2 * engine.num_players():
            return [dealt(Player(number // 2), _card(outcome))]
        return [GameEvent("opened", {"card": _card(outcome)}, EVERYONE)]

    def hand(self, engine: pyspiel.State) -> Hand:
        """Read the hand from the engine's states since its start."""
        return _hand(self, engine.num_players(), tuple((each.player, each.action) for each in engine.full_history()))

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Deal the others' cards again; not by OpenSpiel, which forgets the order of one's own."""
        if engine.current_player() == TERMINAL:
            return None
        rng = Random(chance.index("imagine", 1 << 32))
        history, players = engine.history(), engine.num_players()
        cards = [each.action for each in engine.full_history() if each.player == CHANCE]
        seen = {*cards[2 * player : 2 * player + 2], *cards[2 * players :]}
        drawn = iter(rng.sample(sorted({*range(4 * len(RANKS))} - seen), 2 * players - 2))
        hands = [card if at // 2 == player else next(drawn) for at, card in enumerate(history[: 2 * players])]
        return replay(engine.get_game().new_initial_state(), [*hands, *history[2 * players :]])

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The cards ``player`` sees, the board, and everybody's stakes and bets."""
        return self._counted(super().view(engine, player))

    def public_view(self, engine: pyspiel.State) -> JSON:
        """The board, everybody's stakes and bets, and the cards that are shown at the end."""
        return self._counted(super().public_view(engine))

    @property
    def forms(self) -> Mapping[str, Form]:
        """The whole observation as text, and the table as a scene."""
        return {"text": _text, "scene": self._scene}

    def names(self, observation: Any) -> Sequence[Entities]:
        """None: a bare rank or suit is too often another word."""
        return ()

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        return (
            f"{data['card']} is laid on the board" if event.kind == "opened" else super().describe_event(event, player)
        )

    @property
    def most_paid(self) -> int:
        """The most that a player can pay."""
        if self.betting == "no-limit":
            return self.stack
        sizes = (self.big_blind, self.big_blind, 2 * self.big_blind, 2 * self.big_blind)
        return self.big_blind + sum(size * most for size, most in zip(sizes, RAISES, strict=True))

    def _counted(self, view: Any) -> JSON:
        left = {} if self.betting == "limit" else {n: self.stack - paid for n, paid in view["paid"].items()}
        return {**view, "hand_size": 2, "left": left}

    def _scene(self, view: Any) -> Drawing:
        return poker_hand(view, _text(view), self.title)


@lru_cache(maxsize=1 << 10)
def _hand(game: TexasHoldem, players: int, history: tuple[tuple[int, int], ...]) -> Hand:
    """A hand after these steps of players and of chance; what was paid for each is read from the engine's states."""
    engine = game.engine(players).new_initial_state()
    cards: list[list[str]] = [[] for _ in range(players)]
    board: list[str] = []
    betting: list[list[tuple[int, str]]] = [[]]
    for player, action in history:
        if player != CHANCE:
            betting[-1].append((player, game.label(engine, Player(player), action)))
        elif len(engine.history()) < 2 * players:
            cards[len(engine.history()) // 2].append(_card(action))
        else:
            if len(board) in BOARD[:-1]:
                betting.append([])
            board.append(_card(action))
        engine.apply_action(action)
    return Hand(
        cards=tuple(map(" ".join, cards)),
        paid=_paid(engine),
        folded=frozenset(player for player, action in history if player != CHANCE and action == FOLD),
        betting=tuple(map(tuple, betting)),
        has_public=True,
        public=" ".join(board) or None,
    )


def _paid(engine: pyspiel.State) -> tuple[int, ...]:
    """What each player has paid so far, as the engine counts it."""
    found = re.search(r"PlayerContribution: ([\d ]+)", engine.observation_string(0))
    assert found is not None  # as OpenSpiel writes each state
    return tuple(map(int, found[1].split()))


def _is_first_round(engine: pyspiel.State) -> bool:
    """Whether no card is on the board yet."""
    return sum(each.player == CHANCE for each in engine.full_history()) == 2 * engine.num_players()


def _card(number: int) -> str:
    return f"{RANKS[number // 4]}{'cdhs'[number % 4]}"


def _listed(amounts: Sequence[int]) -> str:
    return " ".join(map(str, amounts))


def _text(view: Any) -> str:
    own = [f"You hold {view['cards'][view['you']]}."] if view["you"] else []
    held = [f"{seat} holds {cards}." for seat, cards in view["cards"].items() if cards and seat != view["you"]]
    board = f"On the board: {view['public_card'] or 'no card yet'}. This is round {view['round']} of betting."
    paid = ", ".join(f"{seat} paid {amount}{_left(view, seat)}" for seat, amount in view["paid"].items())
    bets = [
        f"Betting in round {number}: {', '.join(f'{seat}: {words}' for seat, words in said)}."
        for number, said in enumerate(view["betting"], start=1)
        if said
    ]
    out = [f"Out: {', '.join(view['folded'])}."] if view["folded"] else []
    return "\n".join(
        [*own, *held, board, f"The pot holds {chips(view['pot'])} ({paid}).", *bets, *out, status_line(view)]
    )


def _left(view: Any, seat: str) -> str:
    return f" and has {view['left'][seat]} left" if view["left"] else ""
