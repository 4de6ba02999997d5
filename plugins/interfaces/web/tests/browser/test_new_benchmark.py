"""A benchmark is written as a form and as YAML beside it, checked, tried without playing, and started."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import PICTURES, Served, Visit, serving, visiting
from .filling import Keys
from .test_pictures import DOCS

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

COMMENTED = """\
# What I want to know.
name: mine
games:
  ttt: {use: tic-tac-toe}  # the usual one
agents: {random: random, first: first-legal}
schedule: {use: round-robin, repeats: 2}
"""

MISTAKEN = """\
name: mine
games: {ttt: {use: tic-tac-too, rows: 3}}
agents:
  random: random
  llm: {use: llm, backend: {use: litellm, temprature: 3}}
schedule: {use: round-robin, repeats: x}
illegal-actions: {retries: -1}
"""

KEYED = """\
games: {ttt: tic-tac-toe}
agents:
  model: {use: llm, backend: {use: litellm, model: openai/gpt-4o, api-key: "${CANARY_KEY}"}}
  random: random
"""

CANARY = "sk-canary-9f3a77"


@pytest.fixture(scope="module")
def starting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of a directory in which runs are started."""
    folder = tmp_path_factory.mktemp("starting")
    (folder / "runs").mkdir()
    with serving(folder / "runs", folder / "state") as server:
        yield server


def text_has(page: Any, text: str) -> None:
    """Wait until the YAML has a text."""
    page.wait_for_function("(text) => document.getElementById('yaml')?.value.includes(text)", arg=text)


def field(page: Any, pointer: str) -> Any:
    """The field of a place in the benchmark."""
    return page.locator(f'[data-pointer="#{pointer}"]')


def focused(page: Any, wanted: str) -> None:
    """Go on by Tab until an element has the focus."""
    for _ in range(400):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    pytest.fail(f"no Tab leads to {wanted}")


def played(page: Any) -> None:
    """Wait for the page of a run that has been played to its end."""
    page.wait_for_url(re.compile(r"/run/[\w.-]+$"))
    page.locator(".facts", has_text=re.compile(r"(\d+) of \1 matches|all \d+ matches|4 of 4")).first.wait_for()


def test_from_the_list_to_a_run_by_pointer(chromium, starting):
    """Games, agents and schedule are chosen; the dry run says what it takes; the run is played. All in both themes."""
    with visiting(chromium, starting, is_audited=True) as visit:
        page = visit.page
        page.get_by_role("link", name="New benchmark").click()
        page.locator("#yaml").wait_for()
        found = visit.audit()
        for where, name in (("games", "tic-tac-toe"), ("agents", "random"), ("agents", "first-legal")):
            page.locator(f'[data-name="#/{where}"]').select_option(name)
            page.locator(f'[data-add="#/{where}"]').click()
        page.get_by_label("name of first-legal").fill("first")
        page.get_by_label("name of first-legal").press("Enter")
        field(page, "/schedule/use").select_option("round-robin")
        field(page, "/schedule/repeats").fill("5")
        text_has(page, "repeats: 5")
        assert "first: first-legal" in page.locator("#yaml").input_value()
        assert "rotate-seats" not in page.locator("#yaml").input_value()
        assert page.get_by_role("button", name="Start").is_disabled()
        page.get_by_role("button", name="Dry run").click()
        page.locator(".told-apart").wait_for()
        assert "a true 75:25 pair" in page.locator(".told-apart").inner_text()
        page.evaluate("() => scrollTo(0, 0)")
        page.screenshot(path=PICTURES / "web-new-benchmark.png")
        found += looked_at(visit, "estimated")
        page.reload()
        text_has(page, "repeats: 5")
        assert field(page, "/schedule/repeats").input_value() == "5"
        page.get_by_role("button", name="Dry run").click()
        page.get_by_role("button", name="Start").click()
        played(page)

    assert found == []
    assert "images/web-new-benchmark.png" in (DOCS / "web.md").read_text("utf-8")
    assert (DOCS / "images" / "web-new-benchmark.png").stat().st_size < 120_000


