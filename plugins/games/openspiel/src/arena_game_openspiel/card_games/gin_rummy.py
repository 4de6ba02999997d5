"""Gin rummy by OpenSpiel: draw and discard until few cards lie outside melds, and knock."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.card_games.card_scenes import gin_table
from arena_game_openspiel.engine import redeal
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import TERMINAL, load

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
HAND: Final = 10
"""Cards of each player between turns."""

UPCARD, STOCK, PASS, KNOCK, MELDS = range(52, 57)
"""OpenSpiel's actions after the 52 cards; the melds are numbered from the last one on."""

RULES: Final = """\
Gin rummy is for two players and 52 cards. A meld is three or four cards of one rank, or a run: three to five of one \
suit in sequence (ace low). Deadwood is what your cards outside melds count: aces 1, J, Q, K 10, others their number.

Both get ten cards; another is the upcard. Player 1 may take it, else player 2; if neither, player 1 draws from the \
stock. Then, by turns, you draw the upcard or from the stock, and discard a card, the next upcard. If your best melds \
and a discard would leave at most {knock} deadwood, you may knock instead, discard, and lay melds. The other player \
may then lay off cards on your melds (at most two at each end of a run), unless you have no deadwood (gin), and lay \
melds; the rest is their deadwood.

The knocker earns the difference in deadwood, with gin {gin} more. If the other player has less, they earn the \
difference and {undercut} more. With equal deadwood nobody earns anything, unless the knocker has gin.

Nobody earns anything if 2 cards are left in the stock and the player to move does not knock with the upcard; if a \
player discards the upcard just taken and the next does the same; or at the 50th draw of an upcard after the first \
turn.

10h is the ten of hearts (c clubs, d diamonds, s spades). Hands and stock are hidden; all else is public."""


