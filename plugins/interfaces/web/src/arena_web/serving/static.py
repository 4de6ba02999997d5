"""The files of the pages: a fixed list, made once; no name from a request is looked up anywhere else."""

from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import attrs
from arena_scene import (
    complete_script,
    elements_script,
    form_script,
    scene_module,
    scene_style,
    touches_script,
    touches_style,
)

PAGES: Final = files("arena_web") / "pages"

INDEX: Final = "index.html"

OWN_PAGES: Final[Mapping[str, str]] = {"/seat": "seat.html", "/watch": "watch.html", "/study": "study.html"}
"""The pages of links that open one thing, by their addresses; at all others stands the index."""

_RENDERER: Final[Mapping[str, Callable[[], str]]] = {
    "elements.js": elements_script,
    "scene.js": scene_module,
    "scene.css": scene_style,
    "touches.js": touches_script,
    "touches.css": touches_style,
    "form.js": form_script,
    "complete.js": complete_script,
}

_TYPES: Final[Mapping[str, str]] = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".html": "text/html; charset=utf-8",
}


@attrs.frozen
class StaticFile:
    """One file: its media type, and a function that gives its bytes."""

    media_type: str
    content: Callable[[], bytes]


def static_files() -> dict[str, StaticFile]:
    """All files that are served, by their names: those of the pages, and the renderer of scenes."""
    found = {name: StaticFile(_TYPES[_ending(name)], file.read_bytes) for name, file in _below(PAGES, "")}
    return found | {name: StaticFile(_TYPES[_ending(name)], _encoded(text)) for name, text in _RENDERER.items()}


def _encoded(text: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: text().encode()


def _below(folder: Traversable, before: str) -> Iterator[tuple[str, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name) if folder.is_dir() else ():
        name = f"{before}{each.name}"
        if each.is_dir():
            yield from _below(each, f"{name}/")
        elif _ending(name) in _TYPES:
            yield name, each


def _ending(name: str) -> str:
    return f".{name.rpartition('.')[2]}"
