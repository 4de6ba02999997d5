"""Says what the positions of a match were worth, by the best method that is installed; runs in a worker process.

A solver made for the game is asked first, then one that estimates, such as the user's own chess engine, then general
exact ones, and else random matches are played on from the position. The last turn comes first: late positions are the
cheapest, and where a solver gives up, it is not asked for those before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from arena.catalog import Catalog, Status
from arena.errors import ArenaError, SolverError
from arena.game import Game, GameFacts, State
from arena.record import Action, Player, canonical_json, derive_rng
from arena.solver import ActionValue, Solution, Solver
from arena.turns import Turn, positions, turns
from arena_engine import make_plugin

from arena_web.foundation.seeing import ALL
from arena_web.workers.replaying import replayed

BLUNDER: Final = 0.25
"""A choice that loses at least this share of the range of returns is a blunder."""

STEPS: Final = 4_000
"""About so many steps of random play are taken for each position that no solver values."""

MOST_ACTIONS: Final = 300
"""Positions with more actions are not valued by random play."""


@attrs.frozen(kw_only=True)
class _Method:
    """How positions are valued: a solution and what it is called; blunders are told only where it ``is_sure``."""

    name: str
    solution: Solution
    is_exact: bool

    @property
    def words(self) -> str:
        """The solver with its method."""
        return f"{self.name}: {self.solution.method}"


@attrs.frozen(kw_only=True)
class _Valued:
    """What the actions of one turn were worth to its player, by which method."""

    values: Mapping[str, float]
    method: str
    is_exact: bool
    is_sure: bool


def evaluate(asked: Mapping[str, Any], catalog: Catalog, tell: Callable[[Mapping[str, Any]], None]) -> bool:
    """Tell what each turn's actions were worth, from the last turn to the first; true at the end.

    ``ArenaError`` says in a sentence why this game cannot be valued.
    """
    found = replayed(asked["run"], asked["match"], ALL, catalog)
    game, players = found.game, len(found.history.agents)
    facts = game.facts(players)
    by_step = {turn.step: turn for turn in turns(found.history) if turn.played is not None}
    states = [
        (by_step[place.step], place.state.clone())
        for place in positions(game, found.history)
        if place.step in by_step and len(place.state.to_act()) == 1
    ]
    methods = list(_methods(game, players, catalog))
    if not methods and (facts.hidden_information or facts.simultaneous):
        raise ArenaError("no installed solver takes this game, and search would see what its players could not")
    if not states:
        raise ArenaError("there is no turn to value: nobody moved, or all moved at once")
    for read, (turn, state) in enumerate(reversed(states), 1):
        valued = _valued(turn, state, methods, facts, found.history.id)
        line = [] if valued is None else [_line(turn, state, valued, facts, players)]
        tell({"progress": {"read": read, "found": line}})
    return True


def _methods(game: Game, players: int, catalog: Catalog) -> Iterator[_Method]:
    """The solutions of the solvers that take a game, the best first."""
    solvers: list[tuple[str, Solver]] = []
    for entry in catalog.entries("solver"):
        if entry.status is Status.OK:
            try:
                solvers.append((entry.name, make_plugin("solver", entry.name, catalog)))
            except ArenaError:  # one with required parameters
                continue
    for name, solver in sorted(solvers, key=lambda pair: (not pair[1].is_specialist, pair[1].is_exact, pair[0])):
        if solver.unsupported_reason(game, players) is None:
            try:
                yield _Method(name=name, solution=solver.solve(game, players), is_exact=solver.is_exact)
            except SolverError:
                continue


def _valued(turn: Turn, state: State, methods: list[_Method], facts: GameFacts, match: str) -> _Valued | None:
    while methods:
        method = methods[0]
        try:
            worths = method.solution.action_values(state, turn.player)
        except SolverError:
            methods.pop(0)
            continue
        if worths is None:
            return None
        return _Valued(values=_by_action(worths.values), method=method.words, is_exact=method.is_exact, is_sure=True)
    if facts.hidden_information or facts.simultaneous:
        return None
    values = _played_on(state, turn.player, [match, turn.step])
    words = f"random play, about {STEPS:,} moves a position, an estimate"
    return None if values is None else _Valued(values=values, method=words, is_exact=False, is_sure=False)


def _by_action(worths: Sequence[ActionValue]) -> dict[str, float]:
    return {canonical_json(worth.action): worth.value for worth in worths}


def _played_on(state: State, player: Player, seed: Sequence[Any]) -> dict[str, float] | None:
    """The mean return of each action if everybody plays at random from there on."""
    options = state.decision(player).options
    if options is None or not 1 <= len(options) <= MOST_ACTIONS:
        return None
    rng = derive_rng("evaluation", *seed)
    sums, times, left = dict[str, float](), 0, STEPS
    while left > 0:
        for action in options.actions:
            own, steps = _random_return(state, player, action, rng)
            key = canonical_json(action)
            sums[key], left = sums.get(key, 0.0) + own, left - steps
        times += 1
    return {key: total / times for key, total in sums.items()}


def _random_return(state: State, player: Player, action: Action, rng: Any) -> tuple[float, int]:
    """What a player earns if it takes an action and all play on at random, and how many steps that took."""
    after, steps = state.clone(), 1
    after.apply({player: action})
    while acting := after.to_act():
        after.apply({who: after.decision(who).sample(rng) for who in acting})
        steps += 1
    returns = after.returns()
    assert returns is not None  # the match is over
    return float(returns[player]), steps


def _line(turn: Turn, state: State, valued: _Valued, facts: GameFacts, players: int) -> dict[str, Any]:
    """A turn as it is sent; its ``share`` is its worth for the first player, from 0 to 1, if two play for one sum."""
    best = max(valued.values.values())
    chosen = valued.values.get(canonical_json(turn.move["play"]), best)
    low, high = facts.min_return, facts.max_return
    span = high - low if high is not None and low is not None and high > low else None
    loss = best - chosen
    share = None
    if span and low is not None and players == 2 and facts.returns in ("zero-sum", "constant-sum"):
        own = (best - low) / span
        share = round(own if turn.player == 0 else 1 - own, 4)
    is_blunder = valued.is_sure and span is not None and loss >= BLUNDER * span
    return {
        "turn": turn.number - 1,
        "player": turn.player,
        "best": round(best, 4),
        "chosen": round(chosen, 4),
        "loss": round(loss, 4),
        "better": "" if loss <= 0 else _label(state, turn.player, valued.values, best),
        "share": share,
        "method": valued.method,
        "is_exact": valued.is_exact,
        "is_blunder": is_blunder,
        "is_missed_win": is_blunder and high is not None and best >= high - BLUNDER * (span or 0) / 10,
    }


def _label(state: State, player: Player, values: Mapping[str, float], best: float) -> str:
    """The best action as people read it."""
    options = state.decision(player).options
    key = next(key for key, value in values.items() if value == best)
    if options is None:
        return key
    return next((option.label for option in options if canonical_json(option.action) == key), key)
