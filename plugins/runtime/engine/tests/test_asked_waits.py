"""How long a provider that names a wait is waited for, and what a run loses by its limits."""

import asyncio
from collections import deque

import pytest
from arena.backend import CompletionRequest
from arena.errors import BackendError, BackendOverloaded, BackendTimedOut, TransientBackendError
from arena.testing import FunctionBackend
from arena_engine.models.pool import BackendPool

from .test_throttle import ask, call, desk_of, now
from .virtual_time import play_through


@pytest.fixture
def journal(journal):
    return journal(())


class Window:
    """A server that answers so many requests a minute, by the clock or in any minute, and says how long to wait."""

    def __init__(self, most: int, minute_s: float = 60.0, answer_s: float = 0.5, *, slides: bool = False):
        self.most = most
        self.minute_s = minute_s
        self.answer_s = answer_s
        self.slides = slides
        self.taken: deque[float] = deque()
        self.refused = 0

    async def __call__(self, request: CompletionRequest) -> str:
        began = now() // self.minute_s * self.minute_s if not self.slides else now() - self.minute_s
        while self.taken and (self.taken[0] <= began if self.slides else self.taken[0] < began):
            self.taken.popleft()
        if len(self.taken) >= self.most:
            self.refused += 1
            until = self.taken[0] + self.minute_s if self.slides else began + self.minute_s
            raise BackendOverloaded("slow down", retry_after_s=until - now())
        self.taken.append(now())
        await asyncio.sleep(self.answer_s)
        return "x"


class Bucket:
    """A server whose limit fills up evenly, as OpenAI's does."""

    def __init__(self, per_s: float, most: float, answer_s: float = 0.5):
        self.per_s, self.most, self.answer_s = per_s, most, answer_s
        self.left, self.at, self.refused = most, 0.0, 0

    async def __call__(self, request: CompletionRequest) -> str:
        self.left = min(self.most, self.left + (now() - self.at) * self.per_s)
        self.at = now()
        if self.left < 1:
            self.refused += 1
            raise BackendOverloaded("slow down", retry_after_s=(1 - self.left) / self.per_s)
        self.left -= 1
        await asyncio.sleep(self.answer_s)
        return "x"


def seconds_for(journal, server, calls: int, at_once: int, **settings) -> float:
    """How long all calls take, of as many matches as play at once; none may fail."""
    backend = FunctionBackend(answer=server, **settings)

    async def play() -> float:
        connections = BackendPool(desk_of(journal))
        left = iter(range(calls))

        async def match() -> None:
            for number in left:
                await connections.complete(backend, ask(str(number)), call())

        await asyncio.gather(*(match() for _ in range(at_once)))
        return now()

    return play_through(play())


LIMITS = {
    "20 in a minute of the clock": (lambda: Window(20), 540.5),
    "60 in a minute of the clock": (lambda: Window(60), 180.5),
    "20 in any minute": (lambda: Window(20, slides=True), 540.5),
    "60 in any minute": (lambda: Window(60, slides=True), 180.5),
    "one each second": (lambda: Bucket(1.0, 10), 190.5),
    "five each second": (lambda: Bucket(5.0, 5), 39.5),
    "one each three seconds": (lambda: Bucket(1 / 3, 5), 585.5),
}


@pytest.mark.sample(fast=4, slow=14)
@pytest.mark.parametrize("at_once", [1, 4, 16, 64, 200])
@pytest.mark.parametrize(("server", "ideal_s"), LIMITS.values(), ids=LIMITS)
def test_a_limit_that_is_only_told_in_answers_costs_little_time(journal, server, ideal_s, at_once):
    """200 calls end, none has failed, and it takes at most a fifth longer than the limit itself."""
    asked = server()
    least_s = max(ideal_s, 200 * asked.answer_s / min(at_once, 16))

    took_s = seconds_for(journal, asked, 200, at_once)

    assert took_s <= 1.2 * least_s
    assert asked.refused <= 200


def test_a_wait_that_is_asked_for_again_and_again_is_no_try(journal):
    """A server that says for 45 seconds "retry in two seconds" is waited for, however few tries are allowed."""

    def answer(request: CompletionRequest) -> str:
        if now() < 45:
            raise BackendOverloaded("retry in 2 s", retry_after_s=2.0)
        return "x"

    assert 45 <= seconds_for(journal, answer, 1, 1, max_attempts=3) <= 48


@pytest.mark.parametrize(
    ("error", "settings", "tries"),
    [
        (BackendOverloaded("no", retry_after_s=10.0), {"max_attempts": 6}, 12),
        (BackendOverloaded("no", retry_after_s=10.0), {"max_attempts": 14}, 14),
        (BackendOverloaded("no", retry_after_s=10.0), {"max_attempts": 2, "max_retry_wait_s": 35.0}, 4),
        (BackendOverloaded("no"), {"max_attempts": 6}, 6),
        (BackendOverloaded("no", retry_after_s=0.0), {"max_attempts": 6}, 6),
        (BackendTimedOut("no", retry_after_s=10.0), {"max_attempts": 6}, 6),
    ],
)
def test_waiting_that_is_asked_for_counts_against_its_own_limit(journal, error, settings, tries):
    """Up to ``max_retry_wait_s`` in a row it is no try; beyond, and after any other failure, tries are counted."""
    asked: list[float] = []

    def answer(request: CompletionRequest) -> str:
        asked.append(now())
        raise error

    with pytest.raises(BackendError, match=f"{tries} tries"):
        seconds_for(journal, answer, 1, 1, **settings)

    assert len(asked) == tries


def test_a_wait_of_no_length_ends(journal):
    """A server that always says "retry in a thousandth of a second" is asked less and less often, and given up."""
    asked: list[float] = []

    def answer(request: CompletionRequest) -> str:
        asked.append(now())
        raise BackendOverloaded("no", retry_after_s=0.001)

    with pytest.raises(BackendError, match="tries"):
        seconds_for(journal, answer, 1, 1)

    assert len(asked) < 130


def test_failures_between_waits_count_as_tries(journal):
    """Waits that were asked for use up no tries of the failures that follow them."""
    errors = [BackendOverloaded("no", retry_after_s=1.0)] * 9 + [TransientBackendError("no")] * 2

    def answer(request: CompletionRequest) -> str:
        if errors:
            raise errors.pop(0)
        return "x"

    assert seconds_for(journal, answer, 1, 1, max_attempts=3) > 9
