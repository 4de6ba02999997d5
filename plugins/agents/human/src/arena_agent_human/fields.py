"""An action that is put together field by field: the parts of its JSON schema as lines that are filled in."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import attrs
from arena.game import ABSENT, Absent
from arena.record import JSON, canonical_json

from arena_agent_human.scalars import Misread, Scalar

MOST: Final = 200
"""The most parts that a list or a table of names can be given by hand."""


@attrs.frozen(kw_only=True, eq=False)
class Row:
    """One line of a form: a heading, a value (``scalar``), or something to do (``act``, with the text typed).

    ``remove`` takes the part it belongs to away, where that is possible; ``names`` complete what is typed.
    """

    depth: int
    label: str
    scalar: Scalar | None = None
    hint: str = ""
    note: str = ""
    act: Callable[[str], object] | None = None
    remove: Callable[[], None] | None = None
    names: Sequence[str] = ()

    @property
    def is_asked(self) -> bool:
        """Whether a person stops at this line."""
        return self.scalar is not None or self.act is not None

    @property
    def text(self) -> str:
        """What has been typed or chosen."""
        return self.scalar.text if self.scalar is not None else ""

    def completions(self, text: str) -> list[str]:
        """What may be meant by the beginning ``text``."""
        if self.scalar is not None:
            return list(self.scalar.completions(text))
        return [name for name in self.names if name.startswith(text.strip())]


class Field(ABC):
    """One part of an action, with the value that has been given so far."""

    label: str = ""
    note: str = ""
    is_required: bool = True

    @abstractmethod
    def value(self) -> JSON | Absent:
        """The value as it is filled in, ``ABSENT`` if it is left out; ``Misread`` says what is missing or wrong."""

    @abstractmethod
    def fill(self, value: JSON) -> bool:
        """Fill in a value; false if this field cannot express it."""

    @abstractmethod
    def rows(self, depth: int) -> Iterator[Row]:
        """The lines of the form, from top to bottom."""


Making: TypeAlias = Callable[[], Field]


class ScalarField(Field):
    """A part with one value, which is typed or chosen."""

    def __init__(self, scalar: Scalar, *, note: str = "") -> None:
        self.scalar, self.note, self.is_required = scalar, note, scalar.is_required

    def value(self) -> JSON | Absent:
        try:
            return self.scalar.value()
        except Misread as misread:
            raise Misread(f"{self.label}: {misread}" if self.label else str(misread)) from None

    def fill(self, value: JSON) -> bool:
        self.scalar.text = self.scalar.said(value)
        return _gives(self, value)

    def rows(self, depth: int) -> Iterator[Row]:
        if not (self.is_required and self.scalar.is_closed and len(self.scalar.choices) == 1):
            yield Row(depth=depth, label=self.label, scalar=self.scalar, hint=self.scalar.hint, note=self.note)


class GroupField(Field):
    """An object: its parts by name, in the order of the schema, and others where the schema allows them.

    ``more`` makes the part of a name that the schema does not list; ``names`` are proposed for it.
    """

    def __init__(
        self, parts: dict[str, Field], *, more: Making | None = None, names: Sequence[str] = (), note: str = ""
    ) -> None:
        self._parts, self._more, self._names, self.note = parts, more, names, note
        self._listed = tuple(parts)

    def choose(self, name: str, text: str) -> None:
        """Give the part called ``name``, which has a single value, a text."""
        part = self._parts[name]
        if isinstance(part, ScalarField):
            part.scalar.text = text

    def value(self) -> JSON | Absent:
        found: dict[str, JSON] = {}
        for name, part in self._parts.items():
            value = part.value()
            if value is not ABSENT:
                found[name] = value
        return found if found or self.is_required else ABSENT

    def fill(self, value: JSON) -> bool:
        if not isinstance(value, dict):
            return False
        for name in value:
            if name not in self._parts and (self._more is None or not self._add(name)):
                return False
        return all(part.fill(value[name]) for name, part in self._parts.items() if name in value)

    def rows(self, depth: int) -> Iterator[Row]:
        if self.label:
            yield Row(depth=depth, label=self.label, note=self.note)
        depth += bool(self.label)
        for name, part in self._parts.items():
            for row in part.rows(depth):
                is_free = name not in self._listed and row.depth == depth
                yield attrs.evolve(row, remove=lambda name=name: self._drop(name)) if is_free else row
        if self._more is not None and len(self._parts) < MOST:
            free = [name for name in self._names if name not in self._parts]
            hint = "type a name; Tab completes it" if free else "type a name"
            yield Row(depth=depth, label="add", hint=hint, act=self._add, names=free)

    def _add(self, name: str) -> bool:
        name = name.strip()
        if not name or name in self._parts or self._more is None:
            return False
        part = self._more()
        part.label = name
        self._parts[name] = part
        return True

    def _drop(self, name: str) -> None:
        del self._parts[name]


class ListField(Field):
    """An array: ``heads`` make its first entries, ``more`` all others; at least ``least`` and at most ``most``.

    ``name`` is what one entry is called; without it entries have numbers alone.
    """

    def __init__(
        self, heads: Sequence[Making], more: Making | None, least: int, most: int, *, note: str = "", name: str = ""
    ) -> None:
        self._heads, self._more, self._least, self._most, self.note = heads, more, least, min(most, MOST), note
        self._name = name
        self._entries: list[Field] = []
        while len(self._entries) < max(least, len(heads)) and self._grow():
            pass

    def value(self) -> JSON | Absent:
        found: list[JSON] = []
        for entry in self._entries:
            value = entry.value()
            if value is not ABSENT:
                found.append(value)
        return found if found or self.is_required else ABSENT

    def fill(self, value: JSON) -> bool:
        if not isinstance(value, list | tuple):
            return False
        while len(self._entries) < len(value) and self._grow():
            pass
        del self._entries[len(value) :]
        return len(self._entries) == len(value) and all(
            entry.fill(each) for entry, each in zip(self._entries, value, strict=True)
        )

    def rows(self, depth: int) -> Iterator[Row]:
        if self.label:
            yield Row(depth=depth, label=self.label, note=self.note)
        depth += bool(self.label)
        for entry in self._entries:
            is_first = True
            for row in entry.rows(depth):
                can_go = is_first and len(self._entries) > self._least
                yield attrs.evolve(row, remove=lambda entry=entry: self._entries.remove(entry)) if can_go else row
                is_first = False
        if self._more is not None and len(self._entries) < self._most:
            hint = "right adds one" if not self._entries else "Enter goes on, right adds one"
            label = f"add {self._name}" if self._name else "more"
            yield Row(depth=depth, label=label, hint=hint, act=lambda _: self._grow())

    def _grow(self) -> bool:
        at = len(self._entries)
        make = self._heads[at] if at < len(self._heads) else self._more
        if make is None or at >= self._most:
            return False
        entry = make()
        entry.label = f"{self._name} {at + 1}" if self._name else f"{at + 1}."
        self._entries.append(entry)
        return True


class AlternativeField(Field):
    """One of several ways, each with a title and fields of its own that are made when it is chosen."""

    def __init__(self, ways: Sequence[tuple[str, Making | None]], *, note: str = "") -> None:
        self._ways = ways
        titles: list[JSON] = [title for title, _ in ways]
        self._which = Scalar([{"enum": titles}], is_required=True)
        self._made: dict[str, Field] = {}
        self.note = note
        # A way without fields leaves the part out, which is what a person means who chooses nothing.
        self._which.text = next((title for title, make in ways if make is None), self._which.text)

    @property
    def _chosen(self) -> Field | None:
        """The fields of the way that is chosen; ``None`` if it has none."""
        title = str(self._which.value())
        make = dict(self._ways)[title]
        if make is not None and title not in self._made:
            self._made[title] = make()
        return self._made.get(title)

    def value(self) -> JSON | Absent:
        try:
            chosen = self._chosen
        except Misread as misread:
            raise Misread(f"{self.label}: {misread}" if self.label else str(misread)) from None
        return ABSENT if chosen is None else chosen.value()

    def fill(self, value: JSON) -> bool:
        for title, make in self._ways:
            if make is not None and (field := make()).fill(value) and _gives(field, value):
                self._made[title], self._which.text = field, title
                return True
        return False

    def rows(self, depth: int) -> Iterator[Row]:
        label = self.label or "which"
        yield Row(depth=depth, label=label, scalar=self._which, hint=self._which.hint, note=self.note)
        try:
            chosen = self._chosen
        except Misread:
            return
        if chosen is not None:
            yield from chosen.rows(depth + 1)


def _gives(field: Field, value: JSON) -> bool:
    """Whether a field that was filled in gives the value again."""
    try:
        found = field.value()
    except Misread:
        return False
    return found is not ABSENT and canonical_json(found) == canonical_json(value)
