"""Prompts: golden texts, styles, overrides, pictures."""

import attrs
import pytest
from arena.backend import IMAGES, SCHEMA, TOOLS, Completion, ToolCall
from arena.game import Image, Options, Rejected
from arena.record import GameEvent
from arena_agent_llm import LLM as DESCRIPTOR
from arena_agent_llm.prompts.parts import PromptPart
from arena_agent_llm.prompts.prompt import Prompt
from arena_agent_llm.prompts.style import load, styles

SYSTEM = """\
You are a player in a game. These are its rules:

Rock beats scissors, scissors beat paper, paper beats rock. $5 a round.

Whenever it is your turn, choose one legal action that serves you best and answer as you are told.

Think step by step before you decide: what the position means, what the others may do, and what each of your actions \
leads to.

The players are: LEFT, RIGHT. You are LEFT."""

CHAIN = """\
Before you decide you may look things up, 2 times in this turn. For that answer {"query": "<name>", "arguments": \
<arguments>} instead of an action. You can look up:
- beats: what a hand beats (JSON schema of the arguments: {"type": "string"})

What has happened so far:
The match begins.
LEFT threw rock, RIGHT threw paper.

What you see now:
round 1 of 3

Your legal actions:
- rock
- paper
- scissors

You have already answered in this turn, and it was refused:
- "well": there is no well
- the answer was empty

Answer with one JSON object, on a line of its own, and nothing else: your reasoning first and then your action:
{"reasoning": "<your reasoning, in a few sentences>", "action": "<one of your legal actions, word for word>"}"""

DIRECT = """\
Your action is a JSON value that fits this JSON schema:
{"type": "object", "properties": {"amount": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}

What you see now:
round 1 of 3

Answer with one JSON object, on a line of its own, and nothing else:
{"action": <JSON value that fits the schema>}"""

NEWS = (GameEvent("started", None, None), GameEvent("thrown", [0, 1], None))


async def ask(table, decision, **prompt):
    table.answers.answers.append(Completion(text=""))
    await table.join(prompt=Prompt(**prompt), constrained=False).act(decision)
    return table.answers.asked[-1]


async def test_chain_of_thought_prompt(sit, beats):
    """The golden prompt with everything in it: what stays first, what changes last."""
    table = sit()
    rejected = (Rejected("no", "there is no well", "well"), Rejected("empty", "the answer was empty"))
    decision = table.decide(news=NEWS, queries=beats, rejected=rejected, attempt=2)

    request = await ask(table, decision)

    assert [message.role for message in request.messages] == ["system", "user"]
    assert request.messages[0].text == SYSTEM
    assert request.messages[1].text == CHAIN


async def test_direct_prompt(sit, amount):
    """The golden prompt with as little in it as possible: a schema, no history, no reasoning."""
    table = sit()

    request = await ask(table, table.decide(**amount, news=NEWS), style="direct", history="none")

    assert request.messages[1].text == DIRECT


async def test_parts_are_recorded(sit):
    """A request names the parts that are in it, in order, and a changed text changes its version."""
    table = sit()

    own = await ask(table, table.decide(), parts={"reasoning": "Think."})
    shipped = await ask(table, table.decide())

    assert list(shipped.parts) == ["rules", "answer-rule", "reasoning", "seat", "observation", "actions", "answer"]
    assert {name for name in own.parts if own.parts[name] != shipped.parts[name]} == {"reasoning"}


async def test_other_agents_are_named_only_where_seats_know_them(sit):
    """The part on the other agents is there where the benchmark tells them."""
    table = sit(agents=("gpt", "random"))

    request = await ask(table, table.decide())

    assert "They are played by: gpt, random." in request.messages[0].text


async def test_system_message_never_changes(sit):
    """What stands in the system message is the same in every turn and try."""
    table = sit()
    decisions = [table.decide(), table.decide(turn=1, news=NEWS), table.decide(turn=1, attempt=1)]

    texts = {(await ask(table, decision)).messages[0].text for decision in decisions}

    assert texts == {SYSTEM}


