"""One answer among words: what stands is played, what is contradicted, mentioned or taken back is not."""

import json
import random
import string

import pytest
from arena.agent import LAST_OF_SEVERAL, Refusal, RefusalKind, Reply
from arena.backend import Completion, ToolCall
from arena.game import Decision, Options
from arena.record import Player, canonical_json
from arena_agent_llm.outcomes import AnswerShape, KeyValue, QueryCall
from arena_agent_llm.replies.answer import object_in, read_value, understand
from hypothesis import example, given, settings, strategies as st

LABELS = ("a1", "b2", "c3")
SENTENCES = (
    "The centre controls four lines.", "My opponent will not like it.", "I considered a1 as well.", "Was that all?",
    "If c3 were free I would take it.", "Wait, let me check.", "So:", "Final answer:", "b2 is taken.", "Or maybe c3.",
    "```json", "```", "> quoted", "1.", "{sure}", "<b>", "¿Qué hago?", "我选 a1。", "Nein, doch nicht.",
)  # fmt: skip
ANSWER = '{"action": "c3"}'
THOUGHTS = (
    ("<think>", "</think>"), ("<thinking>", "</thinking>"), ('<reasoning kind="x">', "</reasoning>"),
    ("<SCRATCHPAD>", "</SCRATCHPAD>"), ("\n[THINK]", "[/THINK]"), ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"), ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<seed:think>", "</seed:think>"),
)  # fmt: skip


def said(text: str, *, labels: tuple[str, ...] = LABELS, is_lenient: bool = False, **more: object):
    """What a reply comes to, in a decision between these labels."""
    decision = Decision(player=Player(0), options=Options(labels, str))
    read = {key: more.pop(key) for key in ("takes", "may_look_up") if key in more}
    completion = Completion(text=text, **more)
    return understand(completion, decision, is_lenient=is_lenient, **{"may_look_up": False, **read})


PLAYED = (
    '{"action": "b2"}', '{"reasoning": "The centre.", "action": "b2"}', "{'action': 'b2',}", '{action: "b2"}',
    '{"action": "b2"}.', '```json\n{"action": "b2"}\n```', '```\n{"action": "b2"}\n```', '**{"action": "b2"}**',
    '`{"action": "b2"}`', '<answer>{"action": "b2"}</answer>', '<respuesta>\n{"action": "b2"}\n</respuesta>',
    'My move: {"action": "b2"}', 'La mia mossa:\n{"action": "b2"}', '### 🎯 Move\n\n{"action": "b2"}',
    'Поэтому мой ход:\n{"action": "b2"}', '因此我的最终决定如下\uff1a{"action": "b2"}', '→ {"action": "b2"}',
    '=> {"action": "b2"}', 'It blocks the row. My answer: {"action": "b2"}',
    'The row is open. So is the edge. I close both there.\n{"action": "b2"}',
    'The corners are gone. So is the edge. There is one way left, and it is long\n\n{"action": "b2"}',
    '<analysis>Hm?</analysis>\n{"action": "b2"}',
    'The rows:\n\n| a | b |\n|---|---|\n| x | o |\n\n{"action": "b2"}', '{"action": "b2"}\n{"action": "b2"}',
    '<think>{"action": "a1"}</think>{"action": "b2"}', '{"action": "b2"}<|im_end|>',
    '因此最佳位置是中心。对手下不了别处。我下在那里。\n\n{"action": "b2"}',
    'Answer as {"action": "<label>"}. That is clear. I do so.\n\n{"action": "b2"}',
    'So play(action="b2"). It is best. I am sure.\n\n{"action": "b2"}',
)  # fmt: skip
REFUSED = (
    '{"action": "b2"}\n\nI like it.', '{"action": "b2"} ❌', '{"action": "b2"}?',
    '{"action": "b2", "status": "rejected"}', '{"action": "b2", "reasoning": "or a1"}',
    '{"reasoning": ["x"], "action": "b2"}', '{"action": "b2" /* no */}', '[{"action": "b2"}]',
    '{"action": "b2", "action": "b2"}', '```python\n{"action": "b2"}\n```', '```json\n{"action": "b2"}',
    '> {"action": "b2"}', '1. {"action": "b2"}', '- {"action": "b2"}', '~~{"action": "b2"}~~', '"{"action": "b2"}"',
    '# {"action": "b2"}', '| {"action": "b2"} |', '<draft>\n{"action": "b2"}\n</draft>',
    '<draft> I look at it. So it is. It is done.\n\n{"action": "b2"}', 'Плохой ход: {"action": "b2"}',
    'If allowed, my move: {"action": "b2"}', 'This is not my move: {"action": "b2"}',
    'Bob\'s move: {"action": "b2"}', 'Your move: {"action": "b2"}', 'My previous move: {"action": "b2"}',
    'E.g. my move: {"action": "b2"}', 'And then? My move: {"action": "b2"}',
    'I hope so. I do. What about this?\n\n{"action": "b2"}', 'I see it all. I do. But then...\n\n{"action": "b2"}',
    'Self-check: FAILED.\n\n{"action": "b2"}', 'Aspetta, b2 è già occupata dal mio avversario.\n\n{"action": "b2"}',
    'All is said. It is done. Rejected\n\n{"action": "b2"}',
    'So. It is. All of it.\n\n**Rejected options of mine are these ones here**\n\n{"action": "b2"}', 's/b2/a1/',
    '\\boxed{7}\n\nIt is said. It is done. So it is.\n\n{"action": "b2"}',
    'It is said. It is done. I play a1.\n\n{"action": "b2"}',
    'action: a1\nIt is said. It is done. So it is.\n{"action": "b2"}', '<|tool|>{"action": "b2"}',
    '<move>a1</move>\n\nIt is said. It is done. So it is.\n{"action": "b2"}',
    'play(a1). It is said. It is done. So it is.\n\n{"action": "b2"}',
    '{"name": "play", "arguments": {"action": "a1"}}\n\n{"action": "b2"}',
    '{"name": "play", "arguments": {"action": "b2"}}',
    'analysisI see.\n\n{"action": "b2"}',
    '{"action": "…"}', '<parameter name="action">a1</parameter>\nIt is said. It is done. So it is.\n{"action": "b2"}',
    '{"action": "a1"} or {"action": "b2"}',
    'The square b2 is taken. It is not free.\n\n{"action": "b2"}', '{"action": "b2"}\n<think>Or a1?</think>',
)  # fmt: skip


