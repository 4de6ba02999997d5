import json
import time
from collections import Counter
from random import Random

import attrs
import pytest
from arena.backend import (
    SCHEMA,
    TOOLS,
    Backend,
    Completion,
    CompletionRequest,
    Image,
    Message,
    Price,
    Sampling,
    Secret,
    Tool,
)
from arena.catalog import Catalog
from arena.errors import ConfigError, RequestRejected
from arena.testing import check_backend
from arena_backend_scripted import SCRIPTED
from arena_backend_scripted.backend import Scripted
from arena_backend_scripted.legal import instance
from arena_backend_scripted.rule import Rule
from arena_engine.benchmark.structure import structure
from jsonschema import Draft202012Validator

MOVE = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "action": {"enum": ["a1", "b2", "c3"]}},
    "required": ["reasoning", "action"],
    "additionalProperties": False,
}


def request(text: str = "Your move.", **fields) -> CompletionRequest:
    return CompletionRequest(messages=(Message.of("system", "Rules."), Message.of("user", text)), **fields)


async def ask(backend: Scripted, *requests: CompletionRequest) -> list[Completion]:
    connection = await backend.connect()
    try:
        return [await connection.complete(one) for one in requests]
    finally:
        await connection.close()


async def texts(backend: Scripted, *requests: CompletionRequest) -> list[str]:
    return [completion.text for completion in await ask(backend, *requests)]


def test_the_descriptor_says_what_the_class_says():
    """Capabilities can be read without importing the class, and are the same."""
    entry = Catalog().get("backend", "scripted")

    assert entry.load() is Scripted
    assert SCRIPTED.capabilities == Scripted.capabilities
    structure({"use": "scripted", **SCRIPTED.example}, Backend, Catalog())


async def test_answers_come_in_order_and_start_again():
    """A list of answers is given out call by call, then from the start."""
    assert await texts(Scripted(answers=("a", "b")), *[request()] * 3) == ["a", "b", "a"]


async def test_the_first_rule_that_matches_the_last_user_message_answers():
    """Rules are tried in order against the user's last message alone, across its lines."""
    rules = (Rule("corner.*free", "a1"), Rule("free", "b2"))
    backend = Scripted(rules=rules, answers=("else",))
    earlier = CompletionRequest(
        messages=(Message.of("user", "free"), Message.of("assistant", "free"), Message.of("user", "full"))
    )

    assert await texts(backend, request("the corner\nis free"), request("all free"), earlier) == ["a1", "b2", "else"]


async def test_without_a_script_answers_are_legal_and_reach_everything():
    """The schema's choices are all drawn, each about as often."""
    found = await texts(Scripted(), *(request(f"Turn {turn}", schema=MOVE) for turn in range(600)))

    counts = Counter(json.loads(text)["action"] for text in found)
    assert counts.keys() == {"a1", "b2", "c3"}
    assert min(counts.values()) > 150
    assert list(json.loads(found[0])) == ["reasoning", "action"]


async def test_a_legal_answer_depends_on_request_and_seed_alone():
    """Neither the order of calls nor the connection changes an answer; seed, text and sampling seed do."""
    requests = [request(f"Turn {turn}", schema=MOVE) for turn in range(40)]

    forwards = await texts(Scripted(), *requests)
    backwards = await texts(Scripted(), *reversed(requests))
    seeded = await texts(Scripted(seed=1), *requests)
    sampled = await texts(Scripted(), *(attrs.evolve(one, sampling=Sampling(seed=7)) for one in requests))

    assert forwards == backwards[::-1]
    assert forwards not in (seeded, sampled)


async def test_tools_are_called_with_legal_arguments():
    """Where tools are offered and no schema is asked for, one of them is called."""
    tool = Tool("play", "Play.", MOVE)

    [completion] = await ask(Scripted(), request(tools=(tool,)))

    [call] = completion.tool_calls
    assert (call.name, completion.finish_reason) == ("play", "tool-calls")
    Draft202012Validator(MOVE).validate(json.loads(call.arguments))


