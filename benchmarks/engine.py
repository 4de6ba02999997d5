"""How fast games are played at random: Arena beside OpenSpiel, PettingZoo and TextArena, each as its own users run it.

    python benchmarks/engine.py [--rounds 5] [--seconds 1] [--games tic-tac-toe,chess] [--peers openspiel,journal]
                                [--write]

Every number is steps (one player's action) per CPU second of this process, over whole matches from reset to end. The
peers take turns, so that all meet the same machine; a ratio is that of one round, and the median of the rounds is given
with the least and the greatest. ``--write`` puts what is printed into ``docs/performance.md``. What is counted:

- OpenSpiel: ``legal_actions``, a uniform choice and ``apply_action``; a game is loaded once and makes a state a match.
- Arena's *state*: ``to_act``, ``decision``, ``sample``, ``check``, ``apply``. *journal*: whole matches with two
  ``random`` agents as a run plays them, with the journal on (SQLite, synchronous). *referee*: the same and, what a run
  leaves to its report, the measurements of ``outcomes`` and ``illegal-actions``.
- PettingZoo: ``reset``, ``last`` (which reads the observation) and ``step``. An environment is made once and reset for
  each match, as its users do; ``reset`` clears it.
- TextArena: ``make``, ``reset``, ``get_observation``, ``step`` and ``close``; finding a legal action is not. *fresh* is
  an environment made for each match, as its users do. *bare* (``-raw``) and *default* are what its registry has; the
  default one writes the conversation into each observation. *kept* is one environment, reset for each match. ``reset``
  does not clear what a default one has observed: each match drags along all matches before it, and the rate says little
  but how many those were. It is shown, and Arena is not compared with it. Nor is Kuhn poker, of which a match has three
  hands there and one in Arena.

``-`` means that the peer has no such game. TextArena and PettingZoo write an observation before each action; Arena's
``random`` looks at none, so none is written for it.
"""

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from random_play import text_arena
from random_play.meters import Match, Meter, Rounds
from random_play.tables import report, write

OPENSPIEL = {"tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four", "kuhn-poker": "kuhn_poker", "chess": "chess"}
PETTINGZOO = {"tic-tac-toe": "tictactoe_v3", "connect-four": "connect_four_v3", "chess": "chess_v6"}


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
    from arena.catalog import Catalog
    from arena.hookspecs import hookimpl
    from arena.metric import FinishedMatch, Metric
    from arena.record import MatchRecord
    from arena_engine import build_benchmark
    from arena_engine.running.runner import create_run, play_run

    catalog = Catalog()
    repeats = 40 if name == "chess" else 1_500

    class Watcher:
        """Measures each match as it ends, and counts the actions played."""

        def __init__(self, metrics: Iterable[Metric]) -> None:
            self.metrics = tuple(metrics)
            self.steps = 0

        @hookimpl
        def match_finished(self, record: MatchRecord) -> None:
            self.steps += record.steps  # these games are played in turns: one action a step
            for metric in self.metrics:
                list(metric.measure(FinishedMatch(record, None)))

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
            benchmark = build_benchmark(plain, catalog)
            with create_run(benchmark, Path(directory) / "run") as store:
                watcher = Watcher(benchmark.metrics.values())
                outcome = asyncio.run(play_run(store, benchmark, {"watcher": watcher}, _give_up))
                spent = time.process_time() - began
            if outcome.failed or outcome.finished != repeats * 2:
                sys.exit(f"matches failed: {outcome.failed}")
            return watcher.steps, spent, outcome.finished

    return play


def _give_up(name: str, hook: str, error: Exception) -> None:
    sys.exit(f"{name} broke in {hook}: {error}")


def pettingzoo(name: str) -> Match:
    """PettingZoo's classic environments, made once and reset for each match; observations are read."""
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


PEERS: dict[str, tuple[Callable[[str], Match], Mapping[str, str]]] = {
    "openspiel": (openspiel, OPENSPIEL),
    "state": (state, OPENSPIEL),
    "journal": (journal, OPENSPIEL),
    "referee": (referee, OPENSPIEL),
    "pettingzoo": (pettingzoo, PETTINGZOO),
    "textarena-bare-fresh": (text_arena.matches("-raw", is_kept=False), text_arena.GAMES),
    "textarena-bare-kept": (text_arena.matches("-raw", is_kept=True), text_arena.GAMES),
    "textarena-default-fresh": (text_arena.matches("", is_kept=False), text_arena.GAMES),
    "textarena-default-kept": (text_arena.matches("", is_kept=True), text_arena.GAMES),
}


def measure(name: str, rounds: int, seconds: float, peers: Collection[str]) -> Rounds:
    """What every peer that has the game does in each round, in ``seconds`` of CPU or a little more."""
    players = {peer: ready(name) for peer, (ready, games) in PEERS.items() if name in games and peer in peers}
    meters: dict[str, list[Meter]] = {peer: [] for peer in players}
    for play in players.values():
        play(0)
    seed = 0
    for _ in range(rounds):
        for peer, play in players.items():
            gc.collect()
            gc.freeze()  # what one peer leaves in memory does not slow down the next one's collector
            meters[peer].append(meter := Meter())
            while meter.seconds < seconds:
                seed += 1
                meter.add(*play(seed))
    return meters


def main() -> int:
    """Measure, print tables in Markdown, and say which goals are met; the exit status is 1 if one is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds per peer, game and round")
    parser.add_argument("--games", default=",".join(OPENSPIEL))
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    options = parser.parse_args()
    peers = options.peers.split(",")
    found = {name: measure(name, options.rounds, options.seconds, peers) for name in options.games.split(",")}
    text, are_met = report(found, options.rounds)
    print(text)
    if options.write:
        write(text)
    return 0 if are_met else 1


if __name__ == "__main__":
    sys.exit(main())
