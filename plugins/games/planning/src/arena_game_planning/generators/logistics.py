"""Trucks inside cities, airplanes between airports, and packages that must get somewhere else."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step


@attrs.frozen
class LogisticsSize:
    """How many cities, places in each (the first is the airport), airplanes and packages there are."""

    cities: int
    places: int
    airplanes: int
    packages: int


def draw(chance: Random, size: LogisticsSize) -> Draft:
    """Packages at random places that are wanted at other ones, a truck in every city."""
    if size.cities * size.places < 2 or min(size.airplanes, size.packages) < 1:
        raise ValueError("expected two places or more, an airplane and a package")
    cities = names("city", size.cities)
    places = {city: [f"{city}-airport", *(f"{city}-p{n}" for n in range(1, size.places))] for city in cities}
    city_of = {place: city for city in cities for place in places[city]}
    trucks = {f"truck{n}": chance.choice(places[city]) for n, city in enumerate(cities, 1)}
    airplanes = {plane: places[chance.choice(cities)][0] for plane in names("plane", size.airplanes)}
    everywhere = list(city_of)
    wishes = {package: tuple(chance.sample(everywhere, 2)) for package in names("package", size.packages)}
    init = [step("in-city", place, city) for place, city in city_of.items()]
    init += [step("at", vehicle, place) for vehicle, place in (trucks | airplanes).items()]
    init += [step("at", package, start) for package, (start, _) in wishes.items()]
    objects = (
        ("city", cities),
        ("airport", tuple(places[city][0] for city in cities)),
        ("place", tuple(place for city in cities for place in places[city][1:])),
        ("truck", tuple(trucks)),
        ("airplane", tuple(airplanes)),
        ("package", tuple(wishes)),
    )
    goal = tuple(step("at", package, end) for package, (_, end) in wishes.items())
    return Draft(objects, tuple(init), goal, tuple(_plan(cities, city_of, trucks, airplanes, wishes)))


def _plan(
    cities: tuple[str, ...],
    city_of: dict[str, str],
    trucks: dict[str, str],
    airplanes: dict[str, str],
    wishes: dict[str, tuple[str, ...]],
) -> list[str]:
    """Every truck gathers what leaves, airplanes carry it over, every truck hands out what came."""
    plan: list[str] = []
    truck_of = dict(zip(cities, trucks, strict=True))
    where = {package: start for package, (start, _) in wishes.items()}
    vehicles = trucks | airplanes

    def go(vehicle: str, place: str) -> None:
        here = vehicles[vehicle]
        if here != place:
            plan.append(
                step("drive", vehicle, here, place, city_of[place])
                if vehicle in trucks
                else step("fly", vehicle, here, place)
            )
            vehicles[vehicle] = place

    def tour(vehicle: str, moves: list[tuple[str, str]]) -> None:
        """Carry packages to where each goes: first on board at every start, then out at every end."""
        loads = sorted({where[package] for package, _ in moves}, key=lambda place: (place != vehicles[vehicle], place))
        ends = {end for _, end in moves}
        loads.sort(key=lambda place: place in ends)
        done: set[str] = set()
        for place in loads:
            go(vehicle, place)
            for package, _ in moves:
                if where[package] == place and package not in done:
                    plan.append(step("load", package, vehicle, place))
                    done.add(package)
                    where[package] = vehicle
        for place in sorted(ends, key=lambda place: (place != vehicles[vehicle], place)):
            go(vehicle, place)
            for package, end in moves:
                if end == place:
                    plan.append(step("unload", package, vehicle, place))
                    where[package] = place

    for city in cities:
        moves = []
        for package, (start, end) in wishes.items():
            airport = f"{city}-airport"
            target = end if city_of[end] == city else airport
            if city_of[start] == city and start != target:
                moves.append((package, target))
        tour(truck_of[city], moves)
    over = [
        (package, f"{city_of[end]}-airport")
        for package, (start, end) in wishes.items()
        if city_of[start] != city_of[end]
    ]
    fleet = sorted(airplanes, key=lambda plane: (all(where[package] != airplanes[plane] for package, _ in over), plane))
    tour(fleet[0], over)
    for city in cities:
        tour(
            truck_of[city],
            [(p, end) for p, (_, end) in wishes.items() if city_of[end] == city and where[p] != end],
        )
    return plan


GENERATOR = Generator(
    "logistics",
    ("spatial",),
    tuple(
        LogisticsSize(cities, places, 1 + (number % 3 == 2 and cities > 2), packages)
        for number, (cities, places, packages) in enumerate(
            zip(spread(100, 2, 5), spread(100, 1.6, 3.4), spread(100, 1, 4), strict=True)
        )
    ),
    draw,
)
