"""From a completion to an action, a look-up or a refusal."""

import random
import string

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply
from arena.backend import Completion, ToolCall
from arena.record import canonical_json
from arena_agent_llm.replies.answer import QueryCall, understand
from hypothesis import given, settings, strategies as st


@pytest.fixture
def understood(sit):
    decision = sit().decide()

    def understood(completion, *, is_lenient=False, may_look_up=False, **changes):
        if isinstance(completion, str):
            completion = Completion(text=completion, **changes)
        return understand(completion, decision, is_lenient=is_lenient, may_look_up=may_look_up)

    return understood


@pytest.mark.parametrize(
    ("text", "finish", "kind"),
    [
        ("", "stop", RefusalKind.EMPTY),
        (" \n", "stop", RefusalKind.EMPTY),
        ("<think>so</think>", "stop", RefusalKind.EMPTY),
        ("", "content-filter", RefusalKind.EMPTY),
        ("", "length", RefusalKind.TRUNCATED),
        ("", "context-length", RefusalKind.TOO_LONG),
        ('{"action": "rock"} or {"act', "length", RefusalKind.TRUNCATED),
        ("Let me think about", "length", RefusalKind.TRUNCATED),
        ("I play rock.", "stop", RefusalKind.UNREADABLE),
        ('{"move": "rock"}', "stop", RefusalKind.UNREADABLE),
        ('{"action": "rock"} {"move": "paper"}', "stop", RefusalKind.UNREADABLE),
        ('{"action": rock}', "stop", RefusalKind.UNREADABLE),
        ('{"query": "beats"}', "stop", RefusalKind.UNREADABLE),
        ('{"action": "rock", "action": "paper"}', "stop", RefusalKind.AMBIGUOUS),
    ],
)
def test_refusals(understood, text, finish, kind):
    """What cannot be read is refused by its kind and with a reason."""
    refused = understood(text, finish_reason=finish)

    assert isinstance(refused, Refusal)
    assert refused.kind is kind
    assert refused.reason
    assert refused.reason[-1] != "."


UNTOLD = {
    '{"action": "rock"}': True,
    '```json\n{"action": "rock"}\n```': True,
    '```json\n{"action": "rock"}': False,
    '{"action": "rock"}\n\nBut wai': False,
    '{"action": "rock"}\n\n{"action": "pa': False,
    '{"action": "ro': False,
    "rock": False,
    "My action: rock": False,
    "<think>Hm, I": False,
}


@pytest.mark.parametrize(("text", "is_played"), UNTOLD.items())
def test_an_answer_of_which_nobody_says_that_it_is_whole_must_be_so_by_its_form(sit, text, is_played):
    """An object alone, closed as it was opened; a label alone could be the beginning of another, also of the last."""
    said = Completion(text=text, finish_reason="unknown")
    options = {"is_lenient": True, "may_look_up": False}
    read = [understand(said, sit().decide(), takes=takes, **options) for takes in ("one", "last")]

    assert [isinstance(found, Reply) for found in read] == [is_played] * 2


@pytest.mark.parametrize(("arguments", "is_played"), [('{"action": "rock"}', True), ('{"action": "ro', False)])
def test_a_call_of_which_nobody_says_that_it_is_whole_must_be_so(understood, arguments, is_played):
    """Arguments that are an object are whole."""
    call = ToolCall("1", "play", arguments)

    assert isinstance(understood("", tool_calls=(call,), finish_reason="unknown"), Reply) is is_played


@pytest.mark.parametrize("finish", ["stop", "unknown"])
@pytest.mark.parametrize(
    ("text", "is_played"),
    [
        ('<|begin_of_box|>{"action": "rock"}<|end_of_box|>', True),
        ('<|begin_of_box|> {"action": "rock"} <|end_of_box|>\n', True),
        ('<think>Hm.</think>\n<answer><|begin_of_box|>{"action": "rock"}<|end_of_box|></answer>', True),
        ('Paper is worse. So is the pair. I have it.\n\n<|begin_of_box|>{"action": "rock"}<|end_of_box|>', True),
        ('<|begin_of_box|>```json\n{"action": "rock"}\n```<|end_of_box|>', True),
        ('<|begin_of_box|>{"action": "rock"}', False),
        ('{"action": "rock"}<|end_of_box|>', False),
        ('<|begin_of_box|>{"action": "rock"}<|end_of_box|> or not', False),
        ('<|begin_of_box|>rock<|end_of_box|>\n<|begin_of_box|>{"action": "paper"}<|end_of_box|>', False),
    ],
)
def test_boxes_of_models_of_glm_are_a_wrapper(understood, text, is_played, finish):
    """Around the object alone they say nothing; half of one, or a second one, refuses."""
    assert isinstance(understood(text, finish_reason=finish), Reply) is is_played


def test_a_whole_answer_is_refused_where_the_text_is_cut_off(understood):
    """Nobody knows what would have followed."""
    assert understood('{"action": "rock"}', finish_reason="length").kind is RefusalKind.TRUNCATED


@pytest.mark.parametrize("value", ['"well"', "99", "0", '"1"', "true"])
def test_what_was_not_shown_is_refused(understood, value):
    """What is no label is not played, be it the game's own number of an action; the reason tells what is legal."""
    refused = understood(f'{{"action": {value}}}')

    assert refused.kind is RefusalKind.UNREADABLE
    assert refused.reason.endswith(" is none of the legal actions: rock, paper, scissors")


def test_schema_decision_takes_the_value(sit, amount):
    """Without options the value is the action, strings included."""
    decision = sit().decide(**amount)

    played = understand(Completion(text='{"action": {"amount": 3}}'), decision, is_lenient=True, may_look_up=False)

    assert played.action == {"amount": 3}


