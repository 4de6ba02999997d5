"""A schedule in which everybody plays against solvers, and solvers do not meet each other."""

from collections.abc import Iterator, Mapping

import attrs
from arena.errors import ConfigError
from arena.schedule import Lineup, Schedule, rotations, select_agents
from attrs.validators import ge, min_len

SOLVER = "solver"
"""The tag of the agents that are opponents and nothing else."""


@attrs.frozen(kw_only=True)
class AgainstSolvers(Schedule):
    """Every agent without the tag ``solver`` plays each solver of the pool, from both seats."""

    pool: tuple[str, ...] = attrs.field(
        validator=min_len(1), metadata={"help": "names or tags of the opponents, which have the tag 'solver'"}
    )
    repeats: int = attrs.field(
        default=1, validator=ge(1), metadata={"help": "how often each pair plays from either seat"}
    )

    def lineups(self, agents: Mapping[str, frozenset[str]], players: int) -> Iterator[Lineup]:
        solvers = [name for name in select_agents(self.pool, agents, "schedule.pool") if SOLVER in agents[name]]
        others = [name for name, tags in agents.items() if SOLVER not in tags]
        if players != 2:
            raise ConfigError(f"schedule: it seats one agent and one solver, and this game has {players} players")
        if not solvers or not others:
            raise ConfigError(
                f"schedule: there is {'nobody to play against' if others else 'no agent but'} the solvers; tag the "
                f"opponents {SOLVER!r}, and leave others without that tag (agents: {', '.join(agents) or 'none'})"
            )
        for repeat in range(self.repeats):
            for name in others:
                for solver in sorted(solvers):
                    for seating in rotations((name, solver)):
                        yield Lineup(seating, repeat)
