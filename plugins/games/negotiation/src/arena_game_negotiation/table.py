"""The state of one negotiation."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Final, cast

import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Forfeited, Illegal, Options, Query, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

from arena_game_negotiation.values import ways

SEATS: Final = ("ALICE", "BOB")
ANSWERS: Final = ("accept", "reject")


def listed(amounts: Mapping[str, int]) -> str:
    """List amounts in words; kinds with amount zero are left out."""
    named = [f"{count} × {name}" for name, count in amounts.items() if count]
    return ", ".join(named) or "nothing"


@attrs.define(eq=False, kw_only=True)
class Negotiating(State):
    """One negotiation in progress: the current offer, and whose turn it is.

    ``values`` are what one item of each kind is worth, by player; ``keeps`` is what the proposer of this round would
    keep, ``None`` before it has made a proposal.
    """

    items: Mapping[str, int]
    rounds: int
    message_limit: int
    values: tuple[Mapping[str, int], ...]
    round: int = 0
    keeps: Mapping[str, int] | None = None
    earned: tuple[float, ...] | None = None

    @property
    def proposer(self) -> Player:
        """The player who proposes in this round."""
        return Player(self.round % 2)

    def to_act(self) -> Sequence[Player]:
        """The proposer, and after its proposal the other player."""
        if self.earned is not None:
            return ()
        return (self.proposer if self.keeps is None else _other(self.proposer),)

    def decision(self, player: Player) -> Decision:
        """A proposal by its JSON schema, or the options to accept and reject."""
        if self.keeps is not None:
            queries = (self._worth_query(player),)
            return Decision(player=player, phase="decision", options=Options(ANSWERS, str), queries=queries)
        return Decision(
            player=player,
            phase="proposal",
            action_schema=self._schema(),
            sampler=partial(_sample, dict(self.items)),
            queries=(self._worth_query(player),),
        )

    def observe(self, player: Player | None) -> JSON:
        """The pool, the values visible to ``player``, the offer, and how many proposals there are."""
        return self._seen(range(2) if player is None else (player,))

    def observe_public(self) -> JSON:
        """The pool, the offer, and how many proposals there are: no values."""
        return self._seen(())

    def _seen(self, known: Iterable[int]) -> JSON:
        return {
            "items": dict(self.items),
            "worth": {SEATS[p]: dict(self.values[p]) for p in known},
            "offer": None if self.keeps is None else {"by": SEATS[self.proposer], **self._split(self.keeps)},
            "round": min(self.round + 1, self.rounds),
            "rounds": self.rounds,
            "over": self.earned is not None,
        }

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse a proposal that does not keep available amounts of each kind."""
        if self.keeps is not None:
            return super().check(player, action)
        if not isinstance(action, Mapping) or set(action) not in ({"keep"}, {"keep", "message"}):
            return Illegal(
                "schema", 'a proposal is {"keep": {KIND: NUMBER, …}, "message": TEXT}, the message is optional'
            )
        if illegal := _unfit(self.items, action["keep"], "keep", whole=True):
            return illegal
        message = action.get("message", "")
        if not isinstance(message, str):
            return Illegal("schema", "the message must be a text")
        if len(message) > self.message_limit:
            return Illegal(
                "too-long", f"the message has {len(message)} characters; at most {self.message_limit} are allowed"
            )
        return None

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Make the proposal, or accept or reject it."""
        ((player, action),) = actions.items()
        if (illegal := self.check(player, cast("Action", action))) is not None:
            raise RuleError(f"negotiation: {illegal.reason}")
        if self.keeps is None:
            proposal = cast("Mapping[str, Any]", action)
            self.keeps = {name: proposal["keep"][name] for name in self.items}
            told = {"player": player, **self._split(self.keeps), "message": proposal.get("message", "")}
            return [GameEvent("proposed", told, EVERYONE)]
        is_accepted = action == "accept"
        if is_accepted:
            shares = {self.proposer: self.keeps, player: self._split(self.keeps)["gives"]}
            self.earned = tuple(float(_worth(self.values[p], shares[Player(p)])) for p in range(2))
        elif self.round + 1 == self.rounds:
            self.earned = (0.0, 0.0)
        self.round, self.keeps = self.round + (not is_accepted), self.keeps if is_accepted else None
        return [GameEvent("decided", {"player": player, "accepted": is_accepted}, EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        """The value of the agreed shares to each player; 0 without agreement."""
        return self.earned

    def resample_hidden(self, player: Player, chance: Chance) -> State:
        """The same state with other values of the other player, which are independent of everything visible."""
        other = _other(player)
        counts = tuple(self.items.values())
        total = sum(self.values[other][name] * count for name, count in self.items.items())
        drawn = dict(zip(self.items, chance.choice("values", ways(counts, total)), strict=True))
        values = tuple(drawn if p == other else own for p, own in enumerate(self.values))
        return attrs.evolve(self, values=values)

    def clone(self) -> State:
        """A copy that shares its values, which are replaced and never changed."""
        return attrs.evolve(self)

    def _split(self, keeps: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
        return {"keeps": dict(keeps), "gives": {name: count - keeps[name] for name, count in self.items.items()}}

    def _schema(self) -> JSON:
        keep = {name: {"type": "integer", "minimum": 0, "maximum": count} for name, count in self.items.items()}
        return {
            "type": "object",
            "properties": {
                "keep": {
                    "type": "object",
                    "properties": keep,
                    "required": list(keep),
                    "additionalProperties": False,
                },
                "message": {"type": "string", "maxLength": self.message_limit},
            },
            "required": ["keep"],
            "additionalProperties": False,
        }

    def _worth_query(self, player: Player) -> Query:
        return Query(
            name="worth",
            summary="what things are worth to you in all",
            schema={
                "type": "object",
                "properties": {
                    name: {"type": "integer", "minimum": 0, "maximum": count} for name, count in self.items.items()
                },
                "additionalProperties": False,
            },
            answer=partial(_answer, self.items, self.values[player]),
            example={next(iter(self.items)): 1},
        )


def _other(player: Player) -> Player:
    return Player(1 - player)


def _worth(values: Mapping[str, int], amounts: Mapping[str, int]) -> int:
    return sum(values[name] * count for name, count in amounts.items())


def _answer(items: Mapping[str, int], values: Mapping[str, int], amounts: Any) -> JSON | Illegal:
    return _unfit(items, amounts, "the argument", whole=False) or {"worth": _worth(values, amounts)}


def _sample(items: Mapping[str, int], rng: Random) -> Action:
    return {"keep": {name: rng.randint(0, count) for name, count in items.items()}}


def _unfit(items: Mapping[str, int], amounts: Any, what: str, *, whole: bool) -> Illegal | None:
    """Why these are no amounts of items in the pool; with ``whole`` every kind must be named."""
    if not isinstance(amounts, Mapping):
        return Illegal("schema", f"{what} must be a table of kinds and numbers: {', '.join(items)}")
    for name, count in amounts.items():
        if name not in items:
            return Illegal("unknown-kind", f"there is no {name[:40]!r} to be divided; there is: {', '.join(items)}")
        if type(count) is not int or not 0 <= count <= items[name]:
            return Illegal("amount", f"{what}: expected a whole number from 0 to {items[name]} for {name!r}")
    if whole and (missing := [name for name in items if name not in amounts]):
        return Illegal("missing", f"{what} does not say how many of {missing[0]!r}; write 0 for none")
    return None
