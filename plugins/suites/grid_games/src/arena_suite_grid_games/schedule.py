"""A schedule for agents that are swept over variants of one prompt."""

import re
from collections.abc import Iterator, Mapping
from itertools import permutations

import attrs
from arena.errors import ConfigError
from arena.schedule import Lineup, Schedule
from attrs.validators import ge

_SWEPT = re.compile(r"\[([^=\]]+)=([^\]]*)\]")


@attrs.frozen(kw_only=True)
class SameForm(Schedule):
    """All agents meet in every order, but variants of a sweep only meet agents of the same variant.

    ``gpt[prompt.style=grid-list]`` meets ``claude[prompt.style=grid-list]`` and agents that were not swept over styles,
    such as random play, but no agent with another style.
    """

    repeats: int = attrs.field(default=5, validator=ge(1), metadata={"help": "how often each seating is played"})

    def lineups(self, agents: Mapping[str, frozenset[str]], players: int) -> Iterator[Lineup]:
        """Permutations of agents that do not differ in any variant."""
        variants = {name: dict(_SWEPT.findall(name)) for name in agents}
        seatings = [s for s in permutations(sorted(agents), players) if _are_alike([variants[name] for name in s])]
        if not seatings:
            raise ConfigError(
                f"schedule: no {players} different agents play in the same form (agents: {', '.join(sorted(agents))}); "
                "sweep them over the same styles, or add one that is not swept"
            )
        return (Lineup(seating, repeat) for repeat in range(self.repeats) for seating in seatings)


def _are_alike(variants: list[dict[str, str]]) -> bool:
    values: dict[str, set[str]] = {}
    for variant in variants:
        for path, value in variant.items():
            values.setdefault(path, set()).add(value)
    return all(len(found) == 1 for found in values.values())
