"""Plays random matches of one game with one number of players and runs all checks on them."""

from collections import Counter
from collections.abc import Callable, Sequence

import attrs
from arena.game import FORFEITED, Game, GameFacts
from arena.record import JSON, Player, canonical_json, derive_rng

from arena_testing.foundation.conformance import ActionSequence, ConformanceError, CpuLimit, reported
from arena_testing.foundation.playthrough import Playthrough, fresh, play_random
from arena_testing.game.decisions import check_asking, check_decision
from arena_testing.game.determinism import (
    check_interleaved,
    check_pickled,
    check_repeated,
    check_same,
    no_global_randomness,
    twins,
)
from arena_testing.game.future_chance import check_future
from arena_testing.game.game_facts import check_facts_met
from arena_testing.game.leaks import EXPLORED, InformationSets, explore_actions, explore_chance
from arena_testing.game.match_flow import (
    check_atomic,
    check_clone,
    check_end,
    check_gone,
    check_limit,
    check_playable,
    check_rewards,
    check_step,
    check_turn,
)
from arena_testing.game.observations import check_events_kept, check_forms, check_observations, check_words
from arena_testing.game.other_process import check_elsewhere
from arena_testing.game.planted_texts import check_planted
from arena_testing.game.position import Examination, ExaminedPosition
from arena_testing.game.queries import check_queries
from arena_testing.game.renamed_seats import check_names
from arena_testing.game.resampling import check_drawn, check_resampling
from arena_testing.game.told_values import check_told
from arena_testing.game.touches import check_touches

_PLAIN_LIMIT: int = attrs.fields(GameFacts).max_steps.default
_SEEDS_APART = 1_000_000
_ACTIONS_KEPT = 24
_EXAMINED = 3
_RENAMED = 4
_FEWEST = 4
_PLAYED, _REPEATED, _EXAMINED_BY = 0.2, 0.4, 0.8
"""The shares of the time by which matches are played, repeated and examined; then come other actions and draws."""


