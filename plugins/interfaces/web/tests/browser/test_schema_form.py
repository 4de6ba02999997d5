"""The form of a JSON schema knows every kind of field that plugins have: each shows a value, and gives it back."""

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Any, Literal

import attrs
import pytest
from arena.agent import Agent
from arena.catalog import Catalog
from arena.installed import InstalledPlugin
from arena.plugin import Plugin
from arena_engine import json_schema, plugin_schema

from .conftest import Served, visiting
from .examples import examples

pytestmark = [pytest.mark.web, pytest.mark.xdist_group("web")]

TRIED = """
async (told) => {
  const [root, cases] = JSON.parse(told);
  const { SchemaForm } = await import("/static/schema_form.js");
  const { inside } = await import("/static/form.js");
  const { textOf } = await import("/static/elements.js");
  const wrong = [];
  const form = new SchemaForm({});
  document.querySelector("main").replaceChildren(form.element);
  const unfold = () => {
    for (let own; (own = form.element.querySelector("details:not([open])"));) form.unfold(own);
  };
  const fields = () => [...form.element.querySelectorAll("[data-pointer]")];
  const isWhole = (value) => value === null || typeof value !== "object" || !Object.keys(value).length;
  const leaves = (value, at) => (isWhole(value)
    ? (value === null || at === "#" ? [] : [at])
    : Object.entries(value).flatMap(([name, own]) => leaves(own, inside(at, name))));
  for (const [name, schema, value] of cases) {
    await new Promise((done) => setTimeout(done)); // else what was drawn before is never let go
    form.open.clear();
    form.show({ ...schema, $defs: root.$defs }, value);
    unfold();
    if (form.element.querySelector(".form-json")) wrong.push([name, "has a field of an unknown kind"]);
    const all = [...form.element.querySelectorAll("input, select, textarea")];
    const unnamed = all.find((own) => !own.labels?.length && !own.ariaLabel);
    if (unnamed) wrong.push([name, `has a field without a label: ${unnamed.outerHTML}`]);
    const shown = fields().map((own) => own.dataset.pointer);
    const holds = (at, leaf) => `${leaf}/`.startsWith(`${at}/`) || at === `${leaf}/use`;
    const missing = leaves(value, "#").filter((own) => !own.endsWith("/use") && !shown.some((at) => holds(at, own)));
    if (missing.length) wrong.push([name, `shows nothing of ${missing}`]);
    for (const own of fields().filter((own) => own.matches("textarea, [type=text]"))) {
      own.dispatchEvent(new Event("input")); // as if it were typed again
    }
    for (const own of fields().filter((own) => own.matches("select") && !own.dataset.pointer.endsWith("/use"))) {
      const [place, at] = [own.selectedIndex, own.dataset.key];
      if (place > 0) fields().find((each) => each.dataset.key === at).dispatchEvent(new Event("change"));
    }
    if (textOf(form.value) !== textOf(value)) wrong.push([name, `gives ${textOf(form.value)} for ${textOf(value)}`]);
  }
  return wrong;
}
"""


def tried(chromium: Any, served: Served, root: Any, cases: list[Any]) -> list[Any]:
    """What the form shows wrongly of schemas and their values."""
    with visiting(chromium, served) as visit:
        return visit.page.evaluate(TRIED, json.dumps([root, cases]))


@pytest.mark.campaign
def test_form_knows_every_field_of_every_plugin(chromium, empty):
    """All plugins of the repository, with each alternative of each field: nothing is shown as raw data or changed."""
    root = json_schema(Catalog())
    cases = [
        [name, schema, value]
        for name, schema in root["$defs"].items()
        if "." in name and not name.startswith(("game.", "agent."))  # those of entries have all of theirs, and more
        for value in examples(schema, root, most=3)
    ]
    whole = {**root, "properties": root["properties"] | root["else"]["properties"]}
    cases += [["benchmark", whole, value] for value in examples(whole, root)]

    kinds = {name.partition(".")[0] for name in root["$defs"]}
    assert {"game-entry", "agent-entry", "backend", "metric", "schedule", "observer", "executor", "solver"} <= kinds
    assert tried(chromium, empty, root, cases) == []


