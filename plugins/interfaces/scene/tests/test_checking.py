"""What is wrong with a scene: by its schema, by its bounds, and by what a schema cannot say."""

import copy
import json
from typing import Any, get_args

import attrs
import pytest
from arena_scene import (
    Cards,
    Cell,
    Choice,
    Graph,
    GraphEdge,
    GraphNode,
    Grid,
    MapArea,
    MapOrder,
    MapPiece,
    MapPlace,
    Messages,
    Meter,
    Meters,
    Picture,
    Piece,
    Pieces,
    Region,
    SceneCard,
    SceneMap,
    SceneMessage,
    SceneTable,
    SceneText,
    Shapes,
    Sides,
    Stroke,
    TableCell,
    TableColumn,
    TableRow,
    Touches,
    element_ids,
    scene_faults,
    scene_schema,
    touches_of,
)
from arena_scene.parts import ScenePart
from arena_scene.schema import violations
from jsonschema import Draft202012Validator

from .drawings import drawing, piece

EVERYTHING = (
    Grid(
        id="board",
        title="a board",
        note="with everything",
        label="a board of two rows",
        owner=1,
        size=(2, 3),
        shape="square",
        row_labels="12",
        column_labels="abc",
        checkered=True,
        enter="top",
        cells=[Cell(at=(0, 0), role="water", label="water", mark="wet", text="~")],
        pieces=[
            Piece(
                at=(1, 1),
                role="player-0",
                shape="disc",
                label="a disc",
                text="X",
                count=2,
                state="faint",
                tone="dark",
                id="d",
            )
        ],
        lines=[Stroke(id="line", from_=(0, 0), to=(1, 1), role="accent")],
        arrows=[Stroke(id="arrow", from_=(0, 0), to=(1, 2), role="accent")],
        regions=[Region(id="region", cells=[(0, 2)], role="good", label="a goal")],
        walls=[((0, 0), (0, 1))],
    ),
    Cards(
        layout="fan",
        cards=[
            SceneCard(
                id="king", label="king of hearts", rank="K", suit="hearts", role="suit-red", count=2, notes=["seen"]
            ),
            SceneCard(id="hidden", label="hidden", face="down"),
            SceneCard(id="five", label="five", text="5"),
        ],
    ),
    Pieces(pieces=[Piece(shape="die-4", role="neutral", label="four")]),
    SceneTable(
        caption="hands",
        columns=[
            TableColumn(title="item", id="item"),
            TableColumn(title="n", kind="amount"),
            TableColumn(title="share"),
        ],
        rows=[
            TableRow(id="row", role="good", cells=["coal", 2, TableCell(id="c", text="1/2", role="bad", label="half")])
        ],
    ),
    Graph(
        layout="given",
        nodes=[GraphNode(id=n, label=n, role="board", shape="disc", at=(0, i)) for i, n in enumerate("xy")],
        edges=[GraphEdge(id="xy", from_="x", to="y", label="road", role="good", directed=True)],
    ),
    SceneMap(
        size=(10, 10),
        areas=[
            MapArea(id=n, shape=s, label=n, label_at=(1, 1), role="land", kind="land")
            for n, s in (
                ("one", [(0, 0), (0, 5), (5, 5)]),
                ("rings", [[(6, 6), (7, 7), (8, 6)], [(1, 1), (2, 2), (3, 1)]]),
            )
        ],
        places=[MapPlace(id="place", area="one", at=(1, 2))],
        pieces=[MapPiece(id="army", at="place", role="player-2", shape="army", text="A", label="an army")],
        orders=[MapOrder(id="order", kind="move", from_="place", to="place", of="place", role="player-2", failed=True)],
    ),
    Shapes(
        size=(4, 4),
        shapes=[
            {"kind": "rect", "at": [0, 0], "size": [1, 1], "role": "none", "id": "area", "label": "x", "above": True},
            {"kind": "circle", "at": [0, 0], "radius": 0.5, "role": "good"},
            {"kind": "line", "from": [0, 0], "to": [1, 1], "role": "good"},
            {"kind": "polygon", "points": [[0, 0], [1, 1], [0, 1]], "role": "good"},
            {"kind": "arc", "at": [0, 0], "radius": 1, "start": 0, "end": 90.5, "role": "good"},
            {"kind": "text", "at": [0, 0], "text": "hello", "size": 1, "role": "good"},
        ],
    ),
    Meters(meters=[Meter(id="meter", label="lives", value=2, least=0, greatest=3, unit="lives", role="good")]),
    Messages(messages=[SceneMessage(id="message", from_="A", to="B", text="hi", when="turn 1")]),
    SceneText(text="hello", kind="note"),
    Picture(form="image", image="data:image/png;base64,iVBORw0KGgo="),
    Sides(parts=[SceneText(text="left"), SceneText(text="right")]),
)
"""A part of each kind, with every field."""

VALIDATOR = Draft202012Validator(scene_schema())


def scene_of(*parts: Any) -> Any:
    """The data of a scene with these parts."""
    return json.loads(json.dumps(drawing(*parts).data))


def test_scene_with_everything_is_sound():
    """Each part and each field that a builder has is in the schema; another validator of schemas says the same."""
    scene = scene_of(*EVERYTHING)

    Draft202012Validator.check_schema(scene_schema())
    assert scene_faults(scene) == ()
    assert list(VALIDATOR.iter_errors(scene)) == []


