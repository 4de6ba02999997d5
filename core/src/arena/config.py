"""Turn plain data into typed configuration: nothing is coerced, nothing ignored, every mistake is named by its path."""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path as FilePath
from typing import Any, Final, TypeAlias, TypeVar, cast, get_args

import attrs
from cattrs import Converter

from arena.backend import Secret
from arena.catalog import Catalog, Entry
from arena.errors import ConfigError, PluginError
from arena.fields import (
    CONTRACTS,
    LISTS,
    SCALARS,
    TABLES,
    Field,
    bare,
    choices,
    container,
    fields_of,
    is_optional,
    may_be,
    type_text,
)
from arena.fields import members as alternatives
from arena.mistakes import Misfit, Problem, shown
from arena.plain import Path, kebab, merge, snake, suggestion
from arena.validation import complaint, invalid

T = TypeVar("T")

FAILED: Final = object()
"""Stands for a value that does not fit; why was noted."""

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def structure(raw: Any, cls: type[T], catalog: Catalog) -> T:
    """``raw`` as a ``cls``, plugins included; ``ConfigError`` with every mistake by its path."""
    structuring = Structuring(catalog)
    value = structuring.value(raw, cls)
    if structuring.problems:
        raise ConfigError(map(str, structuring.problems))
    return value


