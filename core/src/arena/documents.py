"""The texts a benchmark is composed of: files and suites, with what they say about each other."""

import posixpath
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path as FilePath
from typing import Any, TypeAlias, cast

import attrs

from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.plain import Path, snake
from arena.reader import read
from arena.suites import PREFIX, find, title

Source: TypeAlias = str | FilePath
"""A file, or ``suite:NAME``."""


@attrs.frozen
class Place:
    """A path below a directory: a file's, or that of a package that ships suites."""

    root: Traversable
    path: str

    def beside(self, path: str) -> "Place":
        """A file named in this one."""
        return Place(self.root, posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path)))

    @property
    def file(self) -> Traversable:
        """The file itself."""
        return self.root.joinpath(self.path)


@attrs.frozen
class Document:
    """One text: its keys at the top in snake_case, and the line of everything in it.

    ``label`` is what the user calls it, ``suite`` its title where it is one.
    """

    label: str
    data: Mapping[str, Any]
    lines: Mapping[Path, int] = attrs.field(factory=dict[Path, int], repr=False)
    place: Place = attrs.field(default=Place(FilePath(), ""), repr=False)
    suite: str = ""

    @property
    def identity(self) -> str:
        """The same for the same text, whatever it is called."""
        file = self.place.file
        return str(file.resolve()) if isinstance(file, FilePath) else str(file)

    def line(self, path: Path) -> tuple[int, int]:
        """How much of ``path`` this text holds, and the line where that stands."""
        for size in range(len(path), 0, -1):
            if path[:size] in self.lines:
                return size, self.lines[path[:size]]
        return 0, 0


def open_document(source: Source, catalog: Catalog, beside: Place | None = None) -> Document:
    """Read a file or suite; relative paths are meant from ``beside``, or from where the program runs.

    ``ConfigError`` for a text that is not there or not a table, ``PluginError`` for a suite that is not.
    """
    name = str(source)
    suite = ""
    if name.startswith(PREFIX):
        place = Place(*find(name.removeprefix(PREFIX), catalog))
        suite = title(name.removeprefix(PREFIX), catalog)
    else:
        place = beside.beside(name) if beside else Place(FilePath(), name)
        name = place.path
    written = read(_text(name, place, catalog), name)
    return Document(name, _top(name, written.data), written.lines, place, suite)


def given(data: Any) -> Document:
    """Plain data that somebody has in hand, as a document; what it refers to is meant from where the program runs."""
    return Document("", _top("the benchmark", data))


def _top(name: str, data: Any) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        what = "it is empty" if data is None else f"it is a {type(data).__name__}"
        raise ConfigError(f"{name}: expected a table with games and agents, and {what}")
    table: dict[str, Any] = {}
    for key, value in cast("Mapping[str, Any]", data).items():
        if snake(key) in table:
            raise ConfigError(f"{name}: {key}: written twice, with '-' and with '_'; keep one")
        table[snake(key)] = value
    return table


def _text(name: str, place: Place, catalog: Catalog) -> str:
    try:
        return place.file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        meant = f" (did you mean '{PREFIX}{name}'?)" if catalog.has("suite", name) else "; check the path"
        raise ConfigError(f"{name}: there is no such file{meant}") from None
    except IsADirectoryError:
        raise ConfigError(f"{name}: expected a file, and this is a directory") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: expected UTF-8 text, and byte {error.start} is none; save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read ({error.strerror}); check its permissions") from None
