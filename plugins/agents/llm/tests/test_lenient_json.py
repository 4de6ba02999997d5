"""Objects are read alike by Python's own reader, which is tried first, and by ours, whatever they are spoilt with."""

import json

import attrs
import pytest
from arena_agent_llm.replies.lenient_json import parse
from hypothesis import example, given, strategies as st

NUMBERS = st.integers() | st.floats()
LEAVES = NUMBERS | st.booleans() | st.none() | st.text(max_size=5) | st.sampled_from(["a\nb", "\\", "\ud800", "😀"])
VALUES = st.recursive(
    LEAVES, lambda of: st.lists(of, max_size=3) | st.dictionaries(st.text(max_size=3), of, max_size=3), max_leaves=8
)
SPOILT = st.sampled_from(["", ",", '"', "'", "{", "}", "[", "\\u00", "//", "True", "NaN", "\u00a0", "1e999", "0", "-"])
BLANKS = " " * 20_001  # before an object, so that Python's reader is not tried


@pytest.mark.slow
@given(VALUES, st.booleans(), st.integers(0, 60), st.integers(0, 3), SPOILT, st.booleans())
@example([[1e999]], False, 0, 0, "", False)
def test_both_readers_agree(value, is_ascii, at, length, spoilt, is_relaxed):
    """What is said of an object does not depend on how long the text is, and so not on who reads it."""
    written = json.dumps({"action": value}, ensure_ascii=is_ascii)
    at = 1 + min(at, len(written) - 1)
    text = written[:at] + spoilt + written[at + length :] + "}"

    said = parse(text, 0, is_relaxed=is_relaxed)

    later = parse(BLANKS + text, len(BLANKS), is_relaxed=is_relaxed)
    assert repr(said) == repr(attrs.evolve(later, end=later.end - len(BLANKS)))


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '{"a": NaN}', '{"a": 1e999}', '{"a": ' + "[" * 100 + "]" * 100 + "}"]
)
def test_what_only_pythons_reader_takes_is_judged_by_ours(text):
    """Keys that stand twice are told, and numbers that are not finite and deep nesting are refused."""
    said = parse(text, 0)

    assert said.twice == "a" or said.problem
