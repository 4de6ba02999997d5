"""The runner: what is played, what is played again, what is kept, and what a broken part does to the rest."""

import asyncio

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply
from arena.backend import CompletionRequest, Message
from arena.errors import BackendError, ConfigError
from arena.hookspecs import Observer, hookimpl
from arena.metric import Measurement, Metric
from arena.record import Ending
from arena.testing import RANDOM, FunctionAgent, FunctionBackend
from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.benchmark.entries import AgentEntry, GameEntry
from arena_engine.execution.asyncio_executor import Asyncio
from arena_engine.execution.runner import create_run, extend_run, play_run
from arena_engine.job.executor import Limits
from arena_engine.job.schedules import RoundRobin
from arena_engine.journal import blocks
from arena_engine.journal.journal import Journal

from ....authoring.testing.tests.games_board import TicTacToe
from ....authoring.testing.tests.games_together import RockPaperScissors


def ask(text="?"):
    return CompletionRequest(messages=(Message.of("user", text),))


def benchmark(agents, game=None, repeats=3, **more):
    """A benchmark of one game made of real objects; its plain data tell two of them apart as a file would."""
    return Benchmark(
        name="test",
        seed=3,
        games={"g": GameEntry(game=game or TicTacToe(), use="g", players=2)},
        agents={name: AgentEntry(agent=agent, use=name) for name, agent in agents.items()},
        schedule=RoundRobin(repeats=repeats),
        executor=Asyncio(),
        plain={"seed": 3, "games": {"g": {}}, "agents": {name: {"use": str(agent)} for name, agent in agents.items()}},
        **more,
    )


def complain(name, hook, error):
    """Observers that break are told in the outcome as well."""


def go(made, directory, watchers=None, *, extending=False):
    """Start a run, or go on with the one that is there."""
    if not (directory / "journal.sqlite").exists():
        journal = create_run(made, directory)
    else:
        journal = extend_run(directory, made) if extending else Journal.open(directory, write=True)
    with journal:
        outcome = asyncio.run(play_run(journal, made, watchers or {}, complain))
        return outcome, list(journal.records())


def test_all_matches_are_played(run_dir):
    """Every planned match is played and recorded in the order of the plans."""
    outcome, records = go(benchmark({"a": RANDOM, "b": RANDOM}), run_dir)

    assert (outcome.planned, outcome.finished, outcome.exit_status) == (6, 6, 0)
    assert [r.id for r in records] == [f"g/{who}/{n}.{k}" for n in range(3) for k, who in enumerate(("a,b", "b,a"))]


def test_match_that_ends_while_others_are_handed_in_is_kept(run_dir):
    """Matches of agents that wait in all kinds of ways are all recorded, whenever they end."""

    async def choose(decision, seat):
        for _ in range(seat.rng.randrange(5)):
            await asyncio.sleep(0)
        return Reply(action=decision.sample(seat.rng))

    outcome, records = go(benchmark({"slow": FunctionAgent(choose), "b": RANDOM, "c": RANDOM}, repeats=20), run_dir)

    assert (outcome.finished, len(records), outcome.notes) == (120, 120, ())


@attrs.frozen
class Careless(Asyncio):
    """Loses every second match."""

    async def play(self, work, context):
        is_kept = True
        async for record in super().play(work, context):
            if is_kept:
                yield record
            is_kept = not is_kept


@pytest.mark.slow
def test_lost_matches_are_told(run_dir):
    """Matches that an executor does not hand in are missed, the status says so, and a resume plays them."""
    made = benchmark({"a": RANDOM, "b": RANDOM})

    outcome, records = go(attrs.evolve(made, executor=Careless()), run_dir)
    healed, _ = go(made, run_dir)

    assert (outcome.exit_status, len(records)) == (1, 3)
    assert "lost 3 matches" in outcome.notes[0]
    assert (healed.exit_status, healed.finished) == (0, 6)


def test_two_random_agents_share_no_luck(run_dir):
    """Two random players of one match, and one player in two repeats, draw from streams of their own."""
    _, records = go(benchmark({"a": RANDOM, "b": RANDOM}, RockPaperScissors(rounds=30), repeats=2), run_dir)

    sequences = {(r.id, p): [e.data["action"] for e in r.played() if e.player == p] for r in records for p in (0, 1)}

    assert len({tuple(s) for s in sequences.values()}) == len(sequences)


@pytest.mark.slow
def test_more_agents_and_repeats_shift_nobodys_luck(run_dir, tmp_path):
    """A run that is extended holds, for what it had, what it held before, and equals a run made at once."""
    small, large = benchmark({"a": RANDOM, "b": RANDOM}), benchmark({"a": RANDOM, "b": RANDOM, "c": RANDOM}, repeats=4)
    _, before = go(small, run_dir)

    outcome, after = go(large, run_dir, extending=True)
    _, at_once = go(large, tmp_path / "fresh")

    assert outcome.finished == 24
    assert after == at_once
    assert all(record in after for record in before)


