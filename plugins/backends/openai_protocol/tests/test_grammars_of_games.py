"""What the prompts of all installed games ask for, as a grammar."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from arena.catalog import Catalog, Status
from arena.chance import Chance
from arena.game import Decision, Game
from arena_agent_llm.shape import answer_schema
from arena_engine import make_plugin
from arena_openai_protocol import schema_grammar

from .llama_grammar import fits, loaded

STEPS = 12
GAMES = [
    entry.name for entry in Catalog().installed() if entry.kind == "game" and entry.dist.startswith("playarena-game-")
]

pytestmark = pytest.mark.slow  # all games are played


def decided(game: Game, seed: int) -> Iterator[tuple[Decision, Any]]:
    """The decisions of the first steps of a random match, with what was answered."""
    rng, players = Random(seed), next(iter(game.player_counts()))
    state, _ = game.start(Chance(seed), players)
    for _ in range(STEPS):
        decisions = {player: state.decision(player) for player in state.to_act()}
        actions = {player: decision.sample(rng) for player, decision in decisions.items()}
        yield from ((decision, actions[player]) for player, decision in decisions.items())
        if not actions:
            return
        state.apply(actions)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.sample(slow=14)
def test_every_answer_can_be_written(name):
    """llama.cpp takes the grammar of each decision, with queries or without, and an answer that the game gave fits."""
    catalog = Catalog()
    entry = next(entry for entry in catalog.entries("game") if entry.name == name)
    if entry.status is not Status.OK:
        pytest.skip(f"{entry} is {entry.status}: {entry.reason}; {entry.remedy}")
    game = make_plugin("game", {"use": name, **entry.plugin.example}, catalog)

    for decision, action in decided(game, seed=3):
        labels = [option.label for option in decision.options or () if option.action == action]
        answer = {"reasoning": 'It is "best", 2 > 1.', "action": labels[0] if labels else action}
        for may_look_up in {False, bool(decision.queries)}:
            schema = answer_schema(decision, reasoning_limit=600, may_look_up=may_look_up, is_numbered=False)
            with loaded(schema_grammar(schema)) as grammar:
                assert fits(grammar, json.dumps(answer, ensure_ascii=False)), answer
