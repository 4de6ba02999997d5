"""How backends are spared: limits per minute, fewer requests at once while overloaded, waits that are too long."""

import asyncio
import itertools

import attrs
import pytest
from arena.backend import Backend, Completion, CompletionRequest, Message, Sampling, Usage
from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendUnavailable,
    ConfigError,
    StopRun,
    TransientBackendError,
)
from arena.testing import FunctionBackend
from arena_engine.execution.journaled_run import JournaledRun
from arena_engine.job.bus import Bus
from arena_engine.job.executor import Limits
from arena_engine.journal.journal import Journal
from arena_engine.journal.usage import Call, Counted
from arena_engine.models.pool import BackendPool
from arena_engine.models.request_text import backend_key
from arena_engine.models.throttle import DECREASE, TOLERATED, WINDOW, AdaptiveLimiter

from .virtual_time import play_through


@pytest.fixture
def journal(journal) -> Journal:
    return journal(())


def desk_of(journal: Journal) -> JournaledRun:
    return JournaledRun(journal, Limits(), Bus({}, print))


def ask(text: str = "hello", **sampling: object) -> CompletionRequest:
    return CompletionRequest(messages=(Message.of("user", text),), sampling=Sampling(**sampling))  # type: ignore[arg-type]


_scopes = itertools.count()


def call() -> Call:
    """What a request counts for the budget, in a scope of its own."""
    return Call("m", f"0/0/0/{next(_scopes)}", prompt_tokens=1, completion_tokens=1, cost_usd=0.0)


def now() -> float:
    return asyncio.get_running_loop().time()


@attrs.define(eq=False)
class Server:
    """Answers after a second, and refuses what is more than its limit."""

    limit: int
    busy: int = 0
    most: int = 0
    answered: list[float] = attrs.field(factory=list)
    refused: list[float] = attrs.field(factory=list)

    async def __call__(self, request: CompletionRequest) -> str:
        if self.busy >= self.limit:
            self.refused.append(now())
            raise BackendOverloaded("429")
        self.busy += 1
        try:
            await asyncio.sleep(1)
        finally:
            self.busy -= 1
        self.answered.append(now())
        return "x"


class Clock:
    """A deadline that remembers how far it was moved."""

    def __init__(self):
        self.moved = 0.0
        self.least = 0.0

    def extend(self, seconds):
        self.moved += seconds
        self.least = min(self.least, self.moved)


@pytest.mark.slow
def test_concurrency_settles_at_what_a_server_bears(journal):
    """With at most 64 requests at once, and 20 that the server answers, about 20 are asked, and none is given up."""
    server = Server(20)
    backend = FunctionBackend(answer=server, concurrency=64)

    async def play() -> list[int]:
        connections = BackendPool(desk_of(journal))
        limits: list[int] = []

        async def match(number: int) -> None:
            for turn in range(25):
                await connections.complete(backend, ask(f"{number}/{turn}"), call())
                limits.append(connections.throttle.limiter(backend).limit)

        await asyncio.gather(*(match(number) for number in range(200)))
        return limits

    limits = play_through(play())

    assert len(server.answered) == len(limits) == 5_000
    settled = limits[1_000:]
    assert 16 <= sum(settled) / len(settled) <= 24
    assert all(16 <= limit <= 24 for limit in settled)
    assert server.answered[-1] < 1.2 * 5_000 / 20
    late = [moment for moment in server.refused if moment > server.answered[1_000]]
    assert len(late) < 0.25 * 4_000


@pytest.mark.parametrize(("refused", "is_cut"), [(TOLERATED * WINDOW, False), (TOLERATED * WINDOW + 1, True)])
def test_concurrency_is_cut_above_a_tenth(refused, is_cut):
    """Up to a tenth of the recent answers may be rate limits or time-outs; one more, and fewer are asked."""

    async def play() -> int:
        limiter = AdaptiveLimiter(80)
        for number in range(WINDOW):
            limiter.release(await limiter.acquire(), was_overloaded=number < refused)
        return limiter.limit

    assert play_through(play()) == (int(80 * DECREASE) if is_cut else 80)


def test_concurrency_is_cut_once_per_round_trip():
    """However many requests of one round trip are refused, only the first of them count."""

    async def play() -> int:
        limiter = AdaptiveLimiter(400)
        epochs = [await limiter.acquire() for _ in range(400)]
        for epoch in epochs:
            limiter.release(epoch, was_overloaded=True)
        return limiter.limit

    assert play_through(play()) == 400 * DECREASE


def test_concurrency_grows_by_one_per_full_round_trip():
    """While it is used to the full, one more request is asked after each round trip; half used, it stays."""

    async def round_trip(limiter: AdaptiveLimiter, requests: int) -> int:
        waiting = [asyncio.ensure_future(limiter.acquire()) for _ in range(requests)]
        await asyncio.sleep(0)
        for place in waiting:
            limiter.release(await place, was_overloaded=False)
        return limiter.limit

    async def play() -> list[int]:
        limiter = AdaptiveLimiter(100)
        for epoch in [await limiter.acquire() for _ in range(100)]:
            limiter.release(epoch, was_overloaded=True)
        return [limiter.limit, *[await round_trip(limiter, requests) for requests in (40, 2 * 85, 2 * 86, 40)]]

    assert play_through(play()) == [85, 85, 86, 87, 87]


