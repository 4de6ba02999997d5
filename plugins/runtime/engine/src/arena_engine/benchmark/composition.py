"""Composes a benchmark's plain data from the files it extends and includes, overrides, sweeps and filters."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any, Final, cast

import attrs
from arena.catalog import Catalog, Status
from arena.errors import ConfigError
from arena.record import JSON

from arena_engine.benchmark.documents import PREFIX, Document, Source, open_document
from arena_engine.benchmark.parts import parted
from arena_engine.benchmark.plain_data import NAMED, BenchmarkProblem, Path, locate, merge, normalized, replace, snake
from arena_engine.benchmark.structure import Structurer
from arena_engine.benchmark.sweeps import is_of_many, keep, sweep
from arena_engine.benchmark.trust import INSTALLED_ALONE, given_trust, within
from arena_engine.benchmark.yaml_data import read_value

DEFAULTS: Final[Mapping[str, JSON]] = {"schedule": "round-robin", "executor": "asyncio"}
"""The plugins used if a benchmark names none of that kind."""

DEFAULT: Final = "default"
"""The capability of the metrics used if a benchmark names none."""


@attrs.frozen(kw_only=True)
class Filter:
    """The names or tags of the entries to keep; an empty tuple keeps all."""

    games: tuple[str, ...] = attrs.field(default=(), metadata={"help": "names and tags of the games to play"})
    agents: tuple[str, ...] = attrs.field(default=(), metadata={"help": "names and tags of the agents to play"})


@attrs.frozen(kw_only=True)
class Composition:
    """The keys of a benchmark file that say what it is composed of."""

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
    """A benchmark as plain data in one piece, and where its parts come from.

    ``data`` is what a run's journal stores. ``documents`` are ordered by precedence, the highest first. ``variants``
    map a sweep's entries to the entry they come from. ``disabled`` are the plugins that must not be imported.
    ``folder`` is that of the benchmark's own file, ``None`` if it comes from no file; ``agents_folder`` is that of the
    file of agents that the person has named.
    """

    data: Mapping[str, Any]
    documents: tuple[Document, ...] = ()
    overrides: tuple[Path, ...] = ()
    variants: Mapping[Path, Path] = attrs.field(factory=dict[Path, Path])
    disabled: tuple[str, ...] = ()
    folder: FilePath | None = None
    agents_folder: FilePath | None = None

    @property
    def folders(self) -> tuple[FilePath, ...] | None:
        """The folders of the files that the person has named, ``None`` if there is no benchmark's among them."""
        return None if self.folder is None else tuple(filter(None, (self.folder, self.agents_folder)))

    @property
    def typed(self) -> tuple[Path, ...]:
        """The paths that overrides changed, in the variants of a sweep too."""
        moved = ((*made, *path[2:]) for made, of in self.variants.items() for path in self.overrides if path[:2] == of)
        return (*self.overrides, *moved)

    @property
    def is_recorded(self) -> bool:
        """Whether it comes from a journal."""
        return any(document.is_recorded for document in self.documents)

    def report(self, problems: Iterable[BenchmarkProblem]) -> ConfigError:
        """Format problems, each once, with the file and line it comes from."""
        return ConfigError(dict.fromkeys(map(self._located, problems)))

    def as_written(self, problem: BenchmarkProblem) -> BenchmarkProblem:
        """A problem of an entry that a sweep made, as one of the entry that it was made of."""
        origin = self.variants.get(problem.path[:2], problem.path[:2])
        return BenchmarkProblem((*origin, *problem.path[2:]), problem.text)

    def _located(self, problem: BenchmarkProblem) -> str:
        problem = self.as_written(problem)
        path = normalized(problem.path)
        if any(path[: len(override)] == override for override in self.overrides):
            return f"--set: {problem}"
        size, line, label = 0, 0, next((d.label for d in self.documents), "")
        for document in self.documents:
            if document.line(path)[0] > size:
                (size, line), label = document.line(path), document.label
        place = f"{label}:{line}" if line and label else label
        return f"{place}: {problem}" if place else str(problem)


def compose(
    document: Document,
    catalog: Catalog,
    *,
    overrides: Iterable[str] = (),
    agents_file: Source | None = None,
    games: Iterable[str] = (),
    agents: Iterable[str] = (),
    fills_in_metrics: bool = False,
) -> Composed:
    """Compose a benchmark from its source and all changes to it.

    In this order: the document is merged over what it includes, and that over what it extends; ``agents_file`` replaces
    all agents; ``overrides`` (``path=value``) change values; ``sweep`` multiplies entries, and so do parameters that
    stand for many values; ``filter``, ``games`` and
    ``agents`` keep those named. Then a missing name, schedule or executor is filled in, and
    with ``fills_in_metrics`` the metrics too. ``ConfigError`` and ``PluginError`` say what cannot be composed.
    """
    layers = _opened(document, catalog, ())
    agents_of = None if agents_file is None else _opened(open_document(agents_file, catalog), catalog, ())
    changes = tuple(overrides)
    composed = _put_together(layers, agents_of, changes)
    composition = _composition(composed, catalog)
    composed = attrs.evolve(
        composed, folder=document.folder, agents_folder=None if agents_of is None else agents_of.document.folder
    )
    with within(composed.folders):
        plugins = catalog.without(composition.disable)
        swept = parted(sweep(composed.data, composition.sweep), plugins, composed.overrides)
    kept = keep(swept.data, attrs.asdict(composition.filter), "filter.")
    kept = keep(kept, {"games": games, "agents": agents}, "--")
    plain = _filled_in(kept, document, composed.documents)
    if fills_in_metrics and "metrics" not in plain and (names := _metrics(catalog.without(composition.disable))):
        plain["metrics"] = names
    return attrs.evolve(
        composed,
        data=plain,
        variants=swept.origins,
        disabled=composition.disable,
    )


