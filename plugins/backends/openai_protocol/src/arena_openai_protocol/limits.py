"""What servers say of their limits: which limit is reached, and how long to wait; tables that grow by a line each.

The rules are asked in this order: codes and types, then whether a wait is named (a limit that passes), then words.
"""

import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal, TypeAlias, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Limit: TypeAlias = Literal["account", "day", "minute", ""]
"""Which limit is reached: an account is empty, a day's limit (or a month's) is used up, one that passes soon; none."""

_WORST_FIRST: Final[tuple[Limit, ...]] = ("account", "day", "minute")

LONG_S: Final = 60.0
"""Seconds from which on a limit for a day is not waited for: room for one more request comes sooner than for a run."""
_OWN_S: Final = 3600.0
"""Seconds from which on a wait with Google's code of a day's limit is that of the day."""

CODES: Final[Mapping[str, tuple[Limit, str]]] = {
    "insufficient_quota": ("account", "OpenAI, Azure, Requesty: code and type"),
    "billing_hard_limit_reached": ("account", "OpenAI: code"),
    "billing_not_active": ("account", "OpenAI: code"),
    "credit_balance_exhausted": ("account", "OpenAI: code"),
    "organization_spend_limit_exceeded": ("account", "OpenAI: code"),
    "project_spend_limit_exceeded": ("account", "OpenAI: code"),
    "organization_usage_limit_exceeded": ("account", "OpenAI: code"),
    "enforced_spend_limit_reached": ("account", "Anthropic: error_code"),
    "billing_error": ("account", "Anthropic: type"),
    "insufficient_balance": ("account", "DeepSeek, SiliconFlow: code"),
    "insufficient_credits": ("account", "OpenRouter, Together: code"),
    "insufficient_funds": ("account", "Hyperbolic, gateways: code"),
    "insufficient_user_quota": ("account", "One API and New API: code"),
    "pre_consume_token_quota_failed": ("account", "One API: code"),
    "exceeded_current_quota_error": ("account", "Moonshot: type"),
    "payment_required": ("account", "Cerebras, Together: code"),
    "budget_exceeded": ("account", "LiteLLM's proxy: type"),
    "arrearage": ("account", "DashScope: code"),
    "allocationquota.freetieronly": ("account", "DashScope: code; the free tokens of a model are used up"),
    "setlimitexceeded": ("account", "Volcengine: code; the limit that the owner has set"),
    "accountoverdueerror": ("account", "Volcengine: code"),
    "1008": ("account", "MiniMax: status_code"),
    "1113": ("account", "Zhipu: code"),
    "1309": ("account", "Zhipu: code; the plan has run out"),
    "dailylimitexceeded": ("day", "Google: reason"),
    "quotaexceeded_daily": ("day", "Cloudflare's gateway: code"),
    "1304": ("day", "Zhipu: code"),
    "1308": ("day", "Zhipu: code; the use of some hours, with the time at which it begins again"),
    "1310": ("day", "Zhipu: code; the use of a week or a month"),
    "2056": ("day", "MiniMax: status_code; the use of some hours"),
    "rate_limit_exceeded": ("minute", "OpenAI, Groq, Cerebras: code"),
    "rate_limit_error": ("minute", "Anthropic, LiteLLM's proxy: type"),
    "rate_limit_reached_error": ("minute", "Moonshot: type"),
    "ratelimitexceeded": ("minute", "Google: reason"),
    "userratelimitexceeded": ("minute", "Google: reason"),
    "rate_limited": ("minute", "Mistral, xAI: type"),
    "throttlingexception": ("minute", "Bedrock: __type"),
    "throttling": ("minute", "DashScope: code"),
    "throttling.ratequota": ("minute", "DashScope: code"),
    "throttling.allocationquota": ("minute", "DashScope: code; tokens of a minute"),
    "throttling.burstrate": ("minute", "DashScope: code"),
    "too_many_requests": ("minute", "gateways: code"),
    "engine_overloaded_error": ("minute", "Moonshot: type"),
    "serveroverloaded": ("minute", "Volcengine: code"),
    "1002": ("minute", "MiniMax: status_code"),
    "1302": ("minute", "Zhipu: code"),
    "1303": ("minute", "Zhipu: code"),
    "1305": ("minute", "Zhipu: code"),
    "3505": ("minute", "Mistral: code, 'Service tier capacity exceeded for this model'"),
}
"""What a server's own word for an error says of a limit, in small letters, with who sends it."""

