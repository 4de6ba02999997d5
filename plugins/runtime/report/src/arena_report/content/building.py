"""Builds a report from the journals of one or several runs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.game import Game
from arena.metric import Baseline, FinishedMatch, Measurements, Metric, UnfinishedMatch
from arena.record import MatchPlan, canonical_json
from arena.tables import Figure, Section
from arena_engine import (
    OF_PROMPTS,
    Benchmark,
    Journal,
    RecordedGame,
    RecordedParts,
    configurations_of,
    open_parts,
    recorded_games,
    watched_outside,
)
from arena_engine.benchmark import recorded_plain
from arena_engine.execution import collecting_less
from arena_engine.references import SECONDS, Playouts, baseline_of

from arena_report.content.contract import NO_SCENES, MatchView, Report
from arena_report.content.factors import factors_of
from arena_report.content.forecast_table import estimates
from arena_report.content.judging import VerdictInput
from arena_report.content.matches import BoardDrawings, view
from arena_report.content.run_facts import Completeness, doubts, facts, made_by, without_rules
from arena_report.metrics.baselines import GameOfRun, ReturnsSeen, Waiting, baselines_of
from arena_report.metrics.choosing import (
    ReportInput,
    make_metrics as make_metrics,
    metrics_of,
    metrics_of_every_report,
    wanted_metrics,
)
from arena_report.metrics.kept_measurements import KeptMeasurements
from arena_report.metrics.measured_rows import MeasuredMatches
from arena_report.metrics.measuring import MetricRun, in_order, judgements
from arena_report.metrics.runs import ReportedRun, forms_of, merge, report_variants


def with_own_titles(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections, in which a figure whose title another has already names its section as well, or else a number."""
    taken: set[str] = set()
    return tuple(
        attrs.evolve(section, figures=tuple(_own(figure, section.title, taken) for figure in section.figures))
        for section in sections
    )


def _own(figure: Figure, section: str, taken: set[str]) -> Figure:
    title, number = figure.title, 1
    while title in taken:
        title = f"{figure.title} ({section})" if number == 1 else f"{figure.title} ({section}, {number})"
        number += 1
    taken.add(title)
    return figure if title == figure.title else attrs.evolve(figure, title=title)


Forfeits = Literal["with", "without", "both"]

LISTED = 2_000
"""The most matches that a report lists."""

FULL = 200
"""The most matches that a report shows move by move."""

BOARDS = 400
"""The most pictures of positions in a report of a format that shows them."""


def build(
    journals: Sequence[Journal],
    metrics: Mapping[str, Metric] | None = None,
    catalog: Catalog | None = None,
    *,
    benchmarks: Iterable[Benchmark] = (),
    wanted: Iterable[str] = (),
    forfeits: Forfeits = "both",
    listed: int = LISTED,
    full: int = FULL,
    boards: bool = False,
    seconds: float = SECONDS,
    waiting: Waiting | None = None,
) -> Report:
    """Report one or several runs, finished or not; ``metrics`` replaces those of their benchmarks.

    ``wanted`` names metrics that replace them as well, with the parameters of the benchmarks that have them.
    ``benchmarks`` are those that are built already. Of the others, games and metrics are built from the journals, by
    registered names alone. What cannot be built here (a plugin is no longer installed) is missing, and the report says
    so; what such a game is, and what random play earns in it, is taken from the journals. With ``boards`` the matches
    come with pictures of their positions. ``seconds`` bounds the processor time for random matches that nobody has
    played yet; ``waiting`` tells what takes long. Raises ``ValueError`` without any journal; ``JournalError`` passes
    through.
    """
    catalog = catalog or Catalog()
    built: dict[str, ReportInput] = {canonical_json(benchmark.plain): benchmark for benchmark in benchmarks}
    found = {journal.header.id: _benchmark(journal, built, catalog) for journal in journals}
    if names := tuple(wanted) if metrics is None else ():
        metrics = wanted_metrics(names, found.values(), catalog)
    always = None if metrics is not None else partial(metrics_of_every_report, catalog)
    return assemble(
        journals,
        found,
        metrics,
        always,
        catalog,
        forfeits=forfeits,
        listed=listed,
        full=full,
        boards=boards,
        seconds=seconds,
        waiting=waiting,
    )


def first_sentence(journal: Journal, catalog: Catalog) -> str:
    """Who is better in one run, in the first line of its report; empty where no match has a result."""
    (run,) = merge([journal], lambda _: None)
    found = VerdictInput()
    for _, record, block in run.records():
        if record.ending.is_result:
            found.add(record, block)
    baselines = {name: game.baseline for name, game in recorded_games(journal).items()}
    if not baselines:  # the run was stopped before what its games are was written
        parts = _benchmark(journal, {}, catalog)
        games: Mapping[str, GameOfRun] = {} if isinstance(parts, str) else parts.games
        baselines = {
            name: baseline_of(entry.game.facts(entry.players), entry.game.seats(entry.players), Playouts())
            for name, entry in games.items()
        }
    standings = found.verdict([run], baselines, (), (), level=0.95, factors={})
    return standings.sentences[0] if standings.parts else ""


