"""What ``arena play`` says without a game: which there are, for how many players, and what to type."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from arena.catalog import Catalog, Status
from arena.errors import ArenaError
from arena.game import Game

from arena_cli.output import Terminal, paragraph


def games_to_play(catalog: Catalog, terminal: Terminal) -> list[str]:
    """The installed games by their numbers of players, and the lines with which a match begins."""
    by_players: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    others: list[str] = []
    for entry in catalog.entries("game"):
        if entry.status is not Status.OK:
            continue
        counts = _player_counts(entry.load, entry.plugin.preset if entry.plugin else {})
        (by_players[counts] if counts else others).append(entry.name)
    several = [counts for counts in by_players if counts != (1,)]
    shown = [(said_players(counts), by_players[counts]) for counts in sorted(several)]
    shown += [("1", by_players[(1,)])] if (1,) in by_players else []
    shown += [("with -p", others)] if others else []
    width = max(7, *(len(players) for players, _ in shown)) if shown else 7
    names = [name for _, named in shown for name in named]
    game = next((name for name in ("tic-tac-toe", *names) if name in names), "GAME")
    examples = {
        f"arena play {game}": "against the strongest agent that fits",
        f"arena play {game} --against random": "against an agent or a model",
        f"arena play {game} --seat 2": "as the second player",
        f"arena describe {game}": "what it is (-p NAME=VALUE: parameters)",
    }
    longest = max(map(len, examples))
    return [
        f"{'players':{width}}  games",
        *(line for players, named in shown for line in _row(players, named, width, terminal)),
        "",
        *(f"{line:{longest}}  {what}" for line, what in examples.items()),
    ]


def said_players(counts: Sequence[int]) -> str:
    """Numbers of players in words: ``2``, ``2–5``, ``2, 4``."""
    if len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}\N{EN DASH}{counts[-1]}"
    return ", ".join(map(str, counts))


def _row(players: str, names: Sequence[str], width: int, terminal: Terminal) -> Iterator[str]:
    lines = paragraph(", ".join(names), terminal, indent=width + 2)
    for at, line in enumerate(lines):
        yield f"{players:{width}}  {line.strip()}" if at == 0 else line


def _player_counts(load: Callable[[], Any], preset: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers of players of a game with its own parameters; none if it cannot do without others."""
    with suppress(ArenaError, TypeError, ValueError):
        made: Any = load()(**preset)
        if isinstance(made, Game):
            return tuple(made.player_counts())
    return ()