_VAGUE: Final = frozenset(
    {"rate_limit_exceeded", "rate_limit_error", "rate_limited", "rate_limit_reached_error", "throttlingexception"}
)
"""Codes of a limit that may be that of a day as well: the words say which."""

STATUSES: Final[Mapping[str, tuple[int, str]]] = {
    "overloaded_error": (529, "Anthropic"),
    "engine_overloaded_error": (429, "Moonshot"),
    "rate_limit_error": (429, "Anthropic"),
    "api_error": (500, "Anthropic"),
    "timeout_error": (504, "Anthropic"),
    "authentication_error": (401, "Anthropic"),
    "billing_error": (402, "Anthropic"),
    "permission_error": (403, "Anthropic"),
    "not_found_error": (404, "Anthropic"),
    "request_too_large": (413, "Anthropic"),
    "invalid_request_error": (400, "Anthropic, OpenAI"),
    "rate_limit_exceeded": (429, "OpenAI, Groq"),
    "insufficient_quota": (429, "OpenAI"),
    "context_length_exceeded": (400, "OpenAI"),
    "server_error": (500, "OpenAI"),
    "RESOURCE_EXHAUSTED": (429, "Google"),
    "UNAVAILABLE": (503, "Google"),
    "INVALID_ARGUMENT": (400, "Google"),
    "1000": (500, "MiniMax: unknown error"),
    "1001": (504, "MiniMax: timeout"),
    "1002": (429, "MiniMax: rate limit"),
    "1004": (401, "MiniMax: not authenticated"),
    "1008": (402, "MiniMax: insufficient balance"),
    "1013": (500, "MiniMax: internal service error"),
    "1024": (500, "MiniMax: internal error"),
    "1026": (400, "MiniMax: the prompt is sensitive"),
    "1027": (400, "MiniMax: the answer is sensitive"),
    "1033": (500, "MiniMax: system error"),
    "1039": (400, "MiniMax: token limit"),
    "1041": (429, "MiniMax: too many connections"),
    "2013": (400, "MiniMax: invalid parameters"),
    "2049": (401, "MiniMax: invalid key"),
    "2056": (429, "MiniMax: the use of some hours is over"),
}
"""The HTTP status of a word, for an error that comes inside of a stream or with a status of success."""

_EMPTY: Final[Mapping[str, str]] = {
    r"(?:credit )?balance is (?:too low|not enough|insufficient)": "Anthropic (with 400), SiliconFlow",
    r"insufficient[ _](?:account )?(?:balance|credits?|funds)": "DeepSeek, OpenRouter, MiniMax (1008), Zhipu",
    r"(?:no|any|out of|more|run out of) credits?\b": "xAI (with 403), Hugging Face, OpenRouter",
    r"used all available credits|monthly spending limit": "xAI",
    r"(?:prepa\w+ )?credits? (?:are|is|have been|has been) (?:depleted|exhausted|used up)": "Google, Requesty",
    r"exceeded your monthly included credits": "Hugging Face (with 402)",
    r"account (?:.{0,60} )?(?:is )?(?:not active|suspended|in arrears|overdue)": "OpenAI, Moonshot, DashScope",
    r"overdue[- ]payment|余额不足|欠费": "DashScope, Volcengine, Zhipu",
    r"budget has been exceeded|exceededbudget": "LiteLLM's proxy",
    r"key limit exceeded \(total": "OpenRouter (with 403)",
}
_OVER: Final[Mapping[str, str]] = {
    r"reached your specified (?:\w+ )?api usage limits|you will regain access on": "Anthropic (with 400): of the month",
    r"limit exceeded \((?:daily|weekly|monthly)": "OpenRouter (with 403): of a key",
    r"(?:hourly|session|daily|weekly|monthly) usage limit": "Ollama's cloud",
}
_SPENT: Final[Mapping[str, str]] = {
    **_OVER,
    r"daily free allocation|daily (?:request |token |usage )?(?:limit|quota)": "Cloudflare, gateways",
}
_PERHAPS: Final[Mapping[str, str]] = {
    r"exceeded your current quota": "OpenAI; Google says the same of the limit of a minute",
    r"credit balance|billing": "OpenAI, Anthropic",
}


