"""Turns plain data into typed values and plugins. Coerces and ignores nothing; reports each mistake by its path."""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path as FilePath
from typing import Any, Final, TypeAlias, TypeVar, cast, get_args

import attrs
from arena.backend import Backend, Secret
from arena.catalog import Catalog, InstalledPlugin
from arena.errors import ConfigError, PluginError, did_you_mean
from cattrs import Converter

from arena_engine.benchmark.parameters import (
    CONTRACTS,
    LISTS,
    SCALARS,
    TABLES,
    Field,
    accepts,
    choices,
    complaint,
    container,
    fields_of,
    invalid,
    is_optional,
    type_text,
    union_members as alternatives,
    unwrapped,
)
from arena_engine.benchmark.plain_data import (
    BenchmarkProblem,
    InvalidValue,
    Path,
    kebab,
    merge,
    normalized,
    shortened,
    snake,
)
from arena_engine.benchmark.trust import WRITTEN_OUT, credentials_in, given_trust, places, refusals, trusting
from arena_engine.foundation.redaction import remember
from arena_engine.models.keys import look_up

T = TypeVar("T")

INVALID: Final = object()
"""The result for a value that does not fit; its problem has been added."""

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def structure(raw: Any, cls: type[T], catalog: Catalog) -> T:
    """Build a ``cls`` from plain data, its plugins included; ``ConfigError`` lists every mistake by its path."""
    structuring = Structurer(catalog)
    value = structuring.value(raw, cls)
    if structuring.problems:
        raise ConfigError(map(str, structuring.problems))
    return value


