"""New match: put together by pointer and by keys alone, with mistakes, with keys, and started."""

import json
import os
import re
import subprocess
import zipfile
from contextlib import suppress

import attrs
import pytest
from arena_testing.fixtures.distributions import Installed

from ..coins import COINS
from .conftest import ARENA, serving, visiting
from .filling import Keys, Pointer
from .test_smoke import SENT, fetched
from .test_states import NARROW, is_narrow_enough

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

CANARY = "sk-canary-1f2e3d4c5b6a7988"


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """A server without runs, beside a game of somebody else, and without keys of providers in its environment."""
    folder = tmp_path_factory.mktemp("new")
    (folder / "runs").mkdir()
    installed = Installed(folder / "site")
    installed.add("acme-coins", {"arena.games": {"acme-coins": "acme_coins:COINS"}}, {"acme_coins.py": COINS})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder / "site"), os.environ.get("PYTHONPATH", "")]))
        for name in [name for name in os.environ if name.endswith(("_API_KEY", "_TOKEN"))]:
            patch.delenv(name)
        with serving(folder / "runs", folder / "state") as served:
            yield served, folder / "runs"


def at_the_form(visit):
    """The page, with the position that is drawn."""
    page = visit.to("/new/match", until=".seats")
    visit.settle()
    return page


def choose(hand, page, name, value, place=0):
    """Choose one of a list by its name, by pointer or keys."""
    hand.select(f"#{page.get_by_role('combobox', name=name, exact=True).nth(place).get_attribute('id')}", value)


def write(hand, page, name, text, place=0):
    """Type into a field by its name."""
    hand.write(f"#{page.get_by_role('textbox', name=name, exact=True).nth(place).get_attribute('id')}", text)


def start(hand, page):
    """Press Start, and wait for the end of the run; the name of the run."""
    hand.press("button:text-is('Start')")
    page.wait_for_url("**/run/*")
    page.locator(".chip.good", has_text="finished").wait_for()
    return page.url.rpartition("/")[2]


def rows(page, title):
    """A table's rows as texts."""
    table = page.get_by_role("region", name=title).locator("tbody tr")
    table.first.wait_for()
    return [" ".join(text.split()) for text in table.all_inner_texts()]


@pytest.mark.parametrize("by", [Pointer, pytest.param(Keys, marks=pytest.mark.campaign)])
def test_two_games_are_queued_and_played(chromium, host, by):
    """By pointer or by keys alone: two games, another pair in the second, one taken out again; both are played."""
    served, _ = host
    with visiting(chromium, served) as visit:
        page = visit.to("/", until=".empty, tbody")
        hand = by(page)
        hand.follow("a:text-is('New match')")
        page.locator(".seats").wait_for()
        choose(hand, page, "Game", "tic-tac-toe")
        page.get_by_text("Player 1, X").wait_for()
        choose(hand, page, "Agent", "first-legal")
        hand.press("button:text-is('Add a game or pair')")
        page.locator(".queue li").nth(1).wait_for()
        choose(hand, page, "Game", "kuhn-poker")
        page.locator(".queue li[aria-current]", has_text="kuhn-poker").wait_for()
        write(hand, page, "Number of matches", "2")
        hand.press("button:text-is('Add a game or pair')")
        page.locator(".queue li").nth(2).wait_for()
        hand.press("button[aria-label='Remove pair 3']")
        page.locator(".queue li").nth(2).wait_for(state="detached")
        write(hand, page, "Name", f"two-{by.__name__.lower()}")
        start(hand, page)

        assert page.locator("h1").inner_text() == f"two-{by.__name__.lower()}"
        assert page.locator(".facts").first.inner_text().startswith("10 of 10 matches")
        assert {row.rpartition(" ")[0][:20] for row in rows(page, "Results by seat")}
        assert sum(row.startswith("kuhn-poker") for row in rows(page, "Results by seat")) == 4


