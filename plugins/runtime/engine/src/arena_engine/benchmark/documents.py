"""Finds suites and opens the documents that a benchmark is composed of: files, suites and plain data."""

import posixpath
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path as FilePath
from typing import Any, TypeAlias, cast

import attrs
from arena.catalog import Catalog, Status
from arena.errors import ConfigError

from arena_engine.benchmark.plain_data import Path, snake
from arena_engine.benchmark.yaml_data import BYTES, read_yaml

PREFIX = "suite:"
"""The prefix of a suite's name wherever a file's path is possible too."""


@attrs.frozen(kw_only=True)
class Suite:
    """One installed suite; its ``version`` is raised whenever its results would change."""

    name: str
    dist: str
    version: str
    summary: str


def suites(catalog: Catalog) -> Iterator[Suite]:
    """The suites that can be run; the catalog lists the others with the reason why they cannot."""
    for entry in catalog.entries("suite"):
        if entry.status is Status.OK and entry.plugin is not None:
            yield Suite(name=entry.name, dist=entry.dist, version=entry.plugin.version, summary=entry.summary)


def find(name: str, catalog: Catalog) -> tuple[Traversable, str]:
    """Locate a suite's file: its package's directory, and the path in it. ``PluginError`` if there is no such suite."""
    return catalog.get("suite", name).resource()


def suite_title(name: str, catalog: Catalog) -> str:
    """A suite's name, version and distribution as one text, for the record of a run."""
    entry = catalog.get("suite", name)
    version = entry.plugin.version if entry.plugin else ""
    return f"{entry.name} {version} ({entry.dist} {entry.version})"


Source: TypeAlias = str | FilePath
"""A file, or ``suite:NAME``."""


@attrs.frozen
class ResourcePath:
    """A path relative to a directory, which may be a package's."""

    root: Traversable
    path: str

    def relative_to(self, path: str) -> "ResourcePath":
        """Resolve a path that this file mentions, which is relative to its directory."""
        return ResourcePath(self.root, posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path)))

    @property
    def file(self) -> Traversable:
        """The file that the path leads to, which need not exist."""
        return self.root.joinpath(self.path)


@attrs.frozen
class Document:
    """One document as plain data, with its top-level keys in snake_case, and the line of everything in it.

    ``label`` is what the user calls it; ``suite`` is the title of a suite, or empty. ``is_recorded`` says that it comes
    from a journal, so that nobody can edit it.
    """

    label: str
    data: Mapping[str, Any]
    lines: Mapping[Path, int] = attrs.field(factory=dict[Path, int], repr=False)
    place: ResourcePath = attrs.field(default=ResourcePath(FilePath(), ""), repr=False)
    suite: str = ""
    is_recorded: bool = False

    @property
    def identity(self) -> str:
        """A text that is equal for two references to the same file."""
        file = self.place.file
        return str(file.resolve()) if isinstance(file, FilePath) else str(file)

    @property
    def folder(self) -> FilePath | None:
        """The folder of a file on this machine that is no suite's; ``None`` for anything else."""
        file = self.place.file
        return file.parent if self.place.path and not self.suite and isinstance(file, FilePath) else None

    def line(self, path: Path) -> tuple[int, int]:
        """The length of the longest prefix of ``path`` in this document, and its line; zeros if there is none."""
        for size in range(len(path), 0, -1):
            if path[:size] in self.lines:
                return size, self.lines[path[:size]]
        return 0, 0


def read(source: Source | Mapping[str, Any], catalog: Catalog) -> Document:
    """Open the source of a benchmark: a file, ``suite:NAME``, or plain data with all that a file may hold."""
    return inline_document(source) if isinstance(source, Mapping) else open_document(source, catalog)


def open_document(source: Source, catalog: Catalog, beside: ResourcePath | None = None) -> Document:
    """Read a file or suite; a relative path is resolved from the directory of ``beside``, or the working directory.

    ``ConfigError`` if the file does not exist or is no table, ``PluginError`` if there is no such suite.
    """
    name = str(source)
    suite = ""
    if name.startswith(PREFIX):
        place = ResourcePath(*find(name.removeprefix(PREFIX), catalog))
        suite = suite_title(name.removeprefix(PREFIX), catalog)
    else:
        place = beside.relative_to(name) if beside else ResourcePath(FilePath(), name)
        name = place.path
    written = read_yaml(_text(name, place, catalog), name)
    return Document(name, _top(name, written.data), written.lines, place, suite)


def inline_document(data: Any, *, is_recorded: bool = False) -> Document:
    """Make a document of plain data; relative paths in it are resolved from the working directory."""
    return Document("", _top("the benchmark", data), is_recorded=is_recorded)


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


def _text(name: str, place: ResourcePath, catalog: Catalog) -> str:
    try:
        with place.file.open("rb") as file:
            return file.read(BYTES + 1).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        meant = f" (did you mean '{PREFIX}{name}'?)" if catalog.has("suite", name) else "; check the path"
        raise ConfigError(f"{name}: there is no such file{meant}") from None
    except IsADirectoryError:
        raise ConfigError(f"{name}: expected a file, and this is a directory") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: expected UTF-8 text, and byte {error.start} is none; save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read ({error.strerror}); check its permissions") from None
