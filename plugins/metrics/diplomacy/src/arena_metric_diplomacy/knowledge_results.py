"""Measured reports as values: added up by agent, match and powers, which is what tables are made of."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs
from arena.metric import MeasurementRow
from arena_game_diplomacy.knowledge.truth import FieldScore

from arena_metric_diplomacy.grouping import detail

_ONE_OF_MANY: Final = re.compile(r"\[(?:field|power|number|seed)=[^\]]*\]")
"""What a sweep over questions adds to the name of a game."""


@attrs.frozen(kw_only=True)
class KnowledgeResult:
    """The reports of one agent in one match from one seat, added up.

    ``powers`` are those of the seat, or the one that a question is about. ``unit`` names what is independent: matches
    that share their deals, or that ask about the same position, are not.
    """

    game: str
    agent: str
    powers: str
    match: str
    unit: str
    is_question: bool
    reports: int
    missing: int
    scores: Mapping[str, FieldScore]
    random: Mapping[str, FieldScore]


def knowledge_results(rows: Iterable[MeasurementRow]) -> list[KnowledgeResult]:
    """The results of measured reports, sorted; games that a sweep over questions made of one are taken together."""
    found: dict[tuple[str, ...], list[MeasurementRow]] = {}
    for row in rows:
        question = detail(row)["question"]
        powers = detail(row)["powers"][0] if question else str(row.seat)
        key = (_ONE_OF_MANY.sub("", row.game), str(row.agent), powers, row.match, question or row.block)
        found.setdefault(key, []).append(row)
    return [
        KnowledgeResult(
            game=game,
            agent=agent,
            powers=powers,
            match=match,
            unit=unit,
            is_question=bool(detail(own[0])["question"]),
            reports=len(own),
            missing=sum(detail(row)["is_missing"] for row in own),
            scores=_added(detail(row)["scores"] for row in own),
            random=_added(detail(row)["random"] for row in own),
        )
        for (game, agent, powers, match, unit), own in sorted(found.items())
    ]


def _added(scores: Iterable[Mapping[str, Sequence[int]]]) -> dict[str, FieldScore]:
    total: dict[str, FieldScore] = {}
    for each in scores:
        for field, tally in each.items():
            total[field] = total.get(field, FieldScore()) + FieldScore(*tally)
    return total
