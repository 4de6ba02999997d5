"""The page of one seat: whole matches by clicks and by keys, and everything that may happen to who sits there."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import pytest
from arena_web.held.match_names import match_name
from PIL import Image

from .conftest import PICTURES, Tables, Visit, visiting
from .test_pictures import DOCS
from .test_smoke import SENT, fetched
from .test_states import NARROW, found_in_both_themes, is_narrow_enough
from .test_texts import ATTACKS, FOUND, NOTHING, hostile

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

ASKED = ".ask.is-asked"
OVER = ".ask.is-over"


@contextmanager
def sitting(chromium: Any, tables: Tables, run: str, until: str = ASKED, **settings: Any) -> Iterator[Visit]:
    """A visit to the seat of a run, until something is asked of it; answers that are refusals are no complaint."""
    start = settings.pop("start", None) or tables.link(run)
    with visiting(chromium, tables.served, start=start, is_known_missing=True, **settings) as visit:
        visit.page.set_default_timeout(30_000)
        visit.page.locator(until).wait_for()
        yield visit


def told(page: Any) -> int:
    """How much this player was told so far."""
    return page.locator(".log li").count()


def until_told(page: Any, count: int) -> bool:
    """Wait until more was told than that, and something is asked or the match is over; whether it is over."""
    page.wait_for_function("(count) => document.querySelectorAll('.log li').length > count", arg=count)
    page.locator(f"{ASKED}, {OVER}").wait_for()
    return page.locator(OVER).count() > 0


def touch(page: Any, *elements: str) -> None:
    """Touch elements of the picture by their ids."""
    for name in elements:
        page.locator(f'[data-element~="{name}"]').first.click()


def send(page: Any, press: Callable[[], None] | None = None) -> bool:
    """Send the form, by its button unless ``press`` does it; whether the match is over after that.

    The rules are asked before, so for a moment the old turn is still asked; what comes next is told by an answer.
    """
    button = page.get_by_role("button", name="Send", exact=True)
    with page.expect_response(lambda own: "/seat/turn?" in own.url and own.status in (200, 410)):
        (press or button.click)()
    page.locator(f"{ASKED}, {OVER}").wait_for()
    return page.locator(OVER).count() > 0


@pytest.mark.parametrize("game", ["tic-tac-toe", "kuhn-poker", "connect-four"])
def test_whole_match_by_clicks(chromium, tables, game):
    """A match is played to its end by what is offered in the picture or beside it, and the next one is begun."""
    with sitting(chromium, tables, game) as visit:
        page = visit.page
        play_on(page)
        verdict = page.locator(".ask .sentence").inner_text()
        page.get_by_role("button", name="Next match").click()
        page.locator(ASKED).wait_for()
        second = page.locator(".chip").all_inner_texts()

    assert re.match(r"You (won|lost|earned .*)\.|A draw\.", verdict)
    assert "match 2 of 2" in second


def test_an_environment_is_played_by_its_picture(chromium, tables):
    """What an environment paints is there for who acts and who watches, before and after a move, and as a PNG."""
    red, ground = (245, 56, 58), (212, 162, 55)
    with sitting(chromium, tables, "pictured") as visit:
        page = visit.page
        shown = page.locator(".scene img.scene-image")
        assert shown.evaluate("(own) => own.decode().then(() => own.naturalWidth)") == 1000
        assert shown.get_attribute("alt").startswith("You are player_1.")
        seen, is_over = [shown.get_attribute("src")], False
        while not is_over:
            count = told(page)
            page.locator(".acts .touches-row button").first.click()
            is_over = until_told(page, count)
            seen.append(shown.get_attribute("src"))
            visit.picture("seat-pictured-light")
    with visiting(chromium, tables.served) as visit:
        page = visit.to("/run/pictured/matches")
        page.locator('table a[href*="/match/"]').first.click()
        shown = page.locator(".scene img.scene-image")
        page.wait_for_function("(src) => document.querySelector('.scene-image')?.src === src", arg=seen[-1])
        page.get_by_text("Download", exact=True).click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="this position, as PNG").click()
        picture = Image.open(saved.value.path()).convert("RGB")
        visit.picture("match-pictured-light")

    assert len(set(seen)) == len(seen) > 3
    assert {red, ground} <= {colour for _, colour in picture.getcolors(1 << 24)}


def test_from_and_to_then_get_up(chromium, tables):
    """A man is moved by touching it and where it goes, a move to be confirmed is taken back, getting up asks once."""
    with sitting(chromium, tables, "chess") as visit:
        page = visit.page
        page.get_by_label("confirm moves").check()
        before = told(page)
        touch(page, "board:6,4")
        visit.picture("seat-chosen-light")
        touch(page, "board:4,4")
        page.locator(".confirm", has_text="e4").wait_for()
        page.get_by_role("button", name="Take back").click()
        assert told(page) == before
        page.get_by_label("confirm moves").uncheck()
        for _ in range(6):
            count = told(page)
            page.locator(".scene-hit.is-offered").first.click()
            page.locator(".scene-hit.is-offered:not(.is-chosen)").first.click()
            if page.get_by_text("Which one?").count():
                page.locator(".touches-menu button").first.click()
            until_told(page, count)
        page.get_by_role("button", name="Leave").click()
        page.get_by_role("button", name="Stay").click()
        assert page.locator(ASKED).count() == 1
        page.get_by_role("button", name="Leave …").click()
        page.get_by_role("button", name="Leave and forfeit").click()
        page.locator(OVER).wait_for()

        assert page.locator(".ask").inner_text().startswith("You lost.\n")
        assert "White left" in page.locator(".ask").inner_text()


def test_trade_craft_and_look_up(chromium, tables):
    """Phases of a game with a form: an offer by touching hands, a look-up that costs one of its budget, a decision."""
    with sitting(chromium, tables, "tradecraft") as visit:
        page = visit.page
        # The same question in the same turn has the same answer, and counts once.
        page.get_by_role("button", name="What you could craft").dblclick()
        page.locator(".answer :is(dl, ul, span)").first.wait_for()
        page.get_by_role("button", name="What you could craft").click()
        page.locator(".answer :is(dl, ul, span)").first.wait_for()
        assert page.get_by_role("button", name="possible crafts 7 left").count() == 1
        touch(page, "coal@0")
        page.get_by_role("radio", name="player 2").check()
        page.get_by_label("message").fill("coal?")
        page.locator("#meant", has_text='you give 1 coal and get nothing, and say: "coal?"').wait_for()
        visit.picture("seat-form-light")
        phases = []
        while len(phases) < 4:
            phases.append(page.locator(".ask .sentence").inner_text())
            if page.get_by_role("radio", name="no", exact=True).count():
                # What is not answered yet is said beside its field, and nothing is sent.
                page.get_by_role("button", name="Send", exact=True).click()
                page.locator(".form-wrong", has_text="'accept' is missing").wait_for()
                page.get_by_role("radio", name="no", exact=True).check()
            send(page)

    assert [phase.partition(":")[0] for phase in phases[:3]] == [
        "Propose a trade",
        "Craft from what you hold, or be done.",
        "Accept or reject the proposal.",
    ]


def test_match_by_keys_alone(chromium, tables):
    """Tab reaches the picture, arrows walk in it, Enter plays, and the focus stays where the next move is chosen."""
    with sitting(chromium, tables, "keys") as visit:
        page = visit.page
        play_by_keys(page)
        page.locator("#said-at-once", has_text=re.compile(r"^(You (won|lost)|A draw)\.")).wait_for(state="attached")


def test_draft_survives_a_reload(chromium, tables):
    """What was filled in is there again after the page is loaded anew, and the address does not hold the key."""
    with sitting(chromium, tables, "draft") as visit:
        page = visit.page
        assert page.evaluate("() => location.hash") == ""
        page.get_by_role("button", name="one more: hat").click()
        page.get_by_label("message").fill("a hat for me")
        page.reload()
        page.locator(ASKED).wait_for()

        assert page.get_by_label("message").input_value() == "a hat for me"
        assert page.locator('[data-pointer="#/keep/hat"]').input_value() == "1"


def test_second_tab_takes_over(chromium, tables):
    """Whoever opens the link again plays there, the first tab says so, and takes the seat back when that is pressed."""
    with sitting(chromium, tables, "tabs", is_audited=True) as visit:
        page, link = visit.page, tables.link("tabs")
        page.goto(link)
        page.locator(ASKED).wait_for()
        with sitting(chromium, tables, "tabs", start=link) as second:
            page.locator(".ask.is-elsewhere").wait_for()
            found = visit.audit()
            visit.picture("seat-elsewhere-light")
            page.get_by_role("button", name="Play here").click()
            page.locator(ASKED).wait_for()
            second.page.locator(".ask.is-elsewhere").wait_for()
        count = told(page)
        page.locator(".scene .is-offered").first.click()
        until_told(page, count)

    assert found == []


def test_refused_answer(chromium, tables):
    """Where the rules are not asked before, a refusal is said with its reason, the answer, and the tries left."""
    with sitting(chromium, tables, "refused", is_audited=True) as visit:
        page = visit.page
        page.locator('[data-pointer="#/keep/book"]').fill("99")
        page.get_by_role("button", name="Send", exact=True).click()
        refusal = page.locator(".refusals")
        refusal.wait_for()

        assert "expected a whole number from 0 to 2" in refusal.inner_text()
        assert '"book":99' in refusal.inner_text()
        assert re.search(r"\d tries left\. After the last refusal the match is forfeited", refusal.inner_text())
        assert page.locator('[data-pointer="#/keep/book"]').input_value() == "99"
        assert visit.audit() == []
        visit.picture("seat-refused-light")


def test_lost_connection_and_clock(chromium, tables):
    """While nobody answers the page says so, stays readable and lets nothing be sent; limits are said aloud."""
    with sitting(chromium, tables, "clock") as visit:
        page = visit.page
        assert re.match(r"\d+:\d\d", page.locator(".clock").inner_text())
        page.context.set_offline(True)
        page.locator(".ask .lost").wait_for()
        assert page.locator(".scene .is-offered").count() == 0
        assert page.get_by_label("Type a move").count() == 0 or page.get_by_label("Type a move").is_disabled()
        assert page.locator(".log").count() + page.get_by_text("Nothing has happened yet.").count() == 1
        page.context.set_offline(False)
        page.locator(".ask .lost").wait_for(state="detached")
        page.locator(".scene .is-offered").first.wait_for()


def test_answer_that_arrives_after_the_end(chromium, tables):
    """A match that is known to be over stays so when the answer to its last action comes late."""
    with sitting(chromium, tables, "late") as visit:
        page = visit.page
        late = []
        page.route("**/try/**", lambda route: late.append((route, route.fetch())))
        page.locator(".scene .is-offered").first.click()
        page.locator(OVER).wait_for()
        while not late:  # the end may be told before the answer is here
            page.wait_for_timeout(10)
        (route, answer) = late[0]
        with page.expect_response("**/try/**") as arrived:
            route.fulfill(response=answer)
        assert arrived.value.json() == {"accepted": True}
        page.evaluate("() => new Promise((done) => setTimeout(done))")  # what hangs on the answer is done by then
        assert page.locator(OVER).count() == 1


def test_run_that_nobody_plays(chromium, tables):
    """Once the run is stopped the page says that nobody plays it and how it goes on, and nothing can be chosen."""
    with sitting(chromium, tables, "stopped", is_audited=True) as visit:
        page = visit.page
        tables.post("/run/stopped/stop")
        page.locator(".ask.is-idle", has_text="Nobody plays the run").wait_for()

        assert page.locator(".scene .is-offered").count() == 0
        assert visit.audit() == []
        visit.picture("seat-idle-light")


def test_link_is_made_on_the_page_of_the_run(chromium, tables):
    """The host sees who waits and makes a link there; its seat shows what happens while the other one is waited for."""
    with visiting(chromium, tables.served, is_audited=True) as visit:
        page = visit.to("/run/waiting")
        page.get_by_role("button", name="Make a link: Ann").click()
        link = page.get_by_role("textbox", name="link: Ann").input_value()
        found = visit.audit()
        visit.picture("run-seats-light")
        page.get_by_role("link", name="this match").first.click()
        page.locator(".note", has_text="waits for Ann").wait_for()
    with sitting(chromium, tables, "waiting", start=link, is_audited=True) as visit:
        page = visit.page
        page.get_by_label("Type a move").fill("row 2, column 2")
        page.keyboard.press("Enter")
        page.locator(".ask.is-waiting", has_text="Waiting for O.").wait_for()
        page.locator(".scene-piece").wait_for()
        assert page.get_by_text("as it was when you were asked last").count() == 0
        assert page.locator(".log li.is-own time").get_attribute("datetime").startswith("20")
        heard = page.locator(".log").inner_text()
        page.reload()
        page.locator(".log li").wait_for()
        assert page.locator(".log").inner_text() == heard
        found += visit.audit()
        visit.picture("seat-waiting-light")

    assert found == []


def play_by_keys(page: Any) -> None:
    """Play a game on a board of three by three by Tab, arrows and Enter until the match is over."""
    where = "() => document.activeElement.closest('.scene-picture') !== null"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate(where):
            break
    is_over = False
    right, left, down, up = (f"Arrow{word}" for word in ("Right", "Left", "Down", "Up"))
    there = [right, right, down, left, left, down, right, right]
    walk = cycle([*there, left, left, up, right, right, up, left, left])
    while not is_over:
        assert page.evaluate(where)
        if page.evaluate("() => document.activeElement.getAttribute('role') === 'button'"):
            count = told(page)
            page.keyboard.press("Enter")
            is_over = until_told(page, count)
        else:
            page.keyboard.press(next(walk))


def play_on(page: Any) -> None:
    """Play the first thing that is offered until the match is over."""
    is_over = False
    while not is_over:
        count = told(page)
        page.locator(".scene .is-offered, .acts .touches-row button").first.click()
        is_over = until_told(page, count)


def test_match_that_is_over_is_stepped_through(chromium, tables):
    """After the end its player steps through what it saw, by buttons and keys, and all where it is revealed."""
    with sitting(chromium, tables, "over", is_audited=True) as visit:
        page = visit.page
        play_on(page)
        page.get_by_role("button", name="Step through it").click()
        page.locator(".match .where", has_text="the last").wait_for()
        visit.settle()
        found = found_in_both_themes(visit, "seat-over")
        page.locator(".match").focus()
        page.keyboard.press("Home")
        page.locator(".where", has_text="the start").wait_for()
        hidden = [page.locator(".match .scene-card.face-down").count()]
        page.keyboard.press("ArrowRight")
        page.locator(".where", has_text="after turn 1").wait_for()
        hidden.append(page.locator(".match .scene-card.face-down").count())
        lines = page.locator(".turn").all_inner_texts()
        page.emulate_media(color_scheme="light")
        page.get_by_role("button", name="Look at all of it").click()
        page.locator(".match .detail").wait_for()
        page.locator(".match").focus()
        page.keyboard.press("Home")
        page.locator(".where", has_text="the start").wait_for()
        visit.settle()
        hidden.append(page.locator(".match .scene-card.face-down").count())
        page.keyboard.press("ArrowRight")
        page.locator(".detail", has_text="read as").wait_for()
        found += visit.audit()
        visit.picture("seat-revealed-light")
        page.set_viewport_size(NARROW)
        narrow = is_narrow_enough(page)
        page.get_by_role("button", name="Next match").click()
        page.locator(ASKED).wait_for()

    assert found == []
    assert narrow
    assert hidden == [1, 1, 0]
    assert lines


def test_whose_eyes_are_used_is_shown_while_somebody_sits_there(chromium, tables):
    """Whoever looks at a match that hides something, as whomever, sees a bystander's view pressed while one plays."""
    match = match_name("negotiation/person,other/0.1")
    with visiting(chromium, tables.served) as visit:
        page = visit.to(f"/run/draft/match/{match}")
        pressed = page.locator("[aria-labelledby=eyes] [aria-pressed=true]")
        found = [pressed.all_inner_texts()]
        page.locator("[aria-labelledby=eyes] button").nth(1).click()
        visit.settle()
        found.append(pressed.all_inner_texts())
        page.locator(".note", has_text="you see what a spectator sees").wait_for()
        size = sum(fetched(visit).values())

    assert size <= SENT, size
    assert found == [["a spectator"], ["a spectator"]]


