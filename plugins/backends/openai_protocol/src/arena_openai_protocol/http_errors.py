"""Translates a model server's HTTP status to an error whose class says whether a retry can help."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, cast

import attrs
from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    QuotaExhausted,
    RequestRejected,
    TransientBackendError,
)

LONGEST = 300
"""The most characters of a server's message that are repeated in an error."""

_UNPAID: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"})
_NO_CREDIT: Final = re.compile(r"exceeded your current quota|credit balance|billing", re.IGNORECASE)
_CENSORED: Final = frozenset({"content_policy_violation", "content_filter"})
_TOO_LONG: Final = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_LENGTH: Final = re.compile(
    r"maximum (?:context|model) length|max_model_len|longer than the maximum|context length is|exceeds? the available "
    r"context|context (?:length|size|window) (?:exceeded|overflow)|greater than the context length",
    re.IGNORECASE,
)
_SPAN: Final = re.compile(r"(?:(?P<h>[\d.]+)h)?(?:(?P<m>[\d.]+)m(?!s))?(?:(?P<s>[\d.]+)s)?(?:(?P<ms>[\d.]+)ms)?")
_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_RESET: Final = re.compile(r"x-ratelimit-reset(?P<what>(?:-\w+)*)")
_EPOCH_S: Final = 1e9
_EPOCH_MS: Final = 1e12


@attrs.frozen(kw_only=True)
class ErrorBody:
    """What a server says of an error: its message, its code if that is a word, the HTTP status if it holds one."""

    message: str
    code: str = ""
    status: int | None = None


def error_from_status(
    status: int,
    said: str,
    *,
    model: str,
    where: str,
    retry_after_s: float | None = None,
    code: str = "",
    key: str | None = None,
) -> BackendError:
    """The error for an HTTP status; ``where`` names the server, ``said`` is its message on one line.

    ``code`` is the server's own word for the error, ``key`` the variable of the key that was sent, as ``${NAME}``.
    """
    if status == 402 or code in _UNPAID or (status == 429 and retry_after_s is None and _NO_CREDIT.search(said)):
        account = f"the account of {key}" if key else "the account"
        advice = "add some or use another key, and resume"
        return QuotaExhausted(f"{account} has no credit left for {model} at {where} ({said}); {advice}")
    if status == 429:
        return BackendOverloaded(f"{where} is asked too often ({said})", retry_after_s=retry_after_s)
    if status == 401:
        advice = f"correct {key}" if key else "write the server's as api-key: ${NAME}"
        return BackendUnavailable(f"{where} refuses the key ({said}); {advice}")
    if status == 404:
        return BackendUnavailable(f"{where} knows no {model} ({said}); correct model or base-url")
    if code in _CENSORED and 400 <= status < 500:
        advice = "change the prompt or choose another model"
        return RequestRejected(f"{where} refuses the prompt for what it says ({said}); {advice}")
    if status == 403:
        return RequestRejected(f"{where} denies access ({said}); use a key that may use {model}")
    if status == 408:
        return BackendTimedOut(f"no answer from {where} in time ({said})", retry_after_s=retry_after_s)
    if status == 413:
        return RequestRejected(f"{where} takes no request as large as this ({said}); send less text or smaller images")
    if 300 <= status < 400:
        return BackendUnavailable(f"{where} sends requests elsewhere ({said}); write the address it means as base-url")
    if 400 <= status < 500 and status not in (409, 425):
        return RequestRejected(f"{where} refuses the request ({said}); correct the backend's parameters")
    return TransientBackendError(f"no usable answer from {where} ({said})", retry_after_s=retry_after_s)


def is_context_length(status: int, said: str, code: str = "") -> bool:
    """Whether a request was refused because its prompt is longer than the model takes; ``said`` may be a whole body."""
    return status in (400, 413, 422) and (code in _TOO_LONG or _LENGTH.search(said) is not None)


def retry_after_s(headers: Mapping[str, Any]) -> float | None:
    """The seconds that a server asks to wait, or ``None``.

    Read of ``Retry-After`` (seconds or a date), of ``retry-after-ms``, or of ``x-ratelimit-reset`` and its kinds (such
    as ``-requests: 6m0s``) where nothing of that limit remains.
    """
    found = {name.lower(): str(value) for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(found[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        until = parsedate_to_datetime(found["retry-after"])
    except (KeyError, ValueError):
        return max(_resets(found), default=None)
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def error_message(text: str) -> str:
    """A server's message on one line: the one inside its JSON, if the text is JSON."""
    return error_body(text).message


def error_body(text: str) -> ErrorBody:
    """What the text of an error says, its message on one line; everything is empty that it does not say."""
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        body: Any = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        body = None
    said = _said(body)
    return said if said.message else ErrorBody(message=_on_a_line(text), code=said.code, status=said.status)


def error_in(answer: Mapping[str, Any]) -> ErrorBody | None:
    """The error that an answer with a status of success holds, as some servers send it; ``None`` if there is none."""
    choices: Any = answer.get("choices")
    first: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else answer
    inner: Any = cast("dict[str, Any]", first).get("error") if isinstance(first, dict) else None
    return _said({"error": inner}) if inner else None


def _resets(found: Mapping[str, str]) -> Iterator[float]:
    """The seconds until limits of which nothing remains begin anew."""
    for name, value in found.items():
        if (kind := _RESET.fullmatch(name)) and found.get(f"x-ratelimit-remaining{kind['what']}", "0").strip() == "0":
            wait = _seconds(value.strip())
            if wait is not None:
                yield max(0.0, wait)


def _seconds(text: str) -> float | None:
    """A time as a number of seconds, as ``6m0s``, or as a moment in seconds or milliseconds since 1970."""
    try:
        number = float(text)
    except ValueError:
        span = _SPAN.fullmatch(text)
        try:
            parts = [float(part) * _UNITS[unit] for unit, part in span.groupdict().items() if part] if span else []
        except ValueError:
            return None
        return sum(parts) if parts else None
    if number > _EPOCH_S:
        return (number / 1000 if number > _EPOCH_MS else number) - time.time()
    return number


def _on_a_line(text: str) -> str:
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _said(body: Any) -> ErrorBody:
    inner: Any = cast("dict[str, Any]", body).get("error", body) if isinstance(body, dict) else None
    if not isinstance(inner, dict):
        return ErrorBody(message=_on_a_line(inner) if isinstance(inner, str) else "")
    error = cast("dict[str, Any]", inner)
    message, code, kind = error.get("message"), error.get("code"), error.get("type")
    metadata: Any = error.get("metadata")
    more: Any = cast("dict[str, Any]", metadata).get("raw") if isinstance(metadata, dict) else None
    words = [word for word in (message, more) if isinstance(word, str) and word]
    word = code if isinstance(code, str) and not code.isdigit() else kind
    number = int(code) if isinstance(code, int | str) and str(code).isdigit() and len(str(code)) == 3 else None
    return ErrorBody(message=_on_a_line(": ".join(words)), code=word if isinstance(word, str) else "", status=number)
