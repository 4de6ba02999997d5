"""Seats that somebody outside plays: they take no place of other matches, and nobody waits for ever for them."""

import asyncio

import attrs
import pytest
from arena.agent import Agent, Outside, PlayerAgent, Reply
from arena.errors import ConfigError
from arena.hookspecs import hookimpl
from arena.record import Ending
from arena.testing import RANDOM
from arena_engine.execution.control import Control
from arena_engine.job.executor import Executor, Limits
from arena_engine.match.opening import Opening

from .test_control import go
from .test_runner import benchmark


@attrs.define(eq=False)
class Person(Agent):
    """Somebody outside, who answers with the first legal action once ``answers`` says so."""

    how: Outside = attrs.field(factory=Outside)
    answers: bool = False
    asked: list = attrs.field(factory=list)
    received: list = attrs.field(factory=list)

    @property
    def outside(self):
        return self.how

    def join(self, seat):
        return PersonPlayer(self, seat)


class PersonPlayer(PlayerAgent):
    def __init__(self, person, seat):
        self.person, self.seat = person, seat
        self.message = None

    async def act(self, decision):
        async def ask():
            self.person.asked.append(self.seat.player)
            self.message = asyncio.get_running_loop().create_future()
            if self.person.answers:
                await asyncio.sleep(0)
                return decision.options.actions[0]
            return await self.message

        return Reply(action=await self.seat.once("asked", ask))

    async def receive(self, message):
        self.message.set_result(message)
        return {"thanks": self.seat.player}


def made(person, repeats=2, **limits):
    """One match of a person in each seat and repeat, after which there are those of two programs."""
    return benchmark(
        {"person": person, "a": RANDOM, "b": RANDOM}, repeats=repeats, limits=Limits(**(limits or {"concurrency": 1}))
    )


def of_person(records):
    return [record for record in records if "person" in record.agents]


def test_waiting_for_a_person_takes_no_place(run_dir):
    """With one place all matches of programs are played while a person is waited for; then the run ends."""
    person = Person(Outside(absent="pause"))

    outcome, records = go(made(person), run_dir, Control())

    assert [record.agents for record in records] == [("a", "b"), ("b", "a")] * 2
    assert person.asked == [1]
    assert outcome.stopped == f"waits for 1 seat: arena view {run_dir}"
    assert outcome.exit_status == 3


def test_run_that_is_stopped_says_for_whom_it_waited(run_dir):
    """Somebody outside who has not answered is no work that is cut off; what stops the run says that it waited."""
    control = Control(is_attended=True)

    class Stops:
        @hookimpl
        def player_waited(self, plan, player):
            asyncio.get_running_loop().call_later(0.05, control.stop, "interrupted", 0.5)

    outcome, _ = go(made(Person(Outside(absent="wait")), repeats=1), run_dir, control, {"stops": Stops()})

    assert outcome.stopped == "interrupted; it waited for 1 seat"


@pytest.mark.slow
def test_resumed_run_waits_for_the_same_seat_and_does_not_hang(run_dir):
    """What a person has answered is not asked again; the rest is played, and the run ends as before."""
    person = Person(Outside(absent="wait"), answers=True)

    @attrs.define
    class Stops:
        control: Control

        @hookimpl
        def player_returned(self, plan, player):
            person.answers = False
            self.control.attend(is_here=False)

    control = Control(is_attended=True)
    first, records = go(made(person), run_dir, control, {"stops": Stops(control)})
    asked = list(person.asked)
    again, _ = go(made(person), run_dir, Control())
    person.answers = True
    done, records = go(made(person), run_dir, Control(is_attended=True))

    assert asked == [1, 1]
    assert person.asked[2] == 1
    assert first.stopped == again.stopped
    assert done.stopped is None
    assert len(of_person(records)) == 8


def test_run_that_is_watched_waits(run_dir):
    """As long as somebody watches, a run waits; when nobody does any more, it ends."""
    control, person, seen = Control(is_attended=True), Person(Outside(absent="wait")), []

    class Leaves:
        @hookimpl
        def player_waited(self, plan, player):
            asyncio.get_running_loop().call_later(0.05, self.go)

        def go(self):
            seen.append((control.state.waiting, control.state.stopping))
            control.attend(is_here=False)

    outcome, records = go(made(person), run_dir, control, {"leaves": Leaves()})

    ((waiting, stopping),) = seen
    assert [(seat.match, seat.player, seat.agent) for seat in waiting] == [("g/a,person/0.0", 1, "person")]
    assert stopping is None
    assert of_person(records) == []
    assert outcome.stopped.startswith("waits for 1 seat")


