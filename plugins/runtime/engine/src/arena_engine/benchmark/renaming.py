"""Replaces old names of keys in the documents of a benchmark, before the documents are merged."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs
from arena.catalog import Catalog
from arena.errors import ConfigError

from arena_engine.benchmark.documents import Document
from arena_engine.benchmark.merging import Path, locate, normalized, replace, snake
from arena_engine.benchmark.renamed import RenamedKeyWarning, mentions_renamed
from arena_engine.benchmark.renamer import RenamedKey, Renamer, RepeatedKey


class Renaming:
    """Renames keys in the documents of a benchmark, one document after another.

    ``written`` is the benchmark merged without renaming. It says which plugin is meant if a document does not, and its
    names of keys are those that sweeps use in the names of variants.
    """

    def __init__(self, catalog: Catalog, written: Mapping[str, Any]) -> None:
        self.written = written
        self._catalog = catalog
        self._told: dict[str, None] = {}

    def document(self, document: Document) -> Document:
        """A document with current names of keys; its lines can be found by old and current names.

        ``ConfigError`` lists each key that the document has under both of its names.
        """
        renamer, data = self._renamed(document.data)
        if renamer.repeated:
            raise ConfigError(f"{_place(document, each)}{each}" for each in renamer.repeated)
        if not document.is_recorded:
            self._told |= dict.fromkeys(map(str, renamer.renamed))
        return attrs.evolve(document, data=data, lines={**document.lines, **_moved(document, renamer.renamed)})

    def override(self, path: Path, value: Any) -> tuple[Path, Any]:
        """The path and the value of an override with current names of keys; ``ConfigError`` as for a document."""
        nested = value
        for key in reversed(path):
            nested = {key: nested}
        self._told |= dict.fromkeys(map(str, self._sound(self._renamed(nested)[0]).renamed))
        return Renamer(self._catalog).at(path, value, self.written)

    def put(self, place: Path, entry: Any, path: Path, value: Any) -> Any:
        """A copy of the benchmark's entry at ``place`` with ``value`` at ``path``, under current names of keys."""
        renamer = Renamer(self._catalog)
        found, renamed = renamer.at((*place, *path), value, {place[0]: {place[1]: entry}})
        self._sound(renamer)
        return replace(entry, found[len(place) :], renamed)

    def respelled(self, below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of ``below`` whose sweeps use the paths of ``above`` wherever both mean the same key."""
        paths, others = _sweep(below), _sweep(above)
        meant = {self._target(path): path for path in others}
        same = {path: meant.get(self._target(path), path) for path in paths}
        if all(snake(path) == snake(other) for path, other in same.items()):
            return below
        return {**below, "sweep": {same[path]: values for path, values in paths.items()}}

    def rest(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The merged benchmark with current names of keys; also in entries whose plugin only a sweep names."""
        renamer = Renamer(self._catalog)
        made = renamer.benchmark(data, data)
        self._told |= dict.fromkeys(map(str, self._sound(renamer).renamed))
        return made

    def warn(self) -> None:
        """Issue one ``RenamedKeyWarning`` for each renamed key found so far."""
        for text in self._told:
            warnings.warn(text, RenamedKeyWarning, stacklevel=4)

    def _renamed(self, data: Mapping[str, Any]) -> tuple[Renamer, dict[str, Any]]:
        renamer = Renamer(self._catalog)
        made = renamer.benchmark(data, self.written)
        self._look_into_sweep(_sweep(data), renamer)
        return renamer, made

    def _look_into_sweep(self, sweep: Mapping[str, Any], noted: Renamer) -> None:
        """Find renamed keys in a sweep. Its paths are not changed, because the names of variants contain them."""
        seen: dict[Path, str] = {}
        for dotted, values in sweep.items():
            for value in cast("list[Any]", values) if isinstance(values, list | tuple) and values else [None]:
                renamer = Renamer(self._catalog)
                renamer.at(self._located(dotted), value, self.written)
                noted.renamed += [RenamedKey(("sweep", *e.written), ("sweep", *e.now)) for e in renamer.renamed]
                noted.repeated += [RepeatedKey(("sweep", *e.written), ("sweep", *e.now)) for e in renamer.repeated]
            other = seen.setdefault(self._target(dotted), dotted)
            if snake(other) != snake(dotted):
                old, now = sorted(
                    (other, dotted), key=lambda path: self._target(path) == normalized(self._located(path))
                )
                noted.repeated.append(RepeatedKey(("sweep", old), ("sweep", now)))

    def _located(self, dotted: str) -> Path:
        first, *rest = locate(self.written, dotted)
        return snake(first), *rest

    def _target(self, dotted: str) -> Path:
        """The normalized path that a path of a sweep means, with current names of keys."""
        return normalized(Renamer(self._catalog).at(self._located(dotted), None, self.written)[0])

    @staticmethod
    def _sound(renamer: Renamer) -> Renamer:
        if renamer.repeated:
            raise ConfigError(map(str, renamer.repeated))
        return renamer


def renamed_plain(plain: Mapping[str, Any], catalog: Catalog | None = None) -> Mapping[str, Any]:
    """A composed benchmark, as a journal stores it, with current names of keys; no warning is given."""
    if not mentions_renamed(plain):
        return plain
    return Renamer((catalog or Catalog()).without(disabled_in(plain))).benchmark(plain, plain)


def disabled_in(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The plugins that a benchmark disables; mistakes in that list are left for the later checks."""
    words: Any = data.get("disable")
    return tuple(word for word in cast("list[Any]", words) if isinstance(word, str)) if isinstance(words, list) else ()


def renamed_plugin(settings: Any, contract: Any, catalog: Catalog) -> Any:
    """A plugin's plain data with current names of keys; ``ConfigError`` if a key occurs under both of its names."""
    renamer = Renamer(catalog)
    made = renamer.value(settings, contract, None)
    if renamer.repeated:
        raise ConfigError(map(str, renamer.repeated))
    for each in renamer.renamed:
        warnings.warn(str(each), RenamedKeyWarning, stacklevel=3)
    return made


def _sweep(data: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = data.get("sweep")
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def _moved(document: Document, renamed: Iterable[RenamedKey]) -> dict[Path, int]:
    """The lines of renamed keys and of everything below them, by their current paths."""
    moved: dict[Path, int] = {}
    for each in renamed:
        old, now = normalized(each.written), normalized(each.now)
        moved |= {(*now, *path[len(old) :]): n for path, n in document.lines.items() if path[: len(old)] == old}
    return moved


def _place(document: Document, repeated: RepeatedKey) -> str:
    _, line = document.line(normalized(repeated.written))
    return f"{document.label}:{line}: " if line else f"{document.label}: " if document.label else ""
