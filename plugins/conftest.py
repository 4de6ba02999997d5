"""A small distribution of plugins, really installed while a test runs; and Stockfish, where it is needed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from arena.catalog import Catalog

# The environments for RLlib and vLLM hold neither the command line nor the kit for authors, and read this file too.
if TYPE_CHECKING:
    from arena_testing.fixtures.distributions import Installed
    from click.testing import Result

_INIT = """
from arena.plugin import Requirement, Plugin

LINE = Plugin(factory="acme.parts:Line", summary="take the last coin of a line")
SHORT = Plugin(factory="acme.parts:Line", summary="a short line", preset={"length": 3})
PICTURES = Plugin(factory="acme.parts:Line", summary="needs eyes", required_capabilities=frozenset({"images"}))
ALONE = Plugin(factory="acme.parts:Alone", summary="for one")
DULL = Plugin(factory="acme.parts:Dull", summary="takes the first option")
TALKER = Plugin(factory="acme.parts:Talker", summary="asks a model", backend_parameter="backend")
ECHO = Plugin(factory="acme.parts:Echo", summary="says it again", model_patterns=(r"echo/.+",))
PARROT = Plugin(factory="acme.parts:Parrot", summary="sees", model_patterns=(r"echo/grey", r"parrot/.+"))
COUNT = Plugin(factory="acme.parts:Count", summary="counts matches")
SUITE = Plugin(factory="acme:suites/line.yaml", summary="lines of all lengths", version="3")
LOST = Plugin(factory="acme:suites/lost.yaml", summary="not shipped")
"""

_PARTS = """
from collections.abc import Mapping
from typing import Any, Literal

import attrs
from attrs.validators import ge, in_, le, optional

from arena.agent import Agent, PlayerAgent, Reply
from arena.backend import IMAGES, Backend, Completion, CompletionRequest, Connection, Message, Price, Secret
from arena.game import Decision, Game, GameFacts, Options, State
from arena.metric import Metric
from arena.record import EVERYONE, GameEvent


class Coins(State):
    def __init__(self, players, left):
        self.players, self.left, self.turn = players, left, 0

    def to_act(self):
        return (self.turn,) if self.left else ()

    def decision(self, player):
        return Decision(player=player, options=Options(range(1, min(2, self.left) + 1), "take {}".format))

    def observe(self, player):
        return {"left": self.left}

    def apply(self, actions):
        taken = actions[self.turn]
        event = GameEvent("took", {"player": self.turn, "coins": taken}, EVERYONE)
        self.left -= taken
        if self.left:
            self.turn = (self.turn + 1) % self.players
        return [event]

    def returns(self):
        return None if self.left else [float(player == self.turn) for player in range(self.players)]


class Rules(Game):
    rules = "Take the last coin."
    length = 9

    def facts(self, players):
        return GameFacts(returns="constant-sum", min_return=0, max_return=1, max_steps=99)

    def start(self, chance, players):
        return Coins(players, self.length), ()


@attrs.frozen
class Line(Rules):
    length: int = attrs.field(default=9, validator=[ge(1), le(99)], metadata={"help": "coins in the line"})
    heaps: tuple[int, ...] = ()

    def player_counts(self):
        return range(2, 5)


@attrs.frozen
class Alone(Rules):
    def player_counts(self):
        return (1,)


class TakesTheFirst(PlayerAgent):
    def act(self, decision):
        return Reply(action=decision.options.actions[0])


@attrs.frozen
class Dull(Agent):
    def join(self, seat):
        return TakesTheFirst()


@attrs.frozen
class Prompt:
    style: Literal["direct", "chain-of-thought"] = attrs.field(default="direct", metadata={"help": "how to ask"})
    history: int = attrs.field(default=5, validator=ge(0))


@attrs.frozen
class Asks(PlayerAgent):
    talker: Agent
    seat: Any

    async def act(self, decision):
        asked = CompletionRequest(messages=(Message.of("user", self.seat.rules),))
        said = await self.seat.completions.complete(self.talker.backend, asked)
        return Reply(action=decision.options.actions[0], reasoning=said.text)


