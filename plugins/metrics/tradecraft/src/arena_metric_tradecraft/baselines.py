"""Simulated matches to compare agents with: uniform legal play, and the best cooperative plan for two players."""

from collections.abc import Container, Iterator

import attrs
from arena.chance import Chance
from arena.metric import MeasurementRow
from arena.record import Ending, Event, GameEvent, Player, derive_rng
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.state import TradeState
from arena_game_tradecraft.solver import joint_plan, play

from arena_metric_tradecraft.conduct import MatchStats, followed
from arena_metric_tradecraft.match_measures import measured, named

RANDOM = "random play"
"""The name of uniform legal play in tables."""

PLANNED = "joint plan"
"""The name of the best cooperative plan in tables."""


def random_rows(
    name: str, game: TradeCraft, players: int, matches: int, seed: int, nodes: int
) -> Iterator[MeasurementRow]:
    """The rows of ``matches`` matches between uniform random players."""
    for number in range(matches):
        state, rng = _begun(game, players, number), derive_rng("trading", seed, name, players, number)
        while acting := state.to_act():
            state.apply({player: state.decision(player).sample(rng) for player in acting})
        yield from _rows(name, RANDOM, number, state, game, nodes)


def planned_rows(name: str, game: TradeCraft, problems: Container[str], nodes: int) -> Iterator[MeasurementRow]:
    """The rows of the plan with the fewest turns after which both players hold their targets.

    One match for each of ``problems``, which are named as by ``played.named``. A problem without such a plan, or for
    which none is found within ``nodes``, has no row.
    """
    for number, problem in enumerate(game.given):
        if problem.players != 2 or named(game, number + 1) not in problems:
            continue
        state = _begun(attrs.evolve(game, problems=(problem,)), 2, number)
        hands = [problem.hand(p) for p in range(2)]
        found = joint_plan(
            game.rule_set, hands, problem.targets, max_turns=state.max_turns, order=state.order, nodes=nodes
        )
        if found.plan is not None:
            yield from _rows(name, PLANNED, number, play(state, found.plan), game, nodes)


def _begun(game: TradeCraft, players: int, number: int) -> TradeState:
    state, _ = game.start(Chance(number), players)
    assert isinstance(state, TradeState)
    return state


def _rows(
    name: str, who: str, number: int, state: TradeState, game: TradeCraft, nodes: int
) -> Iterator[MeasurementRow]:
    agents = (who,) * state.players
    for found in measured(_course(state), game, nodes):
        p = found.player
        yield MeasurementRow(
            **found._asdict(),
            match=f"{name}: {who} {number}",
            block=f"{name}: {who} {number}",
            game=name,
            pairing=who,
            ending=Ending.RULES,
            agents=agents,
            agent=None if p is None else who,
            seat=None if p is None else state.reader.seats[p],
        )


def _course(state: TradeState) -> MatchStats:
    return followed(tuple(state.reader.seats), (_told(event) for _, event in state.log))


def _told(event: GameEvent) -> Event:
    to = None if event.to is None else tuple(map(Player, event.to))
    return Event(0, "game", event.kind, None, event.data, to)
