"""The first screen of a page, and what is folded below it, read as text and in a real browser."""

import json
import shutil
from html import escape
from pathlib import Path

import arena
import attrs
import pytest
from arena_engine import Journal
from arena_report import MatchView, Report, build, fold_variants
from arena_report_html.html import Html
from arena_scene import scene_script, scene_style

THREE = {
    "name": "three",
    "games": {"tic-tac-toe": "tic-tac-toe", "hex": {"use": "hex", "rows": 3, "columns": 3}},
    "agents": {"mcts": {"use": "mcts", "simulations": 20}, "first": "first-legal", "random": "random"},
    "schedule": {"use": "round-robin", "repeats": 4},
    "metrics": ["outcomes"],
    "seed": 3,
}
VARIANTS = {
    "name": "variants",
    "games": {"two": "two-by-two-play"},
    "agents": {"first": "first-legal", "random": "random"},
    "sweep": {"games.two.game": [f"1{row}{column}" for row in range(1, 7) for column in range(1, 7)]},
    "metrics": ["outcomes"],
}


def made(tmp_path: Path, benchmark: dict, **changes) -> Report:
    """The report of a run, as ``arena report`` makes it."""
    return reported(arena.run({**benchmark, **changes}, output=tmp_path / "run").directory)


def reported(run: Path) -> Report:
    """The report of a run that was played."""
    with Journal.open(run) as journal:
        return fold_variants(build([journal], boards=True))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of ``THREE``, which most tests look at."""
    return arena.run(THREE, output=tmp_path_factory.mktemp("three") / "run").directory


def written(tmp_path: Path, report: Report, **parameters) -> str:
    path = tmp_path / "report.html"
    Html(**parameters).write(report, path)
    return path.read_text("utf-8")


@pytest.fixture
def browser():
    """Chromium, which must be on the machine."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.mark.campaign
def test_what_is_asked_first_comes_first(tmp_path, three):
    """What was played, the verdict, the chart, the ranking, who played, how to do it again, then the contents."""
    report = reported(three)
    text = written(tmp_path, report)
    text = text[text.index("<main>") :]

    marks = ["<h1>three", f"{report.headline.matches} matches", escape(report.verdict.sentences[0])]
    marks += [
        'class="chart"',
        "<caption>Ranking",
        "<caption>Who played",
        "How to do it again",
        "<nav",
        'id="section-1"',
    ]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)


@pytest.mark.campaign
def test_two_agents_in_one_game_have_their_record_and_the_chart(tmp_path):
    """Wins, draws and losses of two agents in one game are in the ranking, and the intervals are drawn."""
    agents = {"mcts": THREE["agents"]["mcts"], "random": "random"}
    report = made(tmp_path, THREE, games={"hex": THREE["games"]["hex"]}, agents=agents)
    text = written(tmp_path, report)

    for row in report.verdict.rows:
        assert f">{row.won}\u2013{row.drawn}\u2013{row.lost}</td>" in text
    assert text.count('<span class="track">') == 2


@pytest.mark.campaign
def test_only_the_most_surprising_matches_are_told(tmp_path, three):
    """Matches lost by the favourite, long ones and those with refusals are told; the rest is in a second file."""
    report = reported(three)
    text = written(tmp_path, report, matches=5)
    rest = (tmp_path / "matches.html").read_text("utf-8")

    assert text.count('<details class="match') == 5
    assert rest.count('<details class="match') == len(report.matches) - 5
    assert 'href="matches.html"' in text
    longest = max(report.matches, key=lambda match: match.turns)
    assert longest.id in text


@pytest.mark.campaign
def test_upset_is_told_before_what_is_usual(tmp_path, three):
    """A match that the better agent lost is among those told, though it is short and nothing was refused."""
    report = reported(three)
    best, *_, worst = (each.agent for each in report.verdict.rows)
    view = MatchView(
        id="", game="g", players=(best, worst), ending="rules", returns=(1.0, -1.0), turns=9, refusals=0, substitutes=0
    )
    usual = tuple(attrs.evolve(view, id=f"m{i}") for i in range(30))
    upset = attrs.evolve(view, id="upset", returns=(-1.0, 1.0), turns=2)
    text = written(tmp_path, attrs.evolve(report, matches=(*usual, upset)), matches=2)

    assert "upset" in text


@pytest.mark.campaign
def test_few_matches_need_no_second_file(tmp_path):
    """Where all matches fit, nothing is written beside the page."""
    written(tmp_path, made(tmp_path, THREE, schedule={"use": "round-robin"}), matches=500)

    assert not (tmp_path / "matches.html").exists()


@pytest.mark.campaign
def test_variants_are_folded_and_can_be_opened(tmp_path, browser):
    """The variants of a game are one row; their rows can be unfolded, the greatest deviation first."""
    written(tmp_path, made(tmp_path, VARIANTS))
    page = browser.new_page()
    page.goto((tmp_path / "report.html").as_uri())

    assert page.get_by_text("two (36 variants)").count() > 0
    row = page.locator("details.variants tbody tr").first
    assert not row.is_visible()
    page.evaluate("location.hash = '#section-1'")
    page.locator("#section-1 details.variants > summary").first.click()
    assert row.is_visible()


