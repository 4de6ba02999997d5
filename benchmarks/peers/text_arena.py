"""TextArena's games, played at random."""

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from peers.meters import Match

GAMES = {"tic-tac-toe": "TicTacToe-v0", "connect-four": "ConnectFour-v0", "chess": "Chess-v0"}


def matches(suffix: str, *, is_kept: bool) -> Callable[[str], Match]:
    """TextArena's environments of one kind, made for each match or kept for all; observations are read."""

    def ready(name: str) -> Match:
        import textarena

        if name == "chess" and sys.version_info < (3, 12):
            _compile_chess()
        kept = textarena.make(GAMES[name] + suffix) if is_kept else None

        def play(seed: int) -> tuple[int, float]:
            rng = random.Random(seed)
            start = time.process_time()
            environment = textarena.make(GAMES[name] + suffix) if kept is None else kept
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
            start = time.process_time()
            environment.close()
            return steps, seconds + time.process_time() - start

        return play

    return ready


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
        case _:
            return [f"[{move.uci()}]" for move in game_state["board"].legal_moves]
