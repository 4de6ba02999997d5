"""How many units each power may build or must disband, and where it may build."""

from collections.abc import Mapping

from arena_game_diplomacy.position import Position


def builds_left(position: Position) -> Mapping[str, int]:
    """How many units each power may build, or, as a negative number, how many it must disband.

    A power builds as many units as it has centres too many, and no more than it has empty home centres of its own.
    """
    centres = position.centres or {}
    found: dict[str, int] = {}
    for power, units in position.units.items():
        surplus = len(centres.get(power, ())) - len(units)
        found[power] = min(surplus, len(free_homes(position, power))) if surplus > 0 else surplus
    return found


def free_homes(position: Position, power: str) -> tuple[str, ...]:
    """The home centres of a power that it owns and that are empty, sorted."""
    provinces = position.board.provinces
    owned = (position.centres or {}).get(power, ())
    return tuple(name for name in owned if provinces[name].home_of == power and name not in position.occupied)
