"""What keeps a run's models from being asked is found before anything is written."""

import socket
from collections.abc import Iterable, Iterator, Mapping

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Seat
from arena.backend import Backend, Connection, Secret
from arena.errors import BackendUnavailable, ConfigError
from arena.metric import Metric
from arena_engine import ChecksReadiness
from arena_engine.execution.readiness import backends_of, check_ready, check_secrets

CANARY = "sk-canary-9b1f0c"


@attrs.frozen(kw_only=True)
class Server(Backend):
    """A model behind an address, or one that says what it lacks."""

    base_url: str | None = attrs.field(default=None, metadata={"secrets": True})
    key: Secret | None = None
    lacks: tuple[str, ...] = ()
    error: Exception | None = None

    def obstacles(self) -> Iterable[str]:
        if self.error is not None:
            raise self.error
        return self.lacks

    async def connect(self) -> Connection:
        raise AssertionError("nobody connects before a run")


@attrs.frozen
class Asking(Agent):
    backend: Backend

    def join(self, seat: Seat) -> PlayerAgent:
        raise AssertionError("nobody joins before a run")


@attrs.frozen
class Entry:
    agent: Agent


@attrs.frozen
class Owners:
    agents: Mapping[str, Entry]
    metrics: Mapping[str, Metric] = {}


def owners(*backends: Backend) -> Owners:
    """A benchmark in which each backend has an agent of its own."""
    return Owners({f"agent-{number}": Entry(Asking(backend)) for number, backend in enumerate(backends)})


@pytest.fixture
def listening() -> Iterator[str]:
    """The address of a server that takes connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


@pytest.fixture
def closed() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def problems(*backends: Backend) -> tuple[str, ...]:
    """What is said of these backends."""
    with pytest.raises(ConfigError) as raised:
        check_ready(owners(*backends))
    return raised.value.problems


def test_a_server_that_takes_connections_is_ready(listening):
    """A connection is all that is asked for: the server answers nothing, and nobody waits."""
    check_ready(owners(Server(base_url=listening), Server()))


def test_a_server_that_takes_no_connection_is_named(closed, listening):
    """The sentence says which agent, which address and what to do; the others are not named."""
    assert problems(Server(base_url=listening), Server(base_url=closed)) == (
        f"agents.agent-1.backend: the server at {closed} takes no connection (Connection refused); "
        "start it or correct base-url",
    )


def test_a_server_behind_a_proxy_is_left_alone(closed, monkeypatch):
    """Where the environment names a proxy, the server need not be reachable from here."""
    monkeypatch.setenv("http_proxy", closed)
    monkeypatch.setenv("no_proxy", "")

    check_ready(owners(Server(base_url="http://model.invalid/v1")))


def test_a_backend_says_what_it_lacks():
    """Each sentence comes with the path of its agent; an error of Arena counts as a sentence, any other as a bug."""
    lacking = Server(lacks=("no model file 'x'; fetch it", "no library; install it"))
    unknown = Server(error=BackendUnavailable("nobody knows the model; correct it"))

    assert isinstance(lacking, ChecksReadiness)
    assert problems(lacking, unknown, Server(error=KeyError("x"))) == (
        "agents.agent-0.backend: no model file 'x'; fetch it",
        "agents.agent-0.backend: no library; install it",
        "agents.agent-1.backend: nobody knows the model; correct it",
        "agents.agent-2.backend: Server cannot be checked (KeyError: 'x')",
    )


def test_no_sentence_holds_a_secret(closed, monkeypatch):
    """An address is shown with the names of its secrets, and a backend's sentence loses their values."""
    monkeypatch.setenv("OWN_KEY", CANARY)
    port = closed.rpartition(":")[2].removesuffix("/v1")
    hidden = Server(base_url=f"http://127.0.0.1:{port}/${{OWN_KEY}}/v1")
    loud = Server(base_url="http://127.0.0.1", key=Secret("OWN_KEY"), lacks=(f"{CANARY} is refused; correct it",))

    told = "\n".join(problems(hidden, loud))

    assert CANARY not in told
    assert told.count("${OWN_KEY}") == 2


def test_a_secret_that_is_not_set_comes_first(closed, monkeypatch):
    """Without its value nothing else can be looked at."""
    monkeypatch.delenv("OWN_KEY", raising=False)
    backend = Server(base_url=closed, key=Secret("OWN_KEY"))

    assert problems(backend) == (
        "agents.agent-0.backend: the environment variable OWN_KEY is not set; set it or put it into .env",
    )
    with pytest.raises(ConfigError, match="OWN_KEY is not set"):
        check_secrets(owners(backend))


def test_an_address_without_a_sensible_port_is_a_mistake():
    """It is told in the words of the parameter."""
    assert problems(Server(base_url="http://127.0.0.1:99999999/v1")) == (
        "agents.agent-0.backend: base-url 'http://127.0.0.1:99999999/v1' names no port of a server "
        "(Port out of range 0-65535); correct it",
    )


def test_equal_backends_are_looked_at_once(listening):
    """Two agents with one model are one backend, under the first one's name."""
    twice = owners(Server(base_url=listening), Server(base_url=listening))

    assert [path for path, _ in backends_of(twice)] == ["agents.agent-0.backend"]
