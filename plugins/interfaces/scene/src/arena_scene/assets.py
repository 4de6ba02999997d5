"""The renderer for browsers, as texts: a page shows them as files or holds them, and needs nothing else."""

from functools import cache
from importlib.resources import files
from typing import Final

_BROWSER: Final = files("arena_scene") / "browser"

_IMPORT: Final = 'import { button, dressed, make, shown, textOf } from "./elements.js";\n'


@cache
def scene_script() -> str:
    """``scene.js``, a module that exports ``SceneView`` and ``patch``, with what it imports in it: it stands alone."""
    imported, _, rest = scene_module().partition(_IMPORT)
    return f"{elements_script()}{imported}{rest}"


@cache
def scene_module() -> str:
    """``scene.js`` as it is, which imports ``elements.js``."""
    return (_BROWSER / "scene.js").read_text("utf-8")


@cache
def elements_script() -> str:
    """``elements.js``, a module with which all others make elements of a page."""
    return (_BROWSER / "elements.js").read_text("utf-8")


@cache
def scene_style() -> str:
    """``scene.css``, which gives every role its colour in light and dark by the page's colour scheme."""
    return (_BROWSER / "scene.css").read_text("utf-8")


@cache
def touches_script() -> str:
    """``touches.js``, a module that exports ``TouchView``: choosing an action in a scene; imports ``elements.js``."""
    return (_BROWSER / "touches.js").read_text("utf-8")


@cache
def form_script() -> str:
    """``form.js``, a module that exports ``FormView``: the form of a JSON schema; imports ``elements.js``."""
    return (_BROWSER / "form.js").read_text("utf-8")


@cache
def complete_script() -> str:
    """``complete.js``, which ``form.js`` imports where a look-up completes what is typed."""
    return (_BROWSER / "complete.js").read_text("utf-8")


@cache
def touches_style() -> str:
    """``touches.css``, the look of both beside a scene."""
    return (_BROWSER / "touches.css").read_text("utf-8")