def _filled_in(kept: Mapping[str, Any], first: Document, documents: Iterable[Document]) -> dict[str, Any]:
    """The data without the keys of ``Composition``, with a name and the default plugins added."""
    plain: dict[str, Any] = {"name": _stem(first.label)}
    plain |= {key: value for key, value in kept.items() if key not in KEYS or key == "disable"}
    if titles := [document.suite for document in documents if document.suite]:
        plain["based_on"] = titles
    return plain | {key: value for key, value in DEFAULTS.items() if key not in plain}


def _metrics(catalog: Catalog) -> list[str]:
    """The usable metrics that have the capability ``default``."""
    usable = ((entry.name, entry.plugin) for entry in catalog.entries("metric") if entry.status is Status.OK)
    return [name for name, plugin in usable if plugin is not None and DEFAULT in plugin.capabilities]


def _stem(label: str) -> str:
    """The default name of a benchmark: its file's, without the ending."""
    last = re.split(r"[/\\:]", label)[-1]
    return re.sub(r"[^A-Za-z0-9._-]+", "-", re.sub(r"\.ya?ml$", "", last)).lstrip(".-_") or "benchmark"


@attrs.frozen
class _Layer:
    """A document, and those it extends and includes, in order of precedence with the lowest first."""

    document: Document
    below: tuple["_Layer", ...]


def _opened(document: Document, catalog: Catalog, above: tuple[str, ...]) -> _Layer:
    if document.place.path and document.identity in above:
        raise ConfigError(f"{document.label}: extends or includes itself; take one of the references out")
    above = (*above, document.identity)
    stated = _stated(document.data)
    if isinstance(swept := stated.get("sweep"), Mapping):
        stated["sweep"] = _stated(cast("Mapping[str, Any]", swept))
    composition = _composition(Composed(stated, (document,)), catalog)
    place = document.place if document.place.path else None
    named = {("extends",): composition.extends} | {("include", str(i)): f for i, f in enumerate(composition.include)}
    if place is None and not given_trust().files:
        refused = [path for path, source in named.items() if source and not source.startswith(PREFIX)]
        if refused:
            where = Composed(stated, (document,))
            raise where.report(BenchmarkProblem(p, f"{named[p]!r} is a file, and {INSTALLED_ALONE}") for p in refused)
    sources = filter(None, named.values())
    opened = (open_document(source, catalog, place) for source in sources)
    return _Layer(document, tuple(_opened(below, catalog, above) for below in opened))


def _stated(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table without the keys that only take something inherited away."""
    return {key: value for key, value in table.items() if value is not None}


def _put_together(layers: _Layer, agents_of: _Layer | None, overrides: Iterable[str]) -> Composed:
    data, documents = _merged(layers)
    if agents_of is not None:
        data, documents = _with_agents(data, documents, agents_of)
    paths: list[Path] = []
    for override in overrides:
        data, path = _overridden(data, override)
        paths.append(path)
    return Composed(data, documents, tuple(paths))


def _merged(layer: _Layer) -> tuple[dict[str, Any], tuple[Document, ...]]:
    data: dict[str, Any] = {}
    documents: tuple[Document, ...] = ()
    for below in layer.below:
        found, more = _merged(below)
        data, documents = merge(data, found), (*more, *documents)
    own = {key: value for key, value in layer.document.data.items() if key not in ("extends", "include")}
    return merge(data, own), (layer.document, *documents)


def _composition(composed: Composed, catalog: Catalog) -> Composition:
    structuring = Structurer(catalog)
    composition = structuring.value({k: v for k, v in composed.data.items() if k in KEYS}, Composition)
    if structuring.problems:
        raise composed.report(structuring.problems)
    return composition


def _with_agents(
    data: Mapping[str, Any], documents: tuple[Document, ...], layer: _Layer
) -> tuple[dict[str, Any], tuple[Document, ...]]:
    fragment, above = _merged(layer)
    if "agents" not in fragment:
        raise ConfigError(f"{layer.document.label}: expected a table 'agents', and there is none")
    kept = {key: value for key, value in data.items() if key != "agents"}
    if isinstance(kept.get("sweep"), Mapping):
        sweep = cast("Mapping[str, Any]", kept["sweep"])
        kept["sweep"] = {
            path: values for path, values in sweep.items() if not path.startswith("agents.") or is_of_many(path)
        }
    return merge(kept, fragment), (*above, *documents)


def _overridden(data: dict[str, Any], override: str) -> tuple[dict[str, Any], Path]:
    dotted, equals, text = override.partition("=")
    if not equals or not all(dotted.split(".")):
        raise ConfigError(f"--set {override}: expected PATH=VALUE, such as limits.concurrency=8")
    first, *rest = locate(data, dotted)
    path = (snake(first), *rest)
    value = read_value(text, f"--set {dotted}")
    try:
        if value is None and len(path) == 2 and path[0] in NAMED:
            return {**data, path[0]: _without(data.get(path[0]), path[1])}, path
        return replace(data, path, value), normalized(path)
    except ConfigError as error:
        raise ConfigError(f"--set {dotted}: {error}") from None


def _without(table: Any, key: str) -> Any:
    if not isinstance(table, Mapping) or key not in table:
        raise ConfigError(f"there is nothing called {key!r} to take away")
    return {k: v for k, v in cast("Mapping[str, Any]", table).items() if k != key}
