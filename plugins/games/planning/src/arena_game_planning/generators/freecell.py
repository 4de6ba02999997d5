"""The card game: cards in columns, some free cells, and home piles that grow from the lowest card of each suit."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step

SUITS = ("clubs", "diamonds", "spades", "hearts")
"""Neighbours differ in colour."""


@attrs.frozen
class FreecellSize:
    """How many suits, cards of each, columns and free cells there are."""

    suits: int
    ranks: int
    columns: int
    cells: int


def draw(chance: Random, size: FreecellSize) -> Draft:
    """A deal at random; no plan is known, and few deals have none."""
    if not 2 <= size.suits <= 4 or size.ranks < 1 or size.columns < 2 or size.cells < 0:
        raise ValueError("expected 2 to 4 suits, a card of each and two columns at least")
    suits = SUITS[: size.suits]
    cards = [(suit, rank) for suit in suits for rank in range(1, size.ranks + 1)]
    columns: list[list[tuple[str, int]]] = [[] for _ in range(size.columns)]
    for place, card in enumerate(chance.sample(cards, len(cards))):
        columns[place % size.columns].append(card)
    columns = [column for column in columns if column]
    counts = names("n", max(size.columns, size.cells) + 1, 0)
    init = [step("next", n, more) for n, more in pairwise(counts)]
    init += [step("free-cells", counts[size.cells]), step("free-columns", counts[size.columns - len(columns)])]
    init += [step("home", _name(suit, 0)) for suit in suits]
    init += [step("next-in-suit", _name(suit, rank - 1), _name(suit, rank)) for suit, rank in cards]
    for suit, rank in cards:
        parity = SUITS.index(suit) % 2
        init += [
            step("fits-on", _name(suit, rank), _name(other, rank + 1))
            for other in suits
            if SUITS.index(other) % 2 != parity and rank < size.ranks
        ]
    for column in columns:
        placed = [_name(*card) for card in column]
        init.append(step("lowest", placed[0]))
        init += [step("on", card, below) for below, card in pairwise(placed)]
        init.append(step("clear", placed[-1]))
    objects = (
        ("card", (*(_name(suit, 0) for suit in suits), *(_name(*card) for card in cards))),
        ("count", counts),
    )
    goal = tuple(step("home", _name(suit, size.ranks)) for suit in suits)
    return Draft(objects, tuple(init), goal)


def _name(suit: str, rank: int) -> str:
    return f"{suit}-{rank}"


def _size(ranks: int) -> FreecellSize:
    """The larger the deck, the more room, so that planners find a plan in seconds."""
    return FreecellSize(suits=4, ranks=ranks, columns=8 + (ranks > 11), cells=4 + (ranks > 12))


GENERATOR = Generator("freecell", ("resource",), tuple(_size(ranks) for ranks in spread(100, 9.6, 13.4)), draw)