class Structuring:
    """One pass over plain data. ``problems`` are the mistakes so far, ``used`` the plugins by their path.

    ``hooks`` say how types that are written in a way of their own are read; a hook takes this pass and the raw value,
    and raises ``Misfit``. ``known`` adds keys that a class does not have itself to those it may be misspelt for.
    """

    def __init__(
        self,
        catalog: Catalog,
        hooks: Mapping[Any, "Hook"] | None = None,
        known: Mapping[Any, Iterable[str]] | None = None,
    ) -> None:
        self.problems: list[Problem] = []
        self.used: dict[Path, Entry] = {}
        self._catalog = catalog
        self._hooks = hooks or {}
        self._known = known or {}
        self._path: list[str] = []
        self._converter = Converter()
        for scalar in SCALARS:
            self._converter.register_structure_hook(scalar, self._scalar)
        self._converter.register_structure_hook(FilePath, self._file)
        self._converter.register_structure_hook_func(lambda hint: self._hook(hint) is not None, self._read)

    def value(self, raw: Any, hint: Any) -> Any:
        """The value of a type, or ``FAILED`` with the problems noted."""
        try:
            return self._converter.structure(raw, bare(hint))
        except Misfit as misfit:
            if misfit.args:
                self.note(str(misfit))
        except Exception as error:  # a type that cattrs itself knows, or does not
            self.note(complaint(error))
        return FAILED

    def at(self, key: str, raw: Any, hint: Any) -> Any:
        """The value under ``key`` of what is being read, or ``FAILED``."""
        self._path.append(key)
        try:
            return self.value(raw, hint)
        finally:
            self._path.pop()

    def note(self, text: str, *below: str) -> None:
        """Write down a mistake, here or ``below``."""
        self.problems.append(Problem((*self._path, *below), text))

    def plugin(self, raw: Any, contract: Any, known: Iterable[str] = ()) -> Any:
        """An instance of the plugin that ``{use: NAME, …}``, or just its name, stands for.

        ``known`` are keys beside its parameters that a key may be misspelt for.
        """
        kind = CONTRACTS[contract]
        parameters: dict[str, Any] = {"use": raw} if isinstance(raw, str) else {}
        if isinstance(raw, Mapping):
            parameters = dict(cast("Mapping[str, Any]", raw))
        elif not isinstance(raw, str):
            raise Misfit(f"expected {kind} plugin, written NAME or {{use: NAME, …}}, got {shown(raw)}")
        name = parameters.pop("use", None)
        below = ("use",) if isinstance(raw, Mapping) else ()
        if not isinstance(name, str):
            names = ", ".join(self._catalog.names(kind)) or "none is installed"
            problem = "required" if name is None else f"expected str, got {shown(name)}"
            self.note(f"{problem}; the name of a {kind} plugin ({names})", *below)
            raise Misfit
        try:
            entry = self._catalog.get(kind, name)
            cls = entry.load()
        except PluginError as error:
            self.note(str(error), *below)
            raise Misfit from error
        if lacking := sorted(getattr(cls, "__abstractmethods__", ())):
            raise Misfit(f"{entry} lacks {', '.join(lacking)}, which every {kind} must have; tell its author")
        self.used[tuple(self._path)] = entry
        preset = entry.plugin.preset if entry.plugin else {}
        made = self.table(merge(preset, parameters, takes_away=False), cls, known)
        if not isinstance(made, contract):
            raise Misfit(f"{entry} makes {type(made).__name__!r}, which is no {contract.__name__}; tell its author")
        return made

    def _read(self, raw: Any, hint: Any) -> Any:
        hook = self._hook(hint)
        return hook(raw, hint) if hook else raw

    def _hook(self, hint: Any) -> Callable[[Any, Any], Any] | None:
        """What reads a type, the most particular first; ``None`` leaves it to cattrs."""
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

    def table(self, raw: Any, cls: Any, known: Iterable[str] = ()) -> Any:
        """An instance of ``cls`` with the parameters in a table; ``known`` as in ``plugin``."""
        if not isinstance(raw, Mapping):
            raise Misfit(f"expected a table, got {shown(raw)}")
        try:
            fields = fields_of(cls)
        except NameError as error:
            raise Misfit(f"the parameters of {cls.__qualname__} cannot be read ({error}); tell its author") from error
        values = self._fields(cast("Mapping[str, Any]", raw), fields, (*fields, *known, *self._known.get(cls, ())))
        for field in fields.values():
            if field.is_required and field.name not in values:
                self.note(f"required ({field.help or type_text(field.type)})", kebab(field.name))
                values[field.name] = FAILED
        if FAILED not in values.values():
            try:
                return cls(**values)
            except Exception as error:
                found = list(invalid(cls, fields, values))
                for problem in () if found else _problems(error):
                    self.note(problem)
        else:
            found = list(invalid(cls, fields, {k: v for k, v in values.items() if v is not FAILED}))
        for name, problem in found:
            self.note(problem, _spelt(name, cast("Mapping[str, Any]", raw)))
        raise Misfit

    def _fields(self, raw: Mapping[str, Any], fields: Mapping[str, Field], known: Iterable[str]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in raw.items():
            field = fields.get(snake(key))
            if field is None:
                self.note(f"unknown key{suggestion(kebab(key), map(kebab, known))}", key)
                values[key] = FAILED
            elif field.name in values:
                self.note("written twice, with '-' and with '_'; keep one", key)
                values[field.name] = FAILED
            else:
                values[field.name] = self.at(key, value, field.type)
        return values

    def _mapping(self, raw: Any, hint: Any) -> Any:
        if not isinstance(raw, Mapping):
            raise Misfit(f"expected a table, got {shown(raw)}")
        *_, item = get_args(hint) or (Any,)
        table = {key: self.at(key, value, item) for key, value in cast("Mapping[str, Any]", raw).items()}
        if FAILED in table.values():
            raise Misfit
        return table

    def _list(self, raw: Any, hint: Any) -> Any:
        if not isinstance(raw, list | tuple):
            raise Misfit(f"expected {type_text(hint)}, got {shown(raw)}")
        items = cast("list[Any]", raw)
        kinds = get_args(hint) or (Any,)
        if container(hint) is tuple and kinds[-1] is not Ellipsis and get_args(hint):
            if len(items) != len(kinds):
                raise Misfit(f"expected {len(kinds)} items, got {len(items)}")
        else:
            kinds = (kinds[0],) * len(items)
        made = [self.at(str(i), item, kind) for i, (item, kind) in enumerate(zip(items, kinds, strict=True))]
        if FAILED in made:
            raise Misfit
        return LISTS[container(hint)](made)

    def _union(self, raw: Any, hint: Any) -> Any:
        if raw is None and is_optional(hint):
            return None
        fitting = [m for m in alternatives(hint) if may_be(m, raw)]
        # A whole number is an int before it is a float.
        fitting.sort(key=lambda m: m is not type(raw))
        for member in fitting:
            problems, used = list(self.problems), dict(self.used)
            if (made := self.value(raw, member)) is not FAILED:
                return made
            if member is fitting[-1] and not choices(member):
                raise Misfit
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
        raise Misfit(f"expected {type_text(hint)}, got {shown(raw)}{hints}")

    def _scalar(self, raw: Any, hint: Any) -> Any:
        if type(raw) not in SCALARS[hint]:
            raise Misfit(f"expected {hint.__name__}, got {shown(raw)}")
        _refuse_variable(raw)
        return hint(raw)

    def _file(self, raw: Any, hint: Any) -> FilePath:
        return FilePath(self._scalar(raw, str))

    def _anything(self, raw: Any, hint: Any) -> Any:
        if isinstance(raw, Mapping):
            return self._mapping(raw, Mapping[str, Any])
        if isinstance(raw, list | tuple):
            return self._list(raw, list[Any])
        _refuse_variable(raw)
        return raw

    def _secret(self, raw: Any, hint: Any) -> Secret:
        match = _VARIABLE.fullmatch(raw) if isinstance(raw, str) else None
        if match is None:
            # What was written is not repeated: it may be the secret itself.
            raise Misfit("expected the name of an environment variable, written ${NAME}; a secret belongs in no file")
        return Secret(match[1])


Hook: TypeAlias = Callable[[Structuring, Any], Any]


def _refuse_variable(raw: Any) -> None:
    if isinstance(raw, str) and _VARIABLE.fullmatch(raw):
        raise Misfit(f"environment variables stand only for secrets, and this is none; write the value, not {raw!r}")


def _problems(error: Exception) -> Iterable[str]:
    return error.problems if isinstance(error, ConfigError) else (complaint(error),)


def _spelt(name: str, raw: Mapping[str, Any]) -> str:
    return next((key for key in raw if snake(key) == name), kebab(name))
