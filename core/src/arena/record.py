"""The record of a match, and its JSON form: the same bytes on every machine, without times, paths or host names."""

import json.encoder
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from random import Random
from typing import Any, Final, NamedTuple, NewType, TypeAlias, cast

import attrs

Player = NewType("Player", int)
"""The number of a player, counted from 0 in the order of ``Game.seats``."""

JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
"""Anything that survives ``json.dumps`` and ``json.loads`` unchanged; keys are strings, numbers are finite."""

Action: TypeAlias = JSON
"""What a player does: a JSON value. Two actions are the same if their canonical texts are the same."""

EVERYONE: Final[tuple[Player, ...] | None] = None
"""The audience of a public event."""

NOBODY: Final[tuple[Player, ...]] = ()
"""The audience of an event that only the record (and the spectator) knows."""


def encoder(*, sort_keys: bool = False, allow_nan: bool = True) -> Callable[[Any], str]:
    """Return a function that writes JSON without spaces, as ``json.dumps`` does, but faster for short texts.

    ``json`` makes its encoder again for each text. A value that this one refuses goes to ``json``, for its message.
    """
    slow = json.JSONEncoder(sort_keys=sort_keys, separators=(",", ":"), ensure_ascii=False, allow_nan=allow_nan)
    if (make := vars(json.encoder)["c_make_encoder"]) is None:  # not CPython; typeshed leaves it out
        return slow.encode
    quick = make(None, slow.default, json.encoder.encode_basestring, None, ":", ",", sort_keys, False, allow_nan)

    def encode(value: Any) -> str:
        try:
            return "".join(quick(value, 0))
        except (TypeError, ValueError, RecursionError):
            return slow.encode(value)

    return encode


_encode = encoder(sort_keys=True, allow_nan=False)


def canonical_json(value: JSON) -> str:
    """The one text of a JSON value: sorted keys, no spaces; ``1``, ``1.0``, ``true`` and ``"1"`` all differ.

    ``ValueError`` for NaN and infinities, ``TypeError`` for what is not JSON.
    """
    return _encode(value)


_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def quoted(value: JSON) -> str:
    """One line of JSON that can forge nothing around it: text of others, as prompts and terminals may show it.

    Escapes stand for what ends a line, opens a tag or special token, moves a cursor, hides or reorders text.
    """
    return visible(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))


def visible(text: str) -> str:
    """The text with escapes of JSON for what hides, reorders or moves, and halves of characters; line feeds stay."""
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def derive_seed(*path: JSON) -> int:
    """A 64-bit number computed from ``path``: equal contents give equal numbers on every machine."""
    return int.from_bytes(blake2b(canonical_json(path).encode(), digest_size=8).digest(), "big")


def derive_rng(*path: JSON) -> Random:
    """A random generator seeded by ``path``; draws from one never change what another one gives."""
    return Random(derive_seed(*path))


class Ending(StrEnum):
    """How a match ended; ``is_result`` says whether it counts, and ``MatchRecord.at_fault`` who failed in it."""

    RULES = "rules"
    """Won, lost, drawn or scored by the rules of the game."""
    FORFEIT_ILLEGAL = "forfeit-illegal"
    """Somebody ran out of tries; the last refusal was an illegal action."""
    FORFEIT_FORMAT = "forfeit-format"
    """Somebody ran out of tries; the last answer was empty, truncated, unreadable or ambiguous."""
    FORFEIT_TIME = "forfeit-time"
    """Somebody ran out of tries; the last one ran out of time."""
    FORFEIT_LEFT = "forfeit-left"
    """Somebody got up and left the match."""
    DISQUALIFIED = "disqualified"
    """Somebody ran out of tries and lost, under a policy by which nobody wins then; there are no returns."""
    TURN_LIMIT = "turn-limit"
    """The game's or the benchmark's limit of steps was reached."""
    CANCELLED = "cancelled"
    """Stopped from outside, for good; there are no returns."""
    INFRASTRUCTURE_FAILURE = "infrastructure-failure"
    """A backend could not be reached. Never a result; played again on resume."""
    FAILED = "failed"
    """A bug in a plugin. Never a result; played again on resume, reason and traceback are kept."""

    @property
    def is_final(self) -> bool:
        """Whether the match is over for good; one that is not is played again when its run is resumed."""
        return self not in (Ending.FAILED, Ending.INFRASTRUCTURE_FAILURE)

    @property
    def is_result(self) -> bool:
        """Whether the match counts in tables of results; cancelled and failed matches do not."""
        return self.is_final and self is not Ending.CANCELLED

    @property
    def is_forfeit(self) -> bool:
        """Whether the match ended because a player ran out of tries or left."""
        return self is Ending.DISQUALIFIED or self.startswith("forfeit-")


class GameEvent(NamedTuple):
    """Something that happened in a game, and the players who may see it.

    ``to`` is ``EVERYONE``, or the players who see it; with ``NOBODY`` only the record and the spectator have it.
    ``data`` is JSON and must not reveal anything hidden from a player in ``to``.
    """

    kind: str
    data: JSON
    to: tuple[Player, ...] | None

    def is_visible(self, player: Player | None) -> bool:
        """Whether ``player`` may see the event; ``None`` is the spectator, who sees everything."""
        return self.to is None or player is None or player in self.to


