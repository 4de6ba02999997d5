"""Measures each choice of one match against the values of its alternatives."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf
from statistics import pstdev

from arena.errors import SolverError
from arena.game import State
from arena.metric import FinishedMatch, Measurement
from arena.record import JSON, Action, Player, canonical_json
from arena.solver import ActionValue, ActionValues
from arena.turns import Turn

from arena_metric_optimality.solving import Verdicts

MOST_OPTIONS = 100
"""Choices with more options than this are left out of regret in hindsight."""


def looked(match: FinishedMatch, verdicts: Verdicts) -> Iterator[Measurement]:
    """Value each choice of the match with the solver, and simultaneous ones in hindsight.

    Choices that cannot be valued are reported as such.
    """
    by_step: dict[int, list[Turn]] = {}
    for turn in match.turns():
        by_step.setdefault(turn.step, []).append(turn)
    found: list[Measurement] = []
    hindsight: list[Measurement] = []
    try:
        for position in match.positions():
            made = [turn for turn in by_step.get(position.step, ()) if turn.played is not None]
            found += [each for turn in made for each in _judged(position.state, turn, verdicts)]
            hindsight += _in_hindsight(position.state, made)
    except SolverError as error:
        verdicts.give_up(error)
        yield from looked(match, verdicts)
        return
    if verdicts.solution is None:
        reasons: dict[str, JSON] = dict(sorted(verdicts.refusals.items()))
        yield Measurement(name="unsolved", value=True, detail=reasons)
    yield from found
    yield from hindsight


def _judged(state: State, turn: Turn, verdicts: Verdicts) -> Iterator[Measurement]:
    if turn.by != "agent":
        yield Measurement(name="unjudged", value="substitute", player=turn.player, turn=turn.turn)
        return
    if verdicts.solution is None:
        return
    assessment = verdicts.assess(state, turn.player)
    if assessment is None:
        yield Measurement(name="unjudged", value="off the path", player=turn.player, turn=turn.turn)
        situation = verdicts.solution.information_state(state, turn.player)
        yield _seen(turn, situation, verdicts, state)
        return
    yield _choice(turn, assessment, verdicts)
    yield _seen(turn, verdicts.solution.information_state(state, turn.player), verdicts, state)


def _choice(turn: Turn, assessment: ActionValues, verdicts: Verdicts) -> Measurement:
    worths = {canonical_json(worth.action): worth for worth in assessment.values}
    chosen = worths[canonical_json(turn.move["play"])]
    best = assessment.best
    regrets = [best - worth.value for worth in worths.values()]
    optimal = [worth.probability > 0 for worth in worths.values()]
    # The values are no more exact than the solution: an action that it plays itself counts as optimal.
    slack = 1e-9 + max((best - worth.value for worth in worths.values() if worth.probability > 0), default=0.0)
    ranks = [_rank(worth, worths.values(), slack) for worth in worths.values()]
    detail: dict[str, JSON] = {
        "rank": _rank(chosen, worths.values(), slack),
        "ranks": ranks,
        "keeps_value": best - chosen.value <= slack,
        "random_keeps": sum(regret <= slack for regret in regrets) / len(regrets),
        "is_optimal": chosen.probability > 0,
        "random_regret": sum(regrets) / len(regrets),
        "random_deviation": pstdev(regrets),
        "random_optimal": sum(optimal) / len(optimal),
        "options": len(worths),
        **_lost(chosen, worths.values(), verdicts),
        **_searched(assessment),
        "solver": verdicts.name,
        "method": verdicts.solution.method if verdicts.solution else "",
    }
    return Measurement(name="regret", value=best - chosen.value, player=turn.player, turn=turn.turn, detail=detail)


def _lost(chosen: ActionValue, worths: Collection[ActionValue], verdicts: Verdicts) -> dict[str, JSON]:
    """What was lost in the unit of the solver's scores, if the solution has a ``score_unit``.

    Scores beyond its ``score_limit`` count as much as the limit.
    """
    unit = getattr(verdicts.solution, "score_unit", "")
    if not unit:
        return {}
    most = float(getattr(verdicts.solution, "score_limit", inf))
    scores = [min(most, max(-most, worth.score)) for worth in worths]
    best, mean = max(scores), sum(scores) / len(scores)
    return {"unit": unit, "loss": best - min(most, max(-most, chosen.score)), "random_loss": best - mean}


def _searched(assessment: ActionValues) -> dict[str, JSON]:
    """What the solver says of its search in this position, if its values have ``facts``."""
    facts = getattr(assessment, "facts", None)
    return {"search": facts} if facts else {}


def _rank(chosen: ActionValue, worths: Iterable[ActionValue], slack: float) -> int:
    """1 + the number of better actions; values that differ by no more than ``slack`` are equal."""
    gains = ((worth.value - chosen.value, worth.score - chosen.score) for worth in worths)
    return 1 + sum(gain > slack or (abs(gain) <= slack and further > 0) for gain, further in gains)


def _seen(turn: Turn, situation: str, verdicts: Verdicts, state: State) -> Measurement:
    """Which action was taken in which information state, with the solution's policy there."""
    assert verdicts.solution is not None
    policy = {canonical_json(w.action): w.probability for w in verdicts.solution.policy(state, turn.player)}
    detail: dict[str, JSON] = {"action": canonical_json(turn.move["play"]), "policy": policy}
    return Measurement(name="situation", value=situation, player=turn.player, turn=turn.turn, detail=detail)


def _in_hindsight(state: State, made: list[Turn]) -> Iterator[Measurement]:
    """What each action of a player would have earned in this step if the others had acted as they did."""
    acting = state.to_act()
    if len(acting) < 2 or {turn.player for turn in made} != set(acting):
        return
    actions: dict[Player, Action] = {turn.player: turn.move["play"] for turn in made}
    for turn in made:
        options = state.decision(turn.player).options
        if turn.by != "agent" or options is None or len(options) > MOST_OPTIONS:
            continue
        earned: dict[str, float] = {}
        for action in options.actions:
            value = _earned(state, {**actions, turn.player: action}, turn.player)
            if value is None:
                return
            earned[canonical_json(action)] = value
        chosen = canonical_json(turn.move["play"])
        detail: dict[str, JSON] = {"earned": earned, "labels": {canonical_json(o.action): o.label for o in options}}
        yield Measurement(name="payoff", value=earned[chosen], player=turn.player, turn=turn.turn, detail=detail)


def _earned(state: State, actions: Mapping[Player, Action], player: Player) -> float | None:
    """What a player earns in this step; ``None`` if the game pays only at its end and this is not the end."""
    after = state.clone()
    after.apply(actions)
    if (rewards := after.rewards()) is not None:
        return float(rewards[player])
    returns = after.returns()
    return None if returns is None else float(returns[player])
