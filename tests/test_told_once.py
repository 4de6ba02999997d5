"""What a model sees now is told once: in games of OpenSpiel, in questions about 2×2 games, in every style."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

import pytest
from arena.agent import Completions, Seat
from arena.backend import SCHEMA, SEED, Backend, Completion, CompletionRequest, Connection
from arena.catalog import Catalog
from arena.chance import Chance
from arena.game import Decision, Game, PlayerView
from arena.record import Player, derive_rng
from arena_agent_llm.agent import LLM
from arena_agent_llm.prompts.prompt import Prompt
from arena_engine import make_plugin

STYLES = (
    "direct", "chain-of-thought", "brief", "tmgbench-direct", "tmgbench-chain-of-thought", "tmgbench-first-order",
    "tmgbench-second-order", "tmgbench-first-order-reversed", "tmgbench-second-order-reversed",
)  # fmt: skip


class Able(Backend):
    """A model that is never reached."""

    def supports(self) -> frozenset[str]:
        return frozenset({SCHEMA, SEED})

    async def connect(self) -> Connection:
        raise AssertionError("nobody connects here")


class Asked(Completions):
    """Keeps the last request."""

    request: CompletionRequest

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        self.request = request
        return Completion(text="nothing")

    def branch(self, name: str) -> Completions:
        return self


async def prompt_of(game: Game, prompt: Prompt) -> tuple[str, str]:
    """The first prompt of a match as one text, and what the player sees as text."""
    players = sorted(game.player_counts())[0]
    state, events = game.start(Chance(3), players)
    player = state.to_act()[0]
    told = [event for event in events if event.to is None or player in event.to]
    decision: Decision = state.decision(player)
    said: dict[str, Any] = {name: getattr(decision, name) for name in signature(Decision).parameters}
    asked = Decision(**said).asked(PlayerView(state, player), forms=game.forms, news=tuple(told))
    completions = Asked()
    seat = Seat(
        game=game,
        rules=game.rules,
        player=Player(player),
        players=players,
        name=game.seats(players)[player],
        completions=completions,
        query=None,  # type: ignore[arg-type]  # nothing is looked up
        once=None,  # type: ignore[arg-type]  # and nothing is journaled
        resample_hidden=lambda _: None,
        make_rng=lambda: derive_rng("told-once"),
    )
    await LLM(backend=Able(), prompt=prompt).join(seat).act(asked)
    text = "\n".join(message.text for message in completions.request.messages)
    return text, str(game.forms["text"](state.observe(player)))


@pytest.mark.sample(fast=10)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "game",
    [
        {"use": "openspiel", "name": "skat"},
        {"use": "openspiel", "name": "gin_rummy"},
        "two-by-two",
        "two-by-two-story",
        {"use": "two-by-two-story", "shows": "all"},
        "two-by-two-sequence",
        "two-by-two-parallel",
        "two-by-two-nested",
        {"use": "two-by-two-nested", "form": "table"},
    ],
    ids=str,
)
async def test_what_is_seen_is_told_once(game, style):
    """No line of 40 characters or more that is seen stands in a prompt twice, in no style."""
    text, seen = await prompt_of(make_plugin("game", game), Prompt(style=style, form="text"))

    lines = [line.strip() for line in seen.splitlines() if len(line.strip()) >= 40]
    again = [line for line in lines if text.count(line) > seen.count(line)]
    assert again == []
    assert text.count(seen.strip()) == 1 or "example" in text


SETTINGS: Mapping[str, Any] = {
    "matrix": {"rows": ["stay", "go"], "columns": ["stay", "go"], "payoffs": [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]},
    "openspiel": {"name": "clobber"},
    "gymnasium": {"name": "FrozenLake-v1"},
    "pettingzoo": {"name": "classic/rps-v2"},
}
"""What games need that have no settings of their own."""


@pytest.mark.sample(fast=14)
@pytest.mark.parametrize("name", Catalog().names("game"))
async def test_every_game_can_be_asked_in_brief(name):
    """Whatever a game's settings are made of, its first decision is there to take an example from."""
    text, _ = await prompt_of(make_plugin("game", {"use": name, **SETTINGS.get(name, {})}), Prompt(style="brief"))

    assert '"action": ' in text
