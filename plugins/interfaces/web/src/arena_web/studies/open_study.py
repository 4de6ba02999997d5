"""A study that participants take part in: where each of them is, and the run in which each plays."""

import asyncio
import os
import shutil
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from arena.errors import ArenaError, ConfigError, JournalError
from arena_engine import Journal, RemoteControl, is_played, write_yaml

from arena_web.foundation.errors import ApiError
from arena_web.foundation.keys import Grant, Keys
from arena_web.held.found_runs import JOURNAL
from arena_web.studies.study_file import Study
from arena_web.studies.study_plan import PARTICIPANT, benchmark_of, order_of
from arena_web.studies.study_store import Participant, StudyStore

Step: TypeAlias = Literal["consent", "before", "matches", "after", "over"]
"""What a participant does next."""

RUNS: Final = "runs"

KEYS: Final = "keys"

ENDS_S: Final = 30.0
"""Seconds within which a process that plays a participant's matches has ended after it was told to."""

_LOOK_S: Final = 0.05


@attrs.frozen(kw_only=True)
class StudyProgress:
    """How many of a participant's matches are over, of how many."""

    done: int
    total: int


@attrs.define(eq=False)
class OpenStudy:
    """A study in its directory: ``study.sqlite``, ``keys``, and a run of each participant who has begun.

    ``trusts`` are the options of ``arena run`` by which its host consents to what the study names.
    """

    study: Study
    directory: Path
    store: StudyStore
    trusts: tuple[str, ...] = ()
    starting: dict[str, asyncio.Lock] = attrs.field(factory=dict[str, asyncio.Lock])
    _headers: dict[str, str] = attrs.field(factory=dict[str, str])

    def participant(self, grant: Grant) -> Participant:
        """The participant of a key; an answer of 401 where everything of theirs was forgotten."""
        try:
            return self.store.get(grant.code)
        except ConfigError as error:
            raise ApiError(401, "key", "this link is not valid any more", "ask for a new one") from error

    def run_of(self, code: str) -> Path:
        """The directory of a participant's run, which need not be there."""
        return run_of(self.directory, code)

    def progress(self, participant: Participant) -> StudyProgress:
        """How far a participant's matches are."""
        order = order_of(self.study, participant.place)
        total = sum(self.study.conditions[name].matches for name in order)
        return StudyProgress(done=len(_over(self.run_of(participant.code))), total=total)

    def step(self, participant: Participant) -> Step:
        """What a participant does next."""
        if participant.consent is None:
            return "consent"
        if self.study.before and "before" not in participant.answers:
            return "before"
        progress = self.progress(participant)
        if progress.done < progress.total:
            return "matches"
        return "after" if self.study.after and "after" not in participant.answers else "over"

    def seat(self, grant: Grant) -> Grant:
        """The seat that a participant's key opens; an answer of 409 before the matches have begun."""
        directory = self.run_of(self.participant(grant).code)
        if not (directory / JOURNAL).is_file():
            raise ApiError(409, "matches", "your matches have not begun", "begin them on the page of the study")
        if grant.code not in self._headers:
            with Journal.open(directory, check=False) as journal:
                self._headers[grant.code] = journal.header.id
        return attrs.evolve(
            grant, right="seat", run=str(directory.resolve()), header=self._headers[grant.code], agent=PARTICIPANT
        )

    def command(self, participant: Participant) -> list[str]:
        """The words of the command that plays a participant's matches: begins them, or goes on."""
        directory = self.run_of(participant.code)
        if (directory / JOURNAL).is_file():
            return ["resume", str(directory)]
        file = _benchmark_file(directory)
        plain = benchmark_of(self.study, order_of(self.study, participant.place), participant.place)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
            opened.write(write_yaml(cast("Any", plain)))
        return ["run", str(file), "--output", str(directory), *self.trusts]


def run_of(directory: Path, code: str) -> Path:
    """The directory of a participant's run in that of a study."""
    return directory / RUNS / code


def forget(directory: Path, code: str) -> None:
    """Remove a participant, the answers, the matches and the link; ``ConfigError`` where there is none."""
    store = StudyStore.of(directory)
    store.get(code)  # what stands in no study leads to no directory
    run = run_of(directory, code)
    keys = Keys(directory / KEYS)
    for grant in keys.lent():
        if grant.code == code:
            keys.end(grant.id)
    _end(run)
    if run.is_dir():
        shutil.rmtree(run)
    _benchmark_file(run).unlink(missing_ok=True)
    store.forget(code)


def new_links(keys: Keys, store: StudyStore, codes: Collection[str], *, is_anew: bool) -> dict[str, str]:
    """Links by code, without the address: of these codes, of all if ``is_anew``, and of those that have none yet.

    They end the ones before. ``ConfigError`` where a code is none of the study.
    """
    for code in codes:
        store.get(code)
    lent = {grant.code: grant for grant in keys.lent() if grant.right == "participant"}
    found: dict[str, str] = {}
    for participant in store.participants():
        code = participant.code
        if code not in lent or is_anew or code in codes:
            if code in lent:
                keys.end(lent[code].id)
            found[code] = f"/study#{keys.make('participant', code=code)}"
    return found


def _end(run: Path) -> None:
    """End the process that plays a run, if one does."""
    until = time.monotonic() + ENDS_S
    while run.is_dir() and is_played(run):
        try:
            RemoteControl(run).stop("everything of this participant is to be forgotten")
        except ArenaError as error:  # it may just end, or only begin
            if time.monotonic() > until:
                raise ConfigError(f"{run}: is being played, and cannot be stopped ({error}); stop it first") from error
        time.sleep(_LOOK_S)
        if time.monotonic() > until:
            raise ConfigError(f"{run}: is still being played; stop it first")


def _benchmark_file(run: Path) -> Path:
    return run.with_name(f"{run.name}.yaml")


def _over(run: Path) -> list[str]:
    """The matches of a run that are over for good."""
    if not (run / JOURNAL).is_file():
        return []
    try:
        with Journal.open(run, check=False) as journal:
            return [id_ for id_, ending in journal.endings().items() if ending.is_final]
    except JournalError:  # it is just being made; what is wrong with it otherwise is said by the command that plays it
        return []
