"""Completions: retries, limits, budgets, branches in flight, what a change of the prompt does."""

import asyncio
import math

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply
from arena.backend import Completion, CompletionRequest, Message, Sampling, Secret, Usage
from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendUnavailable,
    BackendUnreachable,
    ReplayMismatch,
    RequestRejected,
    StopRun,
    TransientBackendError,
)
from arena.hookspecs import hookimpl
from arena.record import Ending, MatchPlan
from arena.testing import FunctionAgent, FunctionBackend, playing
from arena_engine.execution.journaled_run import JournaledRun
from arena_engine.job.bus import Bus
from arena_engine.job.executor import Limits
from arena_engine.journal.journal import Journal
from arena_engine.journal.schema import Header
from arena_engine.models.completions import RecordedCompletions
from arena_engine.models.pool import BackendPool, backoff_s

from ....authoring.testing.tests.games_together import RockPaperScissors

HEADER = Header(id="r", name="r", seed=0, benchmark=None, created="", core="", python="", platform="", provenance=())
PLAN = MatchPlan(id="m", game="g", agents=("a",), pairing="a", repeat=0, rotation=0, chance_seed=0)


def ask(text: str = "hello", **sampling: object) -> CompletionRequest:
    return CompletionRequest(messages=(Message.of("user", text),), sampling=Sampling(**sampling))  # type: ignore[arg-type]


class Retries:
    """An observer that notes how long each retry waits."""

    def __init__(self):
        self.waits = []

    @hookimpl
    def completion_retried(self, wait_s, reason):
        self.waits.append((wait_s, reason))


@pytest.fixture
async def open_completions(tmp_path):
    """Opens recorded completions of a real run with a journal: ``open_completions(limits, observer)``."""
    journals = []

    def opened(limits=None, observer=None, known=None):
        directory = tmp_path / str(len(journals))
        journals.append(Journal.create(directory, HEADER, [PLAN]))
        context = JournaledRun(journals[-1], limits or Limits(), Bus({"w": observer} if observer else {}, print))
        completions = RecordedCompletions(context, BackendPool(context), "m", known or {}, 0)
        completions.position = (0, 0)
        return completions, context, journals[-1]

    yield opened
    for journal in journals:
        await journal.flush()
        journal.close()


NOW = TransientBackendError("503 from upstream", retry_after_s=0.0)


def failing(times: int, error: BackendError = NOW):
    """A backend that fails so often before it answers, and the list of its calls."""
    calls = []

    def answer(request):
        calls.append(request)
        if len(calls) <= times:
            raise error
        return "at last"

    return FunctionBackend(answer=answer, max_attempts=4), calls


async def test_transient_errors_are_retried(open_completions):
    """What may pass is asked again after the wait the provider asks for, and only the answer is kept."""
    retries = Retries()
    completions, _, journal = open_completions(observer=retries)
    backend, calls = failing(3)

    completion = await completions.complete(backend, ask())

    assert (completion.text, len(calls)) == ("at last", 4)
    assert retries.waits == [(0.0, "503 from upstream")] * 3
    assert [a.scope for a in journal.answers("m")] == ["0/0/0/0"]


async def test_waits_double_and_spread(open_completions):
    """Without a wish of the provider the waits double from a second on, and two requests wait differently."""
    waits = [
        [backoff_s(FunctionBackend(answer=str), TransientBackendError("x"), n, ask(text)) for n in (1, 2, 3, 20)]
        for text in ("one", "two")
    ]

    for found in waits:
        assert 0.5 <= found[0] <= 1 <= found[1] <= 2 <= found[2] <= 4
        assert 30 <= found[3] <= 60
    assert waits[0] != waits[1]


