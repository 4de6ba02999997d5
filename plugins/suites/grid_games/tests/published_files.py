"""Writes files in the likeness of those that LLM-Game-Benchmark publishes, of games that uniform random play made."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from arena.chance import Chance
from arena_suite_grid_games.games import GAME, MOVES
from arena_suite_grid_games.imported_run import GAMES

LIMITS = {"tic-tac-toe": 3, "connect-four": 7, "gomoku": 15}
"""The refusals after which one more disqualifies, as in the original's code."""

COLUMNS = (
    *("GameType", "PromptType", "PromptVersion", "LLM1stPlayer", "LLM2ndPlayer", "WinRatio-1st", "WinRatio-2nd"),
    *("Wins-1st", "Wins-2nd", "Disqualifications-1st", "Disqualifications-2nd", "Draws", "InvalidMovesRatio-1st"),
    *("InvalidMovesRatio-2nd", "TotalMoves-1st", "TotalMoves-2nd", "ProviderEmail", "DateTime", "UUID"),
)


def write(directory: Path, game: str, form: str, pairs: Sequence[tuple[str, str]], *, repeats: int = 5) -> list[Path]:
    """Write the four bulk files of one game and form into ``directory``; return their paths.

    Every third game of the first pair ends in a network error, and a move is repeated now and then, which is refused.
    """
    rng = Random(f"{game}/{form}")
    games = [_game(game, form, pair, number, place, rng) for place, (pair, number) in _numbered(pairs, repeats)]
    stem = f"{game}_{form}_240617-110645_all"
    paths = [directory / f"{stem}{end}" for end in (".csv", "_moves.csv", "_moves.json", "_submission.json")]
    _csv(paths[0], GAME, [row for row, _ in games])
    _csv(paths[1], MOVES, [_move_row(row, move, n) for row, moves in games for n, move in enumerate(moves, 1)])
    paths[2].write_text(json.dumps({f"Moves_{_stem(row)}": moves for row, moves in games}, indent="\t"))
    paths[3].write_text(json.dumps([_submission([r for r, _ in games if _pair(r) == pair]) for pair in pairs]))
    return paths


def _numbered(pairs, repeats):
    return enumerate((pair, number) for pair in pairs for number in range(1, repeats + 1))


def _pair(row):
    return row["Player1"], row["Player2"]


def _stem(row):
    return "_".join(str(row[name]) for name in ("GameType", "PromptType", "Player1", "Player2", "Result", "DateTime"))


def _game(game, form, pair, number, place, rng):
    moves, result = _played(game, rng)
    if number % 3 == 0 and pair == ("one", "two"):
        moves, result = [], "networkerror"
    counts = Counter((move["Player"], move["Outcome"]) for move in moves)
    own = [sum(n for (player, _), n in counts.items() if player == p) for p in (1, 2)]
    won = {"winner1st": 0, "winner2nd": 1}.get(result)
    kinds = ("Already Taken", "Invalid Format", "Out of Bounds")
    values = (
        *(f"session-{game}-{form}-{'-'.join(pair)}", _moment(place), game, form, "2024-06-12", number, *pair, result),
        *(9, len(moves), *own, *(own[p] if won == p else 0 for p in (0, 1))),
        *(counts[p, kind] for kind in kinds for p in (1, 2)),
    )
    return dict(zip(GAME, values, strict=True)), moves


def _moment(place):
    minutes, seconds = divmod(place * 11, 60)
    hours, minutes = divmod(minutes, 60)
    return f"240617-{hours % 24:02}{minutes:02}{seconds:02}"


def _played(game, rng):
    rules = GAMES[game][1]
    state, moves, refused = rules.start(Chance(0), 2)[0], [], Counter()
    while acting := state.to_act():
        player = acting[0]
        action = rng.choice(rules.board.actions)
        illegal = state.check(player, action)
        told = rng.random() < 0.05
        move = {"MoveNumber": -1, "Player": player + 1, "Row": -1, "Column": -1}
        if told:
            moves.append(move | {"Outcome": "Invalid Format", "CurrentStatus": "", "Response": "I pass"})
        elif illegal is not None:
            row = action.get("row", -1)
            outcome = {"Row": row, "Column": action["column"], "Outcome": "Already Taken"}
            moves.append(move | outcome | {"CurrentStatus": "", "Response": str(action)})
        else:
            (happened,) = state.apply({player: action})
            outcome = {"Row": happened.data["row"], "Column": happened.data["column"], "Outcome": "Valid"}
            moves.append(move | outcome | {"CurrentStatus": "", "Response": str(action)})
            continue
        refused[player] += 1
        if refused[player] > LIMITS[game]:
            return moves, f"disqualified{('1st', '2nd')[player]}"
    first, second = state.returns()
    return moves, "draw" if first == second else f"winner{('1st', '2nd')[second > first]}"


def _move_row(row, move, number):
    told = (number, *(move[name] for name in ("Player", "Row", "Column", "Outcome", "CurrentStatus", "Response")), "")
    return row | dict(zip(MOVES[len(GAME) :], told, strict=True))


def _submission(own):
    results = Counter(row["Result"] for row in own)
    kinds = ("winner1st", "winner2nd", "disqualified1st", "disqualified2nd", "draw")
    counts = [results[kind] for kind in kinds]
    kept = [row for row in own if row["Result"] != "networkerror"]
    moves = [sum(row[f"Player{p}Moves"] for row in kept) for p in (1, 2)]
    invalid = [sum(row[f"Player{p}{k}"] for row in kept for k in _KINDS) for p in (1, 2)]
    last = own[-1]
    values = (
        *(last[name] for name in ("GameType", "PromptType", "PromptVersion", "Player1", "Player2")),
        *(counts[p] / max(sum(counts), 1) for p in (0, 1)),
        *counts,
        *(i / max(m, 1) for i, m in zip(invalid, moves, strict=True)),
        *moves,
        *("a@example.org", last["DateTime"], last["UUID"]),
    )
    return dict(zip(COLUMNS, map(str, values), strict=True))


_KINDS = ("InvalidAlreadyTaken", "InvalidFormat", "OutOfBounds")


def _csv(path, columns, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