class Structurer:
    """Builds typed values from plain data. ``problems`` are the mistakes found so far, ``used`` the plugins by path.

    ``hooks`` read types that have a notation of their own: a hook takes this object and the raw value, and may raise
    ``InvalidValue``. ``known`` adds, by class, keys to those that are suggested for misspelt ones. Data that
    ``is_recorded`` comes from a journal; below the paths that are ``typed`` it comes from the person. ``places`` are
    the files that are sent to models or written.
    """

    def __init__(
        self,
        catalog: Catalog,
        hooks: Mapping[Any, "Hook"] | None = None,
        known: Mapping[Any, Iterable[str]] | None = None,
        *,
        is_recorded: bool = False,
        typed: Iterable[Path] = (),
    ) -> None:
        self.problems: list[BenchmarkProblem] = []
        self.used: dict[Path, InstalledPlugin] = {}
        self.places: dict[FilePath, None] = {}
        self.is_recorded: Final = is_recorded
        self._catalog = catalog
        self._hooks = hooks or {}
        self._known = known or {}
        self._trust = given_trust()
        self._typed = tuple(typed)
        self._path: list[str] = []
        self._may_hold_secrets = False
        self._converter = Converter()
        for scalar in SCALARS:
            self._converter.register_structure_hook(scalar, self._scalar)
        self._converter.register_structure_hook(FilePath, self._file)
        self._converter.register_structure_hook_func(lambda hint: self._hook(hint) is not None, self._read)

    def value(self, raw: Any, hint: Any) -> Any:
        """Build a value of type ``hint``; ``INVALID`` if it does not fit, with the problems added."""
        try:
            return self._converter.structure(raw, unwrapped(hint))
        except InvalidValue as misfit:
            if misfit.args:
                self.add_problem(str(misfit))
        except Exception as error:  # a type that cattrs itself knows, or does not
            self.add_problem(complaint(error))
        return INVALID

    def at(self, key: str, raw: Any, hint: Any) -> Any:
        """Build the value under ``key`` of the table or list being read; ``INVALID`` if it does not fit."""
        self._path.append(key)
        try:
            return self.value(raw, hint)
        finally:
            self._path.pop()

    def used_here(self) -> tuple[InstalledPlugin, ...]:
        """The plugins used so far at the current path and below it."""
        here = tuple(self._path)
        return tuple(entry for path, entry in self.used.items() if path[: len(here)] == here)

    def add_problem(self, text: str, *below: str) -> None:
        """Add a mistake at the current path, or ``below`` it."""
        self.problems.append(BenchmarkProblem((*self._path, *below), text))

    def plugin(self, raw: Any, contract: Any, known: Iterable[str] = ()) -> Any:
        """Create the plugin that ``{use: NAME, …}``, or just its name, describes.

        ``known`` are keys, besides its parameters, that are suggested for misspelt ones.
        """
        kind = CONTRACTS[contract]
        parameters: dict[str, Any] = {"use": raw} if isinstance(raw, str) else {}
        if isinstance(raw, Mapping):
            parameters = dict(cast("Mapping[str, Any]", raw))
        elif not isinstance(raw, str):
            raise InvalidValue(f"expected {kind} plugin, written NAME or {{use: NAME, …}}, got {shortened(raw)}")
        name = parameters.pop("use", None)
        below = ("use",) if isinstance(raw, Mapping) else ()
        if not isinstance(name, str):
            names = ", ".join(self._catalog.names(kind)) or "none is installed"
            problem = "required" if name is None else f"expected str, got {shortened(name)}"
            self.add_problem(f"{problem}; the name of a {kind} plugin ({names})", *below)
            raise InvalidValue
        try:
            entry = self._catalog.get(kind, name)
            cls = entry.load()
        except PluginError as error:
            self.add_problem(str(error), *below)
            raise InvalidValue from error
        if lacking := sorted(getattr(cls, "__abstractmethods__", ())):
            raise InvalidValue(f"{entry} lacks {', '.join(lacking)}, which every {kind} must have; tell its author")
        self.used[tuple(self._path)] = entry
        preset = entry.plugin.preset if entry.plugin else {}
        made = self.table(merge(preset, parameters, takes_away=False), cls, known, preset)
        if not isinstance(made, contract):
            raise InvalidValue(
                f"{entry} makes {type(made).__name__!r}, which is no {contract.__name__}; tell its author"
            )
        if isinstance(made, Backend):
            look_up(made)
            remember(made)
        return made

    def _read(self, raw: Any, hint: Any) -> Any:
        hook = self._hook(hint)
        return hook(raw, hint) if hook else raw

    def _hook(self, hint: Any) -> Callable[[Any, Any], Any] | None:
        """The function that reads a type, the most specific first; ``None`` leaves it to cattrs."""
        if hint in self._hooks:
            return lambda raw, _: self._hooks[hint](self, raw)
        if (is_optional(hint) and hint is not Any) or alternatives(hint) != (hint,):
            return self._union
        if hint in CONTRACTS:
            return self.plugin
        if hint is Secret:
            return self._secret
        if hint in (Any, object):
            return self._anything
        if choices(hint):
            return self._choice
        if container(hint) in LISTS:
            return self._list
        if container(hint) in TABLES:
            return self._mapping
        return self.table if attrs.has(cast("type", hint)) else None

    def table(self, raw: Any, cls: Any, known: Iterable[str] = (), preset: Mapping[str, Any] | None = None) -> Any:
        """Create a ``cls`` from a table of its parameters; ``known`` is as in ``plugin``, ``preset`` is in ``raw``."""
        if not isinstance(raw, Mapping):
            raise InvalidValue(f"expected a table, got {shortened(raw)}")
        try:
            fields = fields_of(cls)
        except NameError as error:
            raise InvalidValue(
                f"the parameters of {cls.__qualname__} cannot be read ({error}); tell its author"
            ) from error
        if issubclass(cls, Backend):
            checked = {name for name, field in fields.items() if Secret in alternatives(field.type)}  # by their type
            if written := [*credentials_in(cast("Mapping[str, Any]", raw), checked)]:
                for path in written:
                    self.add_problem(WRITTEN_OUT, *path)
                raise InvalidValue  # nothing else is said, since that could repeat the value
        values = self._fields(cast("Mapping[str, Any]", raw), fields, (*fields, *known, *self._known.get(cls, ())))
        for field in fields.values():
            if field.is_required and field.name not in values:
                self.add_problem(f"required ({field.help or type_text(field.type)})", kebab(field.name))
                values[field.name] = INVALID
        valid = {name: value for name, value in values.items() if value is not INVALID}
        typed = self._is_typed
        for name, problem in refusals(fields, cast("Mapping[str, Any]", raw), valid, preset or {}, self._trust, typed):
            self.add_problem(problem, _spelt(name, cast("Mapping[str, Any]", raw)))
            values[name] = INVALID
        everything = {name: field.default for name, field in fields.items()} | valid
        for name in valid.keys() & fields.keys():
            self.places |= dict.fromkeys(places(fields[name], valid[name], everything))
        if INVALID not in values.values():
            try:
                return cls(**values)
            except Exception as error:
                found = list(invalid(cls, fields, values))
                for problem in () if found else _problems(error):
                    self.add_problem(problem)
        else:
            found = list(invalid(cls, fields, {k: v for k, v in values.items() if v is not INVALID}))
        for name, problem in found:
            self.add_problem(problem, _spelt(name, cast("Mapping[str, Any]", raw)))
        raise InvalidValue

    def _is_typed(self, name: str) -> bool:
        path = normalized((*self._path, name))
        return any(path[: len(typed)] == typed for typed in self._typed)

    def _fields(self, raw: Mapping[str, Any], fields: Mapping[str, Field], known: Iterable[str]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in raw.items():
            field = fields.get(snake(key))
            if field is None:
                self.add_problem(f"unknown key{did_you_mean(kebab(key), map(kebab, known))}", key)
                values[key] = INVALID
            elif field.name in values:
                self.add_problem("written twice, with '-' and with '_'; keep one", key)
                values[field.name] = INVALID
            else:
                outside, self._may_hold_secrets = self._may_hold_secrets, bool(field.attribute.metadata.get("secrets"))
                values[field.name] = self.at(key, value, field.type)
                self._may_hold_secrets = outside
        return values

    def _mapping(self, raw: Any, hint: Any) -> Any:
        if not isinstance(raw, Mapping):
            raise InvalidValue(f"expected a table, got {shortened(raw)}")
        *_, item = get_args(hint) or (Any,)
        table = {key: self.at(key, value, item) for key, value in cast("Mapping[str, Any]", raw).items()}
        if INVALID in table.values():
            raise InvalidValue
        return table

    def _list(self, raw: Any, hint: Any) -> Any:
        if not isinstance(raw, list | tuple):
            raise InvalidValue(f"expected {type_text(hint)}, got {shortened(raw)}")
        items = cast("list[Any]", raw)
        kinds = get_args(hint) or (Any,)
        if container(hint) is tuple and kinds[-1] is not Ellipsis and get_args(hint):
            if len(items) != len(kinds):
                raise InvalidValue(f"expected {len(kinds)} items, got {len(items)}")
        else:
            kinds = (kinds[0],) * len(items)
        made = [self.at(str(i), item, kind) for i, (item, kind) in enumerate(zip(items, kinds, strict=True))]
        if INVALID in made:
            raise InvalidValue
        return LISTS[container(hint)](made)

    def _union(self, raw: Any, hint: Any) -> Any:
        if raw is None and is_optional(hint):
            return None
        fitting = [m for m in alternatives(hint) if accepts(m, raw)]
        # A whole number is an int before it is a float.
        fitting.sort(key=lambda m: m is not type(raw))
        for member in fitting:
            problems, used = list(self.problems), dict(self.used)
            if (made := self.value(raw, member)) is not INVALID:
                return made
            if member is fitting[-1] and not choices(member):
                raise InvalidValue
            self.problems, self.used = problems, used
        return self._choice(raw, hint)

    def _choice(self, raw: Any, hint: Any) -> Any:
        if Secret in alternatives(hint):
            return self._secret(raw, hint)
        for value in choices(hint):
            if type(value) is type(raw) and value == raw:
                return hint(value) if isinstance(hint, type) else value
        words = [word for each in alternatives(hint) for word in choices(each) if isinstance(word, str)]
        close = get_close_matches(raw, words, n=1) if isinstance(raw, str) else ()
        hints = "".join(f" (did you mean {word!r}?)" for word in close)
        raise InvalidValue(f"expected {type_text(hint)}, got {shortened(raw)}{hints}")

    def _scalar(self, raw: Any, hint: Any) -> Any:
        if type(raw) not in SCALARS[hint]:
            raise InvalidValue(f"expected {hint.__name__}, got {shortened(raw)}")
        self._refuse_variable(raw)
        return hint(raw)

    def _file(self, raw: Any, hint: Any) -> FilePath:
        return FilePath(self._scalar(raw, str))

    def _anything(self, raw: Any, hint: Any) -> Any:
        if isinstance(raw, Mapping):
            return self._mapping(raw, Mapping[str, Any])
        if isinstance(raw, list | tuple):
            return self._list(raw, list[Any])
        self._refuse_variable(raw)
        return raw

    def _refuse_variable(self, raw: Any) -> None:
        if not self._may_hold_secrets and isinstance(raw, str) and _VARIABLE.fullmatch(raw):
            raise InvalidValue(
                f"environment variables stand only for secrets, and this is none; write the value, not {raw!r}"
            )

    def _secret(self, raw: Any, hint: Any) -> Secret:
        match = _VARIABLE.fullmatch(raw) if isinstance(raw, str) else None
        if match is None:
            # What was written is not repeated: it may be the secret itself.
            raise InvalidValue(
                "expected the name of an environment variable, written ${NAME}; a secret belongs in no file"
            )
        return Secret(match[1])


Hook: TypeAlias = Callable[[Structurer, Any], Any]


def _problems(error: Exception) -> Iterable[str]:
    return error.problems if isinstance(error, ConfigError) else (complaint(error),)


def _spelt(name: str, raw: Mapping[str, Any]) -> str:
    return next((key for key in raw if snake(key) == name), kebab(name))


def make_plugin(
    kind: str,
    settings: str | Mapping[str, Any],
    catalog: Catalog | None = None,
    *,
    trust_code: bool = False,
    trust_pickle: bool = False,
) -> Any:
    """Create a plugin of a kind, such as ``"game"``, from its name or from ``{"use": NAME, …}`` with its parameters.

    ``trust_code`` and ``trust_pickle`` consent to run the code that the parameters name, and to read their pickles.
    ``ConfigError`` says why there is no such plugin, or lists every mistake in its parameters by their path.
    """
    contracts = {name: contract for contract, name in CONTRACTS.items()}
    if kind not in contracts:
        known = ", ".join(sorted(contracts))
        raise ConfigError(f"no plugin of kind {kind!r} can be made{did_you_mean(kind, contracts)}; expected {known}")
    catalog = catalog or Catalog()
    with trusting(code=trust_code, pickle=trust_pickle):
        return structure(settings, contracts[kind], catalog)