def test_who_comes_within_the_grace_is_waited_for(run_dir):
    """A run in which only seats are left waits a while for somebody who attends it, and then as long as they do."""
    control, person, seen = Control(grace_s=0.2), Person(Outside(absent="wait")), []

    class Comes:
        @hookimpl
        def player_waited(self, plan, player):
            loop = asyncio.get_running_loop()
            loop.call_later(0.01, control.attend)
            loop.call_later(0.4, self.go)

        def go(self):
            seen.append(control.state.stopping)
            control.attend(is_here=False)

    outcome, _ = go(made(person, repeats=1), run_dir, control, {"comes": Comes()})

    assert seen == [None]
    assert outcome.stopped.startswith("waits for 1 seat")


def test_person_who_does_not_come_leaves(run_dir):
    """After the time that the benchmark gives, a seat gets up; its match is a forfeit, and the run goes on."""
    person = Person(Outside(absent="leave", absent_s=0.01, at_once=9))

    outcome, records = go(made(person, repeats=1, concurrency=2), run_dir, Control())

    assert outcome.stopped is None
    assert {record.ending for record in of_person(records)} == {Ending.FORFEIT_LEFT}


def test_person_who_does_not_come_ends_a_run_that_is_watched(run_dir):
    """With ``pause``, somebody who watches is waited for no longer than the benchmark says."""
    person = Person(Outside(absent="pause", absent_s=0.01))

    outcome, records = go(made(person), run_dir, Control(is_attended=True))

    assert outcome.stopped.startswith("waits for 1 seat")
    assert len(records) == 4


def test_person_sits_in_one_match_at_a_time(run_dir):
    """Matches of one person come one after another, however many places there are, in the order of the plan."""
    person, together = Person(Outside(absent="pause"), answers=True), []
    control = Control(is_attended=True)

    class Counts:
        @hookimpl
        def player_waited(self, plan, player):
            together.append([id_ for id_ in control.state.playing if "person" in id_])

    _, records = go(made(person, concurrency=8), run_dir, control, {"counts": Counts()})

    assert len(of_person(records)) == 8
    assert max(map(len, together)) == 1
    assert list(dict.fromkeys(id_ for (id_,) in together)) == [record.id for record in of_person(records)]


def test_match_that_comes_back_has_the_next_place(run_dir):
    """A person who has answered plays on before new matches begin, and no more are played than there are places."""
    person, control, begun = Person(answers=True), Control(is_attended=True), []

    class Watches:
        @hookimpl
        def match_started(self, plan):
            waiting = {seat.match for seat in control.state.waiting}
            begun.append(len(set(control.state.playing) - waiting))

    _, records = go(made(person, concurrency=1), run_dir, control, {"watches": Watches()})

    assert len(records) == 12
    assert max(begun) <= 1


def test_message_reaches_the_agent_of_a_seat(run_dir):
    """What is sent through the handle of a run is answered by the agent; other agents say that they take none."""
    control, person, said = Control(is_attended=True), Person(Outside(at_once=1)), []

    class Sends:
        @hookimpl
        def player_waited(self, plan, player):
            said.append(asyncio.get_running_loop().create_task(self.send(plan, player)))

        async def send(self, plan, player):
            for _ in range(5):  # until the agent has asked
                await asyncio.sleep(0)
            with pytest.raises(Exception, match="takes no messages"):
                await control.received(plan.id, 1 - player, {})
            state = await control.received(plan.id, player, 99)
            control.attend(is_here=False)
            return state

    outcome, _ = go(made(person, repeats=1), run_dir, control, {"sends": Sends()})

    assert said[0].result() == {"thanks": 1}
    assert outcome.finished


def test_match_that_is_branched_to_a_person_waits_for_it(run_dir):
    """Behind an opening somebody outside is waited for, and told, like without one."""
    person = Person(Outside(absent="pause"))
    opening = Opening(agent=person, moves=())

    outcome, _ = go(made(opening, repeats=1), run_dir, Control())

    assert outcome.stopped.startswith("waits for 1 seat")


def test_executor_that_cannot_wait_is_refused():
    """An agent whom somebody outside plays does not fit an executor that plays elsewhere."""

    class Elsewhere(Executor):
        def play(self, job, context):
            raise NotImplementedError

    from arena_engine.benchmark.preflight import unreachable

    (problem,) = unreachable({"person": Person()}, Elsewhere())

    assert "cannot wait for 'person'" in str(problem)
    with pytest.raises(ConfigError):
        raise ConfigError(str(problem))