@pytest.mark.parametrize("run", ["shown", "refused"])
def test_seat_is_accessible_in_both_themes_and_narrow(chromium, tables, run):
    """Seats with a picture and with a form pass all rules in light, those of contrast in dark, and fit a telephone."""
    with sitting(chromium, tables, run, is_audited=True, color_scheme="light") as visit:
        page = visit.page
        sizes = fetched(visit)
        page.get_by_role("button", name="Rules").click()
        for look_up in page.get_by_role("group", name="what to look up").get_by_role("button").all():
            look_up.click()
        found = visit.audit()
        visit.picture(f"seat-{run}-light")
        page.emulate_media(color_scheme="dark")
        found += visit.audit("color-contrast")
        visit.picture(f"seat-{run}-dark")
        page.set_viewport_size(NARROW)
        narrow = is_narrow_enough(page)
        visit.picture(f"seat-{run}-narrow")

    assert found == []
    assert narrow
    assert 30_000 < sum(sizes.values()) <= SENT, sum(sizes.values())


def test_picture_of_the_docs(chromium, tables):
    """The picture of a seat in the docs is of a page that opens; copying it from build/web renews it."""
    with sitting(chromium, tables, "shown", viewport={"width": 1280, "height": 800}) as visit:
        page = visit.page
        for column in (3, 2):
            count = told(page)
            touch(page, f"board/column:{column}")
            until_told(page, count)
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURES / "web-seat.png")

    assert "images/web-seat.png" in (DOCS / "web.md").read_text("utf-8")
    assert (DOCS / "images" / "web-seat.png").stat().st_size < 120_000


