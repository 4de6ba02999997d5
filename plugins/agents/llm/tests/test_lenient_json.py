"""The object or list that ends a text is read where its meaning is certain, and nowhere else."""

import gc
import json
import random
import sys
from collections import Counter

import pytest
from arena.record import JSON, canonical_json
from arena_agent_llm.replies.lenient_json import ending_at
from arena_agent_llm.replies.thought import split
from hypothesis import example, given, strategies as st

READ = [
    ('{"action": "e4"}', "e4"),
    ("{'action': 'e4'}", "e4"),
    ("{'action': True, }", True),
    ('{"action": None}', None),
    ('{action: "e4"}', "e4"),
    ('{"action": [1, 2.5, -3e2,],}', [1, 2.5, -300.0]),
    ('{"reasoning": "if } then {", "action": "a"}', "a"),
    ('{"reasoning": "she said \\"no\\" \\\\", "action": "a"}', "a"),
    ("{'reasoning': 'it\\'s \"mine\"', 'action': 'a'}", "a"),
    ('{"reasoning": "two\nlines", "action": "a"}', "a"),
    ('{"action": {"to": {"x": [{}]}}}', {"to": {"x": [{}]}}),
    ('the set {1, 2} and {"a", "b"}, so {"action": "a"}', "a"),
    (r"\frac{1}{2}, \boxed{x} {} {'action': 'a'}", "a"),
    ('{"action": "\\u0041\\u00e9\\ud83d\\ude00"}', "Aé😀"),
    ('{"action": "\\ud83d"}', "\ufffd"),
    ('{"action": "C:\\path", }', "C:\\path"),
    ('{"confidence": 0, "action": 1}', 1),
]

BROKEN = [
    '{"action": <label>}', '{"reasoning": "he said "hi"", "action": 4}', "{'reasoning': 'I don't know', 'action': 3}",
    '{"action": e4}', '{"action": 01}', '{"action": NaN}', '{"action": 1e999}', '{"action": ' + "9" * 5_000 + "}",
    '{"action": __import__("os")}', '{"action": 1 "reasoning": 2}', '{"a": ' + "[" * 200 + "]" * 200 + ', "action": 1}',
    '{"action": [,]}', '{"action": 1_000}', '{"action": ٣}', '{"action": "a" // why\n}', '{"action": "a" /* why */}',
    '{"action": "a", # why\n}', "", "e4", '"e4"', '["action", "e4"]', "{e4}", "{}", '{"action": "a', '{"action": "a"',
    "{\u201caction\u201d: \u201ca\u201d}",
]  # fmt: skip

LISTS = [
    ('[("A1", "B2")]', [["A1", "B2"]]),
    ("[]", []),
    ("answer = [('A1', 'B1'), ('A2', 'B2'),]", [["A1", "B1"], ["A2", "B2"]]),
    ("[[1, 2.5], [true, None]]", [[1, 2.5], [True, None]]),
    ("So [A1, B2]", ["A1", "B2"]),
    ("first [1], then [2]", [2]),
    ("[\n  ('A1', 'B1'),\n  ('A2', 'B2'),\n]", [["A1", "B1"], ["A2", "B2"]]),
]

NO_LISTS = [
    "",
    "A1 and B2",
    "[('A1', 'B2')",
    "[1 2]",
    "[(1]",
    "[__import__('os').system('true')]",
    "[1 + 1]",
    "[1, # 2\n]",
]


@pytest.mark.parametrize(("text", "action"), READ)
def test_object_is_found(text: str, action: JSON):
    """An object is read in every spelling whose meaning is certain; braces that open none are prose."""
    found = ending_at(text, len(text))

    assert found is not None
    assert isinstance(found.value, dict)
    assert canonical_json(found.value["action"]) == canonical_json(action)
    assert not found.twice


@pytest.mark.parametrize("text", BROKEN)
def test_broken_object_is_none(text: str):
    """Where an object is broken or commented, nothing is dug out of it."""
    assert ending_at(text, len(text)) is None


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 1}', '{"a": 1, "a": 2}', '{"b": {"x": 1, "x": true}}', "{'a': 1, 'a': 2}"]
)
def test_a_key_that_stands_twice_is_told(text: str):
    """At any depth, and with any values."""
    found = ending_at(text, len(text))

    assert found is not None
    assert found.twice


@pytest.mark.parametrize(("text", "value"), LISTS)
def test_the_last_list_is_read(text: str, value: JSON):
    """Tuples are lists, and names without quotes are texts."""
    found = ending_at(text, len(text), "[")

    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("text", NO_LISTS)
