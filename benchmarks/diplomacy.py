"""How fast Diplomacy is adjudicated, beside the PyPI package ``diplomacy`` if you have installed it.

    python benchmarks/diplomacy.py [--rounds 5] [--games 20] [--quick] [--write]

*Phases* are all phases of games in which every unit gets any of its legal orders, to the end of 1912. Each is
adjudicated by itself, orders as texts, from a position that nobody has asked anything yet; the figure is the median
over phases in each round. *Legal orders* are those of positions with 34 units anywhere on the board.
*Report* is one on ten matches of seven powers that talk, random references included, beside playing them. All times
are CPU seconds, beside a calibration loop (look-ups of short texts in a dict, which is what both mostly do).

The package (AGPL, never a dependency) gets the same positions and the same orders, phase by phase; only its
``set_orders`` and ``process`` are timed. Where its result differs, the orders are adjudicated once more with every
``VIA`` to a neighbour left out that had no convoy, since it lets such an army walk; what still differs is printed.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import attrs
from arena_game_diplomacy import Position, Result, adjudicate, legal_orders
from ratios.rounds import own_seconds
from ratios.rows import Row, limited, over
from ratios.script import run

LAST_YEAR = 1912
PHASE_GOAL_MS = 0.7
LEGAL_GOAL_MS = 10.0
PEER_GOAL = 5.0
REPORT_GOAL_S = 15.0
CROWD = 34

Orders = Mapping[str, Sequence[str]]


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Adjudication and legal orders beside their limits, then a report, then the package."""
    rounds, seconds = options.rounds, 0.5
    phases = [phase for seed in range(1 if options.quick else options.games) for phase in game(seed)]
    found: list[float] = []
    calibration: list[float] = []
    for _ in range(rounds):
        calibration.append(1000 / look_ups(seconds))
        found.append(statistics.median(phase_times(phases)))
    told = f"median of {len(phases):,} phases"
    yield limited("a phase", found, PHASE_GOAL_MS, "ms", told)
    yield Row(name="a phase × looking up a text in a dict", ratios=over(found, calibration), note=told)
    yield limited(f"legal orders of {CROWD} units, the slowest", *legal(rounds))
    if not options.quick:
        yield report()
    yield from peer(phases, statistics.median(found))


def look_ups(seconds: float) -> float:
    """Look-ups a second of CPU time in a dict of the places of the board."""
    places = dict(Position.opening().board.province_of)
    names = list(places) * 20
    began, done = time.process_time(), 0
    while (spent := time.process_time() - began) < seconds:
        for name in names:
            places[name]
        done += len(names)
    return done / spent


def game(seed: int) -> Iterator[tuple[Position, Orders, Result]]:
    """The phases of a game of random orders."""
    rng, position = Random(seed), Position.opening()
    while position is not None and position.year <= LAST_YEAR:
        legal = legal_orders(position)
        orders = {power: [rng.choice(texts) for texts in units.values()] for power, units in legal.items()}
        result = adjudicate(position, orders)
        yield position, orders, result
        position = result.next


def phase_times(phases: Sequence[tuple[Position, Orders, Result]]) -> list[float]:
    """Milliseconds for each phase."""
    times: list[float] = []
    for position, orders, _ in phases:
        fresh = attrs.evolve(position)
        times.append(1000 * own_seconds(lambda fresh=fresh, orders=orders: adjudicate(fresh, orders)))
    return times


def legal(rounds: int) -> tuple[list[float], float, str, str]:
    """Milliseconds of listing the legal orders of the slowest of 200 crowded positions, and what goes with them."""
    positions = [crowded(seed) for seed in range(200)]
    slowest: list[float] = []
    counts: list[int] = []
    for _ in range(rounds):
        times: list[float] = []
        for position in positions:
            fresh = attrs.evolve(position)
            began = time.process_time()
            found = legal_orders(fresh)
            times.append((time.process_time() - began) * 1000)
            counts.append(sum(len(texts) for units in found.values() for texts in units.values()))
        slowest.append(max(times))
    return slowest, LEGAL_GOAL_MS, "ms", f"{max(counts):,} orders at most"


