"""Several runs as one: the same names for the same things, other names for others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from arena.journal import Header, Journal
from arena.record import JSON, MatchPlan, MatchRecord, canonical


@attrs.frozen(eq=False)
class Run:
    """One journal with the names its games and agents have in the report.

    ``label`` names the run. ``is_alone`` says that the report has no other, so that matches keep their ids.
    """

    label: str
    journal: Journal
    games: Mapping[str, str]
    agents: Mapping[str, str]
    is_alone: bool

    def plan(self, plan: MatchPlan) -> MatchPlan:
        """The plan under the report's names."""
        if self.is_alone:
            return plan
        agents = tuple(self.agents.get(name, name) for name in plan.agents)
        return attrs.evolve(
            plan,
            id=f"{self.label}: {plan.id}",
            game=self.games.get(plan.game, plan.game),
            agents=agents,
            pairing=",".join(sorted(agents)),
        )

    def block(self, plan: MatchPlan) -> str:
        """The rotation block; matches of two runs share their deals only if the runs share their seed."""
        return plan.block if self.is_alone else f"{plan.block}@{self.journal.header.seed}"

    def records(self) -> Iterator[tuple[str, MatchRecord, str]]:
        """Matches that have ended: the journal's id, the match under the report's names, its block."""
        for record in self.journal.records():
            yield record.id, attrs.evolve(record, plan=self.plan(record.plan)), self.block(record.plan)


def merge(journals: Sequence[Journal], tell: Callable[[str], None]) -> tuple[Run, ...]:
    """Give everything its name; ``tell`` hears what a reader must know. A run given twice counts once.

    Agents and games that are called alike but configured otherwise get the run's name behind their own.
    """
    unique = list({journal.header.id: journal for journal in journals}.values())
    if len(unique) < len(journals):
        tell(f"{len(journals)} runs were given, {len(unique)} of them different; each is counted once")
    headers = [journal.header for journal in unique]
    labels = [_label(header, headers) for header in headers]
    games = _names(labels, [_part(header, "games") for header in headers])
    agents = _names(labels, [_part(header, "agents") for header in headers])
    for part, names in (("game", games), ("agent", agents)):
        apart = sorted({old for renamed in names for old, new in renamed.items() if old != new})
        for name in apart:
            tell(f"{part} {name!r} is configured differently in different runs; the runs' names tell them apart")
    for key in ("illegal_actions", "limits", "tells_agents", "imagines"):
        if len({canonical(_table(header.benchmark).get(key)) for header in headers}) > 1:
            tell(f"the runs differ in {key.replace('_', '-')}: their results were not won under the same conditions")
    is_alone = len(unique) == 1
    return tuple(Run(*each, is_alone) for each in zip(labels, unique, games, agents, strict=True))


def _label(header: Header, headers: Sequence[Header]) -> str:
    is_taken = sum(other.name == header.name for other in headers) > 1
    return f"{header.name} {header.id[:6]}" if is_taken else header.name


def _names(labels: Sequence[str], parts: Sequence[Mapping[str, JSON]]) -> list[dict[str, str]]:
    meanings: dict[str, set[str]] = {}
    for part in parts:
        for name, settings in part.items():
            meanings.setdefault(name, set()).add(canonical(settings))
    return [
        {name: name if len(meanings[name]) == 1 else f"{name} ({label})" for name in part}
        for label, part in zip(labels, parts, strict=True)
    ]


def _part(header: Header, name: str) -> Mapping[str, JSON]:
    return _table(_table(header.benchmark).get(name))


def _table(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
