"""The names of the distributions are free on the public index."""

import re
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest

TAKEN = Path(__file__).with_name("taken_names.txt")


def normalized(name: str) -> str:
    """A name as an index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def taken() -> AbstractSet[str]:
    """The names that others hold, as an index compares them."""
    lines = TAKEN.read_text("utf-8").splitlines()
    return {normalized(line) for line in lines if not line.startswith("#")}


def test_no_distribution_has_a_taken_name(distributions, third_party, taken):
    """Nobody else holds the name of a distribution of ours, however it is spelt."""
    assert {d.name for d in (*distributions, third_party) if normalized(d.name) in taken} == set()


def test_every_distribution_has_the_prefix(distributions):
    """Each name is that of the bundle, or begins with it."""
    from arena.installing import BUNDLE, PREFIX

    assert f"{BUNDLE}-" == PREFIX
    assert [d.name for d in distributions if d.name != BUNDLE and not d.name.startswith(PREFIX)] == []


def test_nobody_holds_the_prefix(taken):
    """No name of somebody else begins with ours, while several begin with that of the command."""
    from arena.installing import BUNDLE

    assert {name for name in taken if name.startswith(BUNDLE)} == set()
    assert {"arena", "arena-cli", "arena-engine"} <= taken
