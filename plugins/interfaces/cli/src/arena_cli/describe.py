"""The command ``arena describe``: shows a plugin's documentation and parameters."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import click
from arena.catalog import Catalog, InstalledPlugin
from arena.errors import ArenaError, PluginError, did_you_mean
from arena.game import Game, GameFacts
from arena.plugin import KINDS, kind_of
from arena_engine.benchmark.merging import kebab
from arena_engine.benchmark.parameters import Parameter, describe_parameters
from arena_engine.journal.provenance import provenance_of

from arena_cli.application import Command
from arena_cli.first_party import missing
from arena_cli.mistakes import unknown_name
from arena_cli.options import catalog_of
from arena_cli.shown import echo

_IN_FILE: Mapping[str, str] = {"game": "games", "agent": "agents", "metric": "metrics", "observer": "observers"}
"""Kinds of plugins that benchmark files list under a name of the user's choice, with the key of that list."""


@click.command(cls=Command)
@click.argument("words", nargs=-1, required=True, metavar="[KIND] NAME")
@click.pass_context
def describe(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show what a plugin is and which parameters it takes.

    For a game also its rules, who may play, and what kind of game it is. KIND is needed only where two kinds have the
    same name.
    """
    if len(words) > 2:
        raise click.UsageError("expected KIND NAME, or NAME alone")
    catalog = catalog_of(ctx)
    entry = _found(words, catalog)
    for line in _described(entry):
        echo(line, bold=isinstance(line, _Heading))


class _Heading(str):
    """A line that is bold."""

    __slots__ = ()


def _found(words: Sequence[str], catalog: Catalog) -> InstalledPlugin:
    if len(words) == 2:
        kind, name = kind_of(words[0]), words[1]
        if kind not in KINDS:
            raise PluginError(f"no kind of plugin called {kind!r}{did_you_mean(kind, KINDS)}")
        return catalog.get(kind, name)
    (name,) = words
    kinds = [kind for kind in KINDS if catalog.has(kind, name)]
    if len(kinds) > 1:
        choices = " or ".join(f"`arena describe {kind} {name}`" for kind in kinds)
        raise PluginError(f"several kinds have a plugin called {name!r}; write {choices}")
    if not kinds:
        known = dict.fromkeys(n for kind in KINDS for n in catalog.names(kind))
        raise PluginError(missing("", name) or f"no plugin called {name!r}{unknown_name(name, known)}")
    return catalog.get(kinds[0], name)


def _described(entry: InstalledPlugin) -> Iterator[str]:
    plugin = entry.plugin
    assert plugin is not None  # only usable entries come from the catalog
    yield _Heading(f"{entry.kind} {entry.name} · {plugin.summary}")
    where = provenance_of(entry)
    origin = " (editable)" if where["editable"] else ""
    commit = f", commit {where['commit'][:12]}" if where["commit"] else ""
    yield f"from {entry.dist} {entry.version}{origin}{commit}; plugin version {plugin.version}"
    yield f"licence: {plugin.licence or 'not stated'}"
    if plugin.capabilities:
        yield f"can do: {', '.join(sorted(plugin.capabilities))}"
    if plugin.required_capabilities:
        yield f"requires of backends: {', '.join(sorted(plugin.required_capabilities))}"
    if entry.kind == "suite":
        yield f"play it: arena run suite:{entry.name}"
        return
    if entry.kind == "command":
        yield f"how to call it: arena {entry.name} --help"
        return
    if entry.kind == "prompt-style":
        yield f"use it: {_example(entry).strip()}"
        yield ""
        yield from entry.read_text().splitlines()
        return
    cls = entry.load()
    if text := (cls.__doc__ or "").strip():
        yield ""
        yield from (line.removeprefix("    ") for line in text.splitlines())
    parameters = describe_parameters(cls, plugin.preset)
    yield ""
    yield from _parameters(parameters)
    if entry.kind == "game":
        yield from _game(entry, cls)
    yield ""
    yield _Heading("example")
    yield _example(entry)


def _parameters(parameters: Sequence[Parameter]) -> Iterator[str]:
    if not parameters:
        yield "no parameters"
        return
    yield _Heading("parameters")
    width = max(len(p.name) for p in parameters)
    for p in parameters:
        default = (
            "required" if p.is_required else "from others" if p.is_computed else f"default {json.dumps(p.default)}"
        )
        yield f"  {p.name.ljust(width)}  {p.type}, {default}"
        if p.help:
            yield f"  {' ' * width}    {p.help}"


def _game(entry: InstalledPlugin, cls: Any) -> Iterator[str]:
    plugin = entry.plugin
    assert plugin is not None
    yield ""
    try:
        made = cls(**plugin.preset)
    except (TypeError, ValueError, ArenaError):  # it has parameters that must be given
        try:
            made = cls(**{**plugin.preset, **plugin.example})
        except (TypeError, ValueError, ArenaError) as error:
            yield f"its rules depend on its parameters ({error})"
            return
    if not isinstance(made, Game):
        raise PluginError(f"{entry} makes {type(made).__name__}, which is no Game; tell its author")
    counts = sorted(made.player_counts())
    yield _Heading("players")
    yield f"  {', '.join(map(str, counts))}; seats: {', '.join(made.seats(counts[0]))}"
    yield _Heading(f"facts (with {counts[0]})")
    yield from (f"  {line}" for line in _facts(made.facts(counts[0])))
    yield _Heading("forms of observation")
    yield f"  {', '.join(made.forms)}"
    yield _Heading("rules")
    yield from (f"  {line}" for line in made.rules.splitlines())


def _facts(facts: GameFacts) -> Iterator[str]:
    kinds = {
        "simultaneous": facts.simultaneous,
        "hidden information": facts.hidden_information,
        "chance": facts.chance,
        "messages": facts.messages,
    }
    there = [name for name, is_there in kinds.items() if is_there]
    yield ", ".join([facts.returns, *(there or ["players move in turn, see everything, no chance"])])
    if facts.min_return is not None or facts.max_return is not None:
        yield f"returns from {facts.min_return} to {facts.max_return}"
    if facts.optimal_returns is not None:
        yield f"optimal play earns {', '.join(f'{r:g}' for r in facts.optimal_returns)} ({facts.optimal_source})"
    yield f"ends after {facts.max_steps:,} steps at the latest"
    goes_on = f"the match ends: {facts.forfeit_return:g} for it, {facts.others_return:g} for each other"
    yield f"when a player forfeits, {'the others play on' if facts.on_forfeit == 'continue' else goes_on}"


def _example(entry: InstalledPlugin) -> str:
    plugin = entry.plugin
    assert plugin is not None
    written = _yaml({"use": entry.name, **plugin.example})
    if entry.kind in _IN_FILE:
        return f"  {_IN_FILE[entry.kind]}:\n    my-{entry.name}: {written}"
    if entry.kind == "backend":
        return f"  agents:\n    my-agent: {{use: AGENT, backend: {written}}}"
    if entry.kind in ("report", "export"):
        return f"  arena {entry.kind} RUN --format {entry.name}"
    if entry.kind == "prompt-style":
        return f"prompt: {_yaml({'style': entry.name})}"
    if entry.kind == "illegal-actions":
        return f"  illegal-actions: {written}"
    return f"  {entry.kind}: {written}"


def _yaml(value: Any) -> str:
    """A value in YAML's flow style: like JSON, but simple words need no quotes."""
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return "{" + ", ".join(f"{kebab(key)}: {_yaml(v)}" for key, v in items) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_yaml, cast("list[Any]", value))) + "]"
    if isinstance(value, str) and value.replace("-", "").replace("_", "").isalpha() and value not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)


_RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off"})
