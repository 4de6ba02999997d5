"""Boards to step through in the HTML report: drawn by a script that the policy names, told in words without it."""

import json
import re
import shutil

import attrs
import pytest
from arena.game import Drawing
from arena_report import BoardScene, MatchView, Report
from arena_report_html import stepping
from arena_report_html.styling import gathered, hashed
from arena_scene import Grid, Piece, Scene, patch

from .test_html import XSS, Page, report, write


def position(step: int, words: str = "") -> BoardScene:
    """A row of three cells, of which as many are taken as there were steps."""
    pieces = [Piece(at=(0, c), role=f"player-{c % 2}", shape="disc", label=f"disc {c}") for c in range(step)]
    told = words or f"{step} cells are taken"
    return BoardScene(
        step=step,
        title="Row",
        words=told,
        drawing=Drawing(*Scene("Row", told, Grid(id="board", size=(1, 3), pieces=pieces)).drawn()),
    )


def played(*positions: BoardScene, turns: int = 3) -> Report:
    """A report of one match with these positions."""
    (match,) = report().matches
    return report(matches=(attrs.evolve(match, turns=turns, scenes=lambda: positions),))


def frames_in(text: str) -> list:
    """What the page's data say, as the script reads them."""
    (found,) = re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)


ROW = tuple(position(step) for step in range(4))


def test_positions_are_in_the_page_as_frames_and_in_words(tmp_path):
    """The first position stands in full, the others as differences, and each in words for who has no scripts."""
    text = write(tmp_path, played(*ROW), figures=False)

    (first, scene), *later = frames_in(text)
    assert (first, scene["parts"][0]["size"]) == (0, [1, 3])
    for step, change in later:
        scene = patch(scene, change)
        assert len(scene["parts"][0]["pieces"]) == step
    assert all(f"{step} cells are taken" in Page(text).text for step in range(4))
    assert "Boards and positions are 0.0 MB of this page" in text


def test_policy_names_scripts_and_style_by_their_hashes(tmp_path):
    """No element has a style of its own, and the policy allows two scripts and one style by what is in them."""
    text = write(tmp_path, played(*ROW), figures=False)

    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    scripts = re.findall(r'<script(?: type="module")?>(.*?)</script>', text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert f"style-src '{hashed(style)}'; script-src '{hashed(scripts[0])}' '{hashed(scripts[1])}';" in policy
    assert "unsafe" not in policy
    assert not [attributes for _, attributes in Page(text).elements if "style" in attributes]


def test_words_of_players_end_no_script(tmp_path):
    """What is in a position is data in the script and text in the page, whatever it says."""
    page = Page(text := write(tmp_path, played(position(1, XSS), position(2, f"]]>{XSS}<!--")), figures=False))

    assert len(page.named("script")) == 3
    assert not page.named("img")
    assert frames_in(text)[0][1]["title"] == "Row"


@pytest.mark.slow
def test_equal_reports_have_equal_boards(tmp_path):
    """The same matches give the same bytes."""
    assert write(tmp_path, played(*ROW), figures=False) == write(tmp_path, played(*ROW), figures=False)


def test_game_without_scenes_is_told_in_words(tmp_path):
    """Where a game draws nothing the positions stand there in words, and no script comes for them."""
    page = Page(write(tmp_path, played(*(attrs.evolve(own, drawing=None) for own in ROW)), figures=False))

    assert "3 cells are taken" in page.text
    assert len(page.named("script")) == 1


def test_unsound_scene_is_its_words(tmp_path):
    """A scene against the format is drawn as the words for the position."""
    broken = attrs.evolve(ROW[1], drawing=Drawing({"scene": 1, "parts": "many"}, "odd"))

    ((_, scene), (_, change)) = frames_in(write(tmp_path, played(ROW[0], broken), figures=False))

    (part,) = patch(scene, change)["parts"]
    assert (part["part"], part["text"]) == ("text", "1 cells are taken")


def test_game_that_fails_costs_its_boards(tmp_path):
    """A game that raises while a match is played again is named, and the moves are told all the same."""

    def lost():
        raise RuntimeError("no such rule")

    (match,) = report().matches
    text = Page(write(tmp_path, report(matches=(attrs.evolve(match, scenes=lost),)), figures=False)).text

    assert "the boards are missing: RuntimeError: no such rule" in text
    assert "Let me see" in text


@pytest.mark.slow
def test_boards_are_bounded(tmp_path, monkeypatch):
    """Matches beyond the bound on positions, or on what they take, have no boards, and the page says how many."""
    both = (*played(*ROW).matches, *played(*ROW).matches)
    few = Page(write(tmp_path, report(matches=both), boards=5)).text
    monkeypatch.setattr(stepping, "MOST", 10)
    none = Page(write(tmp_path, report(matches=both))).text

    assert few.count("Positions in words (4)") == 1
    assert "the boards are left out, so that this page stays small" in few
    assert "1 matches have none" in few
    assert "Positions in words" not in none


def test_matches_that_are_not_told_have_no_boards():
    """Nothing is played again for a match whose moves are left out."""
    (match,) = played(*ROW).matches
    untold: MatchView = attrs.evolve(match, moves=None, scenes=lambda: pytest.fail("played again"))

    assert stepping.steps_of((untold,), 100, 100).matches == (stepping.StepsView(),)


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ('<p style="left:5%">', '<p class="s-0">'),
        ('<p class="a b" style="left:5%;">', '<p class="a b s-0">'),
        ('<path d="M0,0" style="fill: none"/>', '<path d="M0,0" class="s-0"/>'),
        ('<p title="a > b" style="left:5%" id="x">', '<p title="a > b" id="x" class="s-0">'),
        ('<p style="} body { display: none">', "<p>"),
        ('<p>style="left:5%"</p>', '<p>style="left:5%"</p>'),
    ],
)
def test_styles_become_classes(tag, expected):
    """A style in an element is a class in the one style sheet; what is no list of declarations is left out."""
    page = gathered(f"<style></style>{tag}")

    assert page.endswith(expected)


@pytest.mark.campaign
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boards_are_stepped_through_in_a_browser(tmp_path, scheme):
    """Opening a match draws its board; buttons, the slider and keys go from one position to another."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    write(tmp_path, played(*ROW), figures=False)
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(offline=True, color_scheme=scheme).new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((tmp_path / "report.html").as_uri())
        page.locator("#matches > summary").click()
        page.locator("details.match > summary").click()
        counts = [page.locator(".scene-piece").count()]
        for act in (
            lambda: page.get_by_role("button", name="Forward").click(),
            lambda: page.get_by_role("slider").press("ArrowRight"),
            lambda: page.get_by_role("button", name="Last").click(),
            lambda: page.get_by_role("slider").press("Home"),
        ):
            act()
            counts.append(page.locator(".scene-piece").count())
        page.get_by_role("button", name="Forward").click()
        said = page.locator(".steps output").inner_text()
        page.locator(".scene-words summary").click()
        words = page.locator(".scene-alternative").inner_text()
        assert complaints == []
        audited = browser.new_context(color_scheme=scheme, bypass_csp=True).new_page()
        audited.goto((tmp_path / "report.html").as_uri())
        audited.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        found = Axe().run(audited).response["violations"]
        browser.close()

    assert counts == [0, 1, 2, 3, 0]
    assert said == "2 of 4, before step 1"
    assert words == "1 cells are taken"
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