def looked_at(visit: Visit, name: str) -> list[Any]:
    """What is wrong with how the page looks, in both themes and on a narrow screen."""
    page = visit.page
    found = visit.audit()
    visit.picture(f"new-benchmark-{name}-light")
    page.emulate_media(color_scheme="dark")
    found += visit.audit("color-contrast")
    visit.picture(f"new-benchmark-{name}-dark")
    page.set_viewport_size({"width": 320, "height": 700})
    found += visit.audit()
    if page.evaluate("() => document.documentElement.scrollWidth > innerWidth"):
        found.append((name, "scrolls sideways at 320 px"))
    visit.picture(f"new-benchmark-{name}-narrow")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
    return found


@pytest.mark.campaign
def test_from_a_text_to_a_run_by_keyboard(chromium, starting):
    """Everything is reached by Tab: the text is written, a field of the form is changed, the run is started."""
    with visiting(chromium, starting) as visit:
        page = visit.page
        focused(page, "a[href='/new/benchmark']")
        page.keyboard.press("Enter")
        page.locator("#yaml").wait_for()
        hand = Keys(page)  # by arrows: of letters that come a second apart, a list takes each for another word
        for kind, name in (("games", "tic-tac-toe"), ("agents", "random"), ("agents", "first-legal")):
            hand.select(f"[data-name='#/{kind}']", name)
            page.keyboard.press("Enter")
        focused(page, "[data-pointer='#/schedule/use']")
        page.keyboard.type("self-play")
        focused(page, "[data-pointer='#/schedule/repeats']")
        page.keyboard.type("2")
        text_has(page, "repeats: 2")
        focused(page, "#yaml")
        page.keyboard.press("Control+End")
        page.keyboard.type("level: 0.9\n")
        page.wait_for_function("() => !document.querySelector('.starting button').disabled")
        focused(page, ".starting button")
        page.keyboard.press("Enter")
        page.locator(".told-apart, .estimated").first.wait_for()
        focused(page, ".starting button.main")
        page.keyboard.press("Enter")
        played(page)


def test_both_sides_are_in_step(chromium, starting):
    """A text becomes a form and keeps its comments; the form rewrites it and says so, and the text can be had back."""
    with visiting(chromium, starting) as visit:
        page = visit.to("/new/benchmark", until="#yaml")
        page.locator("#yaml").fill(COMMENTED)
        field(page, "/games/ttt/use").wait_for()
        assert field(page, "/schedule/repeats").input_value() == "2"
        assert page.locator("#yaml").input_value() == COMMENTED
        field(page, "/schedule/repeats").fill("3")
        text_has(page, "repeats: 3")
        assert "#" not in page.locator("#yaml").input_value()
        page.get_by_text("without your comments").wait_for()
        field(page, "/schedule/repeats").fill("")  # the default holds, and is not written
        page.wait_for_function("() => !document.getElementById('yaml').value.includes('repeats')")
        page.get_by_role("button", name="Bring my text back").click()
        text_has(page, "# the usual one")
        page.wait_for_function("() => document.querySelector('[data-pointer=\"#/schedule/repeats\"]').value === '2'")
        page.locator("#yaml").fill(COMMENTED.replace("repeats: 2", "repeats: 5"))
        field(page, "/seed").fill("11")  # the text is still on its way, and neither change is lost
        text_has(page, "seed: 11")
        assert "repeats: 5" in page.locator("#yaml").input_value()
        page.locator("#yaml").fill(COMMENTED + "api-key: sk-1234\n")
        page.wait_for_function("() => localStorage.getItem('arena.new.benchmark').includes('api-key')")
        kept = page.evaluate("() => localStorage.getItem('arena.new.benchmark')")
        page.locator("#yaml").fill("games: [")
        page.get_by_text("no YAML").wait_for()
        assert field(page, "/schedule/repeats").is_disabled()
        page.locator("#yaml").fill(COMMENTED)
        page.wait_for_function("() => !document.querySelector('[data-pointer=\"#/schedule/repeats\"]').disabled")
        page.get_by_label("Begin with").select_option("tradecraft-small")
        page.get_by_role("button", name="Take this suite").click()
        text_has(page, "name: tradecraft-small")
        page.get_by_role("button", name="Bring the other back").click()
        text_has(page, "# the usual one")

    assert "sk-1234" not in kept


