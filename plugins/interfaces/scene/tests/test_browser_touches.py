"""Choosing actions and filling forms in a real browser, by clicks and by keys."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from arena.catalog import Catalog
from arena.chance import Chance
from arena.game import PlayerView
from arena_engine import make_plugin
from arena_scene import Add, Choice, Fill, Grid, Put, Touches, touches_of

from .browsing import labels, opened, show
from .drawings import drawing, piece

pytestmark = pytest.mark.slow  # they need a browser

FILLS = json.loads((Path(__file__).parent / "fills.json").read_text("utf-8"))
ME = 0


def offer(page: Any, touches: Any, options: Any = ()) -> None:
    """Offer touches, or options alone."""
    if not page.evaluate("() => Boolean(window.touch)"):
        page.evaluate("() => choosing()")
    told = [touches and touches.written(), [{"action": o.action, "label": o.label} for o in options]]
    page.evaluate("([touches, options]) => touch.show(touches, options)", json.loads(json.dumps(told)))


def chosen(page: Any) -> Any:
    """The actions that were chosen since the last time."""
    return page.evaluate("() => window.chosen.splice(0)")


def board(*choices, **more):
    """Touches with choices as paths and labels, whose actions are their labels."""
    return Touches(
        choices=tuple(Choice(path=tuple(path), action=label, label=label) for path, label in choices), **more
    )


def cell(page: Any, name: str) -> Any:
    """The element that is touched by this id."""
    return page.locator(f'[data-element~="{name}"]').first


PATHS = board((["b:0,0", "b:0,1"], "right"), (["b:0,0", "b:1,0"], "down"), (["b:1,1"], "wait"), ([], "pass"))


@pytest.fixture
def four(page):
    """A page with a board of four cells."""
    show(page, drawing(Grid(id="b", size=(2, 2), row_labels="21", column_labels="ab", pieces=[piece(0, 0)])))
    return page


def test_first_touch_marks_what_can_follow(four):
    """After the first touch only what can follow it is marked, and the second chooses."""
    offer(four, PATHS)
    marked = "(all) => all.map((own) => own.dataset.element.split(' ').find((id) => id.startsWith('b:')))"
    assert four.eval_on_selector_all(".scene-hit.is-offered", marked) == ["b:0,0", "b:1,1"]

    cell(four, "b:0,0").click()

    assert four.eval_on_selector_all(".scene-hit.is-offered:not(.is-chosen)", marked) == ["b:0,1", "b:1,0"]
    assert chosen(four) == []
    cell(four, "b:1,0").click()
    assert chosen(four) == ["down"]


def test_targets_are_told_only_once_a_piece_is_touched(four):
    """Before a piece is touched no cell is marked; then where it can go has a dot."""
    offer(four, PATHS)
    assert four.locator(".scene-hint:visible").count() == 0

    cell(four, "b:0,0").click()

    assert four.locator(".scene-hint:visible").count() == 2


def test_another_piece_can_be_touched_instead(page):
    """With one piece touched, touching another begins again with that one."""
    show(page, drawing(Grid(id="b", size=(2, 2), pieces=[piece(0, 0), piece(0, 1)])))
    offer(page, board((["b:0,0", "b:1,0"], "left"), (["b:0,1", "b:1,1"], "right")))
    cell(page, "b:0,0").click()

    cell(page, "b:0,1").click()
    cell(page, "b:1,1").click()

    assert chosen(page) == ["right"]


@pytest.mark.parametrize(("end", "told"), [("b:1,0", ["down"]), ("b:1,1", [])])
def test_pieces_are_dragged(four, end, told):
    """A piece that is carried to where it can go makes that move; put down elsewhere it goes back."""
    offer(four, PATHS)
    start, goal = (cell(four, name).bounding_box() for name in ("b:0,0", end))

    four.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    four.mouse.down()
    four.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
    four.mouse.up()

    assert chosen(four) == told
    assert four.locator(".is-chosen").count() == 0
    assert four.evaluate("() => document.querySelector('.scene-piece').style.transform").startswith("translate(0.5px")


def test_other_names_of_moves_can_be_typed(four):
    """A choice is found by another way to write it as well."""
    offer(four, Touches(choices=(Choice(path=("b:0,0",), action=7, label="Nf3", name="g1f3"),)))

    four.get_by_label("type a move").fill("g1f3")
    four.get_by_label("type a move").press("Enter")

    assert chosen(four) == [7]


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("how", ["again", "escape", "button"])
def test_taking_back(four, how):
    """Touching the same again, Escape and a button take back what was touched last."""
    offer(four, PATHS)
    cell(four, "b:0,0").click()

    if how == "again":
        cell(four, "b:0,0").click()
    elif how == "button":
        four.get_by_role("button", name="Take back", exact=True).click()
    else:
        cell(four, "b:0,0").focus()
        four.keyboard.press("Escape")

    assert four.locator(".is-chosen").count() == 0
    cell(four, "b:1,1").click()
    assert chosen(four) == ["wait"]


@pytest.mark.campaign
def test_equal_paths_are_a_menu(four):
    """Where several options have one path, a menu asks which; Escape leaves it."""
    offer(four, board((["b:0,0", "b:0,1"], "queen"), (["b:0,0", "b:0,1"], "rook"), (["b:1,1"], "wait")))
    for name in ("b:0,0", "b:0,1"):
        cell(four, name).click()

    assert four.locator(".touches-menu button").all_inner_texts() == ["queen", "rook", "Take back"]
    assert four.evaluate("() => document.activeElement.textContent") == "queen"
    four.keyboard.press("Escape")
    assert four.locator(".touches-menu button").all_inner_texts() == ["Take back"]
    cell(four, "b:0,1").click()
    four.get_by_role("button", name="rook", exact=True).click()

    assert chosen(four) == ["rook"]


def test_done_where_a_path_ends_before_another(four):
    """Where a path is the beginning of another, Done stands beside the picture."""
    offer(four, board((["b:0,0"], "hold"), (["b:0,0", "b:0,1"], "move"), (["b:0,0", "b:0,1", "b:0,1"], "twice")))
    cell(four, "b:0,0").click()
    cell(four, "b:0,1").click()
    assert four.locator(".touches-menu button").all_inner_texts() == ["Done: move", "Take back"]

    cell(four, "b:0,1").click()

    assert chosen(four) == ["twice"]
    cell(four, "b:0,0").click()
    four.get_by_role("button", name="Done: hold").click()
    assert chosen(four) == ["hold"]


def test_buttons_and_what_means_the_same(four):
    """An option without a path is a button, and further elements mean the same as one in a path."""
    offer(four, attrs_also(PATHS))
    four.get_by_role("button", name="pass", exact=True).click()
    cell(four, "b:0,1").click()

    assert chosen(four) == ["pass", "wait"]


def attrs_also(touches: Touches) -> Touches:
    """The same, with a further cell to wait on."""
    return Touches(choices=touches.choices, also={"b:1,1": ["b:0,1"]})


def test_what_touching_does_is_read(four):
    """Each element is read with its label and what touching it does, and as it was when nothing is offered."""
    before = labels(four)
    offer(four, PATHS)

    assert labels(four) == ["disc 0 0. 2 moves", "column b, row 2: empty", before[2], "column b, row 1: empty. wait"]
    four.evaluate("() => touch.clear()")
    assert labels(four) == before


@pytest.mark.parametrize(
    ("typed", "found", "told"),
    [
        ("wait", ["wait"], "wait"),
        ("  RI ", ["right"], "right"),
        ("B1", ["wait"], "wait"),
        ("zzz", [], "There is no move called “zzz”."),
        ("column", [], "2 moves begin so: column 1; column 2"),
    ],
)
@pytest.mark.sample(fast=1, slow=2)
def test_typed_moves(four, typed, found, told):
    """A label, its one beginning and the name of a cell choose; else it is said why a text is not understood."""
    offer(four, board(*[(c.path, c.label) for c in PATHS.choices], ([], "column 1"), ([], "column 2")))
    four.get_by_label("Type a move").fill(typed)
    four.keyboard.press("Enter")

    assert chosen(four) == found
    assert four.locator(".touches-status").inner_text() == told


def test_options_of_a_game_that_says_nothing(four):
    """Without touches the options are buttons that are filtered by typing; many are listed when something is typed."""
    offer(four, None, [Choice(path=(), action=n, label=f"number {n}") for n in range(100)])
    assert four.locator(".touches button").count() == 0

    four.get_by_label("Type a move").fill("number 7")

    assert four.locator(".touches button").count() == 11
    four.get_by_role("button", name="number 73").click()
    assert chosen(four) == [73]
    offer(four, None, [Choice(path=(), action=n, label=f"number {n}") for n in range(3)])
    four.get_by_role("button", name="number 0").press("3")
    assert chosen(four) == [2]


def test_values_of_forms_are_those_of_python(page):
    """The script begins forms and fills them as Python does."""
    found = page.evaluate(
        """(cases) => cases.map(({ schema, steps }) => {
            let value = forms.blank(schema);
            return [value, ...steps.map(({ do: changes }) => (value = forms.filled(schema, value, changes)))];
        })""",
        FILLS,
    )

    for case, (begun, *after) in zip(FILLS, found, strict=True):
        assert begun == case["blank"], case["name"]
        assert after == [step["after"] for step in case["steps"]], case["name"]


OFFER = {
    "type": "object",
    "properties": {
        "partner": {"enum": ["Ann", "Bob", None]},
        "offer": {
            "type": "object",
            "properties": {"coal": {"type": "integer", "minimum": 1, "maximum": 3}},
            "required": [],
            "additionalProperties": False,
        },
        "message": {"type": "string", "maxLength": 500},
    },
    "required": ["partner", "offer"],
    "additionalProperties": False,
}


@pytest.mark.campaign
def test_fills_and_form_show_the_same(four):
    """Touching changes the form, the form what is sent; both are one value."""
    touches = Touches(
        fills=[
            Fill(
                path=("b:0,0",),
                label="coal for Bob",
                do=[Put(pointer="/partner", value="Bob"), Add(pointer="/offer/coal")],
            )
        ]
    )
    offer(four, touches)
    four.evaluate("(schema) => form.show(schema)", OFFER)

    cell(four, "b:0,0").click()
    cell(four, "b:0,0").click()

    assert four.evaluate("() => form.value") == {"partner": "Bob", "offer": {"coal": 2}}
    assert four.locator('[data-pointer="#/offer/coal"]').input_value() == "2"
    assert four.get_by_role("radio", name="Bob").is_checked()
    four.get_by_label("one more: coal").press("Enter")
    four.get_by_role("radio", name="Ann").check()
    four.get_by_label("message").fill("hello")
    assert four.evaluate("() => form.value") == {"partner": "Ann", "offer": {"coal": 3}, "message": "hello"}
    for _ in range(3):
        four.get_by_label("one less: coal").click()
    assert four.evaluate("() => form.value") == {"partner": "Ann", "offer": {}, "message": "hello"}


NAMED = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 9}}
COMPLETED = "([schema, value]) => form.show(schema, value, [{pointer: '', query: 'search', argument: 'text'}])"


@pytest.mark.campaign
def test_names_are_completed_by_keys(four):
    """Where a schema leaves names open, a free look-up is asked while one types, and arrows choose of its list."""
    offer(four, Touches())
    four.evaluate(COMPLETED, [NAMED, {}])
    field = four.get_by_role("combobox", name="name of what is added to your action")

    field.press_sequentially("st")
    four.get_by_role("option", name="torch").wait_for()
    four.get_by_role("status").filter(has_text="2 found").wait_for()
    assert four.evaluate("() => asked[0]") == ["search", {"text": "s"}]
    assert field.get_attribute("aria-expanded") == "true"
    four.keyboard.press("ArrowUp")
    chosen = four.locator('[role="option"][aria-selected="true"]')
    assert chosen.inner_text() == "torch"
    assert field.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    four.keyboard.press("Escape")
    assert field.get_attribute("aria-expanded") == "false"
    assert field.input_value() == "st"
    four.keyboard.press("ArrowDown")
    four.keyboard.press("Enter")

    assert four.evaluate("() => form.value") == {"stick": 1}
    # How much of it is asked next.
    four.keyboard.type("3")
    assert four.evaluate("() => form.value") == {"stick": 3}


def test_names_that_cost_are_looked_up_when_pressed(four):
    """A look-up that is counted is asked by its button alone, which says how many are left; a press takes a name."""
    offer(four, Touches())
    four.evaluate("() => { window.rest = 2; form.left = () => rest; }")
    four.evaluate(COMPLETED, [NAMED, {}])
    field, ask = four.get_by_role("combobox"), four.get_by_role("button", name="Find names")
    ask.wait_for()

    ask.click()
    four.get_by_role("status").filter(has_text="type how it begins").wait_for()
    field.press_sequentially("stick")
    assert four.evaluate("() => asked") == []
    assert ask.inner_text() == "Find names (2 left)"
    four.evaluate("() => { form.ask = async () => (rest--, ['stick', 'torch']); }")
    ask.click()
    four.get_by_role("option", name="torch").click()
    assert four.evaluate("() => form.value") == {"torch": 1}
    ask.wait_for()
    assert ask.inner_text() == "Find names (1 left)"
    field.fill("other")
    ask.click()
    four.get_by_role("button", name="Find names (0 left)").wait_for()
    field.press("Enter")

    assert ask.is_disabled()
    assert four.evaluate("() => form.value") == {"torch": 1, "other": 1}


@pytest.mark.campaign
def test_focus_stays_in_the_form(four):
    """What is added has the focus, and where what had it is taken out, what stands there then."""
    letter = {"type": "object", "properties": {"to": {"enum": ["Ann", "Bob"]}, "text": {"type": "string"}}}
    letter |= {"required": ["to", "text"], "additionalProperties": False}
    offer(four, Touches())
    four.evaluate("(schema) => form.show(schema)", {"type": "array", "items": letter})

    add = four.get_by_role("button", name="Add to your action")
    add.press("Enter")
    add.press("Enter")
    assert four.evaluate("() => document.activeElement.dataset.pointer") == "#/1/to"
    four.keyboard.press("Space")
    four.keyboard.press("Tab")
    four.keyboard.type("hello")
    four.get_by_role("button", name="remove your action 2").press("Enter")

    assert four.evaluate("() => form.value") == [{"text": ""}]
    assert four.evaluate("() => document.activeElement.closest('.form') !== null")


@pytest.mark.campaign
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_audit_finds_nothing(browser, scheme):
    """What is offered and a form with every control are sound for readers of screens, in light and dark."""
    from axe_playwright_python.sync_playwright import Axe

    every = {
        "type": "object",
        "properties": {
            **OFFER["properties"],
            "many": {"enum": list("abcdefgh")},
            "done": {"type": "boolean", "description": "whether it is over"},
            "to": {"type": "array", "items": {"enum": ["Ann", "Bob"]}},
            "list": {"type": "array", "items": {"type": "string"}, "minItems": 0},
            "any": {},
            "half": {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": "/"}]},
            "made": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "additionalProperties": False,
    }
    with opened(browser, color_scheme=scheme, bypass_csp=True) as (page, complaints):
        show(page, drawing(Grid(id="b", size=(2, 2), row_labels="21", column_labels="ab", pieces=[piece(0, 0)])))
        offer(page, PATHS)
        cell(page, "b:0,0").click()
        page.evaluate("() => { form.left = () => 7; form.ask = async () => ['stick', 'torch']; }")
        suggest = [{"pointer": "/made", "query": "search", "argument": "text"}]
        page.evaluate("(told) => form.show(told[0], {list: ['x'], made: {stick: 2}}, told[1])", [every, suggest])
        page.locator("[role=combobox]").fill("t")
        page.get_by_role("button", name="Find names").press("Enter")
        page.keyboard.press("ArrowDown")

        found = Axe().run(page).response["violations"]

        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert complaints == []


def played(page: Any, name: str, act: Any, steps: int = 200, **parameters: Any) -> tuple[Any, int]:
    """A match against random players in which the first player's actions come from the page; how it ended."""
    game = make_plugin("game", {"use": name, **parameters}, Catalog())
    state, _ = game.start(Chance(3), 2)
    rng, turns = Random(3), 0
    show(page, game.forms["scene"](state.observe(ME)))
    while state.to_act() and turns < steps:
        actions = {}
        for player in state.to_act():
            if player != ME:
                actions[player] = state.decision(player).sample(rng)
                continue
            decision = state.decision(player).asked(PlayerView(state, player), forms=game.forms)
            touches = touches_of(game, decision)
            show(page, decision.render("scene"))
            offer(page, touches)
            wanted = rng.choice(touches.choices)
            act(page, wanted, [own for own in touches.choices if own.path == wanted.path])
            (action,) = chosen(page)
            assert action == wanted.action, wanted
            actions[player], turns = action, turns + 1
        state.apply(actions)
    return state.returns(), turns


