"""Scoring a run on a page, by pointer and by keys alone; what is kept is the file of ``arena annotate``."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Served, play, serving, visiting
from .test_states import NARROW, found_in_both_themes, is_narrow_enough

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

JUDGED = """
name: judged
seed: 5
games: {talks: {use: negotiation, rounds: 1}, pennies: matching-pennies}
agents: {mystery: random, famous: random}
schedule: {use: fixed, seatings: [[mystery, famous]], repeats: 1}
metrics:
  mind: {use: judge, rubric: theory-of-mind, backend: scripted}
  social: {use: judge, rubric: social-behaviour, backend: scripted}
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """The server of a run that judges have scored, and where that run is."""
    folder = tmp_path_factory.mktemp("judged")
    run = play(folder, JUDGED, "judged")
    with serving(folder / "runs", folder / "state") as served:
        yield served, run


def kept(run: Path, annotator: str) -> list[dict]:
    lines = (run / "annotations.jsonl").read_text("utf-8").splitlines()
    return [own for own in map(json.loads, lines) if own["annotator"] == annotator]


def begin(page, rubric: str, name: str) -> None:
    page.get_by_label("Rubric").select_option(rubric)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="Question 1").wait_for()


def score(page, number: int) -> None:
    """Say no to everything of a question, for each player where several play at once, and save it."""
    page.get_by_role("heading", name=f"Question {number}").wait_for()
    for form in page.locator("form.panel").all():
        for scale in form.locator("fieldset").all():
            scale.get_by_label("no").check()
        form.get_by_role("button", name="Save").click()
        page.wait_for_function("() => !document.querySelector('form button:disabled')")


@pytest.mark.campaign
def test_question_is_accessible_and_names_nobody(chromium, judged):
    """The page says nothing of who played, tells what is missing, and fits both themes and a narrow window."""
    served, _ = judged
    with visiting(chromium, served, is_audited=True, color_scheme="light", is_known_missing=True) as visit:
        page = visit.to("/run/judged")
        page.get_by_role("link", name="Score").click()
        page.get_by_label("Your name").wait_for()
        found = visit.audit()
        visit.picture("annotate-begin-light")
        begin(page, "theory-of-mind", "ann")
        told = page.locator("main").inner_text()
        first = page.locator("form.panel").first
        first.get_by_role("button", name="Save").click()
        wrong = first.get_by_role("alert").inner_text()
        found += visit.audit()
        for scale in first.locator("fieldset").all():
            scale.get_by_label("yes").check()
        found += found_in_both_themes(visit, "annotate-question")
        page.set_viewport_size(NARROW)
        narrow = is_narrow_enough(page)
        visit.picture("annotate-question-narrow")

    assert found == []
    assert narrow
    assert "is missing" in wrong
    assert "mystery" not in told
    assert "famous" not in told


@pytest.mark.campaign
def test_subject_is_kept_at_once_and_can_be_changed(chromium, judged):
    """Yes and no are pressed, and are in the file once they are saved; another answer is kept behind the first."""
    served, run = judged
    with visiting(chromium, served, is_known_missing=True) as visit:
        page = visit.to("/annotate/judged")
        begin(page, "theory-of-mind", "ben")
        first = page.locator("form.panel").first
        for scale in first.locator("fieldset").all():
            scale.get_by_label("yes").check()
        first.get_by_label("Why").first.fill("she said so")
        first.get_by_role("button", name="Save").click()
        page.get_by_role("heading", name="Question 2").wait_for()
        (line,) = kept(run, "ben")
        page.get_by_role("button", name="Previous").click()
        page.get_by_role("heading", name="Question 1").wait_for()
        first.get_by_role("status").wait_for()
        first.locator("fieldset").first.get_by_label("no").check()
        first.get_by_role("button", name="Save").click()
        page.get_by_role("heading", name="Question 2").wait_for()
        changed = kept(run, "ben")

    assert {own["score"] for own in line["scores"].values()} == {True}
    assert next(iter(line["scores"].values()))["justification"] == "she said so"
    assert [next(iter(own["scores"].values()))["score"] for own in changed] == [True, False]


@pytest.mark.campaign
def test_whole_run_is_scored_by_pointer(chromium, judged):
    """A page that is loaded again resumes where it was; the end compares the raters."""
    served, _ = judged
    with visiting(chromium, served, is_audited=True, color_scheme="dark", is_known_missing=True) as visit:
        page = visit.to("/annotate/judged")
        begin(page, "theory-of-mind", "cleo")
        score(page, 1)
        page.get_by_role("heading", name="Question 2").wait_for()
        page.reload()
        score(page, 2)
        score(page, 3)
        page.get_by_role("heading", name="All is scored").wait_for()
        page.get_by_role("button", name="Compare the raters").click()
        page.get_by_role("table").wait_for()
        table = page.get_by_role("table").inner_text()
        found = visit.audit()
        visit.picture("annotate-agreement-dark")

    assert found == []
    assert "judge mind" in table
    assert "cleo" in table


def test_run_is_scored_by_keys(chromium, judged):
    """Digits choose and go on to the next scale, Enter keeps; any number between 0 and 1 can be typed."""
    served, run = judged
    with visiting(chromium, served) as visit:
        page = visit.to("/annotate/judged?rubric=social-behaviour")
        page.get_by_label("Your name").focus()
        page.keyboard.type("bob")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Question 1").wait_for()
        form = page.locator("form.panel").first
        count = form.locator("fieldset").count()
        page.wait_for_function("() => document.activeElement.matches('h2')")
        while not page.evaluate("() => document.activeElement.closest('fieldset')"):
            page.keyboard.press("Tab")
        for digit in range(count):
            page.keyboard.press(str(digit))
        on = page.evaluate("() => document.activeElement.textContent")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Question 2").wait_for()
        (line,) = kept(run, "bob")
        page.goto(f"{page.url.partition('&at')[0]}&at=0")
        page.get_by_role("heading", name="Question 1").wait_for()
        form.get_by_label("or exactly").first.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type("0.25")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Question 2").wait_for()
        last = kept(run, "bob")[-1]

    assert on == "Save"
    assert [own["score"] for own in line["scores"].values()] != []
    assert sorted(own["score"] for own in line["scores"].values()) == [digit / 10 for digit in range(count)]
    assert last["scores"]["goal-alignment"]["score"] == 0.25
