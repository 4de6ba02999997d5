"""What a position of a game looks like, as data: builders for games, a check, and the drawing in a terminal.

A game offers the form ``scene``, a pure function of an observation::

    from arena.game import Drawing
    from arena_scene import Grid, Piece, Scene

    def scene(view) -> Drawing:
        pieces = [Piece(at=(0, 1), role="player-0", shape="cross", label="X in row 1, column 2")]
        board = Grid(id="board", size=(3, 3), pieces=pieces)
        return Drawing(*Scene("Tic-tac-toe", words(view), board).drawn())

``lines`` draws it, ``scene_faults`` says what is wrong with it, ``scene_schema`` is its JSON schema.
"""

from arena_scene.checking import element_ids, scene_faults
from arena_scene.elements import (
    Cell,
    GraphEdge,
    GraphNode,
    MapArea,
    MapOrder,
    MapPiece,
    MapPlace,
    Meter,
    Piece,
    Region,
    SceneCard,
    SceneMessage,
    Stroke,
    TableCell,
    TableColumn,
    TableRow,
)
from arena_scene.parts import (
    Cards,
    Graph,
    Grid,
    Messages,
    Meters,
    Picture,
    Pieces,
    Scene,
    SceneMap,
    SceneTable,
    SceneText,
    Shapes,
    Sides,
)
from arena_scene.schema import scene_schema
from arena_scene.terminal import is_drawable, lines
from arena_scene.touches import Choice, Touches, touches_of
from arena_scene.views import SceneDrawing

__all__ = [
    "Cards",
    "Cell",
    "Choice",
    "Graph",
    "GraphEdge",
    "GraphNode",
    "Grid",
    "MapArea",
    "MapOrder",
    "MapPiece",
    "MapPlace",
    "Messages",
    "Meter",
    "Meters",
    "Picture",
    "Piece",
    "Pieces",
    "Region",
    "Scene",
    "SceneCard",
    "SceneDrawing",
    "SceneMap",
    "SceneMessage",
    "SceneTable",
    "SceneText",
    "Shapes",
    "Sides",
    "Stroke",
    "TableCell",
    "TableColumn",
    "TableRow",
    "Touches",
    "element_ids",
    "is_drawable",
    "lines",
    "scene_faults",
    "scene_schema",
    "touches_of",
]