async def test_unlisted_actions(sit):
    """Legal actions are left out where the prompt is told so."""
    table = sit()

    text = (await ask(table, table.decide(), list_actions=False)).messages[1].text

    assert "rock" not in text
    assert '"action": "<your action>"' in text


async def test_picture(sit):
    """A form that is a picture stands where the observation stands."""
    table = sit()

    message = (await ask(table, table.decide(), form="image")).messages[1]

    assert [type(part) for part in message.parts] == [str, Image, str]
    assert message.parts[0] == "What you see now:\n"


async def test_observation_with_nothing_in_it(sit):
    """An observation of ``null`` is no part of the prompt."""
    table = sit()

    assert "What you see" not in (await ask(table, table.decide(), form="blank")).messages[1].text


async def test_parts_can_be_replaced_dropped_added_and_moved(sit):
    """Overrides keep the order, and a dollar sign is written twice."""
    table = sit()
    changes = {
        "answer": "For $$5: $answer",
        "reasoning": False,
        "role": {"text": "You like $seat.", "in": "system", "before": "rules"},
        "actions": {"before": "observation"},
    }

    request = await ask(table, table.decide(), parts=changes)

    assert list(request.parts) == ["role", "rules", "answer-rule", "seat", "actions", "observation", "answer"]
    assert request.messages[0].text.startswith("You like LEFT.\n\nYou are a player")
    assert "For $5: {" in request.messages[1].text


async def test_everything_dropped(sit):
    """A prompt without any part still asks."""
    table = sit()

    request = await ask(table, table.decide(), parts=dict.fromkeys(load("chain-of-thought").part_names(), False))

    assert [message.text for message in request.messages] == ["It is your turn, LEFT."]


async def test_style_from_a_file(sit, tmp_path):
    """A style may be one's own file."""
    file = tmp_path / "mine.yaml"
    file.write_text("reasoning: false\nparts:\n  - {name: all, in: user, text: '$phase $turn.$try'}\n")
    table = sit()

    request = await ask(table, table.decide(turn=1, attempt=1), style=str(file))

    assert request.messages[0].text == "move 2.2"


HIERARCHY = """\
Moves so far:
The match begins.
LEFT threw rock, RIGHT threw paper.

What you see now:
round 1 of 3

This is your move number 1.

Legal actions:
0: rock
1: paper
2: scissors

Work out a strategy for this position first, and put it into words. Decide on an action only after that.

Give your answer as one JSON object of this form, on a line of its own, and nothing else:
{"reasoning": "<your reasoning, in a few sentences>", "action": <the number of one of your legal actions>}"""


async def test_hierarchy_of_board_game_arena(sit):
    """The golden prompt of the paper's hierarchy: game and role, move number, board, actions, reasoning, JSON form."""
    table = sit()

    request = await ask(table, table.decide(news=NEWS), style="board-game-arena")

    assert request.messages[0].text.endswith(
        "The game is Rock paper scissors. The players are: LEFT, RIGHT. Your role is LEFT."
    )
    assert request.messages[1].text == HIERARCHY
    assert list(request.parts) == [
        "base-rules", "base-game", "game-history", "base-board", "base-move-number", "base-actions",
        "wrapper-reasoning", "wrapper-answer",
    ]  # fmt: skip


async def test_a_part_of_the_hierarchy_goes_with_one_line(sit):
    """Without the rules, as in the paper, nothing else changes but the hash of the parts."""
    table = sit()

    without = await ask(table, table.decide(), style="board-game-arena", parts={"base-rules": False})
    whole = await ask(table, table.decide(), style="board-game-arena")

    assert without.messages[1] == whole.messages[1]
    assert without.messages[0].text.startswith("The game is Rock paper scissors.")
    assert set(whole.parts.items()) - set(without.parts.items()) == {("base-rules", whole.parts["base-rules"])}


