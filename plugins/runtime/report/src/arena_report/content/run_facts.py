"""The report's sections about the runs: how they were made, what they cost, who played, the baselines."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import attrs
from arena.metric import Baseline, UnfinishedMatch
from arena.record import JSON, Ending, MatchRecord, canonical_json
from arena.tables import Cell, Column, Estimate, Section, Table
from arena_engine import Journal, unswept_name
from arena_engine.journal import Header, ModelVersion, UsageTotals
from arena_metric_statistics.means import normal

if TYPE_CHECKING:
    from arena_report.metrics.runs import ReportedRun

COMMAND: Final = "command"
"""The journal's metadata key for the command that played the run, without values that may be secret."""


SECONDS: Final = "seconds"
"""The journal's metadata key for the duration of each attempt, in seconds."""


def played_s(journal: Journal) -> list[float]:
    """Seconds played by each attempt at a run; attempts whose process was killed are missing."""
    return [float(seconds) for seconds in cast("list[float]", journal.metadata(SECONDS) or [])]


def made_by(run: "ReportedRun") -> str:
    """The command, the seed and the version of Arena: ``arena run three.yaml (seed 3) with arena 0.1.0``."""
    header = run.journal.header
    command = run.journal.metadata(COMMAND)
    what = command if isinstance(command, str) else run.label
    version = next((str(entry.get("version")) for entry in header.provenance if entry.get("kind") == "core"), "")
    return f"{what} (seed {header.seed}) with arena {version or header.core}"


UNKNOWN = "unknown"

REFERENCES = "What random and optimal play earn"
"""The title of the table of what random and optimal play earn."""

MOST_MISSING = 100
"""The most matches without a result that are listed one by one."""

LONGEST_SETTING = 300
"""The most characters of one value that are shown of a backend; the report's ``settings`` hold it whole."""

MOST_VARIANTS = 40
"""The most games that a sweep made of one whose references are listed one by one."""


@attrs.define(eq=False, kw_only=True)
class Completeness:
    """How far one run got, counted match by match.

    ``repaired`` matches had lost answers when a damage was mended; of ``watched`` ones, by their ids, the host saw all
    while somebody outside played.
    """

    label: str
    header: Header
    totals: UsageTotals
    answering: Sequence[ModelVersion]
    planned: int
    repaired: int = 0
    watched: frozenset[str] = frozenset()
    endings: Counter[Ending] = attrs.field(factory=Counter[Ending])
    turns: int = 0
    substitutes: int = 0

    def add(self, match: MatchRecord) -> None:
        """Count a match that has ended."""
        self.endings[match.ending] += 1
        if match.ending.is_result:
            for _, source, kind, _, told, _ in match.events:
                if source == "referee" and kind == "played":
                    data: Any = told
                    self.turns += 1
                    self.substitutes += data["by"] != "agent"

    @property
    def results(self) -> int:
        """How many matches have a result."""
        return sum(n for ending, n in self.endings.items() if ending.is_result)


def facts(
    runs: Sequence[Completeness], missing: Sequence[UnfinishedMatch], found: Mapping[str, Baseline]
) -> tuple[Section, ...]:
    """The sections about the runs, in the order of the report."""
    tables = (_played(runs), _used(runs), *_absent(missing))
    sections = [Section(title="Runs", tables=tables)]
    if found:
        sections.append(Section(title="References", tables=(_references(found),)))
    sections.append(Section(title="Plugins and models", tables=(_plugins(runs), *_models(runs))))
    return tuple(sections)


def without_rules(games: Iterable[str]) -> list[str]:
    """A sentence about the games whose rules do not explain them, by their names; none without such games."""
    names = sorted(games)
    return [f"rules: none in {', '.join(names)}; models are not told how to play"] if names else []


