"""A turn ends at its limit, however an agent spends it, and what does not give way is named."""

import pytest
from arena_engine import Journal

from .sources import AGENT

LIMITS = "limits: {turn-seconds: 0.5, concurrency: 4}"
ONCE = "illegal-actions: {retries: 0}"


def endings(lab):
    """How each match of the run ended, by its id."""
    with Journal.open(lab.directory / "run") as journal:
        return {match: str(ending) for match, ending in journal.endings().items()}


@pytest.mark.parametrize(
    "body",
    [
        "async def act(self, d): blocked(25); return first(d)",
        "async def act(self, d):\n        while True: pass",
        "def act(self, d): blocked(25); return first(d)",
        "async def act(self, d): await waited(25); return first(d)",
    ],
)
@pytest.mark.sample(fast=1)
def test_agent_that_takes_too_long_is_late(lab, alone, body):
    """An agent that sleeps, waits or spins is late at its limit; the run does not wait for it."""
    lab.install(AGENT.format(body), hostile="agents A")
    alone("metrics: []", LIMITS, ONCE, agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    assert set(endings(lab).values()) == {"forfeit-time"}
    assert done.took_s < 25, done  # which is how long one of its turns would have taken


@pytest.mark.parametrize(
    "body",
    [
        "def __init__(self, seat): blocked(25)",
        "def __init__(self, seat):\n        while True: pass",
        """def __init__(self, seat):
        end = time.monotonic() + 1
        while time.monotonic() < end:
            try: time.sleep(0.05)
            except BaseException: pass""",
    ],
    ids=["blocks", "spins", "does not give way"],
)
@pytest.mark.sample(fast=1)
def test_agent_that_takes_too_long_to_join_fails(lab, alone, body):
    """It is interrupted at the limit of a turn, and its matches fail with a sentence that says so."""
    lab.install(AGENT.format(body), hostile="agents A")
    alone("metrics: []", LIMITS, ONCE, agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 1, done
    assert set(endings(lab).values()) == {"failed"}
    assert "agent 'a' (lab.parts:A.join) took longer to join than the 0.5 s of turn-seconds" in done.status
    assert done.took_s < 25, done


@pytest.mark.slow
def test_answer_that_comes_too_late_is_late(lab, alone):
    """An agent that cannot be interrupted and gives its action after its limit is late by the clock."""
    body = """async def act(self, d):
        end = time.monotonic() + 0.8
        while time.monotonic() < end:
            try: time.sleep(0.05)
            except BaseException: pass
        return first(d)"""
    lab.install(AGENT.format(body), hostile="agents A")
    alone("metrics: []", LIMITS, ONCE, agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    assert set(endings(lab).values()) == {"forfeit-time"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "code", "who"),
    [
        (
            "agents A",
            AGENT.format("async def act(self, d): d.turn or time.sleep(3); return first(d)"),
            "agent 'a' (lab.parts:P.act)",
        ),
        (
            "agents A",
            AGENT.format("def __init__(self, seat): time.sleep(3)"),
            "agent 'a' (lab.parts:A.join)",
        ),
        (
            "observers O",
            "class W:\n    @hookimpl\n    def match_started(self, plan): time.sleep(3)\n"
            "@attrs.frozen\nclass O(Observer):\n    def start(self): return W()\n",
            "observer 'hostile' (lab.parts:W.match_started)",
        ),
        (
            "metrics M",
            "@attrs.frozen\nclass M(Metric):\n    def summarize(self, table): return ()\n"
            "    def measure(self, match): return ()\n"
            "    async def judge(self, match, completions): time.sleep(3); return ()\n",
            "metric 'hostile' (lab.parts:M.judge)",
        ),
    ],
)
@pytest.mark.sample(slow=2)
def test_plugin_that_keeps_the_run_waiting_is_named(lab, alone, what, code, who):
    """Whoever blocks the event loop for a second is named with file and line, at once and at the end.

    It blocks for three, so that the thread that looks sees it on a busy machine, too.
    """
    lab.install(code, hostile=what)
    kind = what.split()[0]
    lines = {"metrics": ["metrics: [hostile]"], "observers": ["metrics: []", "observers: [hostile]"]}
    alone(*lines.get(kind, ["metrics: []"]), agent="hostile" if kind == "agents" else "first-legal")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 0, done
    assert f"{who} has kept the run waiting for 1 s at parts.py:" in done.status


@pytest.mark.slow
def test_agent_whose_threads_do_not_come_back_fails(lab, alone):
    """With eight calls of one agent still running, its further matches fail with a sentence; others go on.

    It always begins: no turn of the other one, whose time would be as short, can be over on a busy machine.
    """
    lab.install(AGENT.format("def act(self, d): time.sleep(600); return first(d)"), hostile="agents A")
    limits = "limits: {turn-seconds: 0.05, concurrency: 1}"
    alone("metrics: []", limits, ONCE, agent="hostile", schedule="use: fixed, seatings: [[a, r]], repeats: 12")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 1, done
    sentence = "agent 'a' (lab.parts:P.act): 8 calls whose time was over are still running"
    assert f"4 matches failed: {sentence}" in done.status, done
    assert sorted(endings(lab).values()) == ["failed"] * 4 + ["forfeit-time"] * 8


@pytest.mark.slow
def test_late_turn_is_late_again_on_resume(lab, alone):
    """A turn that was cut off at its limit is cut off when it is replayed, too, and the match goes on the same."""
    body = """async def act(self, d):
        if d.turn == 1 and not Path("killed").exists():
            Path("killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        while d.turn == 0: pass
        return first(d)"""
    lab.install(AGENT.format(body), hostile="agents A")
    limits = "limits: {turn-seconds: 0.3, concurrency: 1}"
    alone("metrics: []", limits, "illegal-actions: {retries: 0, then: random}", agent="hostile")

    killed = lab.run("run", "b.yaml", "-o", "run", "-q")
    resumed = lab.run("resume", "run", "-q")

    assert "the process ended by SIGKILL" in killed.status
    assert (killed.code, resumed.code) == (1, 0), resumed
    with Journal.open(lab.directory / "run") as journal:
        late = [a.scope for plan in journal.plans() for a in journal.answers(plan.id) if a.kind == "late"]
        by_random = [e for r in journal.records() for e in r.events if e.data and dict(e.data).get("by") == "random"]
    assert late == ["0/0/0/late", "1/0/0/late"]
    assert len(by_random) == 2
