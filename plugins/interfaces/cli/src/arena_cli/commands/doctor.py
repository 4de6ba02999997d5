"""The command ``arena doctor``: looks at what Arena needs of this machine; sends nothing anywhere."""

import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

import attrs
import click
from arena.catalog import Catalog, Status
from arena.errors import ArenaError
from arena.installing import full_name, install_line
from arena_engine import make_plugin
from arena_engine.foundation import COMMAND, PACKAGE, foreign_owners, is_own_command, remedy

from arena_cli.application.first_party import index
from arena_cli.application.group import FAILED, Command
from arena_cli.application.options import catalog_of
from arena_cli.application.run_path import RUNS
from arena_cli.output import OutputColumn, result, result_json, table, terminal_of

OK: Final = "ok"
NOTE: Final = "note"
PROBLEM: Final = "problem"

OLDEST_PYTHON: Final = (3, 11)
_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]*_(API_KEY|TOKEN)")
_NAMED: Final = 6
"""The most names that a line lists."""


@attrs.frozen
class Examined:
    """One line: ``status`` is ``ok``, ``note`` or ``problem``; ``said`` is how it is, ``remedy`` what to do, if any."""

    status: str
    what: str
    said: str
    remedy: str = ""


@runtime_checkable
class KnowsObstacles(Protocol):
    """A backend that says of itself why it could not answer."""

    def obstacles(self) -> Iterable[str]:
        """The reasons why no request would be answered, one sentence each; none if all is well."""
        ...


def examined(catalog: Catalog) -> Iterator[Examined]:
    """Every line, in the order in which they matter."""
    looks: tuple[Callable[[Catalog], Iterable[Examined]], ...] = (
        _python,
        _versions,
        _owners,
        _plugins,
        _models,
        _folders,
        _terminal,
        _keys,
    )
    for look in looks:
        yield from look(catalog)


def _python(_: Catalog) -> Iterator[Examined]:
    said = f"Python {platform.python_version()} at {sys.executable}"
    if sys.version_info >= OLDEST_PYTHON:
        yield Examined(OK, "python", said)
    else:
        yield Examined(PROBLEM, "python", said, f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer")


def _versions(_: Catalog) -> Iterator[Examined]:
    found: dict[str, list[str]] = {}
    for name in index():
        try:
            found.setdefault(version(name), []).append(name)
        except PackageNotFoundError:
            continue
    core = version(full_name("core"))
    number = sum(map(len, found.values()))
    if len(found) == 1:
        yield Examined(OK, "versions", f"{number} distributions of Arena, all {core}")
        return
    others = [f"{name} {other}" for other, names in found.items() if other != core for name in names]
    yield Examined(
        PROBLEM,
        "versions",
        f"{full_name('core')} is {core}, but {_listed(others)}",
        install_line(*(each.split()[0] for each in others[:_NAMED]), is_upgrade=True),
    )


def _owners(_: Catalog) -> Iterator[Examined]:
    """Other distributions that bring a package or a command ``arena``, which may replace ours or has."""
    for what, line, is_ours in (("package", PACKAGE, True), ("command", COMMAND, is_own_command())):
        owners = foreign_owners(line)
        if not is_ours:
            whose = f"that of {_listed(owners)}" if owners else "somebody else's"
            yield Examined(PROBLEM, f"{what} arena", f"it is {whose}, not Arena's", remedy(owners))
        elif owners:
            said = f"{_listed(owners)} has one too, which installers write over Arena's, and remove"
            yield Examined(NOTE, f"{what} arena", said, remedy(owners))


def _plugins(catalog: Catalog) -> Iterator[Examined]:
    entries = [*catalog.entries()]
    usable = sum(entry.status is Status.OK for entry in entries)
    yield Examined(OK, "plugins", f"{usable} of {len(entries)} can be used")
    for entry in entries:
        if entry.status in (Status.UNAVAILABLE, Status.DISABLED):
            yield Examined(NOTE, f"{entry.kind} {entry.name}", entry.reason, entry.remedy)
        elif entry.status is not Status.OK:
            yield Examined(PROBLEM, f"{entry.kind} {entry.name}", f"{entry.status}: {entry.reason}", entry.remedy)


def _models(catalog: Catalog) -> Iterator[Examined]:
    """The backends that can be made with their defaults have a model of their own; is it there?"""
    found = False
    for entry in catalog.entries("backend"):
        if entry.status is not Status.OK:
            continue
        try:
            backend = make_plugin("backend", entry.name, catalog)
        except ArenaError:  # it asks a model that only a benchmark can name
            continue
        found = True
        if not isinstance(backend, KnowsObstacles):
            continue
        try:
            obstacles = [*backend.obstacles()]
        except Exception as error:  # the backend is a plugin
            obstacles = [f"cannot be checked ({type(error).__name__}: {error})"]
        model = getattr(backend, "model", "")
        for obstacle in obstacles:
            yield Examined(PROBLEM, f"backend {entry.name}", obstacle)
        if not obstacles:
            yield Examined(OK, f"backend {entry.name}", f"its model {model} is here" if model else "it can answer")
    if not found:
        said = "no installed backend brings a model along"
        yield Examined(NOTE, "model", said, install_line(full_name("backend-llamacpp")))


def _folders(_: Catalog) -> Iterator[Examined]:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arena"
    for what, folder, advice in (
        ("runs", RUNS, "make it writable, or give every run an --output"),
        ("cache", cache, "make it writable, or set XDG_CACHE_HOME"),
    ):
        there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())
        try:
            with tempfile.TemporaryFile(dir=there):
                yield Examined(OK, what, f"{folder} can be written")
        except OSError as error:
            yield Examined(PROBLEM, what, f"{there} cannot be written ({error.strerror})", advice)


