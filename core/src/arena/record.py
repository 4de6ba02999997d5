"""What is written down: events, endings, refusals and whole matches, with their JSON form.

A match record depends on the benchmark, the seed and the answers alone: it holds no clock, no path and no host,
so that the same match gives the same bytes on every machine.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from json import encoder as json_encoder
from random import Random
from typing import Any, Final, NamedTuple, NewType, TypeAlias, cast

import attrs

Player = NewType("Player", int)
"""A seat at the table, counted from 0 in the order of ``Game.seats``."""

JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
"""Anything that survives ``json.dumps`` and ``json.loads`` unchanged; keys are strings, numbers are finite."""

Action: TypeAlias = JSON
"""What a player does: a JSON value. Two actions are the same if their canonical texts are the same."""

EVERYONE: Final[tuple[Player, ...] | None] = None
"""The audience of a public event."""

NOBODY: Final[tuple[Player, ...]] = ()
"""The audience of an event that only the record (and the spectator) knows."""


def encoder(*, sort_keys: bool = False, allow_nan: bool = True) -> Callable[[Any], str]:
    """Makes JSON without spaces, as ``json.dumps`` does.

    ``json`` sets up its machinery afresh for each text, which for a short one takes longer than writing it; here that
    is done once. What the quick way cannot write is left to ``json``, for its error.
    """
    slow = json.JSONEncoder(sort_keys=sort_keys, separators=(",", ":"), ensure_ascii=False, allow_nan=allow_nan)
    # the types of the standard library leave it out; it is None where Python is not CPython
    make = cast("Callable[..., Callable[[Any, int], Iterable[str]]] | None", vars(json_encoder)["c_make_encoder"])
    if make is None:
        return slow.encode
    quick = make(None, slow.default, json_encoder.encode_basestring, None, ":", ",", sort_keys, False, allow_nan)

    def encode(value: Any) -> str:
        try:
            return "".join(quick(value, 0))
        except (TypeError, ValueError, RecursionError):
            return slow.encode(value)

    return encode


_encode = encoder(sort_keys=True, allow_nan=False)


def canonical(value: JSON) -> str:
    """The one text of a JSON value: sorted keys, no spaces; ``1``, ``1.0``, ``true`` and ``"1"`` all differ.

    Raises ``ValueError`` for NaN and infinities and ``TypeError`` for what is not JSON.
    """
    return _encode(value)


def digest(*path: JSON) -> int:
    """A 64-bit number from the contents of ``path``: equal contents, equal number, on every machine."""
    return int.from_bytes(blake2b(canonical(path).encode(), digest_size=8).digest(), "big")


def stream(*path: JSON) -> Random:
    """A random generator of its own for ``path``; no two paths share one, no path shifts another's luck."""
    return Random(digest(*path))


class Ending(StrEnum):
    """How a match ended. Only ``FAILED`` and ``INFRASTRUCTURE_FAILURE`` are no result."""

    RULES = "rules"
    """Won, lost, drawn or scored by the rules of the game."""
    FORFEIT_ILLEGAL = "forfeit-illegal"
    """Somebody ran out of tries; the last refusal was an illegal action."""
    FORFEIT_FORMAT = "forfeit-format"
    """Somebody ran out of tries; the last answer was empty, truncated, unreadable or ambiguous."""
    FORFEIT_TIME = "forfeit-time"
    """Somebody ran out of tries; the last one ran out of time."""
    DISQUALIFIED = "disqualified"
    """Somebody ran out of tries under a policy that makes it nobody's win; there are no returns."""
    TURN_LIMIT = "turn-limit"
    """The game's or the benchmark's limit of waves was reached."""
    CANCELLED = "cancelled"
    """Stopped from outside, for good; there are no returns."""
    INFRASTRUCTURE_FAILURE = "infrastructure-failure"
    """A backend could not be reached. Never a result; played again on resume."""
    FAILED = "failed"
    """A bug in a plugin. Never a result; played again on resume, reason and traceback are kept."""

    @property
    def is_result(self) -> bool:
        """Whether the match counts in any table of results."""
        return self not in (Ending.FAILED, Ending.INFRASTRUCTURE_FAILURE, Ending.CANCELLED)

    @property
    def is_forfeit(self) -> bool:
        """Whether a player was put out by its own refusals."""
        return self in (Ending.FORFEIT_ILLEGAL, Ending.FORFEIT_FORMAT, Ending.FORFEIT_TIME, Ending.DISQUALIFIED)


class RefusalKind(StrEnum):
    """Why an answer was not played."""

    EMPTY = "empty"
    """The model said nothing."""
    TRUNCATED = "truncated"
    """The model was cut off by its token limit before the answer was complete."""
    UNREADABLE = "unreadable"
    """No structured answer could be found."""
    AMBIGUOUS = "ambiguous"
    """The answer can be read in two ways."""
    ILLEGAL = "illegal"
    """The answer is clear and the rules forbid it."""
    TOO_LONG = "too-long"
    """The prompt was longer than the model takes, so that it could not answer."""
    LATE = "late"
    """The turn's time was over."""


