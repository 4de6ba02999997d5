"""Builds the index for completions from the commands and plugins that are installed."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs
import click
from arena.catalog import Catalog, Status
from arena.errors import ArenaError
from arena_engine import Benchmark, Limits
from arena_engine.benchmark import KEYS, describe_parameters, kebab

from arena_cli.application.group import group
from arena_cli.application.run_path import RunPath

_OPTIONS: Final[Mapping[str, str]] = {
    "--game": "game",
    "--agent": "player",
    "--against": "player",
    "--as": "agent",
    "--ask": "player",
    "--branch": "player",
    "--metric": "metric",
    "--match": "match",
    "--disable": "plugin",
    "--set": "set",
    "--agents": "file",
}
"""What options of these names take, whichever command has them."""

_OF_COMMANDS: Final[Mapping[tuple[str, str], str]] = {
    ("run", "file"): "benchmark",
    ("check-agents", "file"): "benchmark",
    ("play", "game"): "game",
    ("describe", "words"): "describe",
    ("check", "what"): "plugin",
    ("report", "--format"): "report",
    ("export", "--format"): "export",
}
"""What options and arguments of single commands take."""

_CHOICES: Final = re.compile(r"'[^']*'|\b(?:true|false)\b")


def build_plain() -> dict[str, Any]:
    """The index as plain data, without parameters of plugins: imports all commands and all descriptors."""
    catalog = Catalog()
    plugins: dict[str, dict[str, str]] = {}
    models: list[str] = []
    for entry in catalog.entries():
        if entry.status is Status.OK and entry.plugin:
            plugins.setdefault(entry.kind, {})[entry.name] = entry.summary
            models += [pattern for pattern in entry.plugin.model_patterns if re.fullmatch(r"[\w-]+", pattern)]
    context = click.Context(group, info_name="arena", **group.context_settings)
    return {
        "commands": _command(group, context),
        "plugins": plugins,
        "models": models,
        "keys": _keys(),
        "parameters": {},
    }


def parameters_of(kind: str, name: str) -> dict[str, list[str]]:
    """The dotted names of a plugin's parameters with the values that they may have, where they are few.

    Empty if the plugin cannot be imported.
    """
    try:
        entry = Catalog().get(kind, name)
        parameters = describe_parameters(entry.load(), entry.plugin.preset if entry.plugin else {})
    except ArenaError:
        return {}
    return {p.name: ["true", "false"] if p.type == "bool" else _choices(p.type) for p in parameters}


def _choices(said: str) -> list[str]:
    return [each.strip("'") for each in _CHOICES.findall(said)]


def _command(command: click.Command, context: click.Context) -> dict[str, Any]:
    path = context.command_path.partition(" ")[2]
    found: dict[str, Any] = {"help": command.get_short_help_str(80), "options": {}, "arguments": []}
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Option) and not parameter.hidden:
            longest = max(parameter.opts, key=len)
            takes = not parameter.is_flag and not parameter.count
            values = _values(parameter, _OF_COMMANDS.get((path, longest)) or _OPTIONS.get(longest, ""))
            option = {"name": longest, "takes": takes, "values": values, "help": parameter.help or ""}
            found["options"] |= dict.fromkeys([*parameter.opts, *parameter.secondary_opts], option)
        elif isinstance(parameter, click.Argument):
            values = _values(parameter, _OF_COMMANDS.get((path, str(parameter.name)), ""))
            found["arguments"].append({"values": values, "many": parameter.nargs == -1})
    if isinstance(command, click.Group):
        found["commands"] = dict(_commands(command, context))
    return found


def _commands(command: click.Group, context: click.Context) -> Iterable[tuple[str, dict[str, Any]]]:
    for name in command.list_commands(context):
        try:
            below = command.get_command(context, name)
        except ArenaError:  # its plugin is broken, which arena list-plugins tells
            continue
        if below is not None and not below.hidden:
            yield name, _command(below, click.Context(below, context, info_name=name))


def _values(parameter: click.Parameter, known: str) -> str | list[str]:
    """What a parameter takes: choices, or a word for what is looked up when somebody types."""
    if isinstance(parameter.type, click.Choice):
        return [str(choice) for choice in parameter.type.choices]
    if known:
        return known
    if isinstance(parameter.type, RunPath):
        return "run"
    return "file" if isinstance(parameter.type, click.Path | click.File) else ""


def _keys() -> dict[str, list[str]]:
    """The keys of a benchmark file, each with those below it, where they are always the same."""
    plain = [field.name for field in attrs.fields(Benchmark) if field.init and not field.name.startswith("_")]
    below = {"limits": [kebab(field.name) for field in attrs.fields(Limits)]}
    internal = {"plain", "used", "trust"}
    return {kebab(key): below.get(key, []) for key in (*plain, *KEYS) if key not in internal}
