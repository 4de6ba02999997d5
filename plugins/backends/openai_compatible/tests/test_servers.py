"""Every block of the page on servers plays a match against a server that stands for the one it is written for."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import pytest
import yaml
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal
from click.testing import CliRunner

PAGE = next(p for p in Path(__file__).parents if (p / "docs" / "servers.md").is_file()) / "docs" / "servers.md"
EVERY = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)]
BLOCKS = [block for block in EVERY if not block.get("batch")]  # batches have tests of their own
KEYS = {
    "api.openai.com": "OPENAI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.x.ai": "XAI_API_KEY",
}

NO_SEED = (400, 'Unknown name "seed": Cannot find field.', "seed")
NO_SCHEMA = (400, "This response_format type is unavailable now", "json_schema")
NO_SYSTEM = (400, "System role not supported", "system")
REFUSED = {
    "o3-mini": [(400, "Unsupported parameter: 'max_tokens' is not supported with this model.", "max_tokens"),
                (400, "Unsupported value: 'temperature' does not support 0.7 with this model.", "temperature")],
    "gemini-2.5-flash": [NO_SEED],
    "deepseek-chat": [NO_SCHEMA],
    "mistral-small-latest": [(422, '[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs"}]', "seed")],
    "kimi-k2-thinking": [(400, "invalid temperature: only 1 is allowed for this model", "temperature"), NO_SEED],
    "llama-3.3-70b-versatile": [(400, "This model does not support response format `json_schema`.", "json_schema")],
    "grok-4": [(400, "Argument not supported on this model: seed", "seed")],
    "claude-sonnet-4-5": [(400, "`temperature` and `top_p` cannot both be specified for this model.", "top_p")],
    "qwen2.5-7b-instruct": [(500, "body.response_format.type: Input should be text or json_object", "json_schema")],
    "google/gemma-2-9b-it": [NO_SYSTEM],
    "openai.gpt-oss-120b-1:0": [(400, "Unrecognized request argument supplied: seed", "seed")],
}  # fmt: skip
"""What stands in for a server refuses: status, words, and what a request has that is refused."""


def has(body: Any, what: str) -> bool:
    form = (body.get("response_format") or {}).get("type")
    return what in body or what == form or what in {message["role"] for message in body["messages"]}


def behaves(server: Any, model: str) -> None:
    """Let the server refuse what that model's does, and answer with a move otherwise."""

    def answers(call: Any) -> None:
        for status, words, what in REFUSED.get(model, ()):
            if has(call.body, what):
                return call.fail(status, words)
        form = (call.body.get("response_format") or {}).get("type")
        if form == "json_schema" or call.body.get("tools"):
            return usually(call)
        return call.says(json.dumps({"reasoning": "because", "action": "a1"}))

    usually, server.usually = server.usually, answers


def variables(block: dict[str, Any]) -> dict[str, str]:
    """Values for the variables of a block, and for the usual key of its provider."""
    host = urlsplit(block.get("base-url", "https://api.openai.com")).hostname
    names = [*re.findall(r"\$\{(\w+)\}", json.dumps(block)), *filter(None, [KEYS.get(host or "")])]
    return {name: f"canary-of-{name.lower()}-71c2ee40" for name in names}


def written(block: dict[str, Any]) -> SplitResult:
    """Write a benchmark with a block; its server is asked in plain, so that a proxy can stand in for it."""
    address = urlsplit(block.get("base-url", "https://api.openai.com/v1"))
    own = address._replace(scheme="http", netloc="models.local" if address.hostname == "127.0.0.1" else address.netloc)
    more = {"temperature": 0.7, "max-attempts": 1, "concurrency": 1}
    agents = {"m": {"use": "llm", "backend": {**block, "base-url": own.geturl(), **more}}, "o": "first-legal"}
    games = {"games": {"ttt": "tic-tac-toe"}, "agents": agents, "schedule": {"use": "round-robin"}, "seed": 1}
    Path("bench.yaml").write_text(json.dumps({**games, "metrics": ["outcomes"]}))
    return own


@pytest.fixture(params=range(len(BLOCKS)), ids=[f"{number}-{block['model']}" for number, block in enumerate(BLOCKS)])
def played(request, server, monkeypatch) -> tuple[dict[str, Any], dict[str, str], SplitResult]:
    """A run with a block of the page: the block, the values of its variables, and the address that it asks."""
    block = BLOCKS[request.param]
    values = variables(block)
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HTTP_PROXY", server.address.removesuffix("/v1"))
    own = written(block)
    behaves(server, block["model"])
    agreed = [part for name in values for part in ("--send-key", f"{name}={own.hostname}")]

    done = CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", "-q", *agreed])

    assert done.exit_code == 0, done.output
    return block, values, own


def test_every_block_of_the_page_plays(server, played):
    """Its address, its headers and its body arrive; its keys are in headers alone; what it refuses is refused once."""
    block, values, own = played
    with Journal.open(Path("run")) as journal:
        assert all(ending is not Ending.INFRASTRUCTURE_FAILURE for ending in journal.endings().values())
    assert urlsplit(server.paths[0])[1:4] == (own.netloc, f"{own.path}/chat/completions", own.query)
    sent = server.calls[-1]
    for name, value in block.get("headers", {}).items():
        assert sent.handler.headers[name] == re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], value)
    files = b"".join(path.read_bytes() for path in Path("run").rglob("*") if path.is_file())
    for value in values.values():
        assert value in str(sent.handler.headers)
        assert value not in json.dumps(sent.body)
        assert value.encode() not in files
    for *_, what in REFUSED.get(block["model"], ()):
        assert len([call for call in server.calls if has(call.body, what)]) <= 1
