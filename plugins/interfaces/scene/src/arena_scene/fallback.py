"""The scene of any game: its own, or one made of its picture or its words where it draws none."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from arena_scene.checking import scene_faults
from arena_scene.parts import Picture, Scene, SceneText

LONGEST: Final = 20_000
"""How many characters of a text form are shown."""

_CUT: Final = "\n…"


def scene_of(title: str, forms: Mapping[str, Callable[[Any], Any]], view: Any) -> dict[str, Any]:
    """What a position looks like, whatever game it is of, as the JSON of a sound scene.

    The form ``scene`` where there is one and its scene is sound, else a picture by the first form that gives one, else
    the text form as it stands. ``view`` is what is handed to forms; ``title`` what the scene is called without its own.
    """
    drawn = forms["scene"](view) if "scene" in forms else None
    faults = scene_faults(drawn.data) if drawn is not None else ()
    if drawn is not None and not faults:
        return drawn.data
    words = shortened(drawn.alt if drawn is not None else _told(forms, view))
    note = f"not drawn: {faults[0]}"[:LONGEST] if faults else ""
    pictures = [name for name, form in forms.items() if name != "scene" and _is_picture(form(view))]
    part = (
        Picture(form=pictures[0], note=note) if pictures else SceneText(id="text", text=words, kind="code", note=note)
    )
    return Scene(title, words, part).drawn()[0]


def text_scene(title: str, words: str) -> tuple[dict[str, Any], str]:
    """A scene that is a text and no more: for games whose positions are words."""
    told = shortened(words)
    return Scene(title, told, SceneText(id="text", text=told, kind="code")).drawn()


def _told(forms: Mapping[str, Callable[[Any], Any]], view: Any) -> str:
    told = forms["text"](view) if "text" in forms else view
    return told if isinstance(told, str) else str(told)


def _is_picture(shown: Any) -> bool:
    return isinstance(getattr(shown, "media_type", None), str)


def shortened(words: str) -> str:
    """Words as they may stand in a scene: cut off where they are longer than its texts may be, never empty."""
    words = words if words.strip() else "nothing is said about this position"
    return words if len(words) <= LONGEST else words[: LONGEST - len(_CUT)] + _CUT
