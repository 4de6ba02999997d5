"""Requests that are asked in batches: what is one batch, what is asked again, and what the journal keeps meanwhile."""

import asyncio
import itertools
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import ClassVar

import attrs
import pytest
from arena.backend import BATCH, Backend, Completion, CompletionRequest, Connection, Message, Usage
from arena.errors import (
    BackendError,
    BackendOverloaded,
    PluginError,
    QuotaExhausted,
    RequestRejected,
    StopRun,
    TransientBackendError,
)
from arena.hookspecs import hookimpl
from arena_engine.execution import journaled_run
from arena_engine.execution.journaled_run import JournaledRun
from arena_engine.job.bus import Bus
from arena_engine.job.context import AgentStopped, RunContext
from arena_engine.job.executor import Limits
from arena_engine.journal.journal import Journal
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call
from arena_engine.match.simulation import InMemoryRun
from arena_engine.models.batches import POLLS_OF_A_QUEUE, BatchConnection
from arena_engine.models.pool import BackendPool
from arena_engine.models.request_text import hashed_request_text

from .virtual_time import play_through


@attrs.define(eq=False)
class Provider:
    """Computes batches in so many seconds; what ``says`` makes of a text is its answer, ``None`` leaves it out.

    ``taking`` is called with the number of each batch before it is taken, and ``taken`` afterwards: both may raise.
    """

    seconds: float = 100.0
    says: Callable[[str, int], str | None] = lambda text, batch: f"{text}!"
    taking: Callable[[int], None] = lambda number: None
    taken: Callable[[int], None] = lambda number: None
    whole: Callable[[int], BackendError | None] = lambda number: None
    tries: int = 0
    looked_at: asyncio.Event = attrs.field(factory=asyncio.Event)
    batches: dict[str, tuple[str, float, dict[str, str]]] = attrs.field(factory=dict)

    @property
    def texts(self) -> list[list[str]]:
        return [list(lines.values()) for _, _, lines in self.batches.values()]


class Sockets(Connection):
    """A connection to a provider of batches."""

    most_lines = 3
    most_bytes = 1_000

    def __init__(self, provider: Provider) -> None:
        self.provider = provider

    async def complete(self, request: CompletionRequest) -> Completion:
        raise AssertionError("asked alone")

    async def send_batch(self, name: str, lines: Mapping[str, CompletionRequest]) -> str:
        provider = self.provider
        provider.tries += 1
        provider.taking(provider.tries)
        id_ = f"b{len(provider.batches)}"
        ends = asyncio.get_running_loop().time() + provider.seconds
        provider.batches[id_] = name, ends, {line: each.messages[-1].text for line, each in lines.items()}
        provider.taken(provider.tries)
        return id_

    async def find_batch(
        self, name: str, began: datetime, lines: Collection[str], known: Collection[str]
    ) -> str | None:
        return next((id_ for id_, (own, _, _) in self.provider.batches.items() if own == name), None)

    async def batch_result(self, batch: str) -> Mapping[str, bytes] | BackendError | None:
        self.provider.looked_at.set()
        _, ends, lines = self.provider.batches[batch]
        if asyncio.get_running_loop().time() < ends:
            return None
        number = int(batch[1:])
        if error := self.provider.whole(number):
            return error
        found = {line: self.provider.says(text, number) for line, text in lines.items()}
        return {line: text.encode() for line, text in found.items() if text is not None}

    async def line_answer(self, name: str, line: bytes, request: CompletionRequest) -> Completion:
        return Completion(text=line.decode(), usage=Usage(prompt_tokens=7, completion_tokens=3))


@attrs.frozen(kw_only=True)
class Batches(Backend):
    """A backend that asks in batches."""

    capabilities: ClassVar[frozenset[str]] = frozenset({BATCH})
    provider: Provider
    batch: bool = True
    batch_collect_s: float = 10.0
    batch_poll_s: float = 30.0

    async def connect(self) -> Connection:
        return Sockets(self.provider)


