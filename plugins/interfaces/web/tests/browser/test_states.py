"""Every page in every state: it loads without a complaint, an audit finds nothing, and it is as wide as a telephone."""

import json
import re
import shutil

import pytest

from .conftest import Visit, serving, visiting
from .test_smoke import SENT, fetched

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

PAGES = {
    "runs": "/",
    "run": "/run/demo",
    "matches": "/run/demo/matches",
    "match": "",
    "report": "/run/many/report",
    "compare": "/compare?run=demo&run=many",
    "plugins": "/plugins?kind=game",
}
HUGE = {
    "runs": "/?q=m",
    "run": "/run/many",
    "matches": "/run/many/matches?sort=turns&descending=1",
}
EMPTY = {
    "runs": "/?q=nothing-is-called-so",
    "matches": "/run/demo/matches?game=kuhn-poker&has=forfeit",
    "compare": "/compare",
    "plugins": "/plugins?q=nothing-is-called-so",
    "unknown": "/nowhere",
}
NARROW = {"width": 320, "height": 700}
CUTS = 4
"""How often a connection is cut: the first after three messages, the others after their first."""


def states():
    """Each page as it is, where it is long, and where it is empty."""
    for state, pages in (("there", PAGES), ("huge", HUGE), ("empty", EMPTY)):
        for name, path in pages.items():
            marks = [pytest.mark.campaign] if (state == "huge" and name != "matches") or name == "compare" else []
            yield pytest.param(name, state, path, id=f"{name}-{state}", marks=marks)


def is_narrow_enough(page) -> bool:
    """Whether the page itself does not scroll sideways."""
    return page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def found_in_both_themes(visit: Visit, name: str) -> list[tuple[str, str]]:
    """The findings on a page that is light, by all rules, and then dark, as it stays, by contrast; with pictures."""
    found = visit.audit()
    visit.picture(f"{name}-light")
    visit.page.emulate_media(color_scheme="dark")
    found += visit.audit("color-contrast")
    visit.picture(f"{name}-dark")
    return found


@pytest.mark.parametrize(("name", "state", "path"), [*states()])
def test_page_is_accessible_in_both_themes_and_narrow(chromium, served, match, name, state, path):
    """A page in this state passes all rules in light, those of contrast in dark, and needs no sideways scroll."""
    with visiting(chromium, served, is_audited=True, color_scheme="light", is_known_missing=name == "unknown") as visit:
        page = visit.to(path or match)
        found = found_in_both_themes(visit, f"{name}-{state}")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(NARROW)
        narrow = is_narrow_enough(page)
        visit.picture(f"{name}-{state}-narrow")

    assert found == []
    assert narrow


@pytest.mark.parametrize("name", PAGES)
def test_page_is_accessible_while_it_loads(chromium, served, match, name):
    """Until its answer comes a page has its frame and grey bars, and an audit finds nothing."""
    with visiting(chromium, served, is_audited=True) as visit:
        held = []
        visit.page.route(re.compile("/api/1/(?!me$)"), lambda route: held.append(route))
        page = visit.to(PAGES[name] or match, until=".bars")
        found = visit.audit()
        visit.picture(f"{name}-loading-light")
        headings = page.locator("h1").count()
        page.unroute_all(behavior="ignoreErrors")

    assert found == []
    assert headings == 1


@pytest.mark.parametrize("name", PAGES)
def test_page_says_what_went_wrong(chromium, served, match, name):
    """Where an answer is an error the page says what, where and what to do, and its frame still works."""
    problem = {"error": {"where": "the journal", "what": "row 7 is damaged", "remedy": "see arena verify"}}
    with visiting(chromium, served, is_audited=True, is_known_missing=True) as visit:
        visit.page.route(
            re.compile("/api/1/(?!me$)"),
            lambda route: route.fulfill(status=500, content_type="application/json", body=json.dumps(problem)),
        )
        page = visit.to(PAGES[name] or match, until=".wrong")
        told = page.locator(".wrong").first.inner_text()
        found = visit.audit()
        visit.picture(f"{name}-error-light")

    assert found == []
    assert all(text in told for text in problem["error"].values())


def test_page_without_a_key_says_what_to_open(chromium, served):
    """Whoever comes without the link is told which one to open, and nothing more is asked of the server."""
    with visiting(chromium, served, is_audited=True, with_key=False) as visit:
        page = visit.to("/run/demo", until=".wrong")

        assert "arena view" in page.locator(".wrong").inner_text()
        assert visit.audit() == []


def test_wrong_key_is_not_tried_again(chromium, served):
    """A link of an earlier start says so, and the page stops asking."""
    with visiting(chromium, served, with_key=False, is_known_missing=True) as visit:
        asked = []
        visit.page.on("request", lambda own: asked.append(own.url) if "/api/" in own.url else None)
        visit.page.goto(f"{served.address}/#key={'A' * 43}")
        visit.page.locator(".wrong").first.wait_for()

        assert "not valid any more" in visit.page.locator(".wrong").first.inner_text()
        assert visit.page.evaluate("() => location.hash") == ""
        assert len(asked) <= 2


