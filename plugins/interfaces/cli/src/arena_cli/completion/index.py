"""The index for completions: commands with their options, plugins by kind, parameters of plugins.

It lies in the user's cache and is made anew when what is installed has changed. Reading it imports nothing heavy.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

FORMAT: Final = 1

PARAMETRISED: Final = ("game", "agent", "backend", "metric", "schedule", "executor", "observer", "illegal-actions")
"""The kinds of plugins whose parameters a benchmark sets."""


class CompletionIndex:
    """What may be typed: commands, plugins by kind, models by name, keys of a benchmark, parameters of plugins."""

    def __init__(self, plain: Mapping[str, Any], key: str) -> None:
        self.commands: Mapping[str, Any] = plain["commands"]
        self.plugins: Mapping[str, Mapping[str, str]] = plain["plugins"]
        self.models: Iterable[str] = plain["models"]
        self.keys: Mapping[str, Any] = plain["keys"]
        self._parameters: dict[str, Any] = dict(plain["parameters"])
        self._key = key

    def parameters(self, kind: str, name: str) -> Mapping[str, list[str]]:
        """The parameters of a plugin by their dotted names, each with the values that it may have, if they are few.

        They are read from the plugin's class when they are first asked for, and kept.
        """
        key = f"{kind} {name}"
        if key not in self._parameters:
            from arena_cli.completion.building import parameters_of

            self._parameters[key] = parameters_of(kind, name)
            self.save()
        return self._parameters[key]

    def fill(self, read: Callable[[str, str], Mapping[str, list[str]]]) -> None:
        """Read the parameters of all games, agents and so on at once, so that none has to be read while typing."""
        for kind in PARAMETRISED:
            for name in self.plugins.get(kind, {}):
                key = f"{kind} {name}"
                if key not in self._parameters:
                    self._parameters[key] = read(kind, name)
        self.save()

    def save(self) -> None:
        """Keep the index for the next time; nothing happens where nothing can be written."""
        plain = {
            "format": FORMAT,
            "key": self._key,
            "commands": self.commands,
            "plugins": self.plugins,
            "models": list(self.models),
            "keys": self.keys,
            "parameters": self._parameters,
        }
        path = index_file()
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_suffix(f".{os.getpid()}")
            written.write_text(json.dumps(plain), encoding="utf-8")
            written.replace(path)


def current_index() -> CompletionIndex:
    """The index that is kept, if it fits what is installed; else a new one, which is kept from then on."""
    key = installed_key()
    if (plain := _kept(key)) is not None:
        return CompletionIndex(plain, key)
    from arena_cli.completion.building import build_plain

    made = CompletionIndex(build_plain(), key)
    made.save()
    return made


def installed_key() -> str:
    """A digest of what is installed and switched off: it differs if a distribution comes, goes or changes its names."""
    digest = blake2b(digest_size=16)
    digest.update(repr((FORMAT, sys.version_info[:3], os.environ.get("ARENA_DISABLE", ""))).encode())
    for folder in sys.path:
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for name in sorted(entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))):
                with suppress(OSError):
                    stat = os.stat(os.path.join(folder, name, "entry_points.txt"))
                    digest.update(f"{folder} {name} {stat.st_mtime_ns} {stat.st_size}\n".encode())
    return digest.hexdigest()


def index_file() -> Path:
    """The path of the index of this environment, in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arena" / "completion"
    return cache / f"{blake2b(sys.prefix.encode(), digest_size=8).hexdigest()}.json"


def _kept(key: str) -> Mapping[str, Any] | None:
    """The index on the disk; ``None`` if it is missing, damaged, or of other distributions."""
    try:
        plain = json.loads(index_file().read_text(encoding="utf-8"))
        return plain if plain["key"] == key and plain["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


class CommandLine:
    """The part of a line that is complete: its command, the values of its options, its arguments."""

    def __init__(self, index: CompletionIndex, words: Sequence[str]) -> None:
        self.index = index
        self.node: Mapping[str, Any] = index.commands
        self.options: dict[str, list[str]] = {}
        self.arguments: list[str] = []
        self.waiting: Mapping[str, Any] | None = None
        for word in words:
            self._take(word)

    def _take(self, word: str) -> None:
        options = self.node.get("options", {})
        if self.waiting is not None:
            self.options.setdefault(self.waiting["name"], []).append(word)
            self.waiting = None
        elif word.startswith("-") and len(word) > 1:
            name, equals, value = word.partition("=")
            option = options.get(name)
            if option is None or not option["takes"]:
                return
            if equals:
                self.options.setdefault(option["name"], []).append(value)
            else:
                self.waiting = option
        elif "commands" in self.node and not self.arguments:
            self.node = self.node["commands"].get(word, {})
        else:
            self.arguments.append(word)
