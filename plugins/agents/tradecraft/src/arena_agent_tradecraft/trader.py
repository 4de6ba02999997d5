"""An agent that trades for what its shortest crafting chain lacks."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena.record import Action, GameEvent, canonical_json
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.rules.amounts import read_amount
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.solver import Shopping, making, shopping, shortest_chain

Hand = dict[str, Fraction]


@attrs.frozen(kw_only=True)
class Trader(Agent):
    """Crafts its target as soon as it can; until then it trades for what its shortest chain lacks.

    It sees only what its player sees, and knows the rules of crafting. As the proposer it asks one player for the whole
    items that its chain lacks (as few kinds as possible), and offers all that this chain leaves over, if possible what
    others have asked for. It never proposes again what was rejected, and proposes nothing if nothing helps. It accepts
    gifts, a trade after which it lacks nothing, and, after a proposal of its own was rejected, one that brings it
    closer.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return TraderPlayer(seat)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` unless the game is TradeCraft; requires nothing of a backend."""
        return tradecraft_only("trader", game)


def tradecraft_only(name: str, game: Game) -> Mapping[str, frozenset[str]]:
    """An empty mapping of requirements; ``ConfigError`` if ``game`` is not TradeCraft."""
    if not isinstance(game, TradeCraft):
        raise ConfigError(f"{name} plays tradecraft, and {type(game).__name__} is another game; seat another agent")
    return {}


@attrs.define(eq=False)
class TraderPlayer(PlayerAgent):
    """Plays one match; remembers which of its proposals were rejected, and what the others asked for."""

    seat: Seat
    _proposed: Action = attrs.field(default=None, init=False)
    _rejected: set[str] = attrs.field(factory=set, init=False)
    _asked: set[str] = attrs.field(factory=set, init=False)

    async def act(self, decision: Decision) -> Reply:
        for event in decision.news:
            self._remember(event)
        seen = cast("Any", decision.observation)
        return Reply(
            action={"propose": self._propose, "decide": self._answer, "craft": self._craft}[decision.phase](seen)
        )

    def _remember(self, event: GameEvent) -> None:
        data = cast("Any", event.data)
        if event.kind == "rejected" and data["proposer"] == self.seat.name:
            self._rejected.add(canonical_json(self._proposed))
        elif event.kind == "proposal" and data["proposer"] != self.seat.name:
            self._asked.update(data["request"])

    def _propose(self, seen: Any) -> Action:
        own, others, target = position(seen)
        for action in self._proposals(own, others, target):
            if canonical_json(action) not in self._rejected:
                self._proposed = action
                return action
        return {"partner": None, "offer": {}, "request": {}, "message": ""}

    def _proposals(self, own: Hand, others: dict[str, Hand], target: Hand) -> Iterator[Action]:
        """Helpful proposals, best first: for all that it lacks from one player, for parts of it, and for detours."""
        best = self._sparing(own, others, target)
        for way in (best, *self._detours(own, others, target, best)):
            offer = left_over(own, target, way)
            for seat, lacks in sorted(zip(others, way.lacks, strict=False), key=lambda pair: -len(pair[1])):
                for request in (lacks, *({item: n} for item, n in lacks.items() if len(lacks) > 1)):
                    if request:
                        yield {"partner": seat, "offer": offer, "request": dict(request), "message": ""}

    def _sparing(self, own: Hand, others: dict[str, Hand], target: Hand) -> Shopping:
        """What is lacking, sparing if possible what the others asked for, so that it can be offered to them."""
        best = self._lacking(own, others, target)
        if self._asked.isdisjoint(own):
            return best
        sparing = self._lacking({item: n for item, n in own.items() if item not in self._asked}, others, target)
        return sparing if sparing.status == "found" and sparing.kinds <= best.kinds else best

    def _detours(self, own: Hand, others: dict[str, Hand], target: Hand, best: Shopping) -> Iterator[Shopping]:
        """Other ways to the target, each of them without one of the things that the best way asks for."""
        for seat, lacks in zip(others, best.lacks, strict=False):
            for item in lacks:
                fewer = {other: n for other, n in others[seat].items() if other != item}
                yield self._lacking(own, {**others, seat: fewer}, target)

    def _lacking(self, own: Hand, others: dict[str, Hand], target: Hand) -> Shopping:
        return shopping(self._rules, own, list(others.values()), target)

    def _answer(self, seen: Any) -> Action:
        own, others, target = position(seen)
        proposal = seen["proposal"]
        partner, gets, gives = proposal["proposer"], amounts(proposal["offer"]), amounts(proposal["request"])
        before = self._lacking(own, others, target)
        after = self._lacking(moved(own, gives, gets), {**others, partner: moved(others[partner], gets, gives)}, target)
        return {"accept": not gives or self._is_welcome(before, after), "message": ""}

    def _is_welcome(self, before: Shopping, after: Shopping) -> bool:
        """Whether to accept a trade.

        Giving something away while still lacking something may help another player to win first. So a trade that helps
        only partly is accepted only after an own proposal was rejected.
        """
        if before.status != "found":
            return True
        is_closer = after.status == "found" and after.kinds < before.kinds
        return (after.status == "found" and not after.kinds) or (is_closer and bool(self._rejected))

    def _craft(self, seen: Any) -> Action:
        if not seen["crafts_left"]:
            return {"done": True}
        crafts = shortest_chain(self._rules, amounts(seen["hand"]), amounts(seen["target"])).crafts
        return making(crafts[0]) if crafts else {"done": True}

    @property
    def _rules(self) -> RuleSet:
        return cast("TradeCraft", self.seat.game).rule_set


def position(seen: Any) -> tuple[Hand, dict[str, Hand], Hand]:
    """The own hand, the hands of the other remaining players by seat, and the own target."""
    gone = {seen["you"], *seen["left"]}
    others = {seat: amounts(hand) for seat, hand in seen["hands"].items() if seat not in gone}
    return amounts(seen["hand"]), others, amounts(seen["target"])


def amounts(written: Mapping[str, Any]) -> Hand:
    """Read amounts from their JSON form."""
    return {item: cast("Fraction", read_amount(n)) for item, n in written.items()}


def moved(hand: Hand, out: Hand, come: Hand) -> Hand:
    """The hand after giving ``out`` and receiving ``come``."""
    after = {item: hand.get(item, Fraction(0)) - out.get(item, 0) + come.get(item, 0) for item in (*hand, *come)}
    return {item: n for item, n in after.items() if n > 0}


def left_over(hand: Hand, target: Hand, way: Shopping) -> dict[str, int]:
    """Whole items of ``hand`` that neither the chain nor the target needs."""
    needed = dict(target)
    for used in (craft.inputs for craft in way.chain.crafts):
        for item, n in used.items():
            needed[item] = needed.get(item, Fraction(0)) + n
    for lacks in way.lacks:
        for item, n in lacks.items():
            needed[item] = needed.get(item, Fraction(0)) - n
    spare = {item: int(n - max(needed.get(item, Fraction(0)), Fraction(0))) for item, n in sorted(hand.items())}
    return {item: n for item, n in spare.items() if n > 0}
