"""Files that distributions ship under a name: suites and prompt styles."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from arena.catalog import Entry
from arena.errors import PluginError


def locate(entry: Entry) -> tuple[Traversable, str]:
    """Where the file is that a plugin stands for: a package and a path in it; ``PluginError`` where it is missing."""
    factory = entry.plugin.factory if entry.plugin else ""
    package, _, path = factory.partition(":")
    try:
        root = files(package)
    except (ImportError, ValueError, TypeError) as error:
        raise PluginError(f"{entry} is broken: {error}; reinstall {entry.dist}") from error
    if not path or not root.joinpath(*path.split("/")).is_file():
        raise PluginError(f"{entry} is broken: {entry.dist} ships no file {path!r}; reinstall {entry.dist}")
    return root, path


def read(entry: Entry) -> str:
    """The text of the file that a plugin stands for."""
    root, path = locate(entry)
    return root.joinpath(*path.split("/")).read_text(encoding="utf-8")
