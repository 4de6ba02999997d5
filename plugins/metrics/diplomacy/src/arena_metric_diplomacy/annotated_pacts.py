"""Agreements that an annotator read out of messages, in whatever words they were made."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.metric import Measurement
from arena_game_diplomacy.match.pacts import Agreement, Statement, agreements, read, write
from arena_metric_judge.question import found_place
from arena_metric_judge.scores import FOUND, SCORED

from arena_metric_diplomacy.match_phases import GLOBAL


def annotated_agreements(judged: Iterable[Measurement], powers: Sequence[str]) -> tuple[Agreement, ...]:
    """What the annotated proposals of a match bound powers to.

    A proposal counts as the fixed sentences that the annotator wrote for it, and the recipient's words as agreeing to
    them or refusing them where the annotator says so. Nobody is taken to have answered what was proposed to all.
    """
    rows = list(judged)
    words: dict[tuple[str, str, str], Any] = {}
    for row in rows:
        about: Any = row.detail
        if row.name == SCORED and about["dimension"] == "words":
            words[about["round"], about["party"], about["item"]] = row.value
    messages: list[Mapping[str, Any]] = []
    for row in rows:
        about = row.detail
        for number, notes in enumerate(about["notes"] if row.name == FOUND else (), start=1):
            phase, writer = about["round"], about["party"]
            said = words[phase, writer, found_place(about["item"], about["kind"], number)]
            messages += _exchange(phase, writer, notes["to"], " ".join(notes["pact"]), said)
    return agreements(messages, powers)


def _exchange(phase: str, writer: str, to: str, text: str, words: str) -> list[Mapping[str, Any]]:
    """A proposal and the answer to it, as messages in fixed sentences."""
    proposal: dict[str, Any] = {"phase": phase, "from": writer, "to": [to], "text": text}
    if to == GLOBAL or words not in ("yes", "no"):
        return [proposal]
    stance = "agree" if words == "yes" else "refuse"
    answer = " ".join(write(Statement(stance, statement.pact)) for statement in read(text))
    return [proposal, {"phase": phase, "from": to, "to": [writer], "text": answer}]