async def test_parts_show_forms_of_the_game(sit):
    """A part may show any of the game's forms, pictures too, and is left out in games without that form."""
    table = sit()
    parts = {
        "picture": {"text": "Look: ${form.image}", "before": "observation"},
        "thrown": {"text": "Then ${form.thrown-so-far}.", "after": "picture"},
        "missing": {"text": "Cards: ${form.cards}"},
        "observation": False,
    }

    request = await ask(table, table.decide(), parts=parts)

    pieces = request.messages[1].parts
    assert [type(piece) for piece in pieces] == [str, Image, str]
    assert pieces[0].endswith("Look: ")
    assert pieces[2].startswith("\n\nThen thrown: 0.")
    assert "missing" not in request.parts
    assert table.agent(prompt=Prompt(parts=parts)).needs(table.game, 2)["backend"] == {IMAGES}


async def test_a_part_makes_way_for_another(sit):
    """A part with ``unless`` stands in the prompt only where the other part has nothing to say."""
    table = sit()
    for form, there in (("thrown-so-far", False), ("cards", True)):
        parts = {"special": {"text": f"${{form.{form}}}"}, "observation": {"unless": "special"}}
        request = await ask(table, table.decide(), parts=parts)
        assert ("observation" in request.parts) is there


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"style": "directt"}, "did you mean 'direct'"),
        ({"style": "missing.yaml"}, "cannot be read"),
        ({"parts": {"rule": "x"}}, "did you mean 'rules'"),
        ({"parts": {"rules": "$observation"}}, "changes from turn to turn"),
        ({"parts": {"answer": "$anser"}}, "did you mean 'answer'"),
        ({"parts": {"answer": "costs $5"}}, "written \\$\\$"),
        ({"parts": {"rules": "${form.text}"}}, "changes from turn to turn"),
        ({"parts": {"answer": {"unless": "nothing"}}}, "make way"),
        ({"parts": {"answer": 5}}, "expected a text"),
        ({"parts": {"answer": {"txt": "x"}}}, "did you mean 'text'"),
        ({"parts": {"answer": {"in": "sistem"}}}, "expected one of system, user, look-up"),
        ({"parts": {"answer": {"after": "nothing"}}}, "give 'before' or 'after' one of"),
        ({"history_length": 0}, "must be >= 1"),
    ],
)
def test_mistakes_in_settings(settings, problem):
    """A prompt that cannot be written is refused when it is configured, with what may have been meant."""
    with pytest.raises(ValueError, match=problem):
        Prompt(**settings)


