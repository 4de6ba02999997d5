"""Satellites that turn, power one instrument at a time, calibrate it and take images."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step


@attrs.frozen
class SatelliteSize:
    """How many satellites, instruments on each at the most, modes, directions and wanted images there are."""

    satellites: int
    instruments: int
    modes: int
    directions: int
    images: int


def draw(chance: Random, size: SatelliteSize) -> Draft:
    """Instruments and wishes at random; every mode is supported by some instrument."""
    if min(attrs.astuple(size)) < 1 or size.images > size.modes * size.directions:
        raise ValueError("expected one of everything at least, and at most as many images as modes times directions")
    satellites, modes = names("satellite", size.satellites), names("mode", size.modes)
    directions = names("star", size.directions)
    carried: list[tuple[str, str]] = []
    for satellite in satellites:
        for _ in range(chance.randint(1, size.instruments)):
            carried.append((satellite, f"instrument{len(carried) + 1}"))
    supports = {instrument: set(chance.sample(modes, chance.randint(1, len(modes)))) for _, instrument in carried}
    for mode in modes:
        if not any(mode in supported for supported in supports.values()):
            supports[chance.choice(list(supports))].add(mode)
    targets = {instrument: chance.choice(directions) for instrument in supports}
    pointing = {satellite: chance.choice(directions) for satellite in satellites}
    pairs = [(direction, mode) for direction in directions for mode in modes]
    images = sorted(chance.sample(pairs, size.images), key=pairs.index)
    turned = [(s, chance.choice(directions)) for s in satellites if chance.random() < 0.25]
    init = [step("carries", satellite, instrument) for satellite, instrument in carried]
    init += [step("supports", i, mode) for i, supported in supports.items() for mode in sorted(supported)]
    init += [step("calibrates-at", instrument, target) for instrument, target in targets.items()]
    init += [step("points-at", *pair) for pair in pointing.items()]
    init += [step("has-power", satellite) for satellite in satellites]
    goal = [step("has-image", *image) for image in images] + [step("points-at", *pair) for pair in turned]
    objects = (
        ("satellite", satellites),
        ("instrument", tuple(supports)),
        ("mode", modes),
        ("direction", directions),
    )
    plan = [*_plan(carried, supports, targets, pointing, images)]
    at_last = _pointing(pointing, plan)
    plan += [step("turn", s, wanted, at_last[s]) for s, wanted in turned if at_last[s] != wanted]
    return Draft(objects, tuple(init), tuple(goal), tuple(plan))


def _plan(
    carried: list[tuple[str, str]],
    supports: dict[str, set[str]],
    targets: dict[str, str],
    pointing: dict[str, str],
    images: list[tuple[str, str]],
) -> list[str]:
    """The instrument that serves most of the wishes left is switched on, calibrated and used, until none is left."""
    plan: list[str] = []
    here, left = dict(pointing), list(images)
    powered: dict[str, str] = {}

    def turn(satellite: str, to: str) -> None:
        if here[satellite] != to:
            plan.append(step("turn", satellite, to, here[satellite]))
            here[satellite] = to

    while left:
        counts = [(sum(mode in supports[i] for _, mode in left), s, i) for s, i in carried]
        best = max(count for count, _, _ in counts)
        _, satellite, instrument = next(entry for entry in counts if entry[0] == best)
        if satellite in powered:
            plan.append(step("switch-off", powered[satellite], satellite))
        powered[satellite] = instrument
        plan.append(step("switch-on", instrument, satellite))
        turn(satellite, targets[instrument])
        plan.append(step("calibrate", satellite, instrument, targets[instrument]))
        served = [image for image in left if image[1] in supports[instrument]]
        for direction, mode in sorted(served, key=lambda image: image[0] != here[satellite]):
            turn(satellite, direction)
            plan.append(step("take-image", satellite, direction, instrument, mode))
        left = [image for image in left if image not in served]
    return plan


def _pointing(pointing: dict[str, str], plan: list[str]) -> dict[str, str]:
    turns = [action.strip("()").split()[1:3] for action in plan if action.startswith("(turn ")]
    return pointing | dict(turns)


GENERATOR = Generator(
    "satellite",
    ("resource",),
    tuple(
        SatelliteSize(satellites, instruments, modes, directions, images)
        for satellites, instruments, modes, directions, images in zip(
            spread(100, 1, 4),
            spread(100, 1, 3),
            spread(100, 2, 4),
            spread(100, 3, 22),
            spread(100, 2, 9),
            strict=True,
        )
    ),
    draw,
)
