"""What a run does, or why it cannot be read, in a word and a sentence."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

import attrs
from arena.errors import ArenaError, JournalError
from arena.record import Ending
from arena_engine import ControlAddress, ControlState, Journal, RemoteControl, UnknownSchema, is_played

from arena_web.foundation.errors import ApiError
from arena_web.held.found_runs import FoundRun

# fmt: off
StateWord: TypeAlias = Literal[
    "running", "waiting", "paused", "stopped", "finished", "planned", "damaged", "unknown", "elsewhere"
]
# fmt: on
"""What a run does, in a word."""

UNREADABLE: Final = frozenset(("damaged", "unknown", "elsewhere"))
"""The words for runs of which nothing can be shown."""

HELD: Final = frozenset(("running", "waiting", "paused"))
"""The words for runs that a process plays."""

BUDGETS: Final = ("budget-usd", "budget-tokens", "budget-calls")
"""The limits that may be raised when a run goes on."""

_ANSWER_S: Final = 1.0
"""Seconds that the process which plays a run has to say what it does."""


@attrs.frozen(kw_only=True)
class RunState:
    """What a run does in a word and a sentence, and how far it is."""

    word: StateWord
    words: str
    done: int = 0
    planned: int = 0
    ended: Counter[Ending] = attrs.field(factory=Counter[Ending])
    control: ControlState | None = None

    @property
    def no_holding(self) -> str:
        """Why the run cannot be held although it is being played, in a sentence; empty where it can."""
        return self.words if self.word in HELD and self.control is None else ""

    @property
    def no_resume(self) -> str:
        """Why the run cannot be resumed, in a sentence; empty where it can."""
        if self.word == "finished" and all(ending.is_final for ending in +self.ended):
            return "every match has a result; none is left to play"
        return self.no_extending

    @property
    def no_extending(self) -> str:
        """Why no matches can be added to the run, in a sentence; empty where they can."""
        if self.word in HELD:
            return "it is being played"
        return self.words if self.word in UNREADABLE else ""


@contextmanager
def open_run(run: FoundRun) -> Generator[Journal]:
    """Open a run's journal to read; an answer of 409 says why it cannot be read."""
    address = ControlAddress.of(run.directory)
    if address is not None and not address.is_here:
        raise _unreadable(run, _elsewhere(address, run.directory))
    try:
        journal = Journal.open(run.directory, check=False)
    except JournalError as error:
        raise _unreadable(run, _state_of(error)) from error
    with journal:
        yield journal


def state_of(run: FoundRun) -> RunState:
    """What a run does, whether or not it can be read."""
    address = ControlAddress.of(run.directory)
    if address is not None and not address.is_here:
        return _elsewhere(address, run.directory)
    try:
        with Journal.open(run.directory, check=False) as journal:
            return state_of_open(run, journal)
    except JournalError as error:
        return _state_of(error)


def state_of_open(run: FoundRun, journal: Journal) -> RunState:
    """What a run does whose journal is open."""
    ended = journal.ended()
    done, planned = ended.total(), journal.planned()
    control = control_state(run.directory)
    word, words = _playing(control) if control or is_played(run.directory) else _resting(ended, done, planned, run)
    return RunState(word=word, words=words, done=done, planned=planned, ended=ended, control=control)


def control_state(directory: Path, timeout_s: float = _ANSWER_S) -> ControlState | None:
    """What the process that plays a run says of it; ``None`` where nobody plays it, or it does not answer."""
    if ControlAddress.of(directory) is None:
        return None
    try:
        found = RemoteControl(directory, timeout_s=timeout_s).state
    except ArenaError:
        return None
    return found if found.is_playing else None


def _playing(control: ControlState | None) -> tuple[StateWord, str]:
    if control is None:
        return "running", "being played; it cannot be held from here, since its process does not answer"
    if control.is_paused:
        return "paused", "paused; nothing new is asked"
    if control.waiting and len(control.waiting) >= len(control.playing):
        count = len(control.waiting)
        return "waiting", f"waits for {count} {'person' if count == 1 else 'people'}"
    return "running", "being played"


def _resting(ended: Counter[Ending], done: int, planned: int, run: FoundRun) -> tuple[StateWord, str]:
    failed = sum(count for ending, count in ended.items() if not ending.is_result)
    told = f"; {failed:,} without a result" if failed else ""
    if done >= planned:
        return "finished", f"all {planned:,} matches are played{told}"
    if not done:
        return "planned", f"none of {planned:,} matches is played yet; `arena resume {run.directory}`"
    return "stopped", f"{done:,} of {planned:,} matches are played{told}; `arena resume {run.directory}` goes on"


def _elsewhere(address: ControlAddress, directory: Path) -> RunState:
    words = (
        f"played on {address.machine!r}, and its journal can be read there alone while it is; run `arena view` there "
        f"with --no-open and come to it with `ssh -L 8765:127.0.0.1:8765 {address.machine}`"
    )
    return RunState(word="elsewhere", words=words)


def _state_of(error: JournalError) -> RunState:
    word = "unknown" if isinstance(error, UnknownSchema) else "damaged"
    return RunState(word=word, words=str(error))


def _unreadable(run: FoundRun, state: RunState) -> ApiError:
    return ApiError(409, run.name, state.words)
