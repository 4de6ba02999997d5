"""Turns one finished match into measurements: its outcome, and what each player did."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, Literal

from arena.metric import Measurement
from arena.record import JSON, Player
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import Problem
from arena_game_tradecraft.rules.amounts import say_amounts
from arena_game_tradecraft.solver import shortest_chain

from arena_metric_tradecraft.conduct import Hand, MatchStats, PlayerStats

MATCH: Final = "match"
"""The name of the measurement per match: its number of turns, with the winners in its detail."""

CONDUCT: Final = "conduct"
"""The name of the measurement per player: its number of turns, with the counts in its detail."""


def measured(course: MatchStats, game: TradeCraft, nodes: int) -> Iterator[Measurement]:
    """The measurements of one match; none if it was never dealt."""
    if not course.hands:
        return
    problem = _problem(course, game)
    is_over = course.reason in ("won", "turn-limit")
    winners: list[JSON] = [int(p) for p in course.winners]
    told: dict[str, JSON] = {**problem, "winners": winners, "is_over": is_over, "players": len(course.seats)}
    yield Measurement(name=MATCH, value=course.turns, detail=told)
    for number, own in enumerate(course.conducts):
        player = Player(number)
        won = player in course.winners
        needed = _needed(game, own, course.targets[number], nodes) if won else None
        detail: dict[str, JSON] = {
            **problem,
            **own.to_json(),
            "persona": own.persona,
            "won": won,
            "is_over": is_over,
            "needed": needed,
        }
        yield Measurement(name=CONDUCT, value=course.turns, player=player, detail=detail)


def _needed(game: TradeCraft, own: PlayerStats, target: dict[str, int], nodes: int) -> int | Literal["unknown"] | None:
    """The smallest number of crafts that would have reached the target.

    ``None`` if an illegal-action policy crafted for the player, since the result is not its own then.
    """
    if own.crafts_put_in:
        return None
    if all(own.had.get(item, Fraction(0)) >= n for item, n in target.items()):
        return 0
    length = shortest_chain(game.rule_set, own.had, target, nodes=nodes).length
    return "unknown" if length is None else length


def _problem(course: MatchStats, game: TradeCraft) -> dict[str, JSON]:
    """Which problem of the game was played, and its difficulty."""
    for place, problem in enumerate(game.given, 1):
        if _is(course, problem):
            return {"problem": named(game, place), "level": level(problem)}
    targets = " / ".join(say_amounts(target) for target in course.targets)
    return {"problem": f"another: {targets}", "level": "unknown"}


def named(game: TradeCraft, place: int) -> str:
    """The name of the problem at ``place`` (from 1), with its targets."""
    problem = game.given[place - 1]
    source = game.problems if isinstance(game.problems, str) else "problem"
    numbered = f"{source}#{place}" if "#" not in source else source if len(game.given) == 1 else f"{source}, {place}"
    return f"{numbered}: {' / '.join(map(say_amounts, problem.targets))}"


def level(problem: Problem) -> str:
    """The difficulty level of a problem, or ``"ungraded"``."""
    return "ungraded" if problem.difficulty is None else problem.difficulty.level


def _is(course: MatchStats, problem: Problem) -> bool:
    if problem.players != len(course.seats) or [dict(target) for target in problem.targets] != course.targets:
        return False
    dealt: list[Hand] = [problem.hand(p) for p in range(problem.players)]
    return dealt == course.hands