@attrs.frozen(kw_only=True)
class Talker(Agent):
    backend: Backend
    prompt: Prompt = Prompt()
    form: str = "text"
    looks: bool = False

    def join(self, seat):
        return Asks(self, seat)

    def forms(self):
        return frozenset({self.form})

    def needs(self, game, players):
        return {"backend": frozenset({IMAGES})} if self.looks else {}


class Repeats(Connection):
    async def complete(self, request):
        return Completion(text=str(request.messages[-1]))


@attrs.frozen(kw_only=True)
class Echo(Backend):
    model: str
    base_url: str | None = None
    key: Secret | None = None
    headers: Mapping[str, Any] = attrs.field(factory=dict)

    def __attrs_post_init__(self):
        if self.model == "mute":
            raise ValueError("the model 'mute' says nothing; choose another")

    def price(self):
        return Price(1e-6, 1e-6)

    async def connect(self):
        return Repeats()


@attrs.frozen(kw_only=True)
class Parrot(Echo):
    capabilities = frozenset({IMAGES})


@attrs.frozen
class Count(Metric):
    what: str = attrs.field(default="matches", validator=in_(["matches", "turns"]))

    def measure(self, match):
        return ()

    def summarize(self, measurements):
        return ()
"""

_SUITE = """
name: lines
seed: 3
include: [agents.yaml]
games:
  line: {use: line, tags: [small]}
  long: {use: line, length: 50, tags: [big]}
metrics: [count]
schedule: {use: round-robin, repeats: 2}
"""

_SUITE_AGENTS = """
agents:
  smol: {use: talker, backend: {use: echo, model: smol}}
  dull: dull
"""


@pytest.fixture(scope="session")
def backends_of_the_environment() -> frozenset[str]:
    """The distributions of all backends that are really installed."""
    return frozenset(entry.dist for entry in Catalog().entries("backend"))


@pytest.fixture
def acme(backends_of_the_environment: frozenset[str], installed: Installed) -> Catalog:
    """A catalog with two games, two agents, two backends, a metric and a suite, besides what else is installed."""
    installed.add(
        "acme-arena",
        {
            "arena.games": {
                "line": "acme:LINE",
                "short-line": "acme:SHORT",
                "picture-line": "acme:PICTURES",
                "alone": "acme:ALONE",
            },
            "arena.agents": {"dull": "acme:DULL", "talker": "acme:TALKER"},
            "arena.backends": {"echo": "acme:ECHO", "parrot": "acme:PARROT"},
            "arena.metrics": {"count": "acme:COUNT"},
            "arena.suites": {"line": "acme:SUITE", "lost": "acme:LOST"},
        },
        {
            "acme/__init__.py": _INIT,
            "acme/parts.py": _PARTS,
            "acme/suites/line.yaml": _SUITE,
            "acme/suites/agents.yaml": _SUITE_AGENTS,
        },
    )
    return Catalog(disabled=sorted({"playarena-agent-llm", *backends_of_the_environment}))


@pytest.fixture(scope="session")
def arena_anywhere() -> Callable[..., Result]:
    """The command line, called in this process, in whatever directory it is; streams are kept apart."""
    from arena_cli.application.group import group
    from click.testing import CliRunner

    def call(*arguments: object, stdin: str | None = None) -> Result:
        return CliRunner().invoke(group, [str(a) for a in arguments], input=stdin, prog_name="arena")

    return call


@pytest.fixture
def arena(
    arena_anywhere: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """The command line, called in this process and in an empty directory; streams are kept apart."""
    monkeypatch.chdir(tmp_path)
    return arena_anywhere


@pytest.fixture
def stockfish() -> str:
    """The program of Stockfish; without it a test is skipped, but it fails where .ci/run has installed it."""
    found = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if found is None:
        if os.environ.get("ARENA_NEEDS_STOCKFISH"):
            pytest.fail("Stockfish is to be tried here, and there is none; apt install stockfish")
        pytest.skip("needs Stockfish: apt install stockfish")
    return found
