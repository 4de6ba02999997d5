"""Merges several runs into one report: equal agents and games share a name, different ones get different names."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import attrs
from arena.record import JSON, MatchPlan, MatchRecord, canonical_json
from arena.schedule import joined_names
from arena_engine import Journal, Variant, recorded_prompts, variants_of
from arena_engine.benchmark import compared, recorded_plain
from arena_engine.journal import Header


@attrs.frozen(eq=False)
class ReportedRun:
    """One journal with the names that its games and agents have in the report.

    ``label`` names the run, ``settings`` is its benchmark. ``is_alone`` says that
    the report has no other run, so matches keep their ids.
    """

    label: str
    journal: Journal
    settings: Mapping[str, Any]
    games: Mapping[str, str]
    agents: Mapping[str, str]
    is_alone: bool

    def plan(self, plan: MatchPlan) -> MatchPlan:
        """A plan with games and agents under the report's names."""
        if self.is_alone:
            return plan
        agents = tuple(self.agents.get(name, name) for name in plan.agents)
        return attrs.evolve(
            plan,
            id=f"{self.label}: {plan.id}",
            game=self.games.get(plan.game, plan.game),
            agents=agents,
            pairing=joined_names(tuple(sorted(agents))),
        )

    def block(self, plan: MatchPlan) -> str:
        """The rotation block of a match; blocks of two runs are the same only if the runs share their seed."""
        return plan.block if self.is_alone else f"{plan.block}@{self.journal.header.seed}"

    def records(self) -> Iterator[tuple[str, MatchRecord, str]]:
        """Yield matches that have ended: the journal's id, the record under the report's names, and its block."""
        for record in self.journal.records():
            named = record if self.is_alone else attrs.evolve(record, plan=self.plan(record.plan))
            yield record.id, named, self.block(record.plan)


def merge(journals: Sequence[Journal], tell: Callable[[str], None]) -> tuple[ReportedRun, ...]:
    """Name the runs, games and agents; ``tell`` is called with remarks for the reader. A run given twice counts once.

    Agents or games with the same name but different settings get the run's name appended.
    """
    unique = list({journal.header.id: journal for journal in journals}.values())
    if len(unique) < len(journals):
        tell(f"{len(journals)} runs were given, {len(unique)} of them different; each is counted once")
    headers = [journal.header for journal in unique]
    labels = [_label(header, headers) for header in headers]
    settings = [_table(recorded_plain(journal)) for journal in unique]
    games = _names(labels, [_table(plain.get("games")) for plain in settings])
    agents = _names(labels, [_table(plain.get("agents")) for plain in settings])
    for part, names in (("game", games), ("agent", agents)):
        apart = sorted({old for called in names for old, new in called.items() if old != new})
        for name in apart:
            tell(f"{part} {name!r} is configured differently in different runs; the runs' names tell them apart")
    for key in ("illegal_actions", "limits", "reveal_agents", "resample_hidden"):
        if len({canonical_json(plain.get(key)) for plain in settings}) > 1:
            tell(f"the runs differ in {key.replace('_', '-')}: their results were not won under the same conditions")
    is_alone = len(unique) == 1
    return tuple(ReportedRun(*each, is_alone) for each in zip(labels, unique, settings, games, agents, strict=True))


def forms_of(runs: Iterable[ReportedRun]) -> dict[str, tuple[str, ...]]:
    """The forms of observation that the agents are shown, by their names in the report, as the journals say."""
    return {
        run.agents.get(name, name): prompt.forms
        for run in runs
        for name, prompt in recorded_prompts(run.journal).items()
    }


def report_variants(runs: Iterable[ReportedRun]) -> dict[str, Variant]:
    """What the agents of a sweep are variants of, by their names in the report, as the journals say."""
    return {run.agents.get(name, name): variant for run in runs for name, variant in variants_of(run.journal).items()}


def _label(header: Header, headers: Sequence[Header]) -> str:
    is_taken = sum(other.name == header.name for other in headers) > 1
    return f"{header.name} {header.id[:6]}" if is_taken else header.name


def _names(labels: Sequence[str], parts: Sequence[Mapping[str, JSON]]) -> list[dict[str, str]]:
    meanings: dict[str, set[str]] = {}
    for part in parts:
        for name, settings in part.items():
            meanings.setdefault(name, set()).add(canonical_json(compared(settings)))
    return [
        {name: name if len(meanings[name]) == 1 else f"{name} ({label})" for name in part}
        for label, part in zip(labels, parts, strict=True)
    ]


def _table(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
