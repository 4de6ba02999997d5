"""Reads the parameters of a plugin's class from its attrs fields: names, types, defaults, help, validators."""

import collections.abc
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NewType, Union, cast, get_args, get_origin

import attrs
from arena import record
from arena.agent import Agent
from arena.backend import Backend, Secret
from arena.game import Game
from arena.hookspecs import Observer
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import Metric
from arena.schedule import Schedule
from arena.solver import Solver

from arena_engine.benchmark.plain_data import find_key, kebab
from arena_engine.job.executor import Executor

CONTRACTS: Final[Mapping[Any, str]] = {
    Game: "game",
    Agent: "agent",
    Backend: "backend",
    Metric: "metric",
    Executor: "executor",
    Schedule: "schedule",
    Observer: "observer",
    Solver: "solver",
    IllegalActionPolicy: "illegal-actions",
}
"""Field types that stand for a plugin, with its kind."""

SCALARS: Final[Mapping[Any, tuple[type, ...]]] = {bool: (bool,), int: (int,), float: (float, int), str: (str,)}
"""The types of single values, with the types of plain data that may be written for them."""

LISTS: Final[Mapping[Any, Any]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    collections.abc.Sequence: tuple,
    collections.abc.Iterable: tuple,
    collections.abc.Collection: tuple,
    collections.abc.Set: frozenset,
}
"""The types that are written as a list, with the type that is built from it."""

TABLES: Final = frozenset({dict, collections.abc.Mapping, collections.abc.MutableMapping})
"""The types that are written as a table with any keys."""

_JSON: Final[Any] = bool | int | float | str | collections.abc.Sequence[Any] | Mapping[str, Any] | None

COMPUTED: Final = object()
"""A default that depends on other parameters."""


@attrs.frozen(kw_only=True)
class Field:
    """One parameter. ``default`` may be ``COMPUTED``, and has no meaning if the parameter is required."""

    name: str
    type: Any
    is_required: bool
    default: Any
    help: str
    attribute: Any = attrs.field(repr=False)


@lru_cache(maxsize=1024)  # reading a class's annotations takes a tenth of a millisecond for each field
def fields_of(cls: Any) -> Mapping[str, Field]:
    """The parameters of a class by name; none if it is not an attrs class.

    A field with the metadata ``hidden`` is no parameter, because no file sets it. ``NameError`` if an annotation uses a
    name that its module does not have at run time.
    """
    own: Any = attrs.fields(cls) if attrs.has(cls) else ()
    return MappingProxyType({a.alias: _field(cls, a) for a in own if a.init and not a.metadata.get("hidden")})


def unwrapped(hint: Any) -> Any:
    """A type without ``Annotated``, ``NewType`` and the like, which do not change its values."""
    while True:
        if isinstance(hint, NewType):
            hint = hint.__supertype__
        elif get_origin(hint) is Annotated:
            hint = get_args(hint)[0]
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        elif hint == _JSON:
            hint = Any
        else:
            return hint


