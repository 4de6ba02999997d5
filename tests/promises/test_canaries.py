"""A key per way in, searched in every form in every byte that a run wrote, printed or exported."""

import html
import json
import sqlite3
import threading
from base64 import b64encode, urlsafe_b64encode
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote, quote_plus, unquote

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Reply
from arena.backend import Backend, Completion, CompletionRequest, Connection, Message, Secret, ToolCall
from arena.errors import BackendUnavailable, ConfigError, RequestRejected
from arena_engine import Journal, load_benchmark
from arena_engine.benchmark.trust import WRITTEN_OUT, credentials_in
from arena_engine.foundation.redaction import Redactor, forms_of

CANARY = "cäna/ry+\"&'<k3y>?=%5"
"""A secret that every way of writing changes."""


def plainly(value: str) -> list[str]:
    """Ways to write a secret, by themselves, without the code that looks for them."""
    raw = value.encode()
    found = [value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]]
    found += [quote(value, safe=""), quote(value), quote_plus(value), quote(value, safe="").lower()]
    found += [html.escape(value), html.escape(value, quote=False), raw.hex(), raw.hex().upper()]
    return found


def in_base64(value: str, before: int) -> list[str]:
    """A secret behind so many bytes, and with something behind it, in both alphabets: as a server would echo it."""
    whole = b"x" * before + value.encode() + b"yz"
    return [b64encode(whole).decode(), urlsafe_b64encode(whole).decode()]


