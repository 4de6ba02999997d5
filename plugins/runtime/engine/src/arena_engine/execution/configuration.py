"""Says what an agent or a game of a run is, whatever it is called there: its plugins and what is set of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, cast

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.plugin import KINDS, WITHOUT_RULES
from arena.record import JSON, canonical_json

from arena_engine.benchmark.parameters import describe_parameters
from arena_engine.benchmark.plain_data import kebab, snake
from arena_engine.benchmark.recorded_benchmark import recorded_plain
from arena_engine.benchmark.trust import names_credential
from arena_engine.foundation.names import Variant
from arena_engine.journal.journal import Journal
from arena_engine.models.request_text import OPERATIONAL

_NAMES: Final = frozenset(("tags", "variant", WITHOUT_RULES, snake(WITHOUT_RULES)))
"""Keys of an entry that say how others call it or what the user knows of it, and not what it is."""

_VERSION: Final = "version"

VERSION_OF: Final = "{}-version"
"""How a plugin's parameter ``version`` is called, since ``version`` is that of its distribution."""


@attrs.frozen(kw_only=True)
class Configuration:
    """What an agent or a game is: ``parameters`` by dotted names, without those that have their default.

    ``defaults`` are those of the plugins that are installed here. Names, credentials and settings that change how
    fast a model is asked are left out, so that the same configuration is equal wherever it occurs.
    """

    parameters: Mapping[str, JSON]
    defaults: Mapping[str, JSON] = attrs.field(factory=dict[str, JSON], eq=False, repr=False)

    @property
    def digest(self) -> str:
        """The digest of the parameters, as ``sha256:`` and 64 hexadecimal digits."""
        text = canonical_json(self.parameters).encode("utf-8", "surrogatepass")
        return f"sha256:{sha256(text).hexdigest()}"

    @property
    def use(self) -> str:
        """The name of the plugin itself."""
        return str(self.parameters.get("use", ""))

    def value(self, name: str) -> JSON:
        """One parameter, or its default if that is known."""
        return self.parameters[name] if name in self.parameters else self.defaults.get(name)

    def without(self, names: Collection[str]) -> "Configuration":
        """The configuration without some parameters and all that are below them."""
        kept = {
            key: value
            for key, value in self.parameters.items()
            if not any(key == name or key.startswith(f"{name}.") for name in names)
        }
        return attrs.evolve(self, parameters=kept)


def configurations_of(
    journal: Journal, kind: Literal["agent", "game"], catalog: Catalog | None = None
) -> dict[str, Configuration]:
    """What each agent or each game of a run is, by its name there, from what the journal holds.

    Only plugins that are registered are looked at, for their defaults; what is written counts of the others. Nothing is
    built.
    """
    catalog = catalog or Catalog()
    plain: Any = recorded_plain(journal)
    table: Any = cast("Mapping[str, Any]", plain).get(f"{kind}s") if isinstance(plain, Mapping) else None
    found: dict[str, Configuration] = {}
    for name, entry in _items(table if isinstance(table, Mapping) else {}):
        reader = _Reader(journal.header.provenance, catalog)
        reader.read(kind, entry, "")
        found[str(name)] = Configuration(parameters=dict(sorted(reader.found.items())), defaults=reader.defaults)
    return found


def variants_of(journal: Journal) -> dict[str, Variant]:
    """What each agent of a run that a sweep made is a variant of, by its name there, from what the journal holds."""
    plain: Any = recorded_plain(journal)
    table: Any = cast("Mapping[str, Any]", plain).get("agents") if isinstance(plain, Mapping) else None
    told: dict[str, tuple[str, Mapping[str, JSON], Sequence[str]]] = {}
    for name, entry in _items(table if isinstance(table, Mapping) else {}):
        variant: Any = cast("Mapping[str, Any]", entry).get("variant") if isinstance(entry, Mapping) else None
        if isinstance(variant, Mapping) and isinstance(of := cast("Mapping[str, Any]", variant).get("of"), str):
            by: Any = cast("Mapping[str, Any]", variant).get("by")
            told[str(name)] = (
                of,
                dict(_flat(entry, "")),
                list(map(str, cast("list[Any]", by))) if isinstance(by, list | tuple) else [],
            )
    return {
        name: Variant(
            name=name, entry=of, levels=_levels(own, by, [each for entry, each, _ in told.values() if entry == of])
        )
        for name, (of, own, by) in told.items()
    }