async def test_without_anything_to_pick_from_that_is_said():
    """A request with neither schema nor tools gets prose that names the reason."""
    assert await texts(Scripted(), request()) == [
        "No schema and no tools were given, so there is nothing to pick from."
    ]


async def test_pictures_are_part_of_a_request():
    """Another picture is another request."""
    pictures = [Image("image/png", bytes([number])) for number in range(30)]
    requests = [CompletionRequest(messages=(Message.of("user", "Look", one),), schema=MOVE) for one in pictures]

    assert len(set(await texts(Scripted(), *requests))) > 1


async def test_words_are_counted_and_paid_for():
    """Usage is counted in words and priced by the thousand."""
    backend = Scripted(answers=("one two three",), price_usd_per_1k_tokens=2.0, model="parrot")

    [completion] = await ask(backend, request("four more words here"))

    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (5, 3)
    assert completion.cost_usd == pytest.approx(0.016)
    assert completion.model == "parrot"


async def test_an_answer_ends_with_its_last_allowed_word():
    """``max_tokens`` counts words, and what it cuts off is marked."""
    backend = Scripted(answers=("one  two\nthree four",))

    short, whole = await ask(
        backend, request(sampling=Sampling(max_tokens=3)), request(sampling=Sampling(max_tokens=4))
    )

    assert (short.text, short.finish_reason) == ("one  two\nthree", "length")
    assert (whole.text, whole.finish_reason) == ("one  two\nthree four", "stop")


def test_what_is_given_is_not_forced_into_a_schema():
    """A script's own texts are written as they are, so schemas and tools are not among what it can do."""
    given = Scripted(answers=("x",)).supports()

    assert given == Scripted(rules=(Rule("x", "y"),)).supports() == Scripted.capabilities - {SCHEMA, TOOLS}
    assert Scripted().supports() == Scripted.capabilities


def test_the_price_is_known_before_anything_is_asked():
    """A dry run can tell what words will cost."""
    assert Scripted(price_usd_per_1k_tokens=2.0).price() == Price(0.002, 0.002)


@pytest.mark.parametrize("answers", [(), ("one two three four five six seven eight",)])
def test_the_contract_of_a_backend_is_kept(answers):
    """The conformance check finds nothing, with a script and without."""
    check_backend(Scripted(answers=answers))


