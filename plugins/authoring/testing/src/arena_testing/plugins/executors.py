"""Prove that an executor keeps its contract."""

import asyncio
import contextlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs
from arena.agent import Reply, Response, Seat
from arena.errors import StopRun
from arena.game import Decision
from arena.record import Ending, MatchPlan, MatchRecord, canonical_json
from arena_engine import Bus, EncodedMatch, Executor, Job, Journal, Limits
from arena_engine.execution import Asyncio, JournaledRun

from arena_testing.fixtures.fakes import RANDOM, FunctionAgent
from arena_testing.fixtures.play_match import HEADER, complain
from arena_testing.fixtures.reference_game import REFERENCE_GAME
from arena_testing.foundation.conformance import ConformanceError

_MATCHES = 6


@attrs.frozen(kw_only=True)
class ExecutorReport:
    """The number of ``matches`` played and of recorded ``answers`` (completions and the like) in the journal."""

    executor: str
    matches: int
    answers: int


async def _ask(decision: Decision, seat: Seat) -> Response:
    """Play a random legal action, drawn inside ``seat.once`` so that the journal must record it."""
    return Reply(action=await seat.once("draw", lambda: decision.sample(seat.rng)))


async def _break(decision: Decision, seat: Seat) -> Response:
    raise ValueError("this agent is broken on purpose")


def check_executor(executor: Executor, work: Job | None = None) -> ExecutorReport:
    """Play the same matches with ``executor`` and in this process, and compare what was recorded.

    Without ``work`` they are a few matches of a tiny game between agents whose answers must be recorded, one of them
    with an agent that raises. An executor that builds games and agents elsewhere, from ``work.plain``, needs a ``work``
    that has it.

    Checked: each match is yielded once and equals the local one byte for byte; every answer from outside is recorded in
    the run; an agent that raises fails one match only; a run that is asked to stop ends. ``ConformanceError`` says what
    was found.

    Not to be called inside a running event loop.
    """
    work = work or _work()
    wanted, answers = asyncio.run(_played(Asyncio(), work))
    try:
        found, kept = asyncio.run(_played(executor, work))
        asyncio.run(_played(executor, work, is_stopped=True))
    except ConformanceError:
        raise
    except Exception as error:
        raise ConformanceError("crash", f"play raises {type(error).__name__}: {error}") from error
    ids = [record.id for record in found]
    if sorted(ids) != sorted(plan.id for plan in work.plans):
        raise ConformanceError("matches", f"of {len(work.plans)} matches, {len(ids)} were yielded: {sorted(ids)!r}")
    expected = {record.id: record for record in wanted}
    for record in found:
        if fault := _difference(expected[record.id], record):
            raise ConformanceError("records", f"the match {record.id!r} {fault}")
    if kept != answers:
        raise ConformanceError("answers", f"{kept} answers from outside were recorded, of {answers} that were asked")
    return ExecutorReport(executor=repr(executor), matches=len(found), answers=kept)


def _work() -> Job:
    agents = {"asking": FunctionAgent(_ask), "random": RANDOM, "broken": FunctionAgent(_break)}
    pairs = [("asking", "random") if n % 2 else ("random", "asking") for n in range(_MATCHES)]
    plans = [_plan(pair, number) for number, pair in enumerate([*pairs, ("broken", "random")])]
    return Job(plans=plans, games={"count": REFERENCE_GAME}, agents=agents, seed=0, limits=Limits(concurrency=3))


def _plan(agents: Sequence[str], repeat: int) -> MatchPlan:
    who, pairing = ",".join(agents), ",".join(sorted(agents))
    return MatchPlan(
        id=f"count/{who}/{repeat}.0",
        game="count",
        agents=tuple(agents),
        pairing=pairing,
        repeat=repeat,
        rotation=0,
        chance_seed=repeat,
    )


async def _played(executor: Executor, work: Job, *, is_stopped: bool = False) -> tuple[list[MatchRecord], int]:
    """All matches that the executor yielded, and the number of answers that it recorded."""
    plans = {plan.id: plan for plan in work.plans}
    records: list[MatchRecord] = []
    with tempfile.TemporaryDirectory() as place, Journal.create(Path(place) / "run", HEADER, work.plans) as journal:
        context = JournaledRun(journal, work.limits, Bus({}, complain))
        if is_stopped:
            context.stop("stopped on purpose")
        playing = executor.play(work, context)
        with contextlib.suppress(StopRun):
            async with contextlib.aclosing(playing):  # type: ignore[type-var]  # executors are async generators
                async for match in playing:
                    records.append(match.record(plans[match.id]) if isinstance(match, EncodedMatch) else match)
        await journal.flush()
        if is_stopped and records:
            raise ConformanceError("stop", f"{len(records)} matches were played although the run was to end")
        return records, sum(len(journal.answers(plan.id)) for plan in work.plans)


def _difference(wanted: MatchRecord, found: MatchRecord) -> str | None:
    if wanted.ending is not found.ending:
        return f"ended as {str(found.ending)!r}, and in one process as {str(wanted.ending)!r}"
    if wanted.ending is Ending.FAILED:  # a traceback contains paths of the process that played the match
        return None
    if canonical_json(wanted.to_json()) != canonical_json(found.to_json()):
        return (
            f"is {canonical_json(found.to_json())[:300]}, and in one process {canonical_json(wanted.to_json())[:300]}"
        )
    return None
