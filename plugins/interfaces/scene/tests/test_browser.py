"""Scenes in a real browser, under the policy of the pages that show them."""

import json
from pathlib import Path

import pytest
from arena_scene import (
    Cards,
    Grid,
    MapArea,
    MapPiece,
    MapPlace,
    Meter,
    Meters,
    Piece,
    SceneCard,
    SceneMap,
    SceneText,
)

from .browsing import labels, opened, show
from .drawings import drawing, four, piece
from .test_checking import EVERYTHING

pytestmark = pytest.mark.slow  # they need a browser

VECTORS = (Path(__file__).parent / "frames.json").read_text("utf-8")


@pytest.mark.slow
def test_differences_are_those_of_python(page):
    """The script finds the recorded difference of each pair of scenes, and makes the later scene of it."""
    found = page.evaluate(
        """(vectors) => vectors.map(({ before, after, difference }) => [
            scenes.difference(before, after), scenes.patch(before, difference)])""",
        json.loads(VECTORS),
    )

    for vector, (change, after) in zip(json.loads(VECTORS), found, strict=True):
        assert change == vector["difference"], vector["name"]
        assert after == vector["after"], vector["name"]


@pytest.mark.campaign
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_is_drawn_and_read(browser, scheme):
    """All parts of the format are drawn, all that can be reached has a name, and an audit finds nothing."""
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, color_scheme=scheme, bypass_csp=True) as (page, complaints):
        show(page, drawing(*EVERYTHING))

        kinds = page.eval_on_selector_all(".scene-part", "(all) => all.map((own) => own.className)")
        assert {kind.split("part-")[-1] for kind in kinds} == {part.part for part in EVERYTHING}
        assert all(labels(page))
        assert page.locator(".is-broken").count() == 0
        page.locator(".scene-words summary").click()
        assert page.locator(".scene-alternative").inner_text() == "the whole position in words"
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert complaints == []


def test_pieces_move_and_new_ones_come_in(page):
    """A piece that moved is the same element elsewhere; the one that came is ringed as the last."""
    show(page, drawing(Grid(id="board", size=(3, 3), pieces=[piece(0, 0), piece(2, 2, 1)])))
    page.evaluate("() => { window.first = document.querySelector('.scene-piece.role-player-0'); }")

    show(page, drawing(Grid(id="board", size=(3, 3), pieces=[piece(0, 1), piece(2, 2, 1), piece(1, 1, 1)])))

    assert page.evaluate("() => first === document.querySelector('.scene-piece.role-player-0')")
    assert page.evaluate("() => first.style.transform") == "translate(1.5px, 0.5px) scale(1)"
    assert page.locator(".scene-last rect").count() == 2
    assert page.locator(".scene-piece").count() == 3


@pytest.mark.campaign
def test_nothing_moves_for_who_wants_that(browser):
    """Where less motion is asked for, pieces and cards are where they lie at once."""
    with opened(browser, reduced_motion="reduce") as (page, _):
        show(
            page, drawing(Cards(cards=[SceneCard(id="a", label="a", text="A"), SceneCard(id="b", label="b", text="B")]))
        )
        show(
            page, drawing(Cards(cards=[SceneCard(id="b", label="b", text="B"), SceneCard(id="a", label="a", text="A")]))
        )

        assert page.evaluate("() => document.getAnimations().length") == 0
        show(page, four(piece(5, 3)))
        assert (
            page.evaluate("() => getComputedStyle(document.querySelector('.scene-piece')).transitionProperty") == "none"
        )