async def test_style_made_of_another(sit, tmp_path):
    """A style file may change parts of an installed style by name, as a benchmark file does."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "extends: direct\nactions: numbers\nparts:\n  answer-rule: false\n  observation: 'Seen: $observation'\n"
    )
    table = sit()

    request = await ask(table, table.decide(), style=str(file))

    assert list(request.parts) == ["rules", "seat", "observation", "actions", "answer"]
    assert "Seen: round 1 of 3\n\nYour legal actions:\n0: rock" in request.messages[1].text


def test_style_made_of_a_file_beside_it(tmp_path):
    """A style file may extend another file, found from where it stands; one that extends itself is refused."""
    (tmp_path / "first.yaml").write_text("extends: direct\nparts: {history: false}\n")
    (tmp_path / "second.yaml").write_text("extends: first.yaml\nparts: {news: false}\n")
    (tmp_path / "loop.yaml").write_text("extends: loop.yaml\n")

    names = load(str(tmp_path / "second.yaml")).part_names()

    assert set(load("direct").part_names()) - set(names) == {"history", "news"}
    with pytest.raises(ValueError, match="extends itself"):
        load(str(tmp_path / "loop.yaml"))


def test_style_of_another_package(installed):
    """A package ships a style under a name, which extends one of another package."""
    made = "Plugin(factory='acme_stern:styles/stern.yaml', summary='sternly')"
    init = f"from arena.plugin import Plugin\nSTERN = {made}\n"
    text = "extends: chain-of-thought\nparts: {reasoning: Think hard.}\n"
    files = {"acme_stern/__init__.py": init, "acme_stern/styles/stern.yaml": text}
    installed.add("acme-stern", {"arena.prompt_styles": {"stern": "acme_stern:STERN"}}, files)

    style = load("stern")

    assert "stern" in styles()
    assert (style.name, style.summary) == ("stern", "sternly")
    assert style.part_names() == load("chain-of-thought").part_names()
    assert next(part.text for part in style.parts if part.name == "reasoning") == "Think hard."


async def test_numbered_actions_are_read_as_numbers(sit):
    """Where actions were listed by number the schema asks for one, and a number is the action, never a label's part."""
    table = sit('{"reasoning": "", "action": 2}')
    decision = table.decide(options=Options([2, 7], {2: "take 7", 7: "take 2"}.__getitem__))

    reply = await table.join(prompt=Prompt(style="board-game-arena")).act(decision)

    assert reply.action == 2
    assert table.answers.asked[0].schema["properties"]["action"] == {"enum": [2, 7]}
    assert '"action": <the number' in table.answers.asked[0].messages[1].text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("parts: [", "is not YAML"),
        ("parts: x", "must be a list"),
        ("reasoning: 1\nparts: []", "must be true or false"),
        ("actions: words\nparts: []", "must be labels, numbers or short"),
        ("extends: directt", "did you mean 'direct'"),
        ("extends: 3", "names a style"),
        ("extends: direct\nparts: {rule: x}", "did you mean 'rules'"),
        ("parts: [{name: a, text: b, unless: c}]", "make way"),
        ("- a", "expected a table"),
        ("parts: [{name: a}]", "needs 'name' and 'text'"),
        ("parts: [{name: a, text: b}, {name: a, text: c}]", "the same name"),
        ("parts: [{name: a, text: b, role: user}]", "no key called 'role'"),
    ],
)
def test_mistakes_in_a_style_file(tmp_path, text, problem):
    """A style file that does not fit is refused with the reason."""
    file = tmp_path / "mine.yaml"
    file.write_text(text)

    with pytest.raises(ValueError, match=problem):
        load(str(file))


@pytest.mark.parametrize("name", ["direct", "chain-of-thought", "board-game-arena"])
def test_shipped_styles(name):
    """Every shipped style says what it is, shows what decisions need, and has one version on every machine."""
    style = load(name)
    shown = set().union(*(part.names for part in style.parts))

    assert style.summary
    assert {"rules", "seat", "observation", "history", "news", "actions", "schema", "queries", "answer", "tool",
            "feedback", "result"} <= shown  # fmt: skip
    assert style.version == load(name).version


def test_version_is_the_text():
    """A part's version depends on its text and place alone, and is stable."""
    part = PromptPart(name="a", place="user", text="Your turn.")

    assert part.version == attrs.evolve(part, name="b").version == "a400fbde"


async def test_drawings_are_told_in_words(sit):
    """A model reads the words of a form that draws, and needs no eyes for it."""
    table = sit()

    message = (await ask(table, table.decide(), form="scene")).messages[1]

    assert "a drawing of round 1" in message.text
    assert table.agent(prompt=Prompt(form="scene")).needs(table.game, 2)["backend"] == frozenset()


def test_needs(sit):
    """Capabilities are asked for exactly where the settings use them."""
    table = sit()

    def needs(**settings):
        return table.agent(**settings).needs(table.game, 2)["backend"]

    assert needs() == frozenset()
    assert needs(prompt=Prompt(form="image")) == {IMAGES}
    assert needs(tools=True, constrained="require") == {TOOLS}
    assert needs(constrained="require") == {SCHEMA}
    assert needs(prompt=Prompt(form="list")) == frozenset()
    assert table.agent(prompt=Prompt(form="list")).forms() == {"list"}


