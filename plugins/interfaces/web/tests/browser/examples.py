"""Values that a JSON schema of benchmark files allows, so that each kind of field in it is there at least once."""

from collections.abc import Mapping
from typing import Any

DEEPEST = 2
"""An agent may hold agents: below so many, plugins stand by their names alone."""


def examples(schema: Mapping[str, Any], root: Mapping[str, Any], most: int = 4) -> list[Any]:
    """Values of a schema that together take every alternative, up to so many of each."""
    found: list[Any] = []
    for turn in range(most):
        value = example(schema, root, turn)
        if value not in found:
            found.append(value)
    return found


def example(schema: Mapping[str, Any], root: Mapping[str, Any], turn: int = 0, depth: int = 0) -> Any:
    """One value of a schema, with everything that may be in it; ``turn`` chooses among alternatives."""
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]] | {k: v for k, v in schema.items() if k != "$ref"}
    if "enum" in schema:
        return schema["enum"][turn % len(schema["enum"])]
    if "const" in schema:
        return schema["const"]
    if "if" in schema and "then" in schema:
        return _plugin(schema, root, turn, depth)
    if "properties" in schema:
        kept = {name: own for name, own in schema["properties"].items() if name != "use"}
        values = {name: example(own, root, turn, depth + 1) for name, own in kept.items()}
        # Nothing is the default of these, and is not written.
        return {
            name: value
            for name, value in values.items()
            if value is not None or kept[name].get("default", 0) is not None
        }
    if "anyOf" in schema:
        beside = {name: own for name, own in schema.items() if name.startswith(("min", "max", "exclusive"))}
        branch = schema["anyOf"][turn % len(schema["anyOf"])]
        return example({**beside, **branch}, root, turn, depth)
    return _scalar(schema, root, turn, depth)


def _plugin(schema: Mapping[str, Any], root: Mapping[str, Any], turn: int, depth: int) -> Any:
    names = [own["const"] for own in schema["then"]["anyOf"] if "const" in own]
    name = names[turn % len(names)]
    if depth > DEEPEST or turn % 2:
        return name
    tables = {own["if"]["properties"]["use"]["const"]: own["then"] for own in schema["else"]["allOf"]}
    return {"use": name, **example(tables[name], root, turn, depth + 2)}


def _scalar(schema: Mapping[str, Any], root: Mapping[str, Any], turn: int, depth: int) -> Any:
    match schema.get("type"):
        case "boolean":
            return bool(turn % 2)
        case "null":
            return None
        case "integer" | "number":
            least = schema.get("minimum", schema.get("exclusiveMinimum", -3))
            most = schema.get("maximum", schema.get("exclusiveMaximum", least + 2))
            return least + 1 if schema["type"] == "integer" and least + 1 <= most else (least + most) / 2
        case "string":
            return "${A_KEY}" if schema.get("pattern", "").startswith(r"^\$") else ("two\nlines" if turn % 2 else "a b")
        case "array":
            if "prefixItems" in schema:
                return [example(own, root, turn, depth + 1) for own in schema["prefixItems"]]
            return [example(schema.get("items", {}), root, turn + more, depth + 1) for more in range(2)]
        case "object":
            return {
                name: example(schema.get("additionalProperties") or {}, root, turn, depth + 1) for name in ("a", "b/c")
            }
        case _:
            return ["text", 3, {"of": ["any", None]}, "3"][turn % 4]
