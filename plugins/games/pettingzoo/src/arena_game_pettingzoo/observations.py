"""Converts observations to JSON and to text."""

import math
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

import numpy as np
from arena.errors import RuleError
from arena.game import Image
from arena.record import JSON, canonical_json

MASK = "action_mask"


def plain(value: Any) -> JSON:
    """Convert an observation to JSON: arrays and tuples become lists, numbers that are not finite their names."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise RuleError(f"an observation holds {type(value).__name__!r}, which is no array, number, text, list or table")


def without_mask(observation: Any) -> tuple[Any, Any]:
    """Split an observation into the rest and the mask of legal actions, if it contains one."""
    if not isinstance(observation, Mapping) or MASK not in observation:
        return observation, None
    rest = {key: value for key, value in observation.items() if key != MASK}
    return rest["observation"] if set(rest) == {"observation"} else rest, observation[MASK]


def text(view: Any) -> str:
    """The text that shows an observation to a player, the spectator, or a bystander, who does not know the seed."""
    if "players" in view:
        parts = [f"{name}:\n{_sight(seen)}" for name, seen in view["players"].items()]
        seed = [f"The environment's seed is {view['seed']}."] if "seed" in view else []
        return "\n\n".join([*seed, *parts])
    return f"You are {view['you']}.\n{_sight(view)}"


def image(view: Any) -> Image | str:
    """The picture in an observation; the text where there is none in it."""
    words = text(view)
    return Image("image/png", b64decode(view["picture"]), words) if "picture" in view else words


def _sight(view: Mapping[str, Any]) -> str:
    over = " The match is over." if view["is_over"] else ""
    drawing = f"\n{view['drawing']}" if view.get("drawing") else ""
    return f"Earned so far: {view['earned']:g}.{over}\nObservation: {_laid_out(view['observation'])}{drawing}"


def _laid_out(value: Any) -> str:
    """Lay out mappings by key and matrices by row; everything else is JSON."""
    if isinstance(value, Mapping):
        return "".join(f"\n  {key}: {canonical_json(item)}" for key, item in value.items())
    if isinstance(value, list) and value and all(_is_row(row) for row in value):
        return "".join(f"\n  {' '.join(canonical_json(cell) for cell in row)}" for row in value)
    return canonical_json(value)


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and not any(isinstance(cell, list | Mapping) for cell in row)
