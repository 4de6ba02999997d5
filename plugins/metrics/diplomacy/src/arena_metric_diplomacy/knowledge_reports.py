"""Reads from the record of one match what players reported of the positions they were asked about, and scores it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import attrs
from arena.metric import Measurement
from arena.record import JSON, MatchRecord, Player, derive_rng
from arena_game_diplomacy.facts.positions import situation_of
from arena_game_diplomacy.knowledge.truth import (
    FIELDS,
    FieldScore,
    Situation,
    is_missing,
    pooled,
    scored,
    scored_at_random,
)

REPORT: Final = "report"
"""The name of the measurement of one report."""

RANDOM_REPORTS: Final = 5
"""How many random reports stand beside each report; their counts are added up."""


@attrs.frozen(kw_only=True)
class AskedReport:
    """A report that a player was asked for, of one position; ``report`` is ``None`` where it gave none.

    ``question`` names a question of ``diplomacy-facts``, the same in all matches that ask it; it is empty in a match.
    """

    player: Player
    phase: str
    powers: tuple[str, ...]
    fields: tuple[str, ...]
    question: str
    report: Any
    situation: Situation


def asked_reports(record: MatchRecord) -> Iterator[AskedReport]:
    """The reports of a match, in their order.

    What the policy for illegal actions put in is no report of the player's own.
    """
    known: dict[str, Situation] = {}
    put_in: dict[Player, bool] = {}
    for event in record.events:
        data = cast("Any", event.data)
        if event.source == "referee":
            if event.kind == "played" and event.player is not None:
                put_in[event.player] = data["by"] != "agent"
        elif (situation := situation_of(event)) is not None:
            known[situation.position.phase] = situation
        elif event.kind in ("report", "judged") and isinstance(data, Mapping) and data.get("phase") in known:
            player = event.to[0] if event.to else Player(0)
            given = data["report"]
            yield AskedReport(
                player=player,
                phase=data["phase"],
                powers=tuple(data["powers"]),
                fields=tuple(data.get("fields", FIELDS)),
                question=data.get("question", ""),
                report=None if put_in.get(player) or is_missing(given) else given,
                situation=known[data["phase"]],
            )


def measured(record: MatchRecord, *, skip_two_coasts: bool) -> Iterator[Measurement]:
    """One measurement for each report: F1 of all its fields together, with the counts of each and of random reports."""
    for number, asked in enumerate(asked_reports(record)):
        about = asked.situation, asked.powers, asked.fields
        scores = scored(asked.report, *about, skip_two_coasts=skip_two_coasts)
        random = dict.fromkeys(asked.fields, FieldScore())
        rng = derive_rng("diplomacy-knowledge", record.id, number)
        for _ in range(RANDOM_REPORTS):
            for field, score in scored_at_random(rng, *about, skip_two_coasts=skip_two_coasts).items():
                random[field] += score
        detail: dict[str, JSON] = {
            "phase": asked.phase,
            "powers": asked.powers,
            "question": asked.question,
            "is_missing": asked.report is None,
            "scores": _counts(scores),
            "random": _counts(random),
        }
        yield Measurement(name=REPORT, value=pooled(scores).f1, player=asked.player, detail=detail)


def _counts(scores: Mapping[str, FieldScore]) -> JSON:
    return {field: attrs.astuple(score) for field, score in scores.items()}
