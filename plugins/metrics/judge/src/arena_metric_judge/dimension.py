"""Dimensions of a rubric: what is scored or noted, on which scale, and of which things."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from arena.record import JSON
from arena_agent_llm.data_files import check_keys

Note: TypeAlias = Literal["", "text", "texts", "party"]
Scored: TypeAlias = float | bool | str

NOTES: Final = ("text", "texts", "party")
TEXT: Final = 300
"""The longest text of a note in characters."""
TEXTS: Final = 10
"""The most texts of one note."""

_TEXT_SCHEMA: Final[JSON] = {"type": "string", "minLength": 1, "maxLength": TEXT}
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@attrs.frozen
class Condition:
    """An event that must have happened before a dimension is asked for.

    In the same round, not after what is scored, ``party`` must have an event of kind ``event`` whose ``field`` is not
    empty; the name of the party stands in the event's field ``party``.
    """

    event: str
    party: str
    field: str


@attrs.frozen(kw_only=True)
class Dimension:
    """One thing that is scored, from ``low`` to ``high``, or noted.

    Scores are whole numbers if ``whole``, true or false if ``boolean``, one of ``choices`` if there are any, otherwise
    any number in between. A ``note`` is no score: it is a text, a list of texts, or the name of a party. ``of`` names
    the kind of items that are scored in rounds, and ``needs`` says of which of them alone.
    """

    name: str
    title: str
    meaning: str
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    boolean: bool = False
    choices: tuple[str, ...] = ()
    note: Note = ""
    of: str = ""
    needs: Condition | None = None

    @property
    def has_steps(self) -> bool:
        """Whether two scores agree only if they are equal."""
        return self.boolean or self.whole or bool(self.choices)

    @property
    def scale(self) -> str:
        """The scale in words, for the prompt."""
        if self.boolean:
            return "true or false"
        if self.choices:
            return " or ".join(self.choices)
        if self.note:
            return {"text": "a text", "texts": "a list of texts", "party": "a name"}[self.note]
        return f"a {'whole ' if self.whole else ''}number from {self.low:g} to {self.high:g}"

    def schema(self) -> JSON:
        """The JSON schema of a score or note."""
        if self.boolean:
            return {"type": "boolean"}
        if self.choices:
            return {"enum": list(self.choices)}
        if self.note == "texts":
            return {"type": "array", "items": _TEXT_SCHEMA, "maxItems": TEXTS}
        if self.note:
            return _TEXT_SCHEMA
        low, high = (int(self.low), int(self.high)) if self.whole else (self.low, self.high)
        return {"type": "integer" if self.whole else "number", "minimum": low, "maximum": high}

    def problem(self, score: JSON) -> str:
        """Why ``score`` is not a score of the dimension, or an empty text."""
        return "" if self._fits(score) else f"{self.name}: expected {self.scale}, got {json.dumps(score)[:80]}"

    def _fits(self, score: JSON) -> bool:
        if self.boolean:
            return isinstance(score, bool)
        if self.choices:
            return isinstance(score, str) and score in self.choices
        if self.note == "texts":
            return isinstance(score, list) and len(score) <= TEXTS and all(map(_is_text, cast("list[Any]", score)))
        if self.note:
            return _is_text(score)
        kinds = (int,) if self.whole else (int, float)
        is_number = isinstance(score, kinds) and not isinstance(score, bool)
        return is_number and self.low <= cast("float", score) <= self.high

    def among(self, parties: Sequence[str]) -> "Dimension":
        """The same dimension, where a note that names a party must be one of these."""
        return attrs.evolve(self, choices=tuple(parties)) if self.note == "party" and parties else self


def read_dimension(rubric: str, name: str, raw: Any) -> Dimension:
    """Read one entry under ``dimensions`` of a rubric; ``ValueError`` says what is wrong with it."""
    where = f"dimensions.{name}"
    if not _NAME.fullmatch(name) or not isinstance(raw, Mapping):
        raise ValueError(f"{rubric!r}: {where}: expected a table under a name such as fair-play, got {raw!r}")
    table = cast("Mapping[str, Any]", raw)
    check_keys(f"{rubric}: {where}", table, {"scale", "meaning"}, {"title", "whole", "of", "needs"})
    if not isinstance(table["meaning"], str) or not table["meaning"].strip():
        raise ValueError(f"{rubric!r}: {where}.meaning: expected a text, got {table['meaning']!r}")
    told = Dimension(
        name=name,
        title=str(table.get("title", name)),
        meaning=table["meaning"].strip(),
        of=str(table.get("of", "")),
        needs=_condition(rubric, where, table["needs"]) if "needs" in table else None,
    )
    return attrs.evolve(told, **_scale(f"{rubric!r}: {where}", table["scale"], table.get("whole", False)))


def _scale(where: str, scale: Any, whole: Any) -> dict[str, Any]:
    if scale == "boolean":
        return {"boolean": True}
    if scale in NOTES:
        return {"note": scale}
    if isinstance(scale, list) and len(set(map(str, scale))) == len(scale) > 1 and all(map(_is_text, scale)):
        return {"choices": tuple(scale)}
    is_range = isinstance(scale, list) and len(scale) == 2 and all(type(end) in (int, float) for end in scale)
    if not is_range or scale[0] >= scale[1] or not isinstance(whole, bool):
        expected = f"boolean or [LOWEST, HIGHEST], a list of different words, or one of {', '.join(NOTES)}"
        raise ValueError(f"{where}.scale: expected {expected}, got {scale!r}")
    if whole and not all(type(end) is int for end in scale):
        raise ValueError(f"{where}.scale: a whole scale has whole ends, got {scale!r}")
    return {"low": float(scale[0]), "high": float(scale[1]), "whole": whole}


def _condition(rubric: str, where: str, raw: Any) -> Condition:
    fields = [field.name for field in attrs.fields(Condition)]
    if not isinstance(raw, Mapping) or set(raw) != set(fields) or not all(map(_is_text, raw.values())):
        raise ValueError(f"{rubric!r}: {where}.needs: expected a table of {', '.join(fields)}, got {raw!r}")
    return Condition(**cast("dict[str, str]", dict(raw)))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
