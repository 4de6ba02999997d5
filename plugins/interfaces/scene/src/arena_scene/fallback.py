"""The scene of any game: its own, or one made of its picture or its words where it draws none."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any

from arena_scene.checking import every_part, scene_faults
from arena_scene.faces import face_of, position_words
from arena_scene.mending import LONGEST, mended, shortened
from arena_scene.parts import Picture, Scene, SceneText


def scene_of(title: str, forms: Mapping[str, Callable[[Any], Any]], view: Any) -> dict[str, Any]:
    """What a position looks like, whatever game it is of, as the JSON of a sound scene.

    The form ``scene`` where there is one, without what is wrong in it, as a note then says; else a picture by the first
    form that gives one, else the text form: as it stands, or as values with names, grids and cards where it is data.
    ``view`` is what is handed to forms; ``title`` what the scene is called without its own. Its pictures are in it, as
    far as a scene has room for them.
    """
    drawn = forms["scene"](view) if "scene" in forms else None
    faults = scene_faults(drawn.data) if drawn is not None else ()
    if drawn is not None and (scene := mended(drawn.data)) is not None:
        return _with_images(scene, forms, view)
    told = drawn.alt if drawn is not None else _told(forms, view)
    words = shortened(position_words(told))
    note = f"not drawn: {faults[0]}"[:LONGEST] if faults else ""
    for name, form in forms.items():
        if name != "scene" and (image := _address(form(view))):
            scene = Scene(title, words, Picture(form=name, image=image, note=note)).drawn()[0]
            if not (beyond := scene_faults(scene)):
                return scene
            note = note or f"not drawn: {beyond[0]}"[:LONGEST]
    if not note:
        return text_scene(title, told)[0]
    return Scene(title, words, SceneText(id="text", text=words, kind="code", note=note)).drawn()[0]


def text_scene(title: str, words: str) -> tuple[dict[str, Any], str]:
    """The scene of a position whose text is all there is: the text, or what it holds as data."""
    if (face := face_of(title, words)) is not None and not scene_faults(face.drawn()[0]):
        return face.drawn()
    told = shortened(position_words(words))
    return Scene(title, told, SceneText(id="text", text=told, kind="code")).drawn()


def _told(forms: Mapping[str, Callable[[Any], Any]], view: Any) -> str:
    told = forms["text"](view) if "text" in forms else view
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)


def _with_images(scene: dict[str, Any], forms: Mapping[str, Callable[[Any], Any]], view: Any) -> dict[str, Any]:
    """A sound scene with its pictures in it; without them where they are more than it may hold."""
    if not any(part["part"] == "picture" for _, part in every_part(scene["parts"])):
        return scene

    def filled(part: Mapping[str, Any]) -> dict[str, Any]:
        if part["part"] == "sides":
            return {**part, "parts": [filled(own) for own in part["parts"]]}
        image = _address(forms[part["form"]](view)) if part["part"] == "picture" and part["form"] in forms else ""
        return {**part, "image": image} if image else dict(part)

    whole = {**scene, "parts": [filled(part) for part in scene["parts"]]}
    return scene if scene_faults(whole) else whole


def _address(shown: Any) -> str:
    """An address that holds a picture; empty for whatever is none."""
    kind: Any = getattr(shown, "media_type", None)
    return f"data:{kind};base64,{b64encode(shown.data).decode()}" if isinstance(kind, str) else ""
