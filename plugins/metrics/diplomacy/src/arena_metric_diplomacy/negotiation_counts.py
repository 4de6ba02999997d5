"""Counts what an annotator said of messages, proposals and rounds of talk, and divides it into measures.

The measures are those of SPIN-Bench (Yao et al. 2025, appendix B.4.2). What the paper leaves open is ours: a proposal
is accepted if neither the recipient's words nor its orders are against it, and one of them is for it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, TypeAlias

import attrs
from arena.metric import MeasurementRow
from arena.tables import Estimate
from arena_metric_judge.scores import SCORED
from arena_metric_statistics.resampling import ratio_of_sums

from arena_metric_diplomacy.grouping import blocks, detail

Accepted: TypeAlias = Literal["yes", "no", "unclear"]


@attrs.define
class NegotiationCounts:
    """What one player's messages of a match were annotated as.

    ``messages`` counts each once, however many recipients it has; ``strategy`` those written under a declared one.
    ``listeners`` are recipients in a round, of which some were called to peace and some to conflict. Acceptance is
    counted by words, by orders, by both, and by either of them; what is unclear is in neither of the two numbers.
    """

    messages: int = 0
    strategy: int = 0
    aligned: int = 0
    perspective: int = 0
    proposals: int = 0
    mutual: int = 0
    one_sided: int = 0
    accepted: int = 0
    declined: int = 0
    words: int = 0
    words_against: int = 0
    orders: int = 0
    orders_against: int = 0
    either: int = 0
    neither: int = 0
    listeners: int = 0
    peace: int = 0
    conflict: int = 0
    rounds: int = 0
    conditional: int = 0

    def add(self, dimension: str, value: Any) -> None:
        """Count the annotation of one message, recipient or round."""
        match dimension, value:
            case "aligned", _:
                self.strategy += 1
                self.aligned += bool(value)
            case "perspective", _:
                self.messages += 1
                self.perspective += bool(value)
            case "tone", _:
                self.listeners += 1
                self.peace += value == "promote"
                self.conflict += value == "provoke"
            case "conditional", _:
                self.rounds += 1
                self.conditional += bool(value)
            case "nature", _:
                self.proposals += 1
                self.mutual += value == "mutual"
                self.one_sided += value == "one-sided"
            case _:
                pass

    def add_acceptance(self, words: str, orders: str) -> None:
        """Count the acceptance of one proposal."""
        self.words += words == "yes"
        self.words_against += words == "no"
        self.orders += orders == "yes"
        self.orders_against += orders == "no"
        both, either = accepted(words, orders), accepted_by_either(words, orders)
        self.accepted += both == "yes"
        self.declined += both == "no"
        self.either += either == "yes"
        self.neither += either == "no"


QUESTIONS: Final = "questions"
"""The name of the measurement per player: how many questions there are to ask about what it wrote."""

MEASURES: Final = {
    "AlignR": ("aligned", ("strategy",)),
    "AcceptR": ("accepted", ("accepted", "declined")),
    "Mut:1S": ("mutual", ("one_sided",)),
    "P:C": ("peace", ("conflict",)),
    "Persp.": ("perspective", ("messages",)),
    "Cond.": ("conditional", ("rounds",)),
}
"""The six measures by their names in the paper: what is divided by the sum of what."""

ACCEPTANCE: Final = {
    "AcceptR": MEASURES["AcceptR"],
    "by words": ("words", ("words", "words_against")),
    "by orders": ("orders", ("orders", "orders_against")),
    "by either": ("either", ("either", "neither")),
}
"""The ways to count what was accepted."""


def accepted(words: str, orders: str) -> Accepted:
    """Whether a proposal was accepted: nothing is against it, and words or orders are for it.

    ``words`` are ``yes``, ``no`` or ``unclear``, ``orders`` are ``yes``, ``no`` or ``none`` if it asks for none.
    """
    said = (words, orders)
    return "no" if "no" in said else "yes" if "yes" in said else "unclear"


def accepted_by_either(words: str, orders: str) -> Accepted:
    """Whether words or orders accept a proposal, whatever the other of them says; the paper lets either do."""
    said = (words, orders)
    return "yes" if "yes" in said else "no" if "no" in said else "unclear"


@attrs.frozen
class PlayerCounts:
    """The counts of one player in one match, with a row that says whose they are."""

    row: MeasurementRow
    counts: NegotiationCounts


def counted(rows: Iterable[MeasurementRow]) -> list[PlayerCounts]:
    """The counts of each player in each match, in the order of the rows; ``rows`` are of one version of a rubric.

    Players about whom there are no questions have counts, too, all of which are 0.
    """
    found: dict[tuple[str, Any], PlayerCounts] = {}
    told: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        if row.name not in (QUESTIONS, SCORED):
            continue
        own = found.setdefault((row.match, row.player), PlayerCounts(row, NegotiationCounts()))
        if row.name == SCORED:
            about = detail(row)
            own.counts.add(about["dimension"], row.value)
            place = (row.match, row.player, about["round"], about["party"], about["item"])
            told.setdefault(place, {})[about["dimension"]] = row.value
    for (match, player, *_), values in told.items():
        if "words" in values:
            found[match, player].counts.add_acceptance(values["words"], values["orders"])
    return list(found.values())


def measure(own: Sequence[PlayerCounts], name: str, level: float, seed: int) -> Estimate:
    """One of the measures over all matches of an agent: sums first, with an interval by resampling matches."""
    top, bottom = {**MEASURES, **ACCEPTANCE}[name]
    return ratio_of_sums(
        [getattr(each.counts, top) for each in own],
        [sum(getattr(each.counts, part) for part in bottom) for each in own],
        clusters=blocks(each.row for each in own),
        level=level,
        seed=seed,
    )
