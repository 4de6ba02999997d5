"""Whole walks: a match stepped through, seen through other eyes, and everything reached by keyboard alone."""

import re
import zipfile
from urllib.parse import parse_qs, urlparse

import pytest
from PIL import Image

from .conftest import PICTURES, visiting

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]


def query(page) -> dict[str, list[str]]:
    return parse_qs(urlparse(page.url).query)


def shown(page) -> str:
    """Which turn is chosen in the list; empty at the start."""
    chosen = page.locator(".turn[aria-current=true] .n")
    return chosen.inner_text() if chosen.count() else ""


def pieces(page) -> int:
    return page.locator(".position .scene-piece").count()


def test_match_is_stepped_through_by_buttons_slider_and_list(visit, match):
    """Buttons, the slider and the list of turns all lead to the same positions, and the address follows."""
    page = visit.to(match)
    total = page.locator(".turn").count()
    assert pieces(page) == total
    page.get_by_role("button", name="First position").click()
    assert (shown(page), pieces(page), query(page)) == ("", 0, {"at": ["0"]})
    page.get_by_role("button", name="One turn forward").click()
    assert (shown(page), pieces(page), query(page)) == ("1", 1, {"at": ["1"]})
    page.get_by_role("slider").fill("3")
    assert (shown(page), pieces(page), query(page)) == ("3", 3, {"at": ["3"]})
    page.locator(".turn").nth(1).click()
    assert (shown(page), pieces(page), query(page)) == ("2", 2, {"at": ["2"]})
    page.get_by_role("button", name="Last position").click()
    assert (shown(page), pieces(page), query(page)) == (str(total), total, {})

    page.goto(f"{visit.served.address}{match}?at=2")
    page.locator(".turn[aria-current=true]").wait_for()
    assert shown(page) == "2"


def test_turn_says_what_was_asked_answered_and_refused(visit, match, ask):
    """A turn with refusals shows the prompt, each answer with why it was refused, and what was played in the end."""
    turns = ask(f"{match}?as=all")["turns"]
    refused = next(turn for turn in turns if turn["refused"])

    page = visit.to(f"{match}?at={refused['turn'] + 1}")
    page.locator(".detail .fold").first.wait_for()
    told = page.locator(".detail").inner_text()

    assert "Your legal actions:" in told
    for each in refused["refused"]:
        assert each["reason"] in told
        assert each["kind"] in told
    assert refused["action"] in told
    assert re.search(r"requests\s+[0-9a-f]{32}", told)


def test_marks_are_reached_by_brackets(visit, match, ask):
    """The keys [ and ] go to the refusals, substitutes and forfeits before and behind."""
    turns = ask(f"{match}?as=all")["turns"]
    marked = [turn["turn"] + 1 for turn in turns if turn["marks"] or turn["refused"]]

    page = visit.to(f"{match}?at=0")
    page.locator(".position").click(position={"x": 5, "y": 5})
    seen = []
    for _ in marked:
        page.keyboard.press("]")
        seen.append(int(shown(page)))
    page.keyboard.press("[")

    assert seen == marked
    assert shown(page) == str(marked[-2])


def test_other_eyes_see_less(visit, ask):
    """A bystander's view of a game with hidden cards shows no card, and a player's shows its own."""
    found = ask("/run/demo/matches?game=kuhn-poker&limit=1")["matches"][0]["match"]
    page = visit.to(f"/run/demo/match/{found}?at=1")
    page.locator(".scene-card").first.wait_for()
    cards = {}
    for eyes in ("everybody", "player 1", "a spectator"):
        page.get_by_role("button", name=eyes, exact=True).click()
        page.locator(f".tabs button[aria-pressed=true]:text-is('{eyes}')").wait_for()
        visit.settle()
        cards[eyes] = page.locator(".scene-card.face-down").count()

    assert cards == {"everybody": 0, "player 1": 1, "a spectator": 2}
    assert query(page) == {"at": ["1"], "as": ["public"]}