@pytest.mark.parametrize(
    ("error", "tries", "kind"),
    [
        (NOW, 4, TransientBackendError),
        (BackendOverloaded("503 from upstream", retry_after_s=0.0), 4, BackendOverloaded),
        (BackendUnreachable("503 from upstream", retry_after_s=0.0), 4, BackendUnavailable),
        (RequestRejected("503 from upstream"), 1, RequestRejected),
        (BackendError("503 from upstream"), 1, RequestRejected),
        (BackendUnavailable("503 from upstream"), 1, BackendUnavailable),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BackendError) else "",
)
async def test_spent_retries_are_a_backend_error(open_completions, error, tries, kind):
    """When attempts are spent, or asking again cannot help, the agent gets a BackendError and nothing is kept."""
    completions, _, journal = open_completions()
    backend, calls = failing(9, error)

    with pytest.raises(BackendError, match="503 from upstream") as caught:
        await completions.complete(backend, ask())

    assert type(caught.value) is kind

    assert len(calls) == tries
    assert journal.answers("m") == []


async def test_hanging_request_is_given_up(open_completions):
    """A request that never comes back counts as a transient error after the backend's time-out."""
    completions, _, _ = open_completions()
    backend = FunctionBackend(answer=lambda request: asyncio.Event().wait(), max_attempts=1, request_timeout_s=0.01)

    with pytest.raises(BackendError, match=r"no answer within 0\.01 s"):
        await completions.complete(backend, ask())


async def test_requests_in_flight_are_bounded(open_completions):
    """A backend never has more requests in flight than its concurrency."""
    completions, _, _ = open_completions()
    now, most = 0, 0

    async def answer(request):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return "x"

    backend = FunctionBackend(answer=answer, concurrency=3)
    await asyncio.gather(*(completions.branch(str(i)).complete(backend, ask()) for i in range(20)))

    assert most == 3


async def test_an_error_of_connecting_shows_no_key(open_completions, monkeypatch):
    """What a backend says when it cannot connect reaches neither the match nor later requests with its key in it."""
    monkeypatch.setenv("CANARY", "sk-canary-connect")

    @attrs.frozen(kw_only=True)
    class Refused(FunctionBackend):
        key: Secret
        address: str = "http://127.0.0.1"

        async def connect(self):
            raise BackendUnavailable(f"the server refused the key {self.key.reveal()}")

    completions, _, _ = open_completions()
    backend = Refused(answer=str, key=Secret("CANARY"))

    for _ in range(2):
        with pytest.raises(BackendUnavailable) as error:
            await completions.complete(backend, ask())
        assert "refused the key" in str(error.value)
        assert "canary" not in str(error.value)


async def test_equal_backends_share_a_connection(open_completions):
    """Two equal backends are connected to once, another one on its own."""
    connected = []

    class Counting(FunctionBackend):
        async def connect(self):
            connected.append(self.temperature)
            return await super().connect()

    completions, _, _ = open_completions()
    answer = "{}".format
    for temperature in (0.0, 0.0, 1.0):
        await completions.complete(Counting(answer=answer, temperature=temperature), ask())

    assert connected == [0.0, 1.0]


@pytest.mark.parametrize(
    ("limits", "asked"),
    [(Limits(budget_calls=3), 3), (Limits(budget_tokens=30), 4), (Limits(budget_usd=0.25), 3)],
)
async def test_budget_stops_the_run(open_completions, limits, asked):
    """Once a budget is used the next completion is not asked and the run is to end."""
    completions, context, journal = open_completions(limits=limits)
    calls = []

    def answer(request):
        calls.append(request)
        return Completion(text="x", usage=Usage(prompt_tokens=1, completion_tokens=1), cost_usd=0.1)

    backend = FunctionBackend(answer=answer, max_tokens=3)  # a call may use 5 + 16 + 3 tokens

    async def ask_on():
        for _ in range(10):
            await completions.complete(backend, ask())

    with pytest.raises(StopRun, match="raise it and resume"):
        await ask_on()

    assert len(calls) == asked == journal.totals().calls
    with pytest.raises(StopRun):
        context.check_stopped()