@pytest.mark.parametrize("link", ["", "A" * 43])
def test_link_that_opens_nothing(chromium, tables, link):
    """Without a key, or with an old one, the page says what to open, and asks no more."""
    start = f"{tables.served.address}/seat#{link}"
    with sitting(chromium, tables, "", until=".wrong", start=start, is_audited=True) as visit:
        page = visit.page
        asked = []
        page.on("request", lambda own: asked.append(own.url) if "/api/" in own.url else None)

        assert "open your link again" in page.locator(".wrong").inner_text()
        assert visit.audit() == []
        assert asked == []


def test_answers_to_a_seat_are_only_text(chromium, tables):
    """Whatever texts stand in what a seat is told, the page makes no element, link or script of them."""
    kept = {
        "after_turn",
        "checks",
        "match",
        "options",
        "schema",
        "touches",
        "turn",
        "try",
        "action",
        "path",
        "element",
        "place",
        "scene",
    }

    def spoil(route: Any) -> None:
        answer = route.fetch()
        data = answer.json() if answer.status != 204 else None
        spoilt = {
            name: value if name in kept else hostile(value, "".join(ATTACKS)) for name, value in (data or {}).items()
        }
        route.fulfill(
            response=answer, body=json.dumps({**spoilt, **({"state": data["state"]} if "state" in data else {})})
        )

    link = tables.link("shown")
    with visiting(chromium, tables.served, is_known_missing=True, with_key=False) as visit:
        page = visit.page
        page.add_init_script("window.calls = []; window.attacked = (what) => window.calls.push(what);")
        page.route(re.compile(r"/api/1/seat(\?|$|/turn\?|/position\?)"), spoil)
        page.goto(link)
        page.locator(ASKED).wait_for()
        page.get_by_role("button", name="Rules").click()
        found = page.evaluate(FOUND)

    assert found == NOTHING
