"""The page of a bystander: one match, as far as it is public, by a link that its host makes and ends."""

import json
import re

import pytest

from .conftest import visiting
from .test_pictures import DOCS
from .test_smoke import SENT, fetched
from .test_states import NARROW, found_in_both_themes, is_narrow_enough

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

MADE = ".links input[readonly]"


def lent(visit, address: str) -> str:
    """A link to watch a match, as its host makes it in the dialog of the match's page."""
    page = visit.to(address)
    page.get_by_role("button", name="Spectator links").click()
    page.get_by_role("button", name="Make a link").click()
    page.locator(MADE).wait_for()
    page.locator(".links li").first.wait_for()
    return page.locator(MADE).input_value()


def test_host_lends_and_ends_links(chromium, served, ask):
    """A link to watch is made on the page of the match for a while, listed on that of the run, and ended there."""
    found = ask("/run/demo/matches?game=kuhn-poker&limit=1")["matches"][0]["match"]
    with visiting(chromium, served, is_audited=True) as host:
        page = host.to(f"/run/demo/match/{found}")
        page.get_by_role("button", name="Spectator links").click()
        page.get_by_label("It opens").select_option("for an hour")
        page.get_by_role("button", name="Make a link").click()
        page.locator(".links li", has_text="until 20").wait_for()
        link = page.locator(MADE).input_value()
        complaints = host.audit()
        host.picture("links-match-light")
        page.set_viewport_size(NARROW)
        narrow = is_narrow_enough(page)
        host.picture("links-match-narrow")
        page.keyboard.press("Escape")
        page.locator(".links").wait_for(state="detached")
        page.set_viewport_size({"width": 1280, "height": 900})
        host.to("/run/demo").get_by_role("button", name="Links").click()
        own = page.locator(".links li", has_text="kuhn-poker")
        own.first.wait_for()
        complaints += host.audit()
        host.picture("links-run-light")
        with visiting(chromium, served, start=link, is_known_missing=True) as watching:
            watching.page.locator(".turn").first.wait_for()
            own.get_by_role("button", name="End").first.click()
            own.wait_for(state="detached")
            watching.page.reload()
            watching.page.locator(".wrong").wait_for()
            told = watching.page.locator(".wrong").inner_text()

    assert complaints == []
    assert narrow
    assert told.startswith("this link is not valid any more")
    assert "arena view" not in told


def test_picture_of_the_page_is_in_the_docs():
    """The docs show the page of a bystander, by a picture that loads quickly."""
    assert "images/web-watch.png" in (DOCS / "web.md").read_text("utf-8")
    assert (DOCS / "images" / "web-watch.png").stat().st_size < 120_000


def test_bystander_steps_through_a_match(chromium, served, ask):
    """A bystander sees the board, the seats and what happened, steps by buttons and keys, and never a card."""
    found = ask("/run/demo/matches?game=kuhn-poker&limit=1")["matches"][0]["match"]
    with visiting(chromium, served) as host:
        link = lent(host, f"/run/demo/match/{found}")
    with visiting(chromium, served, start=link, is_audited=True, color_scheme="light") as visit:
        page = visit.page
        page.locator(".turn").first.wait_for()
        visit.settle()
        sizes, kept = fetched(visit), page.evaluate("() => [location.hash, Object.keys(localStorage)]")
        audited = found_in_both_themes(visit, "watch")
        total = page.locator(".turn").count()
        page.keyboard.press("Home")
        page.locator(".where", has_text="the start").wait_for()
        for step in range(total):
            page.keyboard.press("ArrowRight")
            page.locator(f".turn[aria-current=true] .n:text-is('{step + 1}')").wait_for()
        last = page.locator(".where").inner_text()
        page.get_by_role("button", name="One turn back").click()
        page.locator(f".where:has-text('{total - 1} of')").wait_for()
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 720})
        visit.picture("web-watch")
        cards = page.locator(".scene-card:not(.face-down)").count()
        text = page.locator("main").inner_text()
        page.set_viewport_size(NARROW)
        narrow = is_narrow_enough(page)
        visit.picture("watch-narrow")

    assert audited == []
    assert narrow
    assert sum(sizes.values()) <= SENT
    assert not {"match.js", "main.js", "turn.js"} & set(sizes)
    assert kept == ["", ["arena.theme"]]
    assert last.endswith("the last")
    assert cards == 0
    assert not {"first-legal", "random", "model", "kuhn-poker/"} & set(re.split(r"[\s,]", text))


