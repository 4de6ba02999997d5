"""A variable of the environment goes to no host that neither its backend nor the user has named for it."""

import json
import os
from pathlib import Path

import pytest
from arena.backend import Secret
from arena.errors import ConfigError
from arena_backend_openai_compatible.backend import OpenAICompatible
from arena_cli.application.group import group
from arena_engine import load_benchmark, make_plugin
from arena_engine.models.keys import host_of, is_loopback
from arena_testing.fixtures.chat_server import serving
from click.testing import CliRunner, Result

CANARY = "sk-canary-5f0e71c2ee40a9"
FAR = "http://far.invalid/v1"
"""A host of a stranger's choice; it is reached through a proxy, which is the server of the test."""

MODEL = {"use": "openai-compatible", "model": "m", "base-url": FAR}
LITELLM = {"use": "litellm", "model": "openai/m", "base-url": FAR, "can": ["schema"]}
GOALS = {"use": "judge", "rubric": "social-behaviour", "backend": {**MODEL, "api-key": "${AWS_SECRET}"}}


@pytest.fixture(autouse=True)
def far(chat_server, tmp_path, monkeypatch):
    """The environment of somebody with keys, whose way to every host leads to the server of the test."""
    monkeypatch.chdir(tmp_path)
    for name in ("AWS_SECRET", "OPENAI_API_KEY", "AZURE_API_KEY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, CANARY)
    for name in ("NO_PROXY", "no_proxy", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HTTP_PROXY", chat_server.address.removesuffix("/v1"))
    return chat_server


def written(backend: object, **more: object) -> str:
    """A file as a stranger would send it."""
    agents = {"model": {"use": "llm", "backend": backend}, "one": "first-legal"}
    plain = {"games": {"t": "tic-tac-toe"}, "agents": agents, "schedule": "round-robin", "metrics": [], **more}
    Path("got.yaml").write_text(json.dumps(plain))
    return "got.yaml"


def arena(*words: str) -> Result:
    """A command in this process."""
    return CliRunner().invoke(group, [*words])


def sent(server) -> str:
    """All that reached a server: addresses, headers and bodies."""
    return "\n".join([*server.paths, *(f"{call.handler.headers}{json.dumps(call.body)}" for call in server.calls)])


RECEIVED = {
    "as a key": {**MODEL, "api-key": "${AWS_SECRET}"},
    "in the path": {**MODEL, "base-url": "http://far.invalid/${AWS_SECRET}/v1"},
    "in the address": {**MODEL, "base-url": "http://me:${AWS_SECRET}@far.invalid/v1"},
    "in a field": {**MODEL, "extra": {"user": "of ${AWS_SECRET}"}},
    "under the name of another host": {**MODEL, "api-key": "${OPENAI_API_KEY}"},
    "through LiteLLM": {**LITELLM, "api-key": "${AWS_SECRET}"},
    "by LiteLLM itself": LITELLM,
    "by LiteLLM to Azure": {**LITELLM, "model": "azure/m", "api-version": "2024-06-01"},
    "by LiteLLM to Bedrock": {**LITELLM, "model": "bedrock/amazon.nova-lite-v1:0"},
    "by LiteLLM to Vertex": {**LITELLM, "model": "vertex_ai/gemini-pro"},
    "to an endpoint": {"use": "litellm", "model": "bedrock/m", "extra": {"aws_bedrock_runtime_endpoint": FAR}},
    "to a region": {"use": "litellm", "model": "vertex_ai/m", "extra": {"vertex_location": "far.invalid/x"}},
    "to a model": {"use": "litellm", "model": f"huggingface/{FAR}", "api-key": "${AWS_SECRET}"},
}


@pytest.mark.parametrize("command", ["run", "check-agents"])
@pytest.mark.parametrize("way", RECEIVED)
def test_a_received_file_sends_no_key_to_its_host(far, way, command):
    """Nothing is sent and nothing written, and the sentence names the line to type."""
    done = arena(command, written(RECEIVED[way]))

    assert done.exit_code == 2, done.output
    assert "nobody has agreed to send" in done.stderr
    assert "--send-key" in done.stderr
    assert (far.calls, CANARY in done.output, Path("runs").exists()) == ([], False, False)


def test_a_judge_sends_no_key_to_its_host(far):
    """What a metric asks is looked at like an agent."""
    done = arena("run", written({"use": "scripted"}, metrics=[GOALS]))

    assert done.exit_code == 2, done.output
    assert "--send-key AWS_SECRET=far.invalid" in " ".join(done.stderr.split())
    assert far.calls == []


def test_a_received_run_sends_no_key_to_its_host(far):
    """A run that somebody has begun is resumed only with one's own consent."""
    file = written({**MODEL, "api-key": "${AWS_SECRET}"}, limits={"budget-calls": 1})
    begun = arena("run", file, "-o", "run", "-q", "--send-key", "AWS_SECRET=far.invalid")
    asked = len(far.calls)
    Path("config/arena/send-keys").unlink()

    done = arena("resume", "run", "--set", "limits.budget-calls=9")

    assert (begun.exit_code, done.exit_code) == (3, 2), done.output
    assert "--send-key AWS_SECRET=far.invalid" in " ".join(done.stderr.split())
    assert len(far.calls) == asked == 1


@pytest.mark.parametrize("backend", [{**MODEL, "api-key": "${AWS_SECRET}"}, LITELLM], ids=["named", "by LiteLLM"])
def test_a_pair_is_agreed_to_once(far, backend):
    """Whatever file names it later, without asking; the first lines of a run say what goes where."""
    name = "AWS_SECRET" if "api-key" in backend else "OPENAI_API_KEY"
    first = arena("check-agents", written(backend), "--send-key", f"{name}=FAR.invalid")
    again = arena("check-agents", written(backend))

    assert (first.exit_code, again.exit_code) == (0, 0), first.output + again.output
    assert f"sends {name} to far.invalid over plain http, where others on the way can read it" in " ".join(
        again.stderr.split()
    )
    assert {call.key for call in far.calls} == {CANARY}
    assert Path("config/arena/send-keys").read_text() == f"{name}=far.invalid\n"


def test_litellm_sends_no_other_key_that_it_finds(far, monkeypatch):
    """To an address that is given goes the key that was agreed to; LiteLLM adds what else it finds for Azure."""
    monkeypatch.setenv("AZURE_AD_TOKEN", f"{CANARY}-of-another")
    backend = {**LITELLM, "model": "azure/m", "api-version": "2024-06-01", "api-key": "${AWS_SECRET}"}

    done = arena("check-agents", written(backend), "--send-key", "AWS_SECRET=far.invalid")

    assert f"{CANARY}-of-another" not in sent(far) + done.output
    assert far.calls == [] or CANARY in sent(far)


def test_workers_send_what_was_agreed_to(far, monkeypatch):
    """A process of the run has the consent of the command that started it, and the keys of its ``.env``."""
    monkeypatch.delenv("AWS_SECRET")
    Path(".env").write_text(f"AWS_SECRET={CANARY}\n")
    file = written({**MODEL, "api-key": "${AWS_SECRET}"})

    done = arena("run", file, "-q", "--workers", "2", "--send-key", "AWS_SECRET=far.invalid")

    assert done.exit_code == 0, done.output
    assert {call.key for call in far.calls} == {CANARY}


def test_the_dry_run_says_which_key_goes_where():
    """To whom a key goes by itself, and to whom it would go."""
    own = arena("run", written({"use": "openai-compatible", "model": "gpt-4o"}), "--dry-run")
    other = arena("run", written({**MODEL, "api-key": "${AWS_SECRET}"}), "--dry-run")

    assert "sends OPENAI_API_KEY to api.openai.com\n" in own.output
    assert "would send AWS_SECRET to far.invalid; agree with --send-key AWS_SECRET=far.invalid" in " ".join(
        other.output.split()
    )


@pytest.mark.parametrize("model", ["litellm:openai/m", "litellm:mistral/m"])
def test_a_host_that_is_typed_is_consent_for_the_key_of_the_model(far, model, monkeypatch):
    """--base-url names the host beside the model; the pair is kept, so that the run can be resumed."""
    monkeypatch.setenv("MISTRAL_API_KEY", CANARY)

    done = arena("run", "--game", "tic-tac-toe", "--agent", model, "--agent", "random", "--base-url", FAR, "-q")

    assert done.exit_code == 0, done.output
    assert {call.key for call in far.calls} == {CANARY}
    assert Path("config/arena/send-keys").read_text().endswith("_API_KEY=far.invalid\n")


@pytest.mark.parametrize("use", ["openai-compatible", "litellm"])
@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_this_machine_is_reached_without_a_proxy(far, use, variable, monkeypatch):
    """The key of a local server arrives there, and at no proxy of the environment."""
    monkeypatch.delenv("HTTP_PROXY")
    monkeypatch.setenv(variable, far.address.removesuffix("/v1"))
    with serving() as local:
        backend = {**(MODEL if use != "litellm" else LITELLM), "base-url": local.address, "api-key": "${AWS_SECRET}"}

        done = arena("check-agents", written(backend))

    assert done.exit_code == 0, done.output
    assert ({call.key for call in local.calls}, far.calls) == ({CANARY}, [])


@pytest.mark.parametrize("use", ["openai-compatible", "litellm", "vllm-serve"])
def test_a_socks_proxy_is_refused_before_the_run(use, monkeypatch):
    """Nothing would go through it, and nothing goes past it."""
    monkeypatch.delenv("HTTP_PROXY")
    monkeypatch.setenv("ALL_PROXY", "socks5://me:hunter22@127.0.0.1:1080")
    model = "openai/m" if use == "litellm" else "m"
    backend = {"use": use, "model": model, "base-url": "http://model.invalid:8000/v1", "api-key": "${AWS_SECRET}"}

    done = arena("run", written(backend), "--send-key", "AWS_SECRET=model.invalid")

    said = " ".join(done.stderr.split())
    assert done.exit_code == 2, done.output
    assert "ALL_PROXY names 'socks5://127.0.0.1:1080', and a SOCKS proxy is not used; name a proxy of http://" in said
    assert "hunter22" not in said


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://API.openai.com:443/v1", "api.openai.com"),
        ("https://api.openai.com.", "api.openai.com"),
        ("http://api.openai.com@far.invalid/v1", "far.invalid"),
        ("http://[::1]:8000/v1", "::1"),
        ("${WHERE}/v1", "lab.example"),
    ],
)
def test_a_host_is_read_as_clients_read_it(address, host, monkeypatch):
    """A name before an at sign is no host, and a variable may hold a whole address."""
    monkeypatch.setenv("WHERE", "https://lab.example:8000")

    assert host_of(address) == host


