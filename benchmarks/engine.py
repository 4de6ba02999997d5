"""How fast games are played at random: Arena beside raw OpenSpiel, PettingZoo and TextArena, in one run.

    python benchmarks/engine.py [--seconds 2] [--games tic-tac-toe,chess] [--peers openspiel,journal]

Every number is steps (one player's action) per CPU second of this process, over whole matches from reset to end,
measured in alternating slices so that all peers meet the same machine. What is counted: for OpenSpiel
``legal_actions``, a uniform choice and ``apply_action``; for Arena's state ``to_act``, ``decision``, ``sample``,
``check``, ``apply``; for Arena's journal whole matches with two ``random`` agents as a run plays them, with the journal
on (SQLite, synchronous); for Arena's referee the same with the metrics' measurements, which a run leaves to its report;
for PettingZoo ``last`` (which reads the observation) and ``step``; for TextArena ``get_observation`` and ``step``,
finding a legal action not counted, once with the bare environment (``-raw``) and once with the one that its registry
gives by default, which writes the whole conversation into each observation. ``-`` means that the peer has no such game.
"""

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

OPENSPIEL = {"tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four", "kuhn-poker": "kuhn_poker", "chess": "chess"}
PETTINGZOO = {"tic-tac-toe": "tictactoe_v3", "connect-four": "connect_four_v3", "chess": "chess_v6"}
TEXTARENA = {
    "tic-tac-toe": "TicTacToe-v0",
    "connect-four": "ConnectFour-v0",
    "kuhn-poker": "KuhnPoker-v0",
    "chess": "Chess-v0",
}
RATIOS = (
    ("state", "openspiel"),
    ("referee", "textarena"),
    ("referee", "textarena wrapped"),
    ("referee", "pettingzoo"),
)
GOALS = (
    ("state", "openspiel", dict.fromkeys(OPENSPIEL, 0.25)),
    ("referee", "textarena", {"tic-tac-toe": 1.0, "chess": 10.0}),
)
PUBLISHED = {"tic-tac-toe": (4.6, 174_000), "connect-four": (2.2, 52_000), "kuhn-poker": (9.4, 182_000)}
"""Episodes per second of Board Game Arena's own loop, random against random, and of OpenSpiel's on the same machine."""

TIMES_PUBLISHED = 1_000
"""How many times its share of OpenSpiel's speed ours is to be."""


class Meter:
    """Steps and episodes, and the CPU seconds they took."""

    def __init__(self) -> None:
        self.steps = 0
        self.episodes = 0
        self.seconds = 0.0

    def add(self, steps: int, seconds: float, episodes: int = 1) -> None:
        """Count a slice."""
        self.steps += steps
        self.episodes += episodes
        self.seconds += seconds

    @property
    def pace(self) -> float:
        """Episodes per CPU second."""
        return self.episodes / self.seconds

    @property
    def rate(self) -> float:
        """Steps per CPU second."""
        return self.steps / self.seconds


Match = Callable[[int], tuple[int, float] | tuple[int, float, int]]
"""Plays one match (or several) with a seed; returns steps, CPU seconds, and how many matches where it was not one."""


def openspiel(name: str) -> Match:
    """Raw OpenSpiel in Python."""
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL[name])

    def play(seed: int) -> tuple[int, float]:
        rng = random.Random(seed)
        start = time.process_time()
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
                continue
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps, time.process_time() - start

    return play


def state(name: str) -> Match:
    """Arena's game and state alone."""
    from arena.catalog import Catalog
    from arena.chance import Chance

    game = Catalog().get("game", name).plugin.load()()

    def play(seed: int) -> tuple[int, float]:
        rng = random.Random(seed)
        start = time.process_time()
        position, _ = game.start(Chance(seed), 2)
        steps = 0
        while acting := position.to_act():
            actions = {}
            for player in acting:
                action = position.decision(player).sample(rng)
                assert position.check(player, action) is None
                actions[player] = action
                steps += 1
            position.apply(actions)
        return steps, time.process_time() - start

    return play


def journal(name: str) -> Match:
    """Whole matches by the runner: referee and journal."""
    return _run(name, ())


def referee(name: str) -> Match:
    """Whole matches by the runner: referee, journal, metrics."""
    return _run(name, ("outcomes", "illegal-actions"))


