"""A whole player: what it asks in which turn and try, and what it makes of the answers."""

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply
from arena.backend import SCHEMA, TOOLS, Completion, ToolCall
from arena.errors import BackendError, StopRun
from arena.game import Rejected
from arena.record import GameEvent
from arena_agent_llm.prompts.prompt import Prompt

from .conftest import Able

ROCK = '{"reasoning": "why not", "action": "rock"}'
THROWN = (GameEvent("thrown", [0, 1], None),)


def texts(request):
    return [(message.role, message.text.splitlines()[0]) for message in request.messages]


async def test_reply(sit):
    """An answer becomes the action, its reasoning and a note of how it was asked and read."""
    table = sit(ROCK)

    reply = await table.join().act(table.decide())

    assert isinstance(reply, Reply)
    assert (reply.action, reply.reasoning) == (0, "why not")
    assert isinstance(reply.note, dict)
    assert {**reply.note, "parts": None} == {"answer": "json", "parts": None, "form": "text"}


async def test_refusal_and_feedback(sit):
    """A refusal is told in the next try; where the benchmark gives no feedback nothing is told."""
    table = sit("hm", "hm", ROCK)
    mind = table.join()

    refused = await mind.act(table.decide())
    rejected = (Rejected("unreadable", refused.reason),)
    await mind.act(table.decide(attempt=1, rejected=rejected))
    await mind.act(table.decide(attempt=1))

    assert isinstance(refused, Refusal)
    assert [f"- {refused.reason}" in request.messages[1].text for request in table.answers.asked] == [
        False,
        True,
        False,
    ]
    assert table.answers.asked[0].messages == table.answers.asked[2].messages


async def test_seeds_differ_and_repeat(sit):
    """Every completion has a seed of its own, the same again when the match is played again."""
    first, again = sit(ROCK, ROCK), sit(ROCK, ROCK)

    for table in (first, again):
        mind = table.join()
        await mind.act(table.decide())
        await mind.act(table.decide())
    seeds = [[request.sampling.seed for request in table.answers.asked] for table in (first, again)]

    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 2


async def test_seed_is_not_sent_where_it_means_nothing(sit):
    """A backend that has no seeds is not sent one."""
    table = sit(ROCK)
    backend = attrs.evolve(table.join()._agent.backend, can=frozenset())

    await table.join(backend=backend).act(table.decide())

    assert table.answers.asked[0].sampling.seed is None
    assert table.answers.asked[0].schema is None


async def test_constrained_schema(sit):
    """Reasoning comes first and is bounded; the action is one of the labels."""
    table = sit(ROCK)

    await table.join(reasoning_limit=50).act(table.decide())

    assert table.answers.asked[0].schema == {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string", "maxLength": 50},
            "action": {"enum": ["rock", "paper", "scissors"]},
        },
        "required": ["reasoning", "action"],
        "additionalProperties": False,
    }


async def test_constrained_schema_of_a_schema(sit, amount):
    """A game's schema is put in as it is, with its definitions where its references find them."""
    table = sit('{"action": {"amount": 1}}')

    await table.join(prompt=Prompt(style="direct")).act(table.decide(**amount))

    assert table.answers.asked[0].schema == {
        "type": "object",
        "properties": {"action": {"type": "object", "properties": {"amount": {"$ref": "#/$defs/n"}}}},
        "required": ["action"],
        "additionalProperties": False,
        "$defs": {"n": {"type": "integer"}},
    }


def capped(table, limit):
    """The backend of a table's agent, with a limit for enumerated values."""
    return attrs.evolve(table.agent().backend, most_enumerated=limit)


async def test_long_enumerations_are_left_out(sit):
    """Where a provider takes fewer enumerated values, it gets a plain text, and the record says so."""
    table = sit(ROCK, ROCK)

    strict, loose = [await table.join(backend=capped(table, limit)).act(table.decide()) for limit in (3, 2)]

    enforced, loosened = (request.schema["properties"]["action"] for request in table.answers.asked)
    assert enforced == {"enum": ["rock", "paper", "scissors"]}
    assert loosened["type"] == "string"
    assert "enum" not in loosened
    assert "enumerations" not in strict.note
    assert loose.note["enumerations"] == "left-out"
    assert loose.action == strict.action == 0