@pytest.mark.parametrize("text", PLAYED)
def test_an_answer_in_the_asked_form_is_played(text: str):
    """One object, whole and alone, in at most one wrapper, behind an announcement or finished sentences."""
    found = said(text)

    assert isinstance(found, Reply), found
    assert found.action == "b2"


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("is_lenient", [False, True])
def test_an_answer_in_another_form_is_refused(text: str, is_lenient: bool):
    """Other keys, text behind, other wrappers, unfinished words before it, and a second candidate."""
    assert isinstance(said(text, is_lenient=is_lenient), Refusal)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"action":"a1"}\nOr maybe b2.', RefusalKind.UNREADABLE),
        ('{"action":"a1"}\n{"action":"b2"}', RefusalKind.AMBIGUOUS),
        ('My plan: {"action":"a1"} first.\n\nMy move:\n{"action":"b2"}', RefusalKind.AMBIGUOUS),
        ('{"action":"a1", "action": "b2"}', RefusalKind.AMBIGUOUS),
    ],
)
def test_the_kind_of_a_refusal(text: str, kind: RefusalKind):
    """Where two actions are named the answer is ambiguous; in another form it is unreadable."""
    assert said(text).kind is kind


def test_the_reason_asks_for_the_same_answer():
    """A model that is asked again is told the form, and never another action, nor one to copy."""
    refused = said('{"action": "b2"}\n\nThat is all.')

    assert refused.reason == (
        'something stands behind it; write the same answer again, as the object alone: {"action": "<…>"}'
    )


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("b2", "b2"), ("**b2**", "b2"), ("My move: b2", "b2"), ("It is open. So it is. I close it.\nAction: b2.", "b2"),
        ("b2?", None),
        ("I play a1.\nb2", None), ("Not b2", None), ("Bob's move: b2", None), ("Mossa: b2\n\nIt is best.", None),
        ('{"move": 1}\nb2', None), ("I play b2 or a1", None),
    ],
)  # fmt: skip
def test_lenient_reads_the_last_line(text: str, action: str | None):
    """Without any object a label is read that is the last line, alone or behind an announcement; strict reads none."""
    found = said(text, is_lenient=True)

    assert (found.action if isinstance(found, Reply) else None) == action
    assert isinstance(said(text), Refusal)


