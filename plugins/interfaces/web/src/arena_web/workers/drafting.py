"""Checks a benchmark that is being written in a browser, and estimates it; runs in a worker process.

Nothing is built here but installed plugins: the data may name no code, no file and no command.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError, ConfigError
from arena.record import JSON
from arena_cli import RunEstimate, asked_once
from arena_engine import (
    Benchmark,
    BenchmarkProblem,
    backends_of,
    check_benchmark,
    installed_only,
    make_plugin,
    names_credential,
    read_yaml,
    secret_names,
    suite_title,
    write_yaml,
)

_LABEL: Final = "the file"
_LINE: Final = re.compile(r"line (\d+)")


@attrs.frozen(kw_only=True)
class Draft:
    """A benchmark as somebody writes it: its text, its data where the text is YAML, and where each part stands."""

    text: str
    plain: JSON = None
    lines: Mapping[tuple[str, ...], int] = attrs.field(factory=dict[tuple[str, ...], int])
    problems: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> "Draft":
        """The draft of a request: a ``text`` that is kept as it is, or a ``benchmark`` of which the text is made."""
        text: str = write_yaml(asked["benchmark"]) if asked.get("text") is None else asked["text"]
        try:
            read = read_yaml(text, _LABEL)
        except ConfigError as error:
            return cls(text=text, problems=tuple(map(_of_yaml, error.problems)))
        return cls(text=text, plain=read.data, lines={_snake(path): line for path, line in read.lines.items()})

    def told(self, problem: BenchmarkProblem) -> dict[str, Any]:
        """A mistake with its path and the line of the innermost part of it that is there."""
        path = _snake(problem.path)
        lines = (self.lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in self.lines)
        line = next(lines, None)
        told = {"path": list(problem.path), "where": ".".join(problem.path), "what": problem.text}
        return told if line is None else {**told, "line": line}


def check(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """The text, the data and the name of a benchmark, every mistake in it, and the names of its secrets."""
    draft = Draft.of(asked)
    plain = draft.plain if isinstance(draft.plain, Mapping) else None
    problems = [*draft.problems]
    benchmark: Benchmark | None = None
    if not problems:
        benchmark, found = built(draft.plain, catalog)
        problems = [draft.told(each) for each in found]
    return {
        "name": "" if benchmark is None else benchmark.name,
        "benchmark": plain,
        "text": draft.text,
        "problems": problems,
        "secrets": secrets_of(plain, benchmark),
    }


def suite(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """The text with which a benchmark like a suite begins; ``PluginError`` where there is no such suite.

    It is the suite's own, with its version, where that stands alone, so that all of it can be seen and changed.
    """
    name: str = asked["name"]
    root, path = catalog.get("suite", name).resource()
    own = root.joinpath(path).read_text("utf-8")
    text = f"{own.rstrip()}\n{write_yaml({'based-on': [suite_title(name, catalog)]})}"
    draft = Draft.of({"text": text})
    stands_alone = not draft.problems and built(draft.plain, catalog)[0] is not None
    return {"text": text if stands_alone else write_yaml({"extends": f"suite:{name}"})}


def built(plain: Any, catalog: Catalog) -> tuple[Benchmark | None, tuple[BenchmarkProblem, ...]]:
    """A benchmark made of installed plugins alone, or its mistakes."""
    if not isinstance(plain, Mapping):
        what = "it is empty" if plain is None else f"it is a {type(plain).__name__}"
        return None, (BenchmarkProblem((), f"expected a table with games and agents, and {what}"),)
    try:
        with installed_only():
            found = check_benchmark(cast("Mapping[str, Any]", plain), catalog)
    except ArenaError as error:
        return None, (BenchmarkProblem((), "; ".join(str(error).splitlines())),)
    return found.benchmark, found.problems


def opened(asked: Mapping[str, Any], catalog: Catalog) -> Benchmark:
    """The benchmark of a request; ``ConfigError`` lists its mistakes."""
    draft = Draft.of(asked)
    if draft.problems:
        raise ConfigError(
            f"{each['where']}: {each['what']}" if each["where"] else each["what"] for each in draft.problems
        )
    benchmark, problems = built(draft.plain, catalog)
    if benchmark is None:
        raise ConfigError(map(str, problems))
    return benchmark


def secrets_of(plain: Any, benchmark: Benchmark | None) -> list[str]:
    """The names of the secrets that the data writes as ``${NAME}``.

    Where the benchmark is not built, what is not named like a credential is taken for a word of a prompt.
    """
    written = secret_names(plain)
    if benchmark is None:
        return sorted(filter(names_credential, written))
    used = {secret.variable for _, backend in backends_of(benchmark) for secret in backend.secrets()}
    return sorted(written & used)


def _of_yaml(line: str) -> Mapping[str, Any]:
    what = line.removeprefix(f"{_LABEL}: ")
    place = _LINE.match(what)
    told: dict[str, Any] = {"path": [], "where": "", "what": what}
    return {**told, "line": int(place[1])} if place else told


def _snake(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.replace("-", "_") for part in path)


Bounds = Sequence[float | None]
"""The least, what is likely, and the most; ``None`` is without a bound."""


def estimate(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """Matches, calls, money and time, in the lines of ``--dry-run``; and what its matches can tell apart."""
    benchmark = opened(asked, catalog)
    found = RunEstimate.of(benchmark)
    numbers = cast("Mapping[str, Any]", found.to_json())
    return {
        "matches": numbers["matches"],
        "calls": _sum(caller["calls"] for caller in (*numbers["agents"], *numbers["judges"])),
        "cost_usd": numbers["cost_usd"],
        "seconds": numbers["seconds"],
        "words": list(found.lines()),
        "power": list(found.power_lines()),
    }


def test(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """What the model of an agent answers to one short request, and how fast; it is really asked."""
    with installed_only():
        agent = make_plugin("agent", asked["agent"], catalog)
    backends = [*agent.backends().values()]
    if not backends:
        raise ConfigError("this agent asks no model; there is nothing to test")
    return attrs.asdict(asyncio.run(asked_once(backends[0])))


def _sum(ranges: Iterable[Bounds]) -> Bounds:
    columns = [*zip(*ranges, strict=True)] or [(0,)] * 3
    return [None if None in column else sum(filter(None, column)) for column in columns]
