"""Runs the validators of a class on parameters, and words their errors for users who do not know the class."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from arena_engine.benchmark.fields import COMPUTED, Field


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