def is_in(value: str, data: bytes) -> list[str]:
    """The forms of a secret that are in some bytes; base64 by what no neighbour changes."""
    raw = value.encode()
    forms = {form.encode() for form in plainly(value)}
    for before in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            forms.add(encode(b"x" * before + raw)[(before * 8 + 5) // 6 : (before + len(raw)) * 8 // 6])
    return sorted(form.decode() for form in forms if form in data)


@pytest.mark.parametrize("text", [*plainly(CANARY), *(t for n in range(6) for t in in_base64(CANARY, n))])
def test_a_secret_is_cut_in_every_form(text):
    """However a secret is written in a text, nothing of it is left but what neighbours share in base64."""
    redactor = Redactor({CANARY: "${CANARY}"})

    found = redactor.text(f"bad key {text}, try another")

    assert "${CANARY}" in found
    assert is_in(CANARY, found.encode()) == []
    assert found.startswith("bad key ")
    assert found.endswith(", try another")


def test_short_secrets_are_cut_by_value_alone():
    """Derived forms of fewer than eight characters are too common in texts that hold no secret."""
    assert forms_of("abc") == ("abc",)
    assert forms_of("") == ()
    assert "616263" in Redactor({"abc": "x"}).text("616263 abc")
    assert len(forms_of("12345678")) > 5


def test_what_was_cut_off_is_cut():
    """A form that a message has shortened with an ellipsis is cut as well."""
    redactor = Redactor({"secret-of-many-letters": "${KEY}"})
    half = b64encode(b"secret-of-many-letters").decode()[:15]

    found = redactor.error(RequestRejected(f"refused ({half}…); correct it"))

    assert str(found) == "refused (${KEY}…); correct it"


def test_text_without_secrets_is_left_as_it_is():
    """Nothing but secrets is cut, and where there are none nothing changes."""
    text = "a1b2 c3d4 " * 50

    assert Redactor({CANARY: "x"}).text(text) == text
    assert Redactor({}).text(text) == text


WRITTEN = [
    ({"base_url": "http://user:KEY@host/v1"}, ("base-url",)),
    ({"base-url": "https://KEY@host"}, ("base-url",)),
    ({"base-url": "https://host/v1?key=KEY"}, ("base-url",)),
    ({"base-url": "https://host/v1?a=1&access_token=KEY#x"}, ("base-url",)),
    ({"base-url": "https://host?X-Amz-Signature=KEY"}, ("base-url",)),
    ({"mirror": "http://a:KEY@host"}, ("mirror",)),
    ({"extra": {"extra_headers": {"Authorization": "Bearer KEY"}}}, ("extra", "extra_headers", "Authorization")),
    ({"extra": {"extra_headers": {"X-Api-Key": "KEY"}}}, ("extra", "extra_headers", "X-Api-Key")),
    ({"extra": {"api_key": "KEY"}}, ("extra", "api_key")),
    ({"extra": {"clientSecret": "KEY"}}, ("extra", "clientSecret")),
    ({"extra": {"list": [{"password": "KEY"}]}}, ("extra", "list", "0", "password")),
    ({"extra": {"proxy": "http://u:KEY@proxy"}}, ("extra", "proxy")),
    ({"headers": {"x-signature": "KEY"}}, ("headers", "x-signature")),
]
ALLOWED = [
    {"base_url": "http://user:${KEY}@host/v1"},
    {"base_url": "http://${USER}:${KEY}@host/v1"},
    {"base_url": "http://host:8000/v1?key=${KEY}&limit=3"},
    {"base_url": "${ADDRESS}"},
    {"extra": {"extra_headers": {"Authorization": "Bearer ${KEY}"}}},
    {"headers": {"Authorization": "Bearer ${KEY}", "api-key": "${KEY}"}},
    {"extra": {"max_tokens": 5, "prompt_cache_key": "arena", "logit_bias": {"12": 1}, "note": "ask a@b"}},
    {"api_key": "${KEY}", "max_tokens": 9, "model": "openai/gpt-4o"},
]


@pytest.mark.parametrize(("parameters", "path"), WRITTEN)
def test_a_credential_that_is_written_out_is_found(parameters, path):
    """User information, and values under names of credentials, are found wherever they are."""
    assert list(credentials_in(parameters)) == [path]


@pytest.mark.parametrize("parameters", ALLOWED)
def test_a_variable_is_no_credential(parameters):
    """Texts with ``${NAME}``, and what only looks like a credential's name, are left alone."""
    assert list(credentials_in(parameters)) == []


@pytest.mark.parametrize(
    "backend",
    [
        {"use": "litellm", "model": "openai/m", "base-url": "http://user:KEYKEYKEY@host"},
        {"use": "litellm", "model": "openai/m", "base-url": "nothing://user:KEYKEYKEY@host"},
        {"use": "litellm", "model": "openai/m", "extra": {"extra_headers": {"Authorization": "KEYKEYKEY"}}},
        {"use": "litellm", "model": "openai/m", "extra": {"api_key": "KEYKEYKEY"}},
        {"use": "openai-compatible", "model": "m", "base-url": "http://user:KEYKEYKEY@host"},
        {"use": "vllm-serve", "model": "m", "base-url": "http://host?token=KEYKEYKEY"},
        {"use": "llamacpp", "mirror": "http://u:KEYKEYKEY@host"},
        {"use": "litellm", "model": "openai/m", "api-key": "KEYKEYKEY"},
    ],
)
@pytest.mark.usefixtures("named_packages")
def test_a_benchmark_with_a_credential_is_refused(backend):
    """The benchmark is refused by the credential's path, and the value is not repeated."""
    plain = {
        "games": {"g": "tic-tac-toe"},
        "agents": {"m": {"use": "llm", "backend": backend}, "r": "random"},
    }

    with pytest.raises(ConfigError, match=r"agents\.m\.backend\.") as refused:
        load_benchmark(plain)

    assert "KEYKEYKEY" not in str(refused.value)
    assert WRITTEN_OUT in str(refused.value) or "written ${NAME}" in str(refused.value)


def test_a_variable_may_stand_in_an_address_and_in_extra(monkeypatch):
    """The parameters keep the name; the secrets of the backend are all the names, each once."""
    backend = {
        "use": "vllm-serve",
        "model": "m",
        "base-url": "http://${USER_NAME}:${PASS_WORD}@host/v1?key=${PASS_WORD}",
        "api-key": "${API_KEY_OF_MINE}",
    }
    plain = {"games": {"g": "tic-tac-toe"}, "agents": {"m": {"use": "llm", "backend": backend}, "r": "random"}}

    made = load_benchmark(plain)

    (found,) = made.agents["m"].agent.backends().values()
    assert found.base_url == backend["base-url"]
    assert found.secrets() == (Secret("API_KEY_OF_MINE"), Secret("USER_NAME"), Secret("PASS_WORD"))


class Echo(BaseHTTPRequestHandler):
    """A server of the chat protocol that repeats all it is told, as errors or as answers, in many forms."""

    refuses: ClassVar[bool] = True
    seen: ClassVar[list[str]] = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        told = [body, unquote(self.path), *(f"{name}: {value}" for name, value in self.headers.items())]
        told += [value for name, value in self.headers.items() if name.startswith(("X-", "Authorization"))]
        type(self).seen.append("\n".join(told))
        keys = {self.headers.get("X-Canary", ""), self.headers.get("Authorization", "").removeprefix("Bearer ")}
        said = "\n".join(told) + " ".join(
            text for key in keys for text in (*plainly(key), *in_base64(key, 0), *in_base64(key, 1), *in_base64(key, 2))
        )
        self.say(400 if self.refuses else 200, said)

    def say(self, status, said):
        answer = {"error": {"message": said, "type": "bad", "code": "odd"}}
        if status == 200:
            message = {"role": "assistant", "content": f'{said} {{"action": "A1"}}', "reasoning_content": said}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            answer = {"id": "1", "object": "chat.completion", "created": 1, "model": said, "usage": usage}
            answer |= {"choices": [choice], "system_fingerprint": said}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Nothing: a server in a test prints nothing."""


@pytest.fixture(scope="module")
def echo():
    """The address of a server that repeats what it is told."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Echoing", (Echo,), {"seen": []}))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