def test_example_is_valid():
    """The descriptor's example holds settings that exist."""
    settings = {**DESCRIPTOR.example, "backend": None, "prompt": Prompt(**DESCRIPTOR.example["prompt"])}

    assert DESCRIPTOR.load()(**settings)


BARE = """\
answer: action
parts:
  - {name: form, in: user, text: "Answer with $answer."}
  - {name: last, in: user, text: "You said $refused, but $reason."}
  - {name: all, in: user, text: "All: $all_refused"}
  - {name: count, in: user, text: "$refusals, then $refusals_left more of $refusals_allowed."}
"""


async def test_answers_may_be_the_action_itself(sit, tmp_path, amount):
    """With ``answer: action`` the object in the text is played as it is, and the schema has nothing around it."""
    (tmp_path / "bare.yaml").write_text(BARE)
    table = sit('My answer:\n{"amount": 3}')
    agent = table.join(prompt=Prompt(style=str(tmp_path / "bare.yaml")))

    turn = await agent.act(table.decide(**amount))

    assert turn.action == {"amount": 3}
    assert table.answers.asked[0].schema == amount["action_schema"]


async def test_refused_answers_of_the_whole_match_can_be_told(sit, tmp_path, amount):
    """Prompts may repeat what was answered and why it was refused, in this try and in all, and how many are left."""
    (tmp_path / "bare.yaml").write_text(BARE)
    table = sit("well", '{"amount": 9}', '{"amount": 1}', '{"amount": 1}')
    agent = table.join(prompt=Prompt(style=str(tmp_path / "bare.yaml")))
    first = Rejected("unreadable", "there is no object")
    second = Rejected("illegal", "it is too much", {"amount": 9})

    await agent.act(table.decide(**amount, refusals=0, refusals_left=4))
    await agent.act(table.decide(**amount, rejected=(first,), attempt=1, refusals=1, refusals_left=3))
    await agent.act(table.decide(**amount, rejected=(first, second), attempt=2, refusals=2, refusals_left=2))
    await agent.act(table.decide(**amount, turn=1, refusals=2, refusals_left=2))

    told = [request.messages[-1].text.splitlines() for request in table.answers.asked]
    assert told[0][2:] == ["0, then 4 more of 3."]
    assert "You said well, but there is no object." in told[1]
    assert told[2][2:] == [
        'You said {"amount": 9}, but it is too much.',
        "",
        "All: - well: there is no object",
        '- {"amount": 9}: it is too much',
        "",
        "2, then 2 more of 3.",
    ]
    assert not any(line.startswith("You said") for line in told[3])
    assert "All: - well: there is no object" in told[3]


FIELDS = """\
answer: fields
keys: {fold: why, raise: amount}
parts:
  - {name: schema, in: user, text: "A schema: $schema"}
  - {name: steps, in: user, phases: [bid, raise], text: "Think of the price."}
  - {name: form, in: user, text: "Answer with $answer."}
"""


async def test_answers_may_hold_reasoning_beside_the_fields_of_the_action(sit, tmp_path, amount):
    """With ``answer: fields`` the object without its reasoning is played, and the schema asks for both side by side."""
    (tmp_path / "fields.yaml").write_text(FIELDS)
    table = sit('My bid:\n{"reasoning": "three is enough", "amount": 3}')
    agent = table.join(prompt=Prompt(style=str(tmp_path / "fields.yaml")))

    turn = await agent.act(table.decide(**amount))

    assert (turn.action, turn.reasoning) == ({"amount": 3}, "three is enough")
    schema = table.answers.asked[0].schema
    assert list(schema["properties"]) == ["reasoning", "amount"]
    assert schema["required"] == ["reasoning"]
    assert schema["$defs"] == amount["action_schema"]["$defs"]
    told = table.answers.asked[0].messages[-1].text
    assert '{"reasoning": "<your reasoning, in a few sentences>", "amount": <value>}' in told