def test_builders_have_the_fields_of_the_schema():
    """For each part the builder and the schema have the same fields, and none of them is left out above."""
    for kind in get_args(ScenePart):
        names = {field.name.removesuffix("_") for field in attrs.fields(kind)} | {"part"}
        assert names == set(scene_schema()["$defs"][kind.part]["properties"]), kind
    assert {part["part"] for part in scene_of(*EVERYTHING)["parts"]} == {kind.part for kind in get_args(ScenePart)}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in places(item, (*path, key)))]


def changed(scene: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of a scene with another value in one place; ``None`` takes the place away."""
    copied = copy.deepcopy(scene)
    *above, last = path
    inner = copied
    for key in above:
        inner = inner[key]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return copied


@pytest.mark.campaign
@pytest.mark.parametrize("value", [None, 7, -1, 0.5, "", "two words", True, [], {}, ["x"], {"part": "grid"}])
def test_check_finds_what_another_validator_finds(value):
    """With a value of another kind in any one place, the check and ``jsonschema`` agree on the schema."""
    for scene in (scene_of(part) for part in EVERYTHING):
        for path in places(scene)[1:]:
            wrong = changed(scene, path, value)
            mine, theirs = not list(violations(wrong, scene_schema())), VALIDATOR.is_valid(wrong)
            assert mine == theirs, (path, value)


@pytest.mark.parametrize("data", [None, 3, "scene", [], {}, {"scene": 2}, {"scene": 1, "parts": 5}])
def test_what_is_no_scene_is_told_in_a_sentence(data):
    """Whatever is checked, the answer is a sentence and no exception."""
    assert scene_faults(data)[0].startswith("scene")


GRID = Grid(id="board", size=(2, 2))


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ([Grid(size=(1, 1), pieces=[piece(0, 1)])], "row 0, column 1 is outside of 1 rows and 1 columns"),
        ([Grid(size=(2, 2), row_labels="123")], "row_labels: has 3 labels for 2"),
        ([Grid(size=(2, 2), walls=[((0, 0), (1, 1))])], "its cells are not next to each other"),
        ([GRID, GRID], "the id 'board' is there twice"),
        ([Sides(parts=[GRID]), GRID], "the id 'board' is there twice"),
        (
            [Cards(cards=[SceneCard(id="a", face="down", rank="K", label="hidden")])],
            "lies face down and yet shows its rank, suit or text",
        ),
        (
            [SceneTable(columns=[TableColumn(title="a")], rows=[TableRow(cells=["1", "2"])])],
            "has 2 cells for 1 columns",
        ),
        ([Graph(nodes=[], edges=[GraphEdge(id="e", from_="a", to="b")])], "there is no node 'a'"),
        (
            [Graph(layout="given", nodes=[GraphNode(id="a", label="a", role="good", shape="disc")], edges=[])],
            "not where this node stands",
        ),
        (
            [SceneMap(size=(1, 1), areas=[], pieces=[MapPiece(at="x", role="good", shape="army", label="x")])],
            "there is no place 'x'",
        ),
        ([SceneMap(size=(1, 1), areas=[], places=[MapPlace(id="x", area="y", at=(0, 0))])], "there is no area 'y'"),
        ([Meters(meters=[Meter(id="m", label="lives", value=4, greatest=3)])], "4 is outside its bounds"),
        ([Grid(size=(2, 2), pieces=[attrs.evolve(piece(0, 0), label=" ")])], "is not what this field may hold"),
        ([Meters(meters=[Meter(id="m", label="lives", value=float("inf"))])], "is no JSON"),
        (
            [Grid(size=(60, 100), cells=[Cell(at=(r, c)) for r in range(60) for c in range(100)])],
            "at most 5000 are drawn",
        ),
        ([SceneText(text="x" * 20_001)], "20001 characters; at most 20000 are drawn"),
        ([SceneText(text="x" * 19_000) for _ in range(30)], "at most 500000 are drawn"),
        ([Sides(parts=[Sides(parts=[Sides(parts=[Sides(parts=[GRID])])])])], "parts stand 5 deep in each other"),
    ],
)
def test_fault_is_named(parts, fault):
    """What a schema cannot say is found too, and the sentence says what and where."""
    (found, *_) = scene_faults(drawing(*parts).data)

    assert fault in found
    assert found.startswith("scene")


def test_scene_without_words_is_refused():
    """A title and words for the whole position are needed."""
    assert scene_faults(drawing(GRID, alternative=" ").data)[0].startswith("scene.alternative")
    assert scene_faults(drawing(GRID, title="").data)[0].startswith("scene.title")


def test_cells_rows_and_columns_can_be_named():
    """What has an id can be touched, and each cell, row and column of a grid that has one."""
    found = element_ids(drawing(Grid(id="b", size=(1, 2)), Sides(parts=[Pieces(id="dice", pieces=[])])).data)

    assert found == {"b", "b:0,0", "b:0,1", "b/row:0", "b/column:0", "b/column:1", "dice"}


@attrs.frozen
class Offered:
    """An option, as a game offers it."""

    action: Any
    label: str


class Game:
    """A game that says what can be touched."""

    def touches(self, decision: list[Offered]) -> Touches:
        """Each action is a column."""
        return Touches.of(decision, lambda option: [f"board/column:{option.action}"], say="Choose a column.")


def test_touches_are_the_options_in_their_order():
    """Each option is there once, with what is touched for it; a game without the method says nothing."""
    touches = touches_of(Game(), [Offered(3, "column D"), Offered(0, "column A")])

    assert touches == Touches(
        choices=(
            Choice(path=("board/column:3",), action=3, label="column D"),
            Choice(path=("board/column:0",), action=0, label="column A"),
        ),
        say="Choose a column.",
    )
    assert touches.written()["choices"][1] == {"path": ["board/column:0"], "action": 0, "label": "column A"}
    assert touches_of(object(), []) is None
