"""The page of result lines in a real browser, from a file and without a network."""

import json
import shutil

import pytest
from arena_cli.application.group import group
from click.testing import CliRunner

ROW = {
    "PromptVersion": "",
    "Disqualifications-1st": "0",
    "Disqualifications-2nd": "0",
    "Draws": "0",
    "InvalidMovesRatio-1st": "0.5",
    "InvalidMovesRatio-2nd": "0",
    "TotalMoves-1st": "20",
    "TotalMoves-2nd": "15",
}


def row(game: str, form: str, first: str, second: str, wins: tuple[int, int], number: int):
    return {
        **ROW,
        "GameType": game,
        "PromptType": form,
        "LLM1stPlayer": first,
        "LLM2ndPlayer": second,
        "WinRatio-1st": str(wins[0] / 5),
        "WinRatio-2nd": str(wins[1] / 5),
        "Wins-1st": str(wins[0]),
        "Wins-2nd": str(wins[1]),
        "UUID": f"u-{number}",
    }


ROWS = [
    row("ttt", "list", "ann", "bob", (4, 1), 1),
    row("ttt", "list", "bob", "ann", (2, 3), 2),
    row("ttt", "image", "ann", "bob", (1, 4), 3),
    row("four", "list", "ann", "cid", (5, 0), 4),
]


@pytest.fixture
def page(tmp_path):
    """The page, open in Chromium, which must be on the machine; requests beyond the file fail the test."""
    from playwright.sync_api import sync_playwright

    (tmp_path / "rows.json").write_text(json.dumps(ROWS))
    made = tmp_path / "board.html"
    done = CliRunner().invoke(
        group, ["leaderboard", str(tmp_path / "rows.json"), "--format", "lines", "-o", str(made)], prog_name="arena"
    )
    assert done.exit_code == 0, done.stderr
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        opened = browser.new_context(offline=True).new_page()
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.on(
            "request", lambda request: errors.append(request.url) if not request.url.startswith("file:") else None
        )
        opened.goto(made.as_uri())
        yield opened
        browser.close()
    assert errors == []


def lines(page) -> list[list[str]]:
    return [row.locator("td").all_inner_texts() for row in page.locator("#lines tr").all()]


@pytest.mark.campaign
def test_page_sorts_filters_and_adds_up(page):
    """All lines are there at first; choices narrow them, a heading sorts them, other lines add them up."""
    assert len(lines(page)) == 6
    page.select_option("#game", "ttt")
    page.select_option("#form", "list")
    page.select_option("#by", "agent")

    assert {own[0]: (own[1], own[2]) for own in lines(page)} == {"ann": ("5", "5"), "bob": ("5", "5")}
    assert lines(page)[0][3].startswith("80.0% [")

    page.get_by_role("button", name="wins 2nd").click()
    downwards = [own[0] for own in lines(page)]
    page.get_by_role("button", name="wins 2nd").click()
    upwards = [own[0] for own in lines(page)]
    assert downwards == upwards[::-1] == ["ann", "bob"]
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("wins 2nd")

    page.select_option("#form", "")
    page.select_option("#by", "game")
    page.select_option("#game", "")
    found = {own[0]: own for own in lines(page)}
    assert found["ttt"][1] == "15"
    assert found["ttt"][5:7] == ["7", "8"]
    page.locator("summary").click()
    assert "rows.json" in page.locator("#sources").inner_text()
