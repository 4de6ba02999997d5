"""How far a run is, on standard error: a live line at a terminal, a plain line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import attrs

from arena.backend import Completion
from arena.hookspecs import Observer, hookimpl
from arena.record import Event, MatchPlan, MatchRecord

STEPS = 10
"""Plain lines tell of every tenth of the matches."""

SILENCE_S = 30.0
"""After so many seconds without a plain line the next event is told, so that long matches show a sign of life."""


@attrs.frozen
class Progress(Observer):
    """Shows matches, turns, refused actions, tokens, money and the time left; reads hooks and nothing else."""

    plain: bool = attrs.field(default=False, metadata={"help": "lines even where there is a terminal"})

    def watch(self) -> "Watcher":
        """Count one run."""
        return Watcher(Lines if self.plain or not sys.stderr.isatty() else Bar)


@attrs.define
class Tally:
    """What has happened since this attempt began; ``earlier`` matches were finished by others."""

    planned: int = 0
    earlier: int = 0
    finished: int = 0
    failed: int = 0
    turns: int = 0
    refused: int = 0
    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    retries: int = 0

    @property
    def done(self) -> int:
        """Matches that are over."""
        return self.earlier + self.finished

    def left_s(self, elapsed_s: float) -> float | None:
        """Seconds to the end at the pace so far."""
        return elapsed_s / self.finished * (self.planned - self.done) if self.finished else None

    def facts(self) -> str:
        """The numbers as one line."""
        parts = [f"{self.turns:,} turns", f"{self.refused:,} illegal"]
        if self.calls:
            parts.append(f"{self.tokens:,} tokens in {self.calls:,} calls")
        if self.cached:
            parts.append(f"{self.cached:,} calls from the cache")
        if self.calls > self.unpriced:
            parts.append(f"${self.cost_usd:.4f}" + (" and more" if self.unpriced else ""))
        if self.retries:
            parts.append(f"{self.retries:,} retries")
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        return " · ".join(parts)


class Display(Protocol):
    """Where a tally is shown."""

    def start(self, name: str, tally: Tally) -> None:
        """Begin to show."""
        ...

    def update(self, tally: Tally) -> None:
        """Show what has changed; called often."""
        ...

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Show the end; may come twice."""
        ...


class Watcher:
    """Hears one run."""

    def __init__(self, display: Callable[[], Display]) -> None:
        self.tally = Tally()
        self._display = display()

    @hookimpl
    def run_started(self, name: str, plans: Sequence[MatchPlan], done: int) -> None:
        """Begin."""
        self.tally.planned, self.tally.earlier = len(plans), done
        self._display.start(name, self.tally)

    @hookimpl
    def actions_applied(self, events: Sequence[Event]) -> None:
        """Count turns."""
        self.tally.turns += sum(1 for e in events if e.source == "referee" and e.kind == "played")
        self._display.update(self.tally)

    @hookimpl
    def action_refused(self) -> None:
        """Count what was not played."""
        self.tally.refused += 1

    @hookimpl
    def completion_received(self, completion: Completion, is_replayed: bool, is_cached: bool) -> None:
        """Count what was asked and paid in this attempt."""
        if is_replayed:
            return
        tally = self.tally
        if is_cached:
            tally.cached += 1
            return
        tally.calls += 1
        tally.tokens += completion.usage.prompt_tokens + completion.usage.completion_tokens
        tally.cost_usd += completion.cost_usd or 0.0
        tally.unpriced += completion.cost_usd is None
        self._display.update(tally)

    @hookimpl
    def completion_retried(self) -> None:
        """Count waits."""
        self.tally.retries += 1

    @hookimpl
    def match_finished(self, record: MatchRecord) -> None:
        """Count matches."""
        self.tally.finished += 1
        self.tally.failed += not record.ending.is_result
        self._display.update(self.tally)

    @hookimpl
    def run_finished(self, stopped: str | None) -> None:
        """Show the end."""
        self.close(stopped)

    def close(self, stopped: str | None = None) -> None:
        """Give the terminal back, however the run ended."""
        self._display.stop(self.tally, stopped)


class Lines:
    """A line for every tenth of the matches, and one after a long silence."""

    def __init__(self) -> None:
        self._started = self._told = time.monotonic()
        self._step = 0
        self._is_over = False

    def start(self, name: str, tally: Tally) -> None:
        """Say what is played."""
        earlier = f", {tally.earlier:,} of them finished before" if tally.earlier else ""
        self._say(f"{name}: {tally.planned:,} matches{earlier}")
        self._step = self._step_of(tally)

    def update(self, tally: Tally) -> None:
        """Say how far it is where that is worth a line."""
        now, step = time.monotonic(), self._step_of(tally)
        if step == self._step and now - self._told < SILENCE_S:
            return
        self._step, self._told = step, now
        left = tally.left_s(now - self._started)
        ahead = f" · {_duration(left)} left" if left else ""
        self._say(f"{tally.done:,}/{tally.planned:,} matches · {tally.facts()}{ahead}")

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Say why it ended early."""
        if stopped and not self._is_over:
            self._say(f"stopped at {tally.done:,}/{tally.planned:,} matches · {tally.facts()} · {stopped}")
        self._is_over = True

    @staticmethod
    def _step_of(tally: Tally) -> int:
        return STEPS * tally.done // tally.planned if tally.planned else STEPS

    @staticmethod
    def _say(text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


class Bar:
    """One live line at the bottom of a terminal."""

    def __init__(self) -> None:
        # Imported here because most runs of scripts have no terminal.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Live

        columns: list[Any] = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()]
        columns += [TextColumn("{task.fields[facts]}", markup=False), TimeRemainingColumn()]
        self._live = Live(*columns, console=Console(stderr=True), refresh_per_second=4)

    def start(self, name: str, tally: Tally) -> None:
        """Take the line."""
        self._live.add_task(name, total=tally.planned, completed=tally.done, facts="")
        self._live.start()

    def update(self, tally: Tally) -> None:
        """Note the numbers; they are drawn a few times a second."""
        task = self._live.tasks[0]
        if task.completed == tally.done:
            task.fields["facts"] = tally.facts()
        else:
            self._live.update(task.id, completed=tally.done, facts=tally.facts())

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Leave the last state standing."""
        for task in self._live.tasks:
            self._live.update(task.id, completed=tally.done, facts=tally.facts() + (f" · {stopped}" if stopped else ""))
        self._live.stop()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
