"""Replies as models write them: what was meant is played, or nothing."""

import json
from collections import Counter

import pytest

from .replies import CORPUS, Case, cases, score


@pytest.mark.parametrize("is_lenient", [False, True])
def test_nothing_is_played_that_was_not_meant(is_lenient: bool):
    """Of all labelled replies none is played that nobody meant, and at most one clear one in twenty is refused."""
    found = score("replies.jsonl", is_lenient=is_lenient)

    assert found.wrong == ()
    assert len(found.refused) <= found.clear / 20, found.refused


@pytest.mark.parametrize("is_lenient", [False, True])
def test_held_out_replies(is_lenient: bool):
    """Of 110 replies written after the rule, one is played that contradicts its own prose; the page says so."""
    found = score("held_out.jsonl", is_lenient=is_lenient)

    assert found.wrong == ("c061",)
    assert len(found.refused) <= found.clear / 20, found.refused


def test_the_corpus_is_what_its_readme_says():
    """It holds enough replies, categories and languages, a third of them clear and half of them long."""
    found = list(cases("replies.jsonl"))
    raw = [json.loads(line) for line in (CORPUS / "replies.jsonl").read_text("utf-8").splitlines()]

    assert len(found) == len({case.id for case in found}) == 280
    assert len({case.category for case in found}) >= 15
    assert min(Counter(case.language for case in found).values()) >= 20
    assert len({case.language for case in found}) == 5
    assert sum(case.strict == "play" for case in found) >= 280 / 3
    assert sum(len(one["reply"]) > 300 for one in raw) >= 280 / 2


def test_real_answers():
    """Of 300 answers of the embedded model without a schema, 105 are played."""
    raw = [json.loads(line) for line in (CORPUS / "embedded_model.jsonl").read_text("utf-8").splitlines()]
    labels = {"category": "real", "meant": None, "strict": "either", "lenient": "either"}
    played = [Case.of({**one, **labels}).played(is_lenient=False) for one in raw]

    assert (len(played), sum(action is not None for action in played)) == (300, 105)
