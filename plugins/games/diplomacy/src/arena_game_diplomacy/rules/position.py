"""A position of Diplomacy: phase, units, centres, what a retreat has to know, and what may be built."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Self

import attrs
from arena.errors import ConfigError, did_you_mean
from arena.record import JSON

from arena_game_diplomacy.rules.board import BoardMap, read_map
from arena_game_diplomacy.rules.places import PlaceError, read_place, read_unit

MOVEMENT, RETREATS, ADJUSTMENTS = "M", "R", "A"

_PHASE = re.compile(r"[SF]\d{4}[MR]|W\d{4}A")
_KEYS = ("phase", "units", "centres", "dislodged", "contested", "win-centres", "orders")


class PositionError(ConfigError):
    """A position that cannot be read; one sentence says where and why."""


def _standard() -> BoardMap:
    return read_map("standard")


@attrs.frozen
class Position:
    """A position before one phase, with everything that its orders need to be adjudicated.

    ``phase`` is a season, a year and a kind (``"S1901M"``, ``"F1901R"``, ``"W1901A"``). ``units`` and ``centres`` hold
    names by power, sorted, for every power of the map; ``centres`` is ``None`` where nobody keeps count, so that none
    change hands. ``dislodged`` holds the units that must retreat, by power, and the places to which each may go.
    ``contested`` names the empty provinces where units bounced. A power wins with ``win_centres`` centres.
    """

    phase: str
    units: Mapping[str, tuple[str, ...]]
    centres: Mapping[str, tuple[str, ...]] | None = None
    dislodged: Mapping[str, Mapping[str, tuple[str, ...]]] = attrs.field(factory=dict)
    contested: tuple[str, ...] = ()
    win_centres: int = 18
    board: BoardMap = attrs.field(factory=_standard, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "units", self._of_all(self.units))
        if self.centres is not None:
            object.__setattr__(self, "centres", self._of_all(self.centres))

    def _of_all(self, names: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
        return {power: tuple(sorted(names.get(power, ()))) for power in self.board.powers}

    @property
    def kind(self) -> str:
        """What is ordered in this phase: ``"M"`` movement, ``"R"`` retreats, ``"A"`` adjustments."""
        return self.phase[-1]

    @property
    def year(self) -> int:
        """The year of the phase."""
        return int(self.phase[1:-1])

    @cached_property
    def occupied(self) -> Mapping[str, tuple[str, str]]:
        """The power and the unit in each province that holds one, without dislodged units."""
        province_of = self.board.province_of
        return {province_of[unit[2:]]: (power, unit) for power, units in self.units.items() for unit in units}

    @cached_property
    def fleets_at_sea(self) -> frozenset[str]:
        """The seas that hold a fleet."""
        return frozenset(name for name in self.occupied if self.board.provinces[name].kind == "sea")

    @classmethod
    def opening(cls, year: int = 1901) -> Self:
        """The position before the first spring."""
        board = _standard()
        return cls(
            phase=f"S{year:04}M",
            units=board.opening,
            centres={p: tuple(n for n in board.centres if board.provinces[n].home_of == p) for p in board.powers},
        )

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        """The position that an object of JSON describes.

        Needed are ``phase`` and ``units``; a power that is missing has nothing. ``orders`` may stand beside them and is
        left alone. Whatever cannot be read, or cannot be on the board, raises ``PositionError`` with the path to it.
        """
        return cls(**_Reader(_standard()).position(value))

    def to_json(self) -> dict[str, JSON]:
        """The position as plain data, which ``from_json`` reads; powers that have nothing are left out."""
        record: dict[str, JSON] = {"phase": self.phase, "units": listed(self.units)}
        if self.centres is not None:
            record["centres"] = listed(self.centres)
        if self.kind == RETREATS:
            record["dislodged"] = listed_retreats(self.dislodged)
            record["contested"] = list(self.contested)
        return record | {"win-centres": self.win_centres}


def listed(names: Mapping[str, Iterable[str]]) -> dict[str, JSON]:
    """Names by power as plain data; powers without names are left out."""
    return {power: list(values) for power, values in names.items() if values}


def listed_retreats(dislodged: Mapping[str, Mapping[str, Iterable[str]]]) -> dict[str, JSON]:
    """Dislodged units and where they may go, by power, as plain data; powers without any are left out."""
    return {p: {unit: list(places) for unit, places in units.items()} for p, units in dislodged.items() if units}


@attrs.frozen
class _Reader:
    board: BoardMap

    def position(self, value: object) -> dict[str, Any]:
        given = self._object(value, "the position")
        for key in given:
            if key not in _KEYS:
                raise PositionError(f"no key called {_shown(key)}{did_you_mean(key, _KEYS)}")
        phase = given.get("phase")
        if not isinstance(phase, str) or not _PHASE.fullmatch(phase):
            raise PositionError(f"phase: expected one such as S1901M, F1901R or W1901A, got {_shown(phase)}")
        if "units" not in given:
            raise PositionError("units: missing; expected an object of lists by power")
        units = {power: self._units(names, f"units.{power}") for power, names in self._by_power(given, "units")}
        centres = {power: self._centres(names, f"centres.{power}") for power, names in self._by_power(given, "centres")}
        dislodged = {p: self._dislodged(beaten, f"dislodged.{p}") for p, beaten in self._by_power(given, "dislodged")}
        self._refuse_twice("units", units)
        self._refuse_twice("centres", centres)
        self._refuse_twice("dislodged", dislodged)
        if any(dislodged.values()) and phase[-1] != RETREATS:
            raise PositionError(f"dislodged: only a retreat phase has dislodged units, and {phase} is none")
        taken = {self.board.province_of[unit[2:]] for names in units.values() for unit in names}
        for power, beaten in dislodged.items():
            for unit, places in beaten.items():
                for index, place in enumerate(places):
                    if self.board.province_of[place] in taken:
                        raise PositionError(f"dislodged.{power}.{unit}[{index}]: {place} holds a unit")
        return {
            "phase": phase,
            "units": units,
            "centres": centres if "centres" in given else None,
            "dislodged": dislodged,
            "contested": self._provinces(given.get("contested", []), "contested"),
            "win_centres": self._win_centres(given.get("win-centres", 18)),
            "board": self.board,
        }

    def _by_power(self, given: Mapping[str, object], key: str) -> Iterable[tuple[str, object]]:
        seen: set[str] = set()
        for name, value in self._object(given.get(key, {}), key).items():
            power = name.strip().upper()
            if power not in self.board.powers:
                raise PositionError(f"{key}: no power called {_shown(name)}{did_you_mean(power, self.board.powers)}")
            if power in seen:
                raise PositionError(f"{key}.{power}: given twice")
            seen.add(power)
            yield power, value

    def _units(self, value: object, path: str) -> tuple[str, ...]:
        return tuple(self._unit(text, f"{path}[{index}]") for index, text in enumerate(self._list(value, path)))

    def _centres(self, value: object, path: str) -> tuple[str, ...]:
        names = self._provinces(value, path)
        for index, name in enumerate(names):
            if not self.board.provinces[name].is_centre:
                raise PositionError(f"{path}[{index}]: {name} is no supply centre")
        return names

    def _dislodged(self, value: object, path: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for text, places in self._object(value, path).items():
            unit = self._unit(text, path)
            inside = f"{path}.{unit}"
            if unit in found:
                raise PositionError(f"{inside}: given twice")
            found[unit] = tuple(
                self._retreat(unit, place, f"{inside}[{index}]")
                for index, place in enumerate(self._list(places, inside))
            )
        return found

    def _retreat(self, unit: str, value: object, path: str) -> str:
        place = self._place(value, path)
        if place not in self.board.moves[unit]:
            raise PositionError(f"{path}: {unit} cannot retreat to {place}, which it does not touch")
        return place

    def _provinces(self, value: object, path: str) -> tuple[str, ...]:
        places = (self._place(text, f"{path}[{index}]") for index, text in enumerate(self._list(value, path)))
        return tuple(self.board.province_of[place] for place in places)

    def _unit(self, value: object, path: str) -> str:
        try:
            return read_unit(self.board, self._text(value, path))
        except PlaceError as error:
            raise PositionError(f"{path}: {error}") from None

    def _place(self, value: object, path: str) -> str:
        try:
            return read_place(self.board, self._text(value, path))
        except PlaceError as error:
            raise PositionError(f"{path}: {error}") from None

    def _refuse_twice(self, key: str, names: Mapping[str, Iterable[str]]) -> None:
        seen: dict[str, str] = {}
        for power, values in names.items():
            for value in values:
                province = self.board.province_of[value[2:] if value[1:2] == " " else value]
                if province in seen:
                    raise PositionError(f"{key}.{power}: {value} and {seen[province]} cannot both be in {province}")
                seen[province] = f"{value} of {power}"

    @staticmethod
    def _win_centres(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise PositionError(f"win-centres: expected a number from 1, got {_shown(value)}")
        return value

    @staticmethod
    def _text(value: object, path: str) -> str:
        if not isinstance(value, str):
            raise PositionError(f"{path}: expected a text, got {_shown(value)}")
        return value

    @staticmethod
    def _list(value: object, path: str) -> list[object]:
        if not isinstance(value, list | tuple):
            raise PositionError(f"{path}: expected a list, got {_shown(value)}")
        return list(value)

    @staticmethod
    def _object(value: object, path: str) -> Mapping[str, object]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise PositionError(f"{path}: expected an object, got {_shown(value)}")
        return value


def _shown(value: object) -> str:
    """What was given instead, in few words; the inside of lists and objects may be endless."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


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
