"""Finds what somebody probably meant who called a command that there is not."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from shlex import join
from typing import Final

from arena.catalog import Catalog
from arena.plugin import KINDS
from arena_engine.benchmark.documents import PREFIX

_FLAGS: Final = ("help", "version")
"""Options of ``arena`` that other programs have as commands."""

_CLOSE: Final = 0.8
"""How alike two words are, from 0 to 1, of which one is a slip of the other."""


def suggested(words: Sequence[str], commands: Sequence[str], catalog: Catalog) -> str:
    """The whole line that was probably meant by ``words``, of which the first is no command; empty if none is close.

    Looked at are, in this order, slips, kinds of plugins, files and runs, commands that are like it, and plugins.
    """
    for look in (_slip, _flag, _kind, _file, _command, _plugin):
        if found := look(words, commands, catalog):
            return join(["arena", *found])
    return ""


def _slip(words: Sequence[str], commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    close = get_close_matches(words[0], commands, 1, _CLOSE)
    return [close[0], *words[1:]] if close else ()


def _command(words: Sequence[str], commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    word, *rest = words
    close = [command for command in commands if word in command.split("-")] or get_close_matches(word, commands, 1)
    return [close[0], *rest] if len(close) == 1 else ()


def _flag(words: Sequence[str], _commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    return [*words[1:2], f"--{words[0]}"] if words[0] in _FLAGS else ()


def _kind(words: Sequence[str], _commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    kind = next((each for each in (words[0], words[0].removesuffix("s")) if each in KINDS), "")
    if not kind:
        return ()
    return ["describe", kind, words[1]] if len(words) > 1 else ["list-plugins", "--kind", kind]


def _file(words: Sequence[str], _commands: Sequence[str], _catalog: Catalog) -> Sequence[str]:
    path = Path(words[0])
    if words[0].startswith(PREFIX) or (path.is_file() and path.suffix in (".yaml", ".yml")):
        return ["run", *words]
    return ["report", *words] if (path / "journal.sqlite").is_file() else ()


def _plugin(words: Sequence[str], _commands: Sequence[str], catalog: Catalog) -> Sequence[str]:
    word, *rest = words
    made: dict[str, Callable[[str], Sequence[str]]] = {
        "game": lambda name: ["play", name, *rest],
        "suite": lambda name: ["run", f"{PREFIX}{name}", *rest],
    }
    for kind in KINDS:
        if close := get_close_matches(word, catalog.names(kind), 1, _CLOSE):
            return made.get(kind, lambda name: ["describe", name])(close[0])
    return ()