class GameEvent(NamedTuple):
    """Something that happened in a game, and who may see it.

    ``to`` is ``EVERYONE``, or the tuple of players who see it; ``NOBODY`` keeps it for the record and the
    spectator. ``data`` is JSON and must hold nothing that a player in ``to`` may not know.
    """

    kind: str
    data: JSON
    to: tuple[Player, ...] | None

    def is_visible(self, player: Player | None) -> bool:
        """Whether ``player`` sees it; the spectator, ``None``, sees everything."""
        return self.to is None or player is None or player in self.to


class Event(NamedTuple):
    """One line of a match's story: a game event, or something the referee saw.

    ``wave`` counts the waves applied before it. ``source`` is ``"game"`` or ``"referee"``. The referee's kinds are
    ``played`` (data: ``action``, ``label``, ``turn``, ``try``, ``by``: ``agent``, or ``random`` and ``skip`` where
    the policy for illegal actions put in a substitute; ``reasoning`` and ``note`` where the agent gave them),
    ``refused`` (``kind``, ``reason``, ``turn``, ``try``), ``queried`` (``name``, ``arguments``, ``answer``),
    ``withheld`` (an action that was not applied, since another player's forfeit ended the match in this wave),
    ``rewarded`` (one reward per player) and ``gone`` (``kind``: the last refusal's).

    Its JSON is the list of its fields in this order.
    """

    wave: int
    source: str
    kind: str
    player: Player | None
    data: JSON
    to: tuple[Player, ...] | None

    @classmethod
    def from_json(cls, raw: Any) -> "Event":
        """Make an event of its JSON."""
        wave, source, kind, player, data, to = raw
        return cls(wave, source, kind, player, data, None if to is None else tuple(to))


@attrs.frozen
class Failure:
    """Why a match has no result: one line, and the traceback where a plugin's bug is the cause."""

    reason: str
    traceback: str = ""


@attrs.frozen(kw_only=True)
class MatchPlan:
    """One match to be played, as plain data.

    ``id`` is stable: it is derived from the contents below, never from a position in a list. ``agents`` and
    ``game`` are names in the benchmark, and ``pairing`` names the set of agents without their seats. Matches with the
    same ``chance_seed`` share their deals: those of one pairing and repeat in other seats, and more where the schedule
    says so.
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
        """The rotation block: the matches that share their deals, which are resampled as one unit."""
        return f"{self.game}/{self.chance_seed}"

    def to_json(self) -> dict[str, JSON]:
        """The plan as plain data."""
        return {name: getattr(self, name) for name in _PLAN_FIELDS}

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> "MatchPlan":
        """Undo ``to_json``."""
        raw["agents"] = tuple(raw["agents"])
        return cls(**raw)


_PLAN_FIELDS = tuple(field.name for field in attrs.fields(MatchPlan))


@attrs.frozen(kw_only=True)
class MatchRecord:
    """A match that is over: its plan, how it ended and everything that happened.

    ``returns`` has one number per player, or is ``None`` where nobody earned anything by rules or forfeit
    (disqualification, cancellation, failure). ``gone`` lists players put out by their own refusals, in order.
    """

    plan: MatchPlan
    seats: tuple[str, ...]
    ending: Ending
    returns: tuple[float, ...] | None
    gone: tuple[Player, ...] = ()
    waves: int = 0
    events: tuple[Event, ...] = ()
    failure: Failure | None = None

    @property
    def id(self) -> str:
        """The id of its plan."""
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
        """The actions that were applied, substitutes included."""
        return (e for e in self.events if e.source == "referee" and e.kind == "played")

    def refused(self) -> Iterator[Event]:
        """The answers that were not played."""
        return (e for e in self.events if e.source == "referee" and e.kind == "refused")

    def to_json(self) -> dict[str, JSON]:
        """Everything, as plain data; keys in a fixed order."""
        return {
            "plan": self.plan.to_json(),
            "seats": self.seats,
            "ending": str(self.ending),
            "returns": self.returns,
            "gone": self.gone,
            "waves": self.waves,
            "events": self.events,
            "failure": None if self.failure is None else [self.failure.reason, self.failure.traceback],
        }

    @classmethod
    def from_json(cls, raw: Any) -> "MatchRecord":
        """Undo ``to_json``."""
        return cls(
            plan=MatchPlan.from_json(raw["plan"]),
            seats=tuple(raw["seats"]),
            ending=Ending(raw["ending"]),
            returns=None if raw["returns"] is None else tuple(raw["returns"]),
            gone=tuple(raw["gone"]),
            waves=raw["waves"],
            events=tuple(Event.from_json(e) for e in raw["events"]),
            failure=None if raw["failure"] is None else Failure(*raw["failure"]),
        )
