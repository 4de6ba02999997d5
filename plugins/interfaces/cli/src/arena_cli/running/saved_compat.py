"""Writes what was learned of a server into a benchmark file, and leaves every other byte of it as it is."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from arena.errors import ConfigError
from arena.record import JSON
from arena_engine import read_yaml

KEY = "compat"


def with_compat(text: str, path: Sequence[str], learned: Mapping[str, JSON]) -> str | None:
    """The text of a benchmark with ``compat`` in the backend at ``path``; ``None`` if it does not stand there.

    Where ``compat`` stands there already it is replaced, if it is written between braces.
    """
    backend = _node(text, path)
    if backend is None:
        return None
    lines = text.split("\n")
    at: int = backend.lc.line
    column: int = backend.lc.col
    line = compat_line(learned)
    if KEY in backend:
        at, column = backend.lc.value(KEY)
        end = lines[at].find("}", column)
        if lines[at][column : column + 1] != "{" or end < 0:
            return None
        lines[at] = lines[at][:column] + line.partition(": ")[2] + lines[at][end + 1 :]
    elif backend.fa.flow_style():
        if lines[at][column : column + 1] != "{":
            return None
        lines[at] = f"{lines[at][: column + 1]}{line}{', ' if len(backend) else ''}{lines[at][column + 1 :]}"
    else:
        lines.insert(at, " " * column + line)
    changed = "\n".join(lines)
    return changed if _is_as_meant(text, changed, path, learned) else None


def compat_line(learned: Mapping[str, JSON]) -> str:
    """The line that a benchmark holds: ``compat: {system: user}``."""
    return f"{KEY}: {{{', '.join(f'{name}: {_flow(value)}' for name, value in learned.items())}}}"


def _flow(value: JSON) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


def _node(text: str, path: Sequence[str]) -> Any:
    """The table at a path, with the places of its keys; ``None`` if none is written there."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedMap

    reader: Any = YAML(typ="rt")
    node: Any = reader.load(text)
    for name in path:
        node = cast("Any", node).get(name) if isinstance(node, CommentedMap) else None
    found: Any = node
    return found if isinstance(node, CommentedMap) and len(found) else None


def _is_as_meant(text: str, changed: str, path: Sequence[str], learned: Mapping[str, JSON]) -> bool:
    try:
        before, after = read_yaml(text, "file").data, read_yaml(changed, "file").data
    except ConfigError:
        return False
    at = before
    for name in path:
        at = at[name]
    at[KEY] = dict(learned)
    return before == after