def test_concurrency_stays_where_it_is_not_to_adapt(journal):
    """A backend with ``adaptive-concurrency: false`` is asked as many at once as it says, whatever it answers."""

    async def play() -> int:
        limiter = AdaptiveLimiter(40, adapts=False)
        for _ in range(3 * WINDOW):
            limiter.release(await limiter.acquire(), was_overloaded=True)
        return limiter.limit

    assert play_through(play()) == 40


def test_places_are_given_in_order_and_none_is_lost():
    """Who waits longest is let in first; one who gives up waiting, even when just let in, takes no place away."""

    async def play() -> list[int]:
        limiter = AdaptiveLimiter(1)
        entered: list[int] = []

        async def visit(number: int) -> None:
            epoch = await limiter.acquire()
            entered.append(number)
            await asyncio.sleep(1)
            limiter.release(epoch, was_overloaded=False)

        first = await limiter.acquire()
        visits = [asyncio.create_task(visit(number)) for number in range(5)]
        await asyncio.sleep(1)
        visits[1].cancel()
        limiter.release(first, was_overloaded=False)
        visits[0].cancel()  # its place is ready, and it has not run yet
        await asyncio.gather(*visits, return_exceptions=True)
        return entered

    assert play_through(play()) == [2, 3, 4]


def times_of(journal: Journal, backend: FunctionBackend, requests: list[CompletionRequest]) -> None:
    async def play() -> None:
        connections = BackendPool(desk_of(journal))
        await asyncio.gather(*(connections.complete(backend, request, call()) for request in requests))

    play_through(play())


def test_requests_per_minute_are_kept(journal):
    """In no minute are more requests sent than allowed, in the order they came, and little is left unused."""
    sent: list[tuple[float, str]] = []
    backend = FunctionBackend(answer=lambda r: sent.append((now(), r.messages[0].text)) or "x", requests_per_minute=30)

    times_of(journal, backend, [ask(str(number)) for number in range(100)])

    assert [text for _, text in sent] == [str(number) for number in range(100)]
    moments = [moment for moment, _ in sent]
    assert max(sum(start <= moment < start + 60 for moment in moments) for start in moments) == 30
    assert moments[-1] == pytest.approx(99 * 2, rel=0.01)


@pytest.mark.parametrize(("used", "latest_s"), [(1_000, 205), (100, 70), (3_000, 600)])
def test_tokens_per_minute_are_kept(journal, used, latest_s):
    """What is reserved by an estimate is corrected by what was used, be it less or more, and the limit is used up."""
    sent: list[float] = []

    async def answer(request: CompletionRequest) -> Completion:
        sent.append(now())
        await asyncio.sleep(5)
        return Completion(text="x", usage=Usage(prompt_tokens=used - 40, completion_tokens=40))

    backend = FunctionBackend(answer=answer, tokens_per_minute=60_000, max_tokens=500)

    times_of(journal, backend, [ask("four" * 499) for _ in range(200)])

    a_minute_on = [sum(start <= moment < start + 60 for moment in sent) * used for start in sent if start > 60]
    assert max(a_minute_on, default=0) <= 60_000 + 6 * used
    assert sent[-1] <= latest_s


def test_every_try_counts_against_the_limit(journal):
    """A provider counts what it refuses, so a retry waits for its turn like any other request."""
    sent: list[float] = []

    def answer(request: CompletionRequest) -> str:
        sent.append(now())
        if len(sent) < 4:
            raise TransientBackendError("503", retry_after_s=0.0)
        return "x"

    times_of(journal, FunctionBackend(answer=answer, requests_per_minute=6), [ask()])

    assert [round(moment) for moment in sent] == [0, 10, 20, 30]


def test_waiting_for_a_limit_is_not_the_agents_time(journal):
    """While a request waits in our queues its deadline is out of reach, and then stands as far off as before."""
    backend = FunctionBackend(answer=str, requests_per_minute=1)
    clock = Clock()

    async def play() -> None:
        connections = BackendPool(desk_of(journal))
        await connections.complete(backend, ask(), call())
        await connections.complete(backend, ask(), call(), clock)

    play_through(play())

    assert clock.moved == pytest.approx(60, abs=0.5)
    assert clock.least >= 0


def test_waiting_for_a_limit_ends_with_the_run(journal):
    """When the run is to end, whoever waits for a limit stops at once and asks nothing."""
    sent: list[float] = []
    backend = FunctionBackend(answer=lambda r: sent.append(now()) or "x", requests_per_minute=1)

    async def play() -> tuple[list[object], float]:
        context = desk_of(journal)
        connections = BackendPool(context)
        waiting = asyncio.gather(
            *(connections.complete(backend, ask(), call()) for _ in range(5)), return_exceptions=True
        )
        await asyncio.sleep(5)
        context.stop("interrupted")
        return await waiting, now()

    results, ended = play_through(play())

    assert [type(result) for result in results] == [Counted] + [StopRun] * 4
    assert (len(sent), ended) == (1, 5)


