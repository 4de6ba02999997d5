"""Checks values against JSON schemas, if ``jsonschema`` is installed (``pip install playarena-testing``)."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from arena.installing import install_line
from arena.record import JSON, canonical_json

IS_INSTALLED = find_spec("jsonschema") is not None
"""Whether ``jsonschema`` is installed; without it reports list schemas as untested."""


def not_installed() -> str:
    """What is said once where schemas cannot be checked."""
    return f"jsonschema is not installed, so that no schema is checked; {install_line('jsonschema')}"


class Schemas:
    """Compiled schemas of one game; equal schemas are compiled once."""

    can_check = IS_INSTALLED

    def __init__(self) -> None:
        self._validators: dict[str, Callable[[Any], str | None]] = {}

    def fault(self, schema: JSON) -> str | None:
        """Why ``schema`` is not a valid JSON schema, or ``None``."""
        if not isinstance(schema, dict | bool):
            return f"{schema!r} is not a JSON schema"
        if not IS_INSTALLED:
            return None
        from jsonschema import Draft202012Validator, SchemaError

        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            return f"not a JSON schema: {error.message}"
        return None

    def misfit(self, schema: JSON, value: JSON) -> str | None:
        """Why ``value`` does not fit ``schema``; ``None`` if it does, or if schemas cannot be checked."""
        key = canonical_json(schema)
        if key not in self._validators:
            self._validators[key] = _validator(schema)
        return self._validators[key](value)


def _validator(schema: Any) -> Callable[[Any], str | None]:
    if not IS_INSTALLED:
        return lambda _: None
    from jsonschema import Draft202012Validator

    validator: Any = Draft202012Validator(schema)

    def misfit(value: Any) -> str | None:
        error = next(iter(validator.iter_errors(value)), None)
        return None if error is None else error.message

    return misfit
