"""Translates a model server's HTTP status to an error whose class says whether a retry can help."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    RequestRejected,
    TransientBackendError,
)

LONGEST = 300
"""The most characters of a server's message that are repeated in an error."""


def error_from_status(
    status: int, said: str, *, model: str, where: str, retry_after_s: float | None = None
) -> BackendError:
    """The error for an HTTP status; ``where`` names the server, ``said`` is its message on one line."""
    if status == 429:
        return BackendOverloaded(f"{where} is asked too often ({said})", retry_after_s=retry_after_s)
    if status == 404:
        return BackendUnavailable(f"{where} knows no {model} ({said}); correct model or base-url")
    if status == 403:
        return RequestRejected(f"{where} denies access ({said}); use a key that may use {model}")
    if status == 408:
        return BackendTimedOut(f"no answer from {where} in time ({said})", retry_after_s=retry_after_s)
    if 400 <= status < 500 and status not in (409, 425):
        return RequestRejected(f"{where} refuses the request ({said}); correct the backend's parameters")
    return TransientBackendError(f"no usable answer from {where} ({said})", retry_after_s=retry_after_s)


def retry_after_s(headers: Mapping[str, Any]) -> float | None:
    """The server's ``Retry-After`` in seconds, or ``None``."""
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


def error_message(text: str) -> str:
    """A server's message on one line: the one inside its JSON, if the text is JSON."""
    text = " ".join((_message(text) or text).split()).rstrip(".")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _message(text: str) -> str | None:
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        body: Any = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        return None
    inner: Any = cast("dict[str, Any]", body).get("error", body) if isinstance(body, dict) else None
    message: Any = cast("dict[str, Any]", inner).get("message") if isinstance(inner, dict) else inner
    return message if isinstance(message, str) and message else None
