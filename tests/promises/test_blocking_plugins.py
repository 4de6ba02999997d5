"""Nothing can hold a run: each kind of plugin blocks, and Ctrl-C and SIGTERM end the run within two seconds all the same."""

import signal

import pytest
from arena_engine import Journal

WITHIN_S = 2.0

AGENTS = {
    "waits in act": ("async def act(self, d): await waited(); return first(d)", "agent 'a' (lab.parts:P.act)"),
    "blocks in async act": ("async def act(self, d): blocked(); return first(d)", "agent 'a' (lab.parts:P.act)"),
    "spins in async act": (
        "async def act(self, d):\n        Path('reached').touch()\n        while True: pass",
        "agent 'a' (lab.parts:P.act)",
    ),
    "catches everything": (
        "async def act(self, d):\n        while True:\n            try: blocked()\n            except BaseException: pass",
        "agent 'a' (lab.parts",
    ),
    "swallows cancelling": (
        "async def act(self, d):\n        while True:\n            try: await waited()\n            except BaseException: pass",
        "agent 'a' (lab.parts:P.act)",
    ),
    "blocks in plain act": ("def act(self, d): blocked(); return first(d)", "agent 'a' (lab.parts:P.act)"),
    "holds the lock in plain act": ("def act(self, d): held(); return first(d)", "agent 'a' (lab.parts"),
    "holds the lock in async act": ("async def act(self, d): held(); return first(d)", "agent 'a' (lab.parts"),
    "blocks in once": (
        "async def act(self, d): await self.seat.once('x', blocked); return first(d)",
        "agent 'a' (lab.parts:P.act)",
    ),
    "waits in async once": (
        "async def act(self, d): await self.seat.once('x', waited); return first(d)",
        "agent 'a' (lab.parts:P.act)",
    ),
    "blocks in close": (
        "async def act(self, d): return first(d)\n    def close(self): blocked()",
        "agent 'a' (lab.parts:P.close)",
    ),
    "waits in close": (
        "async def act(self, d): return first(d)\n    async def close(self): await waited()",
        "agent 'a' (lab.parts:P.act)",
    ),
    "blocks in join": (
        "def __init__(self, seat): super().__init__(seat); blocked()\n    async def act(self, d): return first(d)",
        "agent 'a' (lab.parts:",
    ),
}

JOINS = """
class P(Playing):
    {0}


@attrs.frozen
class A(Agent):
    def join(self, seat):
        return P(seat)
"""


def first_sentence(status: str, words: str) -> bool:
    """Whether one line of standard error has these words and is no traceback."""
    return any(words in line for line in status.splitlines()) and "Traceback" not in status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("how", AGENTS)
def test_agent_that_blocks_is_cut_off(lab, alone, how, number):
    """Whatever an agent does, a signal ends the run within two seconds with exit code 3, and the agent is named."""
    body, who = AGENTS[how]
    lab.install(JOINS.format(body), hostile="agents A")
    alone(agent="hostile")

    done = lab.signalled(number, "run", "b.yaml", "-o", "run", "-q")

    assert (done.code, done.took_s < WITHIN_S) == (3, True), done
    assert first_sentence(done.status, who), done.status
    assert "arena resume run" in done.status
    assert done.said == "run\n"