def ask(text: str) -> CompletionRequest:
    return CompletionRequest(messages=(Message.of("user", text),))


_numbers = itertools.count()


def call(scope: str = "") -> Call:
    return Call("m", scope or f"0/{next(_numbers)}/0/0", prompt_tokens=100, completion_tokens=50, cost_usd=0.5)


async def answers(pool: BackendPool, backend: Backend, *texts: str) -> list[str]:
    asked = (pool.complete(backend, ask(text), call()) for text in texts)
    return [counted.completion.text for counted in await asyncio.gather(*asked)]


def test_what_is_asked_within_the_time_is_one_batch():
    """Requests of ten seconds are one batch, those of later another, and those that are too many for one are two."""
    provider = Provider()
    backend = Batches(provider=provider, concurrency=1, requests_per_minute=1, request_timeout_s=40)

    async def play() -> list[str]:
        pool = BackendPool(InMemoryRun())

        async def later() -> list[str]:
            await asyncio.sleep(9)
            return await answers(pool, backend, "b")

        async def latest() -> list[str]:
            await asyncio.sleep(15)
            return await answers(pool, backend, "c", "d", "e", "f")

        found = await asyncio.gather(answers(pool, backend, "a"), later(), latest())
        return [text for each in found for text in each]

    assert play_through(play()) == ["a!", "b!", "c!", "d!", "e!", "f!"]
    assert provider.texts == [["a", "b"], ["c", "d", "e"], ["f"]]


def test_only_what_is_missing_is_asked_again():
    """A line that a batch leaves out is asked in the next one, alone."""
    provider = Provider(says=lambda text, batch: None if (text, batch) == ("b", 0) else f"{text}!")

    async def play() -> list[str]:
        return await answers(BackendPool(InMemoryRun()), Batches(provider=provider), "a", "b", "c")

    assert play_through(play()) == ["a!", "b!", "c!"]
    assert provider.texts == [["a", "b", "c"], ["b"]]


@pytest.mark.parametrize("has_arrived", [True, False])
def test_a_batch_that_broke_off_is_looked_for(has_arrived):
    """Where nobody knows whether a batch has arrived, it is sent again only if the provider does not have it."""

    def breaks_off(number: int) -> None:
        if number == 1:
            raise TransientBackendError("the connection broke off")

    provider = Provider(**{"taken" if has_arrived else "taking": breaks_off})

    async def play() -> list[str]:
        return await answers(BackendPool(InMemoryRun()), Batches(provider=provider), "a", "b")

    assert play_through(play()) == ["a!", "b!"]
    assert provider.texts == [["a", "b"]]
    assert provider.tries == (1 if has_arrived else 2)


def test_a_batch_that_is_not_taken_yet_is_sent_when_it_is():
    """A queue that is full is no failure of a request, whether it is said at once or when the batch was looked at."""

    def full(number: int) -> None:
        if number <= 20:
            raise BackendOverloaded("too many batches are waiting")

    provider = Provider(taking=full, whole=lambda number: BackendOverloaded("queue") if number < 20 else None)

    async def play() -> tuple[list[str], float]:
        found = await answers(BackendPool(InMemoryRun()), Batches(provider=provider, max_retry_wait_s=1e6), "a")
        return found, asyncio.get_running_loop().time()

    found, seconds = play_through(play())
    assert found == ["a!"]
    assert seconds > 40 * POLLS_OF_A_QUEUE * 30


FULL = BackendOverloaded("too many batches are waiting")


async def together(backend: Backend, *texts: str) -> list[object]:
    """What comes of requests that are asked at once: answers, or the names of errors."""
    pool = BackendPool(InMemoryRun())
    found = await asyncio.gather(*(pool.complete(backend, ask(text), call()) for text in texts), return_exceptions=True)
    return [type(each).__name__ if isinstance(each, BaseException) else each.completion.text for each in found]


