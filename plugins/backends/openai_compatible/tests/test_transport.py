"""Sockets, certificates and proxies."""

import asyncio
import re
from pathlib import Path

import pytest
from arena.backend import CompletionRequest, Message, Sampling, Secret
from arena.errors import BackendUnavailable, BackendUnreachable, ConfigError
from arena_backend_openai_compatible.backend import OpenAICompatible

REQUEST = CompletionRequest(messages=(Message.of("user", "Count."),))
CERTIFICATE = Path(__file__).parent / "certificates" / "certificate.pem"


async def asked(backend: OpenAICompatible, times: int = 1, at_once: int = 1) -> None:
    """Ask so often, so many at once."""
    connection = await backend.connect()
    try:
        for _ in range(times):
            await asyncio.gather(*(connection.complete(REQUEST) for _ in range(at_once)))
    finally:
        await connection.close()


async def test_sockets_are_kept_and_no_more_than_requests_in_flight(server):
    """One pool has as many sockets as the backend's concurrency, and uses them again."""
    await asked(OpenAICompatible(model="m", base_url=server.address, concurrency=3), times=4, at_once=6)

    assert len(server.calls) == 24
    assert 1 <= len(server.connections) <= 3


@pytest.mark.parametrize(
    ("ending", "path"),
    [("/v1", "/v1"), ("/v1/", "/v1"), ("", "/v1"), ("/", "/v1"), ("/api/v4?region=eu", "/api/v4")],
)
async def test_the_endpoint_is_added_to_the_address(server, ending, path):
    """A bare address gets the path that such servers have; what stands after a question mark stays there."""
    await asked(OpenAICompatible(model="m", base_url=server.address.removesuffix("/v1") + ending))

    query = "?region=eu" if "?" in ending else ""
    assert server.paths == [f"{path}/chat/completions{query}"]


async def test_an_authority_of_ones_own_is_trusted(tls_server):
    """Its file is named as ``ca-file``."""
    await asked(OpenAICompatible(model="m", base_url=tls_server.address, ca_file=CERTIFICATE))

    assert len(tls_server.calls) == 1


@pytest.mark.parametrize(("text", "said"), [(None, "No such file or directory"), ("x", "it holds no certificates")])
async def test_a_file_of_certificates_that_cannot_be_used(tmp_path, text, said):
    """It is found before anything is asked, and before a run where it is not there at all."""
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    backend = OpenAICompatible(model="m", base_url="https://127.0.0.1:9/v1", ca_file=file)

    with pytest.raises(ConfigError, match=f"ca-file .* cannot be used: {said}; correct it"):
        await backend.connect()

    assert bool([*backend.obstacles()]) == (text is None)


async def test_a_proxy_of_the_environment_is_used(server, monkeypatch):
    """It gets the whole address, with what its own address says of user and password; NO_PROXY goes past it."""
    monkeypatch.setenv("HTTP_PROXY", server.address.replace("//", "//me:pass@").removesuffix("/v1"))
    backend = OpenAICompatible(model="m", base_url="http://far.invalid/v1")

    await asked(backend)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    await asked(OpenAICompatible(model="m", base_url=server.address))

    assert server.paths == ["http://far.invalid/v1/chat/completions", "/v1/chat/completions"]
    sent = [call.handler.headers.get("Proxy-Authorization") for call in server.calls]
    assert sent == ["Basic bWU6cGFzcw==", None]


@pytest.mark.parametrize(
    ("proxy", "scheme", "kind", "said"),
    [
        ("http://me:canary-pass@127.0.0.1:9", "http", BackendUnreachable, "the proxy to {at} cannot be reached"),
        ("socks5://me:canary-pass@127.0.0.1:9", "http", ConfigError, "names 'socks5://127.0.0.1:9', and a SOCKS proxy"),
        ("SERVER", "https", BackendUnavailable, "the proxy to {at} refuses the connection (status 407)"),
    ],
    ids=["nobody there", "another kind", "a server that is no proxy"],
)
async def test_a_proxy_that_does_not_work_is_named(server, monkeypatch, proxy, scheme, kind, said):
    """The sentence says that it is the proxy, and holds no password."""
    address = f"{scheme}://far.invalid/v1"
    there = server.address.replace("//", "//me:canary-pass@").removesuffix("/v1")
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", there if proxy == "SERVER" else proxy)

    with pytest.raises(kind) as raised:
        await asked(OpenAICompatible(model="m", base_url=address))

    assert said.format(at=address) in str(raised.value)
    assert "canary-pass" not in str(raised.value)
    assert "\n" not in str(raised.value)


