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
def test_the_first_rule_played_what_nobody_meant(is_lenient: bool):
    """The corpus is no easy one: the rule before played 76 of its 280 replies otherwise than meant."""
    found = score("replies.jsonl", is_lenient=is_lenient, rule=1)

    assert (len(found.wrong), found.cases) == (76, 280)


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
    """Of 300 answers of the embedded model without a schema, none that the first rule played is refused now."""
    raw = [json.loads(line) for line in (CORPUS / "embedded_model.jsonl").read_text("utf-8").splitlines()]
    labels = {"category": "real", "meant": None, "strict": "either", "lenient": "either"}
    found = [Case.of({**one, **labels}) for one in raw]
    played = {rule: {one.id: one.played(is_lenient=False, rule=rule) for one in found} for rule in (1, 2)}
    before, now = ({key: action for key, action in each.items() if action is not None} for each in played.values())

    assert len(raw) == 300
    assert before.items() <= now.items()
    assert (len(before), len(now)) == (103, 105)