def test_an_answer_with_several_keys():
    """An object of many keys holds no others, and no second one stands beside it."""
    schema = {"type": "object", "properties": {"give": {}, "get": {}}}
    decision = Decision(player=Player(0), action_schema=schema, sampler=lambda rng: {})

    def read(text: str):
        completion = Completion(text=text)
        return understand(completion, decision, is_lenient=False, may_look_up=False, shape=AnswerShape("fields"))

    assert read('{"reasoning": "fair", "give": 1, "get": 2}').action == {"give": 1, "get": 2}
    assert isinstance(read('{"give": 1, "get": 2, "final": true}'), Refusal)
    assert isinstance(read('I thought of it. I did. Then of {"give": 2}.\n\n{"give": 1, "get": 2}'), Refusal)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('```python\nanswer = [("a1", "b2")]\n```', [["a1", "b2"]]),
        ("My answer:\n[a1, b2]", ["a1", "b2"]),
        ("```python\nanswer = [1]\n```\nThat is all.", None),
        ("```python\n# no\nanswer = [1]\n```", None),
        ("Not this: [1]", None),
        ("```python\nanswer = [2]\n```\nMy answer:\n```python\nanswer = [1]\n```", None),
    ],
)
def test_a_list_is_read_by_the_same_rule(text: str, value: list[object] | None):
    """Whole and alone, in a block of Python or none."""
    decision = Decision(player=Player(0), action_schema={"type": "array"}, sampler=lambda rng: [])
    completion = Completion(text=text)

    found = understand(completion, decision, is_lenient=False, may_look_up=False, shape=AnswerShape("list"))

    assert (found.action if isinstance(found, Reply) else None) == value


def test_taking_the_last_is_marked():
    """With ``takes: last`` the last of several is played, and marked where the rule would have refused it."""
    several = said('{"action":"a1"}\n{"action":"b2"}', takes="last")
    single = said('{"action":"a1"}', takes="last")
    cut_off = said('{"action":"a1"}\n{"act', takes="last", finish_reason="length")
    damaged = said('{"action":"a1"}\n{"action": b2}', takes="last")

    assert (several.action, several.note) == ("b2", {"answer": LAST_OF_SEVERAL})
    assert (single.action, single.note) == ("a1", {"answer": "json"})
    assert (cut_off.kind, damaged.kind) == (RefusalKind.TRUNCATED, RefusalKind.UNREADABLE)


def test_a_look_up_is_not_an_action():
    """A call that looks something up holds no action, and together with one that plays it is neither."""
    look_up = ToolCall("1", "look_up", '{"query": "rules", "action": "a1"}')
    play = ToolCall("2", "play", '{"action": "a1"}')

    alone = said("", may_look_up=True, tool_calls=(ToolCall("1", "look_up", '{"query": "rules"}'),))
    both = said("", may_look_up=True, tool_calls=(ToolCall("1", "look_up", '{"query": "rules"}'), play))
    mixed = said("", may_look_up=True, tool_calls=(look_up,))

    assert alone == QueryCall("rules", None)
    assert both.kind is RefusalKind.AMBIGUOUS
    assert isinstance(mixed, Refusal)


@pytest.mark.parametrize(
    ("text", "is_played"),
    [
        ("", True),
        ("The row is open. So is the edge. I close it at b2.", True),
        ("I play b2.", False),
        ("So be it. It is. Now.", False),
        ("Hm. I play b2.", False),
    ],
)
def test_text_beside_a_call_ends_with_what_it_plays(text: str, is_played: bool):
    """Three sentences, the last with the label of what is called; or no text at all."""
    found = said(text, tool_calls=(ToolCall("1", "play", '{"action": "b2"}'),))

    assert isinstance(found, Reply) == is_played


def test_other_keys_are_read_by_the_same_rule():
    """Notes and judgements are thought, stand beside others, and are cut off just as actions are."""
    note = read_value(Completion(text='<think>{"note": "x"}</think>\n{"note": "y"}'), "note", may_look_up=False)
    two = read_value(Completion(text='{"note": "x"}\n{"note": "y"}'), "note", may_look_up=False)
    judged, problem = object_in(Completion(text='My answer:\n{"fair": 1}'), ("fair",))
    _, behind = object_in(Completion(text='{"fair": 1}\n\nThat is my judgement.'), ("fair",))

    assert note == KeyValue("y")
    assert isinstance(two, Refusal)
    assert (judged, problem) == ({"fair": 1}, "")
    assert "something stands behind it" in behind


@pytest.mark.campaign
@given(st.lists(st.sampled_from(SENTENCES), max_size=6), st.lists(st.sampled_from(SENTENCES), max_size=6))
@settings(max_examples=400, deadline=None)
def test_prose_never_makes_another_action(before: list[str], behind: list[str]):
    """Around one good answer, no prose makes another action of it: it is played or refused."""
    text = "\n".join((*before, '{"action": "b2"}', *behind))

    for is_lenient in (False, True):
        found = said(text, is_lenient=is_lenient)
        assert isinstance(found, Refusal) or found.action == "b2"


@given(st.permutations(LABELS), st.text(" \n.,-:#>`abc", max_size=30), st.sampled_from(SENTENCES))
@settings(max_examples=300, deadline=None)
def test_two_answers_are_refused(labels: list[str], between: str, sentence: str):
    """Two different answers in one reply are refused, whatever stands between them."""
    text = f'{{"action": "{labels[0]}"}}{between}{sentence}\n{{"action": "{labels[1]}"}}'

    assert isinstance(said(text), Refusal)
    assert isinstance(said(text, is_lenient=True), Refusal)


