"""One match of Diplomacy: rounds of negotiation, orders, retreats and adjustments, phase after phase.

Everything that a state holds is replaced and never changed, so that a copy shares it.
"""

from collections.abc import Mapping, Sequence
from typing import cast

import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import FORFEITED, Decision, Forfeited, Illegal, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

from arena_game_diplomacy.match import asking, seeing
from arena_game_diplomacy.match.ordering import PhaseOrders
from arena_game_diplomacy.match.progress import Progress, Step
from arena_game_diplomacy.match.scoring import End, returns
from arena_game_diplomacy.match.talk import GLOBAL, Declaration, Message, Report, Speaker
from arena_game_diplomacy.rules import position as positions
from arena_game_diplomacy.rules.adjudication import adjudicate
from arena_game_diplomacy.rules.position import Position
from arena_game_diplomacy.rules.results import Result

_STEPS: Mapping[str, Step] = {
    positions.MOVEMENT: "orders",
    positions.RETREATS: "retreats",
    positions.ADJUSTMENTS: "adjustments",
}


@attrs.define(eq=False, kw_only=True)
class DiplomacyState(Progress, State):
    """A match in progress, with what its rules allow and do."""

    def decision(self, player: Player) -> Decision:
        """The decision of the current step."""
        return asking.decision(self, player)

    def observe(self, player: Player | None) -> JSON:
        """The position and the last results, which are public, and what only ``player`` may know."""
        return seeing.observe(self, player)

    def observe_public(self) -> JSON:
        """The position, the last results, and the messages to everybody."""
        return seeing.observe_public(self)

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Why the rules refuse ``action``; names what the unit may do."""
        return asking.check(self, player, action)

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Deliver the messages of a round, or adjudicate the orders of a phase."""
        self._refuse_unchecked(actions)
        events: list[GameEvent] = []
        gone = [player for player in self.acting if actions[player] is FORFEITED]
        if gone:
            self.forfeited |= set(gone)
            powers = [power for player in gone for power in self.hands[player]]
            events.append(GameEvent("disorder", {"phase": self.position.phase, "powers": powers}, EVERYONE))
        given = {p: cast("Action", actions[p]) for p in self.acting if actions[p] is not FORFEITED}
        if self.step == asking.NEGOTIATE:
            events += self._talk(given)
        else:
            events += self._order(given)
        return events

    def returns(self) -> Sequence[float] | None:
        """Shares of 1 by the game's scoring, of which neutral powers have theirs."""
        if self.end is None:
            return None
        return returns(self.standing(), self.terms.scoring, self.end.winner)

    def resample_hidden(self, player: Player, chance: Chance) -> "DiplomacyState":
        """The same state without what ``player`` cannot know: the talk of others, which changes no rule."""
        return attrs.evolve(
            self,
            messages=tuple(message for message in self.messages if message.is_visible(player)),
            declarations=tuple(each for each in self.declarations if each.player == player),
            reports=tuple(each for each in self.reports if each.player == player),
        )

    def transposition_key(self) -> JSON:
        """Position, step and who has forfeited: what was said decides nothing."""
        end = None if self.end is None else [self.end.reason, self.end.winner]
        return [self.position.to_json(), self.step, self.round, sorted(self.forfeited), end]

    def clone(self) -> "DiplomacyState":
        """A copy that shares everything."""
        return attrs.evolve(self)

    def begin(self) -> list[GameEvent]:
        """Begin with the first phase in which somebody has something to decide."""
        return self._go_on()

    def _refuse_unchecked(self, actions: Mapping[Player, Action | Forfeited]) -> None:
        if not self.acting or set(actions) != set(self.acting):
            raise RuleError(f"diplomacy: expected an action of each of {list(self.acting)}, got {list(actions)}")
        for player in self.acting:
            action = actions[player]
            illegal = None if action is FORFEITED else self.check(player, cast("Action", action))
            if illegal is not None:
                raise RuleError(f"diplomacy: player {player}: {illegal.reason}")

    def _talk(self, said: Mapping[Player, Action]) -> list[GameEvent]:
        messages: list[Message] = []
        declarations: list[Declaration] = []
        for player, action in said.items():
            words = cast("Mapping[str, Sequence[Mapping[str, JSON]]]", action)
            messages += (self._message(player, message) for message in words["messages"])
            if "strategy" in words or "trust" in words:
                declarations.append(self._declaration(player, cast("Mapping[str, JSON]", action)))
        self.messages += tuple(messages)
        self.declarations += tuple(declarations)
        return [*(each.event() for each in (*messages, *declarations)), *self._go_on()]

    def _message(self, player: Player, message: Mapping[str, JSON]) -> Message:
        own = self.living(player)
        recipients = tuple(dict.fromkeys(cast("Sequence[str]", message["to"])))
        is_global = GLOBAL in recipients
        receivers = {player, *(Player(p) for p, hand in enumerate(self.hands) if not set(hand).isdisjoint(recipients))}
        return Message(
            phase=self.position.phase,
            round=self.round,
            sender=str(message.get("from", own[0])),
            recipients=(GLOBAL,) if is_global else recipients,
            text=str(message["text"]),
            to=EVERYONE if is_global else tuple(sorted(receivers)),
        )

    def _declaration(self, player: Player, words: Mapping[str, JSON]) -> Declaration:
        return Declaration(
            phase=self.position.phase,
            round=self.round,
            player=player,
            powers=self.living(player),
            strategy=cast("str | None", words.get("strategy")),
            trust=tuple(dict(each) for each in cast("Sequence[Mapping[str, str]]", words.get("trust", ()))),
        )

    def _order(self, given: Mapping[Player, Action]) -> list[GameEvent]:
        orders: dict[str, list[str]] = {}
        events: list[GameEvent] = []
        for player in self.acting:
            ordered, report = asking.orders_and_report(self, given[player]) if player in given else ({}, None)
            orders |= self.own_orders(player).by_power(ordered)
            if self.terms.knowledge == "asked" and self.step == asking.ORDERS:
                told = Report(self.position.phase, player, self.living(player) or self.hands[player], report)
                self.reports += (told,)
                events.append(told.event())
        events += self._play(orders)
        return events if self.end else events + self._go_on()

    def _play(self, orders: Mapping[str, Sequence[str]]) -> list[GameEvent]:
        """Adjudicate the phase with these orders; the match may be over afterwards."""
        before = self.position
        result = adjudicate(before, {power: texts for power, texts in orders.items() if texts})
        province_of = before.board.province_of
        standing = {province_of[unit[2:]]: power for power, units in result.units.items() for unit in units}
        self.influence = {**self.influence, **standing}
        missing = seeing.missing(self, orders, result)
        data = result.to_json() | {"missing": missing, "influence": cast("JSON", self.influence_by_power())}
        self.results = (result,) if before.kind == positions.MOVEMENT else (*self.results, result)
        last = attrs.evolve(before, units=result.units, centres=result.centres, dislodged={}, contested=())
        self.position, self.round = result.next or last, 0
        self.phase_orders = PhaseOrders(self.position)
        end = self._end(before, result)
        return [GameEvent("adjudicated", data, EVERYONE), *(self._over(end) if end else ())]

    def _end(self, before: Position, result: Result) -> End | None:
        """Why the match is over after this phase, or ``None``."""
        standing, following = self.standing(), result.next
        if result.winner is not None:
            return End("solo", next(side for side in standing.sides if result.winner in side))
        has_autumn_ended = before.phase[0] == "F" and (following is None or following.phase[0] != "F")
        if has_autumn_ended and (winner := standing.solo(self.terms.win_centres)) is not None:
            return End("solo", winner)
        return End("last-year") if following is None or following.year > self.terms.last_year else None

    def _over(self, end: End) -> list[GameEvent]:
        self.end, self.step, self.round, self.acting = end, "over", 0, ()
        return [GameEvent("ended", seeing.ending(self), EVERYONE)]

    def _go_on(self) -> list[GameEvent]:
        """Ask the players next, after playing all phases in which nobody has anything to decide."""
        events = self._ask()
        while not self.acting and not self.end:
            events += self._play({})
            events += () if self.end else self._ask()
        return events

    def _ask(self) -> list[GameEvent]:
        """Begin the next step of this phase; nobody acts in it if nobody has a choice."""
        players, is_movement = self.players(), self.position.kind == positions.MOVEMENT
        if not players:
            return self._over(End("forfeited" if len(self.forfeited) == len(self.hands) else "eliminated"))
        if is_movement and self.round < self.terms.negotiation_rounds and len(players) > 1:
            self.step, self.round, self.acting = "negotiate", self.round + 1, tuple(players)
            self.speakers = self._speakers(players)
            return [GameEvent("round", {"phase": self.position.phase, "round": self.round}, EVERYONE)]
        self.step, self.acting = _STEPS[self.position.kind], tuple(filter(self._has_choice, players))
        return []

    def _speakers(self, players: Sequence[Player]) -> Mapping[Player, Speaker]:
        powers = {player: self.living(player) for player in players}
        limits = {"message_limit": self.terms.message_limit, "messages_per_round": self.terms.messages_per_round}
        everybody = sorted(power for own in powers.values() for power in own)
        others = {player: tuple(power for power in everybody if power not in own) for player, own in powers.items()}
        return {player: Speaker(powers=powers[player], others=others[player], **limits) for player in players}

    def _has_choice(self, player: Player) -> bool:
        """Whether some unit or home centre of a player can be ordered in more than one way."""
        position = self.position
        if position.kind == positions.MOVEMENT:
            return any(position.units[power] for power in self.hands[player])
        if position.kind == positions.RETREATS:
            return any(any(position.dislodged.get(power, {}).values()) for power in self.hands[player])
        counts = self.phase_orders.counts
        return any(counts[power] > -len(position.units[power]) and counts[power] for power in self.hands[player])