@pytest.mark.campaign
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("has_scripts", [True, False])
def test_first_screen_says_who_is_better(tmp_path, browser, width, has_scripts, three):
    """At both widths, with scripts and without, the first screen holds what was played, the verdict and the chart."""
    report = reported(three)
    written(tmp_path, report)
    page = browser.new_context(
        viewport={"width": width, "height": 800}, java_script_enabled=has_scripts, offline=True
    ).new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())

    for text in ("three", report.verdict.sentences[0]):
        box = page.get_by_text(text, exact=True).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 800
    chart = page.locator(".chart").bounding_box()
    assert chart is not None
    assert chart["y"] < 800
    assert page.locator(".chart .point, .chart .span").count() > 0
    assert page.get_by_role("button", name="Copy the benchmark file").count() == has_scripts
    assert errors == []
    if has_scripts:
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.campaign
def test_top_fits_one_wide_screen(tmp_path, browser, three):
    """The ranking, who played, how to do it again and what is doubtful are on the first screen of a usual window."""
    written(tmp_path, reported(three))
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((tmp_path / "report.html").as_uri())

    for part in (".headline", ".verdict", ".chart", "text=Ranking", "text=Who played", "#again", "#doubts"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800, part


@pytest.mark.campaign
def test_what_is_copied_is_a_benchmark_file(tmp_path, browser):
    """The button gives a benchmark that can be played again, with the same games, agents, schedule and seed."""
    written(tmp_path, made(tmp_path, THREE))
    context = browser.new_context()
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    page.locator("button.copy").click()
    page.get_by_text("Copied").wait_for()
    copied = json.loads(page.locator("#settings-1").text_content())

    again = arena.run(copied, output=tmp_path / "again")
    with Journal.open(again.directory) as second, Journal.open(tmp_path / "run") as first:
        assert [match.returns for match in build([second]).matches] == [
            match.returns for match in build([first]).matches
        ]


@pytest.mark.campaign
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_readers_out(tmp_path, browser, scheme, three):
    """An audit by axe-core finds nothing serious, folded and unfolded, in the page and in that of other matches."""
    from axe_playwright_python.sync_playwright import Axe

    written(tmp_path, reported(three), matches=4)
    for name in ("report.html", "matches.html"):
        # The audit is a script of its own, which the page's policy rightly refuses.
        page = browser.new_context(color_scheme=scheme, bypass_csp=True).new_page()
        page.goto((tmp_path / name).as_uri())
        for is_open in (False, True):
            page.evaluate(
                f"document.querySelectorAll('details').forEach((part) => {{ part.open = {str(is_open).lower()}; }})"
            )
            found = Axe().run(page).response["violations"]
            assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


@pytest.mark.campaign
def test_print_is_dark_on_white(tmp_path, browser, three):
    """What is printed has dark letters on white, though the reader's screen is dark, and no buttons."""
    written(tmp_path, reported(three))
    page = browser.new_context(color_scheme="dark").new_page()
    page.goto((tmp_path / "report.html").as_uri())
    page.emulate_media(media="print", color_scheme="dark")

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 31, 36)"
    assert not page.locator("button.copy").is_visible()


@pytest.mark.campaign
def test_a_report_on_144_games_can_be_read(tmp_path):
    """A page on 144 games has at most 1 MB and without the renderer 2,000 lines, with all variants of first tables."""
    games = [f"{layer}{row}{column}" for layer in range(1, 5) for row in range(1, 7) for column in range(1, 7)]
    report = made(
        tmp_path,
        VARIANTS,
        sweep={"games.two.game": games},
        schedule={"use": "round-robin", "repeats": 2},
        metrics=["outcomes", "illegal-actions"],
    )
    text = written(tmp_path, report)

    assert report.match_count == 576
    assert len(text.encode()) <= 1_000_000
    assert text.replace(scene_script(), "").replace(scene_style(), "").count("\n") <= 2_000


@pytest.mark.campaign
def test_rows_are_cards_on_a_telephone(tmp_path, browser, three):
    """No table is wider than the screen; the number of each row comes first, and each value has its label."""
    written(tmp_path, reported(three))
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((tmp_path / "report.html").as_uri())
    page.evaluate("for (const part of document.querySelectorAll('details.part')) part.open = true")

    wide = "[...document.querySelectorAll('.scroll')].filter((own) => own.scrollWidth > own.clientWidth + 1).length"
    assert page.evaluate(wide) == 0
    row = page.locator("tbody tr").first
    lead, key = (row.locator(name).bounding_box() for name in ("td.lead", "td.key"))
    assert (lead["y"], lead["x"]) < (key["y"] + key["height"], key["x"])
    label = "getComputedStyle(document.querySelector('tbody td.lead'), '::before').content"
    assert page.evaluate(label) == '"rating"'
    assert page.locator(".chart .value").first.bounding_box()["y"] < 844
