"""What planning tasks look like: towers, floors, and facts where nothing is drawn."""

import json

import pytest
from arena.chance import Chance
from arena_game_planning.playing.game import Planning
from arena_game_planning.showing.floors import floor
from arena_game_planning.showing.towers import towers
from arena_scene import scene_faults


def scene(tasks: str, mode: str = "plan", steps: int = 0, **more):
    """The data of the scene of a task, after so many steps."""
    game = Planning(tasks=tasks, mode=mode, **more)
    state, _ = game.start(Chance(1), 1)
    for _ in range(steps):
        decision = state.decision(0)
        state.apply({0: decision.options[0].action})
    drawing = game.forms["scene"](state.observe(0))
    assert scene_faults(drawing.data) == ()
    return drawing.data


def parts(data) -> dict:
    return {part.get("id", part["part"]): part for part in data["parts"]}


def test_blocks_stand_in_towers():
    """Each tower is told from its top, and a block that is held hangs above them."""
    facts = {("on-table", "b1"), ("on", "b2", "b1"), ("on-table", "b3"), ("holding", "b4")}

    (drawn,) = towers(frozenset(facts))

    assert drawn.label == "b2 on b1 on the table; b3 on the table; b4 is held"
    assert [shape["id"] for shape in drawn.shapes if "id" in shape] == ["block-b1", "block-b2", "block-b3", "block-b4"]


def test_floor_shows_keys_and_locks():
    """A robot, a key and a locked cell lie where their cells' names say; what is held is beside the floor."""
    facts = {("robot-at", "c0-0"), ("key-at", "k1", "c0-1"), ("key-shape", "k1", "s1"), ("holding", "k2")}
    facts |= {("locked", "c1-1"), ("lock-shape", "c1-1", "s1")}

    grid, carried = floor("grid", {"cell": ["c0-0", "c0-1", "c1-0", "c1-1"]}, frozenset(facts))

    assert grid.size == (2, 2)
    assert [(piece.id, piece.at) for piece in grid.pieces] == [("the-k1", (0, 1)), ("the-robot", (0, 0))]
    assert [(cell.at, cell.mark) for cell in grid.cells if cell.mark] == [((1, 1), "locked")]
    assert [piece.label for piece in carried.pieces] == ["k2, in the hand"]


def test_floor_without_places_is_not_drawn():
    """Cells whose names say no places are facts, not a picture."""
    assert floor("grid", {"cell": ["kitchen", "hall"]}, frozenset()) == []


@pytest.mark.parametrize(
    ("tasks", "first"), [("grid#1", "floor"), ("blocksworld#1", "towers"), ("logistics#1", "facts")]
)
@pytest.mark.parametrize("mode", ["plan", "steps"])
def test_domains_have_their_picture(tasks, first, mode):
    """A floor, towers or facts come first, then what is to be reached and what may be done."""
    found = parts(scene(tasks, mode))

    assert list(found) == [first, "goal", *(["steps"] if mode == "steps" else []), "task"]
    assert "What may be done" in found["task"]["text"]


def test_steps_move_what_is_there():
    """After a step the scene shows what is true then."""
    assert parts(scene("grid#1", "steps", 1))["floor"] != parts(scene("grid#1", "steps"))["floor"]


def test_disguised_task_is_not_drawn():
    """A task under other names looks like no domain."""
    data = scene("blocksworld#1", disguise="letters")

    assert next(iter(parts(data))) == "facts"
    assert "blocksworld" not in json.dumps(data)
