"""Names of agents: what they may hold, and what the variants of a sweep are called."""

import pytest
from arena.errors import ConfigError
from arena.schedule import Lineup, joined_names
from arena_engine import Variant, level_word, split_names, unswept_name, variant_name
from arena_engine.benchmark.sweeps import sweep
from arena_engine.foundation.names import name_fault
from hypothesis import given, strategies as st

NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name_fault(name) is None)


@pytest.mark.parametrize("name", ["Jürgen, der 2. [v1]", "alpha (direct, t=0.7)", "a,b", "50 %", "日本"])
def test_names_hold_what_people_write(name):
    """Spaces, commas, brackets and letters of any language are fine."""
    assert name_fault(name) is None


@pytest.mark.parametrize("name", ["", " a", "a ", "a/b", "a  b", "a\nb", "a\u200bb", "u\u0308", "a" * 101])
def test_names_that_cannot_be_told_apart_are_refused(name):
    """Two names never look alike, and none breaks a line or an id."""
    assert name_fault(name) is not None


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_joined_names_can_be_split(names):
    """Different names have different ids, whatever commas are in them."""
    assert split_names(joined_names(tuple(names))) == tuple(names)


def test_matches_of_names_with_commas_have_ids_of_their_own():
    """``a,b`` against ``c`` is another pairing than ``a`` against ``b,c``, and brackets are readable."""
    assert Lineup(("a,b", "c")).pairing != Lineup(("a", "b,c")).pairing
    assert Lineup(("random", "alpha (direct, t=0.7)")).pairing == "alpha (direct, t=0.7),random"


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("prompt.style", "direct", "direct"),
        ("backend.temperature", 0.7, "t=0.7"),
        ("backend.model", "qwen/small", "qwen:small"),
        ("prompt.query_rules", True, "query-rules"),
        ("prompt.query_rules", False, "no query-rules"),
        ("backend.seed", None, "default seed"),
        ("simulations", 400, "simulations=400"),
        ("note", "", "note=#e3b0c4"),
    ],
)
def test_values_are_told_as_short_as_they_are_clear(path, value, word):
    """A text stands alone; numbers stand behind their parameter."""
    assert level_word(path, value) == word


def test_long_values_are_digests():
    """What is too long for a name is there as a digest, which differs where the values do."""
    first, second = (level_word("prompt", {"style": "x" * 50 + end}) for end in "ab")

    assert first != second
    assert first.startswith("prompt=#")
    assert len(first) == 14


def test_variants_are_called_by_what_is_left():
    """Without one of its parameters a variant has the name of those that differ in it alone."""
    own = Variant(name="best", entry="alpha", levels={"prompt.style": "direct", "backend.temperature": 0.7})

    assert own.without(["prompt"]).name == variant_name("alpha", {"backend.temperature": 0.7}) == "alpha (t=0.7)"
    assert own.without(["prompt.style", "backend"]).name == "alpha"
    assert own.without(["seed"]).name == "best"
    assert (own.prompt, own.without(["prompt"]).prompt) == ("direct", "")


@pytest.mark.parametrize("game", ["plan[tasks=rovers#1]", 'plan[tasks=["a","b"]][seed=2]'])
def test_families_of_games(game):
    """Variants of a game are of the family whose name they begin with; brackets without a value are part of a name."""
    assert unswept_name(game) == "plan"
    assert unswept_name("plan[b]") == "plan[b]"


def swept(entry, **paths):
    axes = {f"agents.alpha.{path}": values for path, values in paths.items()}
    return sweep({"agents": {"alpha": entry, "beta": "random"}}, axes).data


def test_the_file_may_give_the_name():
    """``name`` holds values in braces, by path or its last word; schedules still reach the entry by its key."""
    found = swept({"use": "llm", "name": "A {style}, {temperature} K"}, style=("x", "y"), temperature=(0,))["agents"]

    assert list(found) == ["A x, 0 K", "A y, 0 K", "beta"]
    assert found["A x, 0 K"] == {
        "use": "llm",
        "style": "x",
        "temperature": 0,
        "tags": ["alpha", "style=x", "temperature=0"],
        "variant": {"of": "alpha", "by": ["style", "temperature"]},
    }
    assert swept({"use": "llm", "name": "The first"})["agents"]["The first"] == {"use": "llm", "tags": ["alpha"]}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("all alike", "agents.alpha: two agents would be called 'all alike'; give this entry a 'name' that tells them"),
        ("beta", "agents.alpha: two agents would be called 'beta'"),
        ("{stil}", "agents.alpha.name: {stil} is no parameter of the sweep (swept are style)"),
        (5, "agents.alpha.name: expected a text, got 5"),
    ],
)
def test_names_stay_distinct(name, told):
    """A name that two agents would have is a mistake that says what to do."""
    with pytest.raises(ConfigError) as caught:
        swept({"use": "llm", "name": name}, style=("x", "y"))

    assert str(caught.value).startswith(told)
