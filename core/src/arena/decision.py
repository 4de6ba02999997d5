"""The decision that a player is asked: an immutable value through which it sees its part of the match."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from random import Random
from types import MappingProxyType
from typing import Any, Final, Protocol

import attrs

from arena.errors import RuleError, StaleDecision
from arena.options import ABSENT, Absent, Drawing, Form, Illegal, Image, Options, Query, unshared
from arena.record import JSON, Action, GameEvent, Player, canonical_json, visible


class _Match(Protocol):
    """The two methods of a ``State`` that a view calls; this module knows no other."""

    def observe(self, player: Player | None) -> JSON: ...
    def check(self, player: Player, action: Action) -> Illegal | None: ...


class PlayerView:
    """Gives one player access to the position it is asked about: its observation, and which actions are legal.

    The referee owns it and sets ``is_open`` to false when the step is applied. From then on nothing can be read
    through it, so a decision that an agent kept reveals nothing of later positions.
    """

    __slots__ = ("_player", "_state", "is_open")

    def __init__(self, state: _Match, player: Player) -> None:
        self._state, self._player = state, player
        self.is_open = True

    def observe(self) -> JSON:
        """The player's observation; ``StaleDecision`` once the step has been applied."""
        self.check_open()
        return self._state.observe(self._player)

    def check(self, action: JSON) -> Illegal | None:
        """Why an action of the player is not legal, or ``None``; ``StaleDecision`` once the step has been applied."""
        self.check_open()
        return self._state.check(self._player, action)

    def check_open(self) -> None:
        """Raise ``StaleDecision`` once the step has been applied."""
        if not self.is_open:
            raise StaleDecision(f"this decision of player {self._player} was read after its step had been applied")


class _Nothing:
    """The match of a decision that no player has been asked yet; nothing can be read from it."""

    def observe(self, *_: Any, **__: Any) -> Any:
        raise RuleError("a decision shows nothing before a player is asked; make one with decision.asked(view)")

    check = observe


_NOWHERE: Final = PlayerView(_Nothing(), Player(-1))
_NO_FORMS: Final[Mapping[str, Form]] = MappingProxyType({})


