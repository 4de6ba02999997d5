"""An agent that plays in a process of its own plays the same there, holds nothing up, and is ended when it is late."""

import json
import os
import signal
import time

import pytest
from arena_engine import Journal

from .sources import AGENT

OWN = "\nA.plays_in_own_process = True\n"
ONCE = "illegal-actions: {retries: 0}"
SAYS = """

def note(**facts):
    import json
    with open("notes", "a") as log:
        log.write(json.dumps(facts) + "\\n")
"""


def records(lab):
    """The matches of the run."""
    with Journal.open(lab.directory / "run") as journal:
        return list(journal.records())


def notes(lab):
    """What the agent has written down, from whichever process."""
    return [json.loads(line) for line in (lab.directory / "notes").read_text().splitlines()]


def is_running(number):
    """Whether there is a process of this number that has not ended."""
    try:
        with open(f"/proc/{number}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_search_that_holds_the_interpreter_is_late_and_others_play_on(lab):
    """OpenSpiel's search at chess would take some seconds a move; it is late after one, and other matches end.

    At tic-tac-toe it takes so much less that it is in time on a busy machine, too.
    """
    lab.benchmark(
        "games: {long: {use: chess}, short: {use: tic-tac-toe}}\n"
        "agents: {m: {use: mcts, simulations: 4000}, r: first-legal}\n"
        "limits: {turn-seconds: 1}\nmetrics: []\n" + ONCE
    )

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    assert {r.game: str(r.ending) for r in records(lab)} == {"long": "forfeit-time", "short": "rules"}


@pytest.mark.slow
def test_search_that_holds_the_interpreter_is_cut_off(lab, alone):
    """Ctrl-C ends the run within two seconds, and the search with it; the agent is named."""
    lab.install(
        AGENT.format("def act(self, d): note(pid=os.getpid()); held(); return first(d)") + OWN + SAYS,
        hostile="agents A",
    )
    alone(agent="hostile")

    done = lab.signalled(signal.SIGINT, "run", "b.yaml", "-o", "run", "-q")

    assert done.code == 3, done  # what it computes would take minutes, in which the test would have ended it
    assert "agent 'a' (lab.parts:P.act)" in done.status
    assert not any(is_running(each["pid"]) for each in notes(lab))


@pytest.mark.slow
def test_run_that_is_killed_leaves_no_process_behind(lab, alone):
    """After ``kill -9`` of the command, a worker process ends too, even while code in C holds its interpreter."""
    body = "def act(self, d): note(pid=os.getpid(), run=os.getppid()); held(); return first(d)"
    lab.install(AGENT.format(body) + OWN + SAYS, hostile="agents A")
    alone(agent="hostile")
    process = lab.start("run", "b.yaml", "-o", "run", "-q")
    lab.reached(process)
    (found,) = notes(lab)[:1]

    os.kill(found["run"], signal.SIGKILL)
    lab.ended(process)

    end = time.monotonic() + 10
    while is_running(found["pid"]):
        assert time.monotonic() < end, "the worker process goes on"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("how", "ending", "sentence"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "infrastructure-failure", "was ended from outside, by SIGKILL"),
        ("os._exit(7)", "failed", "ended with exit code 7, without an answer"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "failed", "ended by SIGSEGV, without an answer"),
    ],
)
@pytest.mark.sample(fast=1)
def test_process_that_vanishes_is_no_move(lab, alone, how, ending, sentence):
    """A process that ends during a turn fails its match with a sentence; nothing is played for its agent."""
    body = f"def act(self, d):\n        if d.turn == 1: {how}\n        return first(d)"
    lab.install(AGENT.format(body) + OWN, hostile="agents A")
    alone(agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 1, done
    assert f"agent 'a' (lab.parts:P.act): its process {sentence}" in done.status
    assert {str(r.ending) for r in records(lab)} == {ending}
    played = [(r.plan.agents[e.player], e) for r in records(lab) for e in r.events if e.kind == "played"]
    assert all(event.data["turn"] == 0 for agent, event in played if agent == "a")


@pytest.mark.slow
def test_late_process_is_made_anew(lab, alone):
    """An agent that was late joins again in another process, and is told again what its player has seen."""
    body = """def act(self, d):
        self.turns = getattr(self, 'turns', 0) + 1
        note(pid=os.getpid(), turn=d.turn, turns=self.turns, news=len(d.news))
        if d.turn == 1: time.sleep(60)
        return first(d)"""
    lab.install(AGENT.format(body) + OWN + SAYS, hostile="agents A")
    policy = "illegal-actions: {retries: 0, then: random}"
    plan = "use: fixed, seatings: [[a, r]]"
    alone("metrics: []", "limits: {turn-seconds: 0.5}", policy, agent="hostile", schedule=plan)

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    one, late, again = notes(lab)[:3]
    assert one["pid"] == late["pid"] != again["pid"]
    assert [each["turns"] for each in (one, late, again)] == [1, 2, 1]
    assert [each["news"] for each in (one, late, again)] == [0, 2, 4]


@pytest.mark.slow
def test_late_turn_of_a_process_is_late_again_on_resume(lab, alone):
    """A replayed match does without the process that was late, and goes on as it did."""
    body = """def act(self, d):
        self.turns = getattr(self, 'turns', 0) + 1
        if d.turn == 2 and not Path("killed").exists():
            Path("killed").touch()
            os.kill(os.getppid(), signal.SIGKILL)
        if d.turn == 1: time.sleep(60)
        return Reply(action=first(d).action, note=[self.turns, self.seat.rng.random(), len(d.news)])"""
    lab.install(AGENT.format(body) + OWN, hostile="agents A")
    limits = "limits: {turn-seconds: 0.5, concurrency: 1}"
    alone("metrics: []", limits, "illegal-actions: {retries: 0, then: random}", agent="hostile")

    killed = lab.run("run", "b.yaml", "-o", "run", "-q")
    resumed = lab.run("resume", "run", "-q")
    whole = lab.run("run", "b.yaml", "-o", "whole", "-q")

    assert "the process ended by SIGKILL" in killed.status
    assert (killed.code, resumed.code, whole.code) == (1, 0, 0), resumed
    with Journal.open(lab.directory / "whole") as journal:
        assert records(lab) == list(journal.records())


ERRORS = {
    "raises": "def act(self, d): raise LookupError('no idea')",
    "raises an error of its own": "def act(self, d):\n        class Odd(Exception): pass\n        raise Odd(1, 2)",
    "raises in an async act": "async def act(self, d): raise KeyError('x')",
    "returns junk": "def act(self, d): return {'a': 1}",
    "returns no JSON": "def act(self, d): return Reply(action={1, 2})",
    "exits": "def act(self, d): raise SystemExit(3)",
    "fails to join": "def __init__(self, seat): raise ValueError('not me')",
    "asks for what is not offered": "async def act(self, d): await d.nothing",
    "reads a stale decision": (
        "kept = None\n    def act(self, d):\n        if self.kept: self.kept.observation\n"
        "        self.kept = d\n        return first(d)"
    ),
    "gives no JSON to once": "async def act(self, d): await self.seat.once('x', lambda: {1}); return first(d)",
    "fails in once": "async def act(self, d): await self.seat.once('x', lambda: 1 / 0); return first(d)",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", ERRORS)
@pytest.mark.sample(slow=3)
def test_errors_read_as_they_do_in_a_thread(lab, alone, how):
    """What is wrong with an agent is said in the same words wherever it plays."""
    both = "\n@attrs.frozen\nclass B(A):\n    plays_in_own_process = True\n"
    lab.install(AGENT.format(ERRORS[how]) + both, thread="agents A", process="agents B")
    said = []
    for agent in ("thread", "process"):
        alone(agent=agent)
        done = lab.run("run", "b.yaml", "-o", agent, "-q")
        assert done.code == 1, done
        with Journal.open(lab.directory / agent) as journal:
            said.append([(str(r.ending), r.failure and r.failure.reason) for r in journal.records()])

    assert said[0] == said[1]
    assert said[0][0][1]


@pytest.mark.slow
def test_answers_from_outside_are_journaled_there_too(lab, alone):
    """What ``seat.once`` gave in a worker process is asked for once, and told again when the run is resumed."""
    body = """async def act(self, d):
        def ask():
            note(player=d.player, turn=d.turn)
            return {"number": os.getpid() * 0 + d.turn}
        async def wait():
            await asyncio.sleep(0)
            return ask()
        found = await self.seat.once("x", wait if d.turn % 2 else ask)
        if d.turn == 2 and not Path("killed").exists():
            Path("killed").touch()
            os.kill(os.getppid(), signal.SIGKILL)
        return Reply(action=first(d).action, note=found)"""
    lab.install(AGENT.format(body) + OWN + SAYS, hostile="agents A")
    alone("metrics: []", "limits: {concurrency: 1}", agent="hostile")

    killed = lab.run("run", "b.yaml", "-o", "run", "-q")
    resumed = lab.run("resume", "run", "-q")

    assert (killed.code, resumed.code) == (1, 0), resumed
    (first, *_) = records(lab)
    given = [e.data["note"]["number"] for e in first.events if e.kind == "played" and e.data.get("note")]
    assert given == list(range(len(given)))
    asked = [each["turn"] for each in notes(lab) if each["player"] == 0]
    assert asked[: len(given)] == given


@pytest.mark.slow
def test_keys_do_not_go_there(lab, alone, monkeypatch):
    """A worker process gets the environment without what is named like a credential."""
    monkeypatch.setenv("SOME_API_KEY", "sk-not-there")
    monkeypatch.setenv("SOME_WORD", "there")
    body = "def act(self, d): note(**{k: v for k, v in os.environ.items() if 'SOME' in k}); return first(d)"
    lab.install(AGENT.format(body) + OWN + SAYS, hostile="agents A")
    alone(agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    assert notes(lab)[0] == {"SOME_WORD": "there"}


@pytest.mark.slow
def test_short_matches_share_few_processes(lab, alone):
    """Matches that take no time need no more processes than there are processors, and leave none behind."""
    lab.install(AGENT.format("def act(self, d): note(pid=os.getpid()); return first(d)") + OWN + SAYS, a="agents A")
    alone(agent="a", schedule="use: round-robin, repeats: 20")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    numbers = {each["pid"] for each in notes(lab)}
    assert len(numbers) <= len(os.sched_getaffinity(0)) + 1
    assert not any(map(is_running, numbers))


@pytest.mark.slow
def test_match_that_waits_for_others_does_not_hold_them_up(lab, alone):
    """Where every process is in use and none computes, more are started: two agents wait for each other here."""
    body = """def act(self, d):
        Path(f"here {os.getpid()}").touch()
        while len(list(Path.cwd().glob("here *"))) < 1: time.sleep(0.01)
        return first(d)"""
    slow = "\n\nclass W(Playing):\n    async def act(self, d):\n        " + (
        "while len(list(Path.cwd().glob('here *'))) < 6: await asyncio.sleep(0.01)\n        return first(d)\n\n"
        "@attrs.frozen\nclass S(Agent):\n    def join(self, seat): return W(seat)\n"
    )
    lab.install(AGENT.format(body) + OWN + slow, hostile="agents A", slow="agents S")
    lab.benchmark(
        "games: {g: tic-tac-toe}\nagents: {a: {use: hostile}, s: {use: slow}}\nmetrics: []\n"
        "schedule: {use: fixed, seatings: [[a, s]], repeats: 6}"
    )

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    assert len(records(lab)) == 6


@pytest.mark.slow
def test_agent_that_asks_models_cannot_play_there(lab):
    """Models are asked by the run's process alone, since keys stay there; a sentence says so."""
    code = """
@attrs.frozen
class A(Agent):
    plays_in_own_process = True
    backend: Backend

    def join(self, seat):
        return Playing(seat)
"""
    lab.install(code, hostile="agents A")
    lab.benchmark("games: {g: tic-tac-toe}\nagents: {a: {use: hostile, backend: scripted}, r: random}\nmetrics: []\n")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 1, done
    assert "agent 'a': it plays in a process of its own and asks models (backend)" in done.status