def test_matches_are_filtered_sorted_and_paged_by_the_address(visit, ask):
    """Filters, the sort order and the page stand in the address, and going back shows what was there before."""
    page = visit.to("/run/many/matches")
    assert page.locator("tbody tr").count() == 50
    page.get_by_role("button", name="turns").click()
    visit.settle()
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("turns")
    turns = [int(text) for text in page.locator("tbody tr td:nth-child(6)").all_inner_texts()]
    assert turns == sorted(turns, reverse=True)
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("link", name="First page").wait_for()
    visit.settle()
    assert set(query(page)) == {"sort", "descending", "after"}
    page.go_back()
    page.get_by_role("link", name="First page").wait_for(state="detached")

    visit.to("/run/demo/matches")
    page.get_by_label("Game").select_option("kuhn-poker")
    page.get_by_label("Marks").select_option("refusal")
    visit.settle()
    total = ask("/run/demo/matches?game=kuhn-poker&has=refusal")["total"]
    assert page.locator("tbody tr").count() == total
    page.get_by_role("button", name="Clear filters").click()
    assert query(page) == {}


def test_text_is_searched_and_what_is_left_downloaded(chromium, served, ask):
    """A text typed by hand finds the turns in which it stands, and what the filter leaves is downloaded."""
    with visiting(chromium, served, is_audited=True) as visit:
        page = visit.to("/run/demo/matches?game=connect-four")
        page.get_by_label("Text in labels and reasons").fill("Column B")
        page.keyboard.press("Enter")
        page.get_by_text("searched", exact=False).first.wait_for()
        visit.settle()
        found = visit.audit()
        visit.picture("matches-search-light")
        page.emulate_media(color_scheme="dark")
        found += visit.audit("color-contrast")
        visit.picture("matches-search-dark")
        assert query(page) == {"game": ["connect-four"], "text": ["Column B"]}
        total = page.locator("tbody tr").count()
        page.get_by_text("Download", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name="as CSV").click()
        rows = download.value.path().read_text("utf-8").splitlines()
        page.locator(".hits a").filter(has_text=re.compile(r"^turn \d+ column B$")).first.click()
        page.locator(".turn[aria-current=true]", has_text="column B").wait_for()

    assert found == []
    assert total == len(rows) - 1 > 0


@pytest.mark.campaign
def test_another_agent_is_asked_in_a_turn(chromium, served, match):
    """What asking costs is said before; the answer stands beside the recorded one, with its tries."""
    with visiting(chromium, served, is_audited=True) as visit:
        page = visit.to(f"{match}?at=2")
        page.get_by_text("What if").focus()
        page.keyboard.press("Enter")
        page.locator(".what-if select").select_option("first-legal")
        page.get_by_text("To ask it here: it asks no model").wait_for()
        page.locator(".what-if select").select_option("model")
        page.get_by_text("To ask it here: it asks a model; one try has 1 call").wait_for()
        page.get_by_text("To play on: From turn").wait_for()
        page.get_by_role("button", name="Ask it here").click()
        page.locator(".beside").wait_for()
        told = page.locator(".beside").inner_text()
        found = visit.audit()
        visit.picture("match-what-if-light")
        page.emulate_media(color_scheme="dark")
        found += visit.audit("color-contrast")
        visit.picture("match-what-if-dark")
        tries = page.locator(".what-if .fold").count()

    assert found == []
    assert "recorded" in told
    assert "model" in told
    assert tries > 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_positions_are_drawn_as_png(visit, match, ask, theme):
    """A PNG of a position has the colours of its players on the ground of the page; all of them come in one ZIP."""
    page = visit.to(f"{match}?at=2")
    page.get_by_label("Theme").select_option(theme)
    page.get_by_text("Download", exact=True).click()
    with page.expect_download() as one:
        page.get_by_role("button", name="this position, as PNG").click()
    with page.expect_download() as all_:
        page.get_by_role("button", name="all positions").click()

    PICTURES.mkdir(parents=True, exist_ok=True)
    one.value.save_as(PICTURES / f"position-{theme}.png")
    picture = Image.open(one.value.path()).convert("RGB")
    colours = {colour for _, colour in picture.getcolors(1 << 24)}
    players = {"light": {(213, 94, 0), (0, 114, 178)}, "dark": {(240, 145, 79), (86, 180, 233)}}
    assert picture.width == 1184
    assert picture.getpixel((2, 2)) == {"light": (255, 255, 255), "dark": (20, 23, 27)}[theme]
    assert players[theme] <= colours
    with zipfile.ZipFile(all_.value.path()) as packed:
        assert packed.testzip() is None
        assert len(packed.namelist()) == ask(f"{match}?as=all")["positions"]
        assert Image.open(packed.open(packed.namelist()[-1])).width == 1184