def test_game_of_somebody_else_is_set(chromium, host):
    """Parameters that lie in each other, lists, names and alternatives are filled in, and stand in the file."""
    served, _ = host
    value = {
        "table": {"purses": [{"coins": 2, "kind": "tin"}, {"coins": 3}], "by-name": {"ann": 4}},
        "limit": {"coins": 1, "kind": "wood"},
    }
    with visiting(chromium, served) as visit:
        page = at_the_form(visit)
        hand = Pointer(page)
        choose(hand, page, "Game", "acme-coins")
        page.locator(".fold summary").first.click()
        page.locator(".settings .form").first.wait_for()
        hand.press("[data-add='#/table/purses']")
        for place, purse in enumerate(value["table"]["purses"]):
            for name, told in purse.items():
                hand.write(f"[data-key='#/table/purses/{place}/{name}']", str(told))
        hand.write("[data-name='#/table/by-name']", "ann")
        hand.press("[data-add='#/table/by-name']")
        hand.write("[data-key='#/table/by-name/ann']", "4")
        hand.press("[data-tab='#/limit#1']")
        for name, told in value["limit"].items():
            hand.write(f"[data-key='#/limit/{name}']", str(told))
        page.get_by_role("button", name="The file").click()
        page.get_by_role("group", name="the benchmark file").wait_for()
        text = page.get_by_role("group", name="the benchmark file").inner_text()

    import yaml

    assert [*yaml.safe_load(text)["games"].values()] == [{"use": "acme-coins", **value}]


def model(page, server, place=0):
    """Let a model play in a seat, that of a server."""
    hand = Pointer(page)
    choose(hand, page, "Who plays", "model", place)
    page.get_by_role("button", name="Test this model").first.wait_for()
    choose(hand, page, "Reached by", "litellm")
    page.locator(".seat .settings").first.wait_for()
    hand.write("[data-key='#/model']", "openai/tiny")
    hand.write("[data-key='#/base-url']", server.address)


@pytest.fixture
def server(model_server):
    """A model with a key, which plays the first action that a prompt lists, and says that it is ready else."""

    def answer(body):
        texts = [each["content"] for each in body["messages"] if isinstance(each["content"], str)]
        listed = re.findall(r"Your legal actions:\n- (.+)", "\n".join(texts))
        return json.dumps({"action": listed[-1]}) if listed else "ready"

    return model_server(answer, key=CANARY)


def stored(page) -> str:
    """What the browser keeps, and where it is."""
    return page.evaluate(
        "async () => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, "
        "history.state, await indexedDB.databases(), await caches.keys()])"
    )


@attrs.frozen
class Heard:
    """What a page is told by its server, and each request that it makes: its address and all that it holds."""

    told: list[str] = attrs.field(factory=list)
    asked: list[tuple[str, str]] = attrs.field(factory=list)

    def asked_with(self, text):
        """The routes that a text was sent to, one for each time."""
        return [url.rpartition("/api/1")[2] for url, sent in self.asked if text in sent]


def heard_by(page) -> Heard:
    """What a page says and hears from here on."""
    from playwright.sync_api import Error

    heard = Heard()

    def kept(route):
        with suppress(Error):  # of a page that is left no answer comes
            answer = route.fetch()
            heard.told.append(answer.text())
            route.fulfill(response=answer)

    page.route("**/api/1/**", kept)
    page.on("request", lambda own: heard.asked.append((own.url, f"{own.url} {own.post_data or ''} {own.headers}")))
    return heard


def tried(page, key, until):
    """What the page says once the model was tried with a key."""
    page.locator("input[type=password]").fill(key)
    Pointer(page).press("button:text-is('Test this model')")
    page.locator(until).wait_for()
    return page.locator(until).inner_text()


def set_key(page, key, button="Set the key"):
    """Type a key and set it."""
    page.locator("input[type=password]").fill(key)
    page.get_by_role("button", name=button).click()