def by_clicks(page: Any, wanted: Choice, menu: Any) -> None:
    """Touch the elements of an option with the pointer."""
    for name in wanted.path:
        cell(page, name).click(force=True)
    finish(page, wanted, lambda button: button.click())


def by_keys(page: Any, wanted: Choice, menu: Any) -> None:
    """Touch them by arrows and Enter, from wherever the focus is."""
    for name in wanted.path:
        walk_to(page, name)
        page.keyboard.press("Enter")
    finish(page, wanted, lambda button: (button.focus(), page.keyboard.press("Enter")))


def finish(page: Any, wanted: Choice, press: Any) -> None:
    """Press the button of an option where its path leads to a menu or to none."""
    if page.evaluate("() => window.chosen.length"):
        return
    told = page.locator(".touches button").filter(has_text=wanted.label)
    press(next(own for own in told.all() if own.inner_text().removeprefix("Done: ") == wanted.label))


def walk_to(page: Any, name: str) -> None:
    """Press arrows until the focus is on what is touched by this id; nothing else moves it."""
    if not page.evaluate("() => document.activeElement.matches('[data-stop]')"):
        page.locator('[data-stop][tabindex="0"]').focus()
    for _ in range(60):
        away = page.evaluate(
            """(name) => {
                const middle = (own) => {
                    const box = own.getBoundingClientRect();
                    return [box.x + box.width / 2, box.y + box.height / 2];
                };
                const all = [...document.querySelectorAll('[data-stop]')];
                const goals = all.filter((each) => each.closest(`[data-element~="${name}"]`));
                if (goals.some((each) => each === document.activeElement)) return null;
                const [[x, y], [a, b]] = [middle(document.activeElement), middle(goals[0])];
                return [a - x, b - y];
            }""",
            name,
        )
        if away is None:
            return
        x, y = away
        key = ("ArrowRight" if x > 0 else "ArrowLeft") if abs(x) > abs(y) else ("ArrowDown" if y > 0 else "ArrowUp")
        page.keyboard.press(key)
    raise AssertionError(f"arrows do not lead to {name}")


