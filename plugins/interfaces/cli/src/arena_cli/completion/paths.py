"""What stands on the disk and may be typed: runs, matches, benchmark files and the paths of their settings."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from arena_cli.completion.index import CommandLine

RUNS: Final = "runs"
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d")
_KINDS: Final[Mapping[str, str]] = {
    "games": "game",
    "agents": "agent",
    "metrics": "metric",
    "observers": "observer",
    "schedule": "schedule",
    "executor": "executor",
    "backend": "backend",
    "illegal_actions": "illegal-actions",
    "illegal-actions": "illegal-actions",
}
"""Keys of a benchmark that hold plugins, with their kind."""

_STEPS: Final = 20_000_000
"""The most steps that SQLite takes while somebody types."""
_LONGEST: Final = 2_000_000
"""The longest text that a packed block of plans becomes."""
_LARGEST: Final = 200_000
"""The most bytes of a benchmark file that is read while somebody types."""


def runs(begun: str) -> list[str]:
    """The runs in ``runs/``, the newest first, whose paths begin so; their numbers if it begins with ``@``."""
    names = _newest_first()
    if begun.startswith("@"):
        return [f"@{number}" for number, _ in enumerate(names, 1)]
    return [name for name in names if name.startswith(begun)]


def _newest_first() -> list[str]:
    folder = Path(RUNS)
    found = [path.parent for path in folder.glob("*/journal.sqlite")] if folder.is_dir() else []
    if all(_STAMP.match(run.name) for run in found):
        return [str(run) for run in sorted(found, key=lambda run: run.name, reverse=True)]
    # When the others were begun, only their journals say; reading them takes longer than all the rest.
    from arena_cli.application.run_path import newest_first

    return [str(run) for run in newest_first(folder)]


def match_ids(run: str, most: int) -> list[str]:
    """The ids of the first matches of a run."""
    import json
    import sqlite3
    import zlib

    try:
        # The type of the argument is left out of this: it takes click, which takes longer than all the rest.
        place = Path(run) if Path(run).exists() else _called(run)
        with sqlite3.connect(f"{(place / 'journal.sqlite').absolute().as_uri()}?mode=ro", uri=True) as journal:
            journal.set_progress_handler(lambda: True, _STEPS)  # the journal may be anybody's
            blocks = journal.execute("SELECT packing, plans FROM plans ORDER BY block LIMIT ?", (1 + most // 1_000,))
            texts = [
                text if packing == "plain" else zlib.decompressobj(-15).decompress(text, _LONGEST).decode()
                for packing, text in blocks
            ]
        return [str(json.loads(line)["id"]) for text in texts for line in text.split("\n")][:most]
    except (sqlite3.Error, zlib.error, OSError, LookupError, TypeError, ValueError):
        return []


def _called(word: str) -> Path:
    names = _newest_first()
    if found := re.fullmatch(r"@(\d*)", word):
        return Path(names[int(found[1] or 1) - 1])
    (name,) = (name for name in names if word in Path(name).name)
    return Path(name)


def yaml_files(begun: str) -> Iterator[str]:
    """Benchmark files whose path begins so, and the folders on the way."""
    folder = begun.rpartition("/")[0]
    with suppress(OSError):
        for path in sorted(Path(folder or ".").iterdir()):
            if path.suffix in (".yaml", ".yml") and not path.name.startswith("."):
                yield str(path) if folder else path.name


def settings(line: CommandLine, begun: str) -> Iterator[tuple[str, str]]:
    """What ``--set`` may take: keys of a benchmark up to the next point, or values behind a sign of equality."""
    path, equals, _ = begun.partition("=")
    if equals:
        yield from ((f"{path}={value}", "") for value in _values(line, path.split(".")))
        return
    before, _, _ = begun.rpartition(".")
    prefix = f"{before}." if before else ""
    seen: set[str] = set()
    for key, help_ in _keys(line, before.split(".") if before else []):
        if key not in seen:
            seen.add(key)
            yield f"{prefix}{key}", help_


def _keys(line: CommandLine, path: list[str]) -> Iterator[tuple[str, str]]:
    """The keys below ``path``: those that hold more keys end with a point, the others with a sign of equality."""
    if not path:
        for key, below in line.index.keys.items():
            yield (f"{key}." if below or key in _KINDS else f"{key}="), ""
    elif len(path) == 1 and path[0] in ("games", "agents"):
        yield from ((f"{name}.", plugin) for name, plugin, _ in _entries(line, path[0]))
    elif found := _plugin_at(line, path):
        kind, name, rest = found
        yield from _parameter_keys(line, kind, name, rest)
    else:
        below: list[str] = line.index.keys.get(path[0], []) if len(path) == 1 else []
        yield from ((f"{key}=", "") for key in below)


def _parameter_keys(line: CommandLine, kind: str, name: str, rest: list[str]) -> Iterator[tuple[str, str]]:
    yield "use=", f"{kind} {name}"
    prefix = ".".join([*rest, ""]) if rest else ""
    for parameter in line.index.parameters(kind, name):
        if parameter.startswith(prefix):
            first, more, _ = parameter.removeprefix(prefix).partition(".")
            is_plugin = not more and first in _KINDS
            yield f"{first}{'.' if more or is_plugin else '='}", ""


def _values(line: CommandLine, path: list[str]) -> list[str]:
    """The values that the setting at ``path`` may have, where they are few."""
    *above, last = path
    found = _plugin_at(line, above)
    if found is None:
        return []
    kind, name, rest = found
    if last == "use":
        return [*line.index.plugins.get(kind, {})]
    if last == "style":
        return [*line.index.plugins.get("prompt-style", {})]
    return [*line.index.parameters(kind, name).get(".".join([*rest, last]), ())]


def _plugin_at(line: CommandLine, path: list[str]) -> tuple[str, str, list[str]] | None:
    """The kind and name of the plugin whose parameters ``path`` leads to, and the rest of the path below it."""
    if not path or path[0] not in _KINDS:
        return None
    kind, entry, rest = _KINDS[path[0]], {}, path[1:]
    if path[0] in ("games", "agents"):
        if len(path) < 2:
            return None
        entries = {name: (plugin, raw) for name, plugin, raw in _entries(line, path[0])}
        if path[1] not in entries:
            return None
        plugin, entry = entries[path[1]]
        rest = path[2:]
    else:
        raw = _document(line).get(path[0])
        plugin, entry = _use(raw, "round-robin" if kind == "schedule" else "")
    while rest and rest[0] in _KINDS and rest[0] in line.index.parameters(kind, plugin):
        kind, (plugin, entry) = _KINDS[rest[0]], _use(entry.get(rest[0]), "")
        rest = rest[1:]
    return (kind, plugin, rest) if plugin else None


def _use(raw: Any, otherwise: str) -> tuple[str, Mapping[str, Any]]:
    if isinstance(raw, str):
        return raw, {}
    if isinstance(raw, Mapping):
        entry = cast("Mapping[str, Any]", raw)
        return str(entry.get("use", otherwise)), entry
    return otherwise, {}


def _entries(line: CommandLine, table: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The games or agents that are named so far, with their plugins."""
    for name in line.options.get(f"--{table.removesuffix('s')}", ()):
        yield name, name, {}
    raw = _document(line).get(table)
    if isinstance(raw, Mapping):
        for name, entry in cast("Mapping[str, Any]", raw).items():
            yield (str(name), *_use(entry, ""))


def _document(line: CommandLine) -> Mapping[str, Any]:
    """The benchmark file that is named on the line, as far as it can be read."""
    if not line.arguments:
        return {}
    path = Path(line.arguments[0])
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return {}
        from arena_engine import read_yaml

        raw = read_yaml(path.read_text(encoding="utf-8"), str(path)).data
    except Exception:  # whatever is wrong with it, the command will say it
        return {}
    return cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {}
