"""What ``arena describe`` tells of a plugin, as a value and as lines, with an example of how it is written."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.catalog import InstalledPlugin
from arena.plugin import WITHOUT_RULES, Plugin
from arena.record import JSON
from arena_engine import provenance_of
from arena_engine.benchmark import Parameter, describe_parameters, kebab

from arena_cli.output import OutputColumn, Terminal, names_that_fit, paragraph, shorten, styled, table

_IN_FILE: Final[Mapping[str, str]] = {
    "game": "games",
    "agent": "agents",
    "metric": "metrics",
    "observer": "observers",
}
"""Kinds of plugins that benchmark files list under a name of the user's choice, with the key of that list."""

_RESERVED: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off"})


def example_of(entry: InstalledPlugin, plugin: Plugin) -> str:
    """How the plugin is used: lines of a benchmark file, or of the command line."""
    consent = {WITHOUT_RULES: True} if WITHOUT_RULES in plugin.capabilities else {}
    written = flow_yaml({"use": entry.name, **plugin.example, **consent})
    if entry.kind in _IN_FILE:
        return f"{_IN_FILE[entry.kind]}:\n  my-{entry.name}: {written}"
    if entry.kind == "backend":
        return f"agents:\n  my-agent: {{use: AGENT, backend: {written}}}"
    if entry.kind in ("report", "export"):
        return f"arena {entry.kind} RUN --format {entry.name}"
    if entry.kind == "prompt-style":
        return f"prompt: {flow_yaml({'style': entry.name})}"
    if entry.kind == "suite":
        return f"arena run suite:{entry.name}"
    if entry.kind == "command":
        return f"arena {entry.name} --help"
    return f"{entry.kind}: {written}"


def flow_yaml(value: Any) -> str:
    """A value in YAML's flow style: like JSON, but simple words need no quotes."""
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return "{" + ", ".join(f"{kebab(key)}: {flow_yaml(v)}" for key, v in items) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow_yaml, cast("list[Any]", value))) + "]"
    if isinstance(value, str) and value.replace("-", "").replace("_", "").isalpha() and value not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)


FILES: Final = ("suite", "prompt-style", "command")
"""Kinds whose plugins are files or commands, and have no parameters."""

TEXT_LINES: Final = 12
"""The most lines of a docstring or a file that are shown unless all of it is wanted."""

_COLUMNS: Final = (
    OutputColumn(title="parameter"),
    OutputColumn(title="type", shortens=True),
    OutputColumn(title="default", shortens=True),
    OutputColumn(title="meaning", wraps=True),
)
PARAMETERS: Final = 12
"""The most parameters that are shown unless all are wanted, a line for each."""

_DEFAULT_WIDTH: Final = 18
_TITLES: Final = ("parameter", "default", "meaning")


