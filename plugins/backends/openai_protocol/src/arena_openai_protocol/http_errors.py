"""Translates a model server's HTTP status to an error whose class says whether a retry can help."""

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
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
_FLAGGED: Final = re.compile(
    r"requires moderation|(?:was|been) flagged|flagged (?:as|by|for)|content (?:management |safety )?policy|"
    r"content filter|usage polic|prohibited[ _]content|blocked (?:by|for|due to) (?:safety|moderation|content)",
    re.IGNORECASE,
)
_PER: Final = re.compile(r"(?<![a-z])(?:per[-_ ]?(second|minute|min|hour|day)|(daily)|[rt]p([smhd])\b)", re.IGNORECASE)
_DAY: Final = frozenset({"day", "daily", "d"})
LONG_S: Final = 3600.0
"""Seconds from which on a limit for a day is not waited for."""
_TOO_LONG: Final = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_LENGTH: Final = re.compile(
    r"maximum (?:context|model) length|max_model_len|longer than the maximum|context length is|exceeds? the available "
    r"context|context (?:length|size|window) (?:exceeded|overflow)|greater than the context length|"
    r"prompt is too long|(?:prompt|input) (?:length|token count|tokens?)\b.{0,60}(?:exceeds?|is longer|is greater)|"
    r"maximum (?:prompt|input|sequence|context window) length|longer than the model|"
    r"(?:inputs?|prompt|tokens?)\W.{0,40}must (?:have|be) (?:less|fewer|at most|no more).{0,30}tokens|"
    r"exceeds? the (?:maximum|model'?s|limit).{0,30}(?:tokens|context|length)|too many (?:input |prompt )?tokens",
    re.IGNORECASE,
)
_SPAN: Final = re.compile(r"(?:(?P<h>[\d.]+)h)?(?:(?P<m>[\d.]+)m(?!s))?(?:(?P<s>[\d.]+)s)?(?:(?P<ms>[\d.]+)ms)?")
_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_RESET: Final = re.compile(r"x-ratelimit-reset(?P<what>(?:-\w+)*)")
_WORDED: Final = re.compile(r"(?:retry|try again|wait)(?: again)?(?: in| after| for)? (\d[\d.hms]*)", re.IGNORECASE)
_PASSING: Final = frozenset({409, 424, 425, 498, 499})
"""Statuses by which servers and gateways say that something else failed just then."""
_EPOCH_S: Final = 1e9
_EPOCH_MS: Final = 1e12


@attrs.frozen(kw_only=True)
class ErrorBody:
    """What a server says of an error: its message, its code if that is a word, the HTTP status if it holds one.

    ``retry_after_s`` are the seconds that it asks to wait; ``is_flagged`` says that the prompt was refused for what it
    says, ``is_daily`` that a limit for a day is used up.
    """

    message: str
    code: str = ""
    status: int | None = None
    retry_after_s: float | None = None
    is_flagged: bool = False
    is_daily: bool = False


def error_from_status(
    status: int,
    said: str,
    *,
    model: str,
    where: str,
    retry_after_s: float | None = None,
    code: str = "",
    key: str | None = None,
    is_flagged: bool = False,
    is_daily: bool = False,
) -> BackendError:
    """The error for an HTTP status; ``where`` names the server, ``said`` is its message on one line.

    ``code`` is the server's own word for the error, ``key`` the variable of the key that was sent, as ``${NAME}``;
    ``is_flagged`` and ``is_daily`` are as in ``ErrorBody``.
    """
    if status == 429 and is_daily and (retry_after_s is None or retry_after_s >= LONG_S):
        return QuotaExhausted(f"{where} takes no more of {model} today ({said}){_begins_anew(retry_after_s)}")
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
    if (is_flagged or code in _CENSORED) and 400 <= status < 500:
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
    if 400 <= status < 500 and status not in _PASSING:
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
    if said.message:
        return said
    message = _on_a_line(text)
    is_flagged = said.is_flagged or _FLAGGED.search(message) is not None
    return attrs.evolve(said, message=message, is_flagged=is_flagged, is_daily=said.is_daily or _is_daily(message))


def error_in(answer: Mapping[str, Any]) -> ErrorBody | None:
    """The error that an answer with a status of success holds, as some servers send it; ``None`` if there is none."""
    choices: Any = answer.get("choices")
    first: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else None
    inner: Any = cast("dict[str, Any]", first).get("error") if isinstance(first, dict) else None
    inner = inner or answer.get("error")  # OpenRouter tells of a provider that broke down beside the choices
    return _said({"error": inner}) if inner else None


def _begins_anew(seconds: float | None) -> str:
    """When a limit begins anew, and what can be done, as the end of a sentence."""
    if seconds is None:
        return "; use another key, or resume tomorrow"
    moment = datetime.now(UTC) + timedelta(seconds=seconds)
    return f"; it begins anew at {moment:%Y-%m-%d %H:%M} UTC: resume then, or use another key"


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
        message = _on_a_line(inner) if isinstance(inner, str) else ""
        return ErrorBody(message=message, is_flagged=_FLAGGED.search(message) is not None, is_daily=_is_daily(message))
    error = cast("dict[str, Any]", inner)
    message, code, kind = error.get("message"), error.get("code"), error.get("type")
    metadata: Any = error.get("metadata")
    about: dict[str, Any] = cast("dict[str, Any]", metadata) if isinstance(metadata, dict) else {}
    words = [word for word in (message, about.get("raw")) if isinstance(word, str) and word]
    word = code if isinstance(code, str) and not code.isdigit() else kind
    number = int(code) if isinstance(code, int | str) and str(code).isdigit() and len(str(code)) == 3 else None
    more = _more(error.get("details"))
    return ErrorBody(
        message=_on_a_line(": ".join(words)),
        code=word if isinstance(word, str) else "",
        status=number,
        retry_after_s=_wait(about.get("headers"), more, " ".join(words)),
        is_flagged="flagged_input" in about or any(_FLAGGED.search(word) for word in words),
        is_daily=_is_daily(" ".join((*words, *(str(each.get("quotaId", "")) for each in more)))),
    )


def _more(details: Any) -> list[dict[str, Any]]:
    """The objects in the details of an error as Google words it, and those of their violations."""
    found = _objects(details)
    return [*found, *(each for one in found for each in _objects(one.get("violations")))]


def _objects(values: Any) -> list[dict[str, Any]]:
    return [each for each in cast("list[Any]", values) if isinstance(each, dict)] if isinstance(values, list) else []


def _wait(headers: Any, details: Iterable[Mapping[str, Any]], said: str) -> float | None:
    """The seconds to wait that the body of an error names: in its words, Google's details or headers repeated there."""
    waits = [_seconds(found[1].rstrip(".")) for found in _WORDED.finditer(said) if found[1][-1:] in "ms."]
    waits += [_seconds(delay) for each in details if isinstance(delay := each.get("retryDelay"), str)]
    waits += [retry_after_s(cast("dict[str, Any]", headers))] if isinstance(headers, dict) else []
    return max((wait for wait in waits if wait is not None), default=None)


def _is_daily(text: str) -> bool:
    """Whether the first span of time that a message about a limit names is a day."""
    found = _PER.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text))
    return found is not None and next(filter(None, found.groups())).lower() in _DAY
