"""Pages of what is larger than people play: what is in sight is there, and the browser holds little more."""

from typing import Any

import pytest

from ..sizes import LONG, TURNS, long_match, long_prompt, many_runs
from .conftest import Served, serving, visiting

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

HEAP = 150_000_000
"""A page holds no more bytes."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The server of a run whose match is long, of one with a long prompt, and of three hundred more."""
    pytest.importorskip("pyspiel")
    folder = tmp_path_factory.mktemp("large")
    (folder / "runs").mkdir()
    long_match(folder / "runs")
    many_runs(long_prompt(folder / "runs"), folder / "runs" / "many", 300)
    with serving(folder / "runs", folder / "state") as served:
        yield served


def match_of(served: Served, run: str) -> str:
    """The address of the only match of a run."""
    import json
    from urllib.request import Request, urlopen

    asked = Request(f"{served.address}/api/1/run/{run}/matches", headers={"Authorization": f"Bearer {served.key}"})
    with urlopen(asked) as answer:
        return f"/run/{run}/match/{json.load(answer)['matches'][0]['match']}"


def held(visit: Any) -> int:
    """The bytes that the page holds, after what it needs no more is gone."""
    session = visit.page.context.new_cdp_session(visit.page)
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"]


@pytest.mark.campaign
def test_match_of_many_turns_lists_those_in_sight(large, chromium):
    """Of 5,000 turns two hundred are on the page, around the chosen one, and each position is reached by the slider."""
    with visiting(chromium, large) as visit:
        page = visit.to(match_of(large, "long"))
        page.locator(".turn[aria-current=true]").wait_for()
        assert page.locator(".turn[aria-current=true] .n").inner_text() == str(TURNS)
        for turn in (1, 2_500, 2_501, TURNS - 1):
            page.get_by_role("slider").fill(str(turn))
            page.locator(f".turn[aria-current=true]:has(.n:text-is('{turn}'))").wait_for()
            page.locator(".detail h2", has_text=f"Turn {turn:,}").wait_for()
        page.locator(".position svg, .position .scene-text, .position pre").first.wait_for()

        assert page.locator(".turns li").count() <= 200
        assert held(visit) <= HEAP
        assert visit.complaints == []


def test_long_prompt_is_shown_in_parts(large, chromium):
    """Of ten million characters 20,000 come with the turn, and a hundred thousand more each time they are asked for."""
    received: list[int] = []
    with visiting(chromium, large) as visit:
        visit.page.on("response", lambda answer: received.append(len(answer.body())) if "/api/" in answer.url else None)
        page = visit.to(f"{match_of(large, 'prompt')}?at=1")
        shown = page.get_by_label("message of user")
        more = page.get_by_role("button", name="Show 100,000 more")
        more.wait_for()
        assert len(shown.inner_text()) == 20_000
        assert max(received) <= 250_000
        more.click()
        page.get_by_text(f"120,000 of {LONG + 18:,} characters").wait_for()

        assert max(received) <= 250_000
        assert held(visit) <= HEAP
        assert visit.complaints == []


def test_list_of_many_runs_has_a_page_for_each_fifty(large: Served, chromium):
    """Three hundred and two runs are found, fifty are shown, and the next fifty are a press away."""
    with visiting(chromium, large) as visit:
        page = visit.to("/")
        page.locator("tbody tr").nth(49).wait_for()
        assert page.locator("tbody tr").count() == 50
        assert held(visit) <= HEAP
        assert visit.complaints == []
