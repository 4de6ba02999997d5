"""Hanabi by OpenSpiel, with cards and hints in words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, cast

import arena_scene
import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Decision, Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.boards import LETTERS, status_line
from arena_game_openspiel.card_games.card_scenes import card_id, hanabi_table, hand_id
from arena_game_openspiel.card_games.fireworks import COLOURS, HanabiTable, redealt
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.random_play import RANDOM_PLAY

RULES = """\
Hanabi is a game of 2 to 5 players who win or lose together. They build one firework of each of {colours} colours \
({names}) by laying cards of that colour in the order 1 to {ranks}. Each colour has {copies}. You see the cards of \
everybody else but never your own. The hands are dealt in secret at the start, {hand}; player 1 acts first, then the \
others in order. The positions of a hand are lettered from A, the oldest card; a new card goes to the end, and when \
a card leaves, the cards after it move up by one letter. There are {hints} hint tokens and {lives} lives at the \
start. In your turn you do one of three things:

- Hint: spend one hint token and tell another player all of its cards of one colour or of one rank. At least one \
card must fit. Everybody hears the hint and which positions it names; so everybody also knows which cards it does \
not name.
- Discard a card: it is out of the game for everybody to see, and one hint token comes back. Not allowed while all \
hint tokens are there.
- Play a card: if it is the next one of its colour, it is added to the firework; completing a firework brings back \
one hint token, if one was spent. If it is not the next one, it is discarded and a life is lost.

After discarding or playing you draw a card, as long as there are any; everybody but you sees it. Nobody may say \
anything besides hints.