@pytest.mark.slow
def test_extension_plays_nothing_again(run_dir, scripted_backend):
    """What was played is not asked again when a run is extended."""
    backend = scripted_backend("x")

    async def choose(decision, seat):
        await seat.completions.complete(backend, ask())
        return Reply(action=decision.options.actions[0])

    agent = FunctionAgent(choose)
    go(benchmark({"a": agent, "b": RANDOM}, repeats=1), run_dir)
    first = len(backend.requests)
    go(benchmark({"a": agent, "b": RANDOM}, repeats=1), run_dir, extending=True)

    assert first == len(backend.requests) > 0


def test_extension_with_another_agent_of_the_same_name_is_refused(run_dir):
    """A run cannot be extended by a benchmark in which something played means something else."""
    go(benchmark({"a": RANDOM, "b": RANDOM}), run_dir)
    other = benchmark({"a": RANDOM, "b": FunctionAgent(choose=lambda decision, seat: Reply(action=0))})

    with pytest.raises(ConfigError, match=r"agents\.b: differs from what was played"):
        extend_run(run_dir, other)


def test_extension_that_lacks_what_was_played_is_refused(run_dir):
    """A run stays what it was, so that nobody else's matches come under the name of an agent or game."""
    go(benchmark({"a": RANDOM, "b": RANDOM, "c": RANDOM}), run_dir)

    with pytest.raises(ConfigError, match=r"agents\.c: was played and is not there any more; put it back"):
        extend_run(run_dir, benchmark({"a": RANDOM, "b": RANDOM}))


def test_bug_in_an_agent_costs_its_match_alone(run_dir):
    """A match that breaks is recorded with reason and traceback, the others are played, and the status says so."""

    def choose(decision, seat):
        if seat.player == 1:
            raise ZeroDivisionError("my bug")
        return Reply(action=decision.options.actions[0])

    outcome, records = go(benchmark({"a": FunctionAgent(choose), "b": RANDOM}, repeats=1), run_dir)

    assert [r.ending for r in records] == [Ending.RULES, Ending.FAILED]
    assert records[1].failure.reason == "agent 'a': act in turn 1 raised ZeroDivisionError: my bug"
    assert "choose" in records[1].failure.traceback
    assert (outcome.exit_status, list(outcome.failed)) == (1, ["g/b,a/0.1"])


@pytest.mark.slow
def test_infrastructure_failure_is_played_again_and_paid_once(run_dir):
    """A match cut short by its backend is no result; resumed, it asks only for what is missing."""
    asked = []

    def answer(request):
        asked.append(request.messages[0].text)
        if len(asked) == 3:
            raise BackendError("down")
        return "x"

    backend = FunctionBackend(answer=answer)

    async def choose(decision, seat):
        await seat.completions.complete(backend, ask(f"turn {decision.turn}"))
        return Reply(action="rock")

    made = benchmark({"a": FunctionAgent(choose), "b": RANDOM}, RockPaperScissors(rounds=4), repeats=1)
    made = attrs.evolve(made, schedule=RoundRobin(repeats=1, rotate_seats=False), limits=Limits(concurrency=1))
    broken, first = go(made, run_dir)
    healed, second = go(made, run_dir)

    assert (broken.exit_status, first[0].ending, first[0].returns) == (1, Ending.INFRASTRUCTURE_FAILURE, None)
    assert (healed.exit_status, second[0].ending) == (0, Ending.RULES)
    assert asked == ["turn 0", "turn 1", "turn 2", "turn 2", "turn 3"]


@attrs.frozen(kw_only=True)
class Unset(FunctionBackend):
    """Finds out when it connects that something is missing."""

    async def connect(self):
        raise ConfigError("the environment variable NO_SUCH_KEY is not set; set it")


def test_backend_that_cannot_be_set_up_is_no_bug(run_dir):
    """What is wrong with the configuration of a backend ends the match in one sentence, without a traceback."""
    backend = Unset(answer=str)

    async def choose(decision, seat):
        await seat.completions.complete(backend, ask())
        return Reply(action=0)

    outcome, records = go(benchmark({"a": FunctionAgent(choose), "b": RANDOM}, repeats=1), run_dir)

    assert {r.ending for r in records} == {Ending.INFRASTRUCTURE_FAILURE}
    assert {r.failure.traceback for r in records} == {""}
    assert set(outcome.failed.values()) == {"the environment variable NO_SUCH_KEY is not set; set it"}


