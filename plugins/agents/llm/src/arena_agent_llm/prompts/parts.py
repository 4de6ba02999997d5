"""One part of a prompt: a text with placeholders, the message it belongs to, and its version.

A part is left out if one of its placeholders has no value, if the part named by its ``unless`` is present, or in
phases that are not among its ``phases``. Its version is a hash of its content.
"""

from collections.abc import Iterable, Mapping, Set as AbstractSet
from difflib import get_close_matches
from hashlib import blake2b
from string import Template
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import attrs
from arena.backend import Part
from arena.game import Image
from arena.record import canonical_json

Place: TypeAlias = Literal["system", "user", "look-up"]

STATIC: Final = frozenset({
    "game", "rules", "short_rules", "notation", "example", "listed", "seat", "seats", "player", "players", "agents",
    "role", "persona",
})  # fmt: skip
"""Placeholders that stay the same for the whole match.

``short_rules`` and ``notation`` are what the game's forms ``short-rules`` and ``notation`` say. ``example`` are answers
to the first decision of a match, or the form of an answer where its actions cannot be enumerated. ``listed`` is "your
legal actions" where turns list them, else empty.
``role`` and ``persona`` are filled by agents that are made of several roles; elsewhere they are empty.
"""

DYNAMIC: Final = STATIC | {
    "observation", "history", "moves", "news", "actions", "schema", "queries", "queries_left", "answer", "tool",
    "feedback", "turn", "try", "phase", "notes", "condense", "refused", "reason", "all_refused", "refusals",
    "refusals_left", "refusals_allowed",
}  # fmt: skip

PLACEHOLDERS: Final[Mapping[Place, frozenset[str]]] = {
    "system": STATIC | {"answer", "tool"},  # a style whose answers have one form in all turns may tell it here
    "user": DYNAMIC,
    "look-up": frozenset({"query", "arguments", "result", "left"}),
}  # fmt: skip

FORM: Final = "form."
"""``${form.NAME}`` shows the observation in the game's form of that name; it is empty in games without that form."""

NOTE: Final = "note."
"""``${note.NAME}`` shows what the role of that name wrote; it is empty where it wrote nothing."""

Values: TypeAlias = Mapping[str, str | Image]


@attrs.frozen(kw_only=True)
class PromptPart:
    """One part of a prompt; ``place`` is the message it belongs to, ``unless`` names a part that replaces it.

    ``phases`` are the phases of decisions in which it is there; none means all.
    """

    name: str
    place: Place
    text: str
    unless: str = ""
    phases: tuple[str, ...] = ()
    names: frozenset[str] = attrs.field(init=False)
    version: str = attrs.field(init=False)
    pieces: tuple[tuple[str, str], ...] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        if self.place not in PLACEHOLDERS:
            raise ValueError(
                f"part {self.name!r}: expected one of {', '.join(PLACEHOLDERS)} for 'in', got {self.place!r}"
            )
        pieces = tuple(_split(self.name, self.text))
        names = frozenset(name for _, name in pieces if name)
        unknown_names = {name for name in names - PLACEHOLDERS[self.place] if not _is_open(name, self.place)}
        for name in sorted(unknown_names):
            raise ValueError(f"part {self.name!r}: {_no_placeholder(name, self.place)}")
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "pieces", pieces)
        if self.phases and self.place != "user":
            raise ValueError(f"part {self.name!r}: phases change from turn to turn; write 'in: user'")
        said = [self.place, self.text, *filter(None, [self.unless]), *filter(None, [self.phases])]
        object.__setattr__(self, "version", version_of(*said))

    @property
    def forms(self) -> frozenset[str]:
        """The forms of observation that its placeholders ``form.NAME`` show."""
        return frozenset(name.removeprefix(FORM) for name in self.names if name.startswith(FORM))

    def render(self, values: Values) -> tuple[Part, ...] | None:
        """Fill in texts and images in order; ``None`` in another phase, or if a placeholder has no value."""
        named = {name for name in self.names if values.get(name)}
        return _filled(self.pieces, values) if self.is_there(named, values.get("phase")) else None

    def is_there(self, named: AbstractSet[str], phase: object) -> bool:
        """Whether ``phase`` is one of its own, and each placeholder is among those that have a value, ``named``."""
        return self.names <= named and bool(self.text) and (not self.phases or phase in self.phases)


