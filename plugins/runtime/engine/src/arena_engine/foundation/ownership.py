"""Looks whether the package and the command ``arena`` are ours; imports nothing of that package.

Other distributions bring a package or a command of that name, too. Installers write the one over the other without a
word, and remove both when one is uninstalled.
"""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.metadata import Distribution

PACKAGE: Final = r'(?m)^"?arena(/__init__)?\.py"?,'
"""A line of a distribution's list of files that brings the package ``arena``."""

COMMAND: Final = r'(?m)^"?[^\n,]*\b(bin|Scripts)/arena(\.exe|-script\.py)?"?,'
"""A line of a distribution's list of files that brings the command ``arena``."""

_PROGRAM: Final = "arena_cli:main"
_OURS: Final = b"arena.installing"


@cache
def check_core() -> None:
    """Raise ``ImportError`` if the package ``arena`` is not ours: it says whose it is and what to type.

    Where all is well, one small file is read and nothing is imported.
    """
    try:
        spec = find_spec("arena")
    except ValueError:  # somebody made the module by hand
        return
    try:
        is_ours = spec is not None and spec.origin is not None and _OURS in Path(spec.origin).read_bytes()
    except OSError:  # it is in no file, as in an archive
        return
    if not is_ours:
        raise ImportError(_told(), name="arena")


def foreign_owners(line: str) -> Sequence[str]:
    """The names of the other installed distributions that list such a file: ``PACKAGE`` or ``COMMAND``."""
    from importlib.metadata import distributions

    ours = {_core(), *_own_commands()}
    return sorted({each.name for each in distributions() if each.name not in ours and _lists(each, line)})


def is_own_command() -> bool:
    """Whether the script ``arena`` of this environment is ours, or there is none."""
    script = Path(sys.executable).parent / "arena"
    return not script.is_file() or _PROGRAM.partition(":")[0].encode() in script.read_bytes()


def remedy(owners: Sequence[str]) -> str:
    """The line that removes those distributions and restores ours."""
    installing = _installing()
    if installing is None:
        return f"uninstall {', '.join([*owners, ''])}and install {_core()} again"
    away = [installing.uninstall_line(owner) for owner in owners]
    return " && ".join([*away, installing.install_line(_core(), *_own_commands(), is_repair=True)])


def _told() -> str:
    owners = foreign_owners(PACKAGE)
    if owners:
        return f"the package arena is that of {' and '.join(owners)}, not that of {_core()}; run `{remedy(owners)}`"
    return f"the package arena is not whole, as if another one of that name had been uninstalled; run `{remedy(())}`"


def _lists(dist: "Distribution", line: str) -> bool:
    import re

    return re.search(line, dist.read_text("RECORD") or "") is not None


def _core() -> str:
    installing = _installing()
    return installing.full_name("core") if installing else "Arena's core"


def _own_commands() -> Sequence[str]:
    """The distributions that declare the command ``arena`` as ours."""
    from importlib.metadata import entry_points

    found = entry_points(group="console_scripts", name="arena")
    return sorted({each.dist.name for each in found if each.dist and each.value == _PROGRAM})


def _installing() -> ModuleType | None:
    """The module ``arena.installing``, read by its path: the package that it is in may be somebody else's."""
    for place in sys.path:
        file = Path(place or ".") / "arena" / "installing.py"
        if file.is_file() and (spec := spec_from_file_location("arena_engine._installing", file)) and spec.loader:
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    return None