The match ends when the last life is lost, when all fireworks are complete, or when the deck has run out and \
everybody, the player who drew the last card included, has had one more turn. Every player earns the number of cards \
in the fireworks, at most {most}; but if the last life was lost, everybody earns 0."""


@attrs.frozen
class Hanabi(SpielGame):
    """Build fireworks together with cards that only the other players see."""

    chance_mode = "card"

    colours: int = attrs.field(default=5, validator=and_(ge(2), le(5)), metadata={"help": "colours of cards"})
    ranks: int = attrs.field(default=5, validator=and_(ge(2), le(5)), metadata={"help": "ranks of each colour"})
    hand_size: int | None = attrs.field(
        default=None,
        validator=attrs.validators.optional(and_(ge(2), le(5))),
        metadata={"help": "cards in a hand; unset: 5 with two or three players, 4 with more"},
    )
    hints: int = attrs.field(default=8, validator=and_(ge(1), le(8)), metadata={"help": "hint tokens"})
    lives: int = attrs.field(default=3, validator=and_(ge(1), le(3)), metadata={"help": "misplays that end the match"})

    @property
    def rules(self) -> str:
        middle = f"two of each rank from 2 to {self.ranks - 1}, " if self.ranks > 2 else ""
        copies = f"three cards of rank 1, {middle}and one of rank {self.ranks}"
        hand = "5 cards each with two or three players and 4 cards each with more" if self.hand_size is None else None
        return RULES.format(
            colours=self.colours,
            names=", ".join(list(COLOURS.values())[: self.colours]),
            ranks=self.ranks,
            copies=copies,
            hand=hand or f"{self.hand_size} cards each",
            hints=self.hints,
            lives=self.lives,
            most=self.colours * self.ranks,
        )

    @property
    def pays_as_it_goes(self) -> bool:
        """True: each card earns a point, and all points are lost with the last life."""
        return True

    def player_counts(self) -> Sequence[int]:
        """Two to five, as long as the cards suffice for the hands."""
        deck = self.colours * (2 * self.ranks)
        return [n for n in range(2, 6) if n * self._hand(n) <= deck]

    def facts(self, players: int) -> GameFacts:
        """Some deals do not allow the perfect score."""
        is_usual = self == Hanabi()
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="cooperative",
            min_return=0.0,
            max_return=float(self.colours * self.ranks),
            random=RANDOM_PLAY.get(f"hanabi, {players} players") if is_usual else None,
            max_steps=self.engine(players).max_game_length(),
            forfeit_return=0.0,
            others_return=0.0,
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load(
            "hanabi",
            players=players,
            colors=self.colours,
            ranks=self.ranks,
            hand_size=self._hand(players),
            max_information_tokens=self.hints,
            max_life_tokens=self.lives,
        )

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The card to play or discard, or the hint to give."""
        return _words(engine.action_to_string(player, action), player, engine.num_players())

    def acted(self, engine: pyspiel.State, player: Player, action: int, label: str) -> list[GameEvent]:
        """The move is public, with the card that leaves a hand and its effect, and the cards that a hint names."""
        table = HanabiTable.read(str(engine))
        words = engine.action_to_string(player, action)
        data: dict[str, JSON] = {"player": player, "action": action, "label": label}
        place = re.match(r"\((Play|Discard) (\d)\)", words)
        if place:
            card = table.hands[player][int(place[2])]
            data["card"] = card.face
            if place[1] == "Play":
                data["is_next"] = table.fireworks[card.face[0]] + 1 == int(card.face[1])
        else:
            target, kind, value = _hint(words, player, engine.num_players())
            data["target"], data["hint"] = target, COLOURS.get(value, value)
            spot = 0 if kind == "color" else 1
            data["cards"] = [LETTERS[i] for i, c in enumerate(table.hands[target]) if c.face[spot] == value]
        return [GameEvent("moved", data, EVERYONE)]

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Everybody except its holder sees the card."""
        players = engine.num_players()
        holder = _holder(engine, self._hand(players))
        face = engine.action_to_string(-1, outcome)[-3:-1]
        others = tuple(Player(p) for p in range(players) if p != holder)
        return [
            GameEvent("dealt", {"player": holder, "card": face}, others),
            GameEvent("drew", {"player": holder}, (holder,)),
        ]

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Replace the player's own cards by unseen ones that fit its hints."""
        if engine.is_terminal():
            return None
        hand = self._hand(engine.num_players())
        return redealt(engine, player, lambda state: _holder(state, hand), Random(chance.index("imagine", 1 << 32)))

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """All hands but the player's own, all hints about its cards, fireworks, tokens and discards."""
        return self._seen(engine, player, () if player is None else (player,))

    def public_view(self, engine: pyspiel.State) -> JSON:
        """All hints, fireworks, tokens and discards; no hand, since its holder may be looking."""
        return self._seen(engine, None, range(engine.num_players()))

    def _seen(self, engine: pyspiel.State, player: Player | None, unseen: Iterable[int]) -> JSON:
        hidden = frozenset(unseen)
        names = self.seats(engine.num_players())
        table = HanabiTable.read(str(engine))
        hands = {
            name: [
                {
                    "position": LETTERS[i],
                    "card": None if p in hidden else card.face,
                    "may_be": _knowledge(card.may_be),
                }
                for i, card in enumerate(table.hands[p])
            ]
            for p, name in enumerate(names)
        }
        return {
            **self.status(engine, player),
            "hands": hands,
            "fireworks": {COLOURS[colour]: height for colour, height in table.fireworks.items()},
            "hint_tokens": table.hints,
            "lives": table.lives,
            "deck": table.deck,
            "discards": table.discards,
            "outcome": f"the score is {engine.returns()[0]:g}" if engine.is_terminal() else None,
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        return {**FORMS, "scene": lambda view: hanabi_table(view, _text(view), self.hints, self.lives)}

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """Cards and hands; a hint may be begun at any card of the hand that it is about."""
        touches, seen = super().touches(decision), cast("Any", decision.observation)
        hands = [(n, hand) for n, hand in enumerate(seen["hands"].values()) if n != decision.player]
        also = {hand_id(n): [card_id(n, card["position"]) for card in hand] for n, hand in hands}
        named = {name for choice in touches.choices for name in choice.path} if touches else set[str]()
        return touches and attrs.evolve(touches, also={name: own for name, own in also.items() if name in named})

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The card to play or discard, or the hand that a hint is about."""
        found = re.fullmatch(r"(?:(?:play|discard) card (\w)|tell player (\d+) .*)", label)
        assert found, label
        return (card_id(player, found[1]) if found[1] else hand_id(int(found[2]) - 1),)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "dealt":
            return f"{self.name_of(data['player'])} draws {_face(data['card'])}"
        if event.kind == "drew":
            return "you draw a card that you cannot see"
        if event.kind == "moved" and "card" in data:
            told = f"{self.name_of(data['player'])}: {data['label']}, it was {_face(data['card'])}"
            if "is_next" not in data:
                return told
            return f"{told}; {'it fits' if data['is_next'] else 'it does not fit, a life is lost'}"
        if event.kind == "moved":
            return f"{self.name_of(data['player'])}: {data['label']} ({', '.join(data['cards'])})"
        return super().describe_event(event, player)

    def _hand(self, players: int) -> int:
        return self.hand_size or (5 if players < 4 else 4)


def _holder(engine: pyspiel.State, hand: int) -> Player:
    """The holder of the next card: hands are filled one after another, later the player who has just acted draws."""
    players, dealt = engine.num_players(), engine.move_number()
    if dealt < players * hand:
        return Player(dealt // hand)
    return Player(engine.full_history()[-1].player)


def _hint(words: str, player: int, players: int) -> tuple[int, str, str]:
    found = re.match(r"\(Reveal player \+(\d) (color|rank) (\w)\)", words)
    assert found, words
    return (player + int(found[1])) % players, found[2], found[3]


def _words(words: str, player: int, players: int) -> str:
    place = re.match(r"\((Play|Discard) (\d)\)", words)
    if place:
        return f"{place[1].lower()} card {LETTERS[int(place[2])]}"
    target, kind, value = _hint(words, player, players)
    what = f"{COLOURS[value]} cards" if kind == "color" else f"cards of rank {value}"
    return f"tell player {target + 1} its {what}"


def _face(card: str) -> str:
    return f"{COLOURS[card[0]]} {card[1]}"


def _knowledge(mask: str) -> dict[str, JSON]:
    return {
        "colours": [name for letter, name in COLOURS.items() if letter in mask],
        "ranks": [int(mark) for mark in mask if mark.isdigit()],
    }


def _text(view: Any) -> str:
    lines = [
        "Fireworks: " + ", ".join(f"{colour} {height}" for colour, height in view["fireworks"].items()),
        f"Hint tokens: {view['hint_tokens']}. Lives: {view['lives']}. Cards in the deck: {view['deck']}.",
        f"Discards: {', '.join(map(_face, view['discards'])) or 'none'}.",
    ]
    for name, hand in view["hands"].items():
        lines.append(f"Hand of {name}{' (you)' if name == view['you'] else ''}:")
        lines += [f"  {card['position']}: {_card(card)}" for card in hand]
    return "\n".join([*lines, status_line(view)])


def _card(card: Any) -> str:
    known = f"{' '.join(card['may_be']['colours'])}; {' '.join(map(str, card['may_be']['ranks']))}"
    return f"{_face(card['card']) if card['card'] else 'hidden from you'} (its holder knows: {known})"


FORMS: Final[Mapping[str, Form]] = {"text": _text}
