"""What is wrong with a scene: its schema, its bounds, and what a schema cannot say."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from arena_scene.schema import scene_schema, violations

MAX_ELEMENTS: Final = 5_000
"""How many objects a scene may hold."""

MAX_BYTES: Final = 500_000
"""How long a scene may be as JSON, in UTF-8."""

MAX_DEPTH: Final = 4
"""How many parts may stand in each other."""

Part = Mapping[str, Any]


def scene_faults(data: object) -> tuple[str, ...]:
    """Everything that keeps ``data`` from being a scene that can be drawn, one sentence each; none if all is well."""
    if beyond := _beyond(data):
        return (beyond,)
    if broken := tuple(violations(data, scene_schema())):
        return broken
    scene: Any = data
    parts = list(every_part(scene["parts"]))
    deepest = max((place.count(".parts") for place, _ in parts), default=0)
    if deepest > MAX_DEPTH:
        return (f"scene: parts stand {deepest} deep in each other, at most {MAX_DEPTH} are drawn",)
    return (
        *_repeated([part for _, part in parts]),
        *(fault for place, part in parts for fault in _misfits(place, part)),
    )


def every_part(parts: Sequence[Part], place: str = "scene.parts") -> Iterator[tuple[str, Part]]:
    """Each part with its place in the scene, those within others too."""
    for index, part in enumerate(parts):
        yield f"{place}[{index}]", part
        if part["part"] == "sides":
            yield from every_part(part["parts"], f"{place}[{index}].parts")


def element_ids(data: Mapping[str, Any]) -> frozenset[str]:
    """What can be touched in a sound scene: its ids, and the cells, rows and columns of grids that have one."""
    found = set[str]()
    for _, part in every_part(data["parts"]):
        found |= set(_ids(part))
        if part["part"] == "grid" and "id" in part:
            rows, columns = part["size"]
            found |= {f"{part['id']}:{r},{c}" for r in range(rows) for c in range(columns)}
            found |= {f"{part['id']}/row:{r}" for r in range(rows)} | {
                f"{part['id']}/column:{c}" for c in range(columns)
            }
    return frozenset(found)


def _beyond(data: object) -> str:
    """The bound that a value breaks, or why it is no JSON; empty if neither."""
    try:
        size = len(json.dumps(data, allow_nan=False, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError) as error:
        return f"scene: is no JSON: {error}"
    if size > MAX_BYTES:
        return f"scene: has {size} bytes as JSON, at most {MAX_BYTES} are drawn"
    if (elements := _elements(data)) > MAX_ELEMENTS:
        return f"scene: has {elements} elements, at most {MAX_ELEMENTS} are drawn"
    return ""


def _elements(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_elements, value.values()))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return sum(map(_elements, value)) if isinstance(value, list | tuple) else 0  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _ids(value: Any) -> Iterator[str]:
    """The ids in a part, without those in the parts that it holds."""
    if isinstance(value, Mapping):
        if isinstance(value.get("id"), str):  # pyright: ignore[reportUnknownMemberType]
            yield value["id"]
        for name, item in value.items():  # pyright: ignore[reportUnknownVariableType]
            if name != "parts":
                yield from _ids(item)
    elif isinstance(value, list | tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _ids(item)


def _repeated(parts: Sequence[Part]) -> Iterator[str]:
    seen = set[str]()
    for part in parts:
        for name in _ids(part):
            if name in seen:
                yield f"scene: the id {name!r} is there twice"
            seen.add(name)


def _misfits(place: str, part: Part) -> Iterator[str]:
    """What does not fit together within one part."""
    match part["part"]:
        case "grid":
            yield from _in_grid(place, part)
        case "cards":
            for index, card in enumerate(part["cards"]):
                if card["face"] == "down" and {"rank", "suit", "text"} & card.keys():
                    yield f"{place}.cards[{index}]: lies face down and yet shows its rank, suit or text"
        case "table":
            for index, row in enumerate(part["rows"]):
                if len(row["cells"]) != len(part["columns"]):
                    yield f"{place}.rows[{index}]: has {len(row['cells'])} cells for {len(part['columns'])} columns"
        case "graph":
            yield from _in_graph(place, part)
        case "map":
            yield from _in_map(place, part)
        case "meters":
            for index, meter in enumerate(part["meters"]):
                if not meter.get("least", -math.inf) <= meter["value"] <= meter.get("greatest", math.inf):
                    yield f"{place}.meters[{index}]: {meter['value']} is outside its bounds"
        case _:
            pass


def _in_grid(place: str, part: Part) -> Iterator[str]:
    rows, columns = part["size"]
    if rows * columns > MAX_ELEMENTS:
        yield f"{place}.size: {rows} rows and {columns} columns are more than {MAX_ELEMENTS} cells"
        return
    for name, expected in (("row_labels", rows), ("column_labels", columns)):
        if name in part and len(part[name]) != expected:
            yield f"{place}.{name}: has {len(part[name])} labels for {expected}"
    places = [(f"{kind}[{i}]", own["at"]) for kind in ("cells", "pieces") for i, own in enumerate(part.get(kind, ()))]
    for kind in ("lines", "arrows"):
        places += [(f"{kind}[{i}]", own[end]) for i, own in enumerate(part.get(kind, ())) for end in ("from", "to")]
    places += [(f"regions[{i}]", cell) for i, own in enumerate(part.get("regions", ())) for cell in own["cells"]]
    places += [(f"walls[{i}]", cell) for i, wall in enumerate(part.get("walls", ())) for cell in wall]
    for where, (row, column) in places:
        if row >= rows or column >= columns:
            yield f"{place}.{where}: row {row}, column {column} is outside of {rows} rows and {columns} columns"
    for index, ((r, c), (s, d)) in enumerate(part.get("walls", ())):
        if abs(r - s) + abs(c - d) != 1:
            yield f"{place}.walls[{index}]: its cells are not next to each other"


def _in_graph(place: str, part: Part) -> Iterator[str]:
    nodes = {node["id"] for node in part["nodes"]}
    for index, edge in enumerate(part["edges"]):
        for end in ("from", "to"):
            if edge[end] not in nodes:
                yield f"{place}.edges[{index}].{end}: there is no node {edge[end]!r}"
    if part.get("layout") == "given":
        for index, node in enumerate(part["nodes"]):
            if "at" not in node:
                yield f"{place}.nodes[{index}]: the layout is given, but not where this node stands"


def _in_map(place: str, part: Part) -> Iterator[str]:
    areas = {area["id"] for area in part["areas"]}
    places = {spot["id"] for spot in part.get("places", ())}
    for index, spot in enumerate(part.get("places", ())):
        if spot["area"] not in areas:
            yield f"{place}.places[{index}].area: there is no area {spot['area']!r}"
    for index, piece in enumerate(part.get("pieces", ())):
        if piece["at"] not in places:
            yield f"{place}.pieces[{index}].at: there is no place {piece['at']!r}"
    for index, order in enumerate(part.get("orders", ())):
        for end in {"from", "to", "of"} & order.keys():
            if order[end] not in places:
                yield f"{place}.orders[{index}].{end}: there is no place {order[end]!r}"
