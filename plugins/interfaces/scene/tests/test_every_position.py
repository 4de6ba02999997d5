"""Random positions of every game, drawn in a real browser: what is there is drawn and read, and can be touched once."""

import json
import os
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import attrs
import pytest
from arena.catalog import Catalog
from arena.chance import Chance
from arena.game import Decision, PlayerView
from arena.record import canonical_json
from arena_engine import make_plugin
from arena_scene import blank, element_ids, filled, scene_faults, scene_frames, scene_of, touches_faults, touches_of

SEED = os.environ.get("ARENA_CAMPAIGN_SEED", "1")
POSITIONS = 20
LONGEST = 120
"""Positions are drawn from the first so many steps of a match."""

MOST = 400
"""Of a position with more options so many are chosen, at random."""

LAKE = {"use": "gymnasium", "name": "FrozenLake-v1"}
OTHERS: Mapping[str, Mapping[str, Any]] = {
    "openspiel": {"use": "openspiel", "name": "clobber", "parameters": {"rows": 6, "columns": 6}},
    "gymnasium": LAKE,
    "gymnasium-picture": {**LAKE, "hidden_information": False, "picture": True},
    "pettingzoo": {"use": "pettingzoo", "name": "classic/rps-v2"},
    "pettingzoo-picture": {
        "use": "pettingzoo",
        "name": "classic/connect_four-v3",
        "hidden_information": False,
        "picture": True,
    },
}
"""Games of others that have no scene of their own: told in words, or shown as they draw themselves."""

SAMPLE = ("tic-tac-toe", "hanabi", "negotiation", "gymnasium-picture")
"""Games whose positions are drawn each time, three of each."""


def every_game() -> list[str]:
    """The names of all installed games; of those of others, of what stands for them."""
    return sorted({*Catalog().names("game"), *OTHERS})


@attrs.frozen
class Seen:
    """One position through somebody's eyes, and what it asks, if it asks anything."""

    scene: Any
    touches: Any = None
    decision: Decision | None = None


def drawn_positions(name: str, count: int) -> Iterator[Seen]:
    """Positions of as many random matches, each after a random number of steps, as somebody sees them."""
    catalog = Catalog()
    plain: dict[str, Any] = {"use": name, **(catalog.get("game", name).plugin.example if name == "matrix" else {})}
    game = make_plugin("game", OTHERS.get(name, plain), catalog)
    rng = Random(f"{SEED} {name}")
    longest = LONGEST
    for number in range(count):
        players = rng.choice(sorted(game.player_counts())[:4])
        state, _ = game.start(Chance(rng.getrandbits(32)), players)
        wanted, step = rng.randrange(longest + 1), 0
        while state.to_act() and step < wanted:
            state.apply({player: state.decision(player).sample(rng) for player in state.to_act()})
            step += 1
        longest = (
            min(longest, max(1, step)) if not state.to_act() else longest
        )  # the first to end says how long they are
        acting = state.to_act()
        player = rng.choice(acting) if acting and number % 4 else rng.choice([*range(players), None])
        scene = scene_of(name, game.forms, state.observe(player))
        if player not in acting:
            yield Seen(scene)
            continue
        asked = state.decision(player).asked(PlayerView(state, player), forms=game.forms)
        touches = touches_of(game, asked)
        if touches is not None:
            assert touches_faults(touches.written(), element_ids(scene)) == ()
        yield Seen(scene, touches, asked)


def ids_and_labels(value: Any) -> Iterator[tuple[str, str]]:
    """Each id of an element and each label of a scene: ``("id", "c4")``; columns and rows are each of their cells."""
    if isinstance(value, Mapping):
        yield from (("id", value["id"]),) if "id" in value and not {"part", "title", "cells"} & value.keys() else ()
        yield from (("label", value["label"]),) if "label" in value else ()
        for own in value.values():
            yield from ids_and_labels(own)
    elif isinstance(value, list):
        for own in value:
            yield from ids_and_labels(own)


