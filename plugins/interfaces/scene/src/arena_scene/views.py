"""How a scene is to be shown: how wide, in which characters, what is chosen, and what was there before."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import attrs

from arena_scene.spans import Span, SpanLine

Block: TypeAlias = list[SpanLine]
"""Lines below each other."""


class SceneDrawing(Protocol):
    """What ``arena.game.Drawing`` is: a scene, and the whole of it in words."""

    @property
    def data(self) -> Any:
        """The scene as JSON data."""
        ...

    @property
    def alt(self) -> str:
        """The position in words."""
        ...


@attrs.frozen(kw_only=True)
class View:
    """One terminal, and one look at a match in it.

    ``chosen`` are the ids of elements that stand out, ``before`` the parts of an earlier scene by name, ``own`` the
    number of the player who looks, and ``players`` the names of all, for the legend of a board.
    """

    width: int
    is_unicode: bool
    chosen: frozenset[str] = frozenset()
    before: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict[str, Mapping[str, Any]])
    own: int | None = None
    players: Sequence[str] = ()


def heading(part: Mapping[str, Any]) -> Block:
    """The title of a part and its note, in one line; nothing where it has neither."""
    title, note = part.get("title") or part.get("caption", ""), part.get("note", "")
    role = f"player-{part['owner']} " if "owner" in part else ""
    spans = [Span(title, f"{role}strong")] if title else []
    if note:
        spans.append(Span(f"  {note}" if title else note, "faint"))
    return [spans] if spans else []