@pytest.mark.parametrize(
    "schema",
    [
        MOVE,
        {"const": {"a": [1]}},
        {"type": "integer", "minimum": 3, "exclusiveMaximum": 9},
        {"type": "integer", "minimum": 3},
        {"type": "number", "minimum": 0.25, "maximum": 0.5},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": ["string", "null"], "minLength": 2},
        {"type": "boolean"},
        {"type": "array", "items": {"enum": ["A", "B", "C"]}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "prefixItems": [{"const": "q"}, {"type": "integer"}], "minItems": 2, "items": False},
        {"anyOf": [{"const": "pass"}, {"$ref": "#/$defs/square"}], "$defs": {"square": {"enum": ["a1", "h8"]}}},
        {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {"const": 1}}},
        {"allOf": [{"type": "integer", "minimum": 2}, {"$ref": "#/$defs/low"}], "$defs": {"low": {"maximum": 4}}},
        {"properties": {"x": {"minItems": 1}}, "required": ["x"]},
        {"maxLength": 3},
        {},
        True,
    ],
)
def test_an_instance_fits_its_schema(schema):
    """Whatever is drawn from a schema is valid by it."""
    validator = Draft202012Validator(schema)

    for seed in range(20):
        validator.validate(instance(schema, Random(seed)))


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"type": "string", "pattern": "^x$"}, "'pattern' is too hard"),
        ({"enum": []}, "a choice of nothing"),
        (False, "allows nothing"),
        ({"$ref": "#"}, "without end"),
        ({"$ref": "other.json"}, "outside itself"),
        ({"$ref": "#/$defs/no"}, "no such place"),
        ({"type": "thing"}, "'thing' is unknown"),
        ({"type": "array", "items": {"const": 1}, "minItems": 2, "uniqueItems": True}, "more different items"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "no number"),
    ],
)
async def test_a_schema_that_cannot_be_drawn_from_is_an_error_for_good(schema, complaint):
    """What is too hard or impossible is said, not guessed."""
    with pytest.raises(RequestRejected, match=complaint):
        await ask(Scripted(), request(schema=schema))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("script.yaml", "- when: corner\n  say: a1\n- b2\n"),
        ("script.yaml", "rules: [{when: corner, say: a1}]\nanswers: [b2]\n"),
        ("script.json", '[{"when": "corner", "say": "a1"}, "b2"]'),
        ("script.jsonl", '{"when": "corner", "say": "a1"}\n\n"b2"\n'),
    ],
)
async def test_a_script_can_be_kept_in_a_file(tmp_path, name, content):
    """YAML, JSON and JSON Lines hold the same script; what the parameters say comes first."""
    file = tmp_path / name
    file.write_text(content)
    backend = Scripted(file=file, rules=(Rule("edge", "c3"),))

    assert await texts(backend, request("edge"), request("corner"), request("centre")) == ["c3", "a1", "b2"]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("s.yaml", b"- [", "s.yaml.*line"),
        ("s.json", b"{", "s.json is not JSON"),
        ("s.jsonl", b'"a"\nb\n', "line 2 is not JSON"),
        ("s.json", b"[]", "expected a list of texts"),
        ("s.json", b'{"rule": []}', "expected a list of texts"),
        ("s.json", b"[1]", "entry 1: expected a text or"),
        ("s.json", b'["a", {"when": "x"}]', "entry 2: expected a text or"),
        ("s.json", b'[{"when": "(", "say": "x"}]', r"entry 1: '\(' is no regular expression"),
        ("s.json", b"\xff", "not UTF-8 at byte 0"),
        (None, b"", "cannot be read: No such file"),
    ],
)
def test_a_script_with_a_mistake_is_refused_at_once(tmp_path, name, content, complaint):
    """A file that is no script is a mistake in the configuration, said with its place."""
    if name:
        (tmp_path / name).write_bytes(content)

    with pytest.raises(ConfigError, match=f"^file: .*{complaint}"):
        structure({"use": "scripted", "file": str(tmp_path / (name or "none"))}, Backend, Catalog())


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"rules": [{"when": "(", "say": "x"}]}, r"rules\.0\.when: '\(' is no regular expression"),
        ({"faults": [{"kind": "timeout"}]}, "needs either share or calls"),
        ({"faults": [{"kind": "timeout", "share": 0.6}, {"kind": "empty", "share": 0.6}]}, "sum to 1.2"),
        ({"faults": [{"kind": "timeout", "share": 2.0}]}, r"faults\.0\.share"),
        ({"faults": [{"kind": "timeout", "calls": [0]}]}, r"faults\.0\.calls"),
        ({"faults": [{"kind": "leak", "calls": [1]}]}, "needs an api-key"),
        ({"latency-s": -1.0}, "latency-s"),
    ],
)
def test_a_mistake_in_the_configuration_names_its_place(parameters, complaint):
    """Parameters that do not fit are refused before anything is asked."""
    with pytest.raises(ConfigError, match=complaint):
        structure({"use": "scripted", **parameters}, Backend, Catalog())


def test_a_secret_is_told_to_the_core():
    """The core learns which texts it must keep out of errors."""
    assert Scripted(api_key=Secret("KEY")).secrets() == (Secret("KEY"),)


async def test_an_expression_that_does_not_end_is_given_up():
    """It is a sentence about the rule, not a process that nothing can stop."""
    backend = Scripted(rules=(Rule(when="(x|x)*[yz]", say="never"),))
    connection = await backend.connect()
    began = time.monotonic()

    with pytest.raises(RequestRejected, match=r"the expression '\(x\|x\)\*\[yz\]' takes more than 1 s for a prompt"):
        await connection.complete(CompletionRequest(messages=(Message.of("user", "x" * 100),)))

    assert time.monotonic() - began < 60