def test_wish_for_a_long_wait_is_no_wait(journal):
    """A provider that asks for an hour is not waited for: the error says so, at once and in one sentence."""
    hour = BackendOverloaded("429 from upstream", retry_after_s=3600.0)

    def answer(request: CompletionRequest) -> str:
        raise hour

    async def play(backend: Backend) -> float:
        with pytest.raises(BackendUnavailable, match="asks to wait 3600 s and max-retry-wait-s is") as caught:
            await BackendPool(desk_of(journal)).complete(backend, ask(), call())
        assert "\n" not in str(caught.value)
        return now()

    assert play_through(play(FunctionBackend(answer=answer))) == 0
    patient = FunctionBackend(answer=answer, max_retry_wait_s=4000, max_attempts=2)
    hour_kept = play_through(_spent(journal, patient))
    assert 3600 <= hour_kept <= 3960


async def _spent(journal: Journal, backend: Backend) -> float:
    with pytest.raises(BackendError, match="2 tries"):
        await BackendPool(desk_of(journal)).complete(backend, ask(), call())
    return now()


def test_time_outs_count_as_overload(journal):
    """Requests that get no answer in time make fewer be asked at once."""

    async def never(request: CompletionRequest) -> str:
        await asyncio.Event().wait()
        return "x"

    backend = FunctionBackend(answer=never, request_timeout_s=1, max_attempts=1, concurrency=10)

    async def play() -> int:
        connections = BackendPool(desk_of(journal))
        asked = (connections.complete(backend, ask(), call()) for _ in range(WINDOW))
        await asyncio.gather(*asked, return_exceptions=True)
        return connections.throttle.limiter(backend).limit

    assert play_through(play()) < 10


def test_how_a_backend_is_asked_is_not_who_it_is():
    """Limits may be changed without making a recorded answer one of another backend."""
    plain = FunctionBackend(answer=str)
    limited = attrs.evolve(
        plain, requests_per_minute=5, tokens_per_minute=7, adaptive_concurrency=False, max_retry_wait_s=3, concurrency=2
    )

    assert backend_key(plain) == backend_key(limited)


def test_open_places_go_on_after_a_cut(journal):
    """Requests that wait when the number is cut are all answered in the end."""
    server = Server(3)
    backend = FunctionBackend(answer=server, concurrency=8, max_attempts=50)

    times_of(journal, backend, [ask(str(number)) for number in range(300)])

    assert len(server.answered) == 300


def test_who_failed_before_goes_first():
    """A request that is asked again does not queue behind those that were not asked yet."""

    async def play() -> list[str]:
        limiter = AdaptiveLimiter(1)
        epoch = await limiter.acquire()
        entered: list[str] = []

        async def visit(name: str, *, is_retry: bool) -> None:
            own = await limiter.acquire(is_retry=is_retry)
            entered.append(name)
            limiter.release(own, was_overloaded=False)

        visits = [asyncio.ensure_future(visit(n, is_retry=n == "again")) for n in ("first", "second", "again")]
        await asyncio.sleep(0)
        limiter.release(epoch, was_overloaded=False)
        await asyncio.gather(*visits)
        return entered

    assert play_through(play()) == ["again", "first", "second"]


def test_what_lasts_is_asked_no_more(journal):
    """After an error that holds for every request nobody else is asked, waiting or new, and all get its sentence."""
    asked: list[float] = []

    async def answer(request: CompletionRequest) -> str:
        asked.append(now())
        await asyncio.sleep(1)
        raise BackendUnavailable("wrong key")

    backend = FunctionBackend(answer=answer, concurrency=4)
    other = FunctionBackend(answer=str, concurrency=4)

    async def play() -> set[str]:
        connections = BackendPool(desk_of(journal))
        first = await asyncio.gather(
            *(connections.complete(backend, ask(), call()) for _ in range(50)), return_exceptions=True
        )
        later = await asyncio.gather(connections.complete(backend, ask(), call()), return_exceptions=True)
        await connections.complete(other, ask(), call())
        assert all(isinstance(result, BackendUnavailable) for result in (*first, *later))
        return set(map(str, (*first, *later)))

    assert play_through(play()) == {"FunctionBackend: wrong key"}
    assert len(asked) == 4


def test_what_cannot_be_started_is_started_once(journal):
    """A backend that fails to connect is not connected to again for each match."""
    tried: list[float] = []

    class Broken(FunctionBackend):
        async def connect(self):
            tried.append(now())
            raise ConfigError("the weights are missing")

    backend = Broken(answer=str)

    async def play() -> list[object]:
        connections = BackendPool(desk_of(journal))
        return [
            *await asyncio.gather(
                *(connections.complete(backend, ask(), call()) for _ in range(50)), return_exceptions=True
            )
        ]

    assert {str(result) for result in play_through(play())} == {"the weights are missing"}
    assert len(tried) == 1