@pytest.mark.parametrize(("is_said_at_once", "tries"), [(True, 4), (False, 3)])
def test_a_queue_that_others_fill_stops_the_run_in_the_end(is_said_at_once, tries):
    """Without batches of its own, a run waits for room as long as it is told to, and can be resumed then."""

    def full(number: int) -> None:
        raise FULL

    provider = Provider(taking=full) if is_said_at_once else Provider(whole=lambda number: FULL)
    backend = Batches(provider=provider, max_retry_wait_s=700)

    async def play() -> tuple[list[object], float]:
        return await together(backend, "a", "b"), asyncio.get_running_loop().time()

    found, seconds = play_through(play())
    assert found == ["AgentStopped"] * 2
    assert 700 <= seconds < 1_300
    assert provider.tries == tries  # at once, every 300 s, and after what was left


def test_a_queue_that_the_run_fills_itself_is_waited_for():
    """While batches of the run are computed, it is its own turn that a batch waits for, however long."""
    provider = Provider(seconds=50_000.0)

    def full(number: int) -> None:
        if len(provider.batches) == 1 and asyncio.get_running_loop().time() < 50_000:
            raise FULL

    provider.taking = full
    backend = Batches(provider=provider, max_retry_wait_s=1.0)

    assert play_through(together(backend, "a", "b", "c", "d")) == ["a!", "b!", "c!", "d!"]
    assert provider.texts == [["a", "b", "c"], ["d"]]


def test_an_empty_account_stops_the_run_and_nothing_is_asked_again():
    """A batch that fails for an account without credit stops all that ask, also those that are being collected."""
    provider = Provider(whole=lambda number: QuotaExhausted("no credit left"))

    async def play() -> list[object]:
        pool, backend = BackendPool(InMemoryRun()), Batches(provider=provider)

        async def asked(text: str, after_s: float) -> object:
            await asyncio.sleep(after_s)
            with pytest.raises(AgentStopped) as stopped:
                await pool.complete(backend, ask(text), call())
            return str(stopped.value)

        # The batch is known to have failed from 130 s on; the third is collected then, the last is asked later.
        return await asyncio.gather(asked("a", 0), asked("b", 1), asked("c", 125), asked("d", 200))

    assert play_through(play()) == ["Batches: no credit left"] * 4
    assert provider.texts == [["a", "b"]]


def test_a_batch_that_is_refused_fails_its_requests():
    """A batch that comes to nothing is an error of each of its requests, and is sent once."""
    provider = Provider(whole=lambda number: RequestRejected("no such model in batches"))

    async def play() -> list[object]:
        pool, backend = BackendPool(InMemoryRun()), Batches(provider=provider)
        asked = (pool.complete(backend, ask(text), call()) for text in "ab")
        return await asyncio.gather(*asked, return_exceptions=True)

    assert [str(error) for error in play_through(play())] == ["Batches: no such model in batches"] * 2
    assert provider.texts == [["a", "b"]]


def test_a_server_that_is_away_for_a_while_is_asked_again(monkeypatch):
    """Looking at a batch may fail some times in a row; when it fails for good, the batch is still known."""
    provider, looks = Provider(), itertools.count()
    honest = Sockets.batch_result

    async def away(self: Sockets, batch: str) -> Mapping[str, bytes] | BackendError | None:
        if next(looks) % 6 < 5:
            raise TransientBackendError("502")
        return await honest(self, batch)

    monkeypatch.setattr(Sockets, "batch_result", away)

    async def play() -> list[str]:
        return await answers(BackendPool(InMemoryRun()), Batches(provider=provider, max_attempts=6), "a")

    assert play_through(play()) == ["a!"]
    assert provider.texts == [["a"]]