def doubts(runs: Sequence[Completeness]) -> list[str]:
    """Sentences about models whose version changed during a run, and about matches that the host saw all of."""
    notes: list[str] = []
    for run in runs:
        by_backend: dict[str, list[str]] = {}
        for found in run.answering:
            by_backend.setdefault(found.backend, []).append(" ".join(filter(None, (found.model, found.fingerprint))))
        for models in by_backend.values():
            if len(models) > 1:
                notes.append(f"run {run.label!r}: a model changed during the run ({', '.join(models)})")
        if run.watched:
            whose = "1 match" if len(run.watched) == 1 else f"{len(run.watched):,} matches"
            notes.append(f"run {run.label!r}: the host saw all of {whose} while somebody outside played")
    return notes


def _played(runs: Sequence[Completeness]) -> Table:
    names = ("planned", "with a result", "failed", "infrastructure", "cancelled", "not played")
    columns = (*_text("run", "seed", "started"), *_counts(*names))
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        ends = run.endings
        failed, broken = ends[Ending.FAILED], ends[Ending.INFRASTRUCTURE_FAILURE]
        left = run.planned - sum(ends.values())
        counts = (run.planned, run.results, failed, broken, ends[Ending.CANCELLED], left)
        rows.append((run.label, str(run.header.seed), run.header.created, *counts))
    note = "Failed matches and those lost to infrastructure have no result and are in no rate; resuming plays them."
    if repaired := sum(run.repaired for run in runs):
        whose = "1 match" if repaired == 1 else f"{repaired:,} matches"
        note += f" Answers of {whose} were lost to damage of the journal and given again."
    return Table(title="Matches", columns=columns, rows=tuple(rows), note=note)


def _used(runs: Sequence[Completeness]) -> Table:
    names = ("turns", "substituted actions", "calls", "prompt tokens", "completion tokens", "calls without a price")
    has_cached = any(run.totals.cached_calls for run in runs)
    columns = (
        *_text("run"),
        *_counts(*names, *["calls from the cache"] * has_cached),
        Column(name="cost", title="cost", style="money"),
    )
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        totals = run.totals
        # No prompt is empty: a sum of zero tokens means that the backend did not count them.
        tokens = (totals.prompt_tokens, totals.completion_tokens)
        counts = (totals.calls, *([UNKNOWN] * 2 if totals.calls and not tokens[0] else tokens), totals.unpriced_calls)
        cost = UNKNOWN if totals.calls and totals.unpriced_calls == totals.calls else totals.cost_usd
        cached = (totals.cached_calls,) if has_cached else ()
        rows.append((run.label, run.turns, run.substitutes, *counts, *cached, cost))
    note = "A substituted action was put in by the policy for illegal actions; no agent meant it."
    if estimated := sum(run.totals.estimated_calls for run in runs):
        calls = sum(run.totals.calls for run in runs)
        note += f" The tokens of {estimated:,} of {calls:,} calls are estimates from above."
    if larger := sum(run.totals.larger_calls for run in runs):
        calls = sum(run.totals.calls for run in runs)
        note += (
            f" In {larger:,} of {calls:,} calls the provider's total was not the sum of its parts: the larger counts."
        )
    return Table(title="Use", columns=columns, rows=tuple(rows), note=note)


def _absent(missing: Sequence[UnfinishedMatch]) -> tuple[Table, ...]:
    if not missing:
        return ()
    rows = tuple((m.match, str(m.ending or "not played"), m.reason) for m in missing[:MOST_MISSING])
    more = len(missing) - len(rows)
    note = f"{more} more are not listed." if more else ""
    columns = _text("match", "ending", "reason")
    return (Table(title="Matches without a result", columns=columns, rows=rows, note=note),)