def forget(page):
    """Forget the key; the value of the field in its place."""
    Pointer(page).press("button:text-is('Forget')")
    page.locator("input[type=password]").wait_for()
    return page.locator("input[type=password]").input_value()


@pytest.mark.campaign
def test_key_is_tried_and_forgotten(chromium, host, server):
    """A wrong key is told in the provider's words, without itself; one that is forgotten is not sent to a run."""
    served, _ = host
    with visiting(chromium, served, is_known_missing=True) as visit:
        page = at_the_form(visit)
        heard = heard_by(page)
        choose(Pointer(page), page, "Game", "grid-tic-tac-toe")
        model(page, server)
        refused = tried(page, "sk-wrong-0a9b8c7d6e5f", ".test .wrong")
        forget(page)
        answered = tried(page, CANARY, ".test q")
        left = forget(page)
        Pointer(page).press("button:text-is('Start')")
        page.wait_for_url("**/run/*")
        page.wait_for_function("() => document.querySelector('.chip') !== null")

    assert "Incorrect API key" in refused
    assert "sk-wrong" not in refused
    assert answered == "ready"
    assert left == ""
    assert heard.asked_with(CANARY) == ["/new/keys"]  # once
    assert [text for text in heard.told if CANARY in text] == []


@pytest.mark.campaign
def test_key_is_sent_once_and_lies_nowhere(chromium, host, server):
    """A key is typed, tried and used: what the page shows, keeps, is told and asks for elsewhere does not hold it."""
    served, runs = host
    with visiting(chromium, served, is_known_missing=True) as visit:
        page = at_the_form(visit)
        heard, hand = heard_by(page), Pointer(page)
        choose(hand, page, "Game", "grid-tic-tac-toe")
        model(page, server)
        choose(hand, page, "The position is shown as", "illustration")
        tried(page, CANARY, ".test q")
        shown = [page.content(), page.locator("main").inner_text(), stored(page)]
        write(hand, page, "Number of matches", "2")
        hand.press("button:text-is('Estimate')")
        page.locator(".estimated").wait_for()
        estimated = page.locator(".estimated").inner_text()
        hand.press("button:text-is('The file')")
        page.get_by_role("group", name="the benchmark file").wait_for()
        shown.append(page.content())
        page.reload()
        page.get_by_role("button", name="Forget").wait_for()
        assert page.locator("input[type=password]").count() == 0
        run = start(hand, page)
        shown += [page.content(), stored(page)]
        visit.to("/new/match", until=".seats")
        assert forget(page) == ""

    assert "4" in estimated
    assert [text for text in [*shown, *heard.told] if CANARY in text] == []
    assert heard.asked_with(CANARY) == ["/new/keys"]  # once
    files = [path for path in runs.rglob("*") if path.is_file()]
    assert [str(path) for path in files if CANARY.encode() in path.read_bytes()] == []
    assert (runs / run / "journal.sqlite").is_file()


KEY_NAMES = {
    "OPENAI_API_KEY": {"use": "openai-compatible", "parameters": {"model": "gpt-4o"}},
    "KEY_GPU_BOX_8000": {
        "use": "openai-compatible",
        "parameters": {"model": "Qwen/Qwen3-4B", "base-url": "http://gpu-box:8000/v1"},
    },
    "GEMINI_API_KEY": {"use": "litellm", "parameters": {"model": "gemini/gemini-2.5-flash"}},
    "LITELLM_API_KEY": {"use": "litellm", "parameters": {"model": "gpt-4o"}},
}
NAMED = """async (backends) => {
    const { keyName } = await import("/static/new_plan.js");
    return backends.map(keyName);
}"""


def test_a_key_is_named_after_where_it_goes(chromium, host):
    """The server, else the provider; without an address `openai-compatible` asks OpenAI, whatever the model's name."""
    served, _ = host
    with visiting(chromium, served) as visit:
        names = at_the_form(visit).evaluate(NAMED, [*KEY_NAMES.values()])

    assert names == [*KEY_NAMES]