def _any(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_NOT_EMPTY: Final[Mapping[str, str]] = {
    r"allocated quota exceeded": "DashScope: of a minute, with the code insufficient_quota",
}
"""Words of a limit that passes, beside a code that others have for an empty account."""
_IS_PASSING: Final = _any(_NOT_EMPTY)
_IS_EMPTY: Final = _any(_EMPTY)
_IS_OVER: Final = _any(_OVER)
_IS_SPENT: Final = _any(_SPENT)
_MAY_BE_EMPTY: Final = _any(_PERHAPS)
_PER: Final = re.compile(
    r"(?<![a-z])(?:(?:per[-_ ]?|/ )(second|minute|min|hour|day|week|month)|(daily|weekly|monthly)|"
    r"by[-_ ](minute|hour|day|week|month)|"
    r"(?:per|/) ?(86400) ?s|[rt]p([smhd])\b)",
    re.IGNORECASE,
)
_DAY: Final = frozenset({"day", "daily", "d", "86400", "week", "weekly", "month", "monthly"})
_PACIFIC: Final = "America/Los_Angeles"
"""Where the midnight is with which limits of a day of Google begin anew."""

HEADERS: Final[Mapping[str, tuple[float, str]]] = {
    "retry-after-ms": (0.001, "OpenAI, Azure"),
    "x-ms-retry-after-ms": (0.001, "Azure"),
    "retry-after": (1.0, "RFC 9110: seconds or a date; some write a unit"),
    "x-retry-after": (1.0, "gateways"),
    "x-ratelimit-retry-after": (1.0, "gateways"),
    "x-ratelimit-timeremaining": (1.0, "GitHub Models"),
}
"""Headers that say how long to wait, with the seconds that one stands for; the first that can be read counts."""

RESETS: Final[Mapping[str, tuple[str, str]]] = {
    r"x-ratelimit-reset(?P<what>(?:-\w+)*)": ("x-ratelimit-remaining{what}", "OpenAI, Groq, Cerebras, OpenRouter"),
    r"anthropic-ratelimit(?P<what>(?:-\w+)*)-reset": ("anthropic-ratelimit{what}-remaining", "Anthropic"),
    r"x-ratelimit(?P<what>(?:-\w+)+)-reset": ("x-ratelimit{what}-remaining", "Portkey, Kong"),
    r"x-rate-limit-reset(?P<what>(?:-\w+)*)": ("x-rate-limit-remaining{what}", "SambaNova, gateways"),
    r"ratelimit-reset(?P<what>(?:-\w+)*)": ("ratelimit-remaining{what}", "IETF's draft on RateLimit headers"),
    r"ratelimitbysize-reset(?P<what>)": ("ratelimitbysize-remaining{what}", "Mistral"),
}
"""Headers that say when a limit begins anew, each with the one that says what remains; counted where nothing does."""

FIELDS: Final[Mapping[str, tuple[float, str]]] = {
    "retrydelay": (1.0, "Google: RetryInfo.retryDelay, '41s'"),
    "estimatedtime": (1.0, "Hugging Face, TGI: seconds until a model is loaded"),
    "retryafter": (1.0, "LiteLLM, Cohere, Together, gateways"),
    "retryafterseconds": (1.0, "Vercel's gateway, OpenRouter"),
    "retryafters": (1.0, "gateways"),
    "retryafterms": (0.001, "gateways"),
    "retryinms": (0.001, "gateways"),
    "resetsinseconds": (1.0, "ChatGPT's usage limits"),
    "resetsat": (1.0, "ChatGPT's usage limits: a moment"),
    "resetat": (1.0, "gateways: a moment"),
    "ratelimitreset": (1.0, "gateways: a moment, or seconds"),
    "quotaresetdelay": (1.0, "Google's code assistant: '22h46m5s'"),
    "quotaresettimestamp": (1.0, "Google's code assistant: a moment"),
}
"""Fields anywhere in the body of an error that say how long to wait, with the seconds that one stands for.

Written without ``_`` and ``-``, in small letters.
"""

_UNITS: Final = {
    "ms": 0.001,
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
    **dict.fromkeys(("millisecond", "milliseconds"), 0.001),
}
_UNIT: Final = "|".join(sorted(_UNITS, key=len, reverse=True))
_PART: Final = re.compile(rf"(\d+(?:\.\d+)?)\s*({_UNIT})(?![a-z])", re.IGNORECASE)
_SPAN: Final = rf"(?:\d+(?:\.\d+)?\s*(?:{_UNIT})(?![a-z])(?:\s*(?:,|and)?\s*)?)+"
_WHOLE: Final = re.compile(_SPAN, re.IGNORECASE)
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_MOMENT: Final = r"\d{4}-\d\d-\d\d(?:T| |, | at )\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:Z\b|UTC|GMT|[+-]\d\d:?\d\d)"
_WORDED: Final = re.compile(
    r"(?:retry(?:ing)?|try(?:ing)?(?: it| your request)? again|try|wait(?:ing)?|available(?: again)?|reset(?:s|ting)?|"
    r"renew(?:s|ed)?|refresh(?:es)?|back|loading)\b(?: your request)?(?: again)?(?: later)?,?"
    rf"(?: in| after| for| within| at least| about| approximately|:)*\s+(?P<span>{_SPAN})"
    r"|retry[-_ ]?after[\"']?\s*[:=]?\s*[\"']?(?P<seconds>\d+(?:\.\d+)?)\b(?!\s*[a-z/%])",
    re.IGNORECASE,
)
_UNTIL: Final = re.compile(
    rf"(?:access|resets?|reset|again|until|renews?|available|retry|after)\b[^.]{{0,20}}?(?P<moment>{_MOMENT})",
    re.IGNORECASE,
)
_EPOCH_S: Final = 1e9
_EPOCH_MS: Final = 1e12
_MOST_VALUES: Final = 400
"""How many values of the body of an error are looked at."""


def limit_of(codes: Iterable[str], said: str, retry_after_s: float | None, *, is_limit: bool = True) -> Limit:
    """Which limit a server speaks of, by its codes, then by a wait that it names, then by its words.

    ``is_limit`` says that its status is that of a limit; otherwise only what can mean nothing else counts.
    """
    found = [code for code in codes if code]
    named = [CODES[code.lower()][0] for code in found if code.lower() in CODES and code.lower() not in _VAGUE]
    for limit in _WORST_FIRST:
        if limit in named and not (limit == "account" and _IS_PASSING.search(said)):
            return limit
    if any(_is_daily(code) for code in found):
        return "day"
    if not is_limit:
        if _IS_EMPTY.search(said):
            return "account"
        if _IS_OVER.search(said):
            return "day"
        return "minute" if any(code.lower() in _VAGUE for code in found) else ""
    if retry_after_s is None and _IS_EMPTY.search(said):
        return "account"
    is_of_day = _is_daily(said) or _IS_SPENT.search(said) is not None
    if is_of_day and (retry_after_s is None or retry_after_s >= LONG_S):
        return "day"
    if retry_after_s is not None:
        return "minute"
    if any(code.lower() in _VAGUE for code in found) or _PER.search(_apart(said)):
        return "minute"
    # Google's word for every limit; of an empty account it has others.
    return "account" if _MAY_BE_EMPTY.search(said) and "RESOURCE_EXHAUSTED" not in found else ""


def _is_daily(text: str) -> bool:
    """Whether the first span of time that a message about a limit names is a day or a month."""
    found = _PER.search(_apart(text))
    return found is not None and next(filter(None, found.groups())).lower() in _DAY


def begins_anew_s(codes: Iterable[str], retry_after_s: float | None) -> float | None:
    """Seconds until a limit for a day begins anew, or ``None``.

    As the server says; with Google's codes, which come with a wait of some seconds, at midnight of the Pacific coast.
    """
    is_googles = any(_is_daily(code) for code in codes)
    if not is_googles or (retry_after_s is not None and retry_after_s >= _OWN_S):
        return retry_after_s
    try:
        now = datetime.now(ZoneInfo(_PACIFIC))
    except ZoneInfoNotFoundError:  # a system without a list of time zones
        return None
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight.astimezone(UTC) - now.astimezone(UTC)).total_seconds()


