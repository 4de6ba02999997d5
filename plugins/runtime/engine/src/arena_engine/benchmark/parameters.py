"""Lists the parameters of a plugin, as ``arena describe`` shows them."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs

from arena_engine.benchmark.fields import (
    COMPUTED,
    CONTRACTS,
    Field,
    fields_of,
    is_optional,
    plain_of,
    type_text,
    union_members,
)
from arena_engine.benchmark.merging import find_key, kebab


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
