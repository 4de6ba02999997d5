"""A schedule in which agents meet within groups, and also themselves."""

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

import attrs
from arena.errors import ConfigError
from arena.schedule import Lineup, Schedule, rotations
from attrs.validators import ge


@attrs.frozen(kw_only=True)
class MatchUps(Schedule):
    """Every pairing within a group is played equally often, also an agent with itself, with seats rotated.

    Matches of a pairing that differ in their seats alone share their deals. An agent without a tag of any group belongs
    to all groups, so that agents without tags all meet.
    """

    repeats: int = attrs.field(
        default=1, validator=ge(1), metadata={"help": "how often each pairing is played from every seat, in each game"}
    )
    groups: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "tags: agents meet those with whom they share one; empty: all meet"}
    )
    with_itself: bool = attrs.field(default=True, metadata={"help": "let an agent hold all seats, too"})

    def lineups(self, agents: Mapping[str, frozenset[str]], players: int) -> Iterator[Lineup]:
        """Pairings sorted by name.

        A pairing of an agent with itself has as many matches as others, each with deals of its own.
        """
        seatings = [
            names
            for names in combinations_with_replacement(sorted(agents), players)
            if self._meet([agents[name] for name in names]) and (self.with_itself or len(set(names)) == len(names))
        ]
        if not seatings:
            raise ConfigError(
                f"schedule: no {players} agents share a group (groups: {', '.join(self.groups) or 'none'}; agents: "
                f"{', '.join(sorted(agents))}); give them a common tag, or set with-itself: true"
            )
        return self._played(seatings)

    def _meet(self, tags: list[frozenset[str]]) -> bool:
        groups = set(self.groups)
        shared = set(groups)
        for own in tags:
            shared &= (own & groups) or groups
        return bool(shared) or not groups

    def _played(self, seatings: list[tuple[str, ...]]) -> Iterator[Lineup]:
        for repeat in range(self.repeats):
            for names in seatings:
                turned = tuple(dict.fromkeys(rotations(names)))
                for number in range(repeat * len(names), (repeat + 1) * len(names)):
                    yield Lineup(turned[number % len(turned)], number // len(turned))
