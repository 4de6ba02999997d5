"""Compose a benchmark's plain data: what it extends and includes, overrides, sweeps and filters."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

import attrs

from arena.catalog import Catalog
from arena.config import Structuring
from arena.documents import Document, Source, given, open_document
from arena.errors import ConfigError
from arena.mistakes import Problem
from arena.plain import NAMED, Path, locate, merge, replace, snake, spelt
from arena.reader import read_value
from arena.variants import keep, sweep


@attrs.frozen(kw_only=True)
class Filter:
    """Which of the entries are kept, by name or tag; empty keeps all."""

    games: tuple[str, ...] = attrs.field(default=(), metadata={"help": "names and tags of the games to play"})
    agents: tuple[str, ...] = attrs.field(default=(), metadata={"help": "names and tags of the agents to play"})


@attrs.frozen(kw_only=True)
class Composition:
    """The keys of a benchmark file that say what it is made of."""

    extends: str | None = attrs.field(
        default=None, metadata={"help": "a file or suite:NAME that this one changes; null takes inherited keys away"}
    )
    include: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "files merged below this one, later ones on top"}
    )
    sweep: Mapping[str, tuple[Any, ...]] = attrs.field(
        factory=dict[str, tuple[Any, ...]],
        metadata={"help": "paths into a game or agent and the values to try, each as an entry of its own"},
    )
    filter: Filter = attrs.field(default=Filter(), metadata={"help": "which entries are kept"})
    disable: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "plugins that are not to be imported: dist, kind:name or name"}
    )


KEYS: Final = tuple(field.name for field in attrs.fields(Composition))
"""The keys of ``Composition``."""


@attrs.frozen
class Composed:
    """Plain data in one piece, and where its parts come from.

    ``documents`` come with the one that has the last word first. ``variants`` tell what a swept entry was made from.
    """

    data: Mapping[str, Any]
    documents: tuple[Document, ...] = ()
    overrides: tuple[Path, ...] = ()
    variants: Mapping[Path, Path] = attrs.field(factory=dict[Path, Path])

    def report(self, problems: Iterable[Problem]) -> ConfigError:
        """All problems, each once and with the file and line it comes from."""
        return ConfigError(dict.fromkeys(map(self._located, problems)))

    def _located(self, problem: Problem) -> str:
        origin = self.variants.get(problem.path[:2], problem.path[:2])
        problem = Problem((*origin, *problem.path[2:]), problem.text)
        path = spelt(problem.path)
        if any(path[: len(override)] == override for override in self.overrides):
            return f"--set: {problem}"
        size, line, label = 0, 0, next((d.label for d in self.documents), "")
        for document in self.documents:
            if document.line(path)[0] > size:
                (size, line), label = document.line(path), document.label
        place = f"{label}:{line}" if line and label else label
        return f"{place}: {problem}" if place else str(problem)


def compose(
    source: Source | Mapping[str, Any],
    catalog: Catalog,
    *,
    overrides: Iterable[str] = (),
    agents_file: Source | None = None,
    games: Iterable[str] = (),
    agents: Iterable[str] = (),
) -> Composed:
    """Everything that makes one benchmark, in one piece.

    In this order: ``extends`` below ``include`` below the text itself; ``agents_file`` puts its agents in the place of
    all others; ``overrides`` (``path=value``) change values; ``sweep`` multiplies entries; ``filter``, ``games`` and
    ``agents`` keep those named. ``ConfigError`` and ``PluginError`` say what does not work out.
    """
    first = given(source) if isinstance(source, Mapping) else open_document(source, catalog)
    data, documents = _layers(first, catalog, ())
    if agents_file is not None:
        data, documents = _with_agents(data, documents, agents_file, catalog)
    paths: list[Path] = []
    for override in overrides:
        data, path = _overridden(data, override)
        paths.append(path)
    composed = Composed(data, documents, tuple(paths))
    composition = _composition(composed, catalog)
    swept = sweep(data, composition.sweep)
    kept = keep(swept.data, attrs.asdict(composition.filter), "filter.")
    kept = keep(kept, {"games": games, "agents": agents}, "--")
    plain = {key: value for key, value in kept.items() if key not in KEYS or key == "disable"}
    if titles := [document.suite for document in documents if document.suite]:
        plain["based_on"] = titles
    return attrs.evolve(composed, data=plain, variants=swept.origins)


def _layers(
    document: Document, catalog: Catalog, above: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[Document, ...]]:
    if document.place.path and document.identity in above:
        raise ConfigError(f"{document.label}: extends or includes itself; take one of the references out")
    above = (*above, document.identity)
    stated = {key: value for key, value in document.data.items() if value is not None}
    composition = _composition(Composed(stated, (document,)), catalog)
    sources = [composition.extends, *composition.include]
    data: dict[str, Any] = {}
    documents: tuple[Document, ...] = ()
    for source in filter(None, sources):
        below = open_document(source, catalog, document.place if document.place.path else None)
        layer, more = _layers(below, catalog, above)
        data, documents = merge(data, layer), (*more, *documents)
    own = {key: value for key, value in document.data.items() if key not in ("extends", "include")}
    return merge(data, own), (document, *documents)


def _composition(composed: Composed, catalog: Catalog) -> Composition:
    structuring = Structuring(catalog)
    composition = structuring.value({k: v for k, v in composed.data.items() if k in KEYS}, Composition)
    if structuring.problems:
        raise composed.report(structuring.problems)
    return composition


def _with_agents(
    data: Mapping[str, Any], documents: tuple[Document, ...], source: Source, catalog: Catalog
) -> tuple[dict[str, Any], tuple[Document, ...]]:
    fragment, above = _layers(open_document(source, catalog), catalog, ())
    if "agents" not in fragment:
        raise ConfigError(f"{source}: expected a table 'agents', and there is none")
    kept = {key: value for key, value in data.items() if key != "agents"}
    if isinstance(kept.get("sweep"), Mapping):
        sweep = cast("Mapping[str, Any]", kept["sweep"])
        kept["sweep"] = {path: values for path, values in sweep.items() if not path.startswith("agents.")}
    return merge(kept, fragment), (*above, *documents)


def _overridden(data: Mapping[str, Any], override: str) -> tuple[dict[str, Any], Path]:
    dotted, equals, text = override.partition("=")
    if not equals or not all(dotted.split(".")):
        raise ConfigError(f"--set {override}: expected PATH=VALUE, such as limits.concurrency=8")
    first, *rest = locate(data, dotted)
    path = (snake(first), *rest)
    value = read_value(text, f"--set {dotted}")
    try:
        if value is None and len(path) == 2 and first in NAMED:
            return {**data, first: _without(data.get(first), rest[0])}, path
        return replace(data, path, value), spelt(path)
    except ConfigError as error:
        raise ConfigError(f"--set {dotted}: {error}") from None


def _without(table: Any, key: str) -> Any:
    if not isinstance(table, Mapping) or key not in table:
        raise ConfigError(f"there is nothing called {key!r} to take away")
    return {k: v for k, v in cast("Mapping[str, Any]", table).items() if k != key}