@pytest.mark.parametrize(
    ("limits", "least", "most"),
    [
        (Limits(budget_calls=100), 100, 100),
        (Limits(budget_tokens=300), 93, 100),  # up to one call's estimate
        (Limits(budget_usd=9.95), 100, 163),  # no price is known, so the cap can only stop what comes after
    ],
)
async def test_budget_is_used_up_and_kept(open_completions, limits, least, most):
    """With 64 requests at once a cap is used up to one call's estimate and not passed, and those in flight are kept."""
    completions, context, journal = open_completions(limits=limits)
    asked, late, in_flight = 0, 0, 0

    async def answer(request):
        nonlocal asked, late, in_flight
        asked += 1
        used = context.totals
        is_spent = used.calls >= 100 or used.prompt_tokens + used.completion_tokens >= 300 or used.cost_usd >= 9.95
        late += is_spent
        in_flight += 1
        await asyncio.sleep(0.001)
        in_flight -= 1
        return Completion(text="x", usage=Usage(prompt_tokens=2, completion_tokens=1), cost_usd=0.1)

    backend = FunctionBackend(answer=answer, concurrency=64, max_tokens=3)

    async def ask_on(number):
        branch = completions.branch(str(number))
        while True:
            await branch.complete(backend, ask())

    stopped = await asyncio.gather(*(ask_on(number) for number in range(200)), return_exceptions=True)

    assert {type(error) for error in stopped} == {StopRun}
    assert (late, in_flight) == (0, 0)
    assert least <= asked <= most
    await journal.flush()  # reservations of what was not sent are taken back without anybody waiting
    assert journal.totals().calls == asked


async def test_budget_can_be_raised(open_completions):
    """A larger budget goes on from what was spent before, and stops where that is spent."""
    completions, _, journal = open_completions(limits=Limits(budget_calls=2))
    backend, _ = failing(0)

    async def spend(completions):
        for _ in range(10):
            await completions.complete(backend, ask())

    with pytest.raises(StopRun, match=r"limits\.budget-calls: 2 of 2 is used; raise it and resume"):
        await spend(completions)
    context = JournaledRun(journal, Limits(budget_calls=5), Bus({}, print))
    resumed = RecordedCompletions(context, BackendPool(context), "m", journal.recorded("m"), 0)
    resumed.place = (0, 0)

    with pytest.raises(StopRun, match=r"limits\.budget-calls: 5 of 5"):
        await spend(resumed)

    assert journal.totals().calls == len(journal.answers("m")) == 5


async def test_what_was_refused_uses_nothing(open_completions):
    """A try that the provider refused uses no budget, however often it is retried."""
    completions, context, journal = open_completions(limits=Limits(budget_calls=1))
    backend, calls = failing(3, BackendOverloaded("429", retry_after_s=0.0))

    await completions.complete(backend, ask())
    await journal.flush()

    assert (len(calls), context.totals.calls, journal.totals().calls) == (4, 1, 1)
    assert journal.reserved() == {}


@pytest.mark.parametrize("limits", [Limits(), Limits(budget_tokens=10_000)], ids=["free", "capped"])
async def test_what_broke_off_keeps_its_estimate(open_completions, limits):
    """A try that was sent and not answered counts as an estimate from above, in the journal too."""
    completions, context, journal = open_completions(limits=limits)
    backend, calls = failing(2)

    await completions.complete(backend, ask())
    await journal.flush()

    totals = journal.totals()
    assert (len(calls), totals.calls, totals.estimated_calls) == (3, 3, 2)
    assert attrs.evolve(totals, cost_usd=0.0) == attrs.evolve(context.totals, cost_usd=0.0)
    (answered,) = journal.answers("m")
    assert totals.prompt_tokens - answered.prompt_tokens == 2 * (len("hello") + 16)
    assert journal.reserved() == {("m", "0/0/0/0"): 2}