def union_members(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a union, without ``None``; the type itself if it is no union."""
    hint = unwrapped(hint)
    if hint in (None, types.NoneType):
        return ()
    if get_origin(hint) not in (Union, types.UnionType):
        return (hint,)
    return tuple(m for arg in get_args(hint) for m in union_members(arg))


def is_optional(hint: Any) -> bool:
    """Whether ``None`` is a value of the type."""
    hint = unwrapped(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return any(map(is_optional, get_args(hint)))
    return hint in (None, types.NoneType, Any)


def container(hint: Any) -> Any:
    """The generic type's origin, such as ``tuple`` for ``tuple[int, ...]``; the type itself if it is not generic."""
    return get_origin(hint) or hint


def choices(hint: Any) -> tuple[Any, ...]:
    """The values of a ``Literal`` or an ``Enum``, as a file writes them; empty for all other types."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return tuple(member.value for member in hint)
    return ()


def type_text(hint: Any) -> str:
    """A type as error messages name it: ``int``, ``'direct' or 'chain-of-thought'``, ``backend plugin``."""
    several = union_members(hint)
    if len(several) != 1:
        return _listed(dict.fromkeys(map(type_text, several))) if several else "null"
    hint = several[0]
    if hint in (Any, object):
        return "anything"
    if hint in CONTRACTS:
        return f"{CONTRACTS[hint]} plugin"
    if hint is Secret:
        return "${ENVIRONMENT_VARIABLE}"
    if values := choices(hint):
        return _listed(str(value).lower() if isinstance(value, bool) else repr(value) for value in values)
    args = [arg for arg in get_args(hint) if arg is not Ellipsis]
    if container(hint) in LISTS:
        return f"list of {_listed(dict.fromkeys(map(type_text, args)))}" if args else "list"
    if container(hint) in TABLES:
        return f"table of {type_text(args[1])}" if args else "table"
    return "table" if attrs.has(hint) else getattr(hint, "__name__", str(hint))


def accepts(hint: Any, raw: Any) -> bool:
    """Whether ``raw`` has the form in which values of a type are written; the value itself may still be wrong."""
    if hint in SCALARS:
        return type(raw) in SCALARS[hint]
    if hint in CONTRACTS:
        return isinstance(raw, str | Mapping)
    if hint in (Secret, FilePath):
        return isinstance(raw, str)
    if values := choices(hint):
        return type(raw) in map(type, values)
    if container(hint) in LISTS:
        return isinstance(raw, list | tuple)
    return isinstance(raw, Mapping) if container(hint) in TABLES or attrs.has(hint) else True


def plain_of(value: Any) -> Any:
    """Convert a parameter's value to plain data, as a file would write it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Secret):
        return str(value)
    if isinstance(value, Mapping):
        return {str(k): plain_of(v) for k, v in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = [plain_of(v) for v in cast("tuple[Any, ...]", value)]
        return sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    cls: Any = value.__class__
    if attrs.has(cls):
        return {kebab(name): plain_of(getattr(value, f.attribute.name)) for name, f in fields_of(cls).items()}
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def _field(cls: Any, attribute: Any) -> Field:
    default: Any = attribute.default
    if isinstance(default, attrs.Factory):  # pyright: ignore[reportArgumentType] -- a class to everybody but pyright
        factory: Any = default
        default = COMPUTED if factory.takes_self else factory.factory()
    return Field(
        name=attribute.alias,
        type=_resolved(cls, attribute),
        is_required=attribute.default is attrs.NOTHING,
        default=default,
        help=str(attribute.metadata.get("help", "")),
        attribute=attribute,
    )


def _resolved(cls: Any, attribute: Any) -> Any:
    hint: Any = attribute.type
    if hint is None:
        return Any
    owner = next((c for c in cls.__mro__ if attribute.name in inspect.get_annotations(c)), cls)
    # JSON is a recursive alias, written as text: its parts are named in its own module alone.
    names: dict[str, Any] = {**vars(record), **vars(sys.modules[owner.__module__]), "JSON": Any}
    holder: Any = types.SimpleNamespace(__annotations__={"hint": hint})
    return typing.get_type_hints(holder, globalns=names, include_extras=True)["hint"]


def _listed(words: typing.Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def invalid(cls: Any, fields: Mapping[str, Field], values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Run the validators one by one, so that each failure is reported under its parameter.

    ``values`` may lack parameters that were found invalid before.
    """
    draft = _draft(cls, fields, values)
    for field in fields.values():
        attribute = field.attribute
        if attribute.validator is None or not hasattr(draft, attribute.name):
            continue
        try:
            attribute.validator(draft, attribute, getattr(draft, attribute.name))
        except (TypeError, ValueError) as error:
            yield field.name, complaint(error, attribute.name)
        except AttributeError:
            # It looked at a parameter that is missing from the draft; that one was reported.
            continue


def complaint(error: Exception, name: str = "") -> str:
    """Word an exception as ``…, got VALUE``, without the parameter's name."""
    text = str(error.args[0]) if error.args else type(error).__name__
    if not isinstance(error, TypeError | ValueError):
        return f"{type(error).__name__}: {text}"
    text = text.removeprefix(f"'{name}' ").replace(f"Length of '{name}'", "the length")
    text = re.sub(r" \(got (.*)\)$", r", got \1", text, flags=re.DOTALL)
    return re.sub(r"^(.*must (?:be|match)[^:]*): (.+)$", r"\1, got \2", text, flags=re.DOTALL)


def _draft(cls: Any, fields: Mapping[str, Field], values: Mapping[str, Any]) -> Any:
    """An unvalidated instance for validators to look at, since they may read other parameters."""
    draft: Any = object.__new__(cls)
    for field in fields.values():
        value = values.get(field.name, field.default)
        if field.name not in values and (field.is_required or value is COMPUTED):
            continue
        if field.attribute.converter is not None:
            try:
                value = field.attribute.converter(value)
            except Exception:  # the constructor said so already
                continue
        object.__setattr__(draft, field.attribute.name, value)
    return draft


@attrs.frozen(kw_only=True)
class Parameter:
    """One parameter: its dotted name, its type in words, its default as a file would write it, and its help.

    ``default`` is ``None`` if the parameter is required, or if it ``is_computed`` from others.
    """

    name: str
    type: str
    default: Any = None
    help: str = ""
    is_required: bool = False
    is_computed: bool = False


def describe_parameters(cls: Any, preset: Mapping[str, Any] | None = None) -> list[Parameter]:
    """The parameters of a class, those of nested classes under dotted names; ``preset`` replaces defaults."""
    return list(_described(fields_of(cls), preset or {}, ""))


def preset_field(field: Field, preset: Mapping[str, Any]) -> Field:
    """A copy of a parameter with the default that the plugin's preset gives it."""
    key = find_key(preset, field.name, ())
    return field if key is None else attrs.evolve(field, default=preset[key], is_required=False)


def nested(field: Field) -> Any:
    """The class whose fields are written as a table under ``field``, or ``None`` if it is no such table."""
    several = union_members(field.type)
    is_class = len(several) == 1 and several[0] not in CONTRACTS and attrs.has(several[0])
    return several[0] if is_class and fields_of(several[0]) and type_text(several[0]) == "table" else None


def _described(fields: Mapping[str, Field], preset: Mapping[str, Any], prefix: str) -> Iterator[Parameter]:
    for field in (preset_field(field, preset) for field in fields.values()):
        name = prefix + kebab(field.name)
        inner = nested(field)
        default = None if field.is_required or field.default is COMPUTED else plain_of(field.default)
        if inner is not None and not is_optional(field.type):
            below = cast("Mapping[str, Any]", default if isinstance(default, Mapping) else {})
            yield from _described(fields_of(inner), below, f"{name}.")
            continue
        yield Parameter(
            name=name,
            type=type_text(field.type) + (" or null" if is_optional(field.type) and field.type is not Any else ""),
            default=default,
            help=field.help,
            is_required=field.is_required,
            is_computed=field.default is COMPUTED,
        )
