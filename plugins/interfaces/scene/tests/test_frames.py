"""Series of scenes as differences: what is sent of them makes the same scenes again."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from arena_scene import (
    Grid,
    Meter,
    Meters,
    Piece,
    SceneTable,
    SceneText,
    Sides,
    TableColumn,
    TableRow,
    difference,
    patch,
    scene_frames,
)
from hypothesis import HealthCheck, given, settings, strategies as st

from .drawings import drawing, piece

VECTORS = json.loads((Path(__file__).parent / "frames.json").read_text("utf-8"))
"""Pairs of scenes with their difference, which the renderer for browsers must find as well."""

PLACES = st.tuples(st.integers(0, 3), st.integers(0, 3))
PIECES = st.lists(
    st.builds(
        Piece, at=PLACES, role=st.sampled_from(["player-0", "player-1"]), shape=st.just("disc"), label=st.just("x")
    ),
    max_size=6,
)
NAMES = st.sampled_from(["", "one", "two", "three"])
TEXTS = st.lists(st.sampled_from(["a", "b", ""]), min_size=1, max_size=5).map("\n".join)
LEAVES = st.one_of(
    st.builds(Grid, id=NAMES, size=st.just((4, 4)), pieces=PIECES, note=st.sampled_from(["", "check"])),
    st.builds(SceneText, id=NAMES, text=TEXTS),
    st.builds(
        lambda name, rows: SceneTable(
            id=name, columns=[TableColumn(title="a")], rows=[TableRow(cells=[r]) for r in rows]
        ),
        NAMES,
        st.lists(st.integers(0, 3), max_size=5),
    ),
)


def named_once(parts: Any) -> bool:
    """Whether no two of the parts have one id, as in a sound scene."""
    names = [part.id for part in parts if part.id]
    return len(names) == len(set(names))


PARTS = st.lists(LEAVES, max_size=4).filter(named_once)
SCENES = st.builds(
    lambda parts, inner, words: drawing(*parts, *([Sides(parts=inner)] if inner else []), alternative=words).data,
    PARTS,
    PARTS,
    TEXTS,
)


@pytest.mark.campaign
@settings(suppress_health_check=[HealthCheck.too_slow])  # scenes are large, and machines are busy
@given(SCENES, SCENES)
def test_difference_makes_the_later_scene(before, after):
    """Whatever two scenes are, the earlier one and the difference give the later one, and neither is changed."""
    kept = copy.deepcopy((before, after))

    change = json.loads(json.dumps(difference(before, after)))

    assert json.loads(json.dumps(patch(before, change))) == json.loads(json.dumps(after))
    assert (before, after) == kept


@pytest.mark.slow
@given(SCENES)
def test_equal_scenes_do_not_differ(scene):
    """Nothing has to be sent where nothing has changed."""
    assert difference(scene, copy.deepcopy(scene)) == {}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_differences_are_those_of_the_vectors(vector):
    """Python finds the recorded difference of each pair of scenes, and makes the later scene of it."""
    assert difference(vector["before"], vector["after"]) == vector["difference"]
    assert patch(vector["before"], vector["difference"]) == vector["after"]


def test_one_move_is_a_fraction_of_a_scene():
    """A move on a full board is told in less than a tenth of what the board takes."""
    men = [piece(r, c) for r in range(8) for c in range(8) if (r + c) % 2]
    before, after = (
        drawing(Grid(id="board", size=(8, 8), pieces=men)).data,
        drawing(Grid(id="board", size=(8, 8), pieces=[*men[1:], piece(0, 0)])).data,
    )

    assert len(json.dumps(difference(before, after))) * 10 < len(json.dumps(after))


def test_series_begins_in_full():
    """A series of scenes is its first one and the differences after it."""
    meter = lambda value: drawing(Meters(id="pot", meters=[Meter(id="chips", label="chips", value=value)])).data  # noqa: E731
    scenes = [meter(1), meter(2), meter(2)]

    sent = scene_frames(scenes)

    assert sent[0] == scenes[0]
    assert sent[2] == {}
    assert patch(sent[0], sent[1]) == scenes[1]
    assert scene_frames([]) == []