KEYS = {
    "CANARY_API": "canary-of-the-api-key-1a2b3c",
    "CANARY_HEADER": "canary/of+the-header?4d5e6f",
    "CANARY_QUERY": "canary-of-the-query-7g8h9i",
    "CANARY_GIVEN": "canary-of-given-headers-6p7q8r",
    "CANARY_EXTRA": "canary-of-extra-values-0j1k2l",
    "CANARY_OWN_API_KEY": "canary-of-the-environment-3m4n5o",
}


IN_HEADERS = {"X-Canary": "Key ${CANARY_HEADER}", "X-Own": "${CANARY_OWN_API_KEY}"}
BY = {
    "litellm": {"extra_headers": IN_HEADERS, "extra_body": {"trace": ["of ${CANARY_EXTRA}"]}},
    "openai-compatible": {"trace": ["of ${CANARY_EXTRA}", IN_HEADERS]},
}
"""What is put into ``extra`` of the backends that hosted models are asked by."""


def echoed(use: str, port: int, *, is_packed: bool) -> dict[str, Any]:
    """A benchmark of a model behind the server that repeats what it is told, with a key in every way in."""
    backend = {
        "use": use,
        "model": "openai/m",
        "base-url": f"http://127.0.0.1:{port}/${{CANARY_QUERY}}/v1",
        "api-key": "${CANARY_API}",
        "max-attempts": 1,
        "headers": {"X-Given": "Token ${CANARY_GIVEN}"},
        "extra": BY[use],
    }
    return {
        "seed": 1,
        "games": {"g": "tic-tac-toe"},
        "agents": {"m": {"use": "llm", "backend": backend}, "r": "random"},
        "schedule": {"use": "round-robin"},
        "metrics": ["outcomes"],
        "cache": "cache",
        "journal": {"compress": is_packed},
    }


@attrs.frozen
class Played:
    """What a server was told, whether it repeated that as errors, what was printed, and where all is written."""

    told: str
    refuses: bool
    screens: list[str]
    folder: Path


@pytest.fixture(scope="module", params=[f"{use} {by}" for use in BY for by in ("answer", "error")])
def repeated(request, echo, tmp_path_factory) -> Played:
    """A run whose server repeats its keys, as errors or as answers: played, resumed, reported and exported."""
    from arena_cli.application.group import group
    from click.testing import CliRunner

    use, by = request.param.split()
    echo.RequestHandlerClass.refuses = refuses = by == "error"
    folder = tmp_path_factory.mktemp("repeated")
    is_packed = (use == "litellm") != refuses  # each with each of both others
    (folder / "bench.yaml").write_text(json.dumps(echoed(use, echo.server_port, is_packed=is_packed)))
    echo.RequestHandlerClass.seen.clear()

    def arena(*arguments):
        return CliRunner().invoke(group, arguments).output

    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**KEYS, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        shown = [arena("-v", "run", "bench.yaml", "--output", "run")]
        shown += [arena("run", "bench.yaml", "--dry-run", "--show-prompt"), arena("check-agents", "bench.yaml")]
        shown += [
            arena("-v", "resume", "run"),
            arena("report", "run", "--full"),
            arena("report", "run", "-o", "r.html"),
        ]
        shown += [arena("export", "run", "--format", form, "-o", f"exported.{form}") for form in ("jsonl", "csv")]
    return Played("\n".join(echo.RequestHandlerClass.seen), refuses, shown, folder)