@pytest.mark.campaign
def test_every_mistake_stands_at_its_field(chromium, starting):
    """Mistakes of several fields are told at once, each beside its field, in a list with ways there, and aloud."""
    with visiting(chromium, starting, is_audited=True) as visit:
        page = visit.to("/new/benchmark", until="#yaml")
        page.locator("#yaml").fill(MISTAKEN)
        page.locator(".mistakes li").first.wait_for()
        told = page.locator(".mistakes li").all_inner_texts()
        beside = {
            pointer: field(page, pointer).evaluate(
                "(own) => own.getAttribute('aria-describedby').split(' ')"
                ".map((id) => document.getElementById(id)).find((own) => own.matches('.form-wrong')).textContent"
            )
            for pointer in (
                "/games/ttt/use",
                "/agents/llm/backend/temprature",
                "/agents/llm/backend/model",
                "/schedule/repeats",
                "/illegal-actions/retries",
            )
        }
        aloud = page.locator("#said-at-once", has_text="mistakes").inner_text()  # which is said once they are drawn
        found = looked_at(visit, "mistakes")
        page.get_by_role("link", name="schedule.repeats", exact=True).click()
        assert page.evaluate("() => document.activeElement.dataset.pointer") == "#/schedule/repeats"
        page.get_by_role("link", name="line 6: schedule.repeats").click()
        line = page.evaluate(
            "() => document.activeElement.value.slice(document.activeElement.selectionStart).split('\\n')[0]"
        )
        field(page, "/schedule/repeats").fill("4")
        page.locator(".mistakes li", has_text="repeats").wait_for(state="detached")
        assert not field(page, "/schedule/repeats").evaluate("(own) => own.hasAttribute('aria-invalid')")

    assert len(told) == 5
    assert "no game called 'tic-tac-too' (did you mean 'tic-tac-toe'?)" in beside["/games/ttt/use"]
    assert "unknown key (did you mean 'temperature'?)" in beside["/agents/llm/backend/temprature"]
    assert "expected int, got 'x'" in beside["/schedule/repeats"]
    assert aloud.startswith("5 mistakes: ")
    assert all(what in aloud for what in beside.values())
    assert line == "schedule: {use: round-robin, repeats: x}"
    assert found == []


def test_missing_key_is_asked_for(chromium, starting):
    """A run whose key is missing cannot be started; the key that is typed is nowhere in the page or its storage."""
    with visiting(chromium, starting, is_audited=True) as visit:
        page = visit.to("/new/benchmark", until="#yaml")
        page.locator("#yaml").fill(KEYED)
        page.get_by_label("Key CANARY_KEY").wait_for()
        found = visit.audit()
        page.get_by_role("button", name="Dry run").click()
        page.locator(".told-apart").wait_for()
        assert page.get_by_role("button", name="Start").is_disabled()
        assert "CANARY_KEY" in page.locator("#why-start").inner_text()
        page.get_by_label("Key CANARY_KEY").fill(CANARY)
        page.get_by_role("button", name="Set").click()
        page.get_by_role("button", name="Forget CANARY_KEY").wait_for()
        page.wait_for_function("() => !document.querySelector('#why-start')")
        kept = page.evaluate("() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + location.href")
        shown = page.content()
        page.get_by_role("button", name="Forget CANARY_KEY").click()
        page.get_by_label("Key CANARY_KEY").wait_for()

    assert CANARY not in kept + shown
    assert found == []


def test_nothing_is_started_where_all_is_read_only(chromium, tmp_path):
    """The list has no button, and the page says how a run is started elsewhere."""
    (tmp_path / "runs").mkdir()
    with (
        serving(tmp_path / "runs", tmp_path / "state", "--read-only") as served,
        visiting(chromium, served, is_audited=True) as visit,
    ):
        page = visit.page
        page.locator(".empty").wait_for()
        assert page.get_by_role("link", name="New benchmark").count() == 0
        visit.to("/new/benchmark", until=".empty")
        assert visit.audit() == []