@attrs.frozen
class Rule:
    """One of many things in each other."""

    when: tuple[str, int]
    then: Mapping[str, Sequence[float]] = attrs.field(factory=dict)
    otherwise: Literal["stop", "go on"] | None = None


@attrs.frozen
class Elaborate:
    """Parameters as a stranger's plugin may have them: nested tables, lists of them, and several kinds in one place."""

    rules: Sequence[Rule]
    by_name: Mapping[str, Rule] = attrs.field(factory=dict)
    start: Rule | Sequence[int] | str = "anywhere"
    pairs: Sequence[Sequence[tuple[float, float]]] = ()
    most: int | None = attrs.field(default=5, validator=attrs.validators.optional(attrs.validators.in_([1, 5])))
    helper: Agent | None = None
    grid: Sequence[Sequence[str]] | bool = False
    anything: Any = None


def test_form_knows_what_a_stranger_has(chromium, empty):
    """Tables, lists and alternatives in each other, with a plugin within, are filled in and given back."""
    plugin = Plugin(factory=f"{__name__}:Elaborate", summary="as a stranger has it")
    point = EntryPoint("elaborate", "acme:plugin", "arena.metrics")
    entry = InstalledPlugin("metric", "elaborate", "acme", "1", point, plugin=plugin)
    schema = plugin_schema(entry, Catalog())

    values = examples(schema, schema, most=6)
    assert {type(value["start"]) for value in values} == {dict, list, str}
    assert tried(chromium, empty, schema, [["elaborate", schema, value] for value in values]) == []


TYPED = """
async () => {
  const { SchemaForm } = await import("/static/schema_form.js");
  const rule = { type: "object", properties: { coins: { type: "integer" }, kind: { type: "string" } } };
  const rules = { type: "object", additionalProperties: rule };
  const form = new SchemaForm({});
  document.querySelector("main").replaceChildren(form.element);
  const names = ["a", "b", "c", "d", "e"];
  const entries = Object.fromEntries(names.map((name) => [name, { coins: 0 }]));
  const value = { rows: [{ coins: 1 }, { coins: 2 }], rules: entries };
  form.show({ type: "object", properties: { rows: { type: "array", items: rule }, rules } }, value);
  const at = (key) => form.element.querySelector(`[data-key="#${key}"]`);
  const type = (key, text, kind) => (Object.assign(at(key), { value: text }), at(key).dispatchEvent(new Event(kind)));
  const folds = () => [...form.element.querySelectorAll(".fold:has(> summary[data-key$='@…'])")];
  const closed = folds().filter((own) => !own.open).map((own) => own.firstChild.textContent);
  folds().forEach((own) => form.unfold(own));
  type("/rules/a/coins", "5", "input");
  type("/rules/b@", "z", "change");
  type("/rows/0/coins", "7", "input");
  form.element.querySelector("[aria-label='up: rows 2']").click();
  type("/rows/0/coins", "8", "input");
  form.element.querySelector("[aria-label='remove rows 2']").click();
  return [closed, form.value, folds().filter((own) => own.open).length];
}
"""


def test_what_was_typed_stays_when_something_else_is_done(chromium, empty):
    """A text that was typed is not lost with a new name, a row that moves or goes; many entries are folded at first."""
    with visiting(chromium, empty) as visit:
        closed, value, opened = visit.page.evaluate(TYPED)

    assert closed == ["a", "b", "c", "d", "e"]
    assert value["rules"] == {"a": {"coins": 5}, "z": {"coins": 0}, **{name: {"coins": 0} for name in "cde"}}
    assert value["rows"] == [{"coins": 8}]
    assert opened == 5
