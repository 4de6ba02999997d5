"""What it takes to solve connect four by number of discs, and to play perfectly; and how strong the gomoku engine is.

    python benchmarks/solvers.py [--positions 0] [--matches 20] [--gomoku 40] [--write]

*Scores* (``--positions 10`` prints them, which takes minutes): CPU seconds until all columns of a random position have
their exact score, each with an empty memory. Positions are those of random play in which nobody has won. *Perfect
play*: matches against random play, seconds for each move of the perfect agent, goal: at most one second on average.
*Gomoku*: matches of the engine against win-else-block-else-random from either seat, goals: at least 95 % won, at most
one second for a move.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from random import Random

from arena_agent_grid.columns import COLUMN, COLUMNS, at_once, closing, landing
from arena_agent_grid.connect_four import ConnectFour
from arena_agent_grid.gomoku import Search, SearchLimits
from arena_agent_grid.positions import GridPosition
from arena_agent_grid.win_or_block import wanted
from arena_game_grid.game import Gomoku
from ratios.rows import Row, limited
from ratios.script import run

NODES = 10**9
GOAL_S = 1.0


def drawn(discs: int, rng: Random) -> tuple[int, int]:
    """A random position with so many discs in which nobody has won."""
    while True:
        own = taken = 0
        for _ in range(discs):
            move = rng.choice([m for m in (landing(taken) & column for column in COLUMN) if m])
            if closing(own, taken) & move:
                break
            own, taken = own ^ taken, taken | move
        else:
            return own, taken


def scores(positions: int) -> None:
    """One line for each number of discs."""
    print("discs  mean s   max s")
    for discs in (0, 4, 8, 11, 12, 13, 14, 15, 16, 18, 20, 24, 28, 32, 36):
        taken: list[float] = []
        for seed in range(positions):
            position = drawn(discs, Random(100 * discs + seed))
            search, start = ConnectFour(NODES), time.process_time()
            search.scores(*position)
            taken.append(time.process_time() - start)
        print(f"{discs:5}  {statistics.mean(taken):7.3f} {max(taken):7.3f}", flush=True)


def perfect(matches: int) -> Iterator[Row]:
    """Perfect play against random play from either seat in turns."""
    seconds: list[float] = []
    won = 0
    for seed in range(matches):
        rng, search = Random(seed), ConnectFour(NODES)
        own = taken = 0
        while True:
            is_ours = taken.bit_count() % 2 == seed % 2
            columns = [c for c in range(COLUMNS) if landing(taken) & COLUMN[c]]
            if is_ours:
                start = time.process_time()
                found = search.scores(own, taken)
                seconds.append(time.process_time() - start)
                columns = [c for c in columns if found[c] == max(found.values())]
            move = landing(taken) & COLUMN[rng.choice(columns)]
            if closing(own, taken) & move:
                won += is_ours
                break
            own, taken = own ^ taken, taken | move
            if at_once(taken.bit_count()) == 0:
                break
    note = f"longest {max(seconds):.2f} s, n = {len(seconds)}"
    yield limited("perfect play of connect four, a move", statistics.mean(seconds), GOAL_S, "CPU s", note)
    yield won_of("perfect play against random play", won, matches, 1)


def won_of(name: str, won: int, matches: int, share: float) -> Row:
    """How many matches were won, of those that are to be won at least."""
    note, goal = f"{won} of {matches}", share * matches
    return Row(
        name=f"{name}, matches won of {goal:g}",
        ratios=(won / goal,),
        goal=1,
        is_more_better=True,
        against="limit",
        note=note,
    )


def gomoku(matches: int) -> Iterator[Row]:
    """The engine from either seat."""
    board = Gomoku().board
    for seat in (0, 1):
        won, seconds = 0, list[float]()
        for seed in range(matches):
            rng = Random(2 * seed + seat)
            stones, turn = [0, 0], 0
            while turn < board.cells:
                player = turn % 2
                if player == seat:
                    start = time.process_time()
                    _, cells = Search(board, (stones[0], stones[1]), player, SearchLimits()).best()
                    seconds.append(time.process_time() - start)
                else:
                    _, cells = wanted(GridPosition(board, (stones[0], stones[1]), lambda cell: cell), misere=False)
                cell = rng.choice(cells)
                stones[player] |= 1 << cell
                turn += 1
                if any(stones[player] & line == line for line, _ in board.lines[cell]):
                    won += player == seat
                    break
        note = f"longest {max(seconds):.2f} s, n = {len(seconds)}"
        yield limited(f"gomoku engine in seat {seat + 1}, a move", statistics.mean(seconds), GOAL_S, "CPU s", note)
        yield won_of(f"gomoku engine in seat {seat + 1} against win-else-block-else-random", won, matches, 0.95)


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Print what positions take by their discs, and hold moves and matches won against their goals."""
    yield from perfect(options.matches)
    yield from gomoku(options.gomoku)
    if options.positions:
        scores(options.positions)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--gomoku", type=int, default=40)


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments, has_quick=False))