TIED = """(own) => (own.getAttribute("aria-describedby") ?? "").split(" ")
    .map((id) => document.getElementById(id)?.textContent).filter(Boolean)"""
"""The texts that are tied to a field."""


def test_each_mistake_stands_at_its_field(chromium, host):
    """All at once, each tied to its field; the first has the focus, all are read aloud; what is mended goes."""
    served, _ = host
    with visiting(chromium, served, is_known_missing=True) as visit:
        page = at_the_form(visit)
        hand = Pointer(page)
        choose(hand, page, "Game", "grid-tic-tac-toe")
        page.locator(".beside-picture summary").first.click()
        page.locator(".settings .form").first.wait_for()
        hand.write("[data-key='#/align']", "9")
        page.locator(".beside-picture .form-wrong").wait_for()
        choose(hand, page, "Who plays", "model")
        page.get_by_role("button", name="Test this model").wait_for()
        choose(hand, page, "Illegal moves allowed", "other")
        for name, text in (("Number of matches", "0"), ("Number", "many"), ("Seed", "x")):
            write(hand, page, name, text)
        hand.press("button:text-is('Start')")
        page.locator(".mistakes").wait_for()
        page.locator("[aria-invalid=true]:focus").wait_for()
        told = page.locator("#said-at-once", has_text="mistakes").inner_text()
        wrong = {
            own.get_attribute("data-key") or own.locator("xpath=../label").inner_text(): " ".join(own.evaluate(TIED))
            for own in page.locator("main [aria-invalid=true]").all()
        }
        first = page.evaluate("() => document.activeElement === document.querySelector('main [aria-invalid=true]')")
        write(hand, page, "Number of matches", "1")
        page.wait_for_function("() => document.querySelectorAll('.mistakes li').length === 4")

    said = {
        "#/align": "no line of 9 fits on 3 rows and 3 columns",
        "#/model": "required (PROVIDER/MODEL",
        "Number of matches": "expected a number from 1 to 1,000,000, got 0",
        "Number": "expected int, got 'many'",
        "Seed": "expected int, got 'x'",
    }
    assert first
    assert [name for name, text in said.items() if text not in wrong.get(name, "")] == [], wrong
    assert [text for text in said.values() if text not in told] == [], told


def look(visit, state):
    """The findings in a state of the page, in both themes and in a narrow window, which may not scroll sideways."""
    page = visit.page
    page.emulate_media(color_scheme="light")
    found = visit.audit()
    visit.picture(f"new-match-{state}-light")
    page.set_viewport_size(NARROW)
    page.emulate_media(color_scheme="dark")
    found += visit.audit("color-contrast", "target-size")
    visit.picture(f"new-match-{state}-narrow-dark")
    found += [] if is_narrow_enough(page) else [(state, "it scrolls sideways")]
    page.set_viewport_size({"width": 1280, "height": 900})
    return found


@pytest.mark.campaign
def test_form_is_accessible_in_every_state(chromium, host, server):
    """At first sight, filled in and with a mistake: no finding in either theme, no scroll sideways, few bytes."""
    served, _ = host
    with visiting(chromium, served, is_audited=True, is_known_missing=True, color_scheme="light") as visit:
        page = at_the_form(visit)
        hand = Pointer(page)
        size = sum(fetched(visit).values())
        found = look(visit, "first")
        choose(hand, page, "Game", "grid-tic-tac-toe")
        page.locator(".beside-picture summary").first.click()
        page.locator(".settings .form").first.wait_for()
        model(page, server)
        choose(hand, page, "Who plays", "person", 1)
        hand.press("button:text-is('Add a game or pair')")
        page.locator(".queue li").nth(1).wait_for()
        visit.settle()
        found += look(visit, "filled")
        write(hand, page, "Number of matches", "0")
        hand.press("button:text-is('Estimate')")
        page.locator(".mistakes").wait_for()
        found += look(visit, "mistakes")
        write(hand, page, "Number of matches", "2")
        page.locator(".mistakes").wait_for(state="detached")

    assert size <= SENT
    assert found == []


