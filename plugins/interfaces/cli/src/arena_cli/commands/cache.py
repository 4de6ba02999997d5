"""The command ``arena cache``: lists what is kept in the user's cache folder, and removes it."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs
import click
from arena.errors import ArenaError, ConfigError, did_you_mean
from arena_engine import cache_folder
from arena_engine.references import KeptReference, kept_references

from arena_cli.application.group import Command
from arena_cli.output import OutputColumn, count, duration, result, result_json, status, table, terminal_of

REFERENCES: Final = "references"
"""The folder of what random play earns; it is the one that is removed unless others are named."""

SHOWN: Final = 12
"""The most games that are listed one by one; ``--full`` lists all."""

_MEANINGS: Final = {
    REFERENCES: "random matches of games, which reports compare with",
    "equilibria": "equilibria that were computed",
    "models": "models that were fetched",
    "measured": "what metrics that take long measured in runs",
    "finished": "which runs are finished, so that resuming them ends at once",
    "web": "tables and figures of runs that were opened in a browser",
    "answers": "answers of models that runs share; they may have cost money",
}


@attrs.frozen
class _Kept:
    """One folder of the cache: how many files it has, and how many bytes they take."""

    name: str
    files: int
    size: int


@click.command(cls=Command)
@click.argument("action", type=click.Choice(["list", "clear"]), default="list")
@click.argument("what", nargs=-1)
@click.option("--full", is_flag=True, help="List every game.")
@click.option("--json", "is_json", is_flag=True, help="One object with everything that is kept.")
def cache(action: str, what: tuple[str, ...], full: bool, is_json: bool) -> None:
    """List what is kept between runs, or remove it.

    What random play earns in a game is found out once and kept, in the user's cache folder ($XDG_CACHE_HOME/arena, or
    ~/.cache/arena); models that were fetched, equilibria that were computed and tables of runs that were opened in a
    browser lie there too. Everything can be had again: nothing that a run has recorded is here.

    `arena cache clear` removes the random references, `arena cache clear models equilibria` what is named.
    """
    folder = cache_folder()
    if folder is None:
        raise ConfigError("there is no home folder, so nothing is kept; set XDG_CACHE_HOME to keep something")
    kept = list(_kept(folder))
    if action == "clear":
        _clear(folder, kept, what or (REFERENCES,), is_default=not what)
        return
    if what:
        raise click.UsageError(f"arena cache takes no {what[0]!r}; write `arena cache clear {what[0]}` to remove it")
    references = list(kept_references())
    if is_json:
        result_json(_as_json(folder, kept, references))
        return
    if not kept:
        result(f"nothing is kept in {folder}")
        return
    terminal = terminal_of(sys.stdout)
    result([f"{folder} · {_size(sum(each.size for each in kept))}", ""])
    columns = (
        OutputColumn(title="what"),
        OutputColumn(title="files", align="right"),
        OutputColumn(title="size", align="right"),
        OutputColumn(title="", keep=1, wraps=True),
    )
    rows = [(each.name, count(each.files), _size(each.size), _MEANINGS.get(each.name, "")) for each in kept]
    result(table(columns, rows, terminal, more=""))
    if references:
        result(["", *_games(references, full=full)])
    result(["", "remove the references: arena cache clear · anything else: arena cache clear NAME"])


def _games(references: Sequence[KeptReference], *, full: bool) -> Iterator[str]:
    columns = (
        OutputColumn(title="game", shortens=True),
        OutputColumn(title="players", align="right"),
        OutputColumn(title="random matches", align="right"),
        OutputColumn(title="took", align="right", keep=1),
    )
    shown = references if full else references[:SHOWN]
    rows = [(e.game, count(e.players), count(len(e.playouts.played)), duration(e.playouts.seconds)) for e in shown]
    yield from table(columns, rows, terminal_of(sys.stdout), more="")
    if len(shown) < len(references):
        yield f"  {count(len(references) - len(shown))} more: --full"


def _clear(folder: Path, kept: Sequence[_Kept], what: Sequence[str], *, is_default: bool) -> None:
    known = {each.name: each for each in kept}
    for name in what:
        if name not in known and not (is_default or name in _MEANINGS):
            raise ConfigError(f"arena cache clear: nothing called {name!r} is kept{did_you_mean(name, known)}")
    removed = [known[name] for name in dict.fromkeys(what) if name in known]
    for each in removed:
        try:
            shutil.rmtree(folder / each.name)
        except OSError as error:
            raise ArenaError(
                f"{folder / each.name}: cannot be removed ({error.strerror}); remove it by hand"
            ) from error
        files = "1 file" if each.files == 1 else f"{count(each.files)} files"
        status(f"removed {each.name}: {files}, {_size(each.size)}")
    if not removed:
        status(f"no {' or '.join(what)} are kept; nothing was removed")


def _kept(folder: Path) -> Iterator[_Kept]:
    """The folders of the cache, by name; links are none, since what they lead to is not the cache's."""
    places = sorted(folder.iterdir()) if folder.is_dir() else []
    for place in places:
        if place.is_dir() and not place.is_symlink():
            sizes = [path.lstat().st_size for path in place.rglob("*") if path.is_file() or path.is_symlink()]
            yield _Kept(place.name, len(sizes), sum(sizes))


def _as_json(folder: Path, kept: Sequence[_Kept], references: Sequence[KeptReference]) -> dict[str, object]:
    return {
        "folder": str(folder),
        "kept": [{"name": each.name, "files": each.files, "bytes": each.size} for each in kept],
        "references": [
            {
                "game": each.game,
                "players": each.players,
                "matches": len(each.playouts.played),
                "seconds": each.playouts.seconds,
                "digest": each.digest,
            }
            for each in references
        ],
    }


def _size(size: int) -> str:
    """A number of bytes in the unit that leaves it shortest: ``52 kB``."""
    value, units = float(size), ["B", "kB", "MB", "GB"]
    while value >= 1000 and len(units) > 1:
        value, units = value / 1000, units[1:]
    return f"{value:.0f} {units[0]}"