@pytest.mark.parametrize("phase", ["fold", "raise"])
async def test_a_whole_action_may_stand_under_a_key_of_its_phase(sit, tmp_path, amount, phase):
    """Where the action has no field of the style's key for the phase, all of it stands there; else it is the field."""
    (tmp_path / "fields.yaml").write_text(FIELDS)
    answer = {"fold": '{"reasoning": "no", "why": {"amount": 0}}', "raise": '{"reasoning": "no", "amount": 0}'}
    table = sit(answer[phase])
    agent = table.join(prompt=Prompt(style=str(tmp_path / "fields.yaml")))

    turn = await agent.act(table.decide(**amount, phase=phase))

    (request,) = table.answers.asked
    assert turn.action == {"amount": 0}
    assert list(request.schema["properties"]) == ["reasoning", {"fold": "why", "raise": "amount"}[phase]]
    skeleton = '{"reasoning": "<your reasoning, in a few sentences>", '
    assert skeleton + {"fold": '"why"', "raise": '"amount"'}[phase] in request.messages[-1].text


async def test_options_are_answered_under_a_key(sit, tmp_path):
    """Options have no fields, so that the chosen one stands under the key."""
    (tmp_path / "fields.yaml").write_text(FIELDS)
    table = sit('{"reasoning": "hm", "why": "rock"}', '{"reasoning": "hm", "action": "rock"}')
    agent = table.join(prompt=Prompt(style=str(tmp_path / "fields.yaml")))

    turns = [await agent.act(table.decide(phase=phase)) for phase in ("fold", "move")]

    assert [turn.action for turn in turns] == [0, 0]


async def test_native_calls_may_hold_the_fields_of_the_action(sit, tmp_path, amount):
    """A call of the tool has the same fields."""
    (tmp_path / "fields.yaml").write_text(FIELDS)
    call = ToolCall("1", "play", '{"reasoning": "three is enough", "amount": 3}')
    table = sit(Completion(text="", tool_calls=(call,)))
    agent = table.join(prompt=Prompt(style=str(tmp_path / "fields.yaml")), tools=True)

    turn = await agent.act(table.decide(**amount))

    assert (turn.action, turn.reasoning) == ({"amount": 3}, "three is enough")
    assert list(table.answers.asked[0].tools[0].schema["properties"]) == ["reasoning", "amount"]


async def test_parts_stand_in_their_phases(sit, tmp_path, amount):
    """A part that names phases is left out of decisions of other phases, and its version says which they are."""
    (tmp_path / "fields.yaml").write_text(FIELDS)
    table = sit()
    style = str(tmp_path / "fields.yaml")

    asked = [await ask(table, table.decide(**amount, phase=phase), style=style) for phase in ("bid", "fold")]
    moved = {"steps": {"phases": ["bid"]}}
    other = await ask(table, table.decide(**amount, phase="bid"), style=style, parts=moved)

    assert ["steps" in request.parts for request in asked] == [True, False]
    assert "Think of the price." in asked[0].messages[-1].text
    assert "Think of the price." not in asked[1].messages[-1].text
    assert other.parts["steps"] != asked[0].parts["steps"]


def test_phases_are_for_what_changes():
    """The system message is the same in all phases, so a part of it cannot name any."""
    with pytest.raises(ValueError, match="phases change from turn to turn"):
        PromptPart(name="rules", place="system", text="x", phases=("bid",))
    with pytest.raises(ValueError, match="'phases' must be a list"):
        load("direct").changed({"answer": {"phases": "bid"}})


async def test_requests_know_the_texts_of_their_parts(sit):
    """The texts of all parts with empty lines between them are the messages."""
    table = sit()

    request = await ask(table, table.decide(news=NEWS))

    texts = request.parts.texts
    assert texts.keys() == request.parts.keys()
    assert "\n\n".join(texts.values()) == "\n\n".join(message.text for message in request.messages)
