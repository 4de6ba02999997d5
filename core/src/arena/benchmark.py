"""A benchmark: which agents play which games, how, and what is measured; from a file to a typed value."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any, Final, cast

import attrs
from attrs.validators import gt, lt, min_len

from arena.catalog import Catalog, Entry
from arena.checks import misfits, unpriced
from arena.compose import KEYS, Composed, compose
from arena.config import FAILED, Structuring
from arena.documents import Source
from arena.entries import HOOKS, AgentEntry, GameEntry
from arena.errors import ConfigError
from arena.executor import Executor, IllegalActions, Limits
from arena.hookspecs import Observer
from arena.metric import Metric
from arena.mistakes import Problem
from arena.plain import Path
from arena.record import JSON
from arena.schedule import Schedule, expand

DEFAULTS: Final[Mapping[str, JSON]] = {"schedule": "round-robin", "executor": "asyncio"}
"""The plugins that are meant where a benchmark names none."""


def _check_name(_: Any, attribute: Any, value: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", value):
        raise ValueError(f"expected {attribute.metadata['help'].partition(';')[0]}, got {value!r}")


@attrs.frozen(kw_only=True)
class Benchmark:
    """Everything that decides what is played and measured.

    ``plain`` is the composed data, from which ``from_plain`` builds the same benchmark again; it holds names of
    environment variables in the place of secrets. ``used`` are the plugins in it, by their path.
    """

    name: str = attrs.field(
        default="benchmark",
        validator=_check_name,
        metadata={"help": "letters, digits, '.', '_' and '-'; the run's directory is called after it"},
    )
    seed: int = attrs.field(default=0, metadata={"help": "feeds all luck: same seed, same deals"})
    games: Mapping[str, GameEntry] = attrs.field(validator=min_len(1), metadata={"help": "the games, by any name"})
    agents: Mapping[str, AgentEntry] = attrs.field(validator=min_len(1), metadata={"help": "the agents, by any name"})
    schedule: Schedule = attrs.field(metadata={"help": "who plays whom; round-robin where none is named"})
    illegal_actions: IllegalActions = attrs.field(
        default=IllegalActions(), metadata={"help": "what happens to an answer that cannot be played"}
    )
    metrics: Mapping[str, Metric] = attrs.field(
        factory=dict[str, Metric], metadata={"help": "what is measured: a list of plugins, or a table by any name"}
    )
    limits: Limits = attrs.field(default=Limits(), metadata={"help": "bounds of the run"})
    observers: Mapping[str, Observer] = attrs.field(
        factory=dict[str, Observer], metadata={"help": "what watches: a list of plugins, or a table by any name"}
    )
    executor: Executor = attrs.field(metadata={"help": "where matches are played; asyncio where none is named"})
    cache: FilePath | None = attrs.field(
        default=None, metadata={"help": "directory of answers that runs share; what is there is not asked again"}
    )
    tells_agents: bool = attrs.field(default=False, metadata={"help": "tell agents the names of the others"})
    imagines: bool = attrs.field(default=True, metadata={"help": "let search agents imagine hidden parts of a state"})
    level: float = attrs.field(
        default=0.95, validator=[gt(0), lt(1)], metadata={"help": "the level of all confidence intervals"}
    )
    based_on: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "suites it was made from, with their versions; extends fills it in"}
    )
    plain: Mapping[str, Any] = attrs.field(factory=dict[str, Any], repr=False, eq=False, metadata={"hidden": True})
    used: Mapping[Path, Entry] = attrs.field(factory=dict[Path, Entry], repr=False, eq=False, metadata={"hidden": True})

    def provenance(self) -> list[dict[str, Any]]:
        """Where each plugin in use comes from, each once, sorted by kind and name."""
        entries = {entry.key: entry for entry in self.used.values()}
        return [entries[key].provenance() for key in sorted(entries)]


def load(
    source: Source,
    *,
    overrides: Iterable[str] = (),
    agents_file: Source | None = None,
    games: Iterable[str] = (),
    agents: Iterable[str] = (),
    catalog: Catalog | None = None,
) -> Benchmark:
    """Read a file or ``suite:NAME``, compose it and check it; nothing is played and no model is reached.

    ``overrides`` are ``path=value``, ``agents_file`` puts its agents in the place of the benchmark's, ``games`` and
    ``agents`` keep those of a name or tag. ``ConfigError`` lists every mistake with its path, and with file and line
    where it has one; ``PluginError`` says why a suite cannot be used.
    """
    catalog = catalog or Catalog()
    composed = compose(source, catalog, overrides=overrides, agents_file=agents_file, games=games, agents=agents)
    return _built(composed, catalog, _stem(str(source)))


def from_plain(
    data: Mapping[str, Any],
    catalog: Catalog | None = None,
    *,
    overrides: Iterable[str] = (),
    games: Iterable[str] = (),
    agents: Iterable[str] = (),
) -> Benchmark:
    """The benchmark that plain data describes, with all that a file may hold; mistakes as in ``load``."""
    catalog = catalog or Catalog()
    return _built(compose(data, catalog, overrides=overrides, games=games, agents=agents), catalog, "benchmark")


def _built(composed: Composed, catalog: Catalog, name: str) -> Benchmark:
    plain = {"name": name, **composed.data}
    plain |= {key: value for key, value in DEFAULTS.items() if key not in plain}
    structuring = Structuring(catalog.without(_disabled(plain)), HOOKS, {Benchmark: KEYS})
    benchmark = structuring.value({k: v for k, v in plain.items() if k != "disable"}, Benchmark)
    if benchmark is FAILED:
        raise composed.report(structuring.problems)
    made = attrs.evolve(cast("Benchmark", benchmark), plain=plain, used=structuring.used)
    try:
        plans = expand(made)
    except ConfigError as error:
        raise composed.report(map(Problem.parse, error.problems)) from error
    owners = {("agents", name): entry.agent for name, entry in made.agents.items()}
    owners |= {("metrics", name): metric for name, metric in made.metrics.items()}
    unfit = misfits(made.games, made.agents, made.used, plans, imagines=made.imagines)
    if problems := [*unfit, *unpriced(owners, made.limits)]:
        raise composed.report(problems)
    return made


def _disabled(plain: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(cast("Iterable[str]", plain.get("disable") or ()))


def _stem(source: str) -> str:
    """A benchmark that has no name is called as its file."""
    last = re.split(r"[/\\:]", source)[-1]
    return re.sub(r"[^A-Za-z0-9._-]+", "-", re.sub(r"\.ya?ml$", "", last)).lstrip(".-_") or "benchmark"
