"""A whole study in the browser, by pointer and by keys alone, closed and opened again on the way."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena_engine import RemoteControl

from .conftest import ARENA, Served, Visit, visiting
from .test_seat import ASKED, play_by_keys, play_on
from .test_smoke import SENT, fetched
from .test_states import NARROW, is_narrow_enough

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

STUDY = """
name: machines
title: Playing against machines
consent: |
  You play two short games of tic-tac-toe against a program, and answer some questions before and after.

  Nothing is kept that says who you are. You may stop at any time: what you gave until then is kept under your code.
seed: 3
participants: 3
before:
  - {name: age, ask: How old are you?, kind: number, low: 18, high: 120}
  - {name: plays, ask: How often do you play board games?, kind: choice, choices: [never, sometimes, often]}
after:
  - {name: fun, ask: How much did you enjoy it?, kind: scale, low: 1, high: 7, labels: [not at all, very much]}
  - {name: said, ask: "What did you notice about the other player?", kind: text, required: false}
conditions:
  first: {game: tic-tac-toe, against: first-legal, matches: 1}
  drawn: {game: tic-tac-toe, against: random, matches: 1}
"""


@attrs.frozen
class Links:
    """A study: its server without a key, its directory, and the link of each code."""

    served: Served
    directory: Path
    by_code: dict[str, str]

    def participant(self, place: int) -> tuple[str, str]:
        """The code and the link of a participant; each test has its own."""
        return [*self.by_code.items()][place]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Links]:
    """A study of three participants, served by ``arena study``."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.yaml").write_text(STUDY, "utf-8")
    command = [ARENA, "study", "study.yaml", "-o", "made", "--port", "0"]
    with (folder / "links.txt").open("w") as links:
        server = subprocess.Popen(command, cwd=folder, stdout=links, stderr=subprocess.PIPE, text=True)
    with server:
        try:
            assert server.stderr is not None
            next(line for line in server.stderr if "served at" in line)
            lines = [line.split() for line in (folder / "links.txt").read_text().splitlines()]
            address = lines[0][0].partition("/study")[0]
            yield Links(Served(f"{address}/#key="), folder / "made", {code: link for link, code in lines})
        finally:
            server.terminate()


@pytest.mark.campaign
def test_consent_and_questions(chromium, study):
    """Every mistake is told and read aloud, what is not sent yet is kept by the page, and both themes are readable."""
    _, link = study.participant(0)
    with visiting(
        chromium, study.served, start=link, is_audited=True, color_scheme="light", is_known_missing=True
    ) as visit:
        page = visit.page
        found = look(visit, "consent")
        page.get_by_role("button", name="I agree and take part").click()
        page.get_by_role("heading", name="Questions before the matches").wait_for()
        page.get_by_label("How old are you?").fill("7")
        page.get_by_role("button", name="Send and continue").click()
        page.locator("#q-plays-wrong").wait_for()
        wrong = page.locator(".form-wrong").all_inner_texts()
        aloud = page.locator("#said-at-once", has_text="to be answered").inner_text()
        page.locator("#q-age:focus").wait_for()
        found += look(visit, "mistakes")
        page.get_by_label("How old are you?").fill("34,5")
        page.get_by_label("sometimes").check()
        page.reload()  # what is not sent yet is kept
        page.get_by_role("button", name="Send and continue").click()
        page.get_by_role("heading", name="The matches").wait_for()
        found += look(visit, "matches")

    assert found == []
    assert wrong == ["expected a number from 18 to 120", "this must be answered"]
    assert aloud.startswith("2 questions to be answered otherwise: How old are you? expected a number")


@attrs.frozen
class PlayedOut:
    """A participant with nothing left to play, and what its visit showed."""

    code: str
    link: str
    found: list[tuple[str, str]]
    """What axe-core found once the matches were over."""
    ways_back: list[int]
    """How many links led back to the study after the first match, and after its run had been stopped."""


@pytest.fixture(scope="module")
def played_out(chromium: Any, study: Links) -> PlayedOut:
    """A participant who answers the first questions and plays two matches, and whose run is stopped on the way."""
    code, link = study.participant(1)
    with visiting(
        chromium, study.served, start=link, is_audited=True, color_scheme="light", is_known_missing=True
    ) as visit:
        page = visit.page
        page.get_by_role("button", name="I agree and take part").click()
        page.get_by_label("How old are you?").fill("34,5")
        page.get_by_label("sometimes").check()
        page.get_by_role("button", name="Send and continue").click()
        page.get_by_role("button", name="Begin the matches").click()
        page.locator(ASKED).wait_for()
        play_on(page)
        ways_back = [page.get_by_role("link", name="Back to the study").count()]
        page.get_by_role("button", name="Next match").click()
        page.locator(ASKED).wait_for()
        RemoteControl(study.directory / "runs" / code).stop("as a machine that is switched off")
        page.locator(".ask.is-idle").wait_for()
        ways_back.append(page.get_by_role("link", name="Back to the study").count())
        page.goto("about:blank")
        page.goto(link)
        page.get_by_text("1 of 2 matches is over.").wait_for()
        page.get_by_role("button", name="Continue with the matches").click()
        page.locator(ASKED).wait_for()
        play_on(page)
        found = visit.audit()
        visit.picture("study-seat-over")
        page.get_by_role("link", name="Back to the study").click()
        page.get_by_role("heading", name="Questions after the matches").wait_for()
    return PlayedOut(code, link, found, ways_back)


