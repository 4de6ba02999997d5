import random

import pytest
from arena.record import JSON
from arena_agent_llm.replies.objects import find_lists

FENCED = "I think so.\n```python\nanswer = {}  # list-type\n```\nThat is all."


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (FENCED.format('[("A1", "B2")]'), [["A1", "B2"]]),
        (FENCED.format("[]"), []),
        (FENCED.format("[('A1', 'B1'), ('A2', 'B2'),]"), [["A1", "B1"], ["A2", "B2"]]),
        ("```\n[[1, 2.5], [true, None]]\n```", [[1, 2.5], [True, None]]),
        ('answer = [("A1", "B2")]', [["A1", "B2"]]),
        ('{"answer": [["A1", "B2"]]}', [["A1", "B2"]]),
        ("So [A1, B2] it is.", ["A1", "B2"]),
        ("[“A1”, ‘B2’]", ["A1", "B2"]),  # noqa: RUF001
        ("first [1], then [2]", [2]),
        ("[1] in prose\n```python\nanswer = [2]\n```\nand [3] after it", [2]),
        ("```\nx = [1]\n```\nno:\n```\nx = [2]\n```", [2]),
        ("```python\nanswer = []\nanswer = [('A1', 'B1')]\n```", [["A1", "B1"]]),
        ("[\n  ('A1', 'B1'),  # the first ]\n  ('A2', 'B2'),\n]", [["A1", "B1"], ["A2", "B2"]]),
        ("```python\nanswer = [1]", [1]),
    ],
)
def test_the_last_list_is_read(text: str, value: JSON):
    """In fenced blocks if there are any, otherwise anywhere; tuples, quotes and comments as Python has them."""
    scanned = find_lists(text)

    assert (scanned.state, scanned.found[-1].value) == ("whole", value)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("", "whole"),
        ("A1 and B2", "whole"),
        ("[1] but\n```python\nanswer = none\n```", "whole"),
        ("[('A1', 'B2')", "cut-off"),
        ("[1], and then [2", "cut-off"),
        ("[1] [1 2]", "damaged"),
        ("[(1]", "damaged"),
        ("[__import__('os').system('true')]", "damaged"),
        ("[1] and [(lambda: 0)()]", "damaged"),
        ("[1 + 1]", "damaged"),
        ("[" * 100, "cut-off"),
    ],
)
def test_what_is_no_list_is_not_guessed(text: str, state: str):
    """A list that is broken or cut off is told, even if a whole one stands before it; nothing is evaluated."""
    scanned = find_lists(text)

    assert scanned.state == state
    assert state != "whole" or scanned.found == ()


@pytest.mark.slow
@pytest.mark.parametrize("number", [10_000, pytest.param(100_000, marks=pytest.mark.campaign)])
def test_any_text_is_read_or_refused_in_linear_time(number: int):
    """A hundred thousand mutated replies are read or refused without an exception."""
    rng = random.Random(7)
    alphabet = "[](){}\"'“”`,.:#=\\ \n\tAB12ab−＿ｱ\0é"  # noqa: RUF001  look-alikes are the point
    seeds = [FENCED.format(t) for t in ('[("A1", "B2")]', "[]", "[[['A1','B1']],[]]", "[(A1, B1), (A2, B2)]")]

    for _ in range(number):
        text = list(rng.choice(seeds))
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(text) + 1)
            text[place : place + rng.randint(0, 3)] = rng.choices(alphabet, k=rng.randint(0, 3))
        scanned = find_lists("".join(text))
        assert scanned.state in ("whole", "damaged", "cut-off")
        assert (scanned.state == "whole") == (not scanned.problem)


@pytest.mark.slow  # long texts; mutated ones are fast
@pytest.mark.parametrize("text", ["['" * 100_000, "[" * 200_000, '["a",' * 60_000, "```\n" * 50_000, "[1,#" * 50_000])
@pytest.mark.sample(slow=1)
def test_hostile_texts_are_no_burden(text: str):
    """Nothing in a reply makes reading it slow: a quadratic reader would run into the test's time limit."""
    assert find_lists(text).state in ("whole", "damaged", "cut-off")
