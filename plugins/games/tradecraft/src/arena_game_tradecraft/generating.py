"""Problems made up from a seed for any rule set, kept only where the solver proves what is asked of them.

Each has a target for every player that all hands together suffice for, though not always for all targets at once;
what is needed is spread over the hands so that no player of several reaches its target without a trade; no target is
less than half as hard as another; and hands hold kinds that are needed for nothing. But for the last but one that is
what TradeCraft's paper (section 2.3) asks of problems.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

import attrs
from arena.errors import ConfigError
from arena.record import stream

from arena_game_tradecraft.difficulty import BANDS, UNKNOWN, WORDS, level_of
from arena_game_tradecraft.drafting import Aim, draft
from arena_game_tradecraft.grading import grade
from arena_game_tradecraft.problem import Problem
from arena_game_tradecraft.ruleset import RuleSet
from arena_game_tradecraft.solver import fewest_trades, shortest_chain
from arena_game_tradecraft.wishes import parse_wish

SOURCE: Final = "generated"

ANY: Final = "any"
"""The level of problems that are easy, medium and hard by turns."""

_CRAFTS: Final = range(1, 7)
_CRAFTS_ALONE: Final = range(1, 13)
_TRADES: Final = range(1, 5)
_DRAFTS: Final = 400
"""Drafts for each problem that is asked for, before giving up."""

_NODES: Final = 100
"""What the solver may spend on one question; drafts that take it more are not used."""


@attrs.frozen
class Generated:
    """What is asked for; equal wishes give equal problems for equal rules on every machine.

    ``needless`` is how many kinds a hand is given that nobody is meant to need. Where ``jointly`` is set, all targets
    of a problem are proved to be within reach at once; else nothing is asked about that.
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
    """The wish that ``"generated?seed=7&level=easy"`` writes down; ``None`` where the text is about something else."""
    return parse_wish(source, SOURCE, Generated)


def generate(rules: RuleSet, wish: Generated) -> tuple[Problem, ...]:
    """The problems that ``wish`` asks for, graded; no two have a target in common.

    ``ConfigError`` where the rules do not seem to have such problems.
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
    """What fits; looks at what is ``found`` so far, and at the ``targets`` in it."""
    levels = tuple(BANDS) if wish.level == ANY else (wish.level,)
    for attempt in range(_DRAFTS * wish.count):
        level = levels[len(found) % len(levels)]
        luck = stream(SOURCE, attrs.asdict(wish), attempt)
        problem = draft(rules, _aims(wish, level, luck), luck)
        if problem is None or any(item in targets for target in problem.targets for item in target):
            continue
        if _has_level(rules, problem, level):
            graded = attrs.evolve(problem, difficulty=grade(rules, problem, _NODES))
            if _fits(graded, wish):
                yield graded


def _aims(wish: Generated, level: str, luck: Random) -> list[Aim]:
    several = wish.players > 1
    pairs = [
        (crafts, trades)
        for crafts in (_CRAFTS if several else _CRAFTS_ALONE)
        for trades in (_TRADES if several else range(1, 2))
        if level_of(crafts * trades) == level
    ]
    return [Aim(*luck.choice(pairs), wish.needless) for _ in range(wish.players)]


def _has_level(rules: RuleSet, problem: Problem, level: str) -> bool:
    """Whether the targets are of this level and about as hard as one another, asking the quick questions first."""
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
