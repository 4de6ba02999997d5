"""The grammar of a command line: which words may follow, by the index of what is installed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from arena_cli.completion import paths
from arena_cli.completion.index import CommandLine, CompletionIndex

MATCHES: Final = 200
"""The most match ids that are offered."""


class Candidate(NamedTuple):
    """A word that may follow, with a short help; or, if it ``is_file``, whatever files the shell finds."""

    value: str = ""
    help: str = ""
    is_file: bool = False


FILES: Final = Candidate(is_file=True)


def candidates(index: CompletionIndex, words: Sequence[str], begun: str) -> list[Candidate]:
    """The words that may stand in the place of ``begun``, behind ``words``; those that begin with it."""
    line = CommandLine(index, words)
    if line.waiting is not None:
        return _matching(_values(line.waiting["values"], line, begun), begun)
    if begun.startswith("--") and "=" in begun:
        name, _, value = begun.partition("=")
        option = line.node.get("options", {}).get(name)
        found = _values(option["values"], line, value) if option else ()
        return _matching([each._replace(value=f"{name}={each.value}") for each in found if not each.is_file], begun)
    if begun.startswith("-"):
        options = line.node.get("options", {})
        return _matching([Candidate(name, option["help"]) for name, option in options.items()], begun)
    if "commands" in line.node:
        commands = line.node["commands"]
        return _matching([Candidate(name, node.get("help", "")) for name, node in commands.items()], begun)
    if (values := _of_argument(line)) is None:
        return []
    return _matching(_values(values, line, begun), begun)


def _of_argument(line: CommandLine) -> Any:
    """What the argument in turn may be, or ``None`` if there is none."""
    wanted = line.node.get("arguments", ())
    place = len(line.arguments)
    if place < len(wanted):
        return wanted[place]["values"]
    return wanted[-1]["values"] if wanted and wanted[-1]["many"] else None


def _matching(found: Iterable[Candidate], begun: str) -> list[Candidate]:
    return [each for each in found if each.is_file or each.value.startswith(begun)]


def _values(values: Any, line: CommandLine, begun: str) -> Iterable[Candidate]:
    if not isinstance(values, str):
        return [Candidate(str(value)) for value in values]
    if values in line.index.plugins:
        return [Candidate(name, help_) for name, help_ in line.index.plugins[values].items()]
    return _SPECIAL[values](line, begun) if values in _SPECIAL else ()


def _files(_line: CommandLine, _begun: str) -> Iterator[Candidate]:
    yield FILES


def _runs(_line: CommandLine, begun: str) -> Iterator[Candidate]:
    found = paths.runs(begun)
    if not found:
        yield FILES
    yield from (Candidate(run) for run in found)


def _matches(line: CommandLine, _begun: str) -> Iterator[Candidate]:
    if line.arguments:
        yield from (Candidate(match) for match in paths.match_ids(line.arguments[0], MATCHES))


def _benchmarks(line: CommandLine, begun: str) -> Iterator[Candidate]:
    suites = [f"suite:{name}" for name in line.index.plugins.get("suite", {})]
    if not begun.startswith("suite:"):
        yield FILES
        yield from (Candidate(file) for file in paths.yaml_files(begun))
    yield from (Candidate(suite) for suite in suites)


def _any_plugin(line: CommandLine, _begun: str) -> Iterator[Candidate]:
    for names in line.index.plugins.values():
        yield from (Candidate(name, help_) for name, help_ in names.items())


def _described(line: CommandLine, begun: str) -> Iterator[Candidate]:
    if line.arguments:
        yield from (Candidate(name, help_) for name, help_ in line.index.plugins.get(line.arguments[0], {}).items())
        return
    yield from (Candidate(kind) for kind in line.index.plugins)
    yield from _any_plugin(line, begun)


def _players(line: CommandLine, _begun: str) -> Iterator[Candidate]:
    yield from (Candidate(name, help_) for name, help_ in line.index.plugins.get("agent", {}).items())
    yield from (Candidate(model, "a model") for model in line.index.models)


def _settings(line: CommandLine, begun: str) -> Iterator[Candidate]:
    yield from (Candidate(path, help_) for path, help_ in paths.settings(line, begun))


_SPECIAL: Final[Mapping[str, Callable[[CommandLine, str], Iterable[Candidate]]]] = {
    "file": _files,
    "run": _runs,
    "match": _matches,
    "benchmark": _benchmarks,
    "plugin": _any_plugin,
    "describe": _described,
    "player": _players,
    "set": _settings,
}
