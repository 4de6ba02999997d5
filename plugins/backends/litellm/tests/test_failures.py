"""What goes wrong on the way to a model, and what is made of it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from arena.backend import Completion, CompletionRequest, Message, Sampling, Secret
from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    BackendUnreachable,
    QuotaExhausted,
    RequestRejected,
    TransientBackendError,
)
from arena_backend_litellm.backend import LiteLLM
from arena_backend_litellm.failure import seconds_to_wait
from arena_engine.models.keys import look_up

REQUEST = CompletionRequest(messages=(Message.of("user", "Count."),))


async def error_of(backend: LiteLLM, **sampling) -> BackendError:
    """What a completion ends in."""
    connection = await backend.connect()
    try:
        with pytest.raises(BackendError) as raised:
            await connection.complete(
                CompletionRequest(messages=REQUEST.messages, sampling=backend.with_defaults(Sampling(**sampling)))
            )
    finally:
        await connection.close()
    return raised.value


def fails(status: int, said: str, code: str | None = None, **headers: str) -> Callable:
    return lambda call: call.fail(status, said, code, **headers)


PASSING = {
    "rate limit": (fails(429, "slow down", Retry_After="7"), "asked too often (slow down)", 7.0),
    "rate limit in ms": (fails(429, "slow down", retry_after_ms="250"), "asked too often (slow down)", 0.25),
    "rate limit without a time": (fails(429, "slow down"), "asked too often (slow down)", None),
    "server error": (fails(500, "out of memory"), "no usable answer from {where} (out of memory)", None),
    "overloaded": (fails(503, "overloaded", Retry_After="3"), "(overloaded)", 3.0),
    "overloaded, as Anthropic says": (fails(529, "overloaded"), "is overloaded (overloaded)", None),
    "a proxy's page": (lambda call: call.send(502, b"<html>bad gateway</html>"), "(<html>bad gateway</html>)", None),
    "server timed out": (fails(408, "too late"), "in time (too late)", None),
    "dropped": (lambda call: call.drop(), "no usable answer from {where}", None),
    "garbage": (lambda call: call.send(200, b"<<< not json"), "no usable answer from {where}", None),
    "nothing": (lambda call: call.send(200, b""), "no usable answer from {where}", None),
    "error in disguise": (fails(200, "upstream failed"), "(upstream failed)", None),
}


@pytest.mark.parametrize(("answer", "said", "wait_s"), PASSING.values(), ids=PASSING.keys())
@pytest.mark.slow
async def test_what_may_pass_can_be_asked_again(provider, answer, said, wait_s):
    """Trouble of the server and the network is transient, with the time that the server asks to wait."""
    provider.usually = answer

    error = await error_of(LiteLLM(model="openai/gpt-4o", base_url=provider.address))

    assert said.format(where=provider.address) in str(error)
    assert isinstance(error, TransientBackendError)
    assert isinstance(error, BackendOverloaded) == any(
        word in said for word in ("too often", "in time", "is overloaded")
    )
    assert not isinstance(error, BackendUnreachable)
    assert error.retry_after_s == wait_s
    assert len(provider.calls) == 1
    assert "\n" not in str(error)


LASTING = {
    "policy": (
        fails(400, "Your request was rejected as a result of our safety system.", "content_policy_violation"),
        "refuses the prompt for what",
    ),
    "bad request": (fails(400, "top_p out of range"), "refuses the request (top_p out of range); correct the backend"),
    "unprocessable": (fails(422, "top_k out of range"), "refuses the request (top_k out of range)"),
    "no such model": (fails(404, "no such model", "model_not_found"), "knows no openai/gpt-4o (no such model)"),
    "forbidden": (fails(403, "not for you"), "denies access (not for you); use a key that may use openai/gpt-4o"),
    "no credit": (fails(429, "You exceeded your current quota.", "insufficient_quota"), "no credit left"),
    "payment required": (
        fails(402, "pay first"),
        "no credit left for openai/gpt-4o at {where} (pay first); add some or",
    ),
}


@pytest.mark.parametrize(("answer", "said"), LASTING.values(), ids=LASTING.keys())
@pytest.mark.slow
async def test_what_lasts_is_not_asked_again(provider, answer, said):
    """What asking again cannot cure says what to do, and whether it holds for every other request."""
    provider.usually = answer

    error = await error_of(LiteLLM(model="openai/gpt-4o", base_url=provider.address))

    assert said.format(where=provider.address) in str(error)
    kind = QuotaExhausted if "no credit" in said else BackendUnavailable if "knows no" in said else RequestRejected
    assert type(error) is kind
    assert len(provider.calls) == 1


@pytest.mark.slow
async def test_a_prompt_that_is_too_long_is_an_answer(provider):
    """Which prompts are too long is the model's answer: it is handed over, and wrote nothing."""
    said = "This model's maximum context length is 8192 tokens."
    provider.usually = fails(400, said, "context_length_exceeded")
    connection = await LiteLLM(model="openai/gpt-4o", base_url=provider.address).connect()

    answer = await connection.complete(REQUEST)
    await connection.close()

    assert answer == Completion(text="", finish_reason="context-length")


