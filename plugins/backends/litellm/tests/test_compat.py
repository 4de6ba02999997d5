"""Headers, and requests that a model takes only otherwise, through LiteLLM."""

import pytest
from arena.backend import CompletionRequest, Message, Sampling
from arena.errors import ConfigError, InputWarning
from arena_backend_litellm.backend import LiteLLM

pytestmark = pytest.mark.slow  # importing LiteLLM takes seconds


async def asked(backend, times=1):
    connection = await backend.connect()
    messages = (Message.of("system", "Rules."), Message.of("user", "Act."))
    request = CompletionRequest(messages=messages, sampling=backend.with_defaults(Sampling(temperature=0.5, seed=3)))
    try:
        return [await connection.complete(request) for _ in range(times)]
    finally:
        await connection.close()


@pytest.mark.parametrize(
    ("what", "said", "sent_as"),
    [
        ("temperature", "Unsupported value: 'temperature' does not support 0.5 with this model.", "no temperature"),
        ("seed", "property 'seed' is unsupported", "no seed"),
        ("seed", {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs"}]}, "no seed"),
        ("seed", [{"error": {"code": 400, "message": 'Unknown name "seed": Cannot find field.'}}], "no seed"),
        ("system", "System role not supported", "the system's text at the head of the first user message"),
    ],
)
async def test_what_a_refusal_says_is_learned_once(provider, what, said, sent_as):
    """One request is refused; it and all others are sent otherwise, which is told once and recorded with each."""
    answer = provider.usually

    def refuses(call):
        there = what in call.body or what in {message["role"] for message in call.body["messages"]}
        if not there:
            return answer(call)
        return call.fail(400, said) if isinstance(said, str) else call.send(400, said)

    provider.usually = refuses

    with pytest.warns(InputWarning, match=f"openai/m: sent {sent_as}") as told:
        found = await asked(LiteLLM(model="openai/m", base_url=provider.address), 3)

    assert len(provider.calls) == 4
    assert [each.sent_as for each in found] == [(sent_as,)] * 3
    assert len([each for each in told if each.category is InputWarning]) == 1


async def test_headers_are_sent_as_headers(provider, monkeypatch):
    """They are in no body, whether they stand in ``headers`` or in LiteLLM's own ``extra_headers``."""
    monkeypatch.setenv("TEAM_TOKEN", "sk-of-the-team")
    extra = {"extra_headers": {"X-Own": "here"}}

    await asked(LiteLLM(model="openai/m", base_url=provider.address, headers={"X-Token": "${TEAM_TOKEN}"}, extra=extra))

    sent = provider.calls[0].handler.headers
    assert (sent["X-Token"], sent["X-Own"]) == ("sk-of-the-team", "here")
    assert "sk-of-the-team" not in str(provider.last)


async def test_a_header_whose_variable_cannot_be_sent(provider, monkeypatch):
    """It is one sentence before anything is sent."""
    monkeypatch.setenv("TEAM_TOKEN", "canary\r\n")

    with pytest.raises(ConfigError, match="'X-Token' has a line break in its value"):
        await asked(LiteLLM(model="openai/m", base_url=provider.address, headers={"X-Token": "${TEAM_TOKEN}"}))

    assert provider.calls == []


async def test_a_temperature_that_a_model_is_known_to_refuse_is_not_sent(provider):
    """Nothing is refused; that it was left out is told, and recorded with the answer."""
    with pytest.warns(
        InputWarning, match="openai/o3: sent max_completion_tokens instead of max_tokens, no temperature"
    ):
        (found,) = await asked(LiteLLM(model="openai/o3", base_url=provider.address))

    assert found.sent_as == ("max_completion_tokens instead of max_tokens", "no temperature")
    assert len(provider.calls) == 1
    assert provider.last["max_completion_tokens"] == 512
    assert "temperature" not in provider.last
