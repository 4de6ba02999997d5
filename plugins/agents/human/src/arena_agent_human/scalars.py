"""One value that is typed or chosen: a text, a number, a choice, or what may be any of these."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from arena.game import ABSENT, Absent
from arena.record import JSON, canonical_json

NAMED: Final = 5
"""The most choices that are written out beside a field."""

_WORDS: Final[Mapping[str, Sequence[tuple[str, JSON]]]] = {
    "boolean": (("yes", True), ("no", False)),
    "null": (("none", None),),
}


class Misread(ValueError):
    """What was typed is no value of the field; its text says what is expected."""


class Scalar:
    """What is known of one value without parts, and the text that was typed for it.

    ``schemas`` are its alternatives. Where all of them are lists of values, ``choices`` holds them with their words.
    """

    def __init__(self, schemas: Sequence[Mapping[str, Any]], *, is_required: bool, starts_empty: bool = False) -> None:
        self._schemas = schemas
        self.is_required = is_required
        self.choices: list[tuple[str, JSON]] = [each for schema in schemas for each in _choices(schema)]
        self.is_closed = all(any(True for _ in _choices(schema)) for schema in schemas)
        self.text = "" if starts_empty else self._first()

    def _first(self) -> str:
        for schema in self._schemas:
            if "default" in schema:
                return self.said(schema["default"])
        # A single value needs no question, and none of a thing is what a person means who types nothing.
        if self.is_required and self.is_closed and len(self.choices) == 1:
            return self.choices[0][0]
        return "0" if self.is_required and self._bounds()[:1] == (0,) else ""

    def value(self) -> JSON | Absent:
        """The value that was typed, ``ABSENT`` where nothing was; ``Misread`` where it is none."""
        text = self.text.strip()
        if not text or (text == "0" and self._is_left_out_by_zero):
            return self._nothing()
        for label, value in self.choices:
            if text == label:
                return value
        meant = [value for label, value in self.choices if label.casefold().startswith(text.casefold())]
        if len(meant) == 1:
            return meant[0]
        for schema in self._schemas:
            found = _read(schema, text)
            if found is not ABSENT:
                return found
        raise Misread(f"expected {self.hint}" if not meant else f"{text} can mean {len(meant)} of the choices")

    def _nothing(self) -> JSON | Absent:
        if not self.is_required:
            return ABSENT
        if any(_read(schema, "") == "" for schema in self._schemas):
            return ""
        raise Misread(f"expected {self.hint}")

    @property
    def _is_left_out_by_zero(self) -> bool:
        """Whether 0 means that nothing is said: an amount of at least 1 that need not be there."""
        bounds = self._bounds()
        return not self.is_required and bool(bounds) and (bounds[0] or 0) > 0

    def said(self, value: JSON) -> str:
        """The text that would have to be typed for ``value``."""
        for label, each in self.choices:
            if canonical_json(each) == canonical_json(value):
                return label
        return value if isinstance(value, str) else canonical_json(value)

    @property
    def hint(self) -> str:
        """What may be typed, in a few words."""
        if self.is_closed:
            labels = [label for label, _ in self.choices]
            return " / ".join(labels) if len(labels) <= NAMED else f"one of {len(labels)}, Tab shows them"
        said = list(dict.fromkeys(self._said(schema) for schema in self._schemas))
        return ", or ".join([*said, *(label for label, _ in self.choices[:NAMED])])

    def _said(self, schema: Mapping[str, Any]) -> str:
        kind = schema.get("type")
        if kind not in ("integer", "number"):
            return _text_hint(schema)
        low, high = _limits(schema)
        if self._is_left_out_by_zero and low is not None:
            low = 0
        if low is not None and high is not None and high < 10**6:
            return f"{low}\N{EN DASH}{high}"
        if low is not None:
            return f"{low} or more"
        return f"at most {high}" if high is not None else "a whole number" if kind == "integer" else "a number"

    def _bounds(self) -> tuple[float | None, float | None] | tuple[()]:
        numbers = [schema for schema in self._schemas if schema.get("type") in ("integer", "number")]
        return _limits(numbers[0]) if numbers else ()

    @property
    def can_step(self) -> bool:
        """Whether arrows change the value: a choice or a number."""
        return self.is_closed or bool(self._bounds())

    def step(self, by: int) -> None:
        """Take the next or the last choice, or change a number by one step within its bounds."""
        if self.is_closed:
            labels = [*([] if self.is_required else [""]), *(label for label, _ in self.choices)]
            at = labels.index(self.text) if self.text in labels else (-1 if by > 0 else 0)
            self.text = labels[(at + by) % len(labels)]
        elif bounds := self._bounds():
            self._count(by, *bounds)

    def _count(self, by: int, low: float | None, high: float | None) -> None:
        least = 0 if self._is_left_out_by_zero else low
        is_whole = all(schema.get("type") != "number" for schema in self._schemas)
        size = 1 if is_whole or low is None or high is None else (high - low) / 10
        try:
            at = float(self.text) if self.text else float(least or 0) - (by > 0) * size * (least != 0)
        except ValueError:
            return
        moved = at + by * size
        moved = max(moved, least) if least is not None else moved
        moved = min(moved, high) if high is not None else moved
        self.text = str(int(moved)) if is_whole or moved == int(moved) else f"{moved:.6g}"

    def completions(self, text: str) -> Iterator[str]:
        """The choices that begin with ``text``."""
        return (label for label, _ in self.choices if label.casefold().startswith(text.strip().casefold()))


def is_scalar(schema: Mapping[str, Any]) -> bool:
    """Whether values of a schema have no parts."""
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return not any(isinstance(value, dict) for value in values) or "properties" not in schema
    return schema.get("type") in ("string", "integer", "number", "boolean", "null")


def _choices(schema: Mapping[str, Any]) -> Iterator[tuple[str, JSON]]:
    if "const" in schema:
        yield str(schema.get("title") or _word(schema["const"])), schema["const"]
    elif "enum" in schema:
        yield from ((_word(value), value) for value in schema["enum"])
    elif schema.get("type") in _WORDS:
        yield from _WORDS[schema["type"]]


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value
    words = {canonical_json(each): word for pairs in _WORDS.values() for word, each in pairs}
    return words.get(canonical_json(value)) or canonical_json(value)


def _read(schema: Mapping[str, Any], text: str) -> JSON | Absent:
    """The value that ``text`` is by one schema; ``ABSENT`` if it is none."""
    kind = schema.get("type")
    if kind == "string":
        fits = schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", len(text))
        return text if fits and _matches(schema.get("pattern"), text) else ABSENT
    if kind == "integer":
        is_whole = re.fullmatch(r"[+-]?[0-9]{1,18}", text) is not None
        return int(text) if is_whole and _is_within(schema, int(text)) else ABSENT
    if kind == "number":
        if re.fullmatch(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?", text) is None:
            return ABSENT
        number = int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else float(text)
        return number if _is_within(schema, number) else ABSENT
    return ABSENT


def _matches(pattern: str | None, text: str) -> bool:
    if pattern is None:
        return True
    try:
        return re.search(pattern, text) is not None
    except re.error:  # the rules of the game will say
        return True


def _limits(schema: Mapping[str, Any]) -> tuple[float | None, float | None]:
    step = schema.get("type") == "integer"
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and (above := schema.get("exclusiveMinimum")) is not None:
        low = above + step
    if high is None and (below := schema.get("exclusiveMaximum")) is not None:
        high = below - step
    return low, high


def _is_within(schema: Mapping[str, Any], number: float) -> bool:
    low, high = _limits(schema)
    if schema.get("type") == "number" and number in (schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")):
        return False
    return (low is None or number >= low) and (high is None or number <= high)


def _text_hint(schema: Mapping[str, Any]) -> str:
    pattern, most = schema.get("pattern"), schema.get("maxLength")
    if pattern and _matches(pattern, "1/2") and not _matches(pattern, "a"):
        return "a fraction like 1/2"
    if pattern:
        return f"a text like {schema['examples'][0]}" if schema.get("examples") else f"a text that matches {pattern}"
    return f"a text of at most {most} characters" if most is not None and most < 10_000 else "a text"