@pytest.mark.slow
async def test_a_slow_server_is_given_up(provider):
    """No answer within the time-out is transient."""
    provider.usually = lambda call: provider.ended.wait(10)

    error = await error_of(LiteLLM(model="openai/gpt-4o", base_url=provider.address, request_timeout_s=0.2))

    assert "no answer" in str(error)
    assert type(error) is BackendTimedOut


@pytest.mark.slow
async def test_a_server_that_is_not_there(provider):
    """A refused connection is transient, as servers are restarted, and the same for every request."""
    error = await error_of(LiteLLM(model="openai/gpt-4o", base_url="http://127.0.0.1:9/v1"))

    assert str(error) == (
        "http://127.0.0.1:9/v1 cannot be reached (Connection error); start the server or correct base-url"
    )
    assert isinstance(error, BackendUnreachable)


@pytest.mark.slow
async def test_a_dropped_connection_does_not_last(provider):
    """A server that hangs up is there."""
    provider.usually = lambda call: call.drop()

    error = await error_of(LiteLLM(model="openai/gpt-4o", base_url=provider.address))

    assert type(error) is TransientBackendError


@pytest.mark.slow
async def test_a_provider_that_does_not_exist():
    """The provider is looked up before anything is asked."""
    with pytest.raises(BackendUnavailable, match="LiteLLM knows no provider for 'opneai/gpt-4o'; write PROVIDER/MODEL"):
        await LiteLLM(model="opneai/gpt-4o").connect()


@pytest.mark.parametrize(
    ("model", "variable"), [("openai/gpt-4o", "OPENAI_API_KEY"), ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY")]
)
@pytest.mark.slow
async def test_a_missing_key_is_named(model, variable, tmp_path, monkeypatch):
    """The variable that LiteLLM looks into is in the message, and nothing goes out."""
    monkeypatch.chdir(tmp_path)

    error = await error_of(LiteLLM(model=model))

    assert str(error) == (f"no key for {model}: the environment does not hold {variable}; set it or put it into .env")
    assert type(error) is BackendUnavailable


@pytest.mark.slow
async def test_a_setting_the_model_does_not_take(provider):
    """What an agent needs and the model does not give is not left out: log probabilities."""
    error = await error_of(LiteLLM(model="openai/o3", base_url=provider.address), logprobs=2)

    assert "openai/o3 does not take a setting it was given" in str(error)
    assert "logprobs" in str(error)
    assert type(error) is RequestRejected
    assert provider.calls == []


@pytest.mark.parametrize("ending", [{}, {"Retry_After": "soon"}], ids=["none", "unreadable"])
@pytest.mark.slow
async def test_a_time_that_nobody_told(provider, ending):
    """Without a readable Retry-After no time is invented."""
    provider.usually = fails(429, "slow down", **ending)

    error = await error_of(LiteLLM(model="openai/gpt-4o", base_url=provider.address))

    assert isinstance(error, TransientBackendError)
    assert error.retry_after_s is None


def test_a_time_told_as_a_date():
    """Retry-After may be a date."""
    error = RuntimeError()
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    error.litellm_response_headers = {"Retry-After": later}  # type: ignore[attr-defined]

    assert seconds_to_wait(error) == pytest.approx(90, abs=2)


CANARY = "sk-canary-5fe1b3a9c07d"


@pytest.mark.parametrize("place", ["variable", "own variable", ".env", "other variable"])
@pytest.mark.slow
async def test_no_error_holds_a_key(provider, place, tmp_path, monkeypatch):
    """A server that sends the key back cannot make an error show it, wherever the key comes from."""
    provider.key = "another"
    monkeypatch.chdir(tmp_path)
    key = None
    if place == "variable":
        monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    elif place == "own variable":
        monkeypatch.setenv("WHATEVER", CANARY)
        key = Secret("WHATEVER")
    elif place == ".env":
        monkeypatch.setenv("OPENAI_API_KEY", "")
        monkeypatch.delenv("OPENAI_API_KEY")
        (tmp_path / ".env").write_text(f"OPENAI_API_KEY={CANARY}\n")
    else:
        provider.usually = fails(500, f"at {CANARY}")
        provider.key = None
        monkeypatch.setenv("SOME_TOKEN", CANARY)

    backend = LiteLLM(model="openai/gpt-4o", base_url=provider.address, api_key=key)
    look_up(backend)
    error = await error_of(backend)

    assert provider.calls[0].key == ("none" if place == "other variable" else CANARY)
    assert CANARY not in str(error)
    assert "${" in str(error)
    assert error.__suppress_context__
    assert error.__cause__ is None


def test_ordinary_variables_are_no_secrets(tmp_path, monkeypatch):
    """What is not named like a key, names a file, or is too short to be one is left alone."""
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "OPENAI_API_KEY": "sk-1234567890",
        "AWS_SECRET_ACCESS_KEY": "abcdefghij",
        "HF_TOKEN": "hf_123456789",
        "KEYBOARD": "de-latin1-nodeadkeys",
        "TOKEN_FILE": "var/run/token",
        "SHORT_KEY": "1234567",
        "MONKEY": "1234567890",
    }.items():
        monkeypatch.setenv(name, value)

    found = {secret.variable for secret in LiteLLM(model="openai/gpt-4o").secrets()}

    assert {"OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN"} <= found
    assert not {"KEYBOARD", "TOKEN_FILE", "SHORT_KEY", "MONKEY"} & found