class Event(NamedTuple):
    """One event of a match record: from the game, or from the referee.

    ``step`` counts the steps applied before it. ``source`` is ``"game"`` or ``"referee"``. The referee's kinds are
    ``played`` (data: ``action``, ``label``, ``turn``, ``try``, ``by``: ``agent``, or ``random`` and ``skip`` where the
    policy for illegal actions played in its place), ``refused`` (``kind``, ``reason``, ``turn``, ``try``), ``queried``
    (``name``, ``arguments``, ``answer``), all with ``reasoning`` and ``note`` if the agent gave them, ``withheld`` (an
    action that was not applied, since a forfeit ended the match in this step), ``rewarded`` (one reward per player),
    ``gone`` (``kind``: the last refusal's, or ``left``), ``imported`` (``id``). Its JSON lists the fields in order.
    """

    step: int
    source: str
    kind: str
    player: Player | None
    data: JSON
    to: tuple[Player, ...] | None

    @classmethod
    def from_json(cls, raw: Any) -> "Event":
        """Create an event from the list that is its JSON."""
        step, source, kind, player, data, to = raw
        return cls(step, source, kind, player, data, None if to is None else tuple(to))


@attrs.frozen
class Failure:
    """Why a match has no result: one line, and the traceback if a plugin's bug is the cause."""

    reason: str
    traceback: str = ""


@attrs.frozen(kw_only=True)
class MatchPlan:
    """One match to be played, as plain data.

    ``id`` comes of the contents below, never of a place in a list. ``agents`` and ``game`` are names in the benchmark,
    ``pairing`` names the set of agents without their seats. Matches with one ``chance_seed`` share their deals: those
    of one pairing and repeat in other seats unless the schedule says otherwise, and more by some schedules.
    """

    id: str
    game: str
    agents: tuple[str, ...]
    pairing: str
    repeat: int
    rotation: int
    chance_seed: int

    @property
    def block(self) -> str:
        """The name of the group of matches that share their deals; statistics resample them as one unit."""
        return f"{self.game}/{self.chance_seed}"

    def to_json(self) -> dict[str, JSON]:
        """The plan as plain data, under the names of its fields."""
        return {name: getattr(self, name) for name in MatchPlan.__annotations__}

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> "MatchPlan":
        """Create a plan from what ``to_json`` returned."""
        return cls(**dict(raw, agents=tuple(raw["agents"])))


@attrs.frozen(kw_only=True)
class MatchHistory:
    """What happened in a match up to a step, over or not; ``seats`` is empty where nobody has said their names."""

    plan: MatchPlan
    seats: tuple[str, ...] = ()
    steps: int = 0
    events: tuple[Event, ...] = ()

    @property
    def id(self) -> str:
        """The id of its plan, unique within a run."""
        return self.plan.id

    @property
    def game(self) -> str:
        """The game's name in the benchmark."""
        return self.plan.game

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents' names in the benchmark, by player."""
        return self.plan.agents

    def played(self) -> Iterator[Event]:
        """The referee's events of the actions that were applied, substitutes included."""
        return (e for e in self.events if e.source == "referee" and e.kind == "played")

    def refused(self) -> Iterator[Event]:
        """The referee's events of the answers that were not played."""
        return (e for e in self.events if e.source == "referee" and e.kind == "refused")


@attrs.frozen(kw_only=True)
class MatchRecord(MatchHistory):
    """A match that has ended: its plan, how it ended and everything that happened.

    ``returns`` has one number per player, or is ``None`` if nobody earned anything (disqualification, cancellation,
    failure). ``forfeited`` lists the players who were eliminated by their own refusals or left, in order.
    """

    ending: Ending
    returns: tuple[float, ...] | None
    forfeited: tuple[Player, ...] = ()
    failure: Failure | None = None

    @property
    def at_fault(self) -> tuple[Player, ...]:
        """The players who failed in this match, in order: eliminated by their own invalid responses, or left.

        They are the same in every score, rating and table; nobody is at fault in a match without a result. If a limit
        ended it before anybody was given a return, they are those with more answers refused than played.
        """
        if self.ending is not Ending.TURN_LIMIT or self.returns is not None or self.forfeited:
            return self.forfeited if self.ending.is_result else ()
        own = Counter(event.player for event in self.played() if cast("Any", event.data)["by"] == "agent")
        refused = Counter(event.player for event in self.refused())
        return tuple(p for p in map(Player, range(len(self.agents))) if refused[p] > own[p])

    @property
    def is_blameless(self) -> bool:
        """Whether the match says nothing of its players: it has no result, or no returns and nobody at fault."""
        return not self.ending.is_result or (self.returns is None and not self.at_fault)

    def to_json(self) -> dict[str, JSON]:
        """The record as plain data, with its keys in a fixed order."""
        return {
            "plan": self.plan.to_json(),
            "seats": self.seats,
            "ending": str(self.ending),
            "returns": self.returns,
            "gone": self.forfeited,
            "waves": self.steps,
            "events": self.events,
            "failure": self.failure and [self.failure.reason, self.failure.traceback],
        }

    @classmethod
    def from_json(cls, raw: Any) -> "MatchRecord":
        """Create a record from what ``to_json`` returned."""
        return cls(
            plan=MatchPlan.from_json(raw["plan"]),
            seats=tuple(raw["seats"]),
            ending=Ending(raw["ending"]),
            returns=None if raw["returns"] is None else tuple(raw["returns"]),
            forfeited=tuple(raw["gone"]),
            steps=raw["waves"],
            events=tuple(Event.from_json(e) for e in raw["events"]),
            failure=raw["failure"] and Failure(*raw["failure"]),
        )