async def test_time_out_of_a_turn_counts(open_completions):
    """Calls that a turn's time cut off are counted when they are sent: a cap of four lets four through."""
    completions, _, journal = open_completions(limits=Limits(budget_calls=4))
    sent = []

    async def never(request):
        sent.append(request)
        arrived.set()
        await asyncio.Event().wait()

    backend = FunctionBackend(answer=never)
    for number in range(4):
        arrived = asyncio.Event()
        cut_off = asyncio.ensure_future(completions.branch(str(number)).complete(backend, ask()))
        await arrived.wait()
        cut_off.cancel()
        await asyncio.wait([cut_off])
    with pytest.raises(StopRun, match=r"limits\.budget-calls: 4 of 4 is used"):
        await completions.branch("more").complete(backend, ask())

    await journal.flush()
    assert (len(sent), journal.totals().calls, journal.totals().estimated_calls) == (4, 4, 4)
    again = JournaledRun(journal, Limits(budget_calls=4), Bus({}, print))
    with pytest.raises(StopRun):
        await RecordedCompletions(again, BackendPool(again), "m", {}, 1).complete(backend, ask())


async def test_call_that_does_not_fit_waits_for_those_in_flight(open_completions):
    """Estimates hold a call back only until the answers in flight are counted for what they are."""
    completions, context, _ = open_completions(limits=Limits(budget_tokens=130))
    reached, release, sent = asyncio.Event(), asyncio.Event(), []

    async def answer(request):
        sent.append(request)
        reached.set()
        if len(sent) == 1:
            await release.wait()
        return Completion(text="x", usage=Usage(prompt_tokens=2, completion_tokens=1))

    backend = FunctionBackend(answer=answer, max_tokens=79)  # 100 tokens at most
    first = asyncio.ensure_future(completions.branch("a").complete(backend, ask()))
    second = asyncio.ensure_future(completions.branch("b").complete(backend, ask()))
    await reached.wait()
    await asyncio.sleep(0.05)  # time in which the other one would be sent, if nothing held it back
    assert len(sent) == 1
    release.set()
    await asyncio.gather(first, second)

    assert (len(sent), context.totals.prompt_tokens + context.totals.completion_tokens) == (2, 6)


