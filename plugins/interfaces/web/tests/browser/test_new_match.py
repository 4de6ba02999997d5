"""New match: put together by pointer and by keys alone, with mistakes, with keys, and started."""

import json
import os

import pytest
from arena_testing.distributions import Installed

from .conftest import serving, visiting
from .filling import Keys, Pointer, enter, quoted
from .model_server import model_server
from .test_smoke import fetched
from .test_states import NARROW, is_narrow_enough

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

CANARY = "sk-canary-1f2e3d4c5b6a7988"

COINS = """
import attrs
from arena.game import Decision, Game, GameFacts, Options, State
from arena.plugin import Plugin
from arena.record import GameEvent

COINS = Plugin(api=2, factory="acme_coins:Coins", summary="takes a coin")


@attrs.frozen
class Purse:
    coins: int = attrs.field(default=3, metadata={"help": "how many there are"})
    kind: str = attrs.field(default="gold", metadata={"help": "what they are of"})


@attrs.frozen
class Table:
    purses: tuple[Purse, ...] = (Purse(),)
    by_name: dict[str, int] = attrs.field(factory=dict)


class _State(State):
    def __init__(self, left):
        self.left = left

    def to_act(self):
        return (self.left % 2,) if self.left else ()

    def decision(self, player):
        return Decision(player=player, options=Options((1,), "take {}".format))

    def observe(self, player):
        return {"left": self.left}

    def apply(self, actions):
        self.left -= 1
        return (GameEvent("taken", {"left": self.left}, None),)

    def returns(self):
        return None if self.left else (1.0, -1.0)


@attrs.frozen
class Coins(Game):
    table: Table = attrs.field(default=Table(), metadata={"help": "what lies there"})
    limit: int | Purse | None = attrs.field(default=None, metadata={"help": "a number, or a purse"})
    rules = "Take a coin."

    def player_counts(self):
        return (2,)

    def facts(self, players):
        return GameFacts(returns="zero-sum", min_return=-1.0, max_return=1.0)

    def start(self, chance, players):
        return _State(sum(purse.coins for purse in self.table.purses)), ()
"""
"""A game of somebody else whose parameters lie in each other."""


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


@pytest.mark.parametrize("by", [Pointer, Keys])
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
        page.locator(".settings .form").wait_for()
        schema = page.evaluate("async (key) => (await (await fetch('/api/1/new/choices', {headers: {Authorization: `Bearer ${key}`}})).json()).games.find((own) => own.name === 'acme-coins').schema", served.key)
        form = page.evaluate("async (schema) => (await import('/static/settings_form.js')).formOf(schema)", schema)
        enter(hand, form, value)
        page.get_by_role("button", name="The file").click()
        page.get_by_role("group", name="the benchmark file").wait_for()
        text = page.get_by_role("group", name="the benchmark file").inner_text()

    import yaml

    assert yaml.safe_load(text)["games"]["acme-coins"] == {"use": "acme-coins", **value}
