"""Random matches of one game with one number of players, examined from all sides."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import attrs

from arena.game import GONE, Game, GameFacts
from arena.record import JSON, Player, canonical, stream
from arena.testing.choices import check_asking, check_decision
from arena.testing.conformance import ConformanceError, Line, reported
from arena.testing.course import (
    check_atomic,
    check_clone,
    check_end,
    check_gone,
    check_playable,
    check_rewards,
    check_turn,
    check_wave,
)
from arena.testing.elsewhere import check_elsewhere
from arena.testing.leaks import Ledger, explore_actions, explore_luck
from arena.testing.lookups import check_queries
from arena.testing.position import Examination, Position
from arena.testing.repeats import (
    check_interleaved,
    check_pickled,
    check_repeated,
    check_same,
    no_global_luck,
    twins,
)
from arena.testing.sight import check_events_kept, check_forms, check_observations, check_words
from arena.testing.walk import Walk, fresh, play_random

_PLAIN_LIMIT: int = attrs.fields(GameFacts).wave_limit.default
_SEEDS_APART = 1_000_000
_ACTIONS_KEPT = 24
_EXAMINED = 3
_FEWEST = 4


@attrs.frozen(kw_only=True)
class Budget:
    """How hard to look: random matches, and in each of them positions, deals and other actions to try.

    Of long matches there are fewer, at least four, so that all together take about ``waves``. With
    ``is_elsewhere`` some are played again in another process.
    """

    playouts: int = 16
    waves: int = 800
    positions: int = 16
    redeals: int = 8
    alternates: int = 6
    is_elsewhere: bool = False

    @classmethod
    def thorough(cls) -> "Budget":
        """Ten times as hard."""
        return cls(playouts=80, waves=8_000, positions=40, redeals=24, alternates=20, is_elsewhere=True)

    def among(self, players: int) -> "Budget":
        """As much work for many players as for two."""
        return attrs.evolve(self, playouts=max(min(self.playouts, 6), self.playouts * 2 // max(2, players)))


def check_matches(
    game: Game, players: int, facts: GameFacts, seed: int, budget: Budget, counts: Counter[str]
) -> list[str]:
    """Play and examine matches, adding up in ``counts``; returns what could not be tested."""
    budget = budget.among(players)
    walks: list[Walk] = []
    while len(walks) < budget.playouts and (len(walks) < _FEWEST or sum(len(w.waves) for w in walks) < budget.waves):
        walks.append(_playout(game, players, facts, seed, len(walks)))
    untested = _check_repeats(game, walks)
    if budget.is_elsewhere and (skipped := check_elsewhere(walks[:4])):
        untested.append(skipped)
    examination = Examination(facts=facts, actions=_actions(walks), counts=counts)
    differing = counts["differing"]
    ledger = Ledger(examination)
    _shortest_fault(walks, lambda walk: _examine(walk, ledger, budget, seed))
    _shortest_fault(walks, lambda walk: _explore(walk, ledger, budget, seed))
    counts.update(playouts=len(walks), waves=sum(len(walk.waves) for walk in walks))
    counts["longest"] = max(counts["longest"], *(len(walk.waves) for walk in walks))
    counts["cut"] += sum(not walk.is_over for walk in walks)
    _check_facts_met(walks, facts, counts["differing"] - differing)
    if not any(walk.is_over for walk in walks):
        untested.append(f"returns: no match of {players} ended before the wave limit of {facts.wave_limit}")
    return untested


def seen_on(line: Line) -> ConformanceError | None:
    """The fault that shows when a line is played and every position of it looked at; leaks need more than one line."""
    facts = line.game.facts(line.players)
    walk = Walk.begin(line.game, line.players, line.seed, line.forced)
    walk.waves, walk.story = list(line.waves), []
    try:
        _examine(walk, Ledger(Examination(facts=facts, actions={})), Budget(positions=len(line.waves) + 2), line.seed)
    except ConformanceError as fault:
        return fault
    return None


def _playout(game: Game, players: int, facts: GameFacts, seed: int, number: int) -> Walk:
    # Two matches at a time draw their actions from one stream: other deals, but often the same histories.
    rng = stream("playout", seed, players, number // 2 if facts.chance else number)
    walk: Walk | None = None
    with no_global_luck(lambda: None if walk is None else walk.line):
        walk = play_random(game, players, seed * _SEEDS_APART + number, rng, facts.wave_limit)
    if not walk.is_over and facts.wave_limit == _PLAIN_LIMIT:
        what = (
            f"a match does not end in {facts.wave_limit} waves; end it in the rules or declare a wave limit of its own"
        )
        raise ConformanceError("endless", what, line=walk.line)
    return walk


def _check_repeats(game: Game, walks: Sequence[Walk]) -> list[str]:
    copies, skipped = twins(game)
    untested = [skipped]
    for walk in walks:
        with reported(lambda walk=walk: walk.line):
            check_repeated(walk, game, "the second time")
            for how, twin in copies.items():
                check_repeated(walk, twin, how)
            if untested[-1] is None:
                untested.append(check_pickled(walk))
    for one, two in zip(walks[::2], walks[1::2], strict=False):
        check_interleaved(one, two)
    return [why for why in untested if why]


def _actions(walks: Sequence[Walk]) -> dict[str, list[JSON]]:
    """Some actions that were played, by phase."""
    found: dict[str, dict[str, JSON]] = {}
    for walk in walks[:8]:
        again = Walk.begin(walk.game, walk.players, walk.seed)
        for wave in walk.waves:
            for player, action in wave.items():
                known = found.setdefault(again.state.decision(player).phase, {})
                if action is not GONE and len(known) < _ACTIONS_KEPT:
                    known[canonical(action)] = action
            again.step(fresh(wave))
    return {phase: list(known.values()) for phase, known in found.items()}


def _examine(original: Walk, ledger: Ledger, budget: Budget, seed: int) -> None:
    walk = Walk.begin(original.game, original.players, original.seed)
    rng = stream("examine", seed, original.seed)
    chosen = _spread(len(original.waves), budget.positions)
    position = Position(walk, ledger.examination, rng)
    with reported(lambda: walk.line), no_global_luck(lambda: walk.line):
        check_words(position, 0)
        for number in range(len(original.waves) + 1):
            check_turn(position)
            ledger.note(walk)
            if number in chosen:
                _look(position, ledger)
            if number < len(original.waves):
                told = len(walk.told)
                check_wave(position, fresh(original.waves[number]))
                check_rewards(position)
                check_words(position, told)
        check_events_kept(position)
        if walk.is_over:
            check_end(position)
    check_same(original, walk.story, "when it is looked at on the way")


def _look(position: Position, ledger: Ledger) -> None:
    ledger.examination.counts["positions"] += 1
    check_observations(position)
    check_asking(position)
    with position.undisturbed("observation", "looking at a position changes it"):
        check_forms(position)
    acting = position.state.to_act()
    for player in sorted(position.rng.sample(acting, min(len(acting), _EXAMINED))):
        with position.undisturbed("check", "asking whether actions are legal changes the state", player):
            check_decision(position, player)
        check_queries(position, player)
    if acting:
        check_clone(position)
        check_atomic(position)
        check_playable(position)
    for player in range(position.walk.players):
        ledger.see(position.walk, Player(player))


def _explore(original: Walk, ledger: Ledger, budget: Budget, seed: int) -> None:
    rng = stream("explore", seed, original.seed)
    walk = Walk.begin(original.game, original.players, original.seed)
    alternated = _spread(len(original.waves) - 1, budget.alternates)
    tries = 3 if ledger.examination.facts.hidden_information else 1
    with reported(lambda: walk.line):
        for _ in range(budget.redeals):
            explore_luck(original, ledger, rng)
        for number, wave in enumerate(original.waves):
            if number in alternated:
                for _ in range(tries):
                    explore_actions(walk, wave, original.waves, ledger, rng)
                if ledger.examination.facts.on_forfeit == "continue":
                    check_gone(walk.fork(), Position(walk, ledger.examination, rng))
            walk.step(fresh(wave))


def _shortest_fault(walks: Sequence[Walk], check: Callable[[Walk], None]) -> None:
    """Raise the fault that takes the fewest waves to see, of the first fault in each match."""
    faults: list[ConformanceError] = []
    for walk in walks:
        try:
            check(walk)
        except ConformanceError as fault:
            faults.append(fault)
    if faults:
        raise min(faults, key=lambda fault: len(fault.line.waves) if fault.line else 0)


def _check_facts_met(walks: Sequence[Walk], facts: GameFacts, differing: int) -> None:
    for problem in _unmet(walks, facts, differing):
        raise ConformanceError("facts", problem)


def _unmet(walks: Sequence[Walk], facts: GameFacts, differing: int) -> Iterator[str]:
    played = f"in {len(walks)} matches"
    drawn = any(walk.chance.trace for walk in walks)
    if drawn != facts.chance:
        yield f"chance is {facts.chance}, but {'something' if drawn else 'nothing'} was drawn {played}"
    if facts.simultaneous and not any(len(wave) > 1 for walk in walks for wave in walk.waves):
        yield f"simultaneous is declared, but nobody acted at the same time {played}"
    everybody = walks[0].players
    private = next((e for walk in walks for e, _ in walk.told if e.to and len(e.to) < everybody), None)
    if private is not None and not facts.hidden_information:
        yield f"hidden_information is not declared, but {private.kind!r} is told to {private.to!r} alone"
    if facts.hidden_information and not differing:
        yield f"hidden_information was not tested: no player had two truths to tell apart {played}"
    sums = {round(sum(returns), 9) for walk in walks if (returns := walk.state.returns()) is not None}
    if facts.returns == "constant-sum" and len(sums) > 1:
        yield f"returns is 'constant-sum', but they added up to {sorted(sums)!r}"


def _spread(last: int, wanted: int) -> set[int]:
    """At most ``wanted`` numbers from 0 to ``last``, both included, evenly apart."""
    if last < 0:
        return set()
    steps = max(1, min(last, wanted - 1))
    return {round(i * last / steps) for i in range(steps + 1)}