def retry_after_s(headers: Mapping[str, Any]) -> float | None:
    """The seconds that the headers of an answer ask to wait, or ``None``; ``HEADERS`` and ``RESETS`` say which ones."""
    found = {name.lower(): str(value).strip() for name, value in headers.items()}
    for name, (unit, _) in HEADERS.items():
        if name in found and (wait := _seconds(found[name], unit)) is not None:
            return max(0.0, wait)
    return max(_resets(found), default=None)


def told_s(body: Any, said: str) -> float | None:
    """The seconds to wait that the body of an error names, in its fields or in its words ``said``, or ``None``."""
    waits = [_worded(each) for each in _WORDED.finditer(said)]
    waits += [_seconds(each["moment"]) for each in _UNTIL.finditer(said)]
    for name, value in _fields(body):
        if name == "headers" and isinstance(value, Mapping):
            waits.append(retry_after_s(cast("Mapping[str, Any]", value)))
        elif name in FIELDS and isinstance(value, str | int | float) and not isinstance(value, bool):
            waits.append(_seconds(str(value), FIELDS[name][0]))
    return max((max(0.0, wait) for wait in waits if wait is not None), default=None)


def _seconds(text: str, unit: float = 1.0) -> float | None:
    """The seconds from now that a text says, ``None`` if it says none.

    It may be a number of ``unit``, ``6m0s``, ``2 seconds``, a date, or a moment in seconds or milliseconds since 1970.
    """
    text = text.strip()
    if _NUMBER.fullmatch(text):
        number = float(text)
        if number > _EPOCH_S and unit == 1.0:
            return (number / 1000 if number > _EPOCH_MS else number) - time.time()
        return number * unit if math.isfinite(number) else None
    if _WHOLE.fullmatch(text):
        return sum(float(number) * _UNITS[each.lower()] for number, each in _PART.findall(text))
    return _until(text)