def _benchmark(journal: Journal, built: dict[str, ReportInput], catalog: Catalog) -> ReportInput | str:
    """The parts of a run's benchmark, built once for all runs that share it, or why they cannot be built."""
    key = canonical_json(recorded_plain(journal))
    try:
        if key not in built:
            built[key] = open_parts(journal, catalog)
    except ArenaError as error:
        return "; ".join(str(error).splitlines())
    return built[key]


def assemble(
    journals: Sequence[Journal],
    benchmarks: Mapping[str, ReportInput | str],
    metrics: Mapping[str, Metric] | None = None,
    always: Callable[[Mapping[str, Metric]], Mapping[str, Metric]] | None = None,
    catalog: Catalog | None = None,
    *,
    forfeits: Forfeits = "both",
    listed: int = LISTED,
    full: int = FULL,
    boards: bool = False,
    seconds: float = SECONDS,
    waiting: Waiting | None = None,
) -> Report:
    """Build a report from benchmarks by their run's id; a text in place of one says why it cannot be built.

    ``always`` creates the metrics that are in every report, except those it is given because they are there already.
    """
    if not journals:
        raise ValueError("a report needs at least one run")
    notes: list[str] = []
    waiting = waiting or Waiting()
    runs = merge(journals, notes.append)
    usable = {run.label: benchmarks[run.journal.header.id] for run in runs}
    for label, benchmark in usable.items():
        if isinstance(benchmark, str):
            notes.append(f"run {label!r}: its benchmark cannot be built here, so it has no references: {benchmark}")
    chosen, lost = metrics_of(runs, usable, metrics)
    chosen |= always(chosen) if always else {}
    chosen = in_order(chosen, runs, catalog)
    notes += _needs(usable, chosen, boards=boards)
    measured = MeasuredMatches()
    measuring = [MetricRun(name, metric, measured) for name, metric in chosen.items()]
    games = _games(runs, usable)
    returns: dict[str, ReturnsSeen] = {}
    drawings = BoardDrawings(games, BOARDS) if boards else None
    found = VerdictInput(has_forfeits=forfeits != "without")
    with collecting_less():
        progress, missing, views, count = _read(
            runs, chosen, measuring, measured, found, games, returns, listed, full, drawings, waiting
        )
    held_against = _references(runs, usable, returns, notes.append, seconds, waiting)
    level = next((b.level for b in usable.values() if not isinstance(b, str)), 0.95)
    seed = runs[0].journal.header.seed
    variants = report_variants(runs)
    table = Measurements(
        rows=(),
        baselines=held_against,
        level=level,
        seed=seed,
        missing=missing,
        forfeits=forfeits,
        games=games,
        forms=forms_of(runs),
        prompts={name: (each.without(OF_PROMPTS).name, each.prompt) for name, each in variants.items() if each.prompt},
    )
    sections = [section for each in measuring for section in each.sections(table)]
    title = " and ".join(run.label for run in runs)
    doubtful = [*doubts(progress), *without_rules(_unexplained(runs, games))]
    return Report(
        title=title,
        headline=found.headline(title, runs, progress),
        verdict=found.verdict(runs, held_against, missing, doubtful, level=level, factors=factors_of(variants)),
        sections=with_own_titles((*sections, *lost, *estimates(runs, progress))),
        facts=facts(progress, missing, held_against),
        notes=(*notes, *doubtful, *(drawings.notes if drawings else ())),
        settings={run.label: run.settings for run in runs},
        configurations={
            run.label: {name: own.digest for name, own in configurations_of(run.journal, "agent", catalog).items()}
            for run in runs
        },
        matches=tuple(views),
        match_count=count,
        failures=tuple(f"metric {each.name!r} is missing: {each.failure}" for each in measuring if each.failure),
        made_by=tuple(map(made_by, runs)),
    )


