"""Writes what commands show into the golden files: of all commands, or of those that are named.

    python -m tests.golden_output.renew [COMMAND…]

Read the difference: it is what users see.
"""

import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from tests.golden_output.screens import HERE, Case, screens, written


def main(commands: Collection[str]) -> None:
    """Write the files of the commands, of all without any, and remove those that belong to no case."""
    cases = Case.all()
    known = {case.command for case in cases}
    if unknown := set(commands) - known:
        sys.exit(f"no cases of {', '.join(sorted(unknown))}; there are those of {', '.join(sorted(known))}")
    with tempfile.TemporaryDirectory() as folder:
        runs, scratch = Path(folder, "runs"), Path(folder, "scratch")
        runs.mkdir()
        scratch.mkdir()
        for case in cases:
            if not commands or case.command in commands:
                case.path.write_text(written(screens(case, runs, scratch)), "utf-8")
    for stale in {*HERE.glob("*/*.txt")} - {case.path for case in cases}:
        stale.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
