"""Which elements of a scene are touched to choose an action, or to fill the form of one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

import attrs

from arena_scene.elements import plain

FORMAT: Final = 1
"""The number of the format that ``Touches`` writes."""


class _Option(Protocol):
    """What ``arena.game.Option`` is."""

    @property
    def action(self) -> Any: ...

    @property
    def label(self) -> str: ...


@attrs.frozen(kw_only=True)
class Choice:
    """One option of a decision, and the ids of the elements that are touched for it, in their order.

    Without a path it is a button beside the picture (to pass, to fold). Options with one path open a menu of labels.
    ``name`` is another way to write it, which may be typed as well.
    """

    path: tuple[str, ...]
    action: Any
    label: str
    name: str = ""

    def written(self) -> dict[str, Any]:
        """The choice as JSON."""
        told = {"path": list(self.path), "action": plain(self.action), "label": self.label}
        return {**told, "name": self.name} if self.name else told


@attrs.frozen(kw_only=True)
class Put:
    """Puts a value at a place of the form, which a JSON pointer names (``/request/coal``)."""

    pointer: str
    value: Any

    def written(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"pointer": self.pointer, "set": plain(self.value)}


@attrs.frozen(kw_only=True)
class Add:
    """Adds to what stands at a place of the form, within the bounds of the schema.

    A number is added to a number: above the greatest it stays there, below the least it is left out. A text becomes a
    further line of a text. Any value becomes an item of a list, or is taken out where it is one.
    """

    pointer: str
    value: Any = 1

    def written(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"pointer": self.pointer, "add": plain(self.value)}


@attrs.frozen(kw_only=True)
class Clear:
    """Takes out what stands at a place of the form."""

    pointer: str

    def written(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"pointer": self.pointer, "clear": True}


@attrs.frozen(kw_only=True)
class Default:
    """Puts a value at a place of the form where nothing stands yet."""

    pointer: str
    value: Any

    def written(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"pointer": self.pointer, "default": plain(self.value)}


@attrs.frozen(kw_only=True)
class Scale:
    """Multiplies all numbers at several places of the form; nothing changes where one would be above ``most``."""

    pointers: Sequence[str]
    by: int
    most: int

    def written(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"scale": {"pointers": list(self.pointers), "by": self.by, "most": self.most}}


@attrs.frozen(kw_only=True)
class Way:
    """An action for one time, all of whose numbers count, and how many times over it may be done at most."""

    once: Any
    most: int


@attrs.frozen(kw_only=True)
class Times:
    """Makes of the form an action ``by`` times more than it holds it now, from once to as often as that way allows.

    It goes on with the first of the ``ways`` that the form holds a whole number of times; where it holds none of them,
    it begins with the first one.
    """

    ways: Sequence[Way]
    by: int

    def written(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"times": {"ways": [{"once": plain(way.once), "most": way.most} for way in self.ways], "by": self.by}}


Change: TypeAlias = Put | Default | Add | Clear | Scale | Times
"""One change of the form of a decision with a schema."""


@attrs.frozen(kw_only=True)
class Fill:
    """What touching elements, in the order of the path, changes in the form; or the look-up that it makes.

    As with options, an empty path is a button beside the picture, and fills with one path open a menu of labels.
    ``kind`` is that of a ``MapOrder``: on a map its path is drawn as such an order while the form holds what it sets.
    """

    path: tuple[str, ...]
    label: str
    do: Sequence[Change] = ()
    query: str = ""
    arguments: Any = None
    kind: str = ""

    def written(self) -> dict[str, Any]:
        """What can be touched as JSON."""
        told: dict[str, Any] = {"path": list(self.path), "label": self.label}
        if self.query:
            return {**told, "query": self.query, "arguments": plain(self.arguments)}
        drawn = {"kind": self.kind} if self.kind else {}
        return {**told, "do": [change.written() for change in self.do], **drawn}


@attrs.frozen(kw_only=True)
class Assist:
    """A look-up that a page offers as a panel with a title; it is made when somebody asks for it."""

    query: str
    title: str
    arguments: Any = attrs.field(factory=dict[str, Any])


@attrs.frozen(kw_only=True)
class Suggest:
    """A look-up that completes what is typed at a place of the form; ``argument`` takes the text."""

    pointer: str
    query: str
    argument: str


@attrs.frozen(kw_only=True)
class Sum:
    """A number that is shown beside the form and follows it: what stands at each pointer, times its weight."""

    label: str
    weights: Mapping[str, float]
    of: float | None = None


@attrs.frozen(kw_only=True)
class Touches:
    """What can be touched for a decision.

    ``choices`` are all its options, each exactly once; ``fills`` change the form of a decision with a schema. ``also``
    names further elements that mean the same as one in a path. ``names`` says what places of the form are called, by
    their pointers, where that is not their name in the schema; ``-`` stands for each entry of a list, and places whose
    name is empty are left out. ``sums`` are numbers that follow the form. ``say`` is the sentence above the picture.
    """

    choices: tuple[Choice, ...] = ()
    fills: Sequence[Fill] = ()
    also: Mapping[str, Sequence[str]] = attrs.field(factory=dict[str, Sequence[str]])
    assist: Sequence[Assist] = ()
    suggest: Sequence[Suggest] = ()
    names: Mapping[str, str] = attrs.field(factory=dict[str, str])
    sums: Sequence[Sum] = ()
    say: str = ""

    @classmethod
    def of(
        cls, options: Iterable[_Option], path: Callable[[Any], Sequence[str]], say: str = "", **more: Any
    ) -> "Touches":
        """The options of a decision, with the path that a function gives to each."""
        choices = tuple(Choice(path=tuple(path(o)), action=o.action, label=o.label) for o in options)
        return cls(choices=choices, say=say, **more)

    def written(self) -> dict[str, Any]:
        """What can be touched as JSON."""
        written: dict[str, Any] = {
            "touches": FORMAT,
            "choices": [choice.written() for choice in self.choices],
            "also": {name: list(others) for name, others in self.also.items()},
            "fills": [fill.written() for fill in self.fills],
            "assist": [plain(attrs.asdict(own, recurse=False)) for own in self.assist],
            "suggest": [plain(attrs.asdict(own, recurse=False)) for own in self.suggest],
            "names": dict(self.names),
            "sums": [plain(own) for own in self.sums],
            "say": self.say,
        }
        return {name: own for name, own in written.items() if own or name in ("touches", "choices")}


def touches_of(game: object, decision: object) -> Touches | None:
    """What can be touched for a decision, as the game's method ``touches`` says; ``None`` where it says nothing.

    The method is a pure function of what an agent gets in its decision.
    """
    offered: Callable[[Any], Touches | None] | None = getattr(game, "touches", None)
    return None if offered is None else offered(decision)