def _terminal(_: Catalog) -> Iterator[Examined]:
    terminal = terminal_of(sys.stdout)
    where = "a terminal" if terminal.is_terminal else "no terminal"
    signs = "signs beyond ASCII" if terminal.is_unicode else "ASCII only"
    said = f"{where}, {terminal.width} columns, {'colours' if terminal.has_colour else 'no colours'}, {signs}"
    advice = "" if terminal.is_unicode else "set LC_ALL=C.UTF-8 for boards drawn with lines"
    yield Examined(OK if terminal.is_unicode else NOTE, "terminal", said, advice)


def _keys(_: Catalog) -> Iterator[Examined]:
    names = sorted(name for name, value in os.environ.items() if value and _KEY.fullmatch(name))
    yield Examined(OK, "keys", f"set: {_listed(names)}" if names else "none is set; only hosted models need one")


def _listed(names: Iterable[str]) -> str:
    given = [*names]
    more = len(given) - _NAMED
    return ", ".join(given[:_NAMED]) + (f" and {more} more" if more > 0 else "")


_COLUMNS = (OutputColumn(title=""), OutputColumn(title="what"), OutputColumn(title="how it is", wraps=True))


@click.command(cls=Command)
@click.option("--json", "is_json", is_flag=True, help="One object with every line.")
@click.pass_context
def doctor(ctx: click.Context, is_json: bool) -> None:
    """Look whether everything here is as Arena needs it, and say what to do if not.

    Looked at are Python, the versions of Arena's distributions, plugins, the models that come with backends, folders
    that must be written to, the terminal, and which keys are set (their names only). Nothing is sent anywhere. A line
    is ok, a note on something that may be missed, or a problem; with a problem the exit code is 1.
    """
    found = [*examined(catalog_of(ctx))]
    is_well = not any(each.status == PROBLEM for each in found)
    if is_json:
        result_json({"passed": is_well, "lines": [attrs.asdict(each) for each in found]})
    else:
        rows = [(e.status, e.what, f"{e.said}; {e.remedy}" if e.remedy else e.said) for e in found]
        result(table(_COLUMNS, rows, terminal_of(sys.stdout), indent=0, more=""))
    if not is_well:
        ctx.exit(FAILED)
