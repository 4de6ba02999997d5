"""The renderer for browsers, as texts: a page shows them as files or holds them, and needs nothing else."""

from functools import cache
from importlib.resources import files
from typing import Final

_BROWSER: Final = files("arena_scene") / "browser"


@cache
def scene_script() -> str:
    """``scene.js``, a module that exports ``SceneView`` and ``patch``."""
    return (_BROWSER / "scene.js").read_text("utf-8")


@cache
def scene_style() -> str:
    """``scene.css``, which gives every role its colour in light and dark by the page's colour scheme."""
    return (_BROWSER / "scene.css").read_text("utf-8")


@cache
def touches_script() -> str:
    """``touches.js``, a module that exports ``TouchView``: choosing an action in a scene; imports ``scene.js``."""
    return (_BROWSER / "touches.js").read_text("utf-8")


@cache
def form_script() -> str:
    """``form.js``, a module that exports ``FormView``: the form of a JSON schema; imports ``scene.js``."""
    return (_BROWSER / "form.js").read_text("utf-8")


@cache
def complete_script() -> str:
    """``complete.js``, which ``form.js`` imports where a look-up completes what is typed."""
    return (_BROWSER / "complete.js").read_text("utf-8")


@cache
def touches_style() -> str:
    """``touches.css``, the look of both beside a scene."""
    return (_BROWSER / "touches.css").read_text("utf-8")