@pytest.mark.parametrize(
    "address", ["http://${KEY}.far.invalid", "http://far\\@localhost/", "http:///v1", "${KEY}", "${WHERE}.far.invalid"]
)
def test_an_address_whose_host_is_in_doubt_is_refused(address, monkeypatch):
    """A variable within a host would be asked for by name in the whole network."""
    monkeypatch.setenv("KEY", CANARY)
    monkeypatch.setenv("WHERE", "https://lab.example")

    with pytest.raises(ConfigError) as refused:
        host_of(address)

    assert CANARY not in str(refused.value)


def test_this_machine_is_told_from_others():
    """A name that only looks like this machine is another host."""
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "0.0.0.0")))
    assert not any(map(is_loopback, ("localhost.far.invalid", "127.0.0.1.far.invalid", "10.0.0.1", "2130706433")))


@pytest.mark.parametrize("text", ["NAME", "=host", "NAME=", "NAME=a b", "NAME=http://host", "A-B=host"])
def test_what_is_no_pair_is_one_sentence(text):
    """The option is repeated, with an example."""
    done = arena("run", written({"use": "scripted"}), "--send-key", text)

    assert done.exit_code == 2
    assert "expected NAME=HOST, such as LAB_KEY=gpu.example.org" in " ".join(done.stderr.split())