ODD = [
    Usage(),
    Usage(prompt_tokens=-500, completion_tokens=-100),
    Usage(prompt_tokens=2**63, completion_tokens=1),
    Usage(prompt_tokens=float("nan"), completion_tokens=1),  # type: ignore[arg-type]
    Usage(prompt_tokens=True, completion_tokens=1),
    Usage(prompt_tokens="12", completion_tokens=1),  # type: ignore[arg-type]
    Usage(prompt_tokens=1.5, completion_tokens=2.5),  # type: ignore[arg-type]
    Usage(prompt_tokens=None, completion_tokens=None),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("usage", ODD, ids=repr)
async def test_odd_usage_keeps_the_cap(open_completions, usage):
    """A count that cannot be true is an estimate from above, said once with its value, and the cap holds."""
    completions, context, journal = open_completions(limits=Limits(budget_tokens=500))
    sent = []

    def answer(request):
        sent.append(request)
        return Completion(text="x", usage=usage, cost_usd=float("nan"))

    backend = FunctionBackend(answer=answer, max_tokens=29)  # 50 tokens at most

    async def spend():
        for _ in range(40):
            await completions.complete(backend, ask())

    with pytest.raises(StopRun, match=r"limits\.budget-tokens: 500 of 500"):
        await spend()

    entries = journal.answers("m")
    assert len(sent) == len(entries) == 10
    assert {(e.counted, e.prompt_tokens, e.completion_tokens) for e in entries} == {("estimated", 21, 29)}
    assert (journal.totals().estimated_calls, journal.totals().calls) == (10, 10)
    assert all(math.isfinite(entry.cost_usd or 0.0) for entry in entries)
    assert list(context.warnings.values()) == [10]


@pytest.mark.parametrize("part", [-1, 11, True, "3", 2**63], ids=repr)
async def test_a_part_that_exceeds_its_whole_is_unknown(open_completions, part):
    """Cached tokens beyond those of the prompt cannot be true, and no share is computed from them."""
    completions, _, journal = open_completions()
    usage = Usage(prompt_tokens=10, completion_tokens=10, cached_tokens=part, reasoning_tokens=part)

    await completions.complete(FunctionBackend(answer=lambda _: Completion(text="x", usage=usage)), ask())

    (used,) = journal.uses("m")
    assert (used.prompt_tokens, used.cached_tokens, used.reasoning_tokens) == (10, None, None)


async def test_backends_settings_are_sent_and_recorded(open_completions):
    """What a request leaves open is taken from the backend, sent, and recorded as sent."""
    completions, _, journal = open_completions()
    seen = []
    backend = FunctionBackend(answer=lambda r: seen.append(r.sampling) or "x", temperature=0.3, max_tokens=7)

    await completions.complete(backend, ask(seed=5, temperature=0.9))

    assert (seen[0].temperature, seen[0].max_tokens, seen[0].seed) == (0.9, 7, 5)
    assert '"sampling":{"temperature":0.9,"max_tokens":7,"seed":5}' in journal.answers("m")[0].request


async def test_recorded_answer_needs_the_same_request(open_completions, scripted_backend):
    """A recorded answer is given to the same request, unasked; another request is an error that says what changed."""
    backend = scripted_backend("x")
    completions, _, journal = open_completions()
    await completions.complete(backend, ask("the old prompt"))
    known = journal.recorded("m")

    again, _, _ = open_completions(known=known)
    await again.complete(backend, ask("the old prompt"))
    other, _, _ = open_completions(known=known)
    with pytest.raises(ReplayMismatch, match=r"message 0 \(user\) differs from .*old prompt.* to .*new prompt"):
        await other.complete(backend, ask("the new prompt"))

    assert [request.messages for request in backend.requests] == [ask("the old prompt").messages]


async def test_changed_backend_is_named(open_completions):
    """When the backend's settings differ from those recorded, the error says which and how."""
    completions, _, journal = open_completions()
    await completions.complete(FunctionBackend(answer=str, temperature=0.0), ask())
    other, _, _ = open_completions(known=journal.recorded("m"))

    with pytest.raises(ReplayMismatch, match=r"temperature was 0\.0, is 1\.0|answer was"):
        await other.complete(FunctionBackend(answer=str, temperature=1.0), ask())


def test_swallowed_backend_error_is_no_move(play):
    """An agent that catches a backend's failure and plays on does not get away with it."""
    backend = FunctionBackend(answer=lambda request: 1 / 0, max_attempts=1)
    broken, _ = failing(9, RequestRejected("503 from upstream"))

    async def choose(decision, seat):
        try:
            await seat.completions.complete(broken, ask())
        except BackendError:
            return Reply(action="rock")
        return Refusal(kind=RefusalKind.EMPTY, reason="nothing")

    record = play(RockPaperScissors(rounds=1), [FunctionAgent(choose), playing("rock")]).over

    assert backend.max_attempts == 1
    assert record.ending is Ending.INFRASTRUCTURE_FAILURE
    assert "503 from upstream" in record.failure.reason


def test_swallowed_stop_is_a_stop(play):
    """An agent that catches everything cannot keep a run from stopping."""
    backend = FunctionBackend(answer=str)

    async def choose(decision, seat):
        try:
            await seat.completions.complete(backend, ask())
        except Exception:
            return Reply(action="rock")
        return Reply(action="rock")

    played = play(RockPaperScissors(rounds=1), [FunctionAgent(choose), playing("rock")], limits=Limits(budget_calls=0))

    assert played.record is None
    assert "budget-calls" in played.stopped
