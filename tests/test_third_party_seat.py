"""A game that was written outside of this repository is played in a browser, beside an Arena that was installed."""

import json
import os
import re
import shutil
import signal
import subprocess
from typing import Any

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        shutil.which("chromium") is None and "ARENA_NEEDS_CHROMIUM" not in os.environ,
        reason="needs Chromium: apt install chromium",
    ),
]

BENCH = {
    "name": "nim",
    "seed": 3,
    "games": {"nim": {"use": "nim", "heaps": [1, 2, 3]}},
    "agents": {"person": {"use": "open-seat", "title": "Ann"}, "random": "random"},
    "schedule": {"use": "fixed", "seatings": [["person", "random"]]},
    "metrics": [],
}


@pytest.fixture
def link(third_party, build_wheel, environment_with, tmp_path):
    """The link of a seat at Nim, whose wheel was installed with Arena's wheels and nothing of the checkout."""
    environment = environment_with("playarena-web", "playarena-agent-baseline", build_wheel(third_party.directory))
    (tmp_path / "nim.yaml").write_text(json.dumps(BENCH))
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    command = [environment.python, "-m", "arena_cli", "run", "nim.yaml", "--output", "run", "--web"]
    own = {**kept, "XDG_STATE_HOME": str(tmp_path / "state"), "BROWSER": "true"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as run:
        said: list[str] = []
        try:
            assert run.stderr
            for line in run.stderr:
                said.append(line)
                if found := re.search(r"\S+/seat#\S+", line):
                    break
            else:
                raise AssertionError("".join(said))
            yield found[0]
        finally:
            run.send_signal(signal.SIGINT)
            run.communicate()


@pytest.mark.campaign
def test_game_of_somebody_else_is_played_by_touch(link: str):
    """From its wheel alone a game has a seat: things are touched in its picture until somebody has won."""
    from playwright.sync_api import sync_playwright

    complaints: list[str] = []

    def hear(said: Any) -> None:
        if "Failed to load resource" not in said.text:  # that a match is over is an answer of its own status
            complaints.append(said.text)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"],
        )
        page = browser.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(link)
        asked, over = page.locator(".ask.is-asked"), page.locator(".ask.is-over")
        asked.wait_for()
        sentence = page.locator(".ask .sentence").inner_text()
        while not over.count():
            told = page.locator(".log li").count()
            page.locator(".scene .is-offered").first.click()
            page.wait_for_function("(told) => document.querySelectorAll('.log li').length > told", arg=told)
            asked.or_(over).first.wait_for()
        shown = page.locator("main").inner_text()
        browser.close()

    assert complaints == []
    assert sentence == "Touch a thing: it is taken with all that lie to its right."
    assert re.search(r"^You (won|lost)\.$", shown, re.M)
    assert re.search(r"first took \d from heap [ABC]", shown)