def report() -> Row:
    """The time of a report with all metrics of Diplomacy that ask no model, with nothing kept from before."""
    import arena

    agents = {f"chatty-{n}": "diplomacy-chatty" for n in range(4)} | {f"random-{n}": "random" for n in range(3)}
    plan = {
        "name": "ten",
        "seed": 1,
        "games": {"diplomacy": {"use": "diplomacy", "last-year": 1910, "players": 7}},
        "agents": agents,
        "schedule": {"use": "fixed", "seatings": [list(agents)], "repeats": 10},
        "metrics": ["diplomacy-orders", "diplomacy-centres", "diplomacy-talk", "outcomes"],
    }
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = f"{place}/cache"
        began = time.process_time()
        finished = arena.run(plan, output=Path(place, "run"))
        played = time.process_time() - began
        finished.report()
        told = time.process_time() - began - played
    note = f"{told / played:.1f} × playing them"
    return limited("report on ten matches, references played anew", told, REPORT_GOAL_S, "s", note)


def crowded(seed: int) -> Position:
    """A position with many units anywhere, of any power and of any kind that can be there."""
    rng, opening = Random(seed), Position.opening()
    board, units = opening.board, {power: list[str]() for power in opening.board.powers}
    for province in rng.sample(sorted(board.provinces), CROWD):
        possible = sorted(unit for unit in board.moves if board.province_of[unit[2:]] == province)
        units[rng.choice(board.powers)].append(rng.choice(possible))
    return Position(phase="S1901M", units={power: tuple(names) for power, names in units.items()})


def peer(phases: Sequence[tuple[Position, Orders, Result]], middle: float) -> Iterator[Row]:
    """The package ``diplomacy`` on the same phases: its time, and where its results differ."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != here]  # this file has the package's name
    try:
        from diplomacy import Game  # pyright: ignore[reportMissingImports]
    except ImportError:
        return  # pip install diplomacy
    times: list[float] = []
    counts: Counter[str] = Counter()
    theirs = Game()
    for position, orders, result in phases:
        load(theirs, position)
        began = time.process_time()
        for power, texts in orders.items():
            theirs.set_orders(power, list(texts))
        theirs.process()
        times.append((time.process_time() - began) * 1000)
        state = comparable(theirs.get_state())
        if state == own_state(result):
            counts["equal"] += 1
        elif state == own_state(adjudicate(position, walking(position, result))):
            counts["an army walks to a neighbour for want of a convoy"] += 1
        else:
            counts["unexplained"] += 1
            print(f"  differs: {position.to_json() | {'orders': orders}}")
    its = statistics.median(times)
    note = ", ".join(f"{count} {what}" for what, count in counts.most_common())
    yield Row(
        name="the package diplomacy × a phase",
        ratios=(its / middle,),
        goal=PEER_GOAL,
        is_more_better=True,
        note=f"{its:.2f} and {middle:.2f} ms; of {len(phases):,} results {note}",
    )


def load(theirs: Any, position: Position) -> None:
    """Give a position to the package."""
    beaten = {power: position.dislodged.get(power, {}) for power in position.units}
    theirs.set_state(
        {
            "name": position.phase,
            "units": {p: [*units, *(f"*{unit}" for unit in beaten[p])] for p, units in position.units.items()},
            "retreats": {p: {unit: list(places) for unit, places in beaten[p].items()} for p in beaten},
            "centers": {p: list(names) for p, names in (position.centres or {}).items()},
        }
    )


def comparable(state: Mapping[str, Any]) -> dict[str, Any]:
    """What both say after a phase: where units stand, which must retreat to where, and who owns what."""
    return {
        "units": {p: sorted(unit for unit in units if unit[0] != "*") for p, units in state["units"].items()},
        "retreats": {
            (p, unit.strip("*")): sorted(places)
            for p, found in state["retreats"].items()
            for unit, places in found.items()
        },
        "centres": {p: sorted(names) for p, names in state["centers"].items()},
    }


def own_state(result: Result) -> dict[str, Any]:
    """The same of a result of ours; units that are disbanded at once are in neither."""
    retreating = result.dislodged if result.next is not None and result.next.kind == "R" else {}
    return {
        "units": {p: sorted(units) for p, units in result.units.items()},
        "retreats": {
            (p, unit): sorted(places) for p, found in retreating.items() for unit, places in found.items() if places
        },
        "centres": {p: sorted(names) for p, names in result.centres.items()},
    }


def walking(position: Position, result: Result) -> Orders:
    """The orders of a result, without ``VIA`` where an army had no convoy to a neighbour."""
    moves = position.board.moves
    found: dict[str, list[str]] = {}
    for power, told in result.orders.items():
        for one in told:
            unit, _, rest = one.order.partition(" - ")
            walks = one.result == "no-convoy" and rest.removesuffix(" VIA") in moves[unit]
            found.setdefault(power, []).append(one.order.removesuffix(" VIA") if walks else one.order)
    return found


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--games", type=int, default=20, help="of random orders")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
