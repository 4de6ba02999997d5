"""Translates LiteLLM's exceptions to backend errors whose class says whether to retry, and whose text what to do."""

import re
from collections.abc import Iterable

import attrs
from arena.backend import Secret
from arena.errors import BackendError, BackendUnavailable, BackendUnreachable, RequestRejected
from arena_openai_protocol import (
    ErrorBody,
    error_body,
    error_from_status,
    is_context_length,
    is_other_length,
    limit_of,
    retry_after_s,
    without,
)

from arena_backend_litellm.answer_bounds import Refusal

_PREFIX = re.compile(r"(?:(?:litellm\.)?(?:Timeout Error|\w*(?:Error|Exception|Timeout))\s*[:-]\s*)+")
_STATUS_ALONE = re.compile(r"Error code: \d+")
_NO_KEY = re.compile(r"credentials|api[ _-]?key", re.IGNORECASE)


@attrs.frozen
class RequestContext:
    """Facts for error messages: the model, its address if one was given, the key's variable and missing variables."""

    model: str
    address: str | None
    key: str | None
    missing: tuple[str, ...]


def failure(
    error: Exception, asked: RequestContext, secrets: Iterable[Secret], refusal: Refusal | None = None
) -> BackendError:
    """The error to raise in place of ``error``, with the values of ``secrets`` removed.

    ``refusal`` is what the server answered, as far as it was seen.
    """
    body = _said(without(secrets, str(error)))
    sent = error_body(without(secrets, _body(error) if refusal is None else refusal.text))  # LiteLLM repeats less
    if _STATUS_ALONE.fullmatch(body.message):  # the client keeps a body that is no JSON out of its message
        body = attrs.evolve(body, message=sent.message or body.message)
    said = body.message
    names = {cls.__name__ for cls in type(error).__mro__}
    status = getattr(error, "status_code", None) if refusal is None else refusal.status
    where = asked.address or asked.model
    code = _code(error)
    is_without_key = asked.key is None and asked.address is None and asked.missing and _NO_KEY.search(said)
    is_empty = refusal is not None and limit_of(sent.codes, sent.said, None, is_limit=False) == "account"
    if ("AuthenticationError" in names or status == 401 or is_without_key) and not is_empty:
        return BackendUnavailable(_refused_key(asked, said))
    if "ContentPolicyViolationError" in names:
        status, code = 400, "content_policy_violation"
    if status != 429 and "UnsupportedParamsError" in names:
        return RequestRejected(f"{asked.model} does not take a setting it was given ({said}); leave that out")
    if refusal is None and status != 403 and "Timeout" in names:
        status = 408
    if refusal is None and _is_unreachable(error) and status not in (403, 404, 408, 429):
        advice = "start the server or correct base-url" if asked.address else "look after the network"
        return BackendUnreachable(f"{where} cannot be reached ({said}); {advice}")
    if isinstance(status, int) or "APIError" in names:
        return error_from_status(
            status if isinstance(status, int) else 500,
            _joined(body, sent),
            model=asked.model,
            where=where,
            retry_after_s=seconds_to_wait(error, refusal),
            code=code,
            key=asked.key,
        )
    return RequestRejected(f"LiteLLM failed for {asked.model} ({type(error).__name__}: {said}); report it to LiteLLM")


def broken_off(said: ErrorBody, asked: RequestContext, secrets: Iterable[Secret]) -> BackendError:
    """The error to raise for one in an answer with a status of success, which LiteLLM takes for a normal end."""
    words = without(secrets, said.message or said.code or "an error in the answer")
    return error_from_status(
        said.status or 500,
        attrs.evolve(said, message=words),
        model=asked.model,
        where=asked.address or asked.model,
        retry_after_s=None,
        key=asked.key,
    )


def refused_as(error: Exception, secrets: Iterable[Secret], refusal: Refusal | None = None) -> tuple[int, str]:
    """The status of an error, 0 if it has none, and all that is said in it; ``refusal`` as in ``failure``."""
    status = getattr(error, "status_code", None) if refusal is None else refusal.status
    said = _body(error) if refusal is None else refusal.text
    return status if isinstance(status, int) else 0, without(secrets, f"{said} {error}")


def is_too_long(error: Exception, refusal: Refusal | None = None) -> bool:
    """Whether the request failed because the prompt exceeds the model's context; ``refusal`` as in ``failure``."""
    names = {cls.__name__ for cls in type(error).__mro__}
    status = getattr(error, "status_code", None) if refusal is None else refusal.status
    body = _said(str(error)) if refusal is None else error_body(refusal.text)
    if "ContextWindowExceededError" in names and not is_other_length(body.said):
        return True
    return isinstance(status, int) and is_context_length(status, body.said, (_code(error), *body.codes))


def _joined(body: ErrorBody, sent: ErrorBody) -> ErrorBody:
    """What LiteLLM says of an error together with what the server sent."""
    waits = [each.retry_after_s for each in (body, sent) if each.retry_after_s is not None]
    return attrs.evolve(
        body,
        said=f"{body.said} {sent.said}",
        codes=(*body.codes, *sent.codes),
        retry_after_s=max(waits, default=None),
        is_flagged=body.is_flagged or sent.is_flagged,
    )


def seconds_to_wait(error: Exception, refusal: Refusal | None = None) -> float | None:
    """The wait that the headers ask for, in seconds, or ``None``; ``refusal`` as in ``failure``."""
    if refusal is not None:
        return retry_after_s(refusal.headers)
    headers = getattr(error, "litellm_response_headers", None) or {}
    headers = {**getattr(getattr(error, "response", None), "headers", {}), **headers}
    return retry_after_s(headers)


def _is_unreachable(error: BaseException | None) -> bool:
    """Whether no connection could be made, judged by the chain of causes."""
    while error is not None:
        if type(error).__name__ in ("ConnectError", "ConnectionRefusedError", "gaierror"):
            return True
        error = error.__cause__ or error.__context__
    return False


def _code(error: Exception) -> str:
    """The provider's own error code."""
    body = getattr(error, "body", None)
    return str(body.get("code") or "") if isinstance(body, dict) else ""


def _body(error: BaseException | None) -> str:
    """The text that the server sent, judged by the chain of causes; empty where nothing was kept of it."""
    while error is not None:
        if isinstance(body := getattr(error, "body", None), str):
            return body
        error = error.__cause__ or error.__context__
    return ""


def _refused_key(asked: RequestContext, said: str) -> str:
    if asked.missing and asked.key is None:
        return no_key(asked)
    correct = f"correct {asked.key}" if asked.key else "correct the provider's variable in the environment or .env"
    return f"{asked.address or asked.model} refuses the key ({said}); {correct}"


def no_key(asked: RequestContext) -> str:
    """The sentence about a key that is set nowhere; ``missing`` are the variables that LiteLLM looks into."""
    names = " and ".join(asked.missing)
    return f"no key for {asked.model}: the environment does not hold {names}; set it or put it into .env"


def _said(text: str) -> ErrorBody:
    """What the server says, its message on one line, without the text that LiteLLM adds."""
    return error_body(_PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text)