@pytest.mark.campaign
def test_start_is_accessible_in_every_state(chromium, host, server):
    """With the file, an estimate and the question for a key: no finding in either theme, no scroll sideways."""
    served, _ = host
    with visiting(chromium, served, is_audited=True, is_known_missing=True, color_scheme="light") as visit:
        page = at_the_form(visit)
        hand = Pointer(page)
        choose(hand, page, "Game", "grid-tic-tac-toe")
        model(page, server)
        hand.press("button:text-is('The file')")
        page.get_by_role("group", name="the benchmark file").wait_for()
        found = look(visit, "file")
        set_key(page, "sk-0a1b2c3d4e5f6071")
        page.get_by_role("button", name="Forget").wait_for()
        hand.press("button:text-is('Estimate')")
        page.locator(".estimated").wait_for()
        name = page.locator(".seat code").inner_text()
        found += look(visit, "estimate")
        page.evaluate(FORGET, [served.key, name])  # as a server that was started again does
        hand.press("button:text-is('Start')")
        page.get_by_role("form", name="Keys that are needed").wait_for()
        found += look(visit, "key")

    assert found == []


FORGET = """([key, name]) => fetch("/api/1/new/keys/forget", {method: "POST", body: JSON.stringify({name}),
    headers: {Authorization: `Bearer ${key}`, "Content-Type": "application/json"}})"""


WALK = """async (key) => {
    const answer = await fetch("/api/1/new/choices", {headers: {Authorization: `Bearer ${key}`}});
    const choices = await answer.json();
    const { SchemaForm } = await import("/static/schema_form.js");
    const [shown, free, lost] = [[], [], []];
    for (const { name, schema } of [...choices.games, ...choices.agents, ...choices.backends]) {
        const view = new SchemaForm({ front: Object.keys(schema.properties ?? {}) });
        view.show(schema, {});
        const controls = [...view.element.querySelectorAll("[data-key], [data-add], [data-tab]")];
        for (const own of Object.keys(schema.properties ?? {})) {
            const isOf = ({ dataset }) => [dataset.key, dataset.add, dataset.tab]
                .some((key) => key?.startsWith(`#/${own}`) && !/[\\w-]/.test(key[own.length + 2] ?? ""));
            const found = controls.filter(isOf);
            (found.length ? shown : lost).push(`${name}.${own}`);
            if (found.some((each) => each.matches(`.form-json[data-key="#/${own}"]`))) free.push(`${name}.${own}`);
        }
    }
    return { shown, free, lost };
}"""
"""Makes a form of every schema; which parameters are shown, which of them as JSON, and which have no field."""


def test_every_schema_is_a_form(chromium, host):
    """Each parameter of each installed game, agent and backend has a field, and none is filled in as JSON."""
    served, _ = host
    with visiting(chromium, served) as visit:
        found = at_the_form(visit).evaluate(WALK, served.key)

    assert found["lost"] == []
    assert len(found["shown"]) > 200
    assert found["free"] == []


def test_reader_finds_no_way_to_start(chromium, folder, tmp_path):
    """With --read-only there is no button, and the page says why."""
    with serving(folder / "runs", tmp_path / "state", "--read-only") as served, visiting(chromium, served) as visit:
        page = visit.to("/", until="tbody")
        assert page.get_by_role("link", name="New match").count() == 0
        page = visit.to("/new/match")

        assert "--read-only" in page.locator("main").inner_text()


