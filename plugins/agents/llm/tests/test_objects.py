"""Finds the objects in a text, and what is wrong with those that are not whole."""

import gc
import json
import sys
from collections import Counter

import pytest
from arena_agent_llm.replies.lenient_json import QUICKLY
from arena_agent_llm.replies.objects import find_objects
from arena_agent_llm.replies.thought import split

READ = [
    ('{"action": "e4"}', "e4"),
    ('Sure!\n```json\n{"action": "e4"}\n```\nGood luck.', "e4"),
    ("```\n{'action': 'e4'}\n```", "e4"),
    ("{'action': True, }", True),
    ('{"action": None}', None),
    ('{"action": [1, 2.5, -3e2,],}', [1, 2.5, -300.0]),
    ('{"reasoning": "if } then {", "action": "a"}', "a"),
    ('{"reasoning": "she said \\"no\\" \\\\", "action": "a"}', "a"),
    ("{'reasoning': 'it\\'s mine', 'action': 'a'}", "a"),
    ('{"reasoning": "two\nlines", "action": "a"}', "a"),
    ('{"action": {"to": {"x": [{}]}}}', {"to": {"x": [{}]}}),
    ('the set {1, 2} and {"a", "b"}, so {"action": "a"}', "a"),
    (r"\frac{1}{2}, \boxed{x} {} {{'action': 'a'}}", "a"),
    ('{{"action": "a"}}', "a"),
    (r'\text{Answer: }{"action": "a"}', "a"),
    ('{"action": "a"} since {x} holds', "a"),
    ('{"action": "\\u0041\\u00e9\\ud83d\\ude00"}', "Aé😀"),
    ('{"action": "\\ud83d"}', "�"),
    ('{"action": "C:\\path"}', "C:\\path"),
    ('{"action": "a", "action": "a"}', "a"),
    ('{"action": 1, "confidence": 0}', 1),
]

BROKEN = [
    '{"action": "a"}}\n}',
    'the brace { opens; answer: {"action": "a"}',
    'I answer as {"reasoning": ..., "action": ...}. {"action": "a"}',
    '{"action": <label>} {"action": "a"}',
    '{"reasoning": "he said "hi" and {"action": 3}", "action": 4}',
    '{"reasoning": "a } b "q" {"action": 1}", "action": 2}',
    '{"reasoning": {"alternative": {"action": "a1"}}, "action": b2}',
    "{'reasoning': 'I don't know', 'action': 3}",
    '{"action": "a"} wait {"action": e4}',
    '{"action": 01}',
    '{"action": NaN}',
    '{"action": 1e999}',
    '{"action": ' + "9" * 5_000 + "}",
    '{"action": __import__("os")}',
    '{"action": 1 "reasoning": 2}',
    '{"a": ' + "[" * 200 + "]" * 200 + ', "action": 1}',
    '{"action": [,]}',
    '{"action": 1_000}',
    '{"action": ٣}',
    '{"action": "a"} "reasoning": "x", "action": "b"}',
    '{"x": oops} {"action": 1}, "action": 2}',
]

CUT_OFF = [
    '{"action": "a"}, or rather {action: "b"',
    "}}}{{{ x",
    '{"action": "a"} and then {"rea',
    '{"action": "a',
    '{"action": "a"',
    '{"action"',
    '{"action":',
    "{",
    '{"a": [1, {"b": ',
]

NONE = ["", "e4", "I play e4.", "3", '"e4"', '["action", "e4"]', "{e4}", "{}", "action: e4"]


@pytest.mark.parametrize(("text", "action"), READ)
def test_object_is_found(text, action):
    """An object is read in every spelling whose meaning is certain; braces that open none are prose."""
    scanned = find_objects(text, ("action",))
    (found,) = scanned.found

    assert scanned.state == "whole"
    assert json.dumps(found.value["action"]) == json.dumps(action)
    assert not found.twice


@pytest.mark.parametrize("text", BROKEN)
def test_broken_object_is_told(text):
    """Where an object is broken, nothing is dug out of it, and the problem is told."""
    scanned = find_objects(text, ("action",))

    assert scanned.state == "damaged"
    assert scanned.problem


@pytest.mark.parametrize("text", CUT_OFF)
def test_cut_off_object_is_told(text):
    """An object that stops in the middle is told, whatever stood before it."""
    assert find_objects(text, ("action",)).state == "cut-off"


@pytest.mark.parametrize("text", NONE)
def test_prose_holds_no_object(text):
    """Prose, bare values and bare words are never searched."""
    scanned = find_objects(text, ("action",))

    assert (scanned.state, scanned.found) == ("whole", ())


def test_several_objects_are_all_found():
    """Each object counts, also one whose keys have no quotes."""
    scanned = find_objects('{"action": "a"}, or rather {action: "b"}', ("action",))

    assert [found.value for found in scanned.found] == [{"action": "a"}, {"action": "b"}]


@pytest.mark.parametrize("text", ['{"action": "a", "action": "b"}', '{"action": {"x": 1, "x": true}}'])
def test_two_values_for_one_key(text):
    """A key with two different values is reported, at any depth, by the key of the object itself."""
    (found,) = find_objects(text, ("action",)).found

    assert found.twice == {"action"}


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("<think>hm</think>yes", "yes", "hm"),
        ("hm</think>yes", "yes", "hm"),
        ("yes<think>hm", "", "yes\nhm"),
        ("<THINKING>a</thinking>b<think>c</think>", "b", "a\nc"),
        ("no thought", "no thought", ""),
        ('<think>{"action": 1}</think>', "", '{"action": 1}'),
    ],
)
def test_thoughts_are_cut_out(text, said, thought):
    """What is thought is kept apart, so no answer is read from it."""
    found = split(text)

    assert (found.text.strip(), found.thought) == (said, thought)


@pytest.mark.parametrize(
    "piece",
    [
        "{", "}", '{"', "{'", '{"a":', '{"a":[', '{"a":{"', '{"a":"\\', "{'a\"':", '{"a":1}', "{}", "{ ", '"', "\\",
        '{"a":1,"a":1}', "{\"{'", '{"a":1,', "[", '{"a":-', "{\n", "9", "<think>", "</think>{", "{:", '"action" ',
    ],
)  # fmt: skip
@pytest.mark.sample(fast=1, slow=3)
def test_reading_takes_linear_work(piece):
    """Five times the text takes no more than about five times the calls, for whatever is repeated.

    Both are longer than what Python's own reader is tried with, whose work is no call.
    """

    def calls(size: int) -> int:
        text, counted = piece * (size // len(piece)), Counter()
        gc.disable()  # what others do at a garbage collection is no work of the reader
        sys.setprofile(lambda frame, event, argument: counted.update((event,)))
        try:
            split(text)
            find_objects(text, ("action",))
        finally:
            sys.setprofile(None)
            gc.enable()
        return counted.total()

    size = QUICKLY + 1_000
    assert calls(5 * size) < 5.5 * calls(size)
