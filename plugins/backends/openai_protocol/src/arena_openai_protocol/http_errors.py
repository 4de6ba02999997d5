"""Translates a model server's HTTP status to an error whose class says whether a retry can help."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    QuotaExhausted,
    RequestRejected,
    TransientBackendError,
)

from arena_openai_protocol.error_bodies import ErrorBody
from arena_openai_protocol.limits import Limit, begins_anew_s, limit_of

_CENSORED: Final = frozenset({"content_policy_violation", "content_filter", "1026", "1027"})
"""Codes of a prompt or an answer that is refused for what it says: OpenAI, Azure, MiniMax."""
LIMITED: Final = {
    400: "Anthropic, DashScope: an account without credit",
    401: "Perplexity: an account without credit",
    403: "xAI, OpenRouter, DashScope: an account or a key without credit",
    412: "Fireworks: an account that is suspended",
    429: "RFC 6585",
}
"""Statuses by which servers speak of a limit, with who does."""
OVERLOADED: Final = frozenset({498, 529})
"""Statuses of a server that had no room for a request, and has computed nothing: Groq's flex tier, Anthropic."""
ADVICE: Final = {
    r"only supports? stream|non-streaming": ("ask it by openai-compatible with stream: true", "DashScope"),
    r"no endpoints found that can handle the requested param": (
        "leave parameters out with compat: {leave-out: [NAME]}, or choose another provider",
        "OpenRouter",
    ),
}
"""What to do about a refusal with these words, and whose words they are."""
PASSING: Final = {
    409: "gateways: a conflict",
    424: "Azure, Databricks, gateways: something behind the server failed",
    425: "RFC 8470: too early",
    499: "nginx and gateways: the connection behind them was closed",
}
"""Statuses below 500 by which servers say that something else failed just then, with who says so."""


def error_from_status(
    status: int,
    said: str | ErrorBody,
    *,
    model: str,
    where: str,
    retry_after_s: float | None = None,
    code: str = "",
    key: str | None = None,
) -> BackendError:
    """The error for an HTTP status; ``where`` names the server, ``said`` is its message on one line or all it said.

    ``retry_after_s`` is what its headers ask to wait: the longer wait of both counts. ``code`` is the server's own word
    for the error, ``key`` the variable of the key that was sent, as ``${NAME}``.
    """
    body = said if isinstance(said, ErrorBody) else ErrorBody(message=said, said=said)
    wait = max((each for each in (retry_after_s, body.retry_after_s) if each is not None), default=None)
    codes = (*((code,) if code else ()), *body.codes)
    if limited := _limited(status, body, codes, wait, model=model, where=where, key=key):
        return limited
    return _refused(status, body, codes, wait, model=model, where=where, key=key)


def _limited(
    status: int, body: ErrorBody, codes: tuple[str, ...], wait: float | None, *, model: str, where: str, key: str | None
) -> BackendError | None:
    """The error of a limit that is reached, or ``None``."""
    said = body.message
    limit: Limit = "account" if status == 402 else ""
    if status in LIMITED:
        limit = limit_of(codes, body.said, wait, is_limit=status == 429)
    if limit == "day":
        again = _begins_anew(begins_anew_s(codes, wait))
        return QuotaExhausted(f"{where} takes no more of {model} today ({said}){again}")
    if limit == "account":
        account = f"the account of {key}" if key else "the account"
        advice = "add some or use another key, and resume"
        return QuotaExhausted(f"{account} has no credit left for {model} at {where} ({said}); {advice}")
    if status == 429 or limit == "minute":
        return BackendOverloaded(f"{where} is asked too often ({said})", retry_after_s=wait)
    return None


def _refused(
    status: int, body: ErrorBody, codes: tuple[str, ...], wait: float | None, *, model: str, where: str, key: str | None
) -> BackendError:
    said = body.message
    for words, (advice, _) in ADVICE.items():
        if 400 <= status < 500 and re.search(words, body.said, re.IGNORECASE):
            return RequestRejected(f"{where} refuses the request ({said}); {advice}")
    if status == 401:
        advice = f"correct {key}" if key else "write the server's as api-key: ${NAME}"
        return BackendUnavailable(f"{where} refuses the key ({said}); {advice}")
    if status == 404:
        return BackendUnavailable(f"{where} knows no {model} ({said}); correct model or base-url")
    if (body.is_flagged or not _CENSORED.isdisjoint(codes)) and 400 <= status < 500:
        advice = "change the prompt or choose another model"
        return RequestRejected(f"{where} refuses the prompt for what it says ({said}); {advice}")
    if status == 403:
        return RequestRejected(f"{where} denies access ({said}); use a key that may use {model}")
    if status == 408:
        return BackendTimedOut(f"no answer from {where} in time ({said})", retry_after_s=wait)
    if status in OVERLOADED:
        return BackendOverloaded(f"{where} is overloaded ({said})", retry_after_s=wait)
    if status == 413:
        return RequestRejected(f"{where} takes no request as large as this ({said}); send less text or smaller images")
    if 300 <= status < 400:
        return BackendUnavailable(f"{where} sends requests elsewhere ({said}); write the address it means as base-url")
    if 400 <= status < 500 and status not in PASSING:
        return RequestRejected(f"{where} refuses the request ({said}); correct the backend's parameters")
    return TransientBackendError(f"no usable answer from {where} ({said})", retry_after_s=wait)


def _begins_anew(seconds: float | None) -> str:
    """When a limit begins anew, and what can be done, as the end of a sentence."""
    if seconds is None:
        return "; use another key, or resume tomorrow"
    moment = datetime.now(UTC) + timedelta(seconds=seconds)
    return f"; it begins anew at {moment:%Y-%m-%d %H:%M} UTC: resume then, or use another key"