def fill_in_grid_games(page, server):
    """A model plays three games of the paper, each in another form."""
    hand = Pointer(page)
    choose(hand, page, "Game", "grid-tic-tac-toe")
    model(page, server)
    page.locator(".seat .fold summary").first.click()
    hand.write("[data-key='#/can']", "images")  # a server of one's own says nothing of what its model can
    choose(hand, page, "The position is shown as", "list")
    for game, form in (("grid-connect-four", "illustration"), ("gomoku", "image")):
        hand.press("button:text-is('Add a game or pair')")
        choose(hand, page, "Game", game)
        page.locator(".queue li[aria-current]", has_text=game).wait_for()
        page.get_by_role("button", name="Test this model").wait_for()
        choose(hand, page, "The position is shown as", form)
    write(hand, page, "Name", "closed")


def in_another_tab(visit):
    """Close the page of a visit, which goes on in another tab of the same browser."""
    visit.page.close()
    visit.page = visit.page.context.new_page()
    return visit.page


@pytest.fixture
def stopped(chromium, tmp_path, server) -> str:
    """The path of a run of grid games that was filled in, started and stopped, each in a tab of its own."""
    (tmp_path / "runs").mkdir()
    server.free = 40
    with serving(tmp_path / "runs", tmp_path / "state") as served, visiting(chromium, served) as visit:
        fill_in_grid_games(at_the_form(visit), server)
        page = in_another_tab(visit)
        at_the_form(visit)
        assert page.locator(".queue li").count() == 3
        page.get_by_role("button", name="Test this model").wait_for()
        set_key(page, CANARY)
        page.get_by_role("button", name="Forget").wait_for()
        Pointer(page).press("button:text-is('Start')")
        page.wait_for_url("**/run/*")
        path = page.url.removeprefix(served.address)
        page = in_another_tab(visit)
        visit.to(path)
        page.get_by_text("X to move · invalid responses: X 0 of 3, O 0 of 3").first.wait_for()
        visit.picture("run-in-play-light")
        Pointer(page).press("button:text-is('Stop')")
        page.get_by_role("button", name="Resume").wait_for()
    server.released.set()
    return path


def downloaded(page, button):
    """The file that a button of a page gives."""
    with page.expect_download() as file:
        page.get_by_role("button", name=button).click()
    return file.value.path()


@pytest.mark.campaign
def test_grid_games_are_played_whatever_is_closed(chromium, tmp_path, stopped):
    """What was filled in is there in a new tab; a run goes on without one; a new server asks for the key, and plays on.

    In the end the files are those of ``arena export``, and the submissions are read by ``arena import``.
    """
    runs = tmp_path / "runs"
    with (
        serving(runs, tmp_path / "state") as served,
        visiting(chromium, served, is_known_missing=True, is_audited=True) as visit,
    ):
        page = visit.to(stopped)
        page.get_by_role("button", name="Resume").click()
        page.get_by_role("form", name="Keys that are needed").wait_for()
        found = visit.audit()
        visit.picture("run-key-light")
        set_key(page, CANARY, "Set and continue")
        page.locator(".chip.good", has_text="finished").wait_for()
        results = rows(page, "Results by seat")
        given = downloaded(page, "files as LLM-Game-Benchmark").read_bytes()
        with zipfile.ZipFile(downloaded(page, "submission files")) as packed:
            packed.extractall(tmp_path / "submissions")
        visit.settle()
        found += visit.audit()
        visit.picture("run-finished-light")

    run = runs / stopped.rpartition("/")[2]
    subprocess.run([ARENA, "export", run, "--format", "llm-game-benchmark", "-o", tmp_path / "exported"], check=True)
    tables = sorted((tmp_path / "submissions").glob("*_submission.json"))
    subprocess.run([ARENA, "import", "llm-game-benchmark", *tables, "-o", tmp_path / "imported.csv"], check=True)
    assert found == []
    assert len(results) == 12
    assert given == (tmp_path / "exported" / "all.zip").read_bytes()
    assert len((tmp_path / "imported.csv").read_text("utf-8").splitlines()) == 1 + 2 * 3
    assert len(tables) == 3