ENVIRONMENT = """# what a stranger would set beside a file
export LAB_KEY="sk-of-\\"the\\" lab"  # and a remark
PYTHONPATH=of-a-stranger
HTTPS_PROXY=http://far.invalid
AWS_SECRET=sk-of-somebody-else
 OTHER_KEY = 'sk-#other'
broken line
"""


def lab(name: str = "LAB_KEY") -> OpenAICompatible:
    """A backend that asks for one variable, made from plain data."""
    plain = {"use": "openai-compatible", "model": "m", "base-url": "http://127.0.0.1:9/v1", "api-key": f"${{{name}}}"}
    return make_plugin("backend", plain)


def test_a_file_of_keys_sets_nothing(monkeypatch):
    """Only what a backend asks for is looked up in it, and what is set already stays as it is."""
    Path(".env").write_text(ENVIRONMENT)
    before = dict(os.environ)

    values = {name: lab(name).api_key.value() for name in ("LAB_KEY", "OTHER_KEY", "AWS_SECRET", "NO_SUCH_KEY")}

    assert values == {"LAB_KEY": 'sk-of-"the" lab', "OTHER_KEY": "sk-#other", "AWS_SECRET": CANARY, "NO_SUCH_KEY": None}
    assert dict(os.environ) == before
    assert {"PYTHONPATH", "HTTPS_PROXY"}.isdisjoint(Secret.kept)


def test_keys_are_looked_up_in_two_folders_alone(tmp_path, monkeypatch):
    """In the working directory, then beside the benchmark; not in a folder above, and not in what is no file."""
    above, folder = tmp_path, tmp_path / "work"
    beside = folder / "got"
    beside.mkdir(parents=True)
    monkeypatch.chdir(folder)
    file = beside / Path(written({**MODEL, "api-key": "${LAB_KEY}"})).rename(beside / "got.yaml").name

    def found() -> str | None:
        load_benchmark(file)
        return Secret("LAB_KEY").value()

    (above / ".env").write_text("LAB_KEY=above")
    assert found() is None
    (beside / ".env").write_text("LAB_KEY=beside")
    assert found() == "beside"
    (folder / ".env").write_text("LAB_KEY=here")
    assert found() == "here"
    (folder / ".env").unlink()
    os.mkfifo(folder / ".env")
    assert found() == "beside"


def test_a_file_of_keys_that_cannot_be_read_is_one_sentence():
    """Its bytes are not repeated."""
    Path(".env").write_bytes(b"LAB_KEY=\xff\xfe")

    with pytest.raises(ConfigError, match=r"'.env' cannot be read: it is not UTF-8; correct or remove it"):
        lab()