def _levels(own: Mapping[str, JSON], by: Sequence[str], all_: Sequence[Mapping[str, JSON]]) -> dict[str, JSON]:
    """The parameters that a variant was made by, in their order, then others in which one of ``all_`` differs."""
    keys = [key for path in by for key in own if f"{key}.".startswith(f"{kebab(path)}.")]
    keys += sorted({key for each in all_ for key in each if any(key not in o or o[key] != each[key] for o in all_)})
    return {key: own.get(key) for key in dict.fromkeys(keys)}


def _flat(entry: Any, prefix: str) -> Iterator[tuple[str, JSON]]:
    """The values of a table by dotted path, without what says how others call it."""
    for key, value in _items(entry):
        name = f"{prefix}{kebab(str(key))}"
        if not prefix and name in _NAMES:
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}.")
        else:
            yield name, value


class _Reader:
    def __init__(self, provenance: Sequence[Mapping[str, Any]], catalog: Catalog) -> None:
        self.found: dict[str, JSON] = {}
        self.defaults: dict[str, JSON] = {}
        self._catalog = catalog
        self._versions = {(p["kind"], p["name"]): f"{p['dist']} {p['version']}" for p in provenance}

    def read(self, kind: str, entry: Any, prefix: str) -> None:
        """Take over the entry of one plugin, which is its name alone or a table."""
        table = dict(cast("Mapping[str, Any]", entry)) if isinstance(entry, Mapping) else {"use": entry}
        use = str(table.pop("use", ""))
        name = use.rpartition(":")[2]
        known = (kind, name) in self._versions
        self.found[f"{prefix}use"] = name if known else use
        if known:
            self.found[f"{prefix}version"] = self._versions[kind, name]
        own = VERSION_OF.format(kind)
        defaults = {
            f"{prefix}{own if key == _VERSION else key}": v for key, v in _defaults(self._catalog, kind, use).items()
        }
        self.defaults |= {key: value for key, value in defaults.items() if not _is_ignored(key)}
        for key, value in table.items():
            if key not in _NAMES:
                self._value(f"{prefix}{own if key == _VERSION else kebab(str(key))}", value, defaults)

    def _value(self, name: str, value: Any, defaults: Mapping[str, Any]) -> None:
        if _is_ignored(name):
            return
        if (kind := self._plugin_kind(name, value)) is not None:
            self.read(kind, value, f"{name}.")
        elif isinstance(value, Mapping) and name not in defaults:
            for key, item in cast("Mapping[Any, Any]", value).items():
                self._value(f"{name}.{kebab(str(key))}", item, defaults)
        else:
            plain = _plain(value)
            if name not in defaults or _plain(defaults[name]) != plain:
                self.found[name] = plain

    def _plugin_kind(self, name: str, value: Any) -> str | None:
        """The kind of the plugin that a parameter names, if it does."""
        use = cast("Any", value).get("use") if isinstance(value, Mapping) else value
        if not isinstance(use, str):
            return None
        last, plugin = name.rpartition(".")[2], use.rpartition(":")[2]
        if last in KINDS and (isinstance(value, Mapping) or (last, plugin) in self._versions):
            return last
        kinds = (kind for kind, known in self._versions if known == plugin)
        return next(kinds, "") if isinstance(value, Mapping) else None


def _is_ignored(name: str) -> bool:
    last = name.rpartition(".")[2]
    return names_credential(last) or snake(last) in OPERATIONAL


def _defaults(catalog: Catalog, kind: str, use: str) -> Mapping[str, Any]:
    """The default of each parameter of an installed plugin; empty of any other, and of code that was named."""
    if kind not in KINDS or not catalog.has(kind, use):
        return {}
    try:
        entry = catalog.get(kind, use)
        described = describe_parameters(entry.load(), entry.plugin.preset if entry.plugin else {})
    except (ArenaError, TypeError):  # a plugin that cannot be imported, or has no fields
        return {}
    return {each.name: each.default for each in described if not (each.is_required or each.is_computed)}


def _plain(value: Any) -> Any:
    """A value in which equal numbers are written alike."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in _items(value)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("list[Any]", value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _items(value: Any) -> Iterator[tuple[Any, Any]]:
    yield from cast("Mapping[Any, Any]", value).items()