@pytest.mark.campaign
def test_matches_are_resumed_by_pointer(played_out):
    """A page that is closed and opened again goes on; it leads back to the study where nothing else can be done."""
    assert played_out.ways_back == [0, 1]
    assert played_out.found == []


@pytest.mark.campaign
def test_study_ends_with_questions_and_thanks(chromium, study, played_out):
    """The last questions and the thanks with the code are readable in both themes; all that was given is exported."""
    with visiting(
        chromium, study.served, start=played_out.link, is_audited=True, color_scheme="light", is_known_missing=True
    ) as visit:
        page = visit.page
        page.get_by_role("heading", name="Questions after the matches").wait_for()
        page.get_by_label("6", exact=True).check()
        page.get_by_label("What did you notice").fill("it never blocks")
        found = look(visit, "after")
        page.get_by_role("button", name="Send and continue").click()
        page.get_by_role("heading", name="Thank you").wait_for()
        found += look(visit, "over")
        thanks = page.locator("main").inner_text()
        sizes = fetched(visit)

        page.goto(f"{study.served.address}/")  # the study's key is no host's
        page.get_by_text("this page has no key").wait_for()

    assert found == []
    assert played_out.code in thanks
    assert sum(sizes.values()) <= SENT
    row = exported(study, played_out.code)
    assert row["before_age"] == 34.5
    assert (row["before_plays"], row["after_fun"], row["after_said"]) == ("sometimes", 6, "it never blocks")
    assert (row["matches_over"], row["finished"]) == (2, True)


def test_study_by_keys_alone(chromium, study):
    """Tab, arrows, space and Enter are enough from the consent to the thanks; the focus is never lost."""
    code, link = study.participant(2)
    with visiting(chromium, study.served, start=link, is_known_missing=True) as visit:
        page = visit.page
        tab_to(page, "I agree and take part")
        page.keyboard.press("Enter")
        at_heading(page, "Questions before the matches")
        page.keyboard.press("Tab")
        page.keyboard.type("51")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        at_heading(page, "The matches")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        for ending in ("Next match", "Back to the study"):
            page.locator(ASKED).wait_for()
            play_by_keys(page)
            tab_to(page, ending)
            page.keyboard.press("Enter")
        page.get_by_role("heading", name="Questions after the matches").wait_for()
        tab_to(page, "")
        while not page.evaluate("() => document.activeElement.matches('[type=radio]')"):
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        at_heading(page, "Thank you")

    row = exported(study, code)
    assert (row["before_age"], row["before_plays"], row["after_fun"], row["after_said"]) == (51, "often", 2, None)
    assert (row["matches_over"], row["finished"]) == (2, True)


def look(visit: Visit, name: str) -> list[tuple[str, str]]:
    """What axe-core finds on a page, by all rules in light and those of contrast in dark; it fits 320 pixels."""
    page = visit.page
    found = visit.audit()
    visit.picture(f"study-{name}-light")
    page.emulate_media(color_scheme="dark")
    found += visit.audit("color-contrast")
    visit.picture(f"study-{name}-dark")
    page.set_viewport_size(NARROW)
    assert is_narrow_enough(page)
    visit.picture(f"study-{name}-narrow")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
    return found


def tab_to(page: Any, name: str) -> None:
    """Press Tab until what has the focus is called like that."""
    for _ in range(60):
        if page.evaluate("() => document.activeElement.textContent") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {name!r}")


def at_heading(page: Any, text: str) -> None:
    """Wait until a heading has the focus, as it has once a step is done."""
    page.wait_for_function("(text) => document.activeElement.textContent === text", arg=text)


def exported(study: Links, code: str) -> dict[str, Any]:
    """The row of a participant in an export."""
    file = study.directory.with_name("out.json")
    subprocess.run([ARENA, "study", "export", study.directory, "-o", file], check=True, capture_output=True)
    (row,) = (own for own in json.loads(file.read_text("utf-8"))["participants"] if own["code"] == code)
    return row
