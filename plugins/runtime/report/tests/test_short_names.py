"""Short names: they fit, they stay apart, and what differs is shown."""

from random import Random

import pytest
from arena_report import least_width, short_names, short_pairs, shortened_parts

SWEEP = [f"search-with-a-long-name (simulations={n}, exploration={c})" for n in (2, 20) for c in ("0.5", "1.0")]


def test_names_that_fit_stay_whole():
    """Nothing is cut that has room."""
    assert short_names(["random", "gpt-4o"], 8) == {"random": "random", "gpt-4o": "gpt-4o"}


@pytest.mark.parametrize("width", [12, 20, 30, 45])
def test_what_differs_is_always_shown(width):
    """Both values of a sweep are in every name, however narrow, and only what the names share is cut."""
    found = short_names([*SWEEP, "random"], width)

    for name in SWEEP:
        n, c = name.split("=")[1].split(",")[0], name.split("=")[2].strip(")")
        assert found[name].startswith("s")
        assert f"{n}," in found[name]
        assert f"{c})" in found[name]
        assert len(found[name]) <= width
    assert found["random"] == "random"


def test_equal_parts_are_cut_in_their_middle():
    """The longest one first, alike in all names, and a part that is short stays."""
    found = short_names(["gpt-4o-mini-2024-08-06", "gpt-4o-mini-2024-11-20"], 16)

    assert found["gpt-4o-mini-2024-08-06"].endswith("08-06")
    assert found["gpt-4o-mini-2024-11-20"].endswith("11-20")
    assert found["gpt-4o-mini-2024-08-06"][:-5] == found["gpt-4o-mini-2024-11-20"][:-5]


def test_parts_are_the_name():
    """What is shown and what is not make the whole name, so that a page can hold all of it."""
    found = shortened_parts(SWEEP, 24)

    assert ["".join(parts) for parts in found.values()] == SWEEP
    assert all(len(parts) % 2 for parts in found.values())


def test_names_that_cannot_show_what_differs_get_a_number():
    """They stay apart where there is no room for more."""
    names = ["a" * 30 + sign + "b" * 30 for sign in "xyz"]

    assert len(set(short_names(names, 12).values())) == 3


def test_a_name_is_short_in_the_same_way_in_all_pairs():
    """Of two names both can be told, and each is found again in the next pair."""
    found = short_pairs([(SWEEP[0], SWEEP[1]), (SWEEP[1], SWEEP[2]), (SWEEP[2], "random")], 40)
    names = [pair.split(" \u2013 ") for pair in found]

    assert max(map(len, found)) <= 40
    assert names[0][1] == names[1][0]
    assert names[1][1] == names[2][0]
    assert names[2][1] == "random"


def test_least_width_is_where_nothing_that_differs_is_cut():
    """With so many columns each name shows all that differs."""
    width = least_width([*SWEEP, "random"])

    assert width < 12
    assert all(name.split("=")[2] in f"{short}" for name, short in short_names(SWEEP, width).items())


@pytest.mark.parametrize("seed", range(60))
def test_any_names_fit_and_stay_apart(seed):
    """Whatever the names are, they have at most so many columns, and no two are equal."""
    rng = Random(seed)
    words = ["a", "alpha", "beta-2", "x" * 20, "10", "1", " ", "=", "é字", "[k=1]"]
    names = {"".join(rng.choices(words, k=rng.randrange(9))) for _ in range(rng.randint(1, 20))}
    width = rng.randint(8, 40)

    found = short_names(names, width)

    assert max(map(len, found.values())) <= width
    assert len({*found.values()}) == len(names)
    assert [*found] == [*names]


def test_names_of_any_length_are_shortened_at_once():
    """A server calls its model what it likes; a hundred thousand signs, in one word or in many, are cut like others."""
    names = ["a" * 100_000, "b c " * 25_000, "b c " * 25_000 + "d", "short"]

    short = short_names(names, 20)

    assert len(set(short.values())) == 4
    assert max(map(len, short.values())) <= 20
    assert short["short"] == "short"