def _read(
    runs: Sequence[ReportedRun],
    metrics: Mapping[str, Metric],
    measuring: Sequence[MetricRun],
    measured: MeasuredMatches,
    results: VerdictInput,
    games: Mapping[str, Game],
    returns: dict[str, ReturnsSeen],
    listed: int,
    full: int,
    drawings: BoardDrawings | None,
    waiting: Waiting,
) -> tuple[list[Completeness], list[UnfinishedMatch], list[MatchView], int]:
    """Read all matches once, and let every metric measure them."""
    all_progress: list[Completeness] = []
    missing: list[UnfinishedMatch] = []
    views: list[MatchView] = []
    count = 0
    any_wants_calls = any(each.wants_calls for each in measuring)
    for run in runs:
        journal = run.journal
        judged = {name: judgements(run, name, metric) for name, metric in metrics.items()}
        kept = {name: KeptMeasurements(run, metric, games) for name, metric in metrics.items()}
        each_measuring = [(each, judged.get(each.name, {}), kept.get(each.name)) for each in measuring]
        asked = journal.matches_with_answers() if any_wants_calls else frozenset[str]()
        progress = Completeness(
            label=run.label,
            header=journal.header,
            totals=journal.totals(),
            answering=journal.model_versions(),
            repaired=len(journal.repaired),
            watched=watched_outside(journal),
            planned=journal.planned(),
        )
        all_progress.append(progress)
        ended: list[str] = []
        for original, record, block in run.records():
            ended.append(original)
            progress.add(record)
            if len(views) < listed:
                is_full = len(views) < full
                boards, scenes = drawings.shown(record) if drawings and is_full else ((), NO_SCENES)
                views.append(view(record, boards, scenes, is_full=is_full))
            count += 1
            at = progress.endings.total(), progress.planned, run.label
            waiting.say(partial("measuring match {:,} of {:,} of {} …".format, *at))
            if record.ending.is_result:
                place = measured.add(record, block)
                results.add(record, measured.block(place))
                returns.setdefault(record.game, ReturnsSeen()).add(record)
                plain = FinishedMatch(record, games.get(record.game))
                # The measurements of a metric must not depend on which other metrics are in the report.
                with_calls = attrs.evolve(plain, calls=tuple(journal.uses(original))) if original in asked else plain
                for each, judgement, known in each_measuring:
                    each.add(with_calls if each.wants_calls else plain, place, judgement.get(original, ()), known)
            else:
                reason = record.failure.reason if record.failure else ""
                lost = UnfinishedMatch(
                    match=record.id, game=record.game, agents=record.agents, ending=record.ending, reason=reason
                )
                missing.append(lost)
        for each in measuring:
            if each.name in kept and each.failure is None:
                kept[each.name].keep()
        if len(ended) < progress.planned:
            known = set(ended)
            missing += (_unplayed(run.plan(plan)) for plan in journal.iter_plans() if plan.id not in known)
    return all_progress, missing, views, count


def _unplayed(plan: MatchPlan) -> UnfinishedMatch:
    return UnfinishedMatch(match=plan.id, game=plan.game, agents=plan.agents, ending=None)


def _games(runs: Sequence[ReportedRun], usable: Mapping[str, ReportInput | str]) -> dict[str, Game]:
    """The games that can be built here, by their names in the report."""
    found: dict[str, Game] = {}
    for run in runs:
        benchmark = usable[run.label]
        if not isinstance(benchmark, str):
            found |= {run.games.get(name, name): entry.game for name, entry in benchmark.games.items()}
    return found


def _unexplained(runs: Sequence[ReportedRun], games: Mapping[str, Game]) -> set[str]:
    """The games whose rules do not explain them, now or when they were played, by their names in the report."""
    then = {
        run.games.get(name, name)
        for run in runs
        for name, game in recorded_games(run.journal).items()
        if not game.has_rules
    }
    return then | {name for name, game in games.items() if not game.has_rules}


def _needs(usable: Mapping[str, ReportInput | str], metrics: Mapping[str, Metric], *, boards: bool) -> Iterator[str]:
    """Say once for each game that is not here what the report lacks for want of it, and what it takes."""
    missing = dict.fromkeys(
        what for parts in usable.values() if isinstance(parts, RecordedParts) for what in parts.absent.values()
    )
    for what in missing:
        if boards:
            yield f"boards need {what}"
        yield from (f"{name} needs {what}" for name, metric in metrics.items() if metric.needs_game)


def _references(
    runs: Sequence[ReportedRun],
    usable: Mapping[str, ReportInput | str],
    returns: Mapping[str, ReturnsSeen],
    tell: Callable[[str], None],
    seconds: float,
    waiting: Waiting,
) -> dict[str, Baseline]:
    """What random and optimal play earn in each game: from the game, else from a journal, else what returns tell."""
    entries: dict[str, GameOfRun] = {}
    recorded: dict[str, RecordedGame] = {}
    absent: dict[str, str] = {}
    for run in runs:
        benchmark = usable[run.label]
        for name, known in recorded_games(run.journal).items():
            recorded.setdefault(run.games.get(name, name), known)
        if not isinstance(benchmark, str):
            for name, entry in benchmark.games.items():
                entries.setdefault(run.games.get(name, name), entry)
        if isinstance(benchmark, RecordedParts):
            absent |= {run.games.get(name, name): what for name, what in benchmark.absent.items()}
    found = baselines_of(entries, tell, seconds, recorded, waiting)
    for name, seen in returns.items():
        made = recorded[name].baseline if name in recorded else seen.baseline
        if name not in found and made is not None:
            found[name] = made
    for name in returns:
        if name not in entries and not (name in found and found[name].random):
            tell(f"no random reference for {name!r}, since it needs {absent.get(name, 'the game')}")
    return found
