"""Leaves enumerations out of schemas for providers that refuse a schema with many enumerated values."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.backend import CompletionRequest
from arena.record import JSON

LEFT_OUT: Final = "one of the allowed texts, which are too many to be listed here"
"""The description of what stands in the place of an enumeration."""


def capped(request: CompletionRequest, limit: int | None) -> CompletionRequest:
    """The request with plain texts in place of enumerated ones, in each schema that enumerates more than ``limit``.

    The rules refuse what is not allowed, as they do without any schema. ``None`` is no limit.
    """
    if limit is None:
        return request
    tools = tuple(attrs.evolve(tool, schema=_capped(tool.schema, limit)) for tool in request.tools)
    return attrs.evolve(request, schema=_capped(request.schema, limit), tools=tools)


def is_capped(request: CompletionRequest) -> bool:
    """Whether enumerations were left out of a schema of this request."""
    return any(map(_holds_plain, (request.schema, *(tool.schema for tool in request.tools))))


def _capped(schema: JSON, limit: int) -> JSON:
    return _plain(schema) if _enumerated(schema) > limit else schema


def _enumerated(schema: Any) -> int:
    """The number of enumerated values in a schema."""
    own = len(schema["enum"]) if _is_enumeration(schema) else 0
    return own + sum(map(_enumerated, _parts(schema)))


def _plain(schema: Any) -> Any:
    if _is_enumeration(schema) and all(isinstance(value, str) for value in schema["enum"]):
        return {"type": "string", "description": LEFT_OUT}
    if isinstance(schema, Mapping):
        return {key: _plain(part) for key, part in cast("Mapping[str, Any]", schema).items()}
    return [_plain(part) for part in cast("list[Any]", schema)] if isinstance(schema, list | tuple) else schema


def _holds_plain(schema: Any) -> bool:
    if isinstance(schema, Mapping) and cast("Mapping[str, Any]", schema).get("description") == LEFT_OUT:
        return True
    return any(map(_holds_plain, _parts(schema)))


def _is_enumeration(schema: Any) -> bool:
    return isinstance(schema, Mapping) and isinstance(schema.get("enum"), list | tuple)


def _parts(schema: Any) -> Sequence[Any]:
    """The parts of a schema that may hold enumerations themselves."""
    if isinstance(schema, Mapping):
        return tuple(part for key, part in cast("Mapping[str, Any]", schema).items() if key != "enum")
    return cast("Sequence[Any]", schema) if isinstance(schema, list | tuple) else ()
