"""Reads the body of an error, in the shapes in which servers send it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs

from arena_openai_protocol.limits import STATUSES, told_s

LONGEST: Final = 300
"""The most characters of a server's message that are repeated in an error."""
LONGEST_READ: Final = 4_000
"""The most characters of a server's message that are looked through for words."""

_FLAGGED: Final = re.compile(
    r"requires moderation|(?:was|been) flagged|flagged (?:as|by|for)|content (?:management |safety )?policy|"
    r"content filter|usage polic|prohibited[ _]content|blocked (?:by|for|due to) (?:safety|moderation|content)",
    re.IGNORECASE,
)
_INNER: Final = ("error", "errors", "base_resp", "fault")
"""Names under which the error itself stands in a body: OpenAI, Cloudflare, MiniMax, Apigee."""
_MESSAGES: Final = ("message", "Message", "msg", "detail", "error_msg", "errorMessage", "status_msg", "faultstring")
"""Names of the message: OpenAI, Bedrock, Bailing, FastAPI, Baidu, AWS, MiniMax, Apigee."""
_CODES: Final = ("code", "type", "status", "error_code", "error_type", "errorCode", "status_code", "__type", "reason")
"""Names of the words and numbers for an error, the most telling first."""
_WRITTEN: Final = ("failed_generation",)
"""Names of what the model wrote, where a server refuses that as no JSON or no call of a tool: Groq."""


@attrs.frozen(kw_only=True)
class ErrorBody:
    """What a server says of an error: its message, its code if that is a word, the HTTP status if it holds one.

    ``codes`` are all its words for the error, ``said`` is everything that it says, longer than ``message``.
    ``retry_after_s`` are the seconds that it asks to wait; ``is_flagged`` says that the prompt was refused for what it
    says. ``written`` is what the model wrote, if that is what the server refuses, else ``None``.
    """

    message: str
    code: str = ""
    status: int | None = None
    codes: tuple[str, ...] = ()
    said: str = ""
    retry_after_s: float | None = None
    is_flagged: bool = False
    written: str | None = None


def error_message(text: str) -> str:
    """A server's message on one line: the one inside its JSON, if the text is JSON."""
    return error_body(text).message


def error_body(text: str) -> ErrorBody:
    """What the text of an error says, its message on one line; everything is empty that it does not say."""
    said = _said(_json(text))
    if said.message:
        return said
    message = _on_a_line(text)
    whole = text[:LONGEST_READ]
    wait = said.retry_after_s if said.retry_after_s is not None else told_s(None, whole)
    is_flagged = said.is_flagged or _FLAGGED.search(message) is not None
    return attrs.evolve(said, message=message, said=whole, is_flagged=is_flagged, retry_after_s=wait)


def error_in(answer: Mapping[str, Any]) -> ErrorBody | None:
    """The error that an answer with a status of success holds, as some servers send it; ``None`` if there is none."""
    choices: Any = answer.get("choices")
    first: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else answer
    inner: Any = cast("dict[str, Any]", first).get("error") if isinstance(first, dict) else None
    if not (inner := inner or answer.get("error") or _minimax(answer)):
        return None
    said = _said({"error": inner})
    status = next((STATUSES[code][0] for code in said.codes if code in STATUSES), None)
    return said if said.status is not None or status is None else attrs.evolve(said, status=status)


def _minimax(answer: Mapping[str, Any]) -> Any:
    """What MiniMax says of each answer, if that is an error: https://platform.minimax.io/docs/api-reference/errorcode."""
    told: Any = answer.get("base_resp")
    if not isinstance(told, dict):
        return None
    said = cast("dict[str, Any]", told)
    return said if said.get("status_code") not in (None, 0, "0", "") else None


def _on_a_line(text: str) -> str:
    """A text as one line of at most ``LONGEST`` characters, without the full stop at its end."""
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _json(text: str) -> Any:
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        return json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        return None


def _said(body: Any) -> ErrorBody:
    if not isinstance(body, dict):
        return ErrorBody(message="")
    levels = list(_levels(cast("dict[str, Any]", body)))
    words = [*dict.fromkeys(word for level in levels for word in _messages(level))]
    codes = tuple(dict.fromkeys(code for level in levels for code in _codes(level)))
    numbers = (int(code) for code in codes if code.isascii() and code.isdigit() and len(code) == 3)
    whole = ": ".join(words)[:LONGEST_READ]
    return ErrorBody(
        message=_on_a_line(": ".join(words)),
        code=next((code for code in codes if not code.isdigit()), ""),
        status=next((number for number in numbers if 400 <= number < 600), None),
        codes=codes,
        said=whole,
        retry_after_s=told_s(body, whole),
        is_flagged=any("flagged_input" in level for level in levels) or _FLAGGED.search(whole) is not None,
        written=next(_written(levels), None),
    )


def _levels(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects that speak of the error, the innermost first: it, what a gateway repeats of it, its details."""
    inner: Any = next((body[name] for name in _INNER if body.get(name)), None)
    if isinstance(inner, list) and inner:
        inner = cast("list[Any]", inner)[0]
    if isinstance(inner, Mapping):
        yield from _parts(cast("Mapping[str, Any]", inner))
    elif isinstance(inner, str) and "error" in body:
        yield {"message": inner}
    yield from _parts(body)


def _parts(error: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """An error, what another server said of it, and its details as Google words them."""
    yield error
    metadata: Any = error.get("metadata")
    if isinstance(metadata, Mapping):
        about = cast("Mapping[str, Any]", metadata)
        yield about
        raw: Any = about.get("raw")
        if isinstance(raw, str) and raw:
            quoted = _json(raw)
            yield from _levels(cast("dict[str, Any]", quoted)) if isinstance(quoted, dict) else [{"message": raw}]
    for detail in _objects(error.get("details")):
        yield {"reason": detail.get("reason")}
        for each in _objects(detail.get("violations")):
            yield {"reason": each.get("quotaId")}
    for each in _objects(error.get("errors")):  # Google's older form
        yield {"reason": each.get("reason")}


def _messages(level: Mapping[str, Any]) -> Iterator[str]:
    word: Any = next((level[name] for name in _MESSAGES if isinstance(level.get(name), str) and level[name]), None)
    if word:
        yield word


def _codes(level: Mapping[str, Any]) -> Iterator[str]:
    for name in _CODES:
        code: Any = level.get(name)
        if isinstance(code, str | int) and not isinstance(code, bool) and code != "":
            yield str(code)


def _written(levels: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for level in levels:
        for name in _WRITTEN:
            if isinstance(text := level.get(name), str):
                yield text


def _objects(values: Any) -> list[dict[str, Any]]:
    return [each for each in cast("list[Any]", values) if isinstance(each, dict)] if isinstance(values, list) else []
