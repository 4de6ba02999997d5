"""Writes the JSON of a schema as a grammar, for servers that force answers in no other way."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NoReturn, cast

from arena.record import JSON

from arena_openai_protocol.gbnf import SPACE, Rules, either, joined, json_literal
from arena_openai_protocol.gbnf_numbers import integers, numbers

_ABOUT: Final = frozenset(
    {"$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "example"}
    | {"deprecated", "readOnly", "writeOnly"}
)
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    "object": frozenset(
        {"properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"}
    ),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}),
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
}
"""The keywords of values of each kind. Some are left out of the grammar, which ``schema_grammar`` says."""

_CHOICES: Final = ("anyOf", "oneOf", "allOf")
_KNOWN: Final = frozenset({"type", "enum", "const", "$ref", *_CHOICES}).union(_ABOUT, *_KINDS.values())
_SIMPLE: Final[Mapping[str, str]] = {"boolean": '("true" | "false")', "null": '"null"'}
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (Mapping,),
    "array": (list, tuple),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
# As in JSON, but without halves of characters, which an answer cannot hold.
_CHARACTER: Final = (
    r'[^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" ([0-9A-CEFa-cef] [0-9A-Fa-f] | [Dd] [0-7]) [0-9A-Fa-f] [0-9A-Fa-f])'
)


class NotInGrammar(ValueError):
    """A schema says what no grammar can; the text says where, and what."""


class _Nothing(NotInGrammar):
    """No value fits a part of a schema, which is no mistake where the part may be missing."""


def schema_grammar(schema: JSON) -> str:
    """The grammar, in GBNF, of the JSON that fits a schema; ``NotInGrammar`` if it cannot be written.

    Every text of the grammar is JSON of the schema, and every value of the schema is such a text, with exceptions:

    - Properties come in the schema's order, and an object with named properties has no others. Numbers have no
      exponent, and at most 15 digits before and behind the decimal point if no bound says otherwise.
    - What only narrows a value down is left out, as whoever asks must check the answer anyway: ``pattern``, ``format``,
      ``multipleOf``, ``uniqueItems``, the number of properties where they have names, what stands beside ``enum`` but
      its type, and that only one schema of ``oneOf`` fits. Bounds of ``number`` hold up to the next whole number.
    - A schema without ``type`` is of the types that its keywords are about, or of any type if there are none.
    """
    try:
        text = json.dumps(schema)
    except (TypeError, ValueError, RecursionError):  # no JSON, which the grammar says better
        return _written(schema)
    return _kept(text)


@lru_cache(maxsize=256)  # matches of a game ask for the same answers again and again
def _kept(text: str) -> str:
    return _written(json.loads(text))


def _written(schema: JSON) -> str:
    writer = _Writer(schema)
    return writer.rules.text(writer.expression(schema, "schema"))


class _Writer:
    """Writes the parts of one schema as expressions that can be repeated."""

    def __init__(self, root: JSON) -> None:
        self.rules = Rules()
        self._root = root
        self._referred: dict[str, str] = {}
        self._any = ""

    def expression(self, schema: Any, path: str, begun: frozenset[str] = frozenset()) -> str:
        """What fits a part; ``begun`` are the references that are followed before anything is written."""
        if schema is False:
            raise _Nothing(f"{path}: nothing fits it")
        if schema is not True and not isinstance(schema, Mapping):
            _refuse(path, f"expected a JSON schema, got {schema!r}")
        part: Mapping[str, Any] = {} if schema is True else cast("Mapping[str, Any]", schema)
        for key in part:
            if key not in _KNOWN:
                _refuse(f"{path}.{key}", "no grammar can say it")
        if "$ref" in part:
            _check_alone(part, "$ref", path)
            return self._reference(part["$ref"], path, begun)
        for key in _CHOICES:
            if key in part:
                _check_alone(part, key, path)
                return self._choice(part, key, path, begun)
        if "const" in part or "enum" in part:
            return _enumeration(part, path)
        return either([self._kind(kind, part, path) for kind in _kinds(part, path)])

    def _reference(self, pointer: Any, path: str, begun: frozenset[str]) -> str:
        if not isinstance(pointer, str) or pointer in begun:
            _refuse(f"{path}.$ref", f"{pointer!r} leads to no schema")
        if pointer not in self._referred:
            found = _at(self._root, pointer, path)
            name = self._referred[pointer] = self.rules.reserved()
            try:
                self.rules.define(name, self.expression(found, _dotted(pointer), begun | {pointer}))
            except _Nothing:
                self.rules.define(name, '""')  # which nobody refers to
                del self._referred[pointer]
                raise
        return self._referred[pointer]

    def _choice(self, part: Mapping[str, Any], key: str, path: str, begun: frozenset[str]) -> str:
        of = part[key]
        if not isinstance(of, list | tuple) or not of:
            _refuse(f"{path}.{key}", "expected a list of schemas")
        schemas = cast("Sequence[Any]", of)
        if key == "allOf" and len(schemas) > 1:
            _refuse(f"{path}.allOf", "no grammar can say it")
        found = [self._possible(each, f"{path}.{key}[{i}]", begun) for i, each in enumerate(schemas)]
        if not any(found):
            raise _Nothing(f"{path}.{key}: nothing fits it")
        return either([each for each in found if each])

    def _possible(self, schema: Any, path: str, begun: frozenset[str] = frozenset()) -> str | None:
        """What fits a part that may be missing; ``None`` if nothing does."""
        try:
            return self.expression(schema, path, begun)
        except _Nothing:
            return None

    def _kind(self, kind: str, part: Mapping[str, Any], path: str) -> str:
        match kind:
            case "any":
                return self._anything()
            case "object":
                return self.rules.named(self._object(part, path))
            case "array":
                return self.rules.named(self._array(part, path))
            case "string":
                return self._string(*_bounds(part, "minLength", "maxLength", path))
            case "integer":
                return self.rules.named(integers(self.rules, *_whole_bounds(part, path)))
            case "number":
                return self.rules.named(numbers(self.rules, *_wide_bounds(part, path)))
            case _:
                return _SIMPLE[kind]

    def _string(self, least: int = 0, most: int | None = None) -> str:
        character = self.rules.named(_CHARACTER)
        return self.rules.named(joined(r'"\""', self.rules.times(character, least, most), r'"\""'))

    def _array(self, part: Mapping[str, Any], path: str) -> str:
        least, most = _bounds(part, "minItems", "maxItems", path)
        listed: Sequence[Any] = part.get("prefixItems", ())
        first = [self._possible(each, f"{path}.prefixItems[{i}]") for i, each in enumerate(listed[:most])]
        item = None if len(first) == most else self._possible(part.get("items", True), f"{path}.items")
        if None in (*first, item):
            most = (*first, item).index(None)
            _ordered(least, most, path)
        if not first and item:
            return joined('"["', self.rules.listed(item, least, most), '"]"')
        rest = ""
        if item and (most is None or most > len(first)):
            more = self.rules.named(joined('","', SPACE, item))
            rest = self.rules.times(more, max(0, least - len(first)), None if most is None else most - len(first))
        for number, each in reversed(list(enumerate(first[:most]))):
            rest = joined('"," ' + SPACE if number else "", each or "", rest)
            rest = rest if number < least else f"({rest})?"
        return joined('"["', rest, '"]"')

    def _object(self, part: Mapping[str, Any], path: str) -> str:
        properties: Mapping[str, Any] = part.get("properties", {})
        required: Sequence[str] = part.get("required", ())
        others = part.get("additionalProperties", True)
        schemas = {**properties, **{key: others for key in required if key not in properties}}
        if schemas:
            return joined('"{"', self._named_pairs(schemas, frozenset(required), path), '"}"')
        least, most = _bounds(part, "minProperties", "maxProperties", path)
        key = self._string()
        if "propertyNames" in part:
            names: Any = part["propertyNames"]
            key = self.expression({"type": "string", **names} if isinstance(names, Mapping) else names, path)
        value = self._possible(others, f"{path}.additionalProperties")
        if value is None:
            _ordered(least, 0, path)
            return '"{" "}"'
        pair = self.rules.named(joined(key, '":"', SPACE, value))
        return joined('"{"', self.rules.listed(pair, least, most), '"}"')

    def _named_pairs(self, schemas: Mapping[str, Any], required: frozenset[str], path: str) -> str:
        """The pairs, in the order of the schemas; the last one is written first, with others before it and without."""
        behind = first = ""
        for key, schema in reversed(list(schemas.items())):
            where = f"{path}.properties.{key}"
            value = self.expression(schema, where) if key in required else self._possible(schema, where)
            if value is None:
                continue
            pair = self.rules.named(joined(json_literal(key), '":"', SPACE, value))
            after = joined('","', SPACE, pair)
            if key in required:
                first, behind = joined(pair, behind), joined(after, behind)
            else:
                first = f"({joined(pair, behind)} | {first})" if first else f"({joined(pair, behind)})?"
                behind = self.rules.named(joined(f"({after})?", behind))
        return first

    def _anything(self) -> str:
        """Any JSON value, which may hold others."""
        if not self._any:
            self._any = self.rules.reserved()
            whole = ({"type": "object"}, {"type": "array"}, {"type": "string"}, {"type": "number"}, {"type": "boolean"})
            self.rules.define(self._any, either([*(self.expression(each, "") for each in whole), '"null"']))
        return self._any


def _kinds(part: Mapping[str, Any], path: str) -> Iterator[str]:
    """The types that values have: those named, else those that the keywords are about, else any."""
    named = part.get("type")
    if named is None:
        found = [kind for kind, keys in _KINDS.items() if not keys.isdisjoint(part)]
        yield from found or ["any"]
        return
    for kind in (named,) if isinstance(named, str) else cast("Sequence[Any]", named):
        if kind not in _TYPES:
            _refuse(f"{path}.type", f"no type is called {kind!r}")
        yield kind


def _enumeration(part: Mapping[str, Any], path: str) -> str:
    """The values that are listed, as far as they have the type that is named, too."""
    values = [part["const"]] if "const" in part else list(part["enum"])
    kinds = list(_kinds({"type": part["type"]}, path)) if "type" in part else list(_TYPES)
    fitting = [value for value in values if any(_is_a(value, kind) for kind in kinds)]
    if not fitting:
        raise _Nothing(f"{path}: nothing fits it")
    try:
        return either([json_literal(value) for value in fitting])
    except (TypeError, ValueError):
        _refuse(path, "it lists a value that is not JSON")


def _is_a(value: Any, kind: str) -> bool:
    is_number = kind in ("integer", "number")
    return isinstance(value, _TYPES[kind]) and not (is_number and isinstance(value, bool))


def _check_alone(part: Mapping[str, Any], key: str, path: str) -> None:
    """Refuse what would have to hold beside one of several schemas."""
    for other in part:
        if other != key and other not in _ABOUT:
            _refuse(f"{path}.{other}", f"no grammar can say that it holds beside {key}")


def _bounds(part: Mapping[str, Any], least: str, most: str, path: str) -> tuple[int, int | None]:
    low, high = int(part.get(least, 0)), int(part[most]) if most in part else None
    _ordered(low, high, path)
    return low, high


def _whole_bounds(part: Mapping[str, Any], path: str) -> tuple[int | None, int | None]:
    """The least and the greatest whole number."""
    least = [math.ceil(part["minimum"])] if "minimum" in part else []
    most = [math.floor(part["maximum"])] if "maximum" in part else []
    if "exclusiveMinimum" in part:
        least.append(math.floor(part["exclusiveMinimum"]) + 1)
    if "exclusiveMaximum" in part:
        most.append(math.ceil(part["exclusiveMaximum"]) - 1)
    return _ordered(max(least, default=None), min(most, default=None), path)


def _wide_bounds(part: Mapping[str, Any], path: str) -> tuple[int | None, int | None]:
    """Whole numbers between which all numbers are."""
    least = [math.floor(part[key]) for key in ("minimum", "exclusiveMinimum") if key in part]
    most = [math.ceil(part[key]) for key in ("maximum", "exclusiveMaximum") if key in part]
    return _ordered(max(least, default=None), min(most, default=None), path)


def _ordered(low: int | None, high: int | None, path: str) -> tuple[int | None, int | None]:
    if low is not None and high is not None and low > high:
        raise _Nothing(f"{path}: nothing fits it, since {low} is more than {high}")
    return low, high


def _at(root: Any, pointer: str, path: str) -> Any:
    """The part of a schema that a reference within it names."""
    found = root
    for step in pointer.removeprefix("#").split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or key not in found:
            _refuse(f"{path}.$ref", f"{pointer!r} leads to no schema")
        found = cast("Mapping[str, Any]", found)[key]
    if not pointer.startswith("#"):
        _refuse(f"{path}.$ref", f"{pointer!r} is not within the schema")
    return found


def _dotted(pointer: str) -> str:
    return ".".join(("schema", *pointer.removeprefix("#").split("/")[1:]))


def _refuse(path: str, why: str) -> NoReturn:
    raise NotInGrammar(f"{path}: {why}")