class Decision:
    """What one player may do now, and what it needs to know to choose; it cannot be changed.

    A game sets ``player``, ``phase`` (``"move"``, ``"propose"``, …) and either ``options``, the enumerated legal
    actions, or ``action_schema`` with ``sampler`` if they are too many to list. ``skip`` is the legal action that does
    nothing, if there is one. ``aliases`` turns another way to write an action, legal or not, into it (``["b2", "a1"]``
    into ``["A1", "B2"]``) or into why it is ``Illegal``, and returns anything else unchanged; see ``interpret``.

    The referee adds the rest for each try, with ``asked``: ``forms`` (the game's), ``turn`` (how often this player has
    been asked before), ``attempt`` (refusals in this turn so far), ``news`` (visible events since its last decision),
    ``rejected`` (the refused tries of this turn), ``refusals`` (in the whole match so far) and ``refusals_left`` (with
    how many more the policy for illegal actions acts; ``None`` if there is no referee).

    A decision that was asked is valid until its step is applied; ``observation``, ``render``, ``check`` and ``sample``
    raise ``StaleDecision`` afterwards. Nothing public about it leads to the match or can be used to change it.
    """

    player: Player
    phase: str
    options: Options | None
    action_schema: JSON
    sampler: Callable[[Random], Action] | None
    aliases: Callable[[Any], Action | Illegal] | None
    skip: Action | Absent
    queries: tuple[Query, ...]
    turn: int
    attempt: int
    rejected: tuple["Rejected", ...]
    refusals: int
    refusals_left: int | None

    __slots__ = (
        *("_action_schema", "_aliases", "_options", "_phase", "_player", "_queries", "_sampler", "_skip"),
        *("_attempt", "_forms", "_news", "_refusals", "_refusals_left", "_rejected", "_turn", "_view"),
    )

    def __init__(
        self,
        *,
        player: Player,
        phase: str = "move",
        options: Options | None = None,
        action_schema: JSON = None,
        sampler: Callable[[Random], Action] | None = None,
        aliases: Callable[[Any], Action | Illegal] | None = None,
        skip: Action | Absent = ABSENT,
        queries: tuple[Query, ...] = (),
    ) -> None:
        self._player, self._phase, self._options = player, phase, options
        self._action_schema, self._sampler, self._aliases = action_schema, sampler, aliases
        self._skip: Action | Absent = skip
        self._queries = queries
        self._turn = self._attempt = self._refusals = 0
        self._rejected: tuple[Rejected, ...] = ()
        self._refusals_left: int | None = None
        self._forms: Mapping[str, Form] | None = None
        self._news: Sequence[GameEvent] = ()
        self._view = _NOWHERE

    def asked(
        self,
        view: PlayerView,
        *,
        turn: int = 0,
        attempt: int = 0,
        news: tuple[GameEvent, ...] = (),
        rejected: tuple["Rejected", ...] = (),
        refusals: int = 0,
        refusals_left: int | None = None,
        forms: Mapping[str, Form] = _NO_FORMS,
        queries: tuple[Query, ...] | None = None,
    ) -> "Decision":
        """A copy of this decision for one try of a player, which reads through ``view``; ``queries`` replaces its own.

        What comes from the game is wrapped or copied, so the agent cannot reach the match through it.
        """
        queries = self._queries if queries is None else queries
        asked = Decision.__new__(Decision)  # a match makes one for each try, and every field is set here
        asked._player, asked._phase, asked._options = self._player, self._phase, self._options
        asked._action_schema = None if self._action_schema is None else unshared(self._action_schema)
        asked._sampler = None if self._sampler is None else _wrapped(self._sampler)
        asked._aliases = None if self._aliases is None else _wrapped(self._aliases)
        asked._skip = self._skip if self._skip is ABSENT else unshared(self._skip)
        asked._queries = tuple([query.offered() for query in queries]) if queries else ()
        asked._turn, asked._attempt, asked._rejected = turn, attempt, rejected
        asked._refusals, asked._refusals_left = refusals, refusals_left
        asked._forms, asked._news, asked._view = forms, news, view
        return asked

    def with_news(self, news: Sequence[GameEvent], queries: tuple[Query, ...] | None = None) -> "Decision":
        """A copy with other news or fewer queries, for an agent that passes the decision on to another agent."""
        kept = ("turn", "attempt", "rejected", "refusals", "refusals_left", "forms")
        return self.asked(self._view, news=tuple(news), queries=queries, **{name: getattr(self, name) for name in kept})

    @property
    def forms(self) -> Mapping[str, Form]:
        """The game's forms, by name; see ``render``."""
        return _NO_FORMS if self._forms is None else self._forms

    @property
    def news(self) -> tuple[GameEvent, ...]:
        """The events since the player's last decision that it may see, in order."""
        return tuple([GameEvent(kind, unshared(data), to) for kind, data, to in self._news])

    @property
    def observation(self) -> JSON:
        """What the player sees, as a copy; ``StaleDecision`` once the step has been applied."""
        return unshared(self._view.observe())

    @property
    def schema(self) -> JSON:
        """The JSON schema of a legal action; made from ``options`` if there are any."""
        if self.options is not None:
            return {"enum": list(self.options.actions)}
        return self.action_schema

    def check(self, action: JSON) -> Illegal | None:
        """Why ``action`` would be refused, or ``None``. Takes any JSON value; a check is not counted as a try."""
        return self._view.check(action)

    def render(self, form: str = "text") -> str | Image | Drawing:
        """Show the observation in one of the game's forms; ``RuleError`` if there is no such form."""
        if form not in self.forms:
            raise RuleError(f"no form called {form!r} (there is: {', '.join(self.forms)})")
        return self.forms[form](self._view.observe())

    def sample(self, rng: Random) -> Action:
        """Draw a legal action; uniformly if they are enumerated, else as the game's sampler does."""
        if not self._view.is_open:
            self._view.check_open()
        if (options := self.options) is not None:
            return options.sample(rng)
        if self.sampler is None:
            raise RuleError(f"player {self.player}, {self.phase!r}: a decision needs options or a sampler")
        return self.sampler(rng)

    def interpret(self, value: JSON, *, is_numbered: bool = False) -> Action | Illegal:
        """The action that a person or a model has written as ``value``, or why it is none: the rule of all games.

        It is a label as shown (``Options.named``), with ``is_numbered`` the number of an action, or another way to
        write one (``aliases``). An object or a list passes where actions are such, and anything where none are listed:
        ``check`` says if it is legal. The kind of a refusal is ``illegal``, ``unreadable`` or ``ambiguous``.
        """
        if (options := self.options) is None:
            return value if self.aliases is None else self.aliases(value)
        if len(named := options.named(value)) == 1:
            return named[0].action
        if named:
            labels = ", ".join([repr(option.label) for option in named[:5]])
            return Illegal("ambiguous", f"it is not clear which of {labels} is meant; write one, word for word")
        said = value if isinstance(value, str) else canonical_json(value)
        if is_numbered and type(value) in (int, str) and len(said) < 20 and said.strip().removeprefix("-").isdecimal():
            return int(said)
        meant: Any = value if self.aliases is None else self.aliases(value)
        if isinstance(meant, Illegal):
            return attrs.evolve(meant, reason=f"{meant.reason}; legal: {options.listed(said)}")
        written = canonical_json(value)
        is_built = written[0] in "{[" and any(canonical_json(action)[0] == written[0] for action in options.actions)
        if is_built or canonical_json(meant) != written:
            return meant
        shown = visible(repr(said[:80]) if isinstance(value, str) else said[:80])
        return Illegal("unreadable", f"{shown} is none of the legal actions: {options.listed(said)}")


for _name in Decision.__annotations__:  # what is read by a property cannot be set
    setattr(Decision, _name, property(attrgetter(f"_{_name}")))


def _wrapped(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Hide the object that ``function`` may be a method of."""
    return lambda argument: function(argument)


@attrs.frozen
class Rejected:
    """One refused try of this turn: its kind, the reason given to the player, and the action if there was one."""

    kind: str
    reason: str
    action: Action | Absent = ABSENT
