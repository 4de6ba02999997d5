"""Shows on standard error how far a run has got: a live line at a terminal, elsewhere a plain line now and then."""

import sys
from collections.abc import Callable, Sequence

import attrs
from arena.backend import Completion
from arena.hookspecs import Observer, hookimpl
from arena.record import Event, MatchPlan, MatchRecord

from arena_observer_progress.displays import Display, LiveLine, PlainLines
from arena_observer_progress.tally import Tally, WaitingBatches


@attrs.frozen
class Progress(Observer):
    """Shows matches, their rate, illegal answers, tokens, money, the time left and who is ahead; reads hooks alone."""

    plain: bool = attrs.field(default=False, metadata={"help": "lines even where there is a terminal"})

    def start(self) -> "Watcher":
        return Watcher(PlainLines if self.plain or not sys.stderr.isatty() else LiveLine)


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
        self._display.update(tally)

    @hookimpl
    def completion_retried(self) -> None:
        """Count a request that is sent again after a wait."""
        self.tally.retries += 1

    @hookimpl
    def batches_changed(self, backend: str, requests: int, since: float | None, until: float | None) -> None:
        """Note how many requests wait in batches, since when and until when."""
        self.tally.batched.pop(backend, None)
        if since is not None and until is not None:
            self.tally.batched[backend] = WaitingBatches(requests, since, until)
        self._display.update(self.tally)

    @hookimpl
    def match_finished(self, record: MatchRecord) -> None:
        """Count a match that is over, and who is ahead."""
        self.tally.finished += 1
        self.tally.failed += not record.ending.is_result
        if record.ending.is_result:
            self.tally.standings.add(record)
        self._display.update(self.tally)

    @hookimpl
    def run_finished(self, stopped: str | None) -> None:
        """Show the final state, and why the run stopped early if it did."""
        self.close(stopped)

    def close(self, stopped: str | None = None) -> None:
        """Stop the display, however the run ended; may be called twice."""
        self._display.stop(self.tally, stopped and _printable(stopped))


def _printable(text: str) -> str:
    """The text with a sign for each character that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