def test_value_that_is_no_json_fails_its_match(run_dir):
    """An agent that logs what is no JSON has a bug; the run goes on."""
    odd = FunctionAgent(lambda decision, seat: Reply(action=decision.options.actions[0], note={1, 2}))

    outcome, records = go(benchmark({"a": odd, "b": RANDOM}, repeats=1), run_dir)

    assert {r.ending for r in records} == {Ending.FAILED}
    assert "no JSON" in next(iter(outcome.failed.values()))


@attrs.frozen
class Jury(Metric):
    """Asks a model about each match."""

    backend: FunctionBackend

    def measure(self, match):
        return ()

    async def judge(self, match, completions):
        completion = await completions.complete(self.backend, ask(match.record.id))
        return [Measurement(name="verdict", value=completion.text)]

    def summarize(self, measurements):
        return ()


def test_judges_are_asked_once(run_dir, scripted_backend):
    """A judge sees each finished match once; what it found is kept and not asked for again."""
    jury = Jury(scripted_backend("fine"))
    made = benchmark({"a": RANDOM, "b": RANDOM}, metrics={"jury": jury})

    go(made, run_dir)
    asked_at_first = len(jury.backend.requests)
    go(made, run_dir)

    assert asked_at_first == len(jury.backend.requests) == 6
    with Journal.open(run_dir) as journal:
        assert [m[0].value for m in journal.judgements("jury").values()] == ["fine"] * 6


def test_judge_that_fails_is_told(run_dir):
    """A judge that cannot judge does not stop the others; the outcome says which match and why."""

    def answer(request):
        if "0.1" in request.messages[0].text:
            raise BackendError("no such model")
        return "fine"

    outcome, _ = go(
        benchmark({"a": RANDOM, "b": RANDOM}, metrics={"jury": Jury(FunctionBackend(answer=answer))}), run_dir
    )

    assert outcome.exit_status == 1
    assert outcome.notes == ("metric 'jury' could not judge match 'g/b,a/0.1': FunctionBackend: no such model",)


@attrs.frozen
class Watch(Observer):
    """Watches with an object given."""

    watcher: object = attrs.field(eq=False)

    def start(self):
        return self.watcher


class Shaky:
    @hookimpl
    def match_finished(self, record):
        raise KeyError("lost")


def test_broken_observer_is_told_and_the_run_goes_on(run_dir):
    """An observer that breaks changes no match; the outcome names it."""
    made = benchmark({"a": RANDOM, "b": RANDOM}, observers={"shaky": Watch(Shaky())})

    outcome, records = go(made, run_dir)

    assert len(records) == 6
    assert outcome.notes == ("observer 'shaky' failed in match_finished: KeyError: 'lost'",)


class Enough:
    """Stops the run after two matches."""

    def __init__(self):
        self.seen = 0

    @hookimpl
    def match_finished(self, record):
        from arena.errors import StopRun

        self.seen += 1
        if self.seen == 2:
            raise StopRun("two are enough")


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("part", [1, 4, 5_000])
def test_observer_may_stop_the_run(run_dir, tmp_path, monkeypatch, part):
    """StopRun of an observer ends the run with status 3; resumed, it plays exactly what is left, to the same end."""
    monkeypatch.setattr(blocks, "PLANNED", part)
    made = benchmark({"a": RANDOM, "b": RANDOM}, limits=Limits(concurrency=1))

    stopped, first = go(made, run_dir, {"enough": Enough()})
    finished, second = go(made, run_dir)

    assert (stopped.exit_status, stopped.stopped, len(first)) == (3, "two are enough", 1)
    assert (stopped.planned, finished.exit_status) == (6, 0)
    assert second == go(made, tmp_path / "whole")[1]


def test_every_ending_by_refusals(run_dir):
    """What a player could not read is a forfeit by format, what it may not play a forfeit by illegal actions."""
    mute = FunctionAgent(lambda decision, seat: Refusal(kind=RefusalKind.EMPTY, reason="nothing was said"))
    rash = FunctionAgent(lambda decision, seat: Reply(action="off the board"))

    _, records = go(benchmark({"mute": mute, "rash": rash}, repeats=1), run_dir)

    assert [(r.ending, r.returns, r.forfeited) for r in records] == [
        (Ending.FORFEIT_FORMAT, (-1.0, 1.0), (0,)),
        (Ending.FORFEIT_ILLEGAL, (-1.0, 1.0), (0,)),
    ]
    with Journal.open(run_dir) as journal:
        assert {(each.at_fault, each.winner) for each in journal.summaries()} == {((0,), 1)}
        assert {(each.at_fault, each.matches) for each in journal.pairing_totals()} == {((0,), 1)}
