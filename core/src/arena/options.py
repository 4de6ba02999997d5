"""The parts of a decision: legal actions, queries, forms of observation, names in texts, and refusals."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from random import Random
from typing import Any, Final, Literal, Protocol, TypeAlias, cast, overload

import attrs

from arena.errors import RuleError
from arena.record import JSON, Action, canonical_json


class _Marker(Enum):
    GONE = "gone"
    ABSENT = "absent"


Forfeited: TypeAlias = Literal[_Marker.GONE]
Absent: TypeAlias = Literal[_Marker.ABSENT]

FORFEITED: Final[Forfeited] = _Marker.GONE
"""Passed to ``State.apply`` in place of the action of a player eliminated by forfeit."""

ABSENT: Final[Absent] = _Marker.ABSENT
"""Means that there is no action; ``None`` cannot mean that, because it is a legal action."""


@attrs.frozen
class Image:
    """An image: its bytes, their media type (``image/png``), and ``alt``, a text for readers who cannot see it."""

    media_type: str
    data: bytes
    alt: str = ""


@attrs.frozen
class Drawing:
    """A picture as data, which ``playarena-scene`` describes and others draw; ``alt`` is the whole of it in words."""

    data: JSON
    alt: str


Form: TypeAlias = Callable[[Any], str | Image | Drawing]
"""A way to show an observation: a pure function of observation data."""

_LISTED: Final = 30
_FIXED: Final = frozenset((str, int, float, bool, type(None)))


@attrs.frozen
class Option:
    """One legal action and its label, which is unique within its decision and never a bare number."""

    action: Action
    label: str


class Options(Sequence[Option]):
    """The legal actions of a decision, whose labels are made when they are read.

    ``label`` turns an action into its label; by default that is the action's canonical JSON. Readers get copies:
    changing one changes neither the game nor what others read. ``RuleError`` if two read in a row have one label.
    """

    __slots__ = ("_actions", "_fixed", "_label", "_read")

    def __init__(self, actions: Sequence[Action], label: Callable[[Any], str] | None = None) -> None:
        self._actions = tuple(actions) if isinstance(actions, list) else actions
        self._label = label or canonical_json
        self._fixed: Sequence[Action] | None = None
        self._read: tuple[Option, ...] = ()

    @property
    def actions(self) -> Sequence[Action]:
        """The actions without their words; lists and objects among them are copied at each reading."""
        if self._fixed is None:
            if not _FIXED.issuperset(map(type, self._actions)):
                return tuple(map(unshared, self._actions))
            self._fixed = tuple(self._actions)  # nothing in them can be changed
        return self._fixed

    def __len__(self) -> int:
        return len(self._actions)

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        if isinstance(index, slice):
            return [Option(unshared(a), self._label(a)) for a in self._actions[index]]
        action = self._actions[index]
        return Option(unshared(action), self._label(action))

    def __iter__(self) -> Iterator[Option]:
        if self._read:
            self._label(self._read[0].action)  # raises where labels may not be read
            return iter(self._read)
        read: dict[str, Option] = {}
        for action in self.actions:
            if (label := self._label(action)) in read:
                raise RuleError(f"two options have the label {label!r}, so that a label does not say which is meant")
            read[label] = Option(action, label)
        self._read = () if self._fixed is None else tuple(read.values())
        return iter(read.values())

    def label(self, action: Action) -> str:
        """The label of ``action``, which must be one of ``actions``."""
        return self._label(action)

    def named(self, value: JSON) -> tuple[Option, ...]:
        """The options that ``value`` names: by the label, but for spaces and the case of words, which codes keep.

        An object or a list is also named by itself. No number is, and no text that is not shown.
        """
        written = canonical_json(value)
        exact = [option for option in self if option.label == value or option.label == written]
        if not exact and (text := value if isinstance(value, str) else written)[:1] in ("{", "["):
            exact = [option for option in self if canonical_json(option.action) == text]
        if not exact and isinstance(value, str):
            exact = [option for option in self if _relaxed(option.label) == _relaxed(value)]
        return tuple(exact)

    def listed(self, near: str = "") -> str:
        """The labels in one line: all of up to 30, of more those that are most like ``near``."""
        labels, which = [option.label for option in self], ""
        if len(labels) > _LISTED:
            which = f"of {len(labels)} the nearest are "
            labels = get_close_matches(near[:_LISTED], labels, n=8, cutoff=0.0)
        return which + ("; " if any("," in label for label in labels) else ", ").join(labels)

    def sample(self, rng: Random) -> Action:
        """Draw one of the actions, each with the same probability."""
        action = self._actions[int(rng.random() * len(self._actions))]
        return action if type(action) in _FIXED else unshared(action)


def _relaxed(label: str) -> str:
    """The label with single spaces and plain words in lower case; no codes: bxc3 is a pawn's move, Bxc3 a bishop's."""
    plain = re.compile(r"(?=.*[^\W\d_].*[^\W\d_])\D+")
    return " ".join(word.casefold() if plain.fullmatch(word) else word for word in label.split())


@attrs.frozen
class Illegal:
    """The reason why an action, or the arguments of a query, are refused: a value, not an exception.

    ``kind`` is a short word of the game's own (``"occupied"``, ``"not-yours"``, ``"schema"``); ``reason`` is one
    sentence for the player, and must not reveal anything hidden from it.
    """

    kind: str
    reason: str


@attrs.frozen(kw_only=True)
class Query:
    """A look-up that a player may make before it acts; it never changes the state.

    ``schema`` is the JSON schema of its arguments. ``answer`` is pure, takes any JSON value and returns the answer,
    or ``Illegal`` for arguments that make no sense. ``limit`` is how often one player may ask per turn, across all
    tries. Turns with the same ``budget_scope`` (``"the craft phase of turn 3"``) share one limit, and the referee
    offers what is left of it; empty means that each turn has its own. ``example`` are arguments that work, for checks.
    """

    name: str
    summary: str
    schema: JSON
    answer: Callable[[Any], "JSON | Illegal"] = attrs.field(repr=False)
    limit: int = 8
    example: JSON = None
    budget_scope: str = ""

    def offered(self) -> "Query":
        """A copy of this query for an agent, which shares no mutable object with the game."""
        answer: Callable[[Any], Any] = self.answer
        answered: Callable[[Any], Any] = lambda arguments: unshared(answer(arguments))  # noqa: E731
        return attrs.evolve(self, schema=unshared(self.schema), example=unshared(self.example), answer=answered)


@attrs.frozen(kw_only=True)
class QueryAction:
    """An action that the answer to a look-up suggests, for pages to offer; those of lower rank come first."""

    label: str
    action: Action
    rank: float = 0.0


EntityStatus: TypeAlias = Literal["free", "taken", "held", "elsewhere", "unknown"]


@attrs.frozen(kw_only=True)
class Entities:
    """How texts name one kind of thing in a position, for checks of what a player says against what it sees.

    ``kind`` is a word for such a thing (``"cell"``). ``pattern`` is a regular expression, searched between word
    boundaries and without regard to case, that finds everything written like a name of the kind, even if nothing has
    that name. A name is the text of the groups of ``pattern``, in lower case and joined by spaces, or the whole match
    if there are no groups. ``status`` maps every existing name to what the player knows of the thing: it is
    ``"free"``, ``"taken"``, ``"held"`` by the player itself, certainly ``"elsewhere"``, or ``"unknown"``.
    """

    kind: str
    pattern: str
    status: Mapping[str, EntityStatus]


class Touchable(Protocol):
    """Which elements of the form ``scene`` are touched for each action; ``arena_scene.Touches`` is one."""

    def written(self) -> JSON:
        """What can be touched as JSON, which ``playarena-scene`` describes."""


def unshared(value: JSON) -> Any:
    """A deep copy of a JSON value, so that changing it changes nothing else."""
    kind = type(value)
    if kind is dict:
        items = cast("dict[str, JSON]", value).items()
        return {key: item if type(item) in _FIXED else unshared(item) for key, item in items}
    if kind is list:
        return [unshared(item) for item in cast("list[JSON]", value)]
    return tuple(unshared(item) for item in cast("tuple[JSON, ...]", value)) if kind is tuple else value
