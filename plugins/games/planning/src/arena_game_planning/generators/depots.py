"""Trucks between places, hoists that stack crates on pallets: crates must be stacked anew somewhere else."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step


@attrs.frozen
class DepotsSize:
    """How many places (one hoist each), trucks, pallets and crates there are."""

    places: int
    trucks: int
    pallets: int
    crates: int


def draw(chance: Random, size: DepotsSize) -> Draft:
    """Crates in stacks at random, wanted in other stacks at random."""
    if size.places < 2 or size.pallets < size.places or min(size.trucks, size.crates) < 1:
        raise ValueError("expected two places, a pallet for each, a truck and a crate at least")
    depots, distributors = names("depot", (size.places + 1) // 2), names("distributor", size.places // 2)
    places, crates = (*depots, *distributors), names("crate", size.crates)
    pallets = {pallet: places[number % len(places)] for number, pallet in enumerate(names("pallet", size.pallets))}
    hoists = {f"hoist{number}": place for number, place in enumerate(places, 1)}
    trucks = {truck: chance.choice(places) for truck in names("truck", size.trucks)}
    now, wanted = _stacks(chance, pallets, crates), _stacks(chance, pallets, crates)
    while _pairs(now) == _pairs(wanted):
        wanted = _stacks(chance, pallets, crates)
    init = [step("at", thing, place) for thing, place in (trucks | hoists | pallets).items()]
    init += [step("ready", hoist) for hoist in hoists]
    for pallet, stack in now.items():
        init += [step("at", crate, pallets[pallet]) for crate in stack]
        init += [step("on", crate, below) for below, crate in zip([pallet, *stack], stack, strict=False)]
        init.append(step("clear", [pallet, *stack][-1]))
    goal = tuple(step("on", crate, below) for crate, below in _pairs(wanted))
    objects = (
        ("depot", depots),
        ("distributor", distributors),
        ("truck", tuple(trucks)),
        ("hoist", tuple(hoists)),
        ("pallet", tuple(pallets)),
        ("crate", crates),
    )
    return Draft(objects, tuple(init), goal, tuple(_plan(pallets, hoists, trucks, now, wanted)))


def _stacks(chance: Random, pallets: dict[str, str], crates: tuple[str, ...]) -> dict[str, list[str]]:
    stacks: dict[str, list[str]] = {pallet: [] for pallet in pallets}
    for crate in chance.sample(crates, len(crates)):
        stacks[chance.choice(list(pallets))].append(crate)
    return stacks


def _pairs(stacks: dict[str, list[str]]) -> list[tuple[str, str]]:
    pairs = [pair for pallet, stack in stacks.items() for pair in zip(stack, [pallet, *stack], strict=False)]
    return sorted(pairs, key=lambda pair: (len(pair[0]), pair[0]))


def _plan(
    pallets: dict[str, str],
    hoists: dict[str, str],
    trucks: dict[str, str],
    now: dict[str, list[str]],
    wanted: dict[str, list[str]],
) -> list[str]:
    """One truck gathers all crates that stand wrong, then brings each to its place, the lowest first."""
    plan: list[str] = []
    truck, here = next(iter(trucks.items()))
    hoist_at = {place: hoist for hoist, place in hoists.items()}

    def go(place: str) -> None:
        nonlocal here
        if place != here:
            plan.append(step("drive", truck, here, place))
            here = place

    stacks = {pallet: list(stack) for pallet, stack in now.items()}
    right = {
        pallet: next(
            (n for n, (a, b) in enumerate(zip(stack, wanted[pallet], strict=False)) if a != b),
            min(len(stack), len(wanted[pallet])),
        )
        for pallet, stack in stacks.items()
    }
    for pallet in sorted(pallets, key=lambda pallet: (pallets[pallet] != here, pallets[pallet], pallet)):
        while len(stacks[pallet]) > right[pallet]:
            go(pallets[pallet])
            crate = stacks[pallet].pop()
            below = [pallet, *stacks[pallet]][-1]
            plan.append(step("lift", hoist_at[here], crate, below, here))
            plan.append(step("load", hoist_at[here], crate, truck, here))
    for pallet in sorted(pallets, key=lambda pallet: (pallets[pallet] != here, pallets[pallet], pallet)):
        for height in range(right[pallet], len(wanted[pallet])):
            go(pallets[pallet])
            crate, below = wanted[pallet][height], [pallet, *wanted[pallet]][height]
            plan.append(step("unload", hoist_at[here], crate, truck, here))
            plan.append(step("set-down", hoist_at[here], crate, below, here))
    return plan


GENERATOR = Generator(
    "depots",
    ("resource", "spatial"),
    tuple(
        DepotsSize(places, trucks, places + extra, crates)
        for places, trucks, extra, crates in zip(
            spread(50, 2, 12), spread(50, 1, 9), spread(50, 0, 7), spread(50, 3, 13), strict=True
        )
    ),
    draw,
)
