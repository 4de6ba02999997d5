"""Loads a benchmark: which agents play which games, how, and what is measured; or says all its mistakes.

Rotations of a pairing share their deals, so whoever plays or watches one of them could know what is hidden in another.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any, Final, cast

import attrs
from arena.catalog import Catalog, InstalledPlugin
from arena.errors import ConfigError, PluginError
from arena.hookspecs import Observer
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import Metric
from arena.schedule import Schedule
from attrs.validators import gt, lt, min_len

from arena_engine.benchmark.composition import KEYS, Composed, compose
from arena_engine.benchmark.documents import Source, inline_document, read
from arena_engine.benchmark.entries import HOOKS, AgentEntry, GameEntry, consenting
from arena_engine.benchmark.plain_data import BenchmarkProblem, Path
from arena_engine.benchmark.preflight import misfits, unbounded, unpriced, unreachable
from arena_engine.benchmark.structure import INVALID, Structurer
from arena_engine.benchmark.trust import Trust, given_trust, trusting, within
from arena_engine.foundation.provenance import provenance_of
from arena_engine.job.executor import Executor, Limits
from arena_engine.job.planning import meetings
from arena_engine.journal.packing import JournalSettings
from arena_engine.models.keys import beside


def unpaired_seats(games: Mapping[str, GameEntry], agents: Mapping[str, AgentEntry]) -> frozenset[tuple[str, str]]:
    """Each game that hides something, with each agent that somebody outside plays: their names in the benchmark."""
    outside = [name for name, entry in agents.items() if entry.agent.outside is not None]
    return frozenset((game, name) for name in outside for game, entry in games.items() if _hides(entry))


def _hides(entry: GameEntry) -> bool:
    try:
        return entry.game.facts(entry.players).hidden_information
    except Exception:  # the checks of a benchmark say so, and it is not played
        return True


MOST_NEXT: Final = 3
"""The most commands to go on with that a benchmark names."""

LONGEST_NEXT: Final = 100
"""The most characters of such a command; it is shown in one line."""

_GAMES: Final[Any] = Mapping[str, GameEntry]


def _check_name(_: Any, attribute: Any, value: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", value):
        raise ValueError(f"expected {attribute.metadata['help'].partition(';')[0]}, got {value!r}")


def _check_next(_: Any, attribute: Any, value: tuple[str, ...]) -> None:
    if len(value) > MOST_NEXT:
        raise ValueError(f"expected at most {MOST_NEXT} commands, got {len(value)}")
    for line in value:
        if not line.strip() or not line.isprintable() or len(line) > LONGEST_NEXT:
            raise ValueError(
                f"expected commands of one line with up to {LONGEST_NEXT} characters that can be seen, got {line!r}"
            )


@attrs.frozen(kw_only=True)
class Benchmark:
    """Everything that decides what is played and measured.

    ``plain`` is the composed data that it was built from, with the versions of its games; it holds the names of
    secrets' environment variables, never their values. ``used`` are its plugins and ``versions`` the versions of its
    parts, by their path; ``trust`` is the consent that was given to build it. ``unpaired`` are games and agents whose
    matches have deals of their own unless the schedule says otherwise. To change a benchmark, compose another one with
    overrides (``load_benchmark``).
    """

    name: str = attrs.field(
        default="benchmark",
        validator=_check_name,
        metadata={"help": "letters, digits, '.', '_' and '-'; the run's directory is called after it"},
    )
    seed: int = attrs.field(default=0, metadata={"help": "seeds all randomness: same seed, same deals"})
    games: Mapping[str, GameEntry] = attrs.field(validator=min_len(1), metadata={"help": "the games, by any name"})
    agents: Mapping[str, AgentEntry] = attrs.field(validator=min_len(1), metadata={"help": "the agents, by any name"})
    schedule: Schedule = attrs.field(metadata={"help": "who plays whom; round-robin where none is named"})
    illegal_actions: IllegalActionPolicy = attrs.field(
        default=IllegalActionPolicy(), metadata={"help": "what happens to an answer that cannot be played"}
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
        default=None,
        metadata={
            "help": "directory of answers that runs share; what is there is not asked again",
            "file_use": "written",
        },
    )
    journal: JournalSettings = attrs.field(
        default=JournalSettings(), metadata={"help": "how the journal of the run is written"}
    )
    reveal_agents: bool = attrs.field(default=False, metadata={"help": "tell agents the names of the others"})
    resample_hidden: bool = attrs.field(
        default=True, metadata={"help": "let search agents imagine hidden parts of a state"}
    )
    level: float = attrs.field(
        default=0.95, validator=[gt(0), lt(1)], metadata={"help": "the level of all confidence intervals"}
    )
    next: tuple[str, ...] = attrs.field(
        default=(),
        validator=_check_next,
        metadata={"help": f"up to {MOST_NEXT} commands to go on with, which are shown when the run has ended"},
    )
    based_on: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "suites it was made from, with their versions; extends fills it in"}
    )
    plain: Mapping[str, Any] = attrs.field(factory=dict[str, Any], repr=False, eq=False, metadata={"hidden": True})
    used: Mapping[Path, InstalledPlugin] = attrs.field(
        factory=dict[Path, InstalledPlugin], repr=False, eq=False, metadata={"hidden": True}
    )
    trust: Trust = attrs.field(default=Trust(), repr=False, eq=False, metadata={"hidden": True})
    places: tuple[FilePath, ...] = attrs.field(default=(), repr=False, eq=False, metadata={"hidden": True})
    unpaired: frozenset[tuple[str, str]] = attrs.field(
        factory=frozenset[tuple[str, str]], repr=False, eq=False, metadata={"hidden": True}
    )

    def plugins(self) -> tuple[InstalledPlugin, ...]:
        """The plugins in use, each once, sorted by kind and name."""
        entries = {entry.key: entry for entry in self.used.values()}
        return tuple(entries[key] for key in sorted(entries))

    def provenance(self) -> list[dict[str, Any]]:
        """The provenance of each plugin in use, each once, sorted by kind and name."""
        return [provenance_of(entry) for entry in self.plugins()]


@attrs.frozen
class MadeGames:
    """Games built before the rest of their benchmark is known; ``used`` are their plugins, by path."""

    entries: Mapping[str, GameEntry]
    used: Mapping[Path, InstalledPlugin]

    def take(self, structuring: Structurer, _raw: Any) -> Mapping[str, GameEntry]:
        """Use these games instead of building those that the plain data describes."""
        structuring.used.update(self.used)
        return self.entries


def load_benchmark(
    source: Source | Mapping[str, Any],
    *,
    overrides: Iterable[str] = (),
    agents_file: Source | None = None,
    games: Iterable[str] = (),
    agents: Iterable[str] = (),
    catalog: Catalog | None = None,
    trust_code: bool = False,
    trust_pickle: bool = False,
    trust_paths: bool = False,
) -> Benchmark:
    """Read a file, ``suite:NAME`` or plain data, compose it and check it, without playing or reaching a model.

    ``overrides`` are ``path=value``, ``agents_file`` replaces the benchmark's agents by its own, ``games`` and
    ``agents`` keep those of a name or tag. If it names no metrics, the default ones are added. ``trust_code``,
    ``trust_pickle`` and ``trust_paths`` consent to run the code that the data names, to read its pickles, and to write
    files outside of its folder or send them to models. ``ConfigError`` lists every mistake with its path, and with file
    and line if it comes from a file; ``PluginError`` says why a suite cannot be used.
    """
    catalog = catalog or Catalog()
    with trusting(paths=trust_paths):
        composed = compose(
            read(source, catalog),
            catalog,
            overrides=overrides,
            agents_file=agents_file,
            games=games,
            agents=agents,
            fills_in_metrics=True,
        )
        return build_benchmark(composed, catalog, trust_code=trust_code, trust_pickle=trust_pickle)


def build_benchmark(
    plain: Mapping[str, Any] | Composed,
    catalog: Catalog | None = None,
    *,
    made: MadeGames | None = None,
    trust_code: bool = False,
    trust_pickle: bool = False,
    is_recorded: bool = False,
) -> Benchmark:
    """Build a benchmark from plain data alone, without adding default metrics.

    The data may hold all that a file may. Games that are ``made`` already are not made again. Consent and mistakes are
    as in ``load_benchmark``. Data that ``is_recorded`` comes from a journal.
    """
    with trusting(code=trust_code, pickle=trust_pickle):
        catalog = catalog or Catalog()
        composed = (
            plain if isinstance(plain, Composed) else compose(inline_document(plain, is_recorded=is_recorded), catalog)
        )
        return _built(composed, catalog, made)


def _built(composed: Composed, catalog: Catalog, made: MadeGames | None) -> Benchmark:
    built, problems = attempt(composed, catalog, made)
    if built is None or problems:
        raise composed.report(problems)
    return built


def attempt(
    composed: Composed, catalog: Catalog, made: MadeGames | None = None
) -> tuple[Benchmark | None, list[BenchmarkProblem]]:
    """Build a benchmark as far as it goes, and tell every mistake; ``None`` where a part of it cannot be built."""
    hooks = HOOKS if made is None else {**HOOKS, _GAMES: made.take}
    known = {Benchmark: KEYS}
    with beside(composed.folder), within(composed.folders):
        catalog = catalog.without(composed.disabled)
        structuring = Structurer(catalog, hooks, known, is_recorded=composed.is_recorded, typed=composed.typed)
        benchmark = structuring.value({k: v for k, v in composed.data.items() if k != "disable"}, Benchmark)
    if benchmark is INVALID:
        return None, structuring.problems
    made_of = cast("Benchmark", benchmark)
    built = attrs.evolve(
        made_of,
        plain=consenting(composed.data, made_of.games) if composed.is_recorded else composed.data,
        used=structuring.used,
        trust=given_trust(),
        places=tuple(structuring.places),
        unpaired=frozenset() if composed.is_recorded else unpaired_seats(made_of.games, made_of.agents),
    )
    return built, list(_unplayable(built))


def make_games(games: Mapping[str, Any], catalog: Catalog) -> MadeGames:
    """Build the table ``games`` of a benchmark alone, for callers that derive the rest from the games."""
    structuring = Structurer(catalog, HOOKS)
    entries = structuring.at("games", games, _GAMES)
    if structuring.problems:
        raise ConfigError(map(str, structuring.problems))
    return MadeGames(entries, structuring.used)


def _unplayable(benchmark: Benchmark) -> Iterable[BenchmarkProblem]:
    """The reasons why the parts of a benchmark, each valid alone, do not fit together."""
    try:
        met = meetings(benchmark)
    except ConfigError as error:
        return map(BenchmarkProblem.parse, error.problems)
    owners = {("agents", name): entry.agent for name, entry in benchmark.agents.items()}
    owners |= {("metrics", name): metric for name, metric in benchmark.metrics.items()}
    unfit = misfits(benchmark.games, benchmark.agents, benchmark.used, met, resample_hidden=benchmark.resample_hidden)
    agents = {name: entry.agent for name, entry in benchmark.agents.items()}
    unfit = [*unfit, *unreachable(agents, benchmark.executor)]
    return [*unfit, *unpriced(owners, benchmark.limits), *unbounded(owners, benchmark.limits)]


@attrs.frozen(kw_only=True)
class CheckedBenchmark:
    """What came of the plain data of a benchmark: the ``benchmark``, or the ``problems`` that keep it from being one.

    Paths are as they are written in the data, and the texts are those of ``load_benchmark``.
    """

    benchmark: Benchmark | None = None
    problems: tuple[BenchmarkProblem, ...] = ()


def check_benchmark(plain: Mapping[str, Any], catalog: Catalog) -> CheckedBenchmark:
    """Compose and build a benchmark as ``load_benchmark`` does, and tell every mistake; raises nothing for those."""
    try:
        composed = compose(inline_document(plain), catalog, fills_in_metrics=True)
    except ConfigError as error:
        return CheckedBenchmark(problems=tuple(map(BenchmarkProblem.parse, error.problems)))
    except PluginError as error:
        return CheckedBenchmark(problems=(BenchmarkProblem(("extends",), str(error)),))
    built, problems = attempt(composed, catalog)
    if problems or built is None:
        return CheckedBenchmark(problems=tuple(dict.fromkeys(map(composed.as_written, problems))))
    return CheckedBenchmark(benchmark=built)
