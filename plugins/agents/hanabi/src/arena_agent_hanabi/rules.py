"""A player of Hanabi that plays what it knows to fit, hints what others could play, and discards safely."""

from collections.abc import Iterator, Mapping
from typing import Final, cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena_game_openspiel.card_games.fireworks import COLOURS
from arena_game_openspiel.card_games.hanabi import Hanabi

from arena_agent_hanabi.table import Faces, HandCard, SeenTable, deck

KNOWN_PLAYABLE: Final = 10.0
"""What a hint is worth for each card that its holder can play for certain because of it."""

NEARLY_PLAYABLE: Final = 2.0
"""What it is worth to tell all about a playable card without making its holder certain; less tells less."""

LAST_COPY: Final = 0.5
"""What it is worth to tell all about a card that must not be discarded."""

KNOWN_USELESS: Final = 0.3
"""What a hint is worth for each card that its holder can discard without loss because of it."""


@attrs.frozen(kw_only=True)
class HanabiRules(Agent):
    """Plays known playable cards, hints playable ones, and discards what is least likely to be missed.

    It uses its observation alone and no convention: a hint means what the rules say, so it can play with anybody. In
    this order, it plays a card that fits whatever it may be; gives the hint after which another player holds such a
    card; when the deck has run out and a life can be spared, plays the likeliest card; discards a card that is useless
    whatever it may be; gives the most telling hint about a card that fits, must be kept or is useless; and discards the
    card that is least likely to be the last one of its kind. Nothing is left to chance.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return HanabiRulesPlayer(seat)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` unless the game is Hanabi; requires nothing of a backend."""
        if not isinstance(game, Hanabi):
            raise ConfigError(
                f"hanabi-rules plays hanabi, and {type(game).__name__} is another game; seat another agent"
            )
        return {}


@attrs.define(eq=False)
class HanabiRulesPlayer(PlayerAgent):
    """Plays one match; remembers nothing, since all hints given so far are in each observation."""

    seat: Seat

    def __attrs_post_init__(self) -> None:
        game = cast("Hanabi", self.seat.game)
        self._copies = deck(game.colours, game.ranks)

    async def act(self, decision: Decision) -> Reply:
        assert decision.options is not None
        actions = {option.label: option.action for option in decision.options}
        return Reply(action=actions[choice(SeenTable.read(decision.observation, self._copies), actions)])


def choice(table: SeenTable, legal: Mapping[str, object]) -> str:
    """The label of the action that the rules choose among ``legal`` labels."""
    hints = {hint: worth for hint, worth in _hints(table) if hint in legal}
    best = max(hints, key=lambda hint: hints[hint], default="")
    discards = [card for card in table.own if _discard(card) in legal]
    certain = [card for card in table.own if card.possible <= table.playable]
    if certain:
        return _play(min(certain, key=lambda card: (min(face[1] for face in card.possible), card.position)))
    if hints and hints[best] >= KNOWN_PLAYABLE:
        return best
    likeliest = max(table.own, key=lambda card: _share(card, table.playable))
    if table.deck == 0 and table.lives > 1 and likeliest.possible & table.playable:
        return _play(likeliest)
    useless = [card for card in discards if card.possible <= table.useless]
    if useless:
        return _discard(useless[0])
    if hints and (hints[best] > 0 or not discards):
        return best
    return _discard(min(discards, key=lambda c: (_share(c, table.last_copies), -_share(c, table.useless), c.position)))


def _hints(table: SeenTable) -> Iterator[tuple[str, float]]:
    """The hints that name at least one card, by label, and what each is worth."""
    for name, hand in table.hands.items():
        for colour in sorted({card.face[0] for card in hand if card.face}):
            yield f"tell {name} its {COLOURS[colour]} cards", _worth(table, hand, colour)
        for rank in sorted({card.face[1] for card in hand if card.face}):
            yield f"tell {name} its cards of rank {rank}", _worth(table, hand, rank)


def _worth(table: SeenTable, hand: tuple[HandCard, ...], value: str) -> float:
    """What a hint of a colour's letter or a rank's digit is worth to the holder of ``hand``."""
    worth, promised = 0.0, set[str]()
    for card in hand:
        face, after = str(card.face), card.hinted(value)
        told = 1 - len(after) / len(card.possible) if value in face else 0.0
        if not card.possible <= table.playable and after <= table.playable:
            # of two equal cards only one can be played
            worth += 0.0 if face in promised else KNOWN_PLAYABLE
            promised.add(face)
        elif face in table.playable and not card.possible <= table.playable:
            worth += NEARLY_PLAYABLE * told
        elif face in table.last_copies and not card.possible <= table.last_copies:
            worth += LAST_COPY * told
        elif after <= table.useless and not card.possible <= table.useless:
            worth += KNOWN_USELESS
    return worth


def _share(card: HandCard, faces: Faces) -> float:
    """The share of ``faces`` among those that a card may have."""
    return len(card.possible & faces) / len(card.possible)


def _play(card: HandCard) -> str:
    return f"play card {card.position}"


def _discard(card: HandCard) -> str:
    return f"discard card {card.position}"
