"""Replies as models write them: what was meant is played, or nothing."""

import json
from collections import Counter

import pytest

from .replies import CORPUS, Case, cases, score

REFUSED = {
    "replies": (24, 63),
    "held_out": (12, 33),
    "checks": (5, 28),
    "forms": (30, 49),
    "forms_held_out": (27, 43),
    "held_out_2": (42, 66),
}
"""By file, how many of the clear replies in it are refused at the first try; ``docs/answers.md`` shows the same."""

WRONG = {"forms_held_out": ("n237",), "held_out_2": ("u173", "u174", "u178", "u216", "u217", "u219", "u220")}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("is_lenient", [False, True])
def test_nothing_is_played_that_was_not_meant(name: str, is_lenient: bool):
    """What is played and not meant has the asked form: its own reasoning contradicts it, or counts in another way."""
    found = score(f"{name}.jsonl", is_lenient=is_lenient)

    assert found.wrong == WRONG.get(name, ())


@pytest.mark.parametrize("name", REFUSED)
def test_the_clear_ones_that_are_refused(name: str):
    """The page tells how many clear replies are asked for again."""
    found = score(f"{name}.jsonl", is_lenient=False)

    assert (len(found.refused), found.clear) == REFUSED[name]


def test_what_has_the_asked_form_is_played():
    """No clear reply that is the asked object alone is refused."""
    alone = [case for name in REFUSED for case in cases(f"{name}.jsonl") if case.strict == "play" and case.is_alone()]

    assert [case.id for case in alone if case.played(is_lenient=False) is None] == []
    assert len(alone) == 33


def test_the_corpus_is_what_its_readme_says():
    """It holds enough replies, categories and languages, half of them long."""
    found = list(cases("replies.jsonl"))
    raw = [json.loads(line) for line in (CORPUS / "replies.jsonl").read_text("utf-8").splitlines()]

    assert len(found) == len({case.id for case in found}) == 280
    assert len({case.category for case in found}) >= 15
    assert min(Counter(case.language for case in found).values()) >= 20
    assert len({case.language for case in found}) == 5
    assert sum(len(one["reply"]) > 300 for one in raw) >= 280 / 2


def test_real_answers():
    """How many of 300 answers of the embedded model without a schema are played."""
    raw = [json.loads(line) for line in (CORPUS / "embedded_model.jsonl").read_text("utf-8").splitlines()]
    labels = {"category": "real", "meant": None, "strict": "either", "lenient": "either"}
    played = [Case.of({**one, **labels}).played(is_lenient=False) for one in raw]

    assert (len(played), sum(action is not None for action in played)) == (300, 68)
