"""People play games of several phases to their end: by keys alone, by pointer alone, and on a map."""

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Tables, seating
from .test_seat import send, sitting, touch
from .test_states import NARROW, is_narrow_enough

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

TRADE = {
    "use": "tradecraft",
    "max-turns": 2,
    "problems": [
        {
            "hands": [{"coal": 2, "iron_ingot": 1, "stick": 1, "string": 2}, {"raw_iron": 3, "oak_planks": 2}],
            "targets": [{"shears": 1}, {"torch": 4}],
        }
    ],
}
HAGGLE = {"use": "negotiation", "items": {"book": 2, "hat": 1, "ball": 3}, "rounds": 4}
HAGGLER = {
    "use": "llm",
    "backend": {
        "use": "scripted",
        "answers": [
            '{"action": "reject"}',
            '{"action": {"keep": {"book": 1, "hat": 0, "ball": 2}, "message": "half of it"}}',
            '{"action": "accept"}',
        ],
    },
}
OTHERS = {"tradecraft": (TRADE, "trader"), "negotiation": (HAGGLE, HAGGLER)}
YEAR = {"use": "diplomacy", "players": 7, "negotiation-rounds": 1, "last-year": 1901}
POWERS = ["other", "chatty", "person", "chatty", "other", "other", "other"]


def sitting_down(name: str, game: Any, seating: list[str], **agents: Any) -> dict[str, Any]:
    """One match of a game, of a person against agents."""
    return {
        "name": name,
        "seed": 3,
        "games": {"game": game},
        "agents": {"person": {"use": "open-seat", "title": "Ann"}, **agents},
        "schedule": {"use": "fixed", "seatings": [seating]},
    }


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """A negotiation for the keys and one for the pointer, TradeCraft for the keys, and a year of Diplomacy."""
    plain = [
        sitting_down(name, game, ["person", "other"], other=other)
        for name in ("tradecraft-keys", "negotiation-keys", "negotiation-pointer")
        for game, other in (OTHERS[name.partition("-")[0]],)
    ]
    plain.append(sitting_down("year", YEAR, POWERS, other="diplomacy-greedy", chatty="diplomacy-chatty"))
    with seating(tmp_path_factory.mktemp("matches"), plain) as own:
        yield own


NAMED = """() => {
    const own = document.activeElement;
    const labels = [...(own.labels ?? [])].map((each) => each.innerText).join(" ");
    return (own.getAttribute("aria-label") ?? (labels || own.innerText)).trim();
}"""


def tab_to(page: Any, name: str) -> None:
    """Press Tab until what has the focus is called so, or begins so."""
    for _ in range(150):
        if page.evaluate(NAMED).startswith(name):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name!r} cannot be reached by Tab; the focus is on {page.evaluate(NAMED)!r}")


def press(page: Any, name: str, key: str = "Enter") -> None:
    """Go to what is called so, and press a key there."""
    tab_to(page, name)
    page.keyboard.press(key)


def played(page: Any, name: str = "Send") -> bool:
    """Send by keys; whether the match is over after that."""
    tab_to(page, name)
    return send(page, lambda: page.keyboard.press("Enter"))


def propose(page: Any) -> None:
    """Offer the other player a string for raw iron, with a message."""
    press(page, "player 2", "Space")
    press(page, "one more: string")
    press(page, "one more: raw iron")
    tab_to(page, "message")
    page.keyboard.type("string for iron?")
    page.locator("#meant", has_text='you give 1 string and get 1 raw_iron, and say: "string for iron?"').wait_for()
    played(page)


def test_trade_craft_by_keys(chromium, matches):
    """Proposals with a message, an answer, a craft that a look-up suggests, and one that is typed."""
    with sitting(chromium, matches, "tradecraft-keys", is_audited=True) as visit:
        page = visit.page
        propose(page)
        played(page)  # done with crafting
        press(page, "yes", "Space")
        tab_to(page, "message")
        page.keyboard.type("a deal")
        played(page)
        press(page, "What you could craft")
        press(page, "use: craft 1 iron_ingot")
        played(page)
        press(page, "what goes in and what comes out")
        for _ in range(2):
            press(page, "one more: iron ingot")
        tab_to(page, "name of what is added to what comes out")
        page.keyboard.type("shear")
        press(page, "Find names (10 left)")
        page.get_by_role("option", name="shears").wait_for()
        found = visit.audit()
        page.set_viewport_size(NARROW)
        is_narrow = is_narrow_enough(page)
        visit.picture("seat-completed-narrow")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.locator("#meant", has_text="craft 1 shears of 2 iron_ingot").wait_for()
        played(page)
        assert played(page)
        visit.picture("seat-trade-over-light")
        ended = page.locator("main").inner_text()

    assert found == []
    assert is_narrow
    assert "You earned 1 point." in ended
    assert 'player 1 accepts. Message: "a deal"' in ended
    assert "won by player 1 and player 2. Targets: player 1: 1 shears; player 2: 4 torch." in ended