def test_a_connection_that_takes_no_batches_is_told():
    """A backend with ``batch`` whose connection has no such methods is a fault of its author, in one sentence."""

    @attrs.frozen(kw_only=True)
    class Lying(Batches):
        async def connect(self) -> Connection:
            class Plain(Connection):
                async def complete(self, request: CompletionRequest) -> Completion:
                    return Completion(text="x")

            return Plain()

    async def play() -> None:
        await answers(BackendPool(InMemoryRun()), Lying(provider=Provider()), "a")

    assert isinstance(Sockets(Provider()), BatchConnection)
    with pytest.raises(PluginError, match=r"'Lying' is to ask in batches, and its connection takes none; leave out"):
        play_through(play())


class Counting:
    """Keeps how many requests were told to wait, and for how many days at most."""

    def __init__(self) -> None:
        self.waiting: list[int] = []
        self.days: list[float | None] = []

    @hookimpl
    def batches_changed(self, requests: int, since: float | None, until: float | None) -> None:
        self.waiting.append(requests)
        self.days.append(None if since is None or until is None else (until - since) / 86_400)


def desk(journal: Journal, watcher: object = None, **limits: float) -> JournaledRun:
    watchers = {"watcher": watcher} if watcher else {}
    return JournaledRun(journal, Limits(**limits), Bus(watchers, print))  # type: ignore[arg-type]


def quick(provider: Provider) -> Batches:
    provider.seconds = 0.0
    return Batches(provider=provider, batch_collect_s=0.0, batch_poll_s=0.01)


async def stopped(context: RunContext, pool: BackendPool, backend: Batches, *calls: Call) -> None:
    """Ask, and end the run once the batch has been sent."""
    asked = [asyncio.ensure_future(pool.complete(backend, ask("a"), each)) for each in calls]
    await backend.provider.looked_at.wait()
    context.stop("enough")
    assert [type(e) for e in await asyncio.gather(*asked, return_exceptions=True)] == [StopRun] * len(calls)
    await pool.close()


async def test_a_stopped_run_waits_for_its_batch_again(journal, run_dir):
    """A stop leaves the batch at the provider and its calls counted; the resumed run pays once."""
    provider = Provider()
    backend, one, two = quick(provider), call("0/0/0/0"), call("0/0/1/0")
    provider.seconds = 1e9
    opened = journal(())
    context = desk(opened, watcher := Counting(), budget_usd=10.0)
    await stopped(context, BackendPool(context), backend, one, two)
    await opened.flush()
    assert (watcher.waiting, watcher.days) == ([2, 0], [1, None])
    assert (opened.totals().calls, opened.totals().estimated_calls, opened.totals().cost_usd) == (2, 2, 1.0)
    opened.close()

    for id_, (name, _, lines) in provider.batches.items():
        provider.batches[id_] = name, 0.0, lines
    with Journal.open(run_dir, write=True) as again:
        context = desk(again, budget_usd=0.6)  # less than was sent: it is sent all the same
        pool = BackendPool(context)
        for each in (one, two):
            found = await pool.complete(backend, ask("a"), each)
            assert found.completion.text == "a!"
            _, made = hashed_request_text(backend, ask("a"))
            entry = JournalEntry(
                match=each.match,
                scope=each.scope,
                kind="completion",
                request_hash=made,
                request="{}",
                value="{}",
                prompt_tokens=7,
                completion_tokens=3,
                cost_usd=0.25,
            )
            await context.record(entry)
        await pool.close()
        await again.flush()
        assert (again.totals().calls, again.totals().estimated_calls, again.totals().cost_usd) == (2, 0, 0.5)
        assert context.totals == again.totals()
        assert again.sent_batches() == []
    assert provider.texts == [["a", "a"]]


async def test_a_batch_without_room_has_reserved_nothing(journal, run_dir):
    """While a batch waits for room nothing is counted as spent, so that a run killed then pays once."""
    provider = Provider(whole=lambda number: FULL)
    backend = quick(provider)
    opened = journal(())
    context = desk(opened, budget_usd=5.0)
    pool = BackendPool(context)
    asked = asyncio.ensure_future(pool.complete(attrs.evolve(backend, batch_poll_s=0.2), ask("a"), call()))
    await provider.looked_at.wait()
    await asyncio.sleep(0.3)  # it waits for two seconds
    await opened.flush()

    assert not asked.done()
    with Journal.open(run_dir) as seen:
        assert (seen.totals().calls, seen.totals().cost_usd, seen.sent_batches()) == (0, 0.0, [])
    context.stop("enough")
    await asyncio.gather(asked, return_exceptions=True)
    await pool.close()
    await opened.flush()
    assert (opened.totals().calls, context.totals.calls) == (0, 0)