IS_DRAWN_FOR = """(isDark) => {
    const drawn = [...document.querySelectorAll("figure img")].at(-1)?.src.split("base64,")[1];
    return drawn && atob(drawn).includes("#14171b") === isDark;
}"""
"""Whether the last figure lies on the dark ground, or on the other one."""


@pytest.mark.campaign
def test_figures_of_a_report_follow_the_theme(chromium, served):
    """Figures lie on the ground of the page, by the system or by choice, and change with it under the eyes."""
    with visiting(chromium, served, color_scheme="dark") as visit:
        page = visit.to("/run/demo/report")
        figures = page.locator("figure img")
        figures.last.scroll_into_view_if_needed()
        for scheme, theme in (("dark", "system"), ("light", "system"), ("light", "dark"), ("dark", "light")):
            page.emulate_media(color_scheme=scheme)
            page.get_by_label("Theme").select_option(theme)
            page.wait_for_function(IS_DRAWN_FOR, arg=(scheme if theme == "system" else theme) == "dark")
            figures.last.evaluate("(own) => own.decode()")
            figures.last.screenshot(path=PICTURES / f"figure-{scheme}-{theme}.png")
            visit.picture(f"report-figures-{scheme}-{theme}")


def tab_to(page, name: str) -> None:
    """Press Tab until what is called so has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "() => (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
        )
        if focused == name:
            return
    raise AssertionError(f"{name} is not reached by Tab")


def test_everything_is_reached_by_keyboard(visit, match):
    """By keys alone: past the header, into a run, its matches, one match, its turns, its eyes and the list of keys."""
    page = visit.to("/")

    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "content"
    tab_to(page, "demo")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="demo").wait_for()
    tab_to(page, "Matches")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Matches").wait_for()
    visit.settle()
    page.locator("tbody a").first.focus()
    page.keyboard.press("Enter")
    page.locator(".match").wait_for()
    visit.settle()
    page.keyboard.press("Home")
    assert query(page) == {"at": ["0"]}
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert query(page) == {"at": ["2"]}
    tab_to(page, "Play")
    page.keyboard.press("v")
    page.locator(".tabs button[aria-pressed=true]", has_text="X").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    tab_to(page, "Keys")


def test_letters_can_be_switched_off(visit, match):
    """Single letters do nothing outside the match, and nothing at all once they are switched off."""
    page = visit.to(f"{match}?at=1")
    page.keyboard.press("v")
    assert "as" not in query(page)
    page.get_by_role("button", name="Keys").click()
    page.get_by_role("checkbox").uncheck()
    page.get_by_role("button", name="Close").click()
    page.locator(".position").click(position={"x": 5, "y": 5})
    page.keyboard.press("v")
    assert "as" not in query(page)
    page.keyboard.press("ArrowRight")
    assert query(page)["at"] == ["2"]


def test_moves_are_told_to_who_listens(visit, match):
    """Each step is said in the polite live region, with the turn, the agent and its action."""
    page = visit.to(f"{match}?at=0")
    page.keyboard.press("ArrowRight")

    page.locator("#said", has_text="Turn 1: ").wait_for(state="attached")


def test_nothing_moves_for_who_wants_that(chromium, served, match):
    """Where less motion is asked for, nothing on the match page is animated."""
    with visiting(chromium, served, reduced_motion="reduce") as visit:
        page = visit.to(f"{match}?at=3")
        page.keyboard.press("ArrowRight")

        assert page.evaluate("() => document.getAnimations().length") == 0