def test_picture_is_one_stop_and_arrows_walk_in_it(page):
    """Tab reaches the picture once, arrows go to the next element there, and Enter touches what is offered."""
    show(page, drawing(Grid(id="board", size=(2, 2), row_labels="21", column_labels="ab", pieces=[piece(0, 1)])))
    page.evaluate("() => view.offer(['board:1,1'])")

    page.keyboard.press("Tab")
    names = [page.evaluate("() => document.activeElement.getAttribute('aria-label')")]
    for key in ("ArrowRight", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
        names.append(page.evaluate("() => document.activeElement.getAttribute('aria-label')"))

    assert names == [
        "column a, row 2: empty",
        "disc 0 1",
        "disc 0 1",
        "column b, row 1: empty",
        "column b, row 1: empty",
    ]
    assert page.evaluate("() => touches") == ["board:1,1"]
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.tagName") == "SUMMARY"


def test_arrows_reach_every_row_of_hexagons(page):
    """An arrow down goes to the next row of hexagons, and not to the cell that is straight below it two rows on."""
    show(page, drawing(Grid(id="board", size=(3, 3), shape="hex", row_labels="123", column_labels="abc")))
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")

    assert "row 2" in page.evaluate("() => document.activeElement.getAttribute('aria-label')")


def test_focus_stays_where_it_was(page):
    """The next scene takes the focus of nobody who walks in the picture."""
    show(page, four(piece(5, 3)))
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    before = page.evaluate("() => document.activeElement.dataset.element")

    show(page, four(piece(5, 3), piece(4, 3, 1)))

    assert page.evaluate("() => document.activeElement.dataset.element") == before


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "javascript:alert(1)"]
)
@pytest.mark.sample(fast=1, slow=1)
def test_text_is_text(page, text):
    """Markup in any text of a scene is shown as it was written."""
    parts = [
        SceneText(id="said", text=text, title=text, note=text),
        Meters(meters=[Meter(id="m", label=text, value=1, unit=text)]),
        Cards(id="c", cards=[SceneCard(id="card", label=text, text=text, notes=[text])]),
        Grid(
            id="g",
            size=(1, 1),
            row_labels=[text],
            pieces=[Piece(at=(0, 0), role="neutral", shape="text", text=text, label=text)],
        ),
    ]
    show(page, drawing(*parts, title=text, alternative=text))

    assert page.locator("#place img, #place script").count() == 0
    assert page.locator("[data-part=said] .scene-text").inner_text() == text


@pytest.mark.campaign
def test_signs_that_hide_are_shown(page):
    """Signs that cannot be seen or turn a line around are marks."""
    show(page, drawing(SceneText(id="said", text="a\u202eb\u0007c")))

    assert page.locator("[data-part=said] .scene-text").inner_text() == "a\ufffdb\ufffdc"


@pytest.mark.campaign
def test_broken_scene_is_told(page):
    """Where something cannot be drawn the position is told in words, and the next scene is drawn again."""
    page.evaluate("() => view.show({ title: 'odd', alternative: 'in words', parts: [{ part: 'grid', size: 3 }] })")
    assert "in words" in page.locator(".is-broken").inner_text()

    show(page, four(piece(5, 3)))

    assert page.locator(".is-broken").count() == 0
    assert page.locator(".scene-piece").count() == 1


def test_discs_fall_behind_a_rack(page):
    """Where pieces come in from above the board is one plate with a hole for each cell, in front of the discs."""
    show(page, four(piece(5, 3)))

    drawn = "() => [...document.querySelector('svg').children].map((own) => own.classList[0])"
    order = page.evaluate(drawn)
    assert order.index("scene-standing") < order.index("scene-rack") < order.index("scene-hits")
    assert page.evaluate("() => document.querySelector('.scene-rack').getAttribute('d').match(/Z/g).length") == 43


def test_board_is_turned_around(page):
    """A button turns a checkered board: what stood at the lower left stands at the upper right, under its own name."""
    board = Grid(
        id="b",
        size=(8, 8),
        checkered=True,
        row_labels="87654321",
        column_labels="abcdefgh",
        pieces=[piece(7, 0, shape="rook")],
    )
    show(page, drawing(board))

    page.get_by_role("button", name="Flip the board").click()

    assert page.evaluate("() => document.querySelector('.scene-piece').style.transform") == (
        "translate(7.5px, 0.5px) scale(1)"
    )
    corner = page.locator('[data-element~="b:7,0"]').bounding_box()
    other = page.locator('[data-element~="b:0,7"]').bounding_box()
    assert corner["x"] > other["x"]
    assert corner["y"] < other["y"]