def _run(name: str, metrics: tuple[str, ...]) -> Match:
    from arena.benchmark import from_plain
    from arena.catalog import Catalog
    from arena.hookspecs import hookimpl
    from arena.metric import Metric
    from arena.record import MatchRecord
    from arena.runner import carry_out, start

    catalog = Catalog()
    repeats = 40 if name == "chess" else 1_500

    class Watcher:
        """Measures each match as it ends, and counts the actions played."""

        def __init__(self, metrics: Iterable[Metric]) -> None:
            self.metrics = tuple(metrics)
            self.steps = 0

        @hookimpl
        def match_finished(self, record: MatchRecord) -> None:
            self.steps += record.waves  # these games are played in turns: one action a wave
            for metric in self.metrics:
                list(metric.measure(record))

    def play(seed: int) -> tuple[int, float, int]:
        plain = {
            "name": "engine",
            "seed": seed,
            "games": {"game": {"use": name}},
            "agents": {"one": {"use": "random"}, "two": {"use": "random"}},
            "schedule": {"use": "round-robin", "repeats": repeats},
            "metrics": list(metrics),
        }
        with tempfile.TemporaryDirectory() as directory:
            began = time.process_time()
            benchmark = from_plain(plain, catalog)
            with start(benchmark, Path(directory) / "run") as store:
                watcher = Watcher(benchmark.metrics.values())
                outcome = asyncio.run(carry_out(store, benchmark, {"watcher": watcher}, _give_up))
                spent = time.process_time() - began
            if outcome.failed or outcome.finished != repeats * 2:
                sys.exit(f"matches failed: {outcome.failed}")
            return watcher.steps, spent, outcome.finished

    return play


def _give_up(name: str, hook: str, error: Exception) -> None:
    sys.exit(f"{name} broke in {hook}: {error}")


def pettingzoo(name: str) -> Match:
    """PettingZoo's classic environments; observations are read."""
    from importlib import import_module

    environment = import_module(f"pettingzoo.classic.{PETTINGZOO[name]}").env()

    def play(seed: int) -> tuple[int, float]:
        rng = random.Random(seed)
        steps, start = 0, time.process_time()
        environment.reset(seed=seed)
        for _ in environment.agent_iter():
            observation, _, is_terminated, is_truncated, _ = environment.last()
            if is_terminated or is_truncated:
                environment.step(None)
                continue
            environment.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
            steps += 1
        return steps, time.process_time() - start

    return play


def textarena(name: str) -> Match:
    """TextArena's bare environments; observations are read, finding a legal action is not counted."""
    return _textarena(name, f"{TEXTARENA[name]}-raw")


def textarena_wrapped(name: str) -> Match:
    """TextArena's environments as its registry makes them."""
    return _textarena(name, TEXTARENA[name])


def _textarena(name: str, environment_id: str) -> Match:
    import textarena

    if name == "chess" and sys.version_info < (3, 12):
        _compile_chess()
    environment = textarena.make(environment_id)

    def play(seed: int) -> tuple[int, float]:
        rng = random.Random(seed)
        start = time.process_time()
        environment.reset(num_players=2, seed=seed)
        steps, seconds, is_done = 0, time.process_time() - start, False
        while not is_done:
            start = time.process_time()
            environment.get_observation()
            seconds += time.process_time() - start
            action = rng.choice(_legal(name, environment))
            start = time.process_time()
            is_done, _ = environment.step(action)
            seconds += time.process_time() - start
            steps += 1
        return steps, seconds

    return play


def _compile_chess() -> None:
    """TextArena's chess uses an f-string that only Python 3.12 can read; put a variable in its place."""
    import importlib.util
    import types

    name = "textarena.envs.Chess.env"
    package = importlib.util.find_spec("textarena")
    assert package
    assert package.origin
    source = (Path(package.origin).parent / "envs/Chess/env.py").read_text()
    lines = [_plain_format(line) if "if self.show_valid: message+=" in line else line for line in source.splitlines()]
    module = types.ModuleType(name)
    exec(compile("\n".join(lines), name, "exec"), module.__dict__)
    sys.modules[name] = module


