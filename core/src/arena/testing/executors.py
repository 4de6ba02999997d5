"""Prove that an executor keeps its contract."""

import asyncio
import contextlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs

from arena.agent import Reply, Seat, Turn
from arena.bus import Bus
from arena.desk import FrontDesk
from arena.errors import StopRun
from arena.executor import Executor, Limits, Work
from arena.game import Decision
from arena.journal import Journal
from arena.local import Asyncio
from arena.record import Ending, MatchPlan, MatchRecord, canonical
from arena.testing.conformance import ConformanceError
from arena.testing.journals import HEADER
from arena.testing.refereed import complain
from arena.testing.stand_ins import RANDOM, FunctionAgent
from arena.testing.yardstick import YARDSTICK

_MATCHES = 6


@attrs.frozen(kw_only=True)
class ExecutorReport:
    """How many ``matches`` were played, and how many ``answers`` from outside passed the desk."""

    executor: str
    matches: int
    answers: int


async def _ask(decision: Decision, seat: Seat) -> Turn:
    """Ask somebody outside, who draws a legal action."""
    return Reply(action=await seat.once("draw", lambda: decision.sample(seat.rng)))


async def _break(decision: Decision, seat: Seat) -> Turn:
    raise ValueError("this agent is broken on purpose")


def check_executor(executor: Executor, work: Work | None = None) -> ExecutorReport:
    """Play the same matches by ``executor`` and in this process, and compare what was written down.

    Without ``work`` there are a few matches of a tiny game, of agents that ask somebody outside, and one with an agent
    that breaks. An executor that builds games and agents elsewhere, from ``work.plain``, needs a ``work`` that has it.
    Checked: each match is yielded once and is equal, byte for byte; every answer from outside passes the desk; a
    match that breaks is one failed match; a desk that stopped ends it. ``ConformanceError`` says what was found.

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
        raise ConformanceError("answers", f"{kept} answers from outside passed the desk, of {answers} that were asked")
    return ExecutorReport(executor=repr(executor), matches=len(found), answers=kept)


def _work() -> Work:
    agents = {"asking": FunctionAgent(_ask), "random": RANDOM, "broken": FunctionAgent(_break)}
    pairs = [("asking", "random") if n % 2 else ("random", "asking") for n in range(_MATCHES)]
    plans = [_plan(pair, number) for number, pair in enumerate([*pairs, ("broken", "random")])]
    return Work(plans=plans, games={"count": YARDSTICK}, agents=agents, seed=0, limits=Limits(concurrency=3))


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


async def _played(executor: Executor, work: Work, *, is_stopped: bool = False) -> tuple[list[MatchRecord], int]:
    """All matches that were yielded, and how many answers were kept."""
    records: list[MatchRecord] = []
    with tempfile.TemporaryDirectory() as place, Journal.create(Path(place) / "run", HEADER, work.plans) as journal:
        desk = FrontDesk(journal, work.limits, Bus({}, complain))
        if is_stopped:
            desk.stop("stopped on purpose")
        playing = executor.play(work, desk)
        with contextlib.suppress(StopRun):
            async with contextlib.aclosing(playing):  # type: ignore[type-var]  # executors are async generators
                async for record in playing:
                    records.append(record)
        await journal.flush()
        if is_stopped and records:
            raise ConformanceError("stop", f"{len(records)} matches were played although the run was to end")
        return records, sum(len(journal.answers(plan.id)) for plan in work.plans)


def _difference(wanted: MatchRecord, found: MatchRecord) -> str | None:
    if wanted.ending is not found.ending:
        return f"ended as {str(found.ending)!r}, and in one process as {str(wanted.ending)!r}"
    if wanted.ending is Ending.FAILED:  # tracebacks tell where it was played
        return None
    if canonical(wanted.to_json()) != canonical(found.to_json()):
        return f"is {canonical(found.to_json())[:300]}, and in one process {canonical(wanted.to_json())[:300]}"
    return None
