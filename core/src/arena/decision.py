"""What a player is asked: the decision, its options, look-ups and forms, and why an answer is refused."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, overload

import attrs

from arena.errors import RuleError, StaleDecision
from arena.record import JSON, Action, GameEvent, Player, canonical

if TYPE_CHECKING:
    from arena.game import State


class _Marker(Enum):
    GONE = "gone"
    ABSENT = "absent"


Gone: TypeAlias = Literal[_Marker.GONE]
Absent: TypeAlias = Literal[_Marker.ABSENT]

GONE: Final[Gone] = _Marker.GONE
"""Passed to ``State.apply`` in place of an action of a player who was put out of the match."""

ABSENT: Final[Absent] = _Marker.ABSENT
"""There is no such thing (``None`` is a legal action, so it cannot say that)."""


@attrs.frozen
class Picture:
    """An image, as bytes with their media type (``image/png``) and a text for who cannot see it."""

    media_type: str
    data: bytes
    alternative: str = ""


Form: TypeAlias = Callable[[Any], str | Picture]
"""A way to show an observation: a pure function of observation data."""


@attrs.frozen
class Option:
    """One legal action and its words. The label is unique within its decision and never a bare number."""

    action: Action
    label: str


class Options(Sequence[Option]):
    """The legal actions of a decision; labels are made when somebody reads them.

    ``label`` turns an action into its words; without it the canonical JSON of the action is its label.
    """

    __slots__ = ("_label", "actions")

    def __init__(self, actions: Sequence[Action], label: Callable[[Any], str] | None = None) -> None:
        self.actions = actions
        self._label = label or canonical

    def __len__(self) -> int:
        return len(self.actions)

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        if isinstance(index, slice):
            return [Option(a, self._label(a)) for a in self.actions[index]]
        action = self.actions[index]
        return Option(action, self._label(action))

    def __iter__(self) -> Iterator[Option]:
        return (Option(a, self._label(a)) for a in self.actions)

    def label(self, action: Action) -> str:
        """The words for ``action``, which must be one of ``actions``."""
        return self._label(action)


@attrs.frozen
class Illegal:
    """Why an action, or the arguments of a query, are refused: a value, not an exception.

    ``kind`` is a short word of the game's own (``"occupied"``, ``"not-yours"``, ``"schema"``); ``reason`` is one
    sentence for the player, and holds nothing that the player may not know.
    """

    kind: str
    reason: str


@attrs.frozen(kw_only=True)
class Query:
    """A look-up a player may make while it thinks; it never changes the state.

    ``schema`` is the JSON schema of its arguments. ``answer`` is pure, takes any JSON value and returns the answer,
    or ``Illegal`` for arguments that make no sense. ``limit`` is how often one player may ask per turn, across all
    tries. Where a player has several turns in what players know as one phase, ``period`` names it (``"the craft phase
    of turn 3"``): turns of one period share the limit, and the referee offers what is left of it. ``example`` are
    arguments that work (the conformance checks ask them).
    """

    name: str
    summary: str
    schema: JSON
    answer: Callable[[Any], "JSON | Illegal"] = attrs.field(repr=False)
    limit: int = 8
    example: JSON = None
    period: str = ""


class Decision:
    """What one player may do now, and what it needs to know to choose.

    A game fills in ``state``, ``player``, ``phase`` (``"move"``, ``"propose"``, …) and either ``options``, the
    enumerated legal actions, or ``action_schema`` with ``sampler`` where they are too many to list. ``skip`` is the
    legal action that does nothing, where there is one. ``writings`` turns another way to write an action into the
    action (``["b2", "a1"]`` into ``["A1", "B2"]``) and returns anything else as it is; see ``interpret``.

    The referee adds ``forms`` (the game's), ``turn`` (how often this player has been asked before), ``attempt``
    (refusals in this turn so far), ``news`` (visible events since its last decision), ``rejected`` (the refused
    tries of this turn), ``refusals`` (in the whole match so far) and ``refusals_left`` (with how many more the policy
    for illegal actions acts; ``None`` where there is no referee).

    A decision is valid until its wave is applied; ``observation``, ``render`` and ``sample`` raise
    ``StaleDecision`` afterwards.
    """

    attempt: int = 0
    news: tuple[GameEvent, ...] = ()
    rejected: tuple["Rejected", ...] = ()
    refusals: int = 0
    refusals_left: int | None = None
    is_stale: bool = False

    def __init__(
        self,
        *,
        state: "State",
        player: Player,
        phase: str = "move",
        options: Options | None = None,
        action_schema: JSON = None,
        sampler: Callable[[Random], Action] | None = None,
        writings: Callable[[Any], Action] | None = None,
        skip: Action | Absent = ABSENT,
        queries: tuple[Query, ...] = (),
        forms: Mapping[str, Form] = MappingProxyType({}),
        turn: int = 0,
    ) -> None:
        self.state = state
        self.player = player
        self.phase = phase
        self.options = options
        self.action_schema = action_schema
        self.sampler = sampler
        self.writings = writings
        self.skip = skip
        self.queries = queries
        self.forms = forms
        self.turn = turn

    @property
    def observation(self) -> JSON:
        """What the player sees."""
        self._check_fresh()
        return self.state.observe(self.player)

    @property
    def schema(self) -> JSON:
        """The JSON schema of an action; every decision has one."""
        if self.options is not None:
            return {"enum": list(self.options.actions)}
        return self.action_schema

    def render(self, form: str = "text") -> str | Picture:
        """Show the observation in one of the game's forms; ``RuleError`` names the forms there are."""
        if form not in self.forms:
            raise RuleError(f"no form called {form!r} (there is: {', '.join(self.forms)})")
        return self.forms[form](self.observation)

    def sample(self, rng: Random) -> Action:
        """A legal action, uniformly where they are enumerated."""
        if self.is_stale:
            self._check_fresh()
        if self.options is not None:
            actions = self.options.actions
            return actions[int(rng.random() * len(actions))]
        if self.sampler is None:
            raise RuleError(f"{type(self.state).__name__}: a decision needs options or a sampler")
        return self.sampler(rng)

    def interpret(self, value: JSON) -> Action:
        """The action that ``value`` can only mean, for agents that read what people or models write.

        Where the game knows no other way to write an action, or ``value`` is none, it is returned as it is, so that
        ``check`` can say what is wrong with it.
        """
        return value if self.writings is None else self.writings(value)

    def expire(self) -> None:
        """Close the decision; whoever applies a wave does this to the decisions it asked for."""
        self.is_stale = True

    def _check_fresh(self) -> None:
        if self.is_stale:
            raise StaleDecision(f"this decision of player {self.player} was read after its wave had been applied")


@attrs.frozen
class Rejected:
    """One refused try of this turn: its kind, the reason given to the player, and the action where there was one."""

    kind: str
    reason: str
    action: Action | Absent = ABSENT