@attrs.frozen(kw_only=True)
class PluginPage:
    """A plugin as it is described: what its descriptor, its class and its parameters say."""

    entry: InstalledPlugin
    plugin: Plugin
    text: str
    parameters: tuple[Parameter, ...]

    @classmethod
    def of(cls, entry: InstalledPlugin) -> "PluginPage":
        """Import the plugin, and read what there is to say of it; ``PluginError`` if it cannot be imported."""
        plugin = entry.plugin
        assert plugin is not None  # only usable entries come from the catalog
        if entry.kind in FILES:
            text = entry.read_text() if entry.kind == "prompt-style" else ""
            return cls(entry=entry, plugin=plugin, text=text, parameters=())
        loaded = entry.load()
        lines = (line.removeprefix("    ") for line in (loaded.__doc__ or "").strip().splitlines())
        parameters = tuple(describe_parameters(loaded, plugin.preset))
        return cls(entry=entry, plugin=plugin, text="\n".join(lines), parameters=parameters)

    def to_json(self) -> dict[str, JSON]:
        """The page as plain data."""
        where = provenance_of(self.entry)
        found: dict[str, Any] = {name: where[name] for name in ("kind", "name", "dist", "version", "editable")}
        found |= {"summary": self.plugin.summary, "licence": self.plugin.licence}
        found |= {"plugin_version": self.plugin.version, "commit": where["commit"]}
        found["capabilities"] = sorted(self.plugin.capabilities)
        found["required_capabilities"] = sorted(self.plugin.required_capabilities)
        found["parameters"] = [attrs.asdict(parameter) for parameter in self.parameters]
        return {**found, "text": self.text, "example": example_of(self.entry, self.plugin)}

    def lines(self, terminal: Terminal, *, is_full: bool) -> Iterator[str]:
        """The page of a plugin that is no game."""
        yield heading(f"{self.entry.kind} {self.entry.name}", terminal)
        yield from paragraph(self.plugin.summary, terminal)
        yield from self.origin(terminal, is_full=is_full)
        if self.text:
            yield ""
            yield from cut(self._whole_text(terminal), TEXT_LINES, "--full", is_full=is_full)
        if self.entry.kind not in FILES:
            yield ""
            yield from self.parameter_lines(terminal, is_full=is_full)
        yield ""
        yield from self.example_lines(terminal)

    def origin(self, terminal: Terminal, *, is_full: bool) -> Iterator[str]:
        """Where it comes from, and what its descriptor says."""
        where = provenance_of(self.entry)
        facts = [f"{self.entry.dist} {self.entry.version}", self.plugin.licence or "no licence is stated"]
        if is_full:
            facts += [f"plugin version {self.plugin.version}"]
            facts += ["editable"] if where["editable"] else []
            facts += [f"commit {where['commit'][:12]}"] if where["commit"] else []
        yield from paragraph(" · ".join(facts), terminal)
        if self.plugin.capabilities and (is_full or self.entry.kind != "game"):
            yield from paragraph(f"can do: {', '.join(sorted(self.plugin.capabilities))}", terminal)
        if self.plugin.required_capabilities:
            required = ", ".join(sorted(self.plugin.required_capabilities))
            yield from paragraph(f"requires of backends: {required}", terminal)

    def parameter_lines(self, terminal: Terminal, *, is_full: bool, most: int = PARAMETERS) -> Iterator[str]:
        """Parameters as a table: all with types, or a line for each of the first, required ones before others."""
        if not self.parameters:
            yield "no parameters"
            return
        if is_full:
            yield from table(_COLUMNS, [_cells(p) for p in self.parameters], terminal, indent=0, more="")
            return
        columns, wanted = (_COLUMNS[0], *_COLUMNS[2:]), sorted(self.parameters, key=lambda p: not p.is_required)
        shown = wanted[: most + (len(wanted) == most + 1)]
        rows = [(p.name, shorten(default_of(p), _DEFAULT_WIDTH, terminal), p.help) for p in shown]
        names, defaults = (max(map(terminal.columns, own)) for own in [*zip(_TITLES, *rows, strict=True)][:2])
        room = terminal.width - names - defaults - 4
        yield from table(columns, [(*row[:2], _beginning(row[2], room, terminal)) for row in rows], terminal, indent=0)
        if left := len(self.parameters) - len(shown):
            yield f"… and {left} more parameters: --full"

    def example_lines(self, terminal: Terminal) -> Iterator[str]:
        """How it is used, as it is written."""
        text = example_of(self.entry, self.plugin)
        yield "use it" if text.startswith("arena ") else "in a benchmark file"
        for line in text.splitlines():
            yield from paragraph(line, terminal, 2, 4)

    def _whole_text(self, terminal: Terminal) -> Sequence[str]:
        return paragraph(self.text, terminal)


def heading(text: str, terminal: Terminal) -> str:
    """The first line of a page, in bold where there are styles."""
    return styled(text, bold=True) if terminal.has_colour else text


def cut(lines: Sequence[str], most: int, option: str, *, is_full: bool) -> Iterator[str]:
    """The first lines of a text, and which option shows the others."""
    if is_full or len(lines) <= most:
        yield from lines
        return
    kept = lines[: most - 1]
    yield from kept
    yield f"… {len(lines) - len(kept)} more lines: {option}"


def default_of(parameter: Parameter) -> str:
    """The default of a parameter as a benchmark file would hold it, or what takes its place."""
    if parameter.is_required or parameter.is_computed:
        return "required" if parameter.is_required else "from others"
    return json.dumps(parameter.default, ensure_ascii=False)


def _cells(parameter: Parameter) -> tuple[str, ...]:
    return parameter.name, parameter.type, default_of(parameter), parameter.help


def _beginning(text: str, width: int, terminal: Terminal) -> str:
    """As many whole words as fit, with ``…`` if there are more."""
    return names_that_fit(text.split(), max(width, 8), terminal)