def _references(found: Mapping[str, Baseline]) -> Table:
    are_stated = any(ref.random_source for ref in found.values())
    columns = (
        *_text("game", "kind", "seat"),
        Column(name="random", title="random play earns", style="number", unit="points of return"),
        Column(name="optimal", title="optimal play earns", style="number", unit="points of return"),
        *_text("source of the optimal value", *["source of the random value"] * are_stated),
    )
    rows: list[tuple[Cell, ...]] = []
    variants = Counter(map(unswept_name, found))
    left_out = {name: number for name, number in variants.items() if number > MOST_VARIANTS}
    for game, ref in found.items():
        for p in () if unswept_name(game) in left_out else range(ref.players):
            best = ref.optimal[p] if ref.optimal else None
            random = random_return(ref, p) if ref.random else None
            sources = (ref.optimal_source, *[ref.random_source or "random matches"] * are_stated)
            rows.append((game, ref.returns, ref.seat(p), random, best, *sources))
    told = "".join(f" The {number:,} variants of {name!r} are left out." for name, number in left_out.items())
    note = f"Random play is uniform over legal actions, by all players; optimal play is by all players too.{told}"
    return Table(title=REFERENCES, columns=columns, rows=tuple(rows), note=note)


def random_return(reference: Baseline, player: int, level: float = 0.95) -> Estimate | float:
    """The mean return of random play in one seat, with its confidence interval unless it is exact."""
    value, error = reference.random[player], reference.random_errors[player]
    if not reference.random_n:
        return value
    bounds = reference.min_return, reference.max_return
    return normal(value, error, reference.random_n, level=level, bounds=bounds, unit="playouts")


def _plugins(runs: Sequence[Completeness]) -> Table:
    columns = _text("run", "kind", "name", "distribution", "version", "commit")
    rows: list[tuple[Cell, ...]] = []
    machines: list[str] = []
    for run in runs:
        header = run.header
        rows.append((run.label, "core", "arena", "playarena-core", header.core, ""))
        machines.append(f"{run.label}: Python {header.python} on {header.platform}")
        for plugin in header.provenance:
            commit = f"{str(plugin.get('commit') or '')[:12]}{' (editable)' if plugin.get('editable') else ''}".strip()
            rows.append((run.label, *(str(plugin.get(k, "")) for k in ("kind", "name", "dist", "version")), commit))
    return Table(title="Plugins", columns=columns, rows=tuple(rows), note="; ".join(machines))


def _models(runs: Sequence[Completeness]) -> tuple[Table, ...]:
    rows = tuple(
        (run.label, a.model, a.fingerprint or "", a.calls, _brief(a.backend)) for run in runs for a in run.answering
    )
    columns = (*_text("run", "model", "fingerprint"), *_counts("calls"), *_text("backend"))
    return (Table(title="Models", columns=columns, rows=rows, note=_untold(runs)),) if rows else ()


def _untold(runs: Sequence[Completeness]) -> str:
    """How many answers ended with a word that nobody knows, as a sentence; empty if there are none."""
    words = sum((Counter(answering.untold) for run in runs for answering in run.answering), Counter[str]())
    if not words:
        return ""
    named = ", ".join(f"{word or 'nothing'} ({number:,})" for word, number in sorted(words.items()))
    return (
        f"Of {words.total():,} answers nobody knows whether they are whole, and they were read only if they are by "
        f"their form; the server said of their end: {named}."
    )


def _brief(backend: str) -> str:
    """A backend as it is in the journal, its long values cut, such as all that a scripted one says."""
    try:
        settings: Any = json.loads(backend)
    except ValueError:
        return backend
    return canonical_json({key: _shortened(value) for key, value in settings.items()})


def _shortened(value: JSON) -> JSON:
    text = value if isinstance(value, str) else canonical_json(value)
    if len(text) <= LONGEST_SETTING:
        return value
    if isinstance(value, str):
        return f"{text[:LONGEST_SETTING]}… ({len(text):,} characters)"
    return f"{len(cast('list[JSON]', value)):,} entries, {len(text):,} characters"


def _text(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name, title=name) for name in names)


def _counts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name, title=name, style="count") for name in names)
