"""Where the engine's program is found: on the path, or among the games of Debian."""

import shutil
from pathlib import Path
from typing import Final

from arena.errors import ConfigError

ALSO: Final = "/usr/games"
"""Debian installs Stockfish here, which is not on everybody's path."""


def find_program(program: str) -> str:
    """The absolute path of a program by its name or path; ``ConfigError`` says what to install if there is none."""
    found = shutil.which(str(Path(program).expanduser())) or shutil.which(program, path=ALSO)
    if found is None:
        raise ConfigError(f"program: {missing(program)}")
    return str(Path(found).absolute())


def missing(program: str) -> str:
    """What to say of a program that is not there."""
    return (
        f"unavailable: there is no program {program!r} on the path or in {ALSO}; install one that speaks UCI "
        "(apt install stockfish, brew install stockfish), or name another in 'program'"
    )