@pytest.mark.campaign
@given(
    st.sampled_from(THOUGHTS), st.lists(st.sampled_from((*SENTENCES, '{"action": "c3"}', '{"action": "')), max_size=5)
)
@settings(max_examples=400, deadline=None)
@example(THOUGHTS[0], [ANSWER])
def test_thoughts_are_never_played(marks: tuple[str, str], lines: list[str]):
    """What stands between the marks of a thought is never played, whether an answer follows, precedes or is missing."""
    thought = "\n".join((marks[0], *lines, '{"action": "c3"}', marks[1]))

    for text in (thought, f'{thought}\n{{"action": "b2"}}', thought.removesuffix(marks[1])):
        for is_lenient in (False, True):
            found = said(text, is_lenient=is_lenient)
            assert isinstance(found, Refusal) or found.action == "b2", text
    assert said(f'{marks[0]}\nhm\n{marks[1]}\n{{"action": "b2"}}').action == "b2"


def test_a_mark_inside_a_string_is_none():
    """Inside a JSON string nothing is a mark of a thought, nor is a word in brackets inside a line."""
    assert said('{"reasoning": "I <think> a1 is </thinking> weak", "action": "b2"}').action == "b2"
    assert said('It is so. It is. I [think] so.\n{"action": "b2"}').action == "b2"


PIECES = (
    *'{}[]:,"\'\\/ \n-1', "action", '"action"', '"action": "b2"', '{"action": "a1"}', "a1", "b2", "c3", "<think>",
    "</think>", "[THINK]", "[/THINK]", "<|channel|>final<|message|>", "<|end|>", "```", "//", "/*", "*/", "Wait, ",
    "My answer: ", "or ", "not ", "?", "\uff1a", "\uff1f", "我选", "\ud800", "\x00", "é", "ﬁ", "\u2028",
)  # fmt: skip


def fuzz(count: int, seed: int) -> None:
    """Read random texts of pieces and letters, none of which may raise or come to something that cannot be written."""
    rng = random.Random(seed)
    letters = (*PIECES, *string.printable)
    for number in range(count):
        text = "".join(rng.choice(PIECES if number % 2 else letters) for _ in range(rng.randrange(40)))
        calls = (ToolCall("1", rng.choice(("play", "look_up", "x")), text[::-1]),) if number % 5 == 0 else ()
        finish = rng.choice(("stop", "length", "tool-calls", "content-filter", "context-length"))
        found = said(
            text, is_lenient=number % 3 == 0, may_look_up=number % 7 == 0, tool_calls=calls, finish_reason=finish
        )
        if isinstance(found, Reply):
            canonical_json([found.action, found.reasoning, found.note]).encode()
        elif isinstance(found, Refusal):
            f"{found.reason}{found.text}{found.reasoning}".encode()


@pytest.mark.campaign
def test_no_text_raises():
    """5,000 random texts are read or refused."""
    fuzz(5_000, seed=7)


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
def test_a_million_texts_raise_nothing():
    """A million random texts are read or refused."""
    fuzz(1_000_000, seed=11)


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize(
    "piece", ["{", '{"a": "', "<think>", "</think>", '{"action": "a1"}\n', "[[", "```json\n", "Or a1. "]
)
def test_a_megabyte_is_no_burden(piece: str):
    """A megabyte of whatever looks like the beginning of something is read or refused; benchmarks say how fast."""
    found = said((piece * 1_000_000)[:1_000_000] + '\n{"action": "b2"}', is_lenient=True)

    assert isinstance(found, Refusal) or found.action == "b2"


@given(
    labels=st.lists(st.text("abc1 ", min_size=1, max_size=5), min_size=1, max_size=4, unique=True),
    data=st.data(),
    key=st.sampled_from(["action", "action", "reasoning", "move", "query"]),
    reasoning=st.text(max_size=12),
    thought=st.sampled_from(["", "hm"]),
    may_look_up=st.booleans(),
)
def test_an_answer_that_stands_alone_is_read_like_one_in_a_fence(labels, data, key, reasoning, thought, may_look_up):
    """One object and nothing else is read in a shorter way, and comes to the same."""
    label = data.draw(st.sampled_from(labels))
    value = data.draw(st.sampled_from([label, f" {label.upper()}", "...", "d", None, 1]))
    answer = json.dumps({"reasoning": reasoning, key: value}, ensure_ascii=False)

    bare, fenced = (
        said(text, labels=tuple(labels), reasoning=thought, may_look_up=may_look_up)
        for text in (answer, f"```\n{answer}\n```")
    )

    assert type(bare) is type(fenced)
    if not isinstance(bare, Refusal):
        assert bare == fenced