def test_negotiation_by_keys(chromium, matches):
    """An offer with a message, the other's offer with its message and worth, and accepting it."""
    with sitting(chromium, matches, "negotiation-keys") as visit:
        page = visit.page
        tab_to(page, "hat")
        page.keyboard.press("Control+A")
        page.keyboard.type("1")
        press(page, "one more: ball")
        tab_to(page, "message")
        page.keyboard.type("the hat is mine")
        played(page)
        assert 'give 1 × book, 1 × hat, 1 × ball and says: "half of it".' in page.locator(".log").inner_text()
        press(page, "What the offer is worth to you")
        page.locator(".answer", has_text="worth: 8").wait_for()
        assert played(page, "accept")
        ended = page.locator("main").inner_text()

    assert "You earned 8 points." in ended
    assert 'says: "the hat is mine".' in ended
    assert "ALICE accepts." in ended


def test_negotiation_by_pointer(chromium, matches):
    """An offer put together in the picture is rejected, the other's is rejected in turn, and the next is accepted."""
    with sitting(chromium, matches, "negotiation-pointer") as visit:
        page = visit.page
        assert page.locator(".ask .sentence").inner_text().startswith("Choose what you keep")
        touch(page, "kind-hat", "kind-ball")
        page.get_by_role("button", name="one more: ball").click()
        page.locator("#meant", has_text="you keep 1 × hat, 2 × ball").wait_for()
        assert page.locator('[data-pointer="#/keep/ball"]').input_value() == "2"
        send(page)
        send(page, page.get_by_role("button", name="reject", exact=True).click)
        page.get_by_role("button", name="keep everything").click()
        page.get_by_role("button", name="one less: book").click()
        assert send(page)
        ended = page.locator("main").inner_text()

    assert "You earned 10 points." in ended
    assert "ALICE rejects." in ended
    assert "BOB accepts." in ended


INSIDE = """(own) => {
    own.scrollIntoView({ block: "center" });
    const { left, top, width, height } = own.getBoundingClientRect();
    const parts = [...Array(39).keys()].map((part) => (part + 1) / 40);
    const points = parts.flatMap((x) => parts.map((y) => ({ x: x * width, y: y * height })));
    return points.find(({ x, y }) => document.elementFromPoint(left + x, top + y) === own);
}"""
"""A point of an element that nothing else covers; the middle of a sea may be land."""


def touch_area(page: Any, *areas: str) -> None:
    """Touch areas of the map, each where it can be seen."""
    for name in areas:
        own = page.locator(f'[data-element~="{name}"]').first
        own.click(position=own.evaluate(INSIDE))


@pytest.mark.campaign
def test_year_of_diplomacy_by_touch(chromium, matches):
    """A power writes a letter and reads one, gives orders by unit, target and menu, and builds a fleet."""
    with sitting(chromium, matches, "year") as visit:
        page = visit.page
        page.get_by_role("button", name="Add to messages").click()
        page.get_by_role("checkbox", name="GERMANY").click()
        page.get_by_label("text").fill("Burgundy is mine")
        page.locator("#meant", has_text='to GERMANY: "Burgundy is mine"').wait_for()
        send(page)
        letters = page.locator(".part-messages").inner_text()
        touch_area(page, "BRE", "MAO", "MAR", "PAR", "BUR", "PAR", "BUR")
        page.locator("#meant", has_text="F BRE - MAO, A MAR S A PAR - BUR, A PAR - BUR").wait_for()
        visit.picture("seat-diplomacy-light")
        send(page)
        send(page)  # nothing to say in autumn
        touch_area(page, "MAO", "SPA")
        page.get_by_role("button", name="F MAO - SPA/NC").click()
        touch_area(page, "MAR")
        page.get_by_role("button", name="Done: A MAR H").click()
        touch_area(page, "BUR")
        page.get_by_role("button", name="Done: A BUR H").click()
        send(page)
        assert page.locator(".ask .sentence").inner_text().startswith("Touch a centre to build there")
        touch_area(page, "BRE")
        page.get_by_role("button", name="F BRE B").click()
        assert send(page)
        ended = page.locator("main").inner_text()

    assert "FRANCE to GERMANY, S1901M, round 1: Burgundy is mine" in letters
    assert "GERMANY to FRANCE, S1901M, round 1: Let us keep the peace" in letters
    assert "FRANCE: A MAR S A PAR - BUR, A PAR - BUR, F BRE - MAO" in ended
    assert "F MAO - SPA/NC" in ended
    assert "FRANCE: F BRE B" in ended
    assert "The match is over: the last year is over." in ended
