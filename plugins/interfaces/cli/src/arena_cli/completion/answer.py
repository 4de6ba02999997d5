"""Answers a shell that completes a command line; quick, since it imports neither click nor any plugin."""

import os
import re
import shlex
import sys
from collections.abc import Iterable
from typing import Final

from arena_cli.completion.candidates import Candidate, candidates
from arena_cli.completion.index import current_index

VARIABLE: Final = "_ARENA_COMPLETE"
"""The environment variable with which a shell says that it completes, and which one it is."""

LINE: Final = "_ARENA_LINE"
"""The environment variable that holds the command line up to the cursor."""

_BREAKS: Final = re.compile(r".*[:=]")
"""What bash takes for a word of its own, and does not replace."""


def answer(shell: str, line: str) -> None:
    """Print what may stand at the end of ``line``, one candidate a line; nothing if anything goes wrong."""
    words, begun = split(line)
    found = candidates(current_index(), words, begun)
    sys.stdout.write("".join(f"{text}\n" for text in written(found, shell, begun)))


def split(line: str) -> tuple[list[str], str]:
    """The words behind the program's name that are complete, and the one that is begun."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(reader)
    except ValueError:  # a quotation mark is open
        words.append(reader.token)
    is_begun = bool(line) and not line[-1].isspace() and len(words) > 1
    return (words[1:-1], words[-1]) if is_begun else (words[1:], "")


def written(found: Iterable[Candidate], shell: str, begun: str) -> Iterable[str]:
    """Candidates as the scripts of the shells read them: fields with tabs between."""
    cut = len(match[0]) if shell == "bash" and (match := _BREAKS.match(begun)) else 0
    for each in found:
        if each.is_file:
            yield "file"
        else:
            yield f"plain\t{each.value[cut:]}\t{each.help.splitlines()[0] if each.help else ''}"


def main() -> None:
    """Answer the shell that the environment names."""
    shell = os.environ[VARIABLE].partition("_")[0]
    try:
        answer(shell, os.environ.get(LINE, ""))
    except Exception:  # a completion that fails must not print into the line that somebody types
        if os.environ.get("ARENA_DEBUG_COMPLETION"):
            raise
