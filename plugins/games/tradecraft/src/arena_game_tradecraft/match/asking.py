"""The decision of each phase: the schema of its action, the actions that do nothing, and random legal actions."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from arena.game import Decision
from arena.record import JSON, Player

from arena_game_tradecraft.match import judging
from arena_game_tradecraft.match.lookups import queries
from arena_game_tradecraft.match.position import Position
from arena_game_tradecraft.rules.amounts import AMOUNT_SCHEMA, write_amounts
from arena_game_tradecraft.rules.crafting import fill, possible_crafts

DONE: Final[Mapping[str, JSON]] = {"done": True}
NO_PROPOSAL: Final[Mapping[str, JSON]] = {"partner": None, "offer": {}, "request": {}, "message": ""}
REJECT: Final[Mapping[str, JSON]] = {"accept": False, "message": ""}

_MESSAGES: Final = ("", "", "a fair trade?", "I need this", "thank you")
_CRAFTS_AGAIN: Final = 0.6
_MOST_AT_ONCE: Final = 3


def decision(state: Position, player: Player) -> Decision:
    """The decision of ``player``, who must be one of those to act."""
    schema, sampler, skip = {
        "propose": (_proposal_schema, _sample_proposal, NO_PROPOSAL),
        "decide": (_answer_schema, _sample_answer, REJECT),
        "craft": (_craft_schema, _sample_craft, DONE),
    }[state.phase]
    return Decision(
        player=player,
        phase=state.phase,
        action_schema=schema(state, player),
        sampler=lambda rng: sampler(state, player, rng),
        aliases=lambda value: judging.rewritten(state, player, value),
        skip=dict(skip),
        queries=queries(state, player),
    )


def _proposal_schema(state: Position, player: Player) -> JSON:
    others = [p for p in state.present() if p != player]
    wanted: dict[str, int] = {}
    for other in others:
        for item, amount in state.shown[other].items():
            wanted[item] = max(wanted.get(item, 0), int(amount))
    own = {item: int(amount) for item, amount in state.shown[player].items()}
    properties: dict[str, JSON] = {
        "partner": {"enum": [*(state.reader.seats[p] for p in others), None]},
        "offer": _stock_schema(own),
        "request": _stock_schema(wanted),
    }
    return _object({**properties, "message": _message_schema(state)}, list(properties))


def _answer_schema(state: Position, player: Player) -> JSON:
    return _object({"accept": {"type": "boolean"}, "message": _message_schema(state)}, ["accept"])


def _craft_schema(state: Position, player: Player) -> JSON:
    held = dict.fromkeys(sorted(state.hands[player]), AMOUNT_SCHEMA)
    output = {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": AMOUNT_SCHEMA}
    craft = _object({"inputs": _object(held, []), "output": output}, ["inputs", "output"])
    return {"anyOf": [_object({"done": {"const": True}}, ["done"]), craft]}


def _message_schema(state: Position) -> JSON:
    return {"type": "string", "maxLength": state.reader.message_limit}


def _stock_schema(amounts: Mapping[str, int]) -> JSON:
    return _object({i: {"type": "integer", "minimum": 1, "maximum": amounts[i]} for i in sorted(amounts)}, [])


def _object(properties: Mapping[str, JSON], required: list[str]) -> JSON:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _sample_proposal(state: Position, player: Player, rng: Random) -> JSON:
    others = [p for p in state.present() if p != player]
    if rng.random() < 0.1:
        return dict(NO_PROPOSAL)
    partner = rng.choice(others)
    return {
        "partner": state.reader.seats[partner],
        "offer": _some(state.shown[player], rng),
        "request": _some(state.shown[partner], rng),
        "message": _sample_message(state, rng),
    }


def _sample_answer(state: Position, player: Player, rng: Random) -> JSON:
    return {"accept": rng.random() < 0.5, "message": _sample_message(state, rng)}


def _sample_craft(state: Position, player: Player, rng: Random) -> JSON:
    if state.crafts[player] < state.terms.max_crafts and rng.random() < _CRAFTS_AGAIN:
        hand = state.hands[player]
        possible = possible_crafts(state.rules, hand)
        if possible:
            chosen = rng.choice(possible)
            times = rng.randint(1, min(chosen.most, _MOST_AT_ONCE))
            inputs = fill(chosen.recipe, hand, times) or {}
            made: dict[str, JSON] = {chosen.recipe.output: times * chosen.recipe.count}
            action: JSON = {"inputs": write_amounts(inputs), "output": made}
            if judging.check(state, player, action) is None:
                return action
    return dict(DONE)


def _sample_message(state: Position, rng: Random) -> str:
    return rng.choice(_MESSAGES)[: state.reader.message_limit]


def _some(hand: Mapping[str, Any], rng: Random) -> dict[str, JSON]:
    chosen = rng.sample(sorted(hand), min(len(hand), rng.choice((0, 1, 1, 2))))
    return {item: rng.randint(1, int(hand[item])) for item in sorted(chosen)}
