"""What the server is sent."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from arena.backend import CompletionRequest, Message, Sampling, Tool, ToolCall
from arena.errors import RequestRejected
from arena.game import Image
from arena_backend_openai_compatible.backend import OpenAICompatible
from arena_backend_openai_compatible.request import request_body
from arena_openai_protocol import schema_grammar

SCHEMA = {
    "type": "object",
    "properties": {"action": {"enum": ["a", "b"]}, "why": {"type": "string", "maxLength": 9}},
    "required": ["action", "why"],
    "additionalProperties": False,
}
TOOL = Tool("act", "Play.", SCHEMA)
DOT = Image(data=b"\x89PNG", media_type="image/png", alt="a dot")


def body_of(backend: OpenAICompatible, **more: Any) -> Mapping[str, Any]:
    """The body of a request with this backend."""
    asked = {"messages": (Message.of("system", "Rules."), Message.of("user", "Act.")), "sampling": Sampling(), **more}
    asked["sampling"] = backend.with_defaults(asked["sampling"])
    return request_body(backend, CompletionRequest(**asked))


def own(**more: Any) -> OpenAICompatible:
    return OpenAICompatible(model="m", base_url="http://127.0.0.1:9/v1", **more)


def test_messages_stand_as_the_protocol_has_them():
    """Pictures, past tool calls and what came of each stand where the protocol has them."""
    messages = (
        Message.of("user", "Look: ", DOT),
        Message("assistant", (), tool_calls=(ToolCall("1", "look", "{}"), ToolCall("2", "look", "{}"))),
        Message("tool", ("red",), tool_call="1"),
        Message("tool", ("blue",), tool_call="2"),
    )

    body = body_of(own(can=("images", "tools")), messages=messages)

    function = {"name": "look", "arguments": "{}"}
    assert body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look: "},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": id_, "type": "function", "function": function} for id_ in "12"],
        },
        {"role": "tool", "tool_call_id": "1", "content": "red"},
        {"role": "tool", "tool_call_id": "2", "content": "blue"},
    ]


def test_all_that_is_asked_is_sent():
    """Sampling, logprobs, effort and tools stand where the protocol has them, extras beside, and nothing else does."""
    backend = own(temperature=0.5, top_p=0.9, seed=3, extra={"top_k": 20}, can=("tools", "logprobs"))
    sampling = Sampling(max_tokens=7, stop=("\n",), logprobs=2, reasoning_effort="low")

    body = body_of(backend, messages=(Message.of("user", "Act."),), sampling=sampling, tools=(TOOL,))

    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Act."}],
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 7,
        "seed": 3,
        "stop": ["\n"],
        "top_k": 20,
        "logprobs": True,
        "top_logprobs": 2,
        "reasoning_effort": "low",
        "tool_choice": "required",
        "tools": [{"type": "function", "function": {"name": "act", "description": "Play.", "parameters": SCHEMA}}],
    }


def test_extras_may_choose_otherwise_about_tools():
    """What the backend adds by itself gives way to what the benchmark says."""
    assert body_of(own(extra={"tool_choice": "auto"}, can=("tools",)), tools=(TOOL,))["tool_choice"] == "auto"


WAYS = {
    "auto": {
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}
    },
    "json-object": {"response_format": {"type": "json_object"}},
    "guided-json": {"guided_json": SCHEMA},
    "grammar": {"grammar": schema_grammar(SCHEMA)},
    "grammar-string": {"grammar_string": schema_grammar(SCHEMA)},
}
FIELDS = ("response_format", "guided_json", "grammar", "grammar_string")


@pytest.mark.parametrize(("way", "sent"), WAYS.items())
def test_a_schema_is_sent_in_the_way_that_the_server_has(way, sent):
    """Each way puts it where servers of that kind look for it, and claims that it is kept."""
    backend = own(schema=way)

    body = body_of(backend, schema=SCHEMA)

    assert {name: body[name] for name in body if name in FIELDS} == sent
    assert "schema" in backend.supports()


def test_a_grammar_of_ones_own_is_sent_where_none_is_written():
    """Text that no schema describes can be forced, too."""
    own_grammar = {"grammar": "root ::= [0-9]"}

    assert body_of(own(schema="none", extra=own_grammar))["grammar"] == "root ::= [0-9]"
    assert body_of(own(schema="grammar-string", extra=own_grammar))["grammar"] == "root ::= [0-9]"


async def test_a_schema_that_no_grammar_says_is_not_sent(server):
    """One sentence says where in the schema, and what to write instead."""
    connection = await OpenAICompatible(model="m", base_url=server.address, schema="grammar").connect()
    schema = {"type": "object", "properties": {"move": {"not": {"const": "pass"}}}}

    with pytest.raises(RequestRejected) as raised:
        await connection.complete(CompletionRequest(messages=(Message.of("user", "x"),), schema=schema))
    await connection.close()

    assert str(raised.value) == (
        "schema: grammar cannot force this answer (schema.properties.move.not: no grammar can say it); "
        "write schema: json-object or schema: none"
    )
    assert server.calls == []


def test_ways_and_abilities():
    """``none`` takes schemas away and a way by name adds them, whatever else the model can do."""
    assert own().supports() == {"schema", "seed"}
    assert own(schema="none").supports() == {"seed"}
    assert own(schema="json-object", can=("seed",)).supports() == {"schema", "seed"}
    assert own(can=("seed", "tools")).supports() == {"seed", "tools"}


def test_openais_own_servers_are_asked_in_their_words():
    """They refuse some keywords of schemas and the old name of the limit; a schema they do not take is only shown."""
    backend = OpenAICompatible(model="unheard-of")

    strict = body_of(backend, schema=SCHEMA)
    loose = body_of(backend, schema={"type": "array"})

    assert (strict["max_completion_tokens"], "max_tokens" in strict) == (512, False)
    assert strict["response_format"]["json_schema"]["schema"]["properties"]["why"] == {"type": "string"}
    assert strict["response_format"]["json_schema"]["strict"] is True
    assert loose["response_format"]["json_schema"]["strict"] is False
    assert backend.supports() == {"schema", "seed", "tools", "images"}
    assert backend.enumeration_limit() == 1_000
    assert own().enumeration_limit() is None


@pytest.mark.parametrize(
    ("address", "model", "is_marked"),
    [
        ("https://openrouter.ai/api/v1", "anthropic/claude-sonnet-4.5", True),
        ("https://openrouter.ai/api/v1", "google/gemini-2.5-pro", True),
        ("https://openrouter.ai/api/v1", "openai/gpt-4o", False),
        ("http://gateway:4000/v1", "claude-sonnet-4-5", True),
        (None, "gpt-4o", False),
    ],
)
def test_the_part_of_a_prompt_that_stays_is_marked_where_that_is_wanted(address, model, is_marked):
    """The system's message gets the mark, and one player in one match keeps one key whatever is asked."""
    backend = OpenAICompatible(model=model, base_url=address, cache_prompt=True)

    bodies = [body_of(backend, conversation=conversation) for conversation in ("ttt/a,b/0.0/0", "ttt/a,b/0.0/0", "x")]

    marked = {"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral"}}
    assert bodies[0]["messages"] == [
        {"role": "system", "content": [marked] if is_marked else "Rules."},
        {"role": "user", "content": "Act."},
    ]
    keys = [body["prompt_cache_key"] for body in bodies]
    assert keys[0] == keys[1] != keys[2]
    assert all(len(key) <= 64 for key in keys)
    assert "prompt_cache_key" not in body_of(own(), conversation="x")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"base_url": "http://x/v1/chat/completions"}, "before /chat/completions, which is added; write 'http://x/v1'"),
        (
            {"base_url": "http://x/v1/chat/completions/"},
            "before /chat/completions, which is added; write 'http://x/v1'",
        ),
        ({"base_url": "box:8000"}, "expected an address that starts with https:// or http://, got 'box:8000'"),
        ({"schema": "xml"}, "guided-json, grammar, grammar-string, none, got 'xml'"),
        ({"model": "a b"}, "without spaces, got 'a b'"),
        ({"model": "openai/gpt-4o", "base_url": None}, "whose name for it is 'gpt-4o'"),
        ({"extra": {"stream": True}}, "'stream' does not belong into extra: write stream: true beside extra"),
        ({"extra": {"guided_json": {}}}, "'guided_json' does not belong into extra: write schema: guided-json"),
        (
            {"schema": "grammar", "extra": {"grammar": "root ::= [0-9]"}},
            "'grammar' does not belong into extra: schema: grammar writes it",
        ),
    ],
)
def test_a_mistake_is_found_before_anything_is_asked(settings, said):
    """Each is one sentence that says what to write."""
    with pytest.raises(ValueError, match=re.escape(said)):
        OpenAICompatible(**{"model": "m", "base_url": "http://x/v1", **settings})


async def test_what_a_model_is_not_said_to_take_is_not_sent(server):
    """Tools and pictures are refused with what to write if the model takes them."""
    connection = await OpenAICompatible(model="m", base_url=server.address).connect()

    for more, word in (({"tools": (TOOL,)}, "tools"), ({"messages": (Message.of("user", DOT),)}, "images")):
        with pytest.raises(RequestRejected, match=f"list '{word}' in the backend's can"):
            await connection.complete(CompletionRequest(**{"messages": (Message.of("user", "x"),), **more}))

    await connection.close()
    assert server.calls == []
