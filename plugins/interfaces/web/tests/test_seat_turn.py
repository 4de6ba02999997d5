"""What a seat is told of a turn: the same, byte for byte, wherever its player cannot tell the positions apart."""

import json
from random import Random
from typing import Any

import pytest
from arena.agent import Seat
from arena.catalog import Catalog
from arena.chance import Chance
from arena.decision import PlayerView
from arena.game import Game, State
from arena_web.open_seat.seat_turn import form_json, turn_json

CATALOG = Catalog()
STEPS = 12


def made(name: str) -> Game:
    """A game with its usual parameters."""
    entry = CATALOG.get("game", name)
    assert entry.plugin is not None
    return entry.plugin.load()(**entry.plugin.preset)


def hidden() -> list[str]:
    """The installed games that hide something and can be made without being told more."""
    found = []
    for name in CATALOG.names("game"):
        try:
            game = made(name)
            facts = game.facts(min(game.player_counts()))
        except Exception:  # it needs parameters, or something that is not installed
            continue
        if facts.hidden_information:
            found.append(name)
    return found


def seat_of(game: Game, player: int, players: int) -> Any:
    """The part of a seat that a turn is made from."""
    unused: dict[str, Any] = dict.fromkeys(("completions", "query", "once", "resample_hidden", "make_rng"))
    name = game.seats(players)[player]
    return Seat(player=player, players=players, name=name, game=game, rules=game.rules, **unused)  # type: ignore[arg-type]


def told(game: Game, state: State, player: Any, players: int) -> str:
    """All bytes that a seat can be sent of a position in which it is to act."""
    decision = state.decision(player).asked(PlayerView(state, player), forms=game.forms, refusals_left=3)
    forms = {name: form_json(decision, name) for name in decision.forms}
    return json.dumps([turn_json(seat_of(game, player, players), decision, [], {}), forms])


def compared(name: str, game: Game) -> int:
    """How many positions of a game whose hidden part is another one were the same turn for the player; all must be."""
    players, rng, differing = min(game.player_counts()), Random(7), 0
    for match in range(3):
        state, _ = game.start(Chance(match), players)
        for step in range(STEPS):
            acting = state.to_act()
            if not acting:
                break
            for player in acting:
                other = state.resample_hidden(player, Chance(1_000 * match + step))
                if other is not None:
                    differing += json.dumps(other.observe(None)) != json.dumps(state.observe(None))
                    assert told(game, other, player, players) == told(game, state, player, players), (name, step)
            decisions = {p: state.decision(p).asked(PlayerView(state, p), forms=game.forms) for p in acting}
            state.apply({p: decision.sample(rng) for p, decision in decisions.items()})
    return differing


@pytest.mark.slow
def test_turn_is_the_same_where_only_the_hidden_differs():
    """In every game a position whose hidden part is drawn anew gives the player the same turn, in every form."""
    found = {name: compared(name, made(name)) for name in hidden()}

    assert {name for name, differing in found.items() if differing} >= {"kuhn-poker", "hanabi", "negotiation"}
