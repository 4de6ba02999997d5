"""The map of Diplomacy: provinces, coasts and borders, as data and as the tables that the rules look up."""

import json
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import attrs

if TYPE_CHECKING:
    STANDARD: "BoardMap"

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")

Kind = Literal["inland", "coastal", "sea"]


@attrs.frozen
class Province:
    """A province of the map.

    ``name`` has three letters (``"BOH"``). ``home_of`` is the power whose home centre it is, if any. ``coasts`` is
    empty unless fleets must say on which coast they are (``("NC", "SC")``).
    """

    name: str
    full_name: str
    kind: Kind
    is_centre: bool
    home_of: str | None
    coasts: tuple[str, ...]


@attrs.frozen(eq=False)
class BoardMap:
    """A map: provinces by name, where armies and fleets go, and where the units of each power begin.

    A *place* is where a unit can be: a province (``"BOH"``), or for fleets one coast of it (``"STP/NC"``).
    ``army_borders`` leads from provinces to provinces, ``fleet_borders`` from places to places; both are symmetric.
    ``names`` holds every way to write a province, in capitals and without spaces and dots, and what it can mean.
    """

    powers: tuple[str, ...]
    provinces: Mapping[str, Province]
    army_borders: Mapping[str, frozenset[str]]
    fleet_borders: Mapping[str, frozenset[str]]
    opening: Mapping[str, tuple[str, ...]]
    names: Mapping[str, tuple[str, ...]]

    @cached_property
    def province_of(self) -> Mapping[str, str]:
        """The province to which each place belongs, for provinces and coasts alike."""
        coasts = {f"{name}/{coast}": name for name, province in self.provinces.items() for coast in province.coasts}
        return {name: name for name in self.provinces} | coasts

    @cached_property
    def moves(self) -> Mapping[str, frozenset[str]]:
        """The places to which each unit that can exist may go without a convoy, by unit (``"A BOH"``)."""
        armies = {f"A {name}": borders for name, borders in self.army_borders.items()}
        return armies | {f"F {place}": borders for place, borders in self.fleet_borders.items()}

    @cached_property
    def reach(self) -> Mapping[str, frozenset[str]]:
        """The provinces to which each unit may go without a convoy, on whatever coast, and which it can support."""
        return {unit: frozenset(self.province_of[place] for place in places) for unit, places in self.moves.items()}

    @cached_property
    def seas(self) -> Mapping[str, frozenset[str]]:
        """The seas that touch each coastal province and each sea."""
        found: dict[str, set[str]] = {}
        for place, borders in self.fleet_borders.items():
            near = (name for name in borders if name in self.provinces and self.provinces[name].kind == "sea")
            found.setdefault(self.province_of[place], set()).update(near)
        return {name: frozenset(near) for name, near in found.items()}

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """The names of the provinces that are supply centres."""
        return tuple(name for name, province in self.provinces.items() if province.is_centre)

    @cached_property
    def distances(self) -> Mapping[str, Mapping[str, int]]:
        """How many steps lie between two provinces, over land and water alike."""
        near: dict[str, set[str]] = {name: set() for name in self.provinces}
        for unit, provinces in self.reach.items():
            near[self.province_of[unit[2:]]] |= provinces
        return {name: dict(_steps(name, near)) for name in self.provinces}


def _steps(start: str, near: Mapping[str, set[str]]) -> Iterator[tuple[str, int]]:
    seen, edge, steps = {start}, {start}, 0
    while edge:
        yield from ((name, steps) for name in edge)
        edge = {other for name in edge for other in near[name]} - seen
        seen |= edge
        steps += 1


@cache
def read_map(name: str) -> BoardMap:
    """The map in the file of this name in the package: ``"standard"``."""
    return _board(json.loads((files("arena_game_diplomacy") / f"{name}.json").read_text(encoding="utf-8")))


def _board(data: Mapping[str, Any]) -> BoardMap:
    provinces = {name: _province(name, facts) for name, facts in data["provinces"].items()}
    fleets: dict[str, frozenset[str]] = {}
    for name, facts in data["provinces"].items():
        borders = facts.get("fleet", {})
        if isinstance(borders, str):
            fleets[name] = frozenset(borders.split())
        else:
            fleets |= {f"{name}/{coast}": frozenset(near.split()) for coast, near in borders.items()}
    return BoardMap(
        powers=tuple(data["powers"]),
        provinces=provinces,
        army_borders={n: frozenset(facts["army"].split()) for n, facts in data["provinces"].items() if "army" in facts},
        fleet_borders=fleets,
        opening={power: tuple(units) for power, units in data["opening"].items()},
        names=_names(data),
    )


def _province(name: str, facts: Mapping[str, Any]) -> Province:
    borders = facts.get("fleet")
    home = facts.get("home")
    return Province(
        name=name,
        full_name=facts["name"],
        kind="inland" if borders is None else "coastal" if "army" in facts else "sea",
        is_centre=home is not None or facts.get("centre", False),
        home_of=home,
        coasts=tuple(borders) if isinstance(borders, dict) else (),
    )


def _names(data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    found = {squeezed(name): tuple(meanings) for name, meanings in data["ambiguous"].items()}
    for name, facts in data["provinces"].items():
        found |= {squeezed(written): (name,) for written in (name, facts["name"], *facts.get("also", ()))}
    return found


def squeezed(text: str) -> str:
    """The text in capitals without spaces and dots, since notation is read without regard to them."""
    return "".join(text.upper().replace(".", "").split())


def __getattr__(name: str) -> BoardMap:
    """``STANDARD``, which is read when somebody asks for it."""
    if name == "STANDARD":
        return read_map("standard")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
