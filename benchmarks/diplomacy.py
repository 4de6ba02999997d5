"""How fast Diplomacy is adjudicated, beside the PyPI package ``diplomacy`` if you have installed it.

    python benchmarks/diplomacy.py [--games 20] [--rounds 3] [--seconds 1]

*Phases* are all phases of games in which every unit gets any of its legal orders, to the end of 1912. Each is
adjudicated by itself, orders as texts, from a position that nobody has asked anything yet; the figure is the median
over phases of the median over rounds. *Legal orders* are those of positions with 34 units anywhere on the board.
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

LAST_YEAR = 1912
PHASE_GOAL_MS = 0.7
LEGAL_GOAL_MS = 10.0
PEER_GOAL = 5.0
REPORT_GOAL_S = 15.0
CROWD = 34

Orders = Mapping[str, Sequence[str]]


def main() -> None:
    """Measure adjudication and legal orders, and print them beside their goals."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=20, help="of random orders")
    parser.add_argument("--rounds", type=int, default=3, help="of each measurement")
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU time for the calibration loop")
    chosen = parser.parse_args()
    calibration = look_ups(chosen.seconds)
    print(f"calibration: {calibration / 1e6:.1f} million look-ups a second")
    phases = [phase for seed in range(chosen.games) for phase in game(seed)]
    own = phase_times(phases, chosen.rounds)
    middle = statistics.median(own)
    print(
        f"phases of {chosen.games} games: {len(phases):,}, {1000 * len(own) / sum(own):,.0f} a second, "
        f"{middle:.2f} ms at the median, {middle / 1000 * calibration:,.0f} look-ups "
        f"(goal {PHASE_GOAL_MS} ms, {met(middle <= PHASE_GOAL_MS)})"
    )
    moves = [spent for spent, (position, _, _) in zip(own, phases, strict=True) if position.kind == "M"]
    print(f"movement phases alone: {statistics.median(moves):.2f} ms at the median, {max(moves):.2f} ms at most")
    legal(chosen.rounds)
    report()
    peer(phases, middle)


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


def phase_times(phases: Sequence[tuple[Position, Orders, Result]], rounds: int) -> list[float]:
    """Milliseconds for each phase, the median of the rounds."""
    times: list[list[float]] = [[] for _ in phases]
    for _ in range(rounds):
        for spent, (position, orders, _) in zip(times, phases, strict=True):
            fresh = attrs.evolve(position)
            began = time.process_time()
            adjudicate(fresh, orders)
            spent.append((time.process_time() - began) * 1000)
    return [statistics.median(spent) for spent in times]


def legal(rounds: int) -> None:
    """Times of listing the legal orders of crowded positions."""
    positions = [crowded(seed) for seed in range(200)]
    times: list[float] = []
    counts: list[int] = []
    for _ in range(rounds):
        for position in positions:
            fresh = attrs.evolve(position)
            began = time.process_time()
            found = legal_orders(fresh)
            times.append((time.process_time() - began) * 1000)
            counts.append(sum(len(texts) for units in found.values() for texts in units.values()))
    print(
        f"legal orders of {CROWD} units: {statistics.median(times):.1f} ms at the median, {max(times):.1f} ms at most "
        f"(goal {LEGAL_GOAL_MS:g} ms, {met(max(times) <= LEGAL_GOAL_MS)}); "
        f"{statistics.median(counts):.0f} orders at the median, {max(counts)} at most"
    )


def report() -> None:
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
        run = arena.run(plan, output=Path(place, "run"))
        played = time.process_time() - began
        run.report()
        told = time.process_time() - began - played
    print(
        f"report on ten matches: {told:.1f} s, {told / played:.1f} x playing them "
        f"(goal {REPORT_GOAL_S:g} s, {met(told <= REPORT_GOAL_S)})"
    )


def crowded(seed: int) -> Position:
    """A position with many units anywhere, of any power and of any kind that can be there."""
    rng, opening = Random(seed), Position.opening()
    board, units = opening.board, {power: list[str]() for power in opening.board.powers}
    for province in rng.sample(sorted(board.provinces), CROWD):
        possible = sorted(unit for unit in board.moves if board.province_of[unit[2:]] == province)
        units[rng.choice(board.powers)].append(rng.choice(possible))
    return Position(phase="S1901M", units={power: tuple(names) for power, names in units.items()})


def peer(phases: Sequence[tuple[Position, Orders, Result]], middle: float) -> None:
    """The package ``diplomacy`` on the same phases: its time, and where its results differ."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != here]  # this file has the package's name
    try:
        from diplomacy import Game  # pyright: ignore[reportMissingImports]
    except ImportError:
        print("diplomacy: not installed (pip install diplomacy)")
        return
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
    print(f"diplomacy: {its:.2f} ms at the median, {its / middle:.1f} × as long", end=" ")
    print(f"(goal {PEER_GOAL:g} ×, {met(its / middle >= PEER_GOAL)})")
    for what, count in counts.most_common():
        print(f"  {what}: {count} of {len(phases)} phases ({100 * count / len(phases):.1f} %)")


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


def met(is_met: bool) -> str:
    """Whether a goal was met, in a word."""
    return "met" if is_met else "missed"


if __name__ == "__main__":
    main()
