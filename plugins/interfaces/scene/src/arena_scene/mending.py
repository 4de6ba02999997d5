"""Makes of a scene with faults one that can be drawn: without what cannot, and with a sentence for its author."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from arena_scene.checking import MAX_ELEMENTS, scene_faults
from arena_scene.elements import plain
from arena_scene.parts import SceneText

LONGEST: Final = 20_000
"""How many characters of a text are shown."""

MOST: Final = MAX_ELEMENTS - 100
"""How many elements are kept of a scene that has more; the rest is room for what is said of it."""

_ROUNDS: Final = 20
_CUT: Final = "\n…"
_STEP: Final = re.compile(r"\.(\w+)\[(\d+)\]")


def mended(data: object) -> dict[str, Any] | None:
    """The sound scene that is left of ``data`` without its faults; ``None`` where nothing of it can be drawn.

    A sound scene is returned as it is. Otherwise a note at the end says the first fault, and how many there are.
    """
    if not (faults := scene_faults(data)):
        return cast("dict[str, Any]", data)
    if not isinstance(data, dict):
        return None
    scene = _cut(cast("dict[str, Any]", data))
    for _ in range(_ROUNDS):
        left = scene_faults(scene)
        if not scene.get("parts"):
            return None
        if not left:
            return _noted(scene, faults)
        scene = _without(scene, left)
    return None


def shortened(words: str) -> str:
    """Words as they may stand in a scene: cut off where they are longer than its texts may be, never empty."""
    words = words if words.strip() else "nothing is said about this position"
    return words if len(words) <= LONGEST else words[: LONGEST - len(_CUT)] + _CUT


def _noted(scene: dict[str, Any], faults: Sequence[str]) -> dict[str, Any] | None:
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    told = shortened(f"For the author of this game: the picture lacks what is wrong in it: {faults[0]}{more}.")
    noted = {**scene, "parts": [*scene["parts"], plain(SceneText(text=told, kind="note"))]}
    return None if scene_faults(noted) else noted


def _cut(scene: dict[str, Any]) -> dict[str, Any]:
    """The scene with its long texts cut off, and with no more elements than are drawn."""
    left = MOST

    def kept(value: object) -> Any:
        nonlocal left
        if isinstance(value, str):
            return value if len(value) <= LONGEST else shortened(value)
        if isinstance(value, dict):
            left -= 1
            return {name: kept(own) for name, own in cast("dict[str, object]", value).items()}
        if isinstance(value, list | tuple):
            return [kept(own) for own in cast("Sequence[object]", value) if left > 0 or not isinstance(own, dict)]
        return value

    return kept(scene)


def _without(scene: dict[str, Any], faults: Iterable[str]) -> dict[str, Any]:
    """The scene without the elements and parts in which the faults are, and with ids that are there twice only once."""
    doomed = {_element(fault) for fault in faults} - {()}
    twice = {found[1] for fault in faults if (found := re.search(r"the id '(.*)' is there twice", fault))}
    if not doomed and not twice:
        return {**scene, "parts": []}
    seen = set[str]()

    def kept(value: object, at: tuple[str | int, ...]) -> Any:
        if isinstance(value, dict):
            own = cast("dict[str, object]", value)
            name = own.get("id")
            is_again = isinstance(name, str) and name in twice and name in seen
            seen.update([name] if isinstance(name, str) else [])
            return {key: kept(each, (*at, key)) for key, each in own.items() if not (is_again and key == "id")}
        if isinstance(value, list | tuple):
            items = enumerate(cast("Sequence[object]", value))
            return [kept(each, (*at, place)) for place, each in items if (*at, place) not in doomed]
        return value

    return kept(scene, ())


def _element(fault: str) -> tuple[str | int, ...]:
    """Where the element or the part lies that has a fault; nothing where the fault is of the whole scene."""
    place = fault.partition(":")[0]
    found: list[str | int] = []
    for name, index in _STEP.findall(place):
        found += [name, int(index)]
        if name != "parts":
            break
    return tuple(found)
