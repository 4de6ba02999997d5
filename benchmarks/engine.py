"""How fast games are played at random: Arena beside OpenSpiel, PettingZoo and TextArena, each as its own users run it.

    python benchmarks/engine.py [--rounds 5] [--seconds 0.4] [--games tic-tac-toe,chess] [--quick] [--write]

What is compared are steps (one player's action) per CPU second, over whole matches from reset to end. The peers take
turns, so that all meet the same machine; a ratio is that of one round. What is counted:

- *journal*: ``arena run FILE -q``, the journal on the disk and ``metrics: [outcomes, illegal-actions]``, less the same
  with two matches, in processes of its own; finding a legal action is counted. *state*: Arena's rules alone in this
  process: ``to_act``, ``decision``, ``sample``, ``check``, ``apply``.
- OpenSpiel: ``legal_actions``, a uniform choice and ``apply_action``; a game is loaded once and makes a state a match.
- PettingZoo: ``reset``, ``last`` (which reads the observation) and ``step``. An environment is made once and reset for
  each match, as its users do; ``reset`` clears it.
- TextArena: ``make``, ``reset``, ``get_observation``, ``step`` and ``close``; finding a legal action is not. An
  environment is made for each match, as its own examples do. *bare* (``-raw``) and *default* are what its registry has;
  the default one writes the conversation into each observation.

A TextArena environment that is *kept* and reset for each match is misuse: ``reset`` does not clear what a default one
has observed, so each match drags along all matches before it. It is shown against TextArena itself, made for each
match; Arena is not compared with it. Nor with its Kuhn poker, of which a match has several hands there and one in Arena
and in OpenSpiel. TextArena and PettingZoo write an observation before each action; Arena's ``random`` looks at none,
so none is written for it. A match of TextArena's chess ends after 100 actions. One line of it needs Python 3.12, and is
rewritten for 3.11.

*matches × OpenSpiel* has as its goal a thousand times the share of OpenSpiel's speed that Board Game Arena's own loop
reaches by its published figures (4.6 of 174,000, 2.2 of 52,000 and 9.4 of 182,000 random matches a second, on one
machine; that loop is not run here).
"""

import argparse
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from statistics import median

from peers import own, text_arena
from peers.meters import Match, Meter
from ratios.rounds import in_turns
from ratios.rows import Row, over
from ratios.script import run

OPENSPIEL = {"tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four", "kuhn-poker": "kuhn_poker", "chess": "chess"}
PETTINGZOO = {"tic-tac-toe": "tictactoe_v3", "connect-four": "connect_four_v3", "chess": "chess_v6"}
REPEATS = {"tic-tac-toe": 5_000, "connect-four": 2_000, "kuhn-poker": 5_000, "chess": 120}
"""Half of how many matches the command plays in a round: one to two seconds of them."""

STATE_GOAL = 0.25
BARE_GOALS = {"tic-tac-toe": 1.0, "connect-four": 1.0, "chess": 8.0}
DEFAULT_GOALS = {"tic-tac-toe": 1.5, "connect-four": 1.8, "chess": 16.0}
PUBLISHED = {"tic-tac-toe": 4.6 / 174_000, "connect-four": 2.2 / 52_000, "kuhn-poker": 9.4 / 182_000}
TIMES_PUBLISHED = 1_000


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
    "OpenSpiel": (openspiel, OPENSPIEL),
    "state": (own.state, OPENSPIEL),
    "PettingZoo": (pettingzoo, PETTINGZOO),
    "TextArena bare": (text_arena.matches("-raw", is_kept=False), text_arena.GAMES),
    "TextArena default": (text_arena.matches("", is_kept=False), text_arena.GAMES),
    "TextArena bare, kept": (text_arena.matches("-raw", is_kept=True), text_arena.GAMES),
    "TextArena default, kept": (text_arena.matches("", is_kept=True), text_arena.GAMES),
}


def measured(name: str, options: argparse.Namespace) -> Mapping[str, list[Meter]]:
    """What each who has the game does in each round, in ``--seconds`` of CPU or a little more; and the command."""
    meters: dict[str, list[Meter]] = {}
    repeats = REPEATS[name] // (10 if options.quick else 1)

    def whole(peer: str, play: Match, seconds: float) -> Callable[[], float]:
        seeds = iter(range(1, 10**9))
        meters[peer] = []

        def work() -> float:
            gc.collect()
            gc.freeze()  # what one peer leaves in memory does not slow down the next one's collector
            meter = Meter()
            while meter.seconds < seconds:
                meter.add(*play(next(seeds)))
            meters[peer].append(meter)
            return meter.rate

        return work

    players = {peer: ready(name) for peer, (ready, games) in PEERS.items() if name in games}
    for play in players.values():
        play(0)
    works = {peer: whole(peer, play, options.seconds) for peer, play in players.items()}
    in_turns({"journal": whole("journal", own.command(name, repeats), 0.01), **works}, options.rounds, is_warm=True)
    return meters


def rows(name: str, meters: Mapping[str, list[Meter]]) -> Iterator[Row]:
    """The ratios of one game."""

    def compared(one: str, other: str, **more: object) -> Row:
        ours, theirs = ([meter.rate for meter in meters[each]] for each in (one, other))
        note = f"{median(ours):,.0f} and {median(theirs):,.0f} steps a CPU second"
        return Row(name=f"{name}, {one} × {other}", ratios=over(ours, theirs), is_more_better=True, note=note, **more)

    yield compared("state", "OpenSpiel", goal=STATE_GOAL)
    if name in PUBLISHED:
        ours, theirs = ([meter.pace for meter in meters[each]] for each in ("journal", "OpenSpiel"))
        yield Row(
            name=f"{name}, matches with journal × OpenSpiel",
            ratios=over(ours, theirs),
            is_more_better=True,
            goal=float(f"{TIMES_PUBLISHED * PUBLISHED[name]:.3g}"),
            note=f"{median(ours):,.0f} and {median(theirs):,.0f} matches a CPU second",
        )
    if name in PETTINGZOO:
        yield compared("journal", "PettingZoo")
    if name in text_arena.GAMES:
        yield compared("journal", "TextArena bare", goal=BARE_GOALS[name])
        yield compared("journal", "TextArena default", goal=DEFAULT_GOALS[name])
        yield compared("TextArena bare, kept", "TextArena bare", against="nothing")
        yield compared("TextArena default, kept", "TextArena default", against="nothing")


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """The rows of each game that is asked for, with its peers in turns."""
    if options.quick:
        options.seconds, options.games = 0.1, "tic-tac-toe"
    for name in options.games.split(","):
        yield from rows(name, measured(name, options))


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--seconds", type=float, default=0.4, help="CPU seconds per peer, game and round")
    parser.add_argument("--games", default=",".join(OPENSPIEL))


if __name__ == "__main__":
    dists = ("open-spiel", "pettingzoo", "textarena")
    sys.exit(run(__doc__, measure, dists=dists, arguments=arguments))