@pytest.mark.campaign
@pytest.mark.parametrize("act", [by_clicks, by_keys])
@pytest.mark.parametrize(
    ("name", "parameters", "steps"),
    [
        ("tic-tac-toe", {}, 9),
        ("chess", {}, 12),
        ("hanabi", {"colours": 2, "ranks": 3}, 40),
        ("matrix-pd", {}, 5),
        ("two-by-two-play", {}, 1),
        ("connect-four", {}, 21),
        ("hex", {"rows": 4, "columns": 4}, 16),
        ("go", {"size": 5}, 8),
        ("backgammon", {}, 6),
        ("kuhn-poker", {}, 3),
        ("liars-dice", {}, 12),
        ("gomoku", {}, 3),
        ("grid-twin", {}, 5),
        ("leduc-poker", {}, 6),
    ],
)
def test_match_in_the_browser(page, act, name, parameters, steps):
    """A match against random players is played by touching alone, to its end where it is short."""
    returns, turns = played(page, name, act, steps, **parameters)

    assert turns
    assert returns is not None or turns == steps


@pytest.mark.campaign
@pytest.mark.parametrize("act", [by_clicks, by_keys])
def test_promotion_in_the_browser(page, act):
    """A pawn is moved by two squares, and the menu says what it becomes."""
    game = make_plugin("game", {"use": "chess"}, Catalog())
    state, _ = game.start(Chance(1), 2)
    for move in ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"]:
        (player,) = state.to_act()
        options = {own.label: own.action for own in state.decision(player).options}
        state.apply({player: options[move]})
    decision = state.decision(ME).asked(PlayerView(state, ME), forms=game.forms)
    touches = touches_of(game, decision)
    show(page, decision.render("scene"))
    offer(page, touches)
    (knight,) = (own for own in touches.choices if own.label == "a7b8n")

    act(page, knight, ())

    assert chosen(page) == [knight.action]
