"""Says how a run was made, so that somebody else can make it again, and how long it took."""

from typing import TYPE_CHECKING, Final, cast

from arena_engine.journal.journal import Journal

if TYPE_CHECKING:
    from arena_report.runs import ReportedRun

COMMAND: Final = "command"
"""The journal's metadata key for the command that played the run, without values that may be secret."""


SECONDS: Final = "seconds"
"""The journal's metadata key for the duration of each attempt, in seconds."""


def played_s(journal: Journal) -> list[float]:
    """Seconds played by each attempt at a run; attempts whose process was killed are missing."""
    return [float(seconds) for seconds in cast("list[float]", journal.metadata(SECONDS) or [])]


def made_by(run: "ReportedRun") -> str:
    """The command, the seed and the version of Arena: ``arena run three.yaml (seed 3) with arena 0.1.0``."""
    header = run.journal.header
    command = run.journal.metadata(COMMAND)
    what = command if isinstance(command, str) else run.label
    version = next((str(entry.get("version")) for entry in header.provenance if entry.get("kind") == "core"), "")
    return f"{what} (seed {header.seed}) with arena {version or header.core}"
