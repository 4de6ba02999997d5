"""Names hands of poker and says who wins with them: from one card to the best five of seven."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Final

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

NAMES: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
"""The names of ranks, from the lowest."""

SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}

Strength = tuple[int, tuple[int, ...]]
"""The kind of a hand, the better the higher, and the ranks by which equal kinds are compared."""

HIGH, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)


def suit_of(card: str) -> str:
    """The suit of a card such as ``10h`` in full; empty where suits do not count."""
    return SUITS.get(card[-1], "")


def rank_of(card: str) -> str:
    """The rank of a card, without its suit."""
    return card[:-1] if suit_of(card) else card


def strength(cards: Iterable[str]) -> Strength:
    """How strong the best hand among these cards is; of five or fewer, that of all of them."""
    held = tuple(cards)
    return max(_of_five(five) for five in combinations(held, min(5, len(held))))


def hand_name(cards: Iterable[str]) -> str:
    """The best hand among these cards in words: ``pair of aces``, ``full house, kings over tens``."""
    kind, ranks = strength(cards)
    top, below = (*ranks, -1)[:2]
    first, second = NAMES[top], _many(below)
    if kind == STRAIGHT_FLUSH and top == len(RANKS) - 1:
        return "royal flush"
    return {
        HIGH: f"{first} high",
        PAIR: f"pair of {_many(top)}",
        TWO_PAIRS: f"two pairs, {_many(top)} and {second}",
        THREE: f"three {_many(top)}",
        STRAIGHT: f"straight, {first} high",
        FLUSH: f"flush, {first} high",
        FULL_HOUSE: f"full house, {_many(top)} over {second}",
        FOUR: f"four {_many(top)}",
        STRAIGHT_FLUSH: f"straight flush, {first} high",
    }[kind]


def won(view: Any) -> str:
    """Who takes the pot at the end of a hand, and with what; empty while it is played."""
    if not view["outcome"]:
        return ""
    pot = f"the pot of {view['pot']:,} chips"
    staying = [seat for seat in view["cards"] if seat not in view["folded"]]
    if len(staying) == 1:
        others = "the others" if len(view["cards"]) > 2 else view["folded"][0]
        return f"{staying[0]} takes {pot}; {others} folded."
    if any(view["cards"][seat] is None for seat in staying):
        return f"The hand is over: {view['outcome']}."
    held = {seat: all_cards(view, seat) for seat in staying}
    best = max(map(strength, held.values()))
    winners = [seat for seat in staying if strength(held[seat]) == best]
    told = hand_name(held[winners[0]])
    if len(winners) > 1:
        return f"{' and '.join(winners)} share {pot}: {told}."
    return f"{winners[0]} takes {pot}: {told}."


def all_cards(view: Any, seat: str) -> Sequence[str]:
    """The cards of a seat and those on the board; none where its cards are hidden."""
    own = view["cards"][seat]
    return [] if own is None else [*own.split(), *(view.get("public_card") or "").split()]


def _of_five(cards: Sequence[str]) -> Strength:
    places = sorted((RANKS.index(rank_of(card)) for card in cards), reverse=True)
    counted = Counter(places)
    ranks = tuple(sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True))
    many = sorted(counted.values(), reverse=True)
    suits = {suit_of(card) for card in cards}
    is_flush = len(cards) == 5 and len(suits) == 1 and "" not in suits
    top = _straight(ranks) if len(cards) == 5 else None
    if top is not None:
        return (STRAIGHT_FLUSH if is_flush else STRAIGHT, (top,))
    if is_flush:
        return (FLUSH, ranks)
    kinds = {(4,): FOUR, (3, 2): FULL_HOUSE, (3,): THREE, (2, 2): TWO_PAIRS, (2,): PAIR}
    return (kinds.get(tuple(number for number in many if number > 1), HIGH), ranks)


def _straight(ranks: Sequence[int]) -> int | None:
    """The highest rank of five in a row; the ace counts below the two as well."""
    if len(ranks) == 5 and ranks[0] - ranks[4] == 4:
        return ranks[0]
    return 3 if tuple(ranks) == (12, 3, 2, 1, 0) else None


def _many(rank: int) -> str:
    name = NAMES[rank]
    return f"{name}es" if name == "six" else f"{name}s"