def test_bystander_follows_a_match(chromium, live):
    """A match in play grows by itself, without being asked for."""
    address = live.held()
    with visiting(chromium, live.served) as host:
        link = lent(host, address)
    with visiting(chromium, live.served, start=link, is_known_missing=True) as visit:
        page = visit.page
        page.locator(".chip.live").wait_for()
        visit.settle()
        before = page.locator(".turn").count()
        asked = []
        page.on("request", lambda own: asked.append(own.url))
        live.ask("/run/slow/continue", "POST")
        page.wait_for_function("(before) => document.querySelectorAll('.turn').length > before", arg=before)
        again = [url for url in asked if url.endswith("/watch")]
        assert not again or live.ask(address)["state"] != "playing"  # its end is asked for
        assert page.locator(".position .scene-piece").count() > 0


def test_link_ends_while_a_match_is_followed(chromium, live):
    """Once the link to a match in play is ended, the page says so without being loaded again."""
    address = live.held()  # a match that is over is followed no further
    with visiting(chromium, live.served) as host:
        link = lent(host, address)
    with visiting(chromium, live.served, start=link, is_known_missing=True) as visit:
        page = visit.page
        page.locator(".chip.live").wait_for()
        visit.settle()
        for own in live.ask("/links")["links"]:
            if own["label"]:
                live.ask(f"/links/{own['id']}", "DELETE")
        page.locator(".wrong", has_text="not valid any more").wait_for()
    live.ask("/run/slow/continue", "POST")


def test_page_of_a_bystander_says_what_went_wrong(chromium, served):
    """Without a key, while it loads and where an answer is an error, the page says so, and an audit finds nothing."""
    problem = {"error": {"where": "match", "what": "the match cannot be shown", "remedy": "ask the host"}}
    with visiting(chromium, served, start=f"{served.address}/watch", is_audited=True, is_known_missing=True) as visit:
        without = visit.page.locator(".wrong").inner_text()
        found = visit.audit()
        held = []
        visit.page.route(re.compile("/api/1/"), lambda route: held.append(route))
        visit.page.goto(f"{served.address}/watch#{'A' * 43}")
        visit.page.locator(".bars").wait_for()
        found += visit.audit()
    with visiting(chromium, served, start=f"{served.address}/seat", is_audited=True, is_known_missing=True) as visit:
        statuses = [429]  # is asked again
        visit.page.route(
            re.compile("/api/1/watch"),
            lambda route: route.fulfill(
                status=statuses.pop() if statuses else 500, content_type="application/json", body=json.dumps(problem)
            ),
        )
        visit.page.goto(f"{served.address}/watch#{'A' * 43}")
        visit.page.locator(".wrong").wait_for()
        told = visit.page.locator(".wrong").inner_text()
        found += visit.audit()

    assert "open your link again" in without
    assert statuses == []
    assert all(text in told for text in problem["error"].values())
    assert found == []


def test_host_shows_all_of_a_match_that_somebody_plays(chromium, tables):
    """The page says why less is seen; pressed twice, all is shown, and the page says that it is marked."""
    with visiting(chromium, tables.served, is_audited=True) as visit:
        page = visit.to("/run/kuhn-poker")
        page.locator(".minis a.mini").first.click()
        note = page.locator(".note", has_text="what a spectator sees")
        note.wait_for()
        visit.settle()
        hidden = page.locator(".position .face-down").count()
        found = visit.audit()
        visit.picture("match-hidden-light")
        page.get_by_role("button", name="Show all").click()
        page.get_by_role("button", name="Really show all").click()
        page.locator(".note", has_text="Watched by the host").wait_for()
        visit.settle()
        page.wait_for_function("() => !document.querySelector('.position .face-down')")
        found += visit.audit()

    assert hidden == 2
    assert found == []