async def test_long_enumerations_of_tools_are_left_out(sit):
    """The same holds for the schemas of tools."""
    call = Completion(text="", tool_calls=(ToolCall("1", "play", ROCK),), finish_reason="tool-calls")
    table = sit(call)

    reply = await table.join(tools=True, backend=capped(table, 2)).act(table.decide())

    assert "enum" not in table.answers.asked[0].tools[0].schema["properties"]["action"]
    assert reply.note["enumerations"] == "left-out"


async def test_form_that_stands_for_the_schema(sit, amount):
    """A game can say what its schema enforces; the schema itself is enforced and not shown."""
    table = sit('{"action": {"amount": 1}}')
    decision = table.decide(**amount)
    forms = {**table.game.forms, "schema": lambda seen: "an amount"}
    decision = decision.asked(decision._view, forms=forms)

    await table.join(prompt=Prompt(style="direct")).act(decision)

    request = table.answers.asked[0]
    assert "that fits this JSON schema:\nan amount\n" in request.messages[-1].text
    assert "$defs" not in request.messages[-1].text
    assert request.schema["$defs"] == {"n": {"type": "integer"}}


@pytest.mark.parametrize("settings", [{"constrained": False}, {"tools": True}])
async def test_unconstrained(sit, settings):
    """No schema is sent where that is switched off, or where tools are used."""
    table = sit(ROCK)

    await table.join(**settings).act(table.decide())

    assert table.answers.asked[0].schema is None


async def test_tools(sit):
    """With tools the answer is a call, and the prompt asks for one."""
    table = sit(Completion(text="", tool_calls=(ToolCall("1", "play", ROCK),), finish_reason="tool-calls"))

    reply = await table.join(tools=True).act(table.decide())

    assert reply.action == 0
    assert [tool.name for tool in table.answers.asked[0].tools] == ["play"]
    assert "calling the tool play" in table.answers.asked[0].messages[-1].text


@pytest.mark.parametrize(
    ("can", "settings", "way"),
    [
        ({SCHEMA, TOOLS}, {}, "schema"),
        ({TOOLS}, {}, "tools"),
        ({TOOLS}, {"tools": False}, ""),
        ({TOOLS}, {"constrained": False}, ""),
        ({SCHEMA, TOOLS}, {"tools": True}, "tools"),
        (set(), {}, ""),
    ],
)
async def test_the_form_is_forced_where_it_can_be(sit, can, settings, way):
    """By a schema, else by a tool, and by nothing where the backend can do neither or the settings forbid it."""
    table = sit(ROCK)

    await table.join(backend=Able(can=frozenset(can)), **settings).act(table.decide())
    asked = table.answers.asked[0]

    assert (asked.schema is not None, bool(asked.tools)) == (way == "schema", way == "tools")


async def test_compact_history(sit):
    """Each event is told once, in order, however often a turn is tried."""
    table = sit(ROCK, ROCK, ROCK)
    mind = table.join()

    await mind.act(table.decide(news=(GameEvent("started", None, None),)))
    await mind.act(table.decide(turn=1, news=THROWN))
    await mind.act(table.decide(turn=1, news=THROWN, attempt=1))
    told = [request.messages[-1].text.partition("\n\n")[0] for request in table.answers.asked]

    assert told[0] == "What has happened so far:\nThe match begins."
    assert told[1] == told[2] == told[0] + "\nLEFT threw rock, RIGHT threw paper."


async def test_history_can_be_bounded(sit):
    """Only the last events are told where a length is given."""
    table = sit(ROCK)
    news = (GameEvent("started", None, None), *THROWN)

    await table.join(prompt=Prompt(history_length=1)).act(table.decide(news=news))

    assert "match begins" not in table.answers.asked[0].messages[-1].text


