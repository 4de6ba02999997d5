"""A schedule for agents that are swept over variants of one prompt."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

import attrs
from arena.errors import ConfigError
from arena.schedule import Lineup, Schedule
from attrs.validators import ge


@attrs.frozen(kw_only=True)
class SameForm(Schedule):
    """All agents meet in every order, but variants of a sweep only meet agents of the same variant.

    ``gpt (grid-list)`` meets ``claude (grid-list)`` and agents that were not swept over styles, such as random play,
    but no agent with another style. The values are the tags with ``=`` that a sweep gives its variants, such as
    ``prompt.style=grid-list``.
    """

    repeats: int = attrs.field(default=5, validator=ge(1), metadata={"help": "how often each seating is played"})

    def lineups(self, agents: Mapping[str, frozenset[str]], players: int) -> Iterator[Lineup]:
        """Permutations of agents that do not differ in any variant."""
        variants = {name: dict(_swept(tags)) for name, tags in agents.items()}
        seatings = [s for s in permutations(sorted(agents), players) if _are_alike([variants[name] for name in s])]
        if not seatings:
            raise ConfigError(
                f"schedule: no {players} different agents play in the same form (agents: {', '.join(sorted(agents))}); "
                "sweep them over the same styles, or add one that is not swept"
            )
        return (Lineup(seating, repeat) for repeat in range(self.repeats) for seating in seatings)


def _swept(tags: Iterable[str]) -> Iterator[tuple[str, str]]:
    for tag in tags:
        path, is_value, value = tag.partition("=")
        if is_value:
            yield path, value


def _are_alike(variants: list[dict[str, str]]) -> bool:
    values: dict[str, set[str]] = {}
    for variant in variants:
        for path, value in variant.items():
            values.setdefault(path, set()).add(value)
    return all(len(found) == 1 for found in values.values())
