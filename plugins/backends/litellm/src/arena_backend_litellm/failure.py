"""What LiteLLM raises, as one sentence that says what to do and whether asking again may help."""

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import attrs
from arena.backend import Secret
from arena.errors import BackendError

from arena_backend_litellm.keys import without

LONGEST = 300
"""Characters of what a server said that are repeated."""

_PREFIX = re.compile(r"(?:(?:litellm\.)?(?:Timeout Error|\w*(?:Error|Exception|Timeout))\s*[:-]\s*)+")
_NO_KEY = re.compile(r"credentials|api[ _-]?key", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient_quota|exceeded your current quota|credit balance|billing", re.IGNORECASE)


@attrs.frozen
class Asked:
    """Who was asked: the model, the address if one was given, the key's variable and the variables that are missing."""

    model: str
    address: str | None
    key: str | None
    missing: tuple[str, ...]


def failure(error: Exception, asked: Asked, secrets: Iterable[Secret]) -> BackendError:
    """The error to raise in place of ``error``, with the values of ``secrets`` cut out."""
    said = _said(without(secrets, str(error)))
    names = {cls.__name__ for cls in type(error).__mro__}
    status = getattr(error, "status_code", None)
    where = asked.address or asked.model
    code = _code(error)
    is_without_key = asked.key is None and asked.address is None and asked.missing and _NO_KEY.search(said)
    if "AuthenticationError" in names or status == 401 or is_without_key:
        return BackendError(_refused_key(asked, said))
    if status == 402 or (status == 429 and _NO_CREDIT.search(f"{code} {said}")):
        return BackendError(f"the account has no credit left for {asked.model} ({said}); add some or use another key")
    if status == 429:
        return _transient(f"{where} is asked too often ({said})", error, is_overload=True)
    if "ContextWindowExceededError" in names or code == "context_length_exceeded":
        advice = "shorten the prompt or choose a model with a longer context"
        return BackendError(f"the prompt is longer than {asked.model} takes ({said}); {advice}")
    if "ContentPolicyViolationError" in names or code in ("content_policy_violation", "content_filter"):
        advice = "change the prompt or choose another model"
        return BackendError(f"{where} refuses the prompt for what it says ({said}); {advice}")
    if "UnsupportedParamsError" in names:
        return BackendError(f"{asked.model} does not take a setting it was given ({said}); leave that out")
    if status == 404:
        return BackendError(f"{where} knows no {asked.model} ({said}); correct model or base-url")
    if status == 403:
        return BackendError(f"{where} denies access ({said}); use a key that may use {asked.model}")
    if "Timeout" in names or status == 408:
        return _transient(f"no answer from {where} in time ({said})", error, is_overload=True)
    if isinstance(status, int) and 400 <= status < 500 and status not in (409, 425):
        return BackendError(f"{where} refuses the request ({said}); correct the backend's parameters")
    if status is not None or "APIError" in names:
        return _transient(f"no usable answer from {where} ({said})", error)
    return BackendError(f"LiteLLM failed for {asked.model} ({type(error).__name__}: {said}); report it to LiteLLM")


def retry_after_s(error: Exception) -> float | None:
    """Seconds that the server asks to wait, where it does."""
    headers = getattr(error, "litellm_response_headers", None) or {}
    headers = {**getattr(getattr(error, "response", None), "headers", {}), **headers}
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


def _code(error: Exception) -> str:
    """The provider's own word for what went wrong."""
    body = getattr(error, "body", None)
    return str(body.get("code") or "") if isinstance(body, dict) else ""


def _transient(text: str, error: Exception, *, is_overload: bool = False) -> BackendError:
    return BackendError(text, is_transient=True, retry_after_s=retry_after_s(error), is_overload=is_overload)


def _refused_key(asked: Asked, said: str) -> str:
    if asked.missing and asked.key is None:
        names = " and ".join(asked.missing)
        return f"no key for {asked.model}: the environment does not hold {names}; set it or put it into .env"
    correct = f"correct {asked.key}" if asked.key else "correct the provider's variable in the environment or .env"
    return f"{asked.address or asked.model} refuses the key ({said}); {correct}"


def _said(text: str) -> str:
    """What the server said, without what LiteLLM wrote around it, on one line."""
    text = _PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text
    text = " ".join((_inner(text) or text).split()).rstrip(".")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _inner(text: str) -> str | None:
    """The message in a JSON body, where that is what the text is."""
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        body: Any = json.loads(found[0]) if found else None
    except ValueError:
        return None
    inner = body.get("error", body) if isinstance(body, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else inner
    return message if isinstance(message, str) and message else None