def test_what_is_no_list_is_not_guessed(text: str):
    """A list that is broken or commented is none; nothing is evaluated."""
    assert ending_at(text, len(text), "[") is None


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = NUMBERS | st.booleans() | st.none() | st.text(max_size=5) | st.sampled_from(["a\nb", "\\", "😀"])
VALUES = st.recursive(
    LEAVES, lambda of: st.lists(of, max_size=3) | st.dictionaries(st.text(max_size=3), of, max_size=3), max_leaves=8
)


@given(VALUES, st.booleans())
@example({"action": "\u2028"}, False)
def test_an_object_of_python_is_read_as_one_of_json(value: JSON, is_ascii: bool):
    """The same value comes out of JSON and of what Python prints."""
    written = json.dumps({"action": value}, ensure_ascii=is_ascii)
    spoilt = f"{written[:-1]}, }}"

    found, again = ending_at(written, len(written)), ending_at(spoilt, len(spoilt))

    assert found is not None
    assert again is not None
    assert canonical_json(found.value) == canonical_json(again.value) == canonical_json({"action": value})


@pytest.mark.slow
@pytest.mark.parametrize("number", [10_000, pytest.param(100_000, marks=pytest.mark.campaign)])
def test_any_text_is_read_or_refused(number: int):
    """A hundred thousand mutated lists and objects are read or refused without an exception."""
    rng = random.Random(7)
    alphabet = "[](){}\"'“”`,.:#=\\ \n\tAB12ab−＿ｱ\0é"  # noqa: RUF001  look-alikes are the point
    seeds = [text for text, _ in (*READ, *LISTS)]

    for _ in range(number):
        text = list(rng.choice(seeds))
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(text) + 1)
            text[place : place + rng.randint(0, 3)] = rng.choices(alphabet, k=rng.randint(0, 3))
        whole = "".join(text)
        for end, opening in ((whole.rfind("]") + 1, "["), (whole.rfind("}") + 1, "{")):
            if found := ending_at(whole, end, opening):
                canonical_json(found.value)


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("<think>hm</think>yes", "yes", "hm"),
        ("hm</think>yes", "yes", "hm"),
        ("yes<think>hm", "", "yes\nhm"),
        ("<THINKING>a</thinking>b<think>c</think>d", "b\nd", "a\nc"),
        ("yes<think>hm</think>", "", "yes\nhm"),
        ("no thought", "no thought", ""),
        ('<think>{"action": 1}</think>', "", '{"action": 1}'),
        ("analysisWe look.assistantfinal yes", "yes", "We look."),
        ("<|begin_of_thought|>hm<|end_of_thought|><|begin_of_solution|>yes<|end_of_solution|>", "yes", "hm"),
        ("yes<|im_end|>\n<|eot_id|>", "yes", ""),
        ("analysis of it: yes", "analysis of it: yes", ""),
    ],
)
def test_thoughts_are_cut_out(text: str, said: str, thought: str):
    """What is thought is kept apart, so no answer is read from it; tokens that end a text say nothing."""
    found = split(text)

    assert (found.text, found.thought.removeprefix("analysis")) == (said, thought)


@pytest.mark.parametrize("text", ["analysisWe look", "commentary\nWe look", "<think>so"])
def test_an_open_thought_is_told(text: str):
    """A text that ends inside a thought, or in a channel that is not the final one, says nothing."""
    assert split(text).is_open


@pytest.mark.parametrize(
    "piece",
    [
        "{", "}", '{"', "{'", '{"a":', '{"a":[', '{"a":{"', '{"a":"\\', "{'a\"':", '{"a":1}', "{}", "{ ", '"', "\\",
        '{"a":1,"a":1}', "{\"{'", '{"a":1,', "[", '{"a":-', "{\n", "9", "<think>", "</think>{", "{:", '"action" ',
    ],
)  # fmt: skip
@pytest.mark.sample(fast=1, slow=3)
def test_reading_takes_linear_work(piece: str):
    """Five times the text takes no more than about five times the calls, for whatever is repeated."""

    def calls(size: int) -> int:
        text, counted = piece * (size // len(piece)), Counter()
        gc.disable()  # what others do at a garbage collection is no work of the reader
        sys.setprofile(lambda frame, event, argument: counted.update((event,)))
        try:
            split(text)
            ending_at(text + "}", len(text) + 1)
        finally:
            sys.setprofile(None)
            gc.enable()
        return counted.total()

    assert calls(100_000) < 5.5 * calls(20_000) + 500
