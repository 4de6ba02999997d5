"""What can be touched in a match of TradeCraft, and what answers of look-ups suggest to do."""

from collections.abc import Collection, Iterator
from typing import Any, Final

import arena_scene
from arena.game import Decision, QueryAction

from arena_game_tradecraft.rules.amounts import say_amounts
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.showing.nearness import crafts_away, nearness, say_nearness
from arena_game_tradecraft.showing.scene import amount_id, drawn_items, name_id

_SAY: Final = {
    "propose": "Propose a trade: touch what you give and what you ask for.",
    "decide": "Accept or reject the proposal.",
    "craft": "Craft from what you hold, or be done.",
}
_NAMES: Final = {
    "propose": {"": "your proposal", "/offer": "you give", "/request": "you get"},
    "decide": {"": "your answer", "/accept": "do you accept?"},
    "craft": {
        "": "what you do",
        "/done": "done with crafting",
        "/inputs": "what goes in",
        "/output": "what comes out",
    },
}
_ASSIST: Final = {"possible_crafts": "What you could craft", "history": "What has happened"}
_MOST: Final = 999_999_999


def table_touches(decision: Decision) -> "arena_scene.Touches":
    """Hands fill proposals and crafts; what is typed as an output is completed."""
    seen, schema = decision.observation, decision.schema
    offered = {query.name for query in decision.queries}
    fills = {"propose": _proposal, "decide": _answer, "craft": _craft}[decision.phase](seen, schema)
    suggest = [arena_scene.Suggest(pointer="/output", query="search", argument="text")]
    return arena_scene.Touches(
        fills=[*fills, *_links(seen, offered)],
        assist=[arena_scene.Assist(query=name, title=title) for name, title in _ASSIST.items() if name in offered],
        suggest=suggest if decision.phase == "craft" and "search" in offered else [],
        names=_NAMES[decision.phase],
        say=_SAY[decision.phase],
    )


def suggested(rules: RuleSet, decision: Decision, answer: Any) -> list[QueryAction]:
    """The crafts that an answer names as possible, those first that lead to what is still missing of the target."""
    schema: Any = decision.schema
    held: Any = schema["anyOf"][1]["properties"]["inputs"]["properties"]
    distances = crafts_away(rules, decision.observation)
    found: list[QueryAction] = []
    for craft in answer["crafts"]:
        example = craft["example"]
        if not example["inputs"].keys() <= held.keys():
            continue  # of another hand than the player's own
        made, needed = say_amounts(example["output"]), say_amounts(example["inputs"])
        rank, near = nearness(rules, distances, craft)
        told = ": ".join(filter(None, (f"craft {made} from {needed}", say_nearness(near))))
        found.append(QueryAction(label=told, action=example, rank=rank))
    return found


def _proposal(seen: Any, schema: Any) -> "Iterator[arena_scene.Fill]":
    own, wanted = (schema["properties"][name]["properties"] for name in ("offer", "request"))
    partners = schema["properties"]["partner"]["enum"]
    for number, (seat, shown) in enumerate(seen["hands"].items()):
        if seat == seen["you"]:
            for item in own:
                give = [arena_scene.Add(pointer=f"/offer/{item}")]
                yield arena_scene.Fill(path=(amount_id(item, number),), label=f"give one {item}", do=give)
        elif seat in partners:
            partner = arena_scene.Put(pointer="/partner", value=seat)
            for item in (item for item in shown if item in wanted):
                ask = [partner, arena_scene.Add(pointer=f"/request/{item}")]
                label = f"ask {seat} for one {item}"
                yield arena_scene.Fill(path=(amount_id(item, number),), label=label, do=ask)
    nothing = [arena_scene.Put(pointer="/partner", value=None)]
    nothing += [arena_scene.Put(pointer=f"/{name}", value={}) for name in ("offer", "request")]
    message = arena_scene.Clear(pointer="/message")
    yield arena_scene.Fill(path=(), label="propose nothing", do=[*nothing, message])


def _answer(seen: Any, schema: Any) -> "Iterator[arena_scene.Fill]":
    for label, value in (("accept", True), ("reject", False)):
        yield arena_scene.Fill(path=(), label=label, do=[arena_scene.Put(pointer="/accept", value=value)])


def _links(seen: Any, offered: Collection[str]) -> "Iterator[arena_scene.Fill]":
    """What lies in the hands leads to what is known of it."""
    for item in drawn_items(seen) if "item" in offered else ():
        label, arguments = f"look up {item}", {"item": item}
        yield arena_scene.Fill(path=(name_id(item),), label=label, query="item", arguments=arguments)


def _craft(seen: Any, schema: Any) -> "Iterator[arena_scene.Fill]":
    held = schema["anyOf"][1]["properties"]["inputs"]["properties"]
    number = list(seen["hands"]).index(seen["you"])
    drawn = drawn_items(seen)
    for item in (item for item in held if item in drawn):
        use = [arena_scene.Add(pointer=f"/inputs/{item}")]
        yield arena_scene.Fill(path=(amount_id(item, number),), label=f"use one {item}", do=use)
    twice = arena_scene.Scale(pointers=["/inputs", "/output"], by=2, most=_MOST)
    yield arena_scene.Fill(path=(), label="twice as much", do=[twice])
    yield arena_scene.Fill(path=(), label="be done with crafting", do=[arena_scene.Put(pointer="/done", value=True)])
