"""A run is played on and made larger from its page, and a match in play is ended from its own."""

import json

import pytest

from .conftest import play, serving, visiting

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

SHORT = """
name: short
seed: 1
games: {tic-tac-toe: tic-tac-toe}
agents: {random: random, first-legal: first-legal}
schedule: {use: round-robin, repeats: 2}
metrics: [outcomes]
"""


@pytest.mark.campaign
def test_run_is_made_larger_by_keyboard(chromium, tmp_path):
    """What cannot be pressed says why; a form that opens takes the focus; what went wrong stands at the button."""
    (tmp_path / "runs").mkdir()
    play(tmp_path, SHORT, "short")
    with (
        serving(tmp_path / "runs", tmp_path / "state") as served,
        visiting(chromium, served, is_audited=True, is_known_missing=True) as visit,
    ):
        page = visit.to("/run/short")
        assert page.get_by_role("button", name="Resume").is_disabled()
        assert page.locator("#why-resume").inner_text() == "every match has a result; none is left to play"
        page.get_by_role("button", name="Extend").focus()
        page.keyboard.press("Enter")
        page.locator("input[name=repeats]:focus").wait_for()
        problem = {"error": {"where": "short", "what": "no plugin called 'x'", "remedy": "pip install x"}}
        page.route(
            "**/extend",
            lambda route: route.fulfill(status=409, content_type="application/json", body=json.dumps(problem)),
        )
        page.keyboard.press("Enter")
        page.locator(".holding .wrong").wait_for()
        found = visit.audit()
        visit.picture("run-extend-light")
        page.emulate_media(color_scheme="dark")
        found += visit.audit("color-contrast")
        visit.picture("run-extend-dark")
        page.unroute_all(behavior="ignoreErrors")
        page.locator("input[name=repeats]").fill("3")
        page.keyboard.press("Enter")
        page.locator(".facts", has_text="6 of 6").wait_for()

    assert found == []


def test_match_in_play_is_cancelled(chromium, live):
    """The button of a match in play asks once more; pressed again it ends the match, which then says so."""
    with visiting(chromium, live.served) as visit:
        page = visit.to(live.held(), until=".chip.live")
        page.get_by_role("button", name="Cancel match").click()
        page.get_by_role("button", name="Really cancel").click()

        page.get_by_text("cancelled, no result").first.wait_for()
        live.ask("/run/slow/continue", "POST")
