"""Takes the measurements of several runs together: one name for each agent, and which board game a match was."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

import attrs
from arena.metric import MeasurementRow
from arena_metric_diplomacy.centres import PLAYER
from arena_metric_planning.verdicts import PLAN, RECALL, TRACKING

HANABI: Final = "hanabi-score"
BOARD: Final = "spin-board"
"""The name of the measurement that says which board game a match was; its detail is how the player came out."""


_COUNTED: Final = frozenset({BOARD, PLAN, RECALL, TRACKING, HANABI, PLAYER})
"""The measurements of which there is one for each player of a match, or one for the match."""


def plain_name(agent: str, match: str) -> str:
    """The name that an agent has in its own run; a report of several runs may have added the run's label to it."""
    name, _, label = agent.removesuffix(")").rpartition(" (")
    return name if name and agent.endswith(")") and match.startswith(f"{label}: ") else agent


def one_name_each(rows: Sequence[MeasurementRow]) -> list[MeasurementRow]:
    """The rows with the agents' own names, so that the runs of one agent make one line.

    Two agents of one name that were measured in the same thing stay apart, since they may be different players.
    """
    measured_in: dict[tuple[str, str], set[str]] = {}
    names: dict[str, set[str]] = {}
    for row in rows:
        for agent in (*row.agents, *((row.agent,) if row.agent else ())):
            names.setdefault(plain_name(agent, row.match), set()).add(agent)
        for agent in {row.agent or row.agents[0]} if row.name in _COUNTED else ():
            measured_in.setdefault((plain_name(agent, row.match), _what(row)), set()).add(agent)
    apart = {name for (name, _), agents in measured_in.items() if len(agents) > 1}
    shown = {
        agent: agent if name in apart and len(agents) > 1 else name
        for name, agents in names.items()
        for agent in agents
    }
    return [
        attrs.evolve(
            row,
            agent=None if row.agent is None else shown[row.agent],
            agents=tuple(shown[agent] for agent in row.agents),
        )
        for row in rows
    ]


def _what(row: MeasurementRow) -> str:
    """What was measured: a game with the other players, or a kind of task; with so many players."""
    others = sorted(plain_name(agent, row.match) for agent in row.agents if agent != row.agent)
    return f"{row.name} {row.value} {others}" if row.name == BOARD else f"{row.name} {len(row.agents)}"


def boards(rows: Iterable[MeasurementRow]) -> Mapping[str, str]:
    """The board game of each match, by the id of the match."""
    return {row.match: str(row.value) for row in rows if row.name == BOARD}


def is_among(agent: str, patterns: Iterable[str]) -> bool:
    """Whether a name fits one of the patterns, in which ``*`` stands for anything."""
    return any(fnmatchcase(agent, pattern) for pattern in patterns)
