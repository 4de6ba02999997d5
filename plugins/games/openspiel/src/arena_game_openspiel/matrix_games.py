"""The matrix games, offered by a hook: they differ only in a row of a table, from which their names come."""

from collections.abc import Mapping
from typing import Any, Final

from arena.hookspecs import hookimpl
from arena.plugin import Plugin

from arena_game_openspiel import LICENCE, NEEDS

BATTLE: Final[Mapping[str, Any]] = {
    "title": "The battle of the sexes",
    "rows": ["opera", "football"],
    "columns": ["opera", "football"],
    "payoffs": [[[3, 2], [0, 0]], [[0, 0], [2, 3]]],
}

MATRIX_GAMES: Final[Mapping[str, tuple[str, str, Mapping[str, Any]]]] = {
    "matrix-rps": ("RockPaperScissors", "Rock-paper-scissors, once or in rounds.", {}),
    "matrix-pd": (
        "PrisonersDilemma",
        "The prisoner's dilemma, once or in rounds with a known or an open end, with payoffs of your own.",
        {"temptation": 10.0, "reward": 5.0, "punishment": 1.0, "sucker": 0.0},
    ),
    "matrix": (
        "AnyMatrix",
        "Any table of payoffs for two players who choose at the same time, once or in rounds.",
        BATTLE,
    ),
    "matching-pennies": ("MatchingPennies", "One wants the pennies to match, the other does not.", {}),
}
"""For each name: the class, the summary shown in lists, and an example."""


@hookimpl
def arena_games() -> Mapping[str, Plugin]:
    """Offer every game of the table above as a plugin."""
    return {
        name: Plugin(
            factory=f"arena_game_openspiel.strategic_games.matrix:{made}",
            summary=summary,
            requirements=NEEDS,
            licence=LICENCE,
            example=dict(example),
        )
        for name, (made, summary, example) in MATRIX_GAMES.items()
    }
