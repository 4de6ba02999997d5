"""Collects what the verdict on runs is made from, while matches are read: results, and what makes them doubtful."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import attrs
from arena.agent import RefusalKind
from arena.metric import Baseline, UnfinishedMatch
from arena.record import Ending, MatchRecord
from arena_standings import Standings, standings_of

from arena_report.content.contests import ContestReader, KeptContests, families_of
from arena_report.content.contract import RunHeadline
from arena_report.content.run_facts import Completeness, played_s
from arena_report.metrics.runs import ReportedRun

RANDOM = "random"
"""The plugin of agents that play at random."""

_COUNTED = frozenset({"played", "refused", "gone"})

MOST_REASONS = 60
"""The most characters of a reason that a doubt repeats."""


@attrs.define(eq=False)
class _AgentCounts:
    """What is counted of one agent's turns."""

    turns: int = 0
    illegal_turns: int = 0
    substitutes: int = 0
    cut_off: int = 0
    too_long: int = 0
    shortened: int = 0


class VerdictInput:
    """Matches that gave returns, and counts of what makes them doubtful, one match at a time.

    Without ``has_forfeits`` matches in which somebody was eliminated by its own refusals are in no comparison.
    """

    def __init__(self, *, has_forfeits: bool = True) -> None:
        self._has_forfeits = has_forfeits
        self._contests = KeptContests()
        self._counts: defaultdict[str, _AgentCounts] = defaultdict(_AgentCounts)
        self._results = ContestReader()
        self._matches = 0
        self._left_out = 0

    def add(self, match: MatchRecord, block: str) -> None:
        """Add a match that has a result."""
        self._matches += 1
        self._count(match)
        if not self._has_forfeits and (match.forfeited or match.ending.is_forfeit):
            self._left_out += 1
            return
        self._contests.add(self._results.contest(match, block))

    def _count(self, match: MatchRecord) -> None:
        refused: set[tuple[int, object]] = set()
        counts = [self._counts[agent] for agent in match.agents]
        for _, source, kind, player, told, _ in match.events:
            if source != "referee" or player is None or kind not in _COUNTED:
                continue
            own, data = counts[player], cast("Mapping[str, Any]", told)
            if kind == "refused":
                refused.add((player, data["turn"]))
                own.cut_off += data["kind"] == RefusalKind.TRUNCATED
                own.too_long += data["kind"] == RefusalKind.TOO_LONG
            elif kind == "played":
                own.turns += 1
                own.substitutes += data["by"] != "agent"
                note = data.get("note")
                if note is not None:
                    own.shortened += isinstance(note, Mapping) and "left-out" in cast("Any", note).values()
            else:
                own.turns += 1
        for player, _ in refused:
            counts[player].illegal_turns += 1

    def verdict(
        self,
        runs: Sequence[ReportedRun],
        baselines: Mapping[str, Baseline],
        missing: Sequence[UnfinishedMatch],
        notes: Iterable[str],
        *,
        level: float,
        factors: Mapping[str, Mapping[str, str]],
    ) -> Standings:
        """Who is better; ``notes`` are further doubts, such as models that changed, ``factors`` those of a sweep."""
        doubts = [*_unfinished(missing), *self._doubts(), *notes]
        known = {game for game, baseline in baselines.items() if baseline.random}
        if lacking := sorted(self._contests.games - known):
            doubts.append(f"random references are missing for {_few(lacking)}")
        return standings_of(
            self._contests,
            self._contests.kinds(baselines),
            random=_at_random(runs),
            level=level,
            families=families_of(sorted(self._contests.games)),
            factors=factors,
            doubts=doubts,
            failure=self._failure(missing),
        )

    def headline(self, title: str, runs: Sequence[ReportedRun], progress: Sequence[Completeness]) -> RunHeadline:
        """What was played, in one line."""
        seconds = [played_s(run.journal) for run in runs]
        totals = [each.totals for each in progress]
        cost = sum(each.cost_usd for each in totals)
        return RunHeadline(
            name=title,
            when=min(run.journal.header.created for run in runs),
            matches=self._matches,
            planned=sum(each.planned for each in progress),
            seconds=sum(map(sum, seconds)) if all(seconds) else None,
            turns=sum(each.turns for each in self._counts.values()),
            illegal_turns=sum(each.illegal_turns for each in self._counts.values()),
            models=tuple(dict.fromkeys(model.model for each in progress for model in each.answering)),
            cost_usd=cost if cost > 0 else None,
        )

    def _doubts(self) -> Iterator[str]:
        counts = self._counts
        if self._left_out:
            yield f"{_matches(self._left_out)} that a forfeit decided count nowhere here, as was asked"
        if substitutes := {agent: own.substitutes for agent, own in counts.items() if own.substitutes}:
            yield f"actions put in by the policy for illegal actions: {_of_each(substitutes, counts, 'turns')}"
        if illegal := {agent: own.illegal_turns for agent, own in counts.items() if own.illegal_turns}:
            yield f"illegal answers: {_of_each(illegal, counts, 'turns')}"
        if cut_off := {agent: own.cut_off for agent, own in counts.items() if own.cut_off}:
            yield f"answers cut off: {_of_each(cut_off, counts, None)}"
        if too_long := {agent: own.too_long for agent, own in counts.items() if own.too_long}:
            yield f"prompts longer than the model takes: {_of_each(too_long, counts, None)}"
        if shortened := {agent: own.shortened for agent, own in counts.items() if own.shortened}:
            yield f"prompts that were shortened: {_of_each(shortened, counts, 'turns')}"

    def _failure(self, missing: Sequence[UnfinishedMatch]) -> str:
        """Why no match gave a return, as most matches say."""
        if self._left_out:
            return "all were decided by a forfeit, and such matches were not to count"
        reasons = Counter(each.reason for each in missing if each.reason)
        if reasons:
            return reasons.most_common(1)[0][0]
        if self._matches:
            return "none was decided before it was stopped"
        return "none was played" if missing else "none was planned"


