"""What one player of Hanabi can work out from its observation: what each card may be, and what is of use."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs
from arena_game_openspiel.card_games.fireworks import COLOURS

Faces = frozenset[str]
"""Faces of cards, each the letter of a colour and the digit of a rank, such as ``R1``."""

LETTERS: Final = {name: letter for letter, name in COLOURS.items()}


def deck(colours: int, ranks: int) -> dict[str, int]:
    """How many cards of each face are in a deck: three of rank 1, one of the highest rank, two of all others."""
    return {
        f"{colour}{rank}": 3 if rank == 1 else 1 if rank == ranks else 2
        for rank in range(1, ranks + 1)
        for colour in list(COLOURS)[:colours]
    }


@attrs.frozen
class HandCard:
    """A card in a hand: the letter of its place, its face if the observer sees it, and what its holder may take it for.

    Of another player's card, ``possible`` are the faces that its holder cannot rule out by what both of them see.
    """

    position: str
    face: str | None
    possible: Faces

    def hinted(self, value: str) -> Faces:
        """What the holder may take the card for after a hint of a colour's letter or a rank's digit."""
        if self.face is None:
            return self.possible
        return frozenset(face for face in self.possible if (value in face) == (value in self.face))


@attrs.frozen(eq=False)
class SeenTable:
    """The table as one player sees it; the other ``hands`` are by name, from the player who acts next.

    ``playable`` are the faces that fit now, ``useless`` those that never will, and ``last_copies`` those of which one
    card is left and still needed.
    """

    own: tuple[HandCard, ...]
    hands: Mapping[str, tuple[HandCard, ...]]
    hints: int
    lives: int
    deck: int
    playable: Faces
    useless: Faces
    last_copies: Faces

    @classmethod
    def read(cls, view: Any, copies: Mapping[str, int]) -> "SeenTable":
        """Work a table out from a player's observation; ``copies`` are the cards of each face in the deck."""
        fireworks = {LETTERS[colour]: height for colour, height in view["fireworks"].items()}
        laid = frozenset(f"{colour}{rank}" for colour, height in fireworks.items() for rank in range(1, height + 1))
        discards = Counter[str](view["discards"])
        useless = laid | _lost(copies, laid, discards)
        hands = _hands(view, Counter[str](copies) - discards - Counter(laid))
        return cls(
            own=hands.pop(view["you"]),
            hands=hands,
            hints=view["hint_tokens"],
            lives=view["lives"],
            deck=view["deck"],
            playable=frozenset(f"{colour}{height + 1}" for colour, height in fireworks.items()),
            useless=useless,
            last_copies=frozenset(f for f, number in copies.items() if number - discards[f] == 1) - useless,
        )


def _lost(copies: Mapping[str, int], laid: Faces, discards: Mapping[str, int]) -> Faces:
    """Faces that no firework can reach, since all cards of theirs or of a lower rank of their colour are discarded."""
    found: set[str] = set()
    for face, number in copies.items():  # lower ranks come first
        below = f"{face[0]}{int(face[1]) - 1}"
        if face not in laid and (discards.get(face, 0) >= number or below in found):
            found.add(face)
    return frozenset(found)


def _hands(view: Any, hidden: Counter[str]) -> dict[str, tuple[HandCard, ...]]:
    """All hands, the player's own first and then in the order of turns; ``hidden`` are all cards not on the table."""
    names = list(view["hands"])
    first = names.index(view["you"])
    faces = {name: [card["card"] for card in view["hands"][name]] for name in names if name != view["you"]}
    found: dict[str, tuple[HandCard, ...]] = {}
    for name in (*names[first:], *names[:first]):
        cards = view["hands"][name]
        unseen = hidden - Counter(face for other, hand in faces.items() if other != name for face in hand)
        possible = _narrowed((_hinted(card["may_be"]) for card in cards), unseen)
        found[name] = tuple(
            HandCard(card["position"], card["card"], some) for card, some in zip(cards, possible, strict=True)
        )
    return found


def _hinted(may_be: Mapping[str, Sequence[Any]]) -> Faces:
    """The faces that hints leave open for one card."""
    return frozenset(f"{LETTERS[colour]}{rank}" for colour in may_be["colours"] for rank in may_be["ranks"])


def _narrowed(hand: Iterable[Faces], unseen: Counter[str]) -> list[Faces]:
    """What the cards of a hand may be if ``unseen`` are all cards that its holder does not see elsewhere.

    A card that can be only one thing takes that copy from the others, until nothing more follows.
    """
    possible = [frozenset(face for face in faces if unseen[face]) for faces in hand]
    while True:
        certain = Counter(face for faces in possible if len(faces) == 1 for face in faces)
        spent = frozenset(face for face, number in certain.items() if number >= unseen[face])
        fewer = [faces if len(faces) == 1 else faces - spent for faces in possible]
        if fewer == possible:
            return possible
        possible = fewer
