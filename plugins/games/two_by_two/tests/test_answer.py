import pytest
from arena.game import Illegal
from arena.record import JSON
from arena_game_two_by_two.answer import NUMBERS, SCHEMA, pairs, read
from arena_game_two_by_two.matrix import Choices
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["A1", "B2", "a1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([], set()),
        ([["A1", "B2"]], {2}),
        ([["A1", "B1"], ["A2", "B2"]], {1, 4}),
        (["A1", "B2"], {2}),
        ([[["A1", "B2"]]], {2}),
        ([["A1", "B2"], ["A1", "B2"]], {2}),
        ([["a1", "b2"]], {2}),
        ([["Ａ１", "Ｂ２"]], {2}),  # noqa: RUF001  full-width characters are the point
        ([["B2", "A1"]], {2}),
        ([" A1", "B2 "], {2}),
        (["A1, B2", "(A2,B1)"], {2, 3}),
        ("A1, B2", {2}),
    ],
)
def test_what_can_mean_only_one_thing_is_read(answer: JSON, expected: set[int]):
    """Brackets, case, width, order and repetition do not change what is meant."""
    assert read(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        None, 3, True, {"A": "A1", "B": "B2"}, "", "A1", ["A1"], [["A1"]], [["A1", "A2"]], [["A1", "B3"]],
        [["A1", "B1", "B2"]], ["A1, B2", "A1"], [["A1", 2]], [None], [["A1", "B2"], 7], "A1 or B2", "none",
    ],
)  # fmt: skip
def test_what_is_unclear_is_refused_as_a_whole(answer: JSON):
    """A part that names no combination makes the answer unreadable; nothing is left out in silence."""
    found = read(answer)

    assert isinstance(found, Illegal)
    assert "expected" in found.reason


@given(VALUES)
@pytest.mark.slow
def test_any_value_is_read_or_refused(answer: JSON):
    """Any JSON value is read as combinations or refused as illegal; none raises."""
    assert isinstance(read(answer), (frozenset, Illegal))


@given(st.sets(st.sampled_from(list(NUMBERS.values()))))
def test_answers_written_as_asked_are_read_back(choices: set[int]):
    """Every set of combinations has its list of pairs, which the schema allows."""
    answer = pairs(Choices(choices))

    assert read(answer) == choices
    assert Draft202012Validator(SCHEMA).is_valid(answer)
