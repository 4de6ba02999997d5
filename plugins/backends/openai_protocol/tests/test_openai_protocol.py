"""What an HTTP status means, and which names the package hands out."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import arena_openai_protocol
import pytest
from arena.errors import (
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    QuotaExhausted,
    RequestRejected,
    TransientBackendError,
)
from arena_openai_protocol import (
    adapting,
    answers,
    batches,
    chat,
    compat,
    error_bodies,
    error_body,
    error_from_status,
    event_stream,
    finish_reasons,
    grammar,
    headers,
    http_errors,
    keys,
    limits,
    messages,
    model_list,
    parameters,
    refusals,
    retry_after_s,
    server_answers,
    stream_assembly,
    strict,
    too_long,
    usage_counts,
)

MODULES = (
    *(
        adapting,
        answers,
        batches,
        chat,
        compat,
        error_bodies,
        event_stream,
        finish_reasons,
        grammar,
        headers,
        http_errors,
    ),
    *(keys, limits, messages, model_list, parameters, refusals, stream_assembly, strict, server_answers, too_long),
    usage_counts,
)
KINDS = {
    402: QuotaExhausted,
    408: BackendTimedOut,
    **dict.fromkeys((429, 498, 529), BackendOverloaded),
    **dict.fromkeys((302, 401, 404), BackendUnavailable),
    **dict.fromkeys((400, 403, 405, 413, 422), RequestRejected),
    **dict.fromkeys((409, 424, 425, 500, 502, 503), TransientBackendError),
}


@pytest.mark.parametrize(("status", "kind"), KINDS.items())
def test_a_status_is_an_error_of_one_class(status, kind):
    """Each status becomes the class that says what follows from it, with the wait where one is of use."""
    error = error_from_status(status, "no", model="m", where="box", retry_after_s=7.0)

    assert type(error) is kind
    assert getattr(error, "retry_after_s", 7.0) == 7.0


def test_every_public_name_is_handed_out():
    """The package hands out what its modules define for others, and the reference lists these modules."""
    root = next(parent for parent in Path(__file__).parents if (parent / "docs" / "reference").is_dir())
    page = (root / "docs" / "reference" / "openai-protocol.md").read_text("utf-8")
    defined = {
        name
        for module in MODULES
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    }

    assert {name for name in arena_openai_protocol.__all__ if not name.isupper()} == defined
    assert set(re.findall(r"autoapimodule:: ([\w.]+)", page)) == {module.__name__ for module in MODULES}


HOURS = 10 * 3600
FLAGGED = {
    "message": "The model requires moderation. Your input was flagged.",
    "code": 403,
    "metadata": {"reasons": ["violence"], "flagged_input": "attack"},
}
DAY = {"message": "Rate limit exceeded: free-models-per-day. Pay for 1000 requests per day", "code": 429}
GOOGLES = {
    "code": 429,
    "message": "Quota exceeded.",
    "details": [{"violations": [{"quotaId": "RequestsPerDayPerModel"}]}],
}
WAITS = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "41s"}


def error_for(status: int, error: dict, **headers: str):
    """The error for a body, as backends make it."""
    body = error_body(json.dumps({"error": error}))
    return error_from_status(status, body, model="m", where="box", retry_after_s=retry_after_s(headers))


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (403, FLAGGED),
        (400, {"message": "blocked by content management policy"}),
        (451, {"message": "The prompt was flagged"}),
        (403, {"message": "no", "metadata": {"flagged_input": "attack"}}),
    ],
)
def test_a_prompt_that_is_refused_for_what_it_says_is_told_from_a_key_that_may_not(status, error):
    """Another key would not help."""
    found = error_for(status, error)

    assert type(found) is RequestRejected
    assert "refuses the prompt for what it says" in str(found)


SPENT = {
    "DashScope": (403, {"code": "AllocationQuota.FreeTierOnly", "message": "The free tier has been exhausted."}),
    "Fireworks": (412, {"message": "Account me is suspended, possibly due to reaching the monthly spending limit"}),
    "OpenRouter, in all": (403, {"code": 403, "message": "Key limit exceeded (total limit)."}),
    "Perplexity": (401, {"type": "insufficient_quota", "code": 401, "message": "You exceeded your current quota"}),
    "Volcengine": (429, {"code": "SetLimitExceeded", "message": "Your account has reached the set inference limit"}),
    "Zhipu's plan": (429, {"code": "1309", "message": "GLM Coding Plan has expired"}),
}
DAYS = {
    "Bedrock": (429, {"__type": "ThrottlingException", "message": "Too many tokens per day, please wait"}),
    "Cohere": (429, {"message": "You are using a Trial key, which is limited to 1000 API calls / month."}),
    "Groq, for minutes": (
        429,
        {
            "message": "Rate limit reached on tokens per day (TPD): Limit 9, Used 9. Please try again in 10m4s.",
            "code": "rate_limit_exceeded",
        },
    ),
    "Moonshot": (
        429,
        {"message": "request reached organization TPD rate limit, current: 9", "type": "rate_limit_reached_error"},
    ),
    "Ollama": (429, {"message": "you (me) have reached your weekly usage limit, upgrade for higher limits"}),
    "Ollama, an hour": (429, {"message": "you have reached your hourly usage limit"}),
    "OpenRouter, a month": (403, {"code": 403, "message": "Key limit exceeded (monthly limit)."}),
    "Zhipu": (429, {"code": "1308", "message": "Usage limit reached for 5 hour. It will reset at 2026-01-01 10:00:00"}),
}


@pytest.mark.parametrize(("status", "error"), SPENT.values(), ids=SPENT)
def test_an_account_that_has_nothing_left_is_told_from_a_limit(status, error):
    """Each server has its own status and words for it."""
    found = error_for(status, error)

    assert type(found) is QuotaExhausted
    assert "has no credit left" in str(found)


@pytest.mark.parametrize(("status", "error"), DAYS.values(), ids=DAYS)
def test_a_limit_of_a_day_is_not_waited_for(status, error):
    """Nor is one of hours or of a month; a wait of minutes is one for a single request."""
    found = error_for(status, error)

    assert type(found) is QuotaExhausted
    assert "takes no more of m today" in str(found)


@pytest.mark.parametrize(
    ("status", "said", "advice"),
    [
        (400, "This model only support stream mode, please enable the stream parameter", "with stream: true"),
        (400, "parameter.enable_thinking must be set to false for non-streaming calls", "with stream: true"),
        (404, "No endpoints found that can handle the requested parameters.", "compat: {leave-out: [NAME]}"),
    ],
)
def test_a_refusal_says_which_line_to_write(status, said, advice):
    """Where the words of the server leave that open."""
    found = error_for(status, {"message": said})

    assert type(found) is RequestRejected
    assert advice in str(found)


@pytest.mark.parametrize("error", [DAY, {"message": "Daily limit reached"}, {"message": "Limit of RPD: 200"}])
def test_a_limit_for_a_day_stops_the_run_as_an_empty_account_does(error):
    """The sentence says when it begins anew, as far as the server says that."""
    moment = datetime.now(UTC) + timedelta(seconds=HOURS)
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(moment.timestamp() * 1000))}

    silent, told = error_for(429, error), error_for(429, {**error, "metadata": {"headers": headers}})

    assert type(silent) is type(told) is QuotaExhausted
    assert str(silent).endswith("; use another key, or resume tomorrow")
    assert f"it begins anew at {moment:%Y-%m-%d %H:%M} UTC" in str(told)


def test_googles_limit_for_a_day_is_told_by_its_name_and_not_by_its_wait():
    """It comes with a wait of some seconds that is of no use, and begins anew at midnight of the Pacific coast."""
    midnight = datetime.now(ZoneInfo("America/Los_Angeles")).replace(hour=0, minute=0, second=0, microsecond=0)
    moment = (midnight + timedelta(days=1)).astimezone(UTC)

    found = error_for(429, {**GOOGLES, "details": [*GOOGLES["details"], WAITS]})

    assert type(found) is QuotaExhausted
    assert f"it begins anew at {moment:%Y-%m-%d %H:%M} UTC" in str(found)


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        ({"message": "Limit of tokens per day. Please try again in 7.2s"}, 7.2),
        ({"message": "Rate limit exceeded: free-models-per-min. Pay for 1000 requests per day"}, None),
        ({"message": "Limit for requests per minute. Please retry in 41.5s.", "details": [WAITS]}, 41.5),
        ({"message": "slow down", "details": [WAITS]}, 41.0),
        (
            {"message": "Allocated quota exceeded, please increase your quota limit.", "code": "insufficient_quota"},
            None,
        ),
    ],
)
def test_a_limit_that_passes_soon_is_waited_for(error, wait):
    """Seconds are read of the words and of the details."""
    found = error_for(429, error)

    assert type(found) is BackendOverloaded
    assert found.retry_after_s == wait
