"""The parameters of Diplomacy, and the start of a match."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import ConfigError, did_you_mean
from arena.game import Decision, Entities, Form, Game, GameFacts, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player
from attrs.validators import ge, in_, le

from arena_game_diplomacy.match.ordering import PhaseOrders
from arena_game_diplomacy.match.scoring import Scoring
from arena_game_diplomacy.match.state import DiplomacyState
from arena_game_diplomacy.match.terms import Terms
from arena_game_diplomacy.random_play import RANDOM_PLAY
from arena_game_diplomacy.rules.board import POWERS
from arena_game_diplomacy.rules.position import Position, PositionError
from arena_game_diplomacy.showing import wording
from arena_game_diplomacy.showing.forms import FORMS
from arena_game_diplomacy.showing.naming import named
from arena_game_diplomacy.showing.touching import order_touches, said_action

_SCORINGS = ("squares", "centres", "draw-size", "solo")
_PLAIN_LIMIT = 1_000
_YEARS = [ge(1), le(9_998)]


def _read_hands(value: Any) -> Any:
    """Hands with names in capitals; a single power may stand for a hand of one."""
    if not isinstance(value, list | tuple):
        return value
    return tuple((hand.upper(),) if isinstance(hand, str) else tuple(map(str.upper, hand)) for hand in value)


@attrs.frozen(kw_only=True)
class Diplomacy(Game):
    """Seven powers, or players who hold several of them, negotiate and order armies and fleets all at once.

    ``ConfigError`` says what is wrong with a start or with hands.
    """

    hands: tuple[str | tuple[str, ...], ...] | None = attrs.field(
        default=None,
        converter=_read_hands,
        metadata={
            "help": "the powers that each player holds: [[FRANCE], [ITALY, TURKEY]]; powers in no hand are neutral; "
            "unset: one each, in alphabetical order"
        },
    )
    negotiation_rounds: int = attrs.field(
        default=3,
        validator=[ge(0), le(100)],
        metadata={"help": "rounds of talk before orders; 0 for no talk", "compared": (0,)},
    )
    message_limit: int = attrs.field(
        default=1_000, validator=[ge(1), le(20_000)], metadata={"help": "characters of a message, at most"}
    )
    messages_per_round: int = attrs.field(
        default=10, validator=[ge(1), le(100)], metadata={"help": "messages of a power in one round, at most"}
    )
    win_centres: int = attrs.field(
        default=18, validator=[ge(1), le(34)], metadata={"help": "centres of a player that win the match"}
    )
    first_year: int = attrs.field(
        default=1901, validator=_YEARS, metadata={"help": "the year in which the match begins, if no start says it"}
    )
    last_year: int = attrs.field(
        default=1920, validator=_YEARS, metadata={"help": "the year after which the match is over"}
    )
    scoring: Scoring = attrs.field(
        default="squares",
        validator=in_(_SCORINGS),
        metadata={
            "help": "how 1 is shared without a winner: by squares of centres, among survivors, among all (solo); "
            "centres: by centres, also with a winner"
        },
    )
    knowledge: Literal["none", "asked"] = attrs.field(
        default="none",
        validator=in_(("none", "asked")),
        metadata={"help": "asked: with its orders each player reports what it knows of the position"},
    )
    position: Mapping[str, Any] | None = attrs.field(
        default=None,
        alias="start",
        metadata={
            "help": "a position to begin with, as `arena diplomacy adjudicate` reads it: {phase: F1901M, units: {…}, "
            "centres: {…}}; unset: the opening of the first year"
        },
    )

    def __attrs_post_init__(self) -> None:
        begins_in = self.beginning.year
        if begins_in > self.last_year:
            raise ConfigError(f"last-year: the match begins in {begins_in}, expected that year or a later one")
        for problem in self._unfit_hands():
            raise ConfigError(f"hands: {problem}")

    @cached_property
    def beginning(self) -> Position:
        """The position with which a match begins."""
        if self.position is None:
            return attrs.evolve(Position.opening(self.first_year), win_centres=self.win_centres)
        try:
            given = Position.from_json({**self.position, "win-centres": self.win_centres})
        except PositionError as error:
            raise ConfigError(f"start: {error}") from None
        if not any(given.units.values()) and not any((given.centres or {}).values()):
            raise ConfigError("start: nobody has a unit or a centre; expected at least one")
        return given

    @property
    def begins_in(self) -> int:
        """The year in which the match begins."""
        return self.beginning.year

    @cached_property
    def powers_there(self) -> tuple[str, ...]:
        """The powers that have something at the beginning."""
        start, centres = self.beginning, self.beginning.centres or {}
        return tuple(p for p in start.board.powers if start.units[p] or centres.get(p) or start.dislodged.get(p))

    @property
    def terms(self) -> Terms:
        """What the rules read of the parameters while a match is played."""
        return Terms(
            negotiation_rounds=self.negotiation_rounds,
            message_limit=self.message_limit,
            messages_per_round=self.messages_per_round,
            win_centres=self.win_centres,
            begins_in=self.begins_in,
            last_year=self.last_year,
            scoring=self.scoring,
            knowledge=self.knowledge,
            powers_there=self.powers_there,
        )

    def _unfit_hands(self) -> Sequence[str]:
        """What is wrong with the hands."""
        if self.hands is None:
            return ()
        held = [power for hand in self.hands for power in hand]
        if not self.hands or not all(self.hands):
            return ["expected at least one power for each player"]
        for power in held:
            if power not in POWERS:
                return [f"no power called {power!r}{did_you_mean(power, POWERS)}"]
            if held.count(power) > 1:
                return [f"{power} is in two places; a power is in one hand"]
            if power not in self.powers_there:
                return [f"{power} has nothing at the start; choose another power"]
        return ()

    @property
    def title(self) -> str:
        return "Diplomacy"

    @property
    def rules(self) -> str:
        return wording.rules(self.terms)

    def player_counts(self) -> Sequence[int]:
        """The number of hands, or up to as many players as there are powers."""
        return range(1, len(self.powers_there) + 1) if self.hands is None else (len(self.hands),)

    @property
    def usual_players(self) -> int:
        """All who can play: each power has a player of its own, unless hands say otherwise."""
        return max(self.player_counts())

    def powers_of(self, players: int) -> tuple[tuple[str, ...], ...]:
        """The powers of each player."""
        if self.hands is not None:
            return tuple(tuple(hand) for hand in self.hands)
        return tuple((power,) for power in self.powers_there[:players])

    def seats(self, players: int) -> Sequence[str]:
        """The power of each player, or its powers joined by ``+``."""
        return tuple(map("+".join, self.powers_of(players)))

    def facts(self, players: int) -> GameFacts:
        """Talk and reports are hidden; orders are given at the same time and shown when they are carried out."""
        plain = Diplomacy(message_limit=self.message_limit)  # what is said counts for nothing
        several = players > 1
        talks = several and self.negotiation_rounds > 0
        has_neutral = sum(map(len, self.powers_of(players))) < len(self.powers_there)
        years = self.last_year - self.begins_in + 1
        steps = years * (2 * (self.negotiation_rounds * talks + 2) + 1)
        return GameFacts(
            simultaneous=several,
            hidden_information=talks or (several and self.knowledge == "asked"),
            messages=talks,
            returns="constant-sum" if several and not has_neutral else "general-sum",
            min_return=0.0,
            max_return=1.0,
            random=RANDOM_PLAY.get("diplomacy") if players == 7 and self == plain else None,
            max_steps=steps + (steps == _PLAIN_LIMIT),
            on_forfeit="continue",
            forfeit_return=0.0,
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        """Texts, and the parts of which prompts can be made up."""
        return FORMS

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Set up the first position and begin the first step."""
        beginning, hands = self.beginning, self.powers_of(players)
        province_of = beginning.board.province_of
        owned = {name: power for power, names in (beginning.centres or {}).items() for name in names}
        standing = {province_of[unit[2:]]: power for power, units in beginning.units.items() for unit in units}
        state = DiplomacyState(
            terms=self.terms,
            hands=hands,
            position=beginning,
            influence=owned | standing,
            phase_orders=PhaseOrders(beginning),
        )
        data: dict[str, JSON] = {
            "position": beginning.to_json(),
            "hands": [list(hand) for hand in hands],
            "neutral": list(state.neutral),
            "influence": {power: list(names) for power, names in state.influence_by_power().items()},
        }
        return state, [GameEvent("start", data, EVERYONE), *state.begin()]

    def touches(self, decision: Decision) -> "arena_scene.Touches":
        """Orders as a unit, its target, and a menu."""
        return order_touches(decision)

    def describe_action(self, decision: Decision, action: Action) -> str:
        """All orders in their notation, or what is written to whom."""
        return said_action(action)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        return wording.describe(event, self.negotiation_rounds)

    def names(self, observation: Any) -> Sequence[Entities]:
        """Provinces and powers."""
        return named(observation)
