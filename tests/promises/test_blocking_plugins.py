"""Nothing can hold a run: whatever kind of plugin blocks, Ctrl-C and SIGTERM end the run within two seconds."""

import signal

import pytest
from arena_cli.process.guard import KILL_S

from .sources import AGENT

HELD_S = 25.0
"""So long a plugin blocks that does not block for longer; a run that has ended earlier was not held."""

AGENTS = {
    "waits in act": ("async def act(self, d): await waited(); return first(d)", "agent 'a' (lab.parts:P.act)"),
    "blocks in async act": ("async def act(self, d): blocked(); return first(d)", "agent 'a' (lab.parts:P.act)"),
    "spins in async act": (
        "async def act(self, d):\n        Path('reached').touch()\n        while True: pass",
        "agent 'a' (lab.parts:P.act)",
    ),
    "catches everything": (
        "async def act(self, d):\n        while True:\n"
        "            try: blocked()\n            except BaseException: pass",
        "agent 'a' (lab.parts",
    ),
    "swallows cancelling": (
        "async def act(self, d):\n        while True:\n"
        "            try: await waited()\n            except BaseException: pass",
        "agent 'a' (lab.parts:P.act)",
    ),
    "blocks in quick act": (
        "is_quick = True\n\n    def act(self, d): blocked(); return first(d)",
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

BACKEND = """class B(Backend):
    async def connect(self): return C()
    def supports(self): return frozenset()
    def secrets(self): return ()


class C(Connection):
    async def complete(self, request):
        {0}
    async def close(self): pass
"""


def first_sentence(status: str, words: str) -> bool:
    """Whether one line of standard error has these words and is no traceback."""
    return any(words in line for line in status.splitlines()) and "Traceback" not in status


def cases(ways, always=()):
    """Each way with each signal; all but those that are always tested belong to the campaign."""
    return [
        pytest.param(way, number, marks=() if (way, number) in always else pytest.mark.campaign)
        for way in ways
        for number in (signal.SIGINT, signal.SIGTERM)
    ]


ALWAYS = {
    ("waits in act", signal.SIGTERM),
    ("blocks in async act", signal.SIGINT),
    ("blocks in quick act", signal.SIGINT),
    ("blocks in plain act", signal.SIGTERM),
    ("holds the lock in plain act", signal.SIGINT),
}


def test_what_does_not_end_is_ended_within_two_seconds():
    """The guard, whom no plugin can hold, sets that limit by its own clock; a test's would measure the machine."""
    assert KILL_S < 2


@pytest.mark.parametrize(("how", "number"), cases(AGENTS, ALWAYS))
@pytest.mark.sample(fast=1)
def test_agent_that_blocks_is_cut_off(lab, alone, how, number):
    """Whatever an agent does, a signal ends the run within two seconds with exit code 3, and the agent is named."""
    body, who = AGENTS[how]
    lab.install(AGENT.format(body), hostile="agents A")
    alone(agent="hostile")

    done = lab.signalled(number, "run", "b.yaml", "-o", "run", "-q")

    assert (done.code, done.took_s < HELD_S) == (3, True), done
    assert first_sentence(done.status, who), done.status
    assert "arena resume run" in done.status
    assert done.said == "run\n"


OTHERS = {
    "game blocks when it starts": (
        "games G",
        "class G(Wrapped):\n    def start(self, chance, players): blocked()",
        "game 'g' (lab.parts:G.start)",
    ),
    "game holds the lock when it starts": (
        "games G",
        "class G(Wrapped):\n    def start(self, chance, players): held()",
        "game 'g' (lab.parts",
    ),
    "game blocks in a step": (
        "games G",
        "class G(Wrapped):\n    def start(self, chance, players): return Stuck(), ()",
        "game 'g' (lab.parts:Stuck.apply)",
    ),
    "observer blocks": (
        "observers O",
        "class O(Observer):\n    def start(self): return W()\n"
        "class W:\n    @hookimpl\n    def match_started(self, plan): blocked()",
        "observer 'hostile' (lab.parts:W.match_started)",
    ),
    "observer blocks at the end": (
        "observers O",
        "class O(Observer):\n    def start(self): return W()\n"
        "class W:\n    @hookimpl\n    def run_finished(self): blocked()",
        "",
    ),
    "metric blocks in a report": (
        "metrics M",
        "class M(Metric):\n    def measure(self, match): blocked(); return ()\n"
        "    def summarize(self, table): return ()",
        "",
    ),
    "metric waits in a judge": (
        "metrics M",
        "class M(Metric):\n    async def judge(self, match, completions): await waited(); return ()\n"
        "    def measure(self, match): return ()\n    def summarize(self, table): return ()",
        "metric 'hostile' (lab.parts:M.judge)",
    ),
    "metric blocks in a judge": (
        "metrics M",
        "class M(Metric):\n    async def judge(self, match, completions): blocked(); return ()\n"
        "    def measure(self, match): return ()\n    def summarize(self, table): return ()",
        "metric 'hostile' (lab.parts:M.judge)",
    ),
    "backend waits": ("backends B", BACKEND.format("await waited()"), "agent 'a' (arena_agent_llm.agent:"),
    "backend blocks": ("backends B", BACKEND.format("blocked()"), "backend of agent 'a' (lab.parts:C.complete)"),
    "backend holds the lock": ("backends B", BACKEND.format("held()"), ""),
    "backend blocks while it connects": (
        "backends B",
        BACKEND.format("pass").replace("return C()", "return await asyncio.to_thread(blocked)"),
        "",
    ),
}

PARTS = """
class Wrapped(Game):
    rules = "None."

    def facts(self, players):
        return GameFacts(returns="zero-sum", min_return=-1, max_return=1, max_steps=9)

    def player_counts(self):
        return (2,)


class Stuck(State):
    def to_act(self):
        return (0,)

    def decision(self, player):
        return Decision(player=player, options=Options((0, 1)))

    def observe(self, player):
        return None

    def apply(self, actions):
        blocked()

    def returns(self):
        return [0.0, 0.0]


"""


@pytest.mark.parametrize(("how", "number"), cases(OTHERS, {("game blocks in a step", signal.SIGTERM)}))
@pytest.mark.slow
def test_other_plugin_that_blocks_is_cut_off(lab, alone, how, number):
    """What an agent cannot hold, no game, observer, metric or backend can hold either."""
    what, code, who = OTHERS[how]
    lab.install(PARTS + decorated(code), hostile=what)
    kind = what.split()[0]
    agent = "llm, backend: {use: hostile}" if kind == "backends" else "random"
    lines = {"metrics": ["metrics: [hostile]"], "observers": ["metrics: []", "observers: [hostile]"]}
    alone(*lines.get(kind, ["metrics: []"]), agent=agent, game="hostile" if kind == "games" else "tic-tac-toe")

    done = lab.signalled(number, "run", "b.yaml", "-o", "run")

    assert (done.code, done.took_s < HELD_S) == (3, True), done
    assert first_sentence(done.status, who), done.status
    assert done.said.splitlines()[-1] == "run"


def decorated(code: str) -> str:
    """Make the configuration classes of plugins frozen, as contracts ask."""
    first, _, rest = code.partition("\n")
    return f"@attrs.frozen\n{first}\n{rest}\n"
