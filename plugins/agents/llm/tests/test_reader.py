"""One answer among words: what stands is played, what is contradicted, mentioned or taken back is not."""

import json
import random
import string

import pytest
from arena.agent import LAST_OF_SEVERAL, Refusal, RefusalKind, Reply
from arena.backend import Completion, Message, ToolCall
from arena.game import Decision, Options
from arena.record import Player, canonical_json
from arena_agent_llm.outcomes import KeyValue, QueryCall
from arena_agent_llm.replies.answer import object_in, read_value, understand
from hypothesis import example, given, settings, strategies as st

LABELS = ("a1", "b2", "c3")
WAITING = ("wait", "go north", "take lamp")
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
    read = {key: more.pop(key) for key in ("prompt", "takes", "may_look_up") if key in more}
    completion = Completion(text=text, **more)
    return understand(completion, decision, is_lenient=is_lenient, **{"may_look_up": False, **read})


@pytest.mark.parametrize(
    ("text", "finish", "kind"),
    [
        ('{"action":"a1"}\n{"action":"b2"}', "stop", RefusalKind.AMBIGUOUS),
        ('{"action":"c3"} since the opponent\'s last answer was {"action":"a1"}.', "stop", RefusalKind.AMBIGUOUS),
        ('{"action":"a1"}\nWait, a1 is taken. Let me think again.', "stop", RefusalKind.AMBIGUOUS),
        ('<reasoning>Perhaps {"action":"b2"} since', "length", RefusalKind.TRUNCATED),
        ('I will answer in the form {"action":"a1"} in my turn.', "stop", RefusalKind.UNREADABLE),
        ('Do not play this:\n{"action":"a1"}', "stop", RefusalKind.UNREADABLE),
        ('{"action":"a1"}\nOr maybe b2.', "stop", RefusalKind.AMBIGUOUS),
        ('{"action":"a1"}\nBetter: {"ac', "length", RefusalKind.TRUNCATED),
        ("The right thing is to avoid the action b2.", "stop", RefusalKind.UNREADABLE),
    ],
)
def test_the_cases_that_were_played_at_random(text: str, finish: str, kind: RefusalKind):
    """Each of the replies that began this rule is refused by its kind, strict and lenient."""
    found = [said(text, is_lenient=is_lenient, finish_reason=finish) for is_lenient in (False, True)]

    assert [one.kind for one in found if isinstance(one, Refusal)] == [kind, kind]


def test_an_object_without_the_key_harms_nothing():
    """What stands behind the answer and names no action leaves it as it is."""
    assert said('{"action":"b2"}\n{"sure": true}').action == "b2"


def test_the_reason_names_what_was_found():
    """A model that is asked again is told which two actions it named, and what to write."""
    refused = said('{"action":"a1"}\n{"action":"b2"}')

    assert refused.reason == (
        "the answer holds two different actions ('a1' and 'b2'); write one JSON object, the answer you mean, on a line "
        "of its own"
    )


def test_a_withdrawal_word_that_is_the_action():
    """Where waiting is an action, the word withdraws nothing; where it is none, it does."""
    text = '{{"action": "{}"}}\nWait, it costs nothing.'

    assert said(text.format("wait"), labels=WAITING).action == "wait"
    assert said(text.format("take lamp"), labels=WAITING).kind is RefusalKind.AMBIGUOUS


def test_full_width_forms_are_folded():
    """A label in full-width letters is the action if it can be no other."""
    assert said('{"action": "\uff41\uff11"}').action == "a1"


@pytest.mark.parametrize("placeholder", ["<your action>", "...", "…", "[your move]", "<a1>"])
def test_placeholders_are_no_answers(placeholder: str):
    """A form that was copied with its placeholder neither answers nor contradicts."""
    form = f'{{"action": "{placeholder}"}}'

    assert said(form).kind is RefusalKind.UNREADABLE
    assert said(f'The form is {form}.\n\n{{"action": "b2"}}').action == "b2"


def test_copies_of_the_prompt_are_no_answers():
    """An example that stands in the prompt with the words around it is not the model's; a bare object always is."""
    prompt = (Message.of("user", 'You are X.\nFor example: {"action": "a1"}\nNow answer.'),)

    assert said('For example: {"action": "a1"}\n\n{"action": "b2"}', prompt=prompt).action == "b2"
    assert said('{"action": "a1"}', prompt=prompt).action == "a1"


def test_taking_the_last_is_marked():
    """With ``takes: last`` the last of several is played, and marked where the rule would have refused it."""
    several = said('{"action":"a1"}\n{"action":"b2"}', takes="last")
    single = said('{"action":"a1"}', takes="last")
    cut_off = said('{"action":"a1"}\n{"act', takes="last", finish_reason="length")

    assert (several.action, several.note) == ("b2", {"answer": LAST_OF_SEVERAL})
    assert (single.action, single.note) == ("a1", {"answer": "json"})
    assert cut_off.kind is RefusalKind.TRUNCATED


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


def test_other_keys_are_read_by_the_same_rule():
    """Notes and judgements contradict themselves, are thought, and are cut off just as actions are."""
    note = read_value(Completion(text='<think>{"note": "x"}</think>\n{"note": "y"}'), "note", may_look_up=False)
    two = read_value(Completion(text='{"note": "x"}\n{"note": "y"}'), "note", may_look_up=False)
    judged, problem = object_in(Completion(text='{"fair": 1}\n\nThat is my judgement.'), ("fair",))
    _, differing = object_in(Completion(text='{"fair": 1}\n{"fair": 0}'), ("fair",))

    assert note == KeyValue("y")
    assert isinstance(two, Refusal)
    assert (judged, problem) == ({"fair": 1}, "")
    assert "two different answers" in differing


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
    assert said('I [think] so.\n{"action": "b2"}').action == "b2"


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
