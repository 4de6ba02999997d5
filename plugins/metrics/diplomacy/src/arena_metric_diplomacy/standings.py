"""How many centres and provinces each player and each power had, by year and at the end, and how a match ended."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs
from arena.record import JSON

from arena_metric_diplomacy.played import Data, PlayedDiplomacy, PlayedPhase, year_of


@attrs.frozen(kw_only=True)
class PowerStanding:
    """What one power, or all powers of one player together, had at the end of each year.

    ``centres`` and ``influence`` have a number for each year from ``first_year`` on; influence is the number of
    provinces in which a unit of the power was the last to stand. ``start`` is what it began with. ``eliminated`` is the
    year in which it lost the last of its units and centres, ``solo`` the year in which it won alone.
    """

    powers: tuple[str, ...] = attrs.field(converter=tuple)
    first_year: int
    start: tuple[int, int] = attrs.field(converter=tuple)
    centres: tuple[int, ...] = attrs.field(converter=tuple)
    influence: tuple[int, ...] = attrs.field(converter=tuple)
    eliminated: int | None
    solo: int | None

    @property
    def last(self) -> tuple[int, int]:
        """Centres and provinces at the end; those of the start if no phase was played."""
        return (self.centres[-1], self.influence[-1]) if self.centres else self.start

    @property
    def years_to_win(self) -> int | None:
        """In which year of the match it won, the first counted as one; ``None`` if it did not."""
        return None if self.solo is None else self.solo - self.first_year + 1

    def to_json(self) -> dict[str, JSON]:
        """The numbers as the detail of a measurement, of which ``from_json`` makes an equal value."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "PowerStanding":
        """Create a standing from what ``to_json`` returned."""
        return cls(**raw)


def standing(match: PlayedDiplomacy, powers: Iterable[str]) -> PowerStanding:
    """The standing of some powers together: those of one player, or a single one."""
    powers = tuple(powers)
    years = list(_last_of_years(match.phases).values())
    gone = next((p.year for p in match.phases if not any(_is_alive(power, p.result) for power in powers)), None)
    end = match.end or {}
    has_won = not set(powers).isdisjoint(end.get("winners", ()))
    return PowerStanding(
        powers=powers,
        first_year=year_of(match.position["phase"]),
        start=(_sum(match.position.get("centres"), powers), _sum(match.influence, powers)),
        centres=tuple(_sum(phase.result["centres"], powers) for phase in years),
        influence=tuple(_sum(phase.result["influence"], powers) for phase in years),
        eliminated=gone,
        solo=match.phases[-1].year if has_won and match.phases else None,
    )


def survivors(match: PlayedDiplomacy) -> int:
    """How many powers, neutral ones among them, have a unit or a centre left."""
    told = match.phases[-1].result if match.phases else match.position
    return sum(_is_alive(power, told) for power in {*told["units"], *(told["centres"] or ())})


def _last_of_years(phases: Iterable[PlayedPhase]) -> dict[int, PlayedPhase]:
    return {phase.year: phase for phase in phases}


def _is_alive(power: str, told: Data) -> bool:
    return any((told.get(what) or {}).get(power) for what in ("units", "dislodged", "centres"))


def _sum(lists: Mapping[str, Any] | None, powers: Iterable[str]) -> int:
    return sum(len((lists or {}).get(power, ())) for power in powers)
