"""From journals to a report."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, cast

from arena.benchmark import from_plain
from arena.catalog import Catalog, Status
from arena.config import structure
from arena.errors import ArenaError
from arena.game import Game
from arena.journal import Journal
from arena.metric import Metric, Missing, Reference, Section, Table
from arena.report.contract import MatchView, Report
from arena.report.facts import Progress, changes, facts
from arena.report.forecast import estimates
from arena.report.matches import view
from arena.report.measuring import Measuring, failed
from arena.report.references import Entry, references
from arena.report.runs import Run, merge

Forfeits = Literal["with", "without", "both"]

ALWAYS = "always"
"""The capability of metrics that are in every report, whether a benchmark names them or not."""

LISTED = 2_000
"""How many matches a report lists."""

FULL = 200
"""How many of them it tells move by move."""


class Measured(Protocol):
    """What of a benchmark a report needs."""

    @property
    def games(self) -> Mapping[str, Entry]:
        """Games by name."""
        ...

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """What is measured, by name."""
        ...

    @property
    def level(self) -> float:
        """The level of all intervals."""
        ...


def build(
    journals: Sequence[Journal],
    metrics: Mapping[str, Metric] | None = None,
    catalog: Catalog | None = None,
    *,
    forfeits: Forfeits = "both",
    listed: int = LISTED,
    full: int = FULL,
) -> Report:
    """Report one or several runs, finished or not; ``metrics`` takes the place of those in their benchmarks.

    A benchmark that cannot be built here any more (a plugin is gone) costs its references and its own metrics, and the
    report says so. ``ValueError`` without any journal; ``JournalError`` passes.
    """
    catalog = catalog or Catalog()
    found: dict[str, Measured | str] = {}
    for journal in journals:
        try:
            found[journal.header.id] = from_plain(cast("Mapping[str, Any]", journal.header.benchmark), catalog)
        except ArenaError as error:
            found[journal.header.id] = "; ".join(str(error).splitlines())
    always = {} if metrics is not None else _always(catalog)
    return assemble(journals, found, metrics, always, forfeits=forfeits, listed=listed, full=full)


def assemble(
    journals: Sequence[Journal],
    benchmarks: Mapping[str, Measured | str],
    metrics: Mapping[str, Metric] | None = None,
    always: Mapping[str, Metric] | None = None,
    *,
    forfeits: Forfeits = "both",
    listed: int = LISTED,
    full: int = FULL,
) -> Report:
    """The same with benchmarks that are built already, by the run's id; or with the reason why one is not.

    ``always`` are metrics that are in the report whether a benchmark names them or not.
    """
    if not journals:
        raise ValueError("a report needs at least one run")
    notes: list[str] = []
    runs = merge(journals, notes.append)
    usable = {run.label: benchmarks[run.journal.header.id] for run in runs}
    for label, benchmark in usable.items():
        if isinstance(benchmark, str):
            notes.append(f"run {label!r}: its benchmark cannot be built here, so it has no references: {benchmark}")
    chosen, lost = _metrics(runs, usable, metrics)
    chosen |= {
        name: metric for name, metric in (always or {}).items() if type(metric) not in map(type, chosen.values())
    }
    measuring = [Measuring(name, metric) for name, metric in chosen.items()]
    games = _games(runs, usable)
    progress, missing, views, count = _read(runs, chosen, measuring, games, listed, full)
    held_against = _references(runs, usable, notes.append)
    level = next((b.level for b in usable.values() if not isinstance(b, str)), 0.95)
    seed = runs[0].journal.header.seed
    table = Table(
        rows=(), references=held_against, level=level, seed=seed, missing=missing, forfeits=forfeits, games=games
    )
    sections = [section for each in measuring for section in each.sections(table)]
    return Report(
        title=" and ".join(run.label for run in runs),
        sections=(*sections, *lost, *estimates(runs, progress)),
        facts=facts(progress, missing, held_against),
        notes=(*notes, *changes(progress)),
        settings={run.label: run.journal.header.benchmark for run in runs},
        matches=tuple(views),
        match_count=count,
    )


def _always(catalog: Catalog) -> dict[str, Metric]:
    """The usable metrics that belong in every report."""
    plugins = ((e.name, e.plugin) for e in catalog.entries("metric") if e.status is Status.OK)
    names = [name for name, plugin in plugins if plugin and ALWAYS in plugin.capabilities]
    return dict(structure({name: name for name in names}, cast("Any", Mapping[str, Metric]), catalog))


def _metrics(
    runs: Sequence[Run], usable: Mapping[str, Measured | str], metrics: Mapping[str, Metric] | None
) -> tuple[dict[str, Metric], list[Section]]:
    """The metrics to compute, and a section for each one that is asked for and cannot be."""
    if metrics is not None:
        return dict(metrics), []
    chosen: dict[str, Metric] = {}
    lost: dict[str, Section] = {}
    for run in runs:
        benchmark = usable[run.label]
        if isinstance(benchmark, str):
            plain = cast("Any", run.journal.header.benchmark)
            lost |= {name: failed(name, f"run {run.label!r}: {benchmark}") for name in _named(plain.get("metrics"))}
        else:
            chosen = {**benchmark.metrics, **chosen}
    return chosen, [section for name, section in lost.items() if name not in chosen]


def _named(plain: Any) -> list[str]:
    if isinstance(plain, Mapping):
        return [str(name) for name in cast("Mapping[str, Any]", plain)]
    entries = cast("list[Any]", plain or [])
    return [str(cast("Any", entry).get("use") if isinstance(entry, Mapping) else entry) for entry in entries]


def _read(
    runs: Sequence[Run],
    metrics: Mapping[str, Metric],
    measuring: Sequence[Measuring],
    games: Mapping[str, Game],
    listed: int,
    full: int,
) -> tuple[list[Progress], list[Missing], list[MatchView], int]:
    """Go through all matches once."""
    all_progress: list[Progress] = []
    missing: list[Missing] = []
    views: list[MatchView] = []
    count = 0
    look_at_uses = any(each.looks_at_uses for each in measuring)
    for run in runs:
        journal = run.journal
        judged = {name: journal.judged(name) for name in metrics}
        plans = {plan.id: plan for plan in journal.plans()}
        progress = Progress(
            label=run.label,
            header=journal.header,
            totals=journal.totals(),
            answering=journal.answering(),
            planned=len(plans),
        )
        all_progress.append(progress)
        for original, record, block in run.records():
            plans.pop(original, None)
            progress.add(record)
            if len(views) < listed:
                views.append(view(record, is_full=len(views) < full))
            count += 1
            if record.ending.is_result:
                uses = journal.uses(original) if look_at_uses else ()
                for each in measuring:
                    each.add(record, block, judged[each.name].get(original, ()), games.get(record.game), uses)
            else:
                reason = record.failure.reason if record.failure else ""
                lost = Missing(
                    match=record.id, game=record.game, agents=record.agents, ending=record.ending, reason=reason
                )
                missing.append(lost)
        for plan in map(run.plan, plans.values()):
            missing.append(Missing(match=plan.id, game=plan.game, agents=plan.agents, ending=None))
    return all_progress, missing, views, count


def _games(runs: Sequence[Run], usable: Mapping[str, Measured | str]) -> dict[str, Game]:
    """The games that can be built here, by their names in the report."""
    found: dict[str, Game] = {}
    for run in runs:
        benchmark = usable[run.label]
        if not isinstance(benchmark, str):
            found |= {run.games.get(name, name): entry.game for name, entry in benchmark.games.items()}
    return found


def _references(
    runs: Sequence[Run], usable: Mapping[str, Measured | str], tell: Callable[[str], None]
) -> dict[str, Reference]:
    found: dict[str, Reference] = {}
    for run in runs:
        benchmark = usable[run.label]
        if not isinstance(benchmark, str):
            entries = {run.games.get(name, name): entry for name, entry in benchmark.games.items()}
            found |= references({name: entry for name, entry in entries.items() if name not in found}, tell)
    return found
