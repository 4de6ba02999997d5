"""How many centres and provinces each player and each power had, by year and at the end, and how a match ended."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from arena.record import JSON
from arena_game_diplomacy import POWERS

from arena_metric_diplomacy.match_phases import Data, PlayedDiplomacy, year_of


@attrs.frozen(kw_only=True)
class PowerStanding:
    """What one power, or all powers of one player together, had at the end of each year.

    ``centres`` and ``influence`` have a number for each year from ``first_year`` on, ``start`` is both at the
    beginning; influence is the number of provinces in which a unit of the power was the last to stand. ``eliminated``
    is the year in which it lost the last of its units and centres, ``solo`` the year in which it won alone.
    """

    powers: tuple[str, ...] = attrs.field(converter=tuple)
    first_year: int
    start: tuple[int, ...] = attrs.field(converter=tuple)
    centres: tuple[int, ...] = attrs.field(converter=tuple)
    influence: tuple[int, ...] = attrs.field(converter=tuple)
    eliminated: int | None
    solo: int | None

    @property
    def last(self) -> tuple[int, int]:
        """Centres and provinces at the end; those of the start if no phase was played."""
        return (self.centres[-1], self.influence[-1]) if self.centres else (self.start[0], self.start[1])

    @property
    def years_to_win(self) -> int | None:
        """In which year of the match it won, the first counted as one; ``None`` if it did not."""
        return self._number(self.solo)

    @property
    def years_to_elimination(self) -> int | None:
        """In which year of the match it lost all; ``None`` if it did not."""
        return self._number(self.eliminated)

    def _number(self, year: int | None) -> int | None:
        return None if year is None else year - self.first_year + 1

    def until(self, years: int) -> "PowerStanding":
        """The standing after so many years of the match, as if it had ended then without a winner."""
        last = self.first_year + years - 1
        return attrs.evolve(
            self,
            centres=self.centres[:years],
            influence=self.influence[:years],
            eliminated=self.eliminated if self.eliminated is not None and self.eliminated <= last else None,
            solo=self.solo if self.solo is not None and self.solo <= last else None,
        )

    def to_json(self) -> dict[str, JSON]:
        """The numbers as the detail of a measurement, of which ``from_json`` makes an equal value."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "PowerStanding":
        """Create a standing from what ``to_json`` returned."""
        return cls(**raw)


def together(standings: Sequence[PowerStanding]) -> PowerStanding:
    """The standing of several powers of one match, such as those of one player: won if one of them won."""
    first = standings[0]
    gone = [each.eliminated for each in standings if each.eliminated is not None]
    return PowerStanding(
        powers=tuple(power for each in standings for power in each.powers),
        first_year=first.first_year,
        start=(sum(each.start[0] for each in standings), sum(each.start[1] for each in standings)),
        centres=tuple(map(sum, zip(*(each.centres for each in standings), strict=True))),
        influence=tuple(map(sum, zip(*(each.influence for each in standings), strict=True))),
        eliminated=max(gone) if len(gone) == len(standings) else None,
        solo=first.solo,
    )


def standings(match: PlayedDiplomacy) -> dict[str, PowerStanding]:
    """The standing of each power that had anything at the start, neutral ones among them."""
    first = match.position
    return {power: _standing(match, power) for power in POWERS if _is_alive(power, first)}


def _standing(match: PlayedDiplomacy, power: str) -> PowerStanding:
    years = list({phase.year: phase for phase in match.phases}.values())
    gone = next((phase.year for phase in match.phases if not _is_alive(power, phase.result)), None)
    has_won = bool(match.phases) and power in (match.end or {}).get("winners", ())
    return PowerStanding(
        powers=(power,),
        first_year=year_of(match.position["phase"]),
        start=(_count(match.position.get("centres"), power), _count(match.influence, power)),
        centres=tuple(_count(phase.result["centres"], power) for phase in years),
        influence=tuple(_count(phase.result["influence"], power) for phase in years),
        eliminated=gone,
        solo=match.phases[-1].year if has_won else None,
    )


def _is_alive(power: str, told: Data) -> bool:
    return any((told.get(what) or {}).get(power) for what in ("units", "dislodged", "centres"))


def _count(lists: Mapping[str, Any] | None, power: str) -> int:
    return len((lists or {}).get(power, ()))
