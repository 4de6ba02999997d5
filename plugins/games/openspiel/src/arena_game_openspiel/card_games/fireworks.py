"""Reads a Hanabi table from OpenSpiel's text, and deals again the cards that a player does not see."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import attrs
import pyspiel
from arena.record import Player

from arena_game_openspiel.engine.redeal import replay
from arena_game_openspiel.engine.spiel import CHANCE

COLOURS: Final = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}
ATTEMPTS: Final = 200


@attrs.frozen
class Card:
    """A card in a hand: its face (``R1``), and the colours and ranks that its hints leave open (``RYG123``)."""

    face: str
    may_be: str

    def may(self, face: str) -> bool:
        """Whether the hints allow ``face``."""
        return face[0] in self.may_be and face[1] in self.may_be


@attrs.frozen
class HanabiTable:
    """Everything on the table, as the spectator sees it."""

    hands: tuple[tuple[Card, ...], ...]
    fireworks: dict[str, int]
    hints: int
    lives: int
    deck: int
    discards: list[str]

    @classmethod
    def read(cls, text: str) -> "HanabiTable":
        """Parse OpenSpiel's text of a whole state, in which ``Cur player`` marks the hand of the player to act."""
        head, _, rest = text.partition("Hands:\n")
        hands, _, tail = rest.partition("Deck size: ")
        deck, _, discards = tail.partition("\nDiscards:")
        return cls(
            hands=tuple(_hand(lines) for lines in hands.replace("Cur player\n", "").split("-----\n")),
            fireworks={mark[0]: int(mark[1]) for mark in _line(head, "Fireworks").split()},
            hints=int(_line(head, "Info tokens")),
            lives=int(_line(head, "Life tokens")),
            deck=int(deck),
            discards=discards.split(),
        )


def redealt(
    engine: pyspiel.State, player: Player, holder: Callable[[pyspiel.State], Player], rng: Random
) -> pyspiel.State | None:
    """The same match with another hand for ``player`` that fits its hints and the cards it has seen."""
    held = HanabiTable.read(str(engine)).hands[player]
    places, unseen = _deals(engine, player, holder, len(held))
    for _ in range(ATTEMPTS):
        hand = _drawn(held, [(outcome, _face(engine, outcome)) for outcome in unseen], rng)
        if hand is not None:
            history = engine.history()
            for place, outcome in zip(places, hand, strict=True):
                history[place] = outcome
            return replay(engine.get_game().new_initial_state(), history)
    return None


def _drawn(held: Sequence[Card], unseen: list[tuple[int, str]], rng: Random) -> list[int] | None:
    """Draw a hand of unseen cards that fit the hints; cards with the fewest possible faces are drawn first."""
    hand = [0] * len(held)
    for place in sorted(range(len(held)), key=lambda i: sum(held[i].may(face) for _, face in unseen)):
        fitting = [card for card in unseen if held[place].may(card[1])]
        if not fitting:
            return None
        card = rng.choice(fitting)
        unseen.remove(card)
        hand[place] = card[0]
    return hand


def _deals(
    engine: pyspiel.State, player: Player, holder: Callable[[pyspiel.State], Player], held: int
) -> tuple[Sequence[int], list[int]]:
    """Where in the history the cards in hand were dealt, oldest first, and all cards that ``player`` has not seen."""
    state = engine.get_game().new_initial_state()
    places: list[int] = []
    for place, step in enumerate(engine.full_history()):
        if step.player == CHANCE:
            if holder(state) == player:
                places.append(place)
        elif step.player == player:
            found = re.match(r"\((?:Play|Discard) (\d)\)", state.action_to_string(player, step.action))
            if found:
                places.pop(int(found[1]))
        state.apply_action(step.action)
    assert len(places) == held, (places, held)
    history = engine.history()
    return places, [history[place] for place in places] + _deck(engine)


def _deck(engine: pyspiel.State) -> list[int]:
    """The cards that are still in the deck."""
    game = engine.get_game()
    left = dict.fromkeys(range(game.max_chance_outcomes()), 0)
    ranks = _ranks(engine)
    for outcome in left:
        rank = outcome % ranks
        left[outcome] = 3 if rank == 0 else 1 if rank == ranks - 1 else 2
    for step in engine.full_history():
        if step.player == CHANCE:
            left[step.action] -= 1
    return [outcome for outcome, number in left.items() for _ in range(number)]


def _ranks(engine: pyspiel.State) -> int:
    return engine.get_game().get_parameters()["ranks"]


def _face(engine: pyspiel.State, outcome: int) -> str:
    colour, rank = divmod(outcome, _ranks(engine))
    return f"{'RYGWB'[colour]}{rank + 1}"


def _hand(lines: str) -> tuple[Card, ...]:
    return tuple(Card(line[:2], line.rpartition("|")[2]) for line in lines.split("\n") if line)


def _line(text: str, name: str) -> str:
    found = re.search(rf"{name}: ?(.*)", text)
    assert found, text
    return found[1]