def _unfinished(missing: Sequence[UnfinishedMatch]) -> Iterator[str]:
    """How many matches have no result, by how they ended, with the most frequent reason."""
    by_ending: dict[str, list[UnfinishedMatch]] = defaultdict(list)
    words = {
        Ending.FAILED: "failed",
        Ending.INFRASTRUCTURE_FAILURE: "failed",
        Ending.CANCELLED: "were cancelled",
        None: "are not played yet",
    }
    for each in missing:
        by_ending[words.get(each.ending, "have no result")].append(each)
    for what, own in by_ending.items():
        reasons = Counter((each.game, each.reason) for each in own if each.reason)
        if len(own) == 1:
            what = what.replace("were ", "was ").replace("are ", "is ")
        told = f"{_matches(len(own))} {what}"
        if reasons:
            (game, reason), count = reasons.most_common(1)[0]
            short = reason if len(reason) <= MOST_REASONS else f"{reason[:MOST_REASONS]}…"
            told += f" ({game}: {short}{'' if count == len(own) else ', and others'})"
        yield f"{told}; arena resume RUN plays them {'again' if what == 'failed' else 'on'}"


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count:,} matches"


def _of_each(found: Mapping[str, int], counts: Mapping[str, _AgentCounts], of: str | None) -> str:
    """Each agent with its count, and with the share of its turns where that says more."""
    told: list[str] = []
    for agent, count in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        turns = counts[agent].turns
        share = f" ({100 * count / turns:.0f} % of {turns:,} turns)" if of and turns else ""
        told.append(f"{agent} {count:,}{share}")
    return _few(told)


def _few(names: Sequence[str], most: int = 4) -> str:
    more = len(names) - most
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:most])} and {more} more"


def _at_random(runs: Iterable[ReportedRun]) -> frozenset[str]:
    """The agents that are known to play at random, under the names of the report."""
    found: set[str] = set()
    for run in runs:
        agents = run.settings.get("agents")
        for name, entry in cast("Mapping[str, Any]", agents).items() if isinstance(agents, Mapping) else ():
            use = cast("Any", entry).get("use", name) if isinstance(entry, Mapping) else entry
            if str(use).rpartition(":")[2] == RANDOM:
                found.add(run.agents.get(name, name))
    return frozenset(found)