def _until(text: str) -> float | None:
    """Seconds until a date, in the form of HTTP or of ISO 8601."""
    try:
        if text[:4].isdigit():
            spelled = re.sub(r"(?:, | at )", " ", text).replace("UTC", "+00:00").replace("GMT", "+00:00")
            moment = datetime.fromisoformat(re.sub(r"\s+(?=[+-]\d\d:?\d\d$)", "", spelled))
        else:
            moment = parsedate_to_datetime(text)
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _resets(found: Mapping[str, str]) -> Iterator[float]:
    """The seconds until limits of which nothing remains begin anew."""
    for name, value in found.items():
        for pattern, (remaining, _) in RESETS.items():
            kind = re.fullmatch(pattern, name)
            if kind and _is_nothing(found.get(remaining.format(what=kind["what"]), "0")):
                if (wait := _seconds(value)) is not None:
                    yield max(0.0, wait)
                break
    if structured := re.search(r"\b(?:remaining|r)=0\b.*?\b(?:reset|t)=(\d+)", found.get("ratelimit", "")):
        yield float(structured[1])


def _is_nothing(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and float(text) <= 0


def _worded(found: re.Match[str]) -> float | None:
    return _seconds(found["seconds"]) if found["seconds"] else _seconds(found["span"].strip(" ,").removesuffix(" and"))


def _fields(body: Any) -> Iterator[tuple[str, Any]]:
    """The names and values of all fields of a body, however deep, with names as in ``FIELDS``."""
    waiting: list[Any] = [body]
    for _ in range(_MOST_VALUES):
        if not waiting:
            return
        value = waiting.pop()
        if isinstance(value, Mapping):
            for name, inner in cast("Mapping[Any, Any]", value).items():
                yield re.sub(r"[-_]", "", str(name)).lower(), inner
                waiting.append(inner)
        elif isinstance(value, list | tuple):
            waiting.extend(cast("list[Any]", value))


def _apart(text: str) -> str:
    """A text with its words that are written together (``PerDay``) set apart."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text)
