"""Says how far a run is: what is finished, what failed and why, and what is missing."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from arena_engine.journal.reading import JournalReader


@attrs.frozen(kw_only=True)
class RunStatus:
    """The progress of a run. ``stopped`` says why it ended early, or is ``None``; ``failed`` maps matches to reasons.

    ``notes`` are other failures (of metrics and observers); ``warnings`` are problems that changed no result.
    """

    directory: Path
    planned: int
    finished: int
    failed: Mapping[str, str]
    stopped: str | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """The exit status for a shell: 0 done, 1 some matches or judges failed or are missing, 3 stopped early."""
        if self.stopped is not None:
            return 3
        return 1 if self.failed or self.notes or self.finished < self.planned else 0


def status_of(journal: JournalReader, stopped: str | None = None, notes: Iterable[str] = ()) -> RunStatus:
    """The progress of a run, read from its journal."""
    ended = journal.ended()
    failed: dict[str, str] = {}
    if not all(ending.is_result for ending in ended):
        for id_, ending in journal.endings().items():
            if not ending.is_result:
                record = journal.record_of(id_)
                failed[id_] = record.failure.reason if record and record.failure else str(ending)
    return RunStatus(
        directory=journal.directory,
        planned=journal.planned(),
        finished=ended.total() - len(failed),
        failed=failed,
        stopped=stopped,
        notes=tuple(notes),
    )


def lost_matches(journal: JournalReader) -> list[str]:
    """What to say of matches that the executor was given and that have no record."""
    if journal.ended().total() == journal.planned():
        return []
    ended = journal.endings()
    lost = [plan.id for plan in journal.plans() if plan.id not in ended]
    return [f"the executor lost {len(lost)} matches, {lost[0]!r} first; resume the run to play them"] if lost else []
