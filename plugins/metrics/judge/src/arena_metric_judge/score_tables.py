"""Tables of the judges' scores."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import attrs
from arena.metric import MeasurementRow
from arena.tables import Cell, Estimate, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import np
from arena_metric_statistics.proportions import share
from arena_metric_statistics.tallies import jackknife

from arena_metric_judge import agreement
from arena_metric_judge.dimension import Dimension
from arena_metric_judge.ratings import Ratings, agreements
from arena_metric_judge.scores import JudgeScores, detail, of_dimension, per_match, subject_key


@attrs.frozen(kw_only=True)
class Contrast:
    """The scores of winners and losers in one dimension of a game; ``matches`` are those that have both.

    ``within`` is the mean difference within matches, ``relative`` (winners - losers) / losers of the means.
    """

    game: str
    dimension: Dimension
    matches: int
    winners: Estimate
    losers: Estimate
    within: Estimate
    relative: Estimate | None


def tables(scores: JudgeScores) -> Iterator[Table]:
    """All tables that have rows, in the order of the report."""
    yield _by_agent(scores)
    yield _answers(scores)
    for made in (_winners(scores), _strata(scores), _repeated(scores)):
        if made.rows:
            yield made


def _by_agent(scores: JudgeScores) -> Table:
    columns = (*text("game", "agent", "dimension"), *counts("scores"), *numbers("mean"))
    whole = f"(the {scores.rubric.per})"
    groups = scores.groups(lambda row: (row.game, row.agent if scores.is_of_players else whole))
    rows = [
        (*key, d.title, len(of_dimension(own, d)), scores.mean(own, d))
        for key, own in groups.items()
        for d in scores.dimensions
    ]
    return Table(
        title=f"Scores: {scores.rubric.name}",
        columns=columns,
        rows=tuple(rows),
        note="True counts as 1, so that the mean of a true or false dimension is the share of what is true.",
    )


def _answers(scores: JudgeScores) -> Table:
    columns = (*text("game"), *counts("questions"), *numbers("completions a question"), *shares("unreadable"))
    lines: list[tuple[Cell, ...]] = []
    why = scores.rubric.justification
    for game in sorted({row.game for row in scores.asked}):
        own = [row for row in scores.asked if row.game == game]
        blocks = [row.block for row in own]
        tries = mean([detail(row)["tries"] for row in own], clusters=blocks, level=scores.level, bounds=(1.0, None))
        lost = share([not row.value for row in own], clusters=blocks, level=scores.level)
        lines.append((game, len(own), tries, lost))
    return Table(
        title="Answers of the judge",
        columns=columns,
        rows=tuple(lines),
        note=(
            f"Unreadable: no answer with every score in its range{' and a justification' if why else ''}, after all "
            f"tries.{refused_as(scores.asked)}"
        ),
    )


def refused_as(asked: Sequence[MeasurementRow]) -> str:
    """A sentence on how often the last answers to questions were refused for which reason; empty if none was."""
    kinds = Counter(kind for row in asked if (kind := detail(row).get("kind")))
    return f" Refused as {', '.join(f'{kind}: {kinds[kind]:,}' for kind in sorted(kinds))}." if kinds else ""


def _winners(scores: JudgeScores) -> Table:
    """Scores of winners against losers, from matches that have both."""
    columns = (
        *text("game", "dimension"),
        *counts("matches"),
        *numbers("winners", "losers", "difference within matches"),
        *shares("relative difference"),
    )
    lines: list[tuple[Cell, ...]] = [
        (each.game, each.dimension.title, each.matches, each.winners, each.losers, each.within, each.relative)
        for each in contrasts(scores)
    ]
    return Table(
        title="Winners and losers",
        columns=columns,
        rows=tuple(lines),
        note=(
            "Winners earned the most in their match; matches in which all earned the same are left out. The relative "
            "difference is (winners - losers) / losers of the means, with an interval by the jackknife over blocks of "
            "matches that share deals; it has no value where losers have 0."
        ),
    )


def contrasts(scores: JudgeScores) -> Iterator[Contrast]:
    """Winners against losers by game and dimension, from matches that have both."""
    for (game,), own in scores.groups(lambda row: (row.game,)).items():
        decided = [row for row in own if detail(row)["won"] is not None]
        for d in scores.dimensions:
            rows = of_dimension(decided, d)
            won = [row for row in rows if detail(row)["won"]]
            lost = [row for row in rows if not detail(row)["won"]]
            both = {row.match for row in won} & {row.match for row in lost}
            won = [row for row in won if row.match in both]
            lost = [row for row in lost if row.match in both]
            if both:
                yield Contrast(
                    game=game,
                    dimension=d,
                    matches=len(both),
                    winners=scores.mean(won, d),
                    losers=scores.mean(lost, d),
                    within=_within(won, lost, scores.level, d.high - d.low),
                    relative=_relative(won, lost, scores.level),
                )


def _within(won: list[MeasurementRow], lost: list[MeasurementRow], level: float, width: float) -> Estimate:
    values: list[float] = []
    blocks: list[str] = []
    for match in dict.fromkeys(row.match for row in won):
        ours = per_match(row for row in won if row.match == match)
        theirs = per_match(row for row in lost if row.match == match)
        values.append(sum(v for v, _ in ours) / len(ours) - sum(v for v, _ in theirs) / len(theirs))
        blocks.append(ours[0][1])
    return mean(values, clusters=blocks, level=level, bounds=(-width, width))


def _relative(won: list[MeasurementRow], lost: list[MeasurementRow], level: float) -> Estimate | None:
    sums: dict[str, list[float]] = {}
    for place, rows in ((0, won), (2, lost)):
        for value, block in per_match(rows):
            cell = sums.setdefault(block, [0.0, 0.0, 0.0, 0.0])
            cell[place] += value
            cell[place + 1] += 1

    def delta(totals: Any) -> float | None:
        if totals[1] < 0.5 or totals[3] < 0.5:
            return None
        ours, theirs = totals[0] / totals[1], totals[2] / totals[3]
        return None if theirs <= 1e-12 else float((ours - theirs) / theirs)

    return jackknife(np.asarray(list(sums.values())), delta, level=level, unit="blocks")


def _strata(scores: JudgeScores) -> Table:
    columns = (*text("game", "persona", "role", "dimension"), *counts("scores"), *numbers("mean"))
    groups = scores.groups(lambda row: (row.game, detail(row)["persona"] or "none", detail(row)["role"] or "any"))
    if all(key[1:] == ("none", "any") for key in groups):
        groups = {}
    rows = [
        (*key, d.title, len(of_dimension(own, d)), scores.mean(own, d))
        for key, own in groups.items()
        for d in scores.dimensions
    ]
    return Table(
        title="Scores by persona and role",
        columns=columns,
        rows=tuple(rows),
        note="Persona and role are what agents write down with their actions.",
    )


def _repeated(scores: JudgeScores) -> Table:
    columns = (*text("dimension"), *agreement.columns())
    samples: dict[int, Ratings] = {}
    for row in scores.answered:
        about = detail(row)
        samples.setdefault(about["sample"], Ratings()).add(subject_key(about, row.match, row.player, row.turn), row)
    blocks = {row.match: row.block for row in scores.answered}
    repeated = combinations((samples[number] for number in sorted(samples)), 2)
    lines = [line for line in agreements(repeated, blocks, scores.rubric, scores.level) if line[1]]
    return Table(
        title="Agreement of repeated judgements",
        columns=columns,
        rows=tuple(lines),
        note=agreement.note(scores.rubric.scored.values()),
    )
