"""Checks a plugin's parameters and their JSON schema; runs in a child process."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs
from arena.catalog import Catalog, InstalledPlugin
from arena.errors import ArenaError, ConfigError
from arena.plugin import Plugin
from arena_engine import plugin_schema
from arena_engine.benchmark import describe_parameters, fields_of, find_key, kebab
from arena_testing.foundation import IS_INSTALLED, Schemas, not_installed

from arena_devkit.review.examples import build
from arena_devkit.review.findings import Finding, Item


def parameters(entry: InstalledPlugin, cls: Any) -> Item:
    """Every parameter has a type that can be resolved, and a help text."""
    plugin = cast("Plugin", entry.plugin)
    try:
        described = describe_parameters(cls, plugin.preset)
    except NameError as error:
        return Item(part="parameters", findings=(Finding.of("annotations", str(error)),))
    fields = fields_of(cls)
    words = " ".join([*(each.__doc__ or "" for each in cls.__mro__), *(f.help for f in fields.values())])
    findings: list[Finding] = []
    if not (cls.__doc__ or "").strip():
        findings.append(Finding.of("undocumented", f"{cls.__name__} has no docstring"))
    for parameter in described:
        name = parameter.name.partition(".")[0]
        if not parameter.help.strip() and not _is_mentioned(parameter.name, words) and not _is_mentioned(name, words):
            findings.append(Finding.of("undocumented", f"nothing says what the parameter {parameter.name!r} means"))
    for where in ("preset", "example"):
        for key in getattr(plugin, where):
            if find_key(dict.fromkeys(fields), key, ()) is None:
                findings.append(Finding.of(where, f"Plugin({where}=…) has {key!r}, which {cls.__name__} does not know"))
    return Item(part="parameters", findings=findings, note=f"{len(described)} parameters, all of them explained")


def _is_mentioned(name: str, words: str) -> bool:
    last = name.rpartition(".")[2]
    return re.search(rf"``(?:{re.escape(last)}|{re.escape(last.replace('-', '_'))})\b", words) is not None


def schema(entry: InstalledPlugin, cls: Any) -> Item:
    """The JSON schema of the parameters accepts the defaults and the example, which create equal values."""
    plugin = cast("Plugin", entry.plugin)
    if not IS_INSTALLED:
        return Item(part="schema", untested=not_installed())
    whole = plugin_schema(entry, Catalog())
    schemas = Schemas()
    if fault := schemas.fault(whole):
        return Item(part="schema", findings=(Finding.of("parameter-schema", fault),))
    findings = [*_defaults(cls, plugin, whole, schemas), *_made(entry, cls, plugin, whole, schemas)]
    return Item(part="schema", findings=findings, note=f"{len(whole['properties']) - 1} keys")


def _defaults(cls: Any, plugin: Plugin, whole: Mapping[str, Any], schemas: Schemas) -> Iterator[Finding]:
    for parameter in describe_parameters(cls, plugin.preset):
        known: Any = whole["properties"].get(parameter.name)
        # A default that is a plugin is an object, and the schema asks for its name, which is not known.
        is_whole = "plugin" not in parameter.type
        if known is None or parameter.is_required or parameter.is_computed or not is_whole:
            continue
        part = {**known, "$defs": whole.get("$defs", {})}
        if misfit := schemas.misfit(part, parameter.default):
            reason = f"the default {parameter.default!r} of {parameter.name!r} does not fit its own schema: {misfit}"
            yield Finding.of("parameter-schema", reason)


def _made(
    entry: InstalledPlugin, cls: Any, plugin: Plugin, whole: Mapping[str, Any], schemas: Schemas
) -> Iterator[Finding]:
    required = [kebab(f.name) for f in fields_of(cls).values() if f.is_required]
    missing = [name for name in required if find_key({**plugin.preset, **plugin.example}, name, ()) is None]
    if missing:
        yield Finding.of("example", f"{missing[0]!r} is required and no example says what could stand there")
        return
    example = {kebab(key): value for key, value in plugin.example.items()}
    if misfit := schemas.misfit(cast("Any", whole), {"use": entry.name, **{k: _plain(v) for k, v in example.items()}}):
        yield Finding.of("example", f"the example {plugin.example!r} does not fit the schema: {misfit}")
    for given in ({}, plugin.example):
        if required and not given and not all(find_key(plugin.preset, n, ()) is not None for n in required):
            continue
        rule = "example" if given else "defaults"
        try:
            one, two = (build(entry, given, with_fakes=True) for _ in range(2))
        except ConfigError as error:
            yield Finding.of(rule, f"{'the example' if given else 'no parameters at all'}: {'; '.join(error.problems)}")
        except ArenaError as error:
            yield Finding.of(rule, str(error))
        else:
            if attrs.has(cls) and one != two:
                yield Finding.of("equality", f"made twice from the same parameters, {one!r} is not equal to itself")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