@attrs.frozen
class GinRummy(SpielGame):
    """Bring cards into melds, and knock when few are left over."""

    chance_mode = "card"

    knock: int = attrs.field(
        default=10, validator=and_(ge(0), le(10)), metadata={"help": "the most deadwood with which one may knock"}
    )
    gin_bonus: int = attrs.field(
        default=25, validator=and_(ge(0), le(100)), metadata={"help": "points on top for knocking without deadwood"}
    )
    undercut_bonus: int = attrs.field(
        default=25,
        validator=and_(ge(0), le(100)),
        metadata={"help": "points on top for having less deadwood than who knocks"},
    )

    @property
    def title(self) -> str:
        return "Gin rummy"

    @property
    def rules(self) -> str:
        return RULES.format(knock=self.knock, gin=self.gin_bonus, undercut=self.undercut_bonus)

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        """The most is lost by who holds no meld when the other player has gin."""
        dearest = pyspiel.gin_rummy.MAX_POSSIBLE_DEADWOOD
        most = float(max(dearest + self.gin_bonus, self.knock + self.undercut_bonus))
        return GameFacts(
            hidden_information=True,
            chance=True,
            returns="zero-sum",
            min_return=-most,
            max_return=most,
            max_steps=self.engine(players).max_game_length(),
            forfeit_return=-most,
            others_return=most,
            outcome="payoff",
            return_unit="points a hand",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("gin_rummy", knock_card=self.knock, gin_bonus=self.gin_bonus, undercut_bonus=self.undercut_bonus)

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The cards that an action moves, and where to."""
        phase = _phase(engine)
        if action >= MELDS:
            return f"lay meld {_told(_cards(_melds()[action - MELDS]))}"
        if action < UPCARD:
            return f"{'lay off' if phase == 'LAYOFF' else 'discard'} {card_name(action)}"
        if action == PASS and phase in ("KNOCK", "LAYOFF"):
            lays_off = phase == "LAYOFF" and not engine.finished_layoffs()
            return "finish laying off" if lays_off else "finish laying melds"
        if action == UPCARD:
            return f"draw the upcard {card_name(engine.upcard())}"
        return {STOCK: "draw from the stock", PASS: "pass", KNOCK: "knock"}[action]

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """Ten cards for each player in order, the upcard, and then what is drawn from the stock."""
        number, card = len(engine.history()), card_name(outcome)
        if number == 2 * HAND:
            return [GameEvent("opened", {"card": card}, EVERYONE)]
        player = Player(number // HAND if number < 2 * HAND else engine.full_history()[-1].player)
        return [GameEvent("dealt", {"player": player, "card": card}, (player,))]

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """What is left of both hands if somebody has knocked, and what everybody earned."""
        knocked = any(engine.knocked())
        hands = [_cards(hand) for hand in engine.hands()] if knocked else None
        deadwood = list(engine.deadwood()) if knocked else None
        earned = [value + 0.0 for value in engine.returns()]
        return [GameEvent("scored", {"hands": hands, "deadwood": deadwood, "returns": earned}, EVERYONE)]

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """Deal the other hand and the stock anew, but for cards that are known."""
        return redeal.imagine(engine, player, chance)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The player's own cards and deadwood, and everything that lies open."""
        return self._seen(engine, player, (0, 1) if player is None else (player,))

    def public_view(self, engine: pyspiel.State) -> JSON:
        """What lies open; both hands at the end if somebody has knocked."""
        return self._seen(engine, None, ())

    def _seen(self, engine: pyspiel.State, player: Player | None, own: Iterable[int]) -> JSON:
        seats, knocked = self.seats(2), engine.knocked()
        shown = {0, 1} if engine.current_player() == TERMINAL and any(knocked) else {*own}
        upcard = engine.upcard()
        return {
            "task": self._task(engine),
            "hands": {seat: _cards(engine.hands()[p]) if p in shown else None for p, seat in enumerate(seats)},
            "deadwood": {seat: _deadwood(engine, p) if p in shown else None for p, seat in enumerate(seats)},
            "sizes": {seat: len(engine.hands()[p]) for p, seat in enumerate(seats)},
            "known": {seat: _cards(engine.known_cards()[p]) for p, seat in enumerate(seats)},
            "upcard": None if upcard is None else card_name(upcard),
            "discards": [card_name(card) for card in engine.discard_pile()],
            "stock": engine.stock_size(),
            "knocked": seats[knocked.index(True)] if any(knocked) else None,
            "melds": {
                seat: [_cards(_melds()[number]) for number in engine.layed_melds()[p]] for p, seat in enumerate(seats)
            },
            "laid_off": [card_name(card) for card in engine.layoffs()],
            **self.status(engine, player),
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, and the cards as a scene."""
        return {"text": self._text, "scene": lambda view: gin_table(view, self._text(view))}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The card that is discarded or laid off, the upcard or the stock; melds and the rest are buttons."""
        if action < UPCARD:
            return (f"card-{card_name(action)}",)
        if action == UPCARD:
            return (f"card-{label.split()[-1]}",)
        return ("stock",) if action == STOCK else ()

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say what is to be done in this phase."""
        return f"you are to {self._task(engine)}"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "opened":
            return f"the first upcard is {data['card']}"
        if event.kind == "dealt":
            who = "you get" if data["player"] == player else f"{self.name_of(data['player'])} gets"
            return f"{who} {data['card']}"
        if event.kind == "scored":
            if data["hands"] is None:
                return "nobody has knocked, and nobody earns anything"
            return "; ".join(
                f"{self.name_of(p)} has {deadwood} deadwood ({_told(cards) or 'no cards'}) and earns {earned:g}"
                for p, (cards, deadwood, earned) in enumerate(
                    zip(data["hands"], data["deadwood"], data["returns"], strict=True)
                )
            )
        return super().describe_event(event, player)

    def _task(self, engine: pyspiel.State) -> str | None:
        """What the player to move is to do."""
        if engine.current_player() == TERMINAL:
            return None
        phase, legal, size = _phase(engine), engine.legal_actions(), len(engine.hands()[engine.current_player()])
        if phase == "FIRST_UPCARD":
            return "draw the upcard or pass" if UPCARD in legal else "draw from the stock"
        if phase == "KNOCK":
            return (
                "lay melds" if size <= HAND else f"discard a card, so that the rest has at most {self.knock} deadwood"
            )
        if phase == "LAYOFF":
            return "lay melds" if engine.finished_layoffs() else "lay off cards on the melds of who knocked"
        may_knock = KNOCK in legal
        return {
            "DRAW": "draw the upcard or from the stock",
            "DISCARD": "discard a card or knock" if may_knock else "discard a card",
            "WALL": "knock with the upcard or pass" if may_knock else "pass",
        }[phase]

    def _text(self, view: Any) -> str:
        lines: list[str] = []
        for seat, size in view["sizes"].items():
            cards, whose = view["hands"][seat], "You hold" if seat == view["you"] else f"{seat} holds"
            if cards is None:
                known = f", {_told(view['known'][seat])} among them" if view["known"][seat] else ""
                lines.append(f"{whose} {size} card{'' if size == 1 else 's'}{known}.")
            else:
                best = " with the best melds" + ("" if size <= HAND else ", the highest other card set aside")
                count = view["deadwood"][seat]
                if view["knocked"] and view["task"]:
                    told = f"all cards in hand count {count}"
                else:
                    told = f"deadwood{'' if view['knocked'] else best}: {count}"
                lines.append(f"{whose} {_told(cards) or 'no cards'}; {told}.")
        lines.append(f"Upcard: {view['upcard'] or 'none'}. Stock: {view['stock']} cards.")
        lines.append(f"Discards below the upcard, the last one last: {_told(view['discards']) or 'none'}.")
        if view["knocked"]:
            lines.append(f"{view['knocked']} has knocked.")
            lines += [
                f"Melds of {seat}: {', '.join(map(_told, melds))}." for seat, melds in view["melds"].items() if melds
            ]
            lines += [f"Laid off: {_told(view['laid_off'])}."] if view["laid_off"] else []
        elif not view["outcome"]:
            lines.append(f"One may knock with {self.knock} deadwood or less.")
        if view["task"]:
            who = "You are" if view["to_move"] == view["you"] else f"{view['to_move']} is"
            lines.append(f"{who} to {view['task']}.")
        return "\n".join([*lines, status_line(view)])


def card_name(number: int) -> str:
    """A card by rank and suit: ``10h``."""
    return f"{RANKS[number % len(RANKS)]}{'scdh'[number // len(RANKS)]}"


def _cards(numbers: Iterable[int]) -> list[str]:
    return [card_name(number) for number in sorted(numbers)]


def _told(cards: Iterable[str]) -> str:
    return " ".join(cards)


def _phase(engine: pyspiel.State) -> str:
    return engine.current_phase().name


@cache
def _cards_of_the_game() -> Any:
    """What OpenSpiel knows of cards and melds."""
    return pyspiel.gin_rummy.GinRummyUtils(len(RANKS), 4, HAND)


@cache
def _melds() -> Mapping[int, Sequence[int]]:
    """The cards of each meld by OpenSpiel's number."""
    return dict(_cards_of_the_game().int_to_meld)


def _deadwood(engine: pyspiel.State, player: int) -> int:
    """With the melds that count most; once somebody has knocked, all cards that are not laid."""
    # OpenSpiel counts like this, too, but for the moment after a knock with the last upcard
    return (
        _cards_of_the_game().total_card_value(engine.hands()[player])
        if any(engine.knocked())
        else engine.deadwood()[player]
    )