def test_directory_without_runs_says_how_to_start_one(chromium, tmp_path):
    """A directory without runs is an empty page with the command that makes one."""
    (tmp_path / "runs").mkdir()
    with serving(tmp_path / "runs", tmp_path / "state") as served, visiting(chromium, served, is_audited=True) as visit:
        page = visit.to("/")

        assert "arena run" in page.locator(".empty").inner_text()
        assert visit.audit() == []
        visit.picture("runs-none-light")


@pytest.mark.parametrize("how", ["socket", "asked"])
def test_list_of_runs_is_followed(chromium, folder, tmp_path, how):
    """A run that comes or goes is shown as it does, over the connection or without one, and the list is not polled."""
    (tmp_path / "runs").mkdir()
    with serving(tmp_path / "runs", tmp_path / "state") as served, visiting(chromium, served) as visit:
        page = visit.page
        if how == "asked":
            page.add_init_script("delete globalThis.WebSocket")
        asked = []
        page.on("request", lambda own: asked.append(own.url.partition("/api/1")[2]))
        told = []
        page.on("response", lambda own: told.append(own.url) if "/live?" in own.url else None)
        page.on("websocket", lambda own: own.on("framereceived", lambda frame: told.append(frame)))
        visit.to("/", until=".empty")
        page.wait_for_function("() => performance.getEntriesByName(location.origin + '/api/1/runs').length > 1")
        copied = shutil.copytree(folder / "runs" / "demo", tmp_path / "copied")

        copied.rename(tmp_path / "runs" / "copy")
        page.get_by_role("link", name="demo", exact=True).wait_for()
        page.get_by_text("who is better").wait_for()
        (tmp_path / "runs" / "copy").rename(tmp_path / "copied")
        page.locator(".empty").wait_for()

    assert asked.count("/runs") <= 2 + len(told)
    assert len(told) <= 20
    assert bool([path for path in asked if path.startswith("/live?")]) == (how == "asked")


@pytest.mark.campaign
def test_run_is_watched_while_it_is_played(chromium, live):
    """A run that another process plays shows its progress, and a match in play grows by itself."""
    with visiting(chromium, live.served, is_audited=True) as visit:
        page = visit.to("/")
        page.get_by_role("link", name="slow").click()
        page.locator(".progress").wait_for()
        assert page.locator(".chip.live").count() == 1
        page.locator(".mini").first.wait_for()
        found = visit.audit()
        visit.picture("run-live-light")
        address = live.held()
        visit.to(address, until=".match")
        visit.settle()
        before = page.locator(".turn").count()
        polled = []
        page.on("request", lambda own: polled.append(own.url))
        live.ask("/run/slow/continue", "POST")
        page.wait_for_function("(before) => document.querySelectorAll('.turn').length > before", arg=before)
        asked = [url for url in polled if "/live?" in url or url.endswith("as=all")]
        assert not asked or live.ask(address)["state"] != "playing"  # its end is asked for
        sizes = fetched(visit)
        found += visit.audit()
        visit.picture("match-live-light")

    assert found == []
    assert {"live.js", "cancel.js"} <= set(sizes)
    assert sum(sizes.values()) <= SENT


@pytest.mark.parametrize("how", ["cut", "refused"])
def test_match_is_followed_whatever_happens_to_the_connection(chromium, live, how):
    """Over a connection that is cut again and again, or by asking and waiting, a match in play shows each turn once."""
    cuts = []

    def between(route):
        if how == "refused":
            route.close()
            return
        server = route.connect_to_server()
        told = []

        def hand_on(message):
            told.append(message)
            route.send(message)
            if len(told) == (1 if cuts else 3) and len(cuts) < CUTS:
                cuts.append(route)
                route.close()
                server.close()

        server.on_message(hand_on)

    with visiting(chromium, live.served, is_known_missing=True) as visit:
        page = visit.page
        page.route_web_socket("**/api/1/live", between)
        asked = []
        page.on("request", lambda own: asked.append(own.url))
        visit.to(live.held(), until=".chip.live")
        live.ask("/run/slow/continue", "POST")
        page.locator(".chip.live").wait_for(state="detached")
        visit.settle()
        shown = page.locator(".turn .n").all_inner_texts()
        pieces = page.locator(".position .scene-piece").count()
        waited = [url for url in asked if "/api/1/live?" in url]

    assert shown == [str(number + 1) for number in range(len(shown))]
    assert pieces == len(shown) > 4
    assert bool(waited) == (how == "refused")
    assert len(cuts) > 1 or how == "refused"


def test_server_that_falls_silent_is_told(chromium, live):
    """Once the server is silent for two seconds the page says so, and stays readable."""
    with visiting(chromium, live.served, is_known_missing=True) as visit:
        page = visit.to("/")
        page.get_by_role("link", name="slow").click()
        page.locator(".progress").wait_for()
        page.context.set_offline(True)
        page.locator(".reached.lost").wait_for()

        assert page.locator(".progress").count() == 1
        page.context.set_offline(False)
        page.locator(".reached.lost").wait_for(state="detached")


def test_damaged_run_is_told_in_its_row(visit):
    """A run whose journal is damaged says so in its row; the others work."""
    page = visit.to("/")
    row = page.get_by_role("row", name="damaged")

    assert row.locator(".why").inner_text()
    assert page.get_by_role("row", name="demo").get_by_text("finished").count() == 1
