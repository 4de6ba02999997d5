"""Generates problems from a seed for any rule set, graded with the solver; keeps only what it proves as requested.

Each has a target for every player that all hands together suffice for, though not always for all targets at once;
what is needed is spread over the hands so that no player of several reaches its target without a trade; no target is
less than half as hard as another; and hands hold kinds that nobody needs. Except for the condition on half as hard
targets, this is what TradeCraft (section 2.3) requires of problems.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

import attrs
from arena.errors import ConfigError
from arena.record import derive_rng

from arena_game_tradecraft.generation.drafting import Aim, draft
from arena_game_tradecraft.match.problem import (
    BANDS,
    IMPOSSIBLE,
    UNKNOWN,
    WORDS,
    Difficulty,
    Finding,
    Problem,
    level_of,
)
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.rules.wishes import parse_wish
from arena_game_tradecraft.solver import NODES, fewest_trades, jointly_reachable, shortest_chain

_NONE: Final = "none"


def grade(rules: RuleSet, problem: Problem, nodes: int = NODES) -> Difficulty:
    """What the solver proves about ``problem``; anything not settled within ``nodes`` is ``"unknown"``.

    A chain starts from everything that all players hold. Trades and kinds are those for one target alone, with all
    players helping and crafting whatever helps.
    """
    hands = [problem.hand(player) for player in range(problem.players)]
    chains: list[Finding] = []
    trades: list[Finding] = []
    kinds: list[Finding] = []
    for player, target in enumerate(problem.targets):
        chain = shortest_chain(rules, problem.together(), target, nodes=nodes)
        chains.append(_finding(chain.status, chain.length))
        if chain.status == _NONE:
            trades.append(IMPOSSIBLE)
            kinds.append(IMPOSSIBLE)
            continue
        least = fewest_trades(rules, hands, player, target, nodes=nodes)
        trades.append(_finding(least.status, least.trades))
        kinds.append(_finding(least.status, least.kinds))
    jointly = jointly_reachable(rules, hands, problem.targets, nodes=nodes)
    return Difficulty(tuple(chains), tuple(trades), tuple(kinds), UNKNOWN if jointly is None else jointly)


def _finding(status: str, least: int | None) -> Finding:
    if status == _NONE:
        return IMPOSSIBLE
    return UNKNOWN if least is None else least


SOURCE: Final = "generated"

ANY: Final = "any"
"""The level of problems that are easy, medium and hard by turns."""

_CRAFTS: Final = range(1, 7)
_CRAFTS_ALONE: Final = range(1, 13)
_TRADES: Final = range(1, 5)
_DRAFTS: Final = 400
"""The most drafts for each requested problem before giving up."""

_NODES: Final = 100
"""The most nodes the solver may use for one question; drafts that need more are dropped."""


@attrs.frozen
class Generated:
    """A request for problems; equal requests give equal problems for equal rules on every machine.

    ``needless`` is the number of kinds in each hand that nobody should need. With ``jointly``, all targets of a problem
    are proved to be reachable together; otherwise nothing is required about that.
    """

    seed: int = 0
    players: int = 2
    count: int = 10
    level: str = ANY
    needless: int = 2
    jointly: bool = False

    def __attrs_post_init__(self) -> None:
        problems = [
            f"{SOURCE}: {name}: expected at least {least}, got {value}"
            for name, least in (("players", 1), ("count", 1), ("needless", 0))
            if (value := getattr(self, name)) < least
        ]
        if self.level not in (ANY, *BANDS):
            problems.append(f"{SOURCE}: level: expected one of {', '.join((ANY, *BANDS))}, got {self.level!r}")
        if problems:
            raise ConfigError(problems)


def parse_generated(source: str) -> Generated | None:
    """Parse a request such as ``"generated?seed=7&level=easy"``; ``None`` if the text is something else."""
    return parse_wish(source, SOURCE, Generated)


def generate(rules: RuleSet, wish: Generated) -> tuple[Problem, ...]:
    """Generate and grade the problems that ``wish`` requests; no two have a target in common.

    ``ConfigError`` if the rules do not seem to have such problems.
    """
    found: list[Problem] = []
    targets: set[str] = set()
    for problem in _graded_drafts(rules, wish, found, targets):
        found.append(problem)
        targets.update(item for target in problem.targets for item in target)
        if len(found) == wish.count:
            return tuple(found)
    level = "" if wish.level == ANY else f" {wish.level}"
    raise ConfigError(
        f"{SOURCE}: only {len(found)} of {wish.count}{level} problems for {wish.players} players were found with "
        f"{rules.name}; ask for fewer, for another level, or with another seed"
    )


def _graded_drafts(rules: RuleSet, wish: Generated, found: list[Problem], targets: set[str]) -> Iterator[Problem]:
    """Graded drafts that fit; reads what has been ``found`` so far, and the ``targets`` in use."""
    levels = tuple(BANDS) if wish.level == ANY else (wish.level,)
    for attempt in range(_DRAFTS * wish.count):
        level = levels[len(found) % len(levels)]
        rng = derive_rng(SOURCE, attrs.asdict(wish), attempt)
        problem = draft(rules, _aims(wish, level, rng), rng)
        if problem is None or any(item in targets for target in problem.targets for item in target):
            continue
        if _has_level(rules, problem, level):
            graded = attrs.evolve(problem, difficulty=grade(rules, problem, _NODES))
            if _fits(graded, wish):
                yield graded


def _aims(wish: Generated, level: str, rng: Random) -> list[Aim]:
    several = wish.players > 1
    pairs = [
        (crafts, trades)
        for crafts in (_CRAFTS if several else _CRAFTS_ALONE)
        for trades in (_TRADES if several else range(1, 2))
        if level_of(crafts * trades) == level
    ]
    return [Aim(*rng.choice(pairs), wish.needless) for _ in range(wish.players)]


def _has_level(rules: RuleSet, problem: Problem, level: str) -> bool:
    """Whether the targets are of this level and about equally hard; asks the quick questions first."""
    hands, (first, last) = [problem.hand(player) for player in range(problem.players)], BANDS[level]
    several = problem.players > 1
    chains: list[int] = []
    for hand, target in zip(hands, problem.targets, strict=True):
        if several and shortest_chain(rules, hand, target, nodes=_NODES).status != "none":
            return False
        chain = shortest_chain(rules, problem.together(), target, nodes=_NODES).length
        if not chain or (last is not None and chain > last):
            return False
        chains.append(chain)
    scores: list[int] = []
    for player, target in enumerate(problem.targets):
        trades = fewest_trades(rules, hands, player, target, nodes=_NODES).trades if several else 1
        scores.append(chains[player] * (trades or 0))
        if 2 * scores[-1] < max(first, *scores) or (last is not None and scores[-1] > last):
            return False
    return max(scores) >= first and 2 * min(scores) >= max(scores) > 0


def _fits(problem: Problem, wish: Generated) -> bool:
    graded = problem.difficulty
    if graded is None or graded.jointly == UNKNOWN or (wish.jointly and not graded.jointly):
        return False
    return not any(n in WORDS for n in (*graded.chain, *graded.trades, *graded.kinds))