async def test_a_variable_may_stand_in_the_address(server, monkeypatch):
    """It is read when the connection is made; an endpoint in it is found then."""
    monkeypatch.setenv("WHERE", server.address)
    await asked(OpenAICompatible(model="m", base_url="${WHERE}", api_key=None))
    monkeypatch.setenv("WHERE", f"{server.address}/chat/completions")

    with pytest.raises(ConfigError, match="expected the address before /chat/completions"):
        await asked(OpenAICompatible(model="m", base_url="${WHERE}"))

    assert OpenAICompatible(model="m", base_url="${WHERE}").secrets() == (Secret("WHERE"),)


@pytest.mark.parametrize("key", ["sk-1234567890\n", "sk-1234 567890", "sk-12345678“"])
async def test_a_key_that_no_header_can_hold(monkeypatch, key):
    """It is told before anything is asked, and not shown."""
    monkeypatch.setenv("KEY_OF_MINE", key)

    with pytest.raises(ConfigError) as raised:
        await asked(OpenAICompatible(model="m", base_url="http://127.0.0.1:9/v1", api_key=Secret("KEY_OF_MINE")))

    assert str(raised.value).startswith("the key ${KEY_OF_MINE} holds white space")
    assert "sk-1" not in str(raised.value)


@pytest.mark.parametrize("place", ["headers", "extra"])
async def test_headers_are_sent_as_headers(server, monkeypatch, place):
    """They are in no body, and one of them takes the place of the header that would be sent.

    ``extra_headers`` in ``extra`` is what OpenAI's own client calls them.
    """
    monkeypatch.setenv("TEAM_TOKEN", "sk-of-the-team")
    monkeypatch.setenv("OWN_KEY", "sk-of-another")
    headers = {"X-Team": "lab", "authorization": "Bearer ${TEAM_TOKEN}"}
    given = {"headers": headers, "extra": {"top_k": 2}} if place == "headers" else {"extra": {"extra_headers": headers}}

    backend = OpenAICompatible(model="m", base_url=server.address, api_key=Secret("OWN_KEY"), **given)
    connection = await backend.connect()
    sampling = backend.with_defaults(Sampling())
    await connection.complete(CompletionRequest(messages=(Message.of("user", "Your move."),), sampling=sampling))
    await connection.close()

    sent = server.calls[0].handler.headers
    assert sent.get_all("Authorization") == ["Bearer sk-of-the-team"]
    assert sent["X-Team"] == "lab"
    assert server.last.get("top_k") == backend.extra.get("top_k")
    assert not {"headers", "extra_headers", "authorization"} & {*server.last}
    assert Secret("TEAM_TOKEN") in backend.secrets()
    assert ("TEAM_TOKEN", server.address) in [*backend.keys_sent()]


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"X-Team": "a\nb"}, "'X-Team' has a line break in its value, which no header can have"),
        ({"X-Team\r": "a"}, "is no name of a header"),
        ({"X Team": "a"}, "'X Team' is no name of a header"),
        ({"X-Team": 3}, "'X-Team' expected a text, got 3"),
        ({"\u00fc": "x"}, "is no name of a header"),
        ({"X-Team": "a "}, "'X-Team' has white space at an end of its value"),
        ({"Content-Length": "4"}, "'Content-Length' cannot be given: the client writes it"),
    ],
)
@pytest.mark.parametrize("place", ["headers", "extra"])
def test_a_header_that_cannot_be_sent_is_one_sentence(headers, said, place):
    """It is found when the file is read, before anything is sent."""
    given = {"headers": headers} if place == "headers" else {"extra": {"extra_headers": headers}}

    with pytest.raises(ValueError, match=re.escape(said)):
        OpenAICompatible(model="m", base_url="http://127.0.0.1:9/v1", **given)


async def test_a_header_whose_variable_cannot_be_sent(server, monkeypatch):
    """The variable's value is read before a run begins, and is not shown."""
    backend = OpenAICompatible(model="m", base_url=server.address, headers={"X-Token": "Bearer ${TEAM_TOKEN}"})
    with pytest.raises(ConfigError, match="the environment variable TEAM_TOKEN is not set"):
        [*backend.obstacles()]
    monkeypatch.setenv("TEAM_TOKEN", "canary-4711\n")

    for ask in (asked(backend), asyncio.to_thread(lambda: [*backend.obstacles()])):
        with pytest.raises(ConfigError) as raised:
            await ask
        assert str(raised.value) == (
            "headers: 'X-Token' has a line break in its value, which no header can have; correct it"
        )
    assert server.calls == []