def test_sides_of_a_board_have_owners(page):
    """The sides that players join are drawn in their colours."""
    edges = {"top": "player-0", "bottom": "player-0", "left": "player-1", "right": "player-1"}
    show(page, drawing(Grid(id="b", size=(3, 3), shape="hex", edges=edges)))

    assert page.eval_on_selector_all(".scene-edges path", "(all) => all.map((own) => own.getAttribute('class'))") == [
        *["role-player-0"] * 2,
        *["role-player-1"] * 2,
    ]


def test_suits_are_signs(page):
    """A card with a suit shows its rank and the suit's sign, in red where it is hearts or diamonds."""
    cards = [
        SceneCard(id="a", rank="A", suit="hearts", label="a"),
        SceneCard(id="b", rank="10", suit="spades", label="b"),
    ]
    show(page, drawing(Cards(cards=cards)))

    assert page.locator(".scene-card").all_inner_texts() == ["A\n♥\ufe0e", "10\n♠\ufe0e"]
    assert page.locator(".scene-card.role-suit-red").count() == 1


@pytest.mark.parametrize("has_motion", [False, True])
def test_nothing_moves_unless_it_is_wished(page, has_motion):
    """Pieces are where they stand at once; they move there only on a page that asks for motion."""
    page.evaluate("(has) => document.documentElement.classList.toggle('has-motion', has)", has_motion)
    show(page, four(piece(5, 3)))

    taken = page.evaluate("() => getComputedStyle(document.querySelector('.scene-piece')).transitionDuration")

    assert taken == ("0.3s" if has_motion else "0s")


def crowded_map() -> SceneMap:
    """Nine areas side by side, each with a long name and a piece in its middle."""
    areas = [
        MapArea(
            id=f"A{r}{c}",
            shape=[(c * 30, r * 30), (c * 30 + 30, r * 30), (c * 30 + 30, r * 30 + 30), (c * 30, r * 30 + 30)],
            label=f"Area number {r}{c}, a free centre",
            label_at=(c * 30 + 15, r * 30 + 15),
            role="land",
            kind="land",
        )
        for r in range(3)
        for c in range(3)
    ]
    places = [MapPlace(id=f"at-{area.id}", area=area.id, at=area.label_at) for area in areas]
    pieces = [MapPiece(at=place.id, role="player-0", shape="army", label="army") for place in places]
    return SceneMap(id="map", size=(90, 90), areas=areas, places=places, pieces=pieces)


def overlaps(page) -> list[list[str]]:
    """The names on a map that lie on each other."""
    return page.evaluate(
        """() => {
            const all = [...document.querySelectorAll('.scene-name')].map((own) => [own.textContent, own.getBBox()]);
            const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width
                && a.y < b.y + b.height * 0.75 && b.y < a.y + a.height * 0.75;
            return all.flatMap(([a, p], at) => all.slice(at + 1).filter(([, q]) => meet(p, q)).map(([b]) => [a, b]));
        }"""
    )


def test_names_on_a_map_lie_apart(page):
    """Every area has its name, short or in full, and none lies on another, also once the map is zoomed."""
    show(page, drawing(crowded_map()))
    found = [overlaps(page)]
    names = page.locator(".scene-name").all_inner_texts()

    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Zoom in").click()
    found.append(overlaps(page))

    assert len(names) == 9
    assert found == [[], []]
    assert (
        page.locator(".scene-window svg").bounding_box()["width"]
        > 1.9 * page.locator(".scene-window").bounding_box()["width"]
    )


def test_orders_of_a_form_are_arrows_on_the_map(page):
    """What is about to be ordered is drawn from piece to goal, and goes when the form changes."""
    show(page, drawing(crowded_map()))

    page.evaluate("() => view.sketch([{ path: ['A00', 'A11'], kind: 'move' }, { path: ['A22'], kind: 'hold' }])")
    drawn = page.eval_on_selector_all(".scene-drafts .scene-order", "(all) => all.map((own) => own.classList[1])")
    page.evaluate("() => view.sketch([])")

    assert drawn == ["order-move", "order-hold"]
    assert page.locator(".scene-drafts .scene-order").count() == 0