@pytest.mark.parametrize("is_asked_for", [True, False])
async def test_a_resumed_run_at_its_cap_takes_its_batch_over_first(journal, run_dir, monkeypatch, is_asked_for):
    """What a batch has reserved is no reason to stop before its answers are there; if nobody wants them, it is one."""
    provider = Provider()
    backend, one, two = quick(provider), call("0/0/0/0"), call("0/0/1/0")
    provider.seconds = 1e9
    opened = journal(())
    context = desk(opened, budget_usd=1.2)
    await stopped(context, BackendPool(context), backend, one, two)
    opened.close()
    for id_, (name, _, lines) in provider.batches.items():
        provider.batches[id_] = name, 0.0, lines
    provider.seconds = 0.0
    monkeypatch.setattr(journaled_run, "TAKE_OVER_S", 5.0 if is_asked_for else 0.05)

    with Journal.open(run_dir, write=True) as again:
        context = desk(again, budget_usd=1.2)
        pool = BackendPool(context)

        async def recorded(each: Call, after_s: float = 0.0) -> str:
            await asyncio.sleep(after_s)
            found = await pool.complete(backend, ask("a"), each)
            _, made = hashed_request_text(backend, ask("a"))
            used = {"prompt_tokens": 7, "completion_tokens": 3, "cost_usd": 0.25}
            texts = {"match": each.match, "scope": each.scope, "request_hash": made, "request": "{}", "value": "{}"}
            await context.record(JournalEntry(kind="completion", **texts, **used))
            return found.completion.text

        asked = [recorded(call("0/0/2/0"))]  # it fits only when one of the others is answered
        if is_asked_for:
            asked += [recorded(one, 0.1), recorded(two, 0.1)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        await pool.close()
        await again.flush()
        assert [each if isinstance(each, str) else type(each) for each in found] == (
            ["a!"] * 3 if is_asked_for else [StopRun]
        )
        assert again.totals().cost_usd == (0.75 if is_asked_for else 1.0)
    assert provider.texts == ([["a", "a"], ["a"]] if is_asked_for else [["a", "a"]])


async def test_a_cap_counts_what_waits_in_a_batch(journal):
    """A batch is counted from above while nobody has answered it, so that a run does not send more than its cap."""
    provider = Provider()
    backend = quick(provider)
    provider.seconds = 1e9
    context = desk(journal(()), budget_usd=1.2)
    pool = BackendPool(context)
    asked = [asyncio.ensure_future(pool.complete(backend, ask(text), call())) for text in "abc"]
    await backend.provider.looked_at.wait()

    assert provider.texts == [["a", "b"]]  # the third waits until it fits beside the others
    context.stop("enough")
    await asyncio.gather(*asked, return_exceptions=True)
    await pool.close()
    assert len(provider.batches) == 1


async def test_another_question_is_no_line_of_a_batch(journal):
    """A request that has changed since its batch was sent is asked anew."""
    provider = Provider()
    backend, one = quick(provider), call("0/0/0/0")
    provider.seconds = 1e9
    opened = journal(())
    context = desk(opened)
    await stopped(context, BackendPool(context), backend, one)
    provider.seconds = 0.0

    pool = BackendPool(again := desk(opened))
    found = await pool.complete(backend, ask("another"), one)
    await pool.close()

    assert found.completion.text == "another!"
    assert provider.texts == [["a"], ["another"]]
    assert not again.batches.holds(one.match, one.scope) or again.batches.ids() == {"b1"}
