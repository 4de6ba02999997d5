"""Lets what players are shown change, while runs that have begun go on as they began."""

from collections.abc import Callable
from typing import Any, Final

import attrs

VERSION: Final = "version"
"""The key in an attrs field's metadata that makes it the version of what it belongs to."""


def version_field(newest: int | Callable[[Any], int], *, about: str = "") -> Any:
    """Declare the version of a game's rules and words: a parameter from 1 to ``newest``, which is its default.

    Raise ``newest`` whenever a rule or a word that players see changes, and keep what the earlier versions say. A run's
    journal has the version that was the newest when the run was created, and one that has none means 1, so that a run
    goes on by the rules that it began with. Results of different versions are never added up. ::

        @attrs.frozen(kw_only=True)
        class Chess(Game):
            version: int = version_field(2)

    ``newest`` may be a function of the object, which must then have all its other parameters. Settings of other
    plugins declare their versions in the same way.
    """

    def check(made: Any, _: Any, value: int) -> None:
        last = newest(made) if callable(newest) else newest
        if not 1 <= value <= last:
            known = f"a version from 1 to {last}" if last > 1 else "1, the only version"
            raise ValueError(f"expected {known}, got {value}")

    told = about or "the version of rules and words; a run keeps the one that was the newest when it was created"
    default = attrs.Factory(newest, takes_self=True) if callable(newest) else newest
    return attrs.field(default=default, validator=check, kw_only=True, metadata={"help": told, VERSION: True})