@attrs.frozen(kw_only=True)
class Budget:
    """How much work a check may do: the number of matches, and of positions, deals and actions tried in each.

    After ``sets`` histories that leave several truths open, ``draws`` positions are drawn from each of two truths.
    Fewer matches, but at least four, are played if they are long, so that all together take about ``steps``. With
    ``is_elsewhere`` some are played again in another process. ``cpu_s`` seconds of CPU time go before all of this: what
    does not fit is left out, though one match is played in any case, and some positions of it are examined.
    """

    playouts: int = 16
    steps: int = 800
    positions: int = 16
    redeals: int = 8
    alternates: int = 6
    sets: int = 12
    draws: int = 100
    is_elsewhere: bool = False
    cpu_s: float | None = None

    @classmethod
    def thorough(cls) -> "Budget":
        """About ten times the default work, with another process."""
        return cls(
            playouts=80, steps=8_000, positions=40, redeals=24, alternates=20, sets=40, draws=400, is_elsewhere=True
        )

    def among(self, players: int) -> "Budget":
        """The budget for ``players`` players, with fewer matches the more players there are."""
        return attrs.evolve(self, playouts=max(min(self.playouts, 6), self.playouts * 2 // max(2, players)))


def check_matches(
    game: Game,
    players: int,
    facts: GameFacts,
    seed: int,
    budget: Budget,
    counts: Counter[str],
    without: frozenset[str] = frozenset(),
) -> list[str]:
    """Play and examine matches, but for the checks in ``without``; adds to ``counts``, returns what was not tested."""
    budget, time_limit = budget.among(players), CpuLimit(budget.cpu_s)
    walks: list[Playthrough] = []
    rules = game.rules
    while len(walks) < budget.playouts and (len(walks) < _FEWEST or sum(len(w.steps) for w in walks) < budget.steps):
        if walks and time_limit.is_over(_PLAYED):
            counts["left_out"] += max(0, min(budget.playouts, _FEWEST) - len(walks))
            break
        walks.append(_playout(game, players, facts, seed, len(walks)))
        if game.rules != rules:
            what = "the rules differ after a match began; put nothing into them that is dealt or done in a match"
            raise ConformanceError("rules", what, line=walks[-1].line_until(0))
    check_names(walks[:_RENAMED])
    check_limit(walks, facts)
    untested = _check_repeats(game, walks, time_limit)
    if budget.is_elsewhere and (skipped := check_elsewhere(walks[:4])):
        untested.append(skipped)
    examination = Examination(facts=facts, actions=_actions(walks), counts=counts, without=without)
    differing = counts["differing"]
    information_sets = InformationSets(examination, time_limit)
    examined = _shortest_fault(
        walks, lambda walk: _examine(walk, information_sets, budget, seed), time_limit, _EXAMINED_BY
    )
    _shortest_fault(walks, lambda walk: _explore(walk, information_sets, budget, seed), time_limit, EXPLORED)
    is_cut = time_limit.is_over(EXPLORED)
    if not {"told", "announced"} <= without:
        check_told(game, players, examination, walks, seed * _SEEDS_APART, time_limit)
    if "resample" not in without:
        check_future(walks, seed, time_limit)
        counts["draws"] += check_resampling(information_sets, budget.sets, budget.draws, seed)
    counts["left_out"] += len(walks) - examined
    counts.update(playouts=len(walks), steps=sum(len(walk.steps) for walk in walks))
    counts["longest"] = max(counts["longest"], *(len(walk.steps) for walk in walks))
    counts["cut"] += sum(not walk.is_over for walk in walks)
    untested += check_facts_met(walks, facts, counts["differing"] - differing, is_cut=is_cut)
    if not any(walk.is_over for walk in walks):
        untested.append(f"returns: no match of {players} ended before the limit of steps, {facts.max_steps}")
    return untested


def seen_on(line: ActionSequence) -> ConformanceError | None:
    """The fault found by playing ``line`` and examining every position of it, or ``None``.

    Leaks are not found in this way, since they take two lines to compare.
    """
    facts = line.game.facts(line.players)
    walk = Playthrough.begin(line.game, line.players, line.seed, line.forced)
    walk.steps, walk.story = list(line.steps), []
    try:
        _examine(
            walk,
            InformationSets(Examination(facts=facts, actions={})),
            Budget(positions=len(line.steps) + 2),
            line.seed,
        )
    except ConformanceError as fault:
        return fault
    return None


def _playout(game: Game, players: int, facts: GameFacts, seed: int, number: int) -> Playthrough:
    # Two matches with different deals share one stream of actions, so that they often have the same histories:
    # only such pairs of positions can show a leak.
    rng = derive_rng("playout", seed, players, number // 2 if facts.chance else number)
    walk: Playthrough | None = None
    with no_global_randomness(lambda: None if walk is None else walk.line):
        walk = play_random(game, players, seed * _SEEDS_APART + number, rng, facts.max_steps)
    if not walk.is_over and facts.max_steps == _PLAIN_LIMIT:
        what = f"a match does not end in {facts.max_steps} steps; end it in the rules or declare its own max_steps"
        raise ConformanceError("endless", what, line=walk.line)
    return walk


def _check_repeats(game: Game, walks: Sequence[Playthrough], time_limit: CpuLimit) -> list[str]:
    copies, skipped = twins(game)
    untested = [skipped]
    for number, walk in enumerate(walks):
        if number and time_limit.is_over(_REPEATED):
            break
        with reported(lambda walk=walk: walk.line):
            check_repeated(walk, game, "the second time")
            for how, twin in copies.items():
                check_repeated(walk, twin, how)
            if untested[-1] is None:
                untested.append(check_pickled(walk))
    for one, two in zip(walks[::2], walks[1::2], strict=False):
        if not time_limit.is_over(_REPEATED):
            check_interleaved(one, two)
    return [why for why in untested if why]


def _actions(walks: Sequence[Playthrough]) -> dict[str, list[JSON]]:
    """Some actions that were played, by phase of the game."""
    found: dict[str, dict[str, JSON]] = {}
    for walk in walks[:8]:
        again = Playthrough.begin(walk.game, walk.players, walk.seed)
        for step in walk.steps:
            for player, action in step.items():
                known = found.setdefault(again.state.decision(player).phase, {})
                if action is not FORFEITED and len(known) < _ACTIONS_KEPT:
                    known[canonical_json(action)] = action
            again.step(fresh(step))
    return {phase: list(known.values()) for phase, known in found.items()}


def _examine(original: Playthrough, information_sets: InformationSets, budget: Budget, seed: int) -> None:
    walk = Playthrough.begin(original.game, original.players, original.seed)
    rng = derive_rng("examine", seed, original.seed)
    chosen = _spread(len(original.steps), budget.positions)
    position, looked = ExaminedPosition(walk, information_sets.examination, rng), 0
    with reported(lambda: walk.line), no_global_randomness(lambda: walk.line):
        check_words(position, 0)
        for number in range(len(original.steps) + 1):
            check_turn(position)
            information_sets.note(walk)
            information_sets.see_public(walk)
            if number in chosen and (looked < _FEWEST or not information_sets.time_limit.is_over(_EXAMINED_BY)):
                looked += 1
                _look(position, information_sets)
            if number < len(original.steps):
                told = len(walk.told)
                check_step(position, fresh(original.steps[number]))
                check_rewards(position)
                check_words(position, told)
        check_events_kept(position)
        if walk.is_over:
            check_end(position)
    check_same(original, walk.story, "when it is looked at on the way")


def _look(position: ExaminedPosition, information_sets: InformationSets) -> None:
    information_sets.examination.counts["positions"] += 1
    check_observations(position)
    check_asking(position)
    with position.undisturbed("observation", "looking at a position changes it"):
        check_forms(position)
        check_touches(position)
    acting = position.state.to_act()
    for player in sorted(position.rng.sample(acting, min(len(acting), _EXAMINED))):
        with position.undisturbed("check", "asking whether actions are legal changes the state", player):
            check_decision(position, player)
        check_queries(position, player)
        check_planted(position, player)
        if "resample" not in information_sets.examination.without:
            check_drawn(position, player)
    if acting:
        check_clone(position)
        check_atomic(position)
        check_playable(position)
    for player in range(position.walk.players):
        information_sets.see(position.walk, Player(player))


def _explore(original: Playthrough, information_sets: InformationSets, budget: Budget, seed: int) -> None:
    rng = derive_rng("explore", seed, original.seed)
    walk = Playthrough.begin(original.game, original.players, original.seed)
    alternated = _spread(len(original.steps) - 1, budget.alternates)
    tries = 3 if information_sets.examination.facts.hidden_information else 1
    with reported(lambda: walk.line):
        for _ in range(budget.redeals):
            if information_sets.is_enough:
                break
            explore_chance(original, information_sets, rng)
        for number, step in enumerate(original.steps):
            if information_sets.is_enough:
                break
            if number in alternated:
                for _ in range(tries):
                    explore_actions(walk, step, original.steps, information_sets, rng)
                if information_sets.examination.facts.on_forfeit == "continue":
                    check_gone(walk.fork(), ExaminedPosition(walk, information_sets.examination, rng))
            walk.step(fresh(step))


def _shortest_fault(
    walks: Sequence[Playthrough], check: Callable[[Playthrough], None], time_limit: CpuLimit, share: float
) -> int:
    """Collect the first fault of each match and raise the one that needs the fewest steps.

    Matches are left out once ``share`` of the time is over, but never the first; returns how many were checked.
    """
    faults: list[ConformanceError] = []
    checked = 0
    for walk in walks:
        if checked and time_limit.is_over(share):
            break
        checked += 1
        try:
            check(walk)
        except ConformanceError as fault:
            faults.append(fault)
    if faults:
        raise min(faults, key=lambda fault: len(fault.line.steps) if fault.line else 0)
    return checked


def _spread(last: int, wanted: int) -> set[int]:
    """At most ``wanted`` evenly spaced numbers from 0 to ``last``, both included."""
    if last < 0:
        return set()
    steps = max(1, min(last, wanted - 1))
    return {round(i * last / steps) for i in range(steps + 1)}