async def test_transcript(sit):
    """Earlier turns come as messages, each with its last try; the current turn's news are in its prompt."""
    table = sit("<think>x</think>nonsense", ROCK, "", ROCK)
    mind = table.join(prompt=Prompt(style="direct", history="transcript", history_length=5))

    await mind.act(table.decide())
    await mind.act(table.decide(attempt=1))
    await mind.act(table.decide(turn=1, news=THROWN))
    await mind.act(table.decide(turn=2))
    asked = table.answers.asked

    assert texts(asked[1])[1:] == [("user", "What you see now:")]
    assert texts(asked[2])[1:] == [
        ("user", "What you see now:"),
        ("assistant", ROCK),
        ("user", "What has happened since your last turn:"),
    ]
    assert len(asked[3].messages) == 4


async def test_look_up(sit, beats):
    """A look-up is asked of the game and its answer told; the conversation goes on to the action."""
    table = sit('{"query": "beats", "arguments": "rock"}', '{"query": "nothing"}', ROCK)

    reply = await table.join().act(table.decide(queries=beats))
    last = table.answers.asked[-1]

    assert reply.action == 0
    assert table.queried == [("beats", "rock"), ("nothing", None)]
    assert texts(last)[2:] == [
        ("assistant", '{"query": "beats", "arguments": "rock"}'),
        ("user", 'beats: "scissors"'),
        ("assistant", '{"query": "nothing"}'),
        ("user", "nothing: refused: there is no query 'nothing'"),
    ]
    assert "look-up" in last.parts
    assert "anyOf" in table.answers.asked[0].schema
    assert "anyOf" not in last.schema


async def test_look_ups_end(sit, beats):
    """When the turn's look-ups are spent one more is no answer, and the next try still has what was found."""
    query = '{"query": "beats", "arguments": "rock"}'
    table = sit(query, query, query, ROCK)
    mind = table.join()

    refused = await mind.act(table.decide(queries=beats))
    await mind.act(table.decide(queries=beats, attempt=1))
    last = table.answers.asked[-1]

    assert refused.kind is RefusalKind.UNREADABLE
    assert len(table.queried) == 2
    assert len(last.messages) == 6
    assert "look things up" not in last.messages[1].text


async def test_look_up_by_tool(sit, beats):
    """A call to look something up is answered by a tool's message; the same call made twice is answered once."""
    asked = '{"query": "beats", "arguments": "rock"}'
    calls = (ToolCall("1", "look_up", asked), ToolCall("2", "look_up", asked))
    table = sit(Completion(text="", tool_calls=calls), Completion(text="", tool_calls=(ToolCall("3", "play", ROCK),)))

    reply = await table.join(tools=True).act(table.decide(queries=beats))
    messages = table.answers.asked[-1].messages[2:]

    assert reply.action == 0
    assert [(m.role, m.tool_call, m.text.splitlines()[:1]) for m in messages] == [
        ("assistant", None, []),
        ("tool", "1", ["not answered: look one thing up at a time"]),
        ("tool", "2", ['beats: "scissors"']),
    ]


async def test_queries_switched_off(sit, beats):
    """Without look-ups in the settings nothing is offered, and asking is no answer."""
    table = sit('{"query": "beats"}')

    refused = await table.join(queries=False).act(table.decide(queries=beats))

    assert refused.kind is RefusalKind.UNREADABLE
    assert "look things up" not in table.answers.asked[0].messages[1].text
    assert not table.queried


@pytest.mark.parametrize("error", [BackendError("gone"), StopRun("enough")])
async def test_errors_pass(sit, error):
    """A backend that fails and a run that stops are no refusal."""
    table = sit()

    async def fail(backend, request):
        raise error

    table.answers.complete = fail

    with pytest.raises(type(error)):
        await table.join().act(table.decide())


async def test_required_schema_is_sent(sit):
    """``require`` sends the schema like ``true``."""
    table = sit(ROCK)

    await table.join(constrained="require").act(table.decide())

    assert table.answers.asked[0].schema is not None
    assert SCHEMA in table.join()._agent.backend.supports()
