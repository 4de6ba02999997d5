"""Shows on standard error how far a run has got: a live line at a terminal, elsewhere a plain line now and then."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import attrs
from arena.backend import Completion
from arena.hookspecs import Observer, hookimpl
from arena.record import Event, MatchPlan, MatchRecord

STEPS = 10
"""Plain lines are written after each tenth of the matches."""

SILENCE_S = 30.0
"""After this many seconds without a plain line the next event writes one, so that long matches show progress."""


@attrs.frozen
class Progress(Observer):
    """Shows matches, turns, refused actions, tokens, money and the time left; reads hooks and nothing else."""

    plain: bool = attrs.field(default=False, metadata={"help": "lines even where there is a terminal"})

    def start(self) -> "Watcher":
        return Watcher(PlainLines if self.plain or not sys.stderr.isatty() else Bar)


@attrs.define
class Tally:
    """Counts since this attempt at the run began; ``earlier`` matches were finished by earlier attempts."""

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
        """How many matches are over, in this attempt and earlier ones."""
        return self.earlier + self.finished

    def left_s(self, elapsed_s: float) -> float | None:
        """Seconds left if matches go on ending as fast as so far; ``None`` before the first has ended."""
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
    """Shows a tally: ``Bar`` at a terminal, ``PlainLines`` elsewhere."""

    def start(self, name: str, tally: Tally) -> None:
        """Begin to show the run called ``name``."""
        ...

    def update(self, tally: Tally) -> None:
        """Show what has changed; called after every event, so it must be quick."""
        ...

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Show the final state; may be called twice."""
        ...


class Watcher:
    """The hooks of one run: counts its events and updates the display."""

    def __init__(self, display: Callable[[], Display]) -> None:
        self.tally = Tally()
        self._display = display()

    @hookimpl
    def run_started(self, name: str, plans: Sequence[MatchPlan], done: int) -> None:
        """Count the planned matches and start the display."""
        self.tally.planned, self.tally.earlier = len(plans), done
        self._display.start(_printable(name), self.tally)

    @hookimpl
    def actions_applied(self, events: Sequence[Event]) -> None:
        """Count the turns that agents have taken."""
        self.tally.turns += sum(1 for e in events if e.source == "referee" and e.kind == "played")
        self._display.update(self.tally)

    @hookimpl
    def action_refused(self) -> None:
        """Count an answer that was not played."""
        self.tally.refused += 1

    @hookimpl
    def completion_received(self, completion: Completion, is_replayed: bool, is_cached: bool) -> None:
        """Count tokens and cost of this attempt: replayed completions are skipped, cached ones counted apart."""
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
        """Count a request that is sent again after a wait."""
        self.tally.retries += 1

    @hookimpl
    def match_finished(self, record: MatchRecord) -> None:
        """Count a match that is over."""
        self.tally.finished += 1
        self.tally.failed += not record.ending.is_result
        self._display.update(self.tally)

    @hookimpl
    def run_finished(self, stopped: str | None) -> None:
        """Show the final state, and why the run stopped early if it did."""
        self.close(stopped)

    def close(self, stopped: str | None = None) -> None:
        """Stop the display, however the run ended; may be called twice."""
        self._display.stop(self.tally, stopped and _printable(stopped))


class PlainLines:
    """Writes a line after each tenth of the matches, and one after a long silence."""

    def __init__(self) -> None:
        self._started = self._told = time.monotonic()
        self._step = 0
        self._is_over = False

    def start(self, name: str, tally: Tally) -> None:
        """Write what is played: the run's name and the number of matches."""
        earlier = f", {tally.earlier:,} of them finished before" if tally.earlier else ""
        self._say(f"{name}: {tally.planned:,} matches{earlier}")
        self._step = self._step_of(tally)

    def update(self, tally: Tally) -> None:
        """Write a line if a tenth of the matches or a long silence has passed."""
        now, step = time.monotonic(), self._step_of(tally)
        if step == self._step and now - self._told < SILENCE_S:
            return
        self._step, self._told = step, now
        left = tally.left_s(now - self._started)
        ahead = f" · {_duration(left)} left" if left else ""
        self._say(f"{tally.done:,}/{tally.planned:,} matches · {tally.facts()}{ahead}")

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Write why the run ended early, if it did."""
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
    """Draws one live line at the bottom of a terminal."""

    def __init__(self) -> None:
        # Imported here because most runs of scripts have no terminal.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress as Live, TextColumn, TimeRemainingColumn

        columns: list[Any] = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()]
        columns += [TextColumn("{task.fields[facts]}", markup=False), TimeRemainingColumn()]
        self._live = Live(*columns, console=Console(stderr=True), refresh_per_second=4)

    def start(self, name: str, tally: Tally) -> None:
        """Start to draw, at the bottom of the terminal."""
        self._live.add_task(name, total=tally.planned, completed=tally.done, facts="")
        self._live.start()

    def update(self, tally: Tally) -> None:
        """Keep the numbers; they are drawn a few times a second."""
        task = self._live.tasks[0]
        if task.completed == tally.done:
            task.fields["facts"] = tally.facts()
        else:
            self._live.update(task.id, completed=tally.done, facts=tally.facts())

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Stop drawing, and leave the final state on the screen."""
        for task in self._live.tasks:
            self._live.update(task.id, completed=tally.done, facts=tally.facts() + (f" · {stopped}" if stopped else ""))
        self._live.stop()


def _printable(text: str) -> str:
    """The text with a sign for each character that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
