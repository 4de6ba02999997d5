"""Imports names from other distributions when they are first used, and says what to install if one is missing."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def open_door(package: str, name: str, homes: Mapping[str, str]) -> Any:
    """Import the object ``package.name`` from the module that ``homes`` gives for it.

    That module may belong to another distribution; if it is not installed, ``ImportError`` names the distribution.
    ``AttributeError`` says that there is no such name. Whatever else the import raises passes unchanged.
    """
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    room = homes[name].partition(".")[0]
    if find_spec(room) is None:
        dist = room.replace("_", "-")
        raise ImportError(f"{package}.{name} is in {dist}, which is not installed: pip install {dist}", name=room)
    return getattr(import_module(homes[name]), name)


def installed_names(homes: Mapping[str, str]) -> Iterable[str]:
    """The names whose distribution is installed here; the others would raise ``ImportError``."""
    return [name for name, home in homes.items() if find_spec(home.partition(".")[0]) is not None]
