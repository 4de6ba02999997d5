"""What a position of a game looks like, as data: builders for games, a check, and the drawing in a terminal.

A game offers the form ``scene``, a pure function of an observation::

    from arena.game import Drawing
    from arena_scene import Grid, Piece, Scene

    def scene(view) -> Drawing:
        pieces = [Piece(at=(0, 1), role="player-0", shape="cross", label="X in row 1, column 2")]
        board = Grid(id="board", size=(3, 3), pieces=pieces)
        return Drawing(*Scene("Tic-tac-toe", words(view), board).drawn())

``lines`` draws it, ``scene_faults`` says what is wrong with it, ``scene_schema`` is its JSON schema; ``difference`` and
``patch`` tell one scene by the one before it. ``Touches`` says which elements are touched for each action.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_scene.assets import (
        complete_script as complete_script,
        elements_script as elements_script,
        form_script as form_script,
        scene_module as scene_module,
        scene_script as scene_script,
        scene_style as scene_style,
        touches_script as touches_script,
        touches_style as touches_style,
    )
    from arena_scene.checking import (
        element_ids as element_ids,
        scene_faults as scene_faults,
    )
    from arena_scene.elements import (
        Cell as Cell,
        GraphEdge as GraphEdge,
        GraphNode as GraphNode,
        MapArea as MapArea,
        MapOrder as MapOrder,
        MapPiece as MapPiece,
        MapPlace as MapPlace,
        Meter as Meter,
        Piece as Piece,
        Region as Region,
        SceneCard as SceneCard,
        SceneMessage as SceneMessage,
        Stroke as Stroke,
        TableCell as TableCell,
        TableColumn as TableColumn,
        TableRow as TableRow,
    )
    from arena_scene.faces import (
        face_of as face_of,
        position_words as position_words,
    )
    from arena_scene.fallback import (
        scene_of as scene_of,
        text_scene as text_scene,
    )
    from arena_scene.filling import (
        blank as blank,
        filled as filled,
        schema_at as schema_at,
        titled as titled,
    )
    from arena_scene.frames import (
        difference as difference,
        patch as patch,
        scene_frames as scene_frames,
    )
    from arena_scene.mending import (
        shortened as shortened,
    )
    from arena_scene.parts import (
        Cards as Cards,
        Graph as Graph,
        Grid as Grid,
        Messages as Messages,
        Meters as Meters,
        Picture as Picture,
        Pieces as Pieces,
        Scene as Scene,
        SceneMap as SceneMap,
        SceneTable as SceneTable,
        SceneText as SceneText,
        Shapes as Shapes,
        Sides as Sides,
    )
    from arena_scene.plain_words import (
        for_people as for_people,
        label as label,
        reason_words as reason_words,
        said as said,
    )
    from arena_scene.schema import (
        scene_schema as scene_schema,
    )
    from arena_scene.terminal import (
        is_drawable as is_drawable,
        lines as lines,
    )
    from arena_scene.touch_checking import (
        touches_faults as touches_faults,
        touches_schema as touches_schema,
    )
    from arena_scene.touches import (
        Add as Add,
        Assist as Assist,
        Choice as Choice,
        Clear as Clear,
        Default as Default,
        Fill as Fill,
        Put as Put,
        Scale as Scale,
        Suggest as Suggest,
        Sum as Sum,
        Times as Times,
        Touches as Touches,
        Way as Way,
        touches_of as touches_of,
    )
    from arena_scene.views import (
        SceneDrawing as SceneDrawing,
    )

__all__ = [
    "Add",
    "Assist",
    "Cards",
    "Cell",
    "Choice",
    "Clear",
    "Default",
    "Fill",
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
    "Put",
    "Region",
    "Scale",
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
    "Suggest",
    "Sum",
    "TableCell",
    "TableColumn",
    "TableRow",
    "Times",
    "Touches",
    "Way",
    "blank",
    "complete_script",
    "difference",
    "element_ids",
    "elements_script",
    "face_of",
    "filled",
    "for_people",
    "form_script",
    "is_drawable",
    "label",
    "lines",
    "patch",
    "position_words",
    "reason_words",
    "said",
    "scene_faults",
    "scene_frames",
    "scene_module",
    "scene_of",
    "scene_schema",
    "scene_script",
    "scene_style",
    "schema_at",
    "shortened",
    "text_scene",
    "titled",
    "touches_faults",
    "touches_of",
    "touches_schema",
    "touches_script",
    "touches_style",
]

_HOMES: Final = {
    **dict.fromkeys(
        (
            "element_ids",
            "scene_faults",
        ),
        "arena_scene.checking",
    ),
    **dict.fromkeys(
        (
            "Cell",
            "GraphEdge",
            "GraphNode",
            "MapArea",
            "MapOrder",
            "MapPiece",
            "MapPlace",
            "Meter",
            "Piece",
            "Region",
            "SceneCard",
            "SceneMessage",
            "Stroke",
            "TableCell",
            "TableColumn",
            "TableRow",
        ),
        "arena_scene.elements",
    ),
    **dict.fromkeys(
        (
            "complete_script",
            "elements_script",
            "form_script",
            "scene_module",
            "scene_script",
            "scene_style",
            "touches_script",
            "touches_style",
        ),
        "arena_scene.assets",
    ),
    **dict.fromkeys(
        (
            "scene_of",
            "text_scene",
        ),
        "arena_scene.fallback",
    ),
    "shortened": "arena_scene.mending",
    **dict.fromkeys(
        (
            "blank",
            "filled",
            "schema_at",
            "titled",
        ),
        "arena_scene.filling",
    ),
    **dict.fromkeys(
        (
            "difference",
            "scene_frames",
            "patch",
        ),
        "arena_scene.frames",
    ),
    **dict.fromkeys(
        (
            "Cards",
            "Graph",
            "Grid",
            "Messages",
            "Meters",
            "Picture",
            "Pieces",
            "Scene",
            "SceneMap",
            "SceneTable",
            "SceneText",
            "Shapes",
            "Sides",
        ),
        "arena_scene.parts",
    ),
    **dict.fromkeys(("face_of", "position_words"), "arena_scene.faces"),
    **dict.fromkeys(("for_people", "label", "reason_words", "said"), "arena_scene.plain_words"),
    **dict.fromkeys(("scene_schema",), "arena_scene.schema"),
    **dict.fromkeys(
        (
            "is_drawable",
            "lines",
        ),
        "arena_scene.terminal",
    ),
    **dict.fromkeys(
        (
            "touches_faults",
            "touches_schema",
        ),
        "arena_scene.touch_checking",
    ),
    **dict.fromkeys(
        (
            "Add",
            "Assist",
            "Choice",
            "Clear",
            "Default",
            "Fill",
            "Put",
            "Scale",
            "Suggest",
            "Sum",
            "Times",
            "Touches",
            "Way",
            "touches_of",
        ),
        "arena_scene.touches",
    ),
    **dict.fromkeys(("SceneDrawing",), "arena_scene.views"),
}


def __getattr__(name: str) -> Any:
    # Imported when it is used: a game that is played and not drawn needs none of it.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