def test_reasoning_comes_from_everywhere(understood):
    """Reasoning is the model's own, then what it thought, then the key or else the prose before the answer."""
    keyed = understood(Completion(text='<think>a</think>{"reasoning": "b", "action": "rock"}', reasoning="c"))
    prose = understood('They like scissors. They do. Rock it is.\n```json\n{"action": "rock"}\n```')

    assert keyed.reasoning == "c\n\na\n\nb"
    assert prose.reasoning == "They like scissors. They do. Rock it is."


def test_calls_and_text_must_agree(understood):
    """Native calls and the text beside them are one answer if they name one action, and none otherwise."""
    rock, paper = ToolCall("1", "play", '{"action": "rock"}'), ToolCall("2", "play", '{"action": "paper"}')

    agreed = understood(
        Completion(text="So be it. It is. I play rock.", tool_calls=(rock, rock), finish_reason="tool-calls")
    )
    differing = understood(Completion(text="", tool_calls=(rock, paper), finish_reason="tool-calls"))
    beside = understood(Completion(text='{"action": "scissors"}', tool_calls=(paper,), finish_reason="tool-calls"))

    assert agreed == Reply(action=0, reasoning="So be it. It is. I play rock.", note={"answer": "tool"})
    assert (differing.kind, beside.kind) == (RefusalKind.AMBIGUOUS, RefusalKind.AMBIGUOUS)


@pytest.mark.parametrize(("name", "arguments"), [("fly", '{"action": "rock"}'), ("play", "rock"), ("play", "")])
def test_tool_call_that_is_none(understood, name, arguments):
    """An unknown tool and unreadable arguments are refused; the text beside them is not used instead."""
    refused = understood(Completion(text='{"action": "rock"}', tool_calls=(ToolCall("1", name, arguments),)))

    assert refused.kind is RefusalKind.UNREADABLE


def test_look_up(understood):
    """A query is a look-up where look-ups are allowed; together with an action it is neither."""
    found = understood('{"query": "beats", "arguments": "rock"}', may_look_up=True)
    both = understood('{"query": "beats", "action": "rock"}', may_look_up=True)

    assert found == QueryCall("beats", "rock")
    assert both.kind is RefusalKind.AMBIGUOUS


def test_lenient_parser(understood):
    """Prose is searched only where that is asked for and where no structured answer was tried."""
    assert understood("My action: Rock!", is_lenient=True) == Reply(
        action=0, reasoning="My action: Rock!", note={"answer": "lenient"}
    )
    assert understood("action: rock or paper", is_lenient=True).kind is RefusalKind.UNREADABLE
    assert understood("action: well", is_lenient=True).kind is RefusalKind.UNREADABLE
    assert understood("action: rock {'action': paper}", is_lenient=True).kind is RefusalKind.UNREADABLE
    assert understood("action: rock", is_lenient=True, finish_reason="length").kind is RefusalKind.TRUNCATED


def test_long_refused_text_is_cut(understood):
    """A megabyte that cannot be read is not kept twice; the completion has all of it."""
    assert len(understood("x" * 1_000_000).text) < 3_000


def check(understood, completion):
    """Whatever was said: no exception, an action that can be journaled, and none that a reading did not give."""
    for is_lenient in (False, True):
        found = understood(completion, is_lenient=is_lenient, may_look_up=True)
        if isinstance(found, QueryCall):
            canonical_json([found.query, found.arguments]).encode()
        elif isinstance(found, Reply):
            canonical_json([found.action, found.reasoning, found.note]).encode()
        else:
            (found.reason + found.text + found.reasoning).encode()


FINISH = st.sampled_from(["stop", "length", "tool-calls", "content-filter"])
TOKENS = st.lists(
    st.sampled_from([*'{}[]:,"\'\\/ \n-1', "0", '"action"', "'action'", "rock", "True", "null", "<think>", "</think>",
                     "```", "\ud800", "é", "\x00", '{"action": "rock"}', '"query":', "\\u12"]),
    max_size=60,
).map("".join)  # fmt: skip
TEXTS = st.one_of(st.text(st.characters(), max_size=200), TOKENS)


@pytest.mark.campaign
@given(text=TEXTS, reasoning=TEXTS, arguments=TEXTS, name=st.sampled_from(["play", "look_up", "\ud800"]), finish=FINISH)
@settings(max_examples=300, deadline=None)
def test_nothing_a_model_says_raises(text, reasoning, arguments, name, finish):
    """Any text, reasoning and tool call becomes an action, a look-up or a refusal that can be written down."""
    completion = Completion(text=text, reasoning=reasoning, finish_reason=finish)
    called = attrs.evolve(completion, tool_calls=(ToolCall("1", name, arguments),))

    check(understand_hands, completion)
    check(understand_hands, called)


@pytest.mark.campaign
def test_mutated_replies():
    """10,000 good replies with random damage: if an option is played, it is the one that was meant."""
    rng = random.Random(1)
    thought, reasoning = '<think>{"action": "paper"}</think>', '"I \\"know\\" {him}"'
    good = f'{thought}My answer:\n```json\n{{"reasoning": {reasoning}, "action": "rock"}}\n```'
    letters = string.printable + "{}\"'\\<>é\ud800"
    played = 0

    for _ in range(10_000):
        text = list(good)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(3)] = rng.choice(letters) * rng.randrange(3)
        found = understand_hands(Completion(text="".join(text)))
        check(understand_hands, Completion(text="".join(text)))
        if isinstance(found, Reply) and found.action in (0, 1, 2):
            played += 1
            assert found.action == 0, "".join(text)

    assert played > 1_000


@pytest.fixture(autouse=True)
def _hands(understood):
    global understand_hands
    understand_hands = understood
