"""What a model server's HTTP status means, as an error that says what to do and whether asking again may help."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

from arena.errors import BackendError

LONGEST = 300
"""Characters of what a server said that are repeated."""


def status_error(status: int, said: str, *, model: str, where: str, retry_after_s: float | None = None) -> BackendError:
    """The error for an answer with an error's status; ``where`` was asked for ``model``, ``said`` is one line."""
    if status == 429:
        return _transient(f"{where} is asked too often ({said})", retry_after_s, is_overload=True)
    if status == 404:
        return BackendError(f"{where} knows no {model} ({said}); correct model or base-url", is_lasting=True)
    if status == 403:
        return BackendError(f"{where} denies access ({said}); use a key that may use {model}")
    if status == 408:
        return _transient(f"no answer from {where} in time ({said})", retry_after_s, is_overload=True)
    if 400 <= status < 500 and status not in (409, 425):
        return BackendError(f"{where} refuses the request ({said}); correct the backend's parameters")
    return _transient(f"no usable answer from {where} ({said})", retry_after_s)


def wait_wished_s(headers: Mapping[str, Any]) -> float | None:
    """Seconds that a server asks to wait, by its ``Retry-After``, where it does."""
    found = {name.lower(): str(value) for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(found[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        until = parsedate_to_datetime(found["retry-after"])
    except (KeyError, ValueError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def said(text: str) -> str:
    """What a server said on one line: the message in its JSON, where that is what the text holds."""
    text = " ".join((_message(text) or text).split()).rstrip(".")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _message(text: str) -> str | None:
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        body: Any = json.loads(found[0]) if found else None
    except ValueError:
        return None
    inner: Any = cast("dict[str, Any]", body).get("error", body) if isinstance(body, dict) else None
    message: Any = cast("dict[str, Any]", inner).get("message") if isinstance(inner, dict) else inner
    return message if isinstance(message, str) and message else None


def _transient(text: str, retry_after_s: float | None, *, is_overload: bool = False) -> BackendError:
    return BackendError(text, is_transient=True, retry_after_s=retry_after_s, is_overload=is_overload)