@pytest.mark.slow  # importing LiteLLM takes seconds
def test_every_key_reaches_the_server(repeated):
    """Keys by every way in are sent, so that what is searched for them could hold them."""
    assert repeated.told, repeated.screens[0]
    assert [name for name, value in KEYS.items() if value not in repeated.told] == []


@pytest.mark.slow  # importing LiteLLM takes seconds
def test_no_key_is_in_anything_a_run_wrote(repeated):
    """No byte on the disk or the screen holds a key that the server repeated."""
    written = {path: path.read_bytes() for path in repeated.folder.rglob("*") if path.is_file()}
    written |= {Path(f"screen-{number}"): shown.encode() for number, shown in enumerate(repeated.screens)}

    assert len(written) > 10
    left = {(str(path), name) for path, data in written.items() for name, value in KEYS.items() if is_in(value, data)}
    assert left == set()


@pytest.mark.slow  # importing LiteLLM takes seconds
def test_no_key_is_in_a_journal(repeated):
    """Nothing that a journal holds has a key, what is packed included; names stand in their place."""
    run = repeated.folder / "run"
    with closing(sqlite3.connect(run / "journal.sqlite")) as journal:
        dump = "\n".join(journal.iterdump())
    with Journal.open(run) as journal:  # what is packed, as it was before
        entries = [entry for id_ in journal.match_ids() for entry in journal.answers(id_)]
        dump += "".join(f"{entry.request}{entry.value}" for entry in entries)
        dump += "".join(map(str, journal.records()))

    assert [name for name, value in KEYS.items() if is_in(value, dump.encode())] == []
    assert ("[secret]" if not repeated.refuses else "${CANARY_API}") in dump


@attrs.frozen(kw_only=True)
class Telling(Backend):
    """A backend whose answers, errors and bugs give its key away."""

    key: Secret = attrs.field(factory=lambda: Secret("CANARY_API"))
    address: str = "http://127.0.0.1"
    how: str = "text"

    async def connect(self):
        if self.how == "connect":
            raise RuntimeError(f"no socket for {self.key.reveal()}")
        return TellingConnection(self)


@attrs.frozen
class TellingConnection(Connection):
    backend: Telling

    async def complete(self, request):
        key, how = self.backend.key.reveal(), self.backend.how
        if how == "bug":
            raise ZeroDivisionError(f"no {b64encode(key.encode()).decode()}")
        if how == "error":
            raise BackendUnavailable(f"refused: {key.encode().hex()}")
        call = ToolCall(id=key, name=key, arguments=json.dumps({"key": key}))
        tokens = [{"token": part, "logprob": -1.0, "top_logprobs": []} for part in (key[:9], key[9:])]
        return Completion(
            text=key, reasoning=quote(key), tool_calls=(call,), model=key, fingerprint=key, logprobs=tokens
        )


class Listener(Agent):
    """Remembers every completion it is given."""

    def __init__(self, backend):
        self.backend, self.heard = backend, []

    def join(self, seat):
        return ListeningPlayer(seat, self)

    def backends(self):
        return {"backend": self.backend}


class ListeningPlayer(PlayerAgent):
    def __init__(self, seat, agent):
        self.seat, self.agent = seat, agent

    async def act(self, decision):
        request = CompletionRequest(messages=(Message.of("user", f"turn {decision.turn}"),))
        self.agent.heard.append(await self.seat.completions.complete(self.agent.backend, request))
        return Reply(action=decision.sample(self.seat.rng), note=self.agent.heard[-1].text)


@pytest.mark.parametrize("how", ["text", "bug", "error", "connect"])
def test_an_agent_gets_what_a_resumed_one_gets(how, play, monkeypatch):
    """The key is cut before the agent sees an answer, so that a resumed agent is handed the same text."""
    from arena_game_grid.game import TicTacToe

    monkeypatch.setenv("CANARY_API", KEYS["CANARY_API"])
    first, second = Listener(Telling(how=how)), Listener(Telling(how=how))

    played = play(TicTacToe(), [first, first])
    again = play(TicTacToe(), [second, second])

    assert again.record == played.record
    assert second.heard == first.heard
    everything = f"{played} {first.heard}"
    assert is_in(KEYS["CANARY_API"], everything.encode()) == []
    if how == "text":
        assert first.heard[0].text == "[secret]"
        assert first.heard[0].logprobs is None
    else:
        assert "${CANARY_API}" in played.record.failure.reason