SCRIPT = """() => {
  const all = (selector) => [...document.querySelectorAll(`#place .scene ${selector}`)];
  const idsOf = (own) => own.dataset.element.split(" ");
  const wordsOf = (own) => [own.getAttribute("aria-label"), own.getAttribute("alt"), own.textContent];
  const touched = ({ path }) => {
    for (const id of path) {
      const own = all(".is-offered").find((each) => idsOf(each).includes(id));
      own?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
  };
  const pressed = (place, label) => {
    const words = [label, `Done: ${label}`];
    const own = [...place.querySelectorAll("button")].find((each) => words.includes(each.textContent));
    own?.click();
    return Boolean(own);
  };
  window.looked = async () => {
    await Promise.all(all("img").map((own) => own.decode()));
    return {
      broken: document.querySelectorAll(".is-broken").length,
      ids: all("[data-element]").flatMap(idsOf),
      read: all("*").flatMap(wordsOf).filter(Boolean),
      silent: all("[data-stop]").filter((own) => !wordsOf(own).join("").trim()).length,
      height: document.querySelector("#place .scene-body-of-parts").getBoundingClientRect().height,
    };
  };
  window.chose = ([touches, options, wanted]) => wanted.map((own) => {
    window.chosen.splice(0);
    touch.show(touches, options);
    touched(own);
    if (own.path.length && !window.chosen.length) pressed(touch.menu, own.label);
    // Of many options beside the picture those are listed that begin with what is typed.
    else if (!own.path.length && !pressed(touch.element, own.label)) touch.type(own.label);
    return window.chosen.splice(0);
  });
  window.filled = ([schema, touches, wanted]) => wanted.map((own) => {
    form.show(schema);
    touch.show(touches, []);
    touched(own);
    const isSame = JSON.stringify(form.value) === JSON.stringify(forms.blank(schema));
    if (isSame) pressed(own.path.length ? touch.menu : touch.element, own.label);
    return form.value;
  });
  choosing();
}"""
"""What a person does with a position, as functions of the page: quick enough for each option of each position."""


def look(page: Any, seen: Seen) -> None:
    """Draw a position, and see that all of it is there and read."""
    assert scene_faults(seen.scene) == ()
    page.evaluate("(scene) => view.show(scene)", seen.scene)
    found = page.evaluate("() => looked()")
    assert (found["broken"], found["silent"]) == (0, 0)
    assert found["height"] > 0
    read = "\n".join(found["read"])
    for kind, value in ids_and_labels(seen.scene["parts"]):
        if kind == "id":
            assert found["ids"].count(value) == 1, f"{value!r} is drawn {found['ids'].count(value)} times"
        else:
            assert " ".join(value.split()) in " ".join(read.split()), f"{value!r} is not read"


def choose(page: Any, seen: Seen, rng: Random) -> None:
    """Choose every option by touching what it says, and fill the form by every touch that does."""
    decision, touches = seen.decision, seen.touches
    if decision is None:
        return
    written = None if touches is None else touches.written()
    if decision.options is not None:
        options = [{"action": own.action, "label": own.label} for own in decision.options]
        paths = {canonical_json(own["action"]): own["path"] for own in written["choices"]} if written else {}
        assert not written or len(paths) == len(written["choices"]) == len(options)
        wanted = [{**own, "path": paths.get(canonical_json(own["action"]), [])} for own in options]
        wanted = wanted if len(wanted) <= MOST else rng.sample(wanted, MOST)
        found = page.evaluate("(own) => chose(own)", [written, options, json.loads(json.dumps(wanted))])
        for own, chosen in zip(wanted, found, strict=True):
            assert [canonical_json(each) for each in chosen] == [canonical_json(own["action"])], own
    elif written:
        fills = [own for own in written.get("fills", []) if "do" in own][:MOST]
        found = page.evaluate("(own) => filled(own)", [decision.schema, written, fills])
        for own, value in zip(fills, found, strict=True):
            assert value == filled(decision.schema, blank(decision.schema), own["do"]), own["label"]


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize(
    ("name", "count"),
    [
        *(pytest.param(name, 3, id=f"{name}-3", marks=pytest.mark.slow) for name in SAMPLE),
        *(
            pytest.param(name, POSITIONS, id=name, marks=[pytest.mark.campaign, pytest.mark.web])
            for name in every_game()
        ),
    ],
)
def test_random_positions_are_drawn_read_and_touched(page, name, count):
    """Without a complaint of the browser; each id is there once, each label is read, each option is chosen once.

    The difference from the position before, as Python makes it, leads to the same scene in the browser.
    """
    page.evaluate(SCRIPT)
    rng, before = Random(SEED), None
    for seen in drawn_positions(name, count):
        look(page, seen)
        choose(page, seen, rng)
        if before is not None:
            _, change = scene_frames([before, seen.scene])
            assert page.evaluate("(own) => scenes.patch(...own)", [before, change]) == seen.scene
        before = seen.scene
