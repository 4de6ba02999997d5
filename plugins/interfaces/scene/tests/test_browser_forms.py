"""The form of every schema that a game of this repository has is filled in by its controls alone."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from arena.catalog import Catalog
from arena.chance import Chance
from arena.game import Decision, PlayerView
from arena_engine import make_plugin
from arena_scene import touches_of

from .browsing import show

pytestmark = pytest.mark.slow  # they need a browser

FILL_IN = """([schema, value]) => {
    const inside = (pointer, key) => `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const all = (selector) => [...document.querySelectorAll(`.form ${selector}`)];
    const at = (pointer) => all("[data-pointer]").filter((own) => own.dataset.pointer === `#${pointer}`);
    const isAt = (own, pointer) =>
        own === `#${pointer}` || ["/", "#"].some((sign) => own?.startsWith(`#${pointer}${sign}`));
    const isThere = (pointer) => all("[data-pointer], [data-add], [data-tab]").some(({ dataset }) =>
        [dataset.pointer, dataset.add, dataset.tab].some((own) => isAt(own, pointer)));
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    const type = (field, text, kind) => { field.value = text; field.dispatchEvent(new Event(kind)); };
    const fill = (schema, value, pointer, isChosen = false) => {
        const tabs = isChosen ? [] : all("[data-tab]").filter((own) => own.dataset.tab.startsWith(`#${pointer}#`));
        if (tabs.length) {
            const place = schema.anyOf.findIndex((own) => forms.fits(own, value));
            tabs[place].click();
            return fill(schema.anyOf[place], value, pointer, true);
        }
        const [control] = at(pointer);
        if (control?.type === "radio") return at(pointer).find((own) => own.value === JSON.stringify(value)).click();
        if (control?.type === "checkbox")
            return value.forEach((item) => at(pointer).find((own) => same(JSON.parse(own.value), item)).click());
        if (control?.tagName === "SELECT") return type(control, JSON.stringify(value), "change");
        if (control) return type(control, String(value), "input");
        for (const [key, item] of Object.entries(value)) {
            const own = inside(pointer, key);
            if ("const" in forms.schemaAt(schema, [key])) continue;
            if (!isThere(own)) {
                const name = all("[data-name]").find((field) => field.dataset.name === `#${pointer}`);
                if (name) type(name, key, "input");
                all("[data-add]").find((each) => each.dataset.add === `#${pointer}`).click();
            }
            fill(forms.schemaAt(schema, [key]), item, own);
        }
    };
    form.show(schema);
    fill(schema, value, "");
    return [form.value, all(".form-json").length];
}"""


def decisions(name: str, steps: int, seed: int, **parameters: Any) -> Iterator[tuple[Any, Decision, Random]]:
    """Each decision with a schema of a random match."""
    catalog = Catalog()
    game: Any = make_plugin("game", {"use": name, **parameters}, catalog)
    players = min(game.player_counts(), key=lambda count: abs(count - 3))
    state, _ = game.start(Chance(seed), players)
    rng = Random(seed)
    for _ in range(steps):
        if not state.to_act():
            return
        for player in state.to_act():
            decision = state.decision(player).asked(PlayerView(state, player), forms=game.forms)
            if decision.options is None:
                yield game, decision, rng
        state.apply({player: state.decision(player).sample(rng) for player in state.to_act()})


def bare(schema: Any, value: Any) -> Any:
    """A value without optional parts that are empty, which a form leaves out."""
    if not isinstance(value, dict):
        return [bare(schema.get("items", {}), item) for item in value] if isinstance(value, list) else value
    if "anyOf" in schema:
        return {name: bare({}, own) for name, own in value.items()}
    known, needed = schema.get("properties", {}), schema.get("required", ())
    kept = {name: bare(known.get(name, {}), own) for name, own in value.items()}
    return {name: own for name, own in kept.items() if name in needed or own not in ("", [], {})}


GAMES = [
    ("negotiation", {}),
    ("tradecraft", {}),
    ("diplomacy", {"negotiation-rounds": 1, "knowledge": "asked"}),
    ("diplomacy", {"negotiation-rounds": 2, "hands": [["FRANCE", "ITALY"], ["TURKEY"], ["RUSSIA"]]}),
    ("diplomacy-facts", {}),
    ("diplomacy-facts", {"field": "worst_case"}),
    ("planning", {}),
    ("planning-recall", {}),
    ("planning-tracking", {}),
    ("two-by-two", {}),
    ("two-by-two-mixed", {}),
    ("two-by-two-nested", {}),
    ("two-by-two-parallel", {}),
    ("two-by-two-sequence", {}),
    ("two-by-two-story", {}),
    ("two-by-two-writing", {}),
]


def test_every_game_with_a_schema_is_here():
    """No game of this repository asks for actions by a schema whose form nobody fills in here."""
    catalog, found = Catalog(), set()
    for name in catalog.names("game"):
        if name in ("openspiel", "pettingzoo", "gymnasium", "matrix"):
            continue  # which have options alone
        if any(True for _ in decisions(name, 4, 1)):
            found.add(name)
    assert found == {name for name, _ in GAMES}


@pytest.mark.parametrize(("name", "parameters"), GAMES)
@pytest.mark.sample(fast=3, slow=1)
def test_form_is_complete(page, name, parameters):
    """Random actions are entered by the controls of the form, without JSON, and the rules accept them."""
    show_nothing(page)
    seen: set[str] = set()
    for _, decision, rng in decisions(name, 30, 4, **parameters):
        for _ in range(2):
            action: Any = json.loads(json.dumps(decision.sample(rng)))
            found, raw = page.evaluate(FILL_IN, [decision.schema, action])

            assert raw == 0
            assert bare(decision.schema, found) == bare(decision.schema, action)
            assert decision.check(found) is None or decision.check(action) is not None
        seen.add(decision.phase)
        if len(seen) > 3 or (name.startswith("diplomacy") and len(seen) > 1):
            break
    assert seen


def show_nothing(page: Any) -> None:
    """A page with a form and no picture."""
    page.evaluate("() => choosing()")


@pytest.mark.campaign
def test_choice_from_a_list_is_taken_back(page):
    """Going back to the first line of a list, which names nothing, leaves the field out again."""
    show_nothing(page)
    schema = {"type": "object", "properties": {"order": {"enum": [*"abcdef", None]}}}
    page.evaluate("(schema) => form.show(schema)", schema)
    field = page.locator(".form select")
    assert field.evaluate("(own) => own.selectedOptions[0].textContent") == "–"

    found = []
    for label in ("c", "nobody", "–"):
        field.select_option(label=label)
        found.append((page.evaluate("() => form.value"), field.evaluate("(own) => own.selectedOptions[0].textContent")))

    assert found == [({"order": "c"}, "c"), ({"order": None}, "nobody"), ({}, "–")]


def test_slider_and_field_are_one_number_and_the_sum_follows(page):
    """A number within narrow bounds is moved by a slider as well, and what it is worth stands below the form."""
    show_nothing(page)
    schema = {
        "type": "object",
        "properties": {"book": {"type": "integer", "minimum": 0, "maximum": 4}},
        "required": ["book"],
    }
    sums = [{"label": "worth to you", "weights": {"/book": 3}, "of": 12}]
    page.evaluate("([schema, sums]) => form.show(schema, undefined, [], {}, sums)", [schema, sums])

    page.get_by_role("slider").fill("2")
    slid = page.evaluate("() => form.value"), page.get_by_label("book", exact=True).input_value()
    page.get_by_label("book", exact=True).fill("4")
    typed = page.evaluate("() => form.value"), page.get_by_role("slider").input_value()

    assert slid == ({"book": 2}, "2")
    assert typed == ({"book": 4}, "4")
    assert page.locator(".form-sums").inner_text() == "worth to you: 12 of 12"


@pytest.mark.parametrize(
    ("name", "parameters", "paths", "value"),
    [
        (
            "negotiation",
            {},
            [["kind-book", ""], ["kind-ball", ""], ["kind-ball", ""]],
            {"keep": {"ball": 2, "book": 1, "hat": 0}},
        ),
        (
            "tradecraft",
            {},
            [["coal@0", ""], ["raw_iron@1", ""], ["raw_iron@1", ""]],
            {"partner": "player 2", "offer": {"coal": 1}, "request": {"raw_iron": 2}},
        ),
        (
            "diplomacy",
            {"negotiation-rounds": 0, "hands": ["AUSTRIA"]},
            [["BUD", "GAL", ""], ["VIE", "BUD", "GAL", ""]],
            {"A BUD": "A BUD - GAL", "A VIE": "A VIE S A BUD - GAL"},
        ),
        ("two-by-two", {}, [["combination-0-A1-B1", ""], ["combination-0-A2-B2", ""]], [["A1", "B1"], ["A2", "B2"]]),
        (
            "planning",
            {},
            [["block-b1", "block-b3", "stack"]],
            {"plan": "(stack b1 b3)"},
        ),
    ],
)
@pytest.mark.sample(fast=1, slow=1)
def test_touching_fills_the_form(page, name, parameters, paths, value):
    """Hands, kinds of things, units with their targets and cells fill the form; a menu asks what is meant."""
    show_nothing(page)
    game, decision, _ = next(iter(decisions_for_two(name, **parameters)))
    touches = touches_of(game, decision)
    show(page, decision.render("scene"))
    told = [decision.schema, json.loads(json.dumps(touches.written()))]
    page.evaluate("([schema, touches]) => (form.show(schema), touch.show(touches))", told)

    for *path, label in paths:
        for element in path:
            page.locator(f'[data-element~="{element}"]').first.dispatch_event("click")
        if label:
            page.locator(".touches-menu button").filter(has_text=label).first.click()

    assert page.evaluate("() => form.value") == value
    assert decision.check(value) is None


def decisions_for_two(name: str, **parameters: Any) -> Iterator[tuple[Any, Decision, Random]]:
    """The same with as few players as there may be, and the same deal."""
    game: Any = make_plugin("game", {"use": name, **parameters}, Catalog())
    state, _ = game.start(Chance(1), min(game.player_counts()))
    player = state.to_act()[0]
    yield game, state.decision(player).asked(PlayerView(state, player), forms=game.forms), Random(1)