@attrs.frozen(eq=False)
class Layout:
    """Parts that are there together, one after the other with an empty line between them, and their versions."""

    parts: tuple[PromptPart, ...]
    versions: Mapping[str, str] = attrs.field(init=False)
    _pieces: tuple[tuple[str, str], ...] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        pieces = [piece for part in self.parts for piece in (("\n\n", ""), *part.pieces)]
        object.__setattr__(self, "versions", {part.name: part.version for part in self.parts})
        object.__setattr__(self, "_pieces", tuple(pieces[1:]))

    def filled(self, values: Values) -> tuple[Part, ...]:
        """The texts and images of all parts in order."""
        return _filled(self._pieces, values)


class WrittenParts(dict[str, str]):
    """The versions of a prompt's parts by name, which the record keeps, with their ``texts`` in the messages.

    Forecasts read these texts to tell what takes how much of a prompt; in a match they are never made.
    """

    def __init__(self, layout: Layout | None = None, values: Values = MappingProxyType({})) -> None:
        super().__init__({} if layout is None else layout.versions)
        self._made_of: list[tuple[Layout, Values]] = [] if layout is None else [(layout, values)]

    def __reduce__(self) -> Any:  # another process records the versions, and needs no values
        return dict, (dict(self),)

    @property
    def texts(self) -> dict[str, str]:
        """The text of each part, without its pictures."""
        parts = [(part, part.render(values) or ()) for layout, values in self._made_of for part in layout.parts]
        return {part.name: "".join([each for each in filled if isinstance(each, str)]) for part, filled in parts}

    @classmethod
    def together(cls, *messages: Mapping[str, str]) -> "WrittenParts":
        """The parts of several messages in order; those whose texts are not known have none."""
        whole = cls()
        for parts in messages:
            whole.update(parts)
            whole._made_of += parts._made_of if isinstance(parts, WrittenParts) else ()
        return whole


def _filled(pieces: Iterable[tuple[str, str]], values: Values) -> tuple[Part, ...]:
    return join([part for before, name in pieces for part in ((before, values[name]) if name else (before,))])


def join(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Merge neighbouring texts and drop empty ones."""
    parts = tuple(parts)
    try:
        whole = "".join(parts)  # type: ignore[arg-type]  # a picture among them is refused, and handled below
    except TypeError:
        return _joined(parts)
    return (whole,) if whole else ()


def _joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part:
            joined.append(part)
    return tuple(joined)


def version_of(*contents: Any) -> str:
    """Return a short hash of ``contents`` that is the same on every machine."""
    return blake2b(canonical_json(contents).encode(), digest_size=4).hexdigest()


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """An error message for an unknown name, with suggestions of similar known ones."""
    close = get_close_matches(name, list(known), n=1)
    return f"no {what} called {name!r}" + (f" (did you mean {close[0]!r}?)" if close else "")


class _Placeholders(Template):
    braceidpattern = r"(?a:[_a-z][_a-z0-9]*(?:\.[_a-z][-_a-z0-9]*)?)"


def _is_open(name: str, place: Place) -> bool:
    return name.startswith((FORM, NOTE)) and place == "user"


def _no_placeholder(name: str, place: Place) -> str:
    if place == "system" and (name in DYNAMIC or name.startswith((FORM, NOTE))):
        return f"${name} changes from turn to turn and cannot stand in the system message; write 'in: user'"
    return f"{unknown('placeholder', name, PLACEHOLDERS[place])}; a dollar sign itself is written $$"


def _split(name: str, text: str) -> Iterable[tuple[str, str]]:
    """Split a text into pairs of literal text and the placeholder after it; the last placeholder is empty."""
    at, literal = 0, ""
    for found in _Placeholders.pattern.finditer(text):
        literal += text[at : found.start()]
        at = found.end()
        if found["escaped"] is not None:
            literal += "$"
        elif found["invalid"] is not None:
            raise ValueError(
                f"part {name!r}: {text[found.start() :][:10]!r} is no placeholder; a dollar sign is written $$"
            )
        else:
            yield literal, found["named"] or found["braced"]
            literal = ""
    yield literal + text[at:], ""
