"""The leaderboard's page in a real browser, from a file and without a network."""

import shutil
from contextlib import contextmanager

import pytest

BENCHMARK = """
name: swept
games: {tic-tac-toe: tic-tac-toe, kuhn: kuhn-poker, small: {use: connect-four, columns: 4, rows: 4, align: 3}}
agents:
  a-model-with-a-rather-long-name-2026-11:
    use: llm
    backend:
      use: scripted
      answers: ['{"reasoning": "", "action": "row 1, column 1"}', '{"reasoning": "", "action": "row 1, column 2"}']
  random: random
  first: first-legal
sweep: {agents.a-model-with-a-rather-long-name-2026-11.prompt.style: [direct, chain-of-thought]}
schedule: {use: round-robin, repeats: 6}
illegal-actions: {retries: 0, then: random}
metrics: []
"""


@pytest.fixture(scope="module")
def made(arena, played, tmp_path_factory):
    """The page of one run."""
    path = tmp_path_factory.mktemp("page") / "leaderboard.html"
    done = arena("leaderboard", played("swept", BENCHMARK), "-o", path)
    assert done.exit_code == 0, done.stderr
    return path


@contextmanager
def opened(path, width: int, *, has_scripts: bool = True):
    """The page in Chromium; requests beyond the file and errors of scripts fail the test."""
    from playwright.sync_api import sync_playwright

    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = browser.new_context(
            offline=True, viewport={"width": width, "height": 800}, java_script_enabled=has_scripts
        )
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: errors.append(asked.url) if not asked.url.startswith("file:") else None)
        page.goto(path.as_uri())
        yield page
        browser.close()
    assert errors == []


def agents(page) -> list[str]:
    rows = page.locator("section:not([hidden])").first.locator("tbody tr:not([hidden])")
    return [row.locator("td").nth(1).inner_text() for row in rows.all()]


@pytest.mark.campaign
def test_page_sorts_and_filters(made):
    """The ranking comes first; a heading sorts it both ways, a game shows its own, a part of a name narrows it."""
    with opened(made, 1280) as page:
        ranked = agents(page)
        assert len(ranked) == 4
        head = page.locator("section").first.get_by_role("button", name="rating")
        head.click()
        downwards = agents(page)
        head.click()
        assert sorted(downwards) == sorted(ranked)
        assert page.locator("section").first.locator("th[aria-sort=ascending]").inner_text().startswith("rating")
        shown = page.locator("section").first.locator("tbody tr td:nth-child(3)").all_inner_texts()
        ratings = [float(own.replace(",", "")) for own in shown]
        assert ratings == sorted(ratings)

        page.select_option("#game", "kuhn")
        assert page.locator("section:visible h2").all_inner_texts() == ["kuhn"]
        page.fill("#agent", "long-name")
        assert len(agents(page)) == 2
        assert page.locator("#count").inner_text() == "2 rows"


@pytest.mark.campaign
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("has_scripts", [True, False])
def test_page_fits(made, width, has_scripts):
    """Nothing is cut off on the right, and the first screen has the ranking with its first agent."""
    with opened(made, width, has_scripts=has_scripts) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for cell in page.locator("section:visible td:visible").all():
            box = cell.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
        first = page.locator("tbody tr").first.bounding_box()
        assert first is not None
        assert first["y"] < 800
        for details in page.locator("details").all():
            details.locator("summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