def _plain_format(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    moves = "', '.join('[' + move.uci() + ']' for move in self.state.game_state['board'].legal_moves)"
    return f"{indent}if self.show_valid: message += '\\nValid moves: ' + {moves}"


def _legal(name: str, environment: Any) -> list[str]:
    game_state = environment.state.game_state
    match name:
        case "tic-tac-toe":
            cells = [cell for row in game_state["board"] for cell in row]
            return [f"[{i}]" for i, cell in enumerate(cells) if cell == ""]
        case "connect-four":
            return [f"[col {column}]" for column, cell in enumerate(game_state["board"][0]) if cell == "."]
        case "kuhn-poker":
            tree = game_state["current_legal_action_tree"]
            return [f"[{action}]" for action in tree]
        case _:
            return [f"[{move.uci()}]" for move in game_state["board"].legal_moves]


PEERS: dict[str, tuple[Callable[[str], Match], Mapping[str, str]]] = {
    "openspiel": (openspiel, OPENSPIEL),
    "state": (state, OPENSPIEL),
    "journal": (journal, OPENSPIEL),
    "referee": (referee, OPENSPIEL),
    "pettingzoo": (pettingzoo, PETTINGZOO),
    "textarena": (textarena, TEXTARENA),
    "textarena wrapped": (textarena_wrapped, TEXTARENA),
}


def measure(name: str, seconds: float, peers: Collection[str]) -> dict[str, Meter]:
    """Steps and episodes per CPU second of every peer that has the game."""
    players = {peer: make(name) for peer, (make, games) in PEERS.items() if name in games and peer in peers}
    meters = {peer: Meter() for peer in players}
    for play in players.values():
        play(0)
    seed = 0
    while min(meter.seconds for meter in meters.values()) < seconds:
        for peer, play in players.items():
            if meters[peer].seconds > seconds:
                continue
            gc.collect()
            gc.freeze()  # what one peer leaves in memory does not slow down the next one's collector
            slice_end = meters[peer].seconds + seconds / 4
            while meters[peer].seconds < slice_end:
                seed += 1
                meters[peer].add(*play(seed))
    return meters


def main() -> int:
    """Measure, print a Markdown table, and say which goals are met; the exit status is 1 if one is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds per peer and game")
    parser.add_argument("--games", default=",".join(OPENSPIEL))
    parser.add_argument("--peers", default=",".join(PEERS), help="openspiel and journal at least")
    options = parser.parse_args()
    games, peers = options.games.split(","), options.peers.split(",")
    meters = {name: measure(name, options.seconds, peers) for name in games}
    rates = {name: {peer: meter.rate for peer, meter in found.items()} for name, found in meters.items()}
    versions = {peer: version(dist) for peer, dist in _DISTS.items()}
    print("Steps per CPU second (" + ", ".join(f"{dist} {versions[peer]}" for peer, dist in _DISTS.items()) + ")\n")
    ratios = tuple(f"{one} / {other}" for one, other in RATIOS)
    print("| game | " + " | ".join((*PEERS, *ratios)) + " |")
    print("|---" * (len(PEERS) + len(RATIOS) + 1) + "|")
    for name in games:
        found = rates[name]
        cells = [f"{found[peer]:,.0f}" if peer in found else "-" for peer in PEERS]
        cells += [f"{found[a] / found[b]:.2f}" if a in found and b in found else "-" for a, b in RATIOS]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("\nEnvironments: " + "; ".join(f"{k} = {PETTINGZOO.get(k, '-')}, {TEXTARENA[k]}(-raw)" for k in games))
    missed = 0
    for peer, other, bounds in GOALS:
        for name in games:
            if name in bounds and {peer, other} <= set(rates[name]):
                ratio, goal = rates[name][peer] / rates[name][other], bounds[name]
                missed += ratio < goal
                print(f"{'met' if ratio >= goal else 'MISSED'}: {name}: {peer} {ratio:.2f} x {other}, goal {goal:g}")
    for name in games:
        if name in PUBLISHED:
            (theirs, raw), own = PUBLISHED[name], meters[name]
            share, goal = own["journal"].pace / own["openspiel"].pace, TIMES_PUBLISHED * theirs / raw
            missed += share < goal
            print(
                f"{'met' if share >= goal else 'MISSED'}: {name}: {own['journal'].pace:,.0f} episodes per second, "
                f"{share:.4f} x openspiel's {own['openspiel'].pace:,.0f}, goal {goal:.4f}: "
                f"{share / (theirs / raw):,.0f} times the share of Board Game Arena's loop"
            )
    return 1 if missed else 0


_DISTS = {"openspiel": "open-spiel", "pettingzoo": "pettingzoo", "textarena": "textarena"}

if __name__ == "__main__":
    sys.exit(main())
