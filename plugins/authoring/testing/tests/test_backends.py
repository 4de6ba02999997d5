"""The check of backends passes sound ones and names what is wrong with the others."""

import json

import attrs
import pytest
from arena.backend import IMAGES, LOGPROBS, OFFLINE, SCHEMA, SEED, TOOLS, Backend, Completion, Connection, Secret, Usage
from arena.errors import BackendError, BackendOverloaded, BackendUnavailable, RequestRejected
from arena.testing import ConformanceError, FunctionBackend, answering, check_backend

USAGE = Usage(prompt_tokens=8, completion_tokens=2)
SHORT = Completion(text="one two", usage=USAGE)
KEY = Secret("CANARY_KEY")


def fault_of(backend: Backend) -> str:
    """The name of the check that fails."""
    with pytest.raises(ConformanceError) as caught:
        check_backend(backend)
    return caught.value.check


def test_sound_backend_passes():
    """A backend that claims nothing it cannot do passes."""
    report = check_backend(answering("one two three four five"))

    assert (report.capabilities, report.untested) == (("offline",), ())
    assert report.completions >= 8
    assert report.completion_tokens > report.completions


def test_backend_with_every_capability_passes():
    """What is claimed is asked for, one by one."""

    def answer(request):
        text = json.dumps({"answer": "yes"}) if request.schema else f"{request.sampling.seed} is my number indeed"
        limit = request.sampling.max_tokens
        usage = Usage(prompt_tokens=8, completion_tokens=min(limit, 5))
        return Completion(
            text=text,
            usage=usage,
            finish_reason="length" if limit <= 5 else "stop",
            logprobs=[-0.1] if request.sampling.logprobs else None,
        )

    can = frozenset({IMAGES, LOGPROBS, SCHEMA, SEED, TOOLS})

    assert check_backend(FunctionBackend(answer=answer, can=can)).capabilities == tuple(sorted(can))


@pytest.mark.parametrize(
    ("claimed", "check"), [(SCHEMA, "schema"), (LOGPROBS, "logprobs"), ("telepathy", "capabilities")]
)
def test_claim_that_is_not_kept(claimed, check):
    """A capability that is claimed and not there is found."""
    backend = FunctionBackend(answer=lambda request: "yes, of course", can=frozenset({claimed}))

    assert fault_of(backend) == check


def test_seed_that_is_ignored():
    """A seed that is claimed to be honoured and gives another text each time is found."""
    texts = iter(range(100))
    backend = FunctionBackend(answer=lambda request: f"number {next(texts)}", can=frozenset({SEED}))

    assert fault_of(backend) == "seed"


@attrs.frozen(kw_only=True)
class Sound(Backend):
    """Answers ``completion`` to everything, pictures included."""

    completion: Completion = SHORT
    capabilities = frozenset({OFFLINE})

    async def connect(self):
        return SoundConnection(self)


@attrs.frozen
class SoundConnection(Connection):
    backend: Sound

    async def complete(self, request):
        return self.backend.completion


def test_picture_taken_without_a_word():
    """A backend that does not claim pictures and takes one is found."""
    assert fault_of(Sound()) == "images"


@attrs.frozen(kw_only=True)
class Shortsighted(Backend):
    """Refuses pictures with an error of a class."""

    error: type[BackendError]
    capabilities = frozenset({OFFLINE})

    async def connect(self):
        return ShortsightedConnection(self.error)


@attrs.frozen
class ShortsightedConnection(Connection):
    error: type[BackendError]

    async def complete(self, request):
        if any(not isinstance(part, str) for message in request.messages for part in message.parts):
            raise self.error("no pictures")
        return SHORT


@pytest.mark.parametrize("error", [BackendOverloaded, BackendUnavailable])
def test_picture_refused_with_too_much(error):
    """A backend that would have a picture sent again, or all other requests given up, is found."""
    assert fault_of(Shortsighted(error=error)) == "images"


@pytest.mark.parametrize("error", [BackendError, RequestRejected])
def test_picture_refused_by_itself(error):
    """A backend that refuses the request with a picture, and no other, passes."""
    assert check_backend(Shortsighted(error=error)).capabilities == ("offline",)


@pytest.mark.parametrize(
    ("completion", "check"),
    [
        (Completion(text="one two"), "usage"),
        (Completion(text="one two", usage=USAGE, finish_reason="because"), "completion"),
        (Completion(text="one two", usage=USAGE, cost_usd=-1), "completion"),
        (Completion(text="\ud800", usage=USAGE), "completion"),
        (Completion(text="one two", usage=attrs.evolve(USAGE, completion_tokens=99)), "max_tokens"),
        ("one two", "completion"),
    ],
    ids=["no usage", "finish reason", "cost", "text", "too long", "no completion"],
)
def test_completion_that_is_wrong(completion, check):
    """Completions that miscount, or are none, are found."""
    assert fault_of(Sound(completion=completion)) == check


def test_cut_that_is_not_told():
    """An answer that was cut off and says it had come to its end is found."""

    def answer(request):
        tokens = min(request.sampling.max_tokens, 20)
        return Completion(text="one " * tokens, usage=attrs.evolve(USAGE, completion_tokens=tokens))

    assert fault_of(FunctionBackend(answer=answer)) == "max_tokens"


@attrs.frozen(kw_only=True)
class Unreachable(Sound):
    """Fails to connect with an error of its own."""

    async def connect(self):
        raise OSError("no route to host")


def test_error_of_its_own():
    """A connection that fails otherwise than with ``BackendError`` is found."""
    assert fault_of(Unreachable()) == "connect"


def test_backend_error_passes():
    """A backend that cannot be reached says so, and the error is its own, not the check's."""

    def answer(request):
        raise BackendError("out of paper")

    with pytest.raises(BackendError, match="out of paper"):
        check_backend(FunctionBackend(answer=answer))


@attrs.frozen(kw_only=True)
class Indiscreet(Sound):
    """A backend that shows its key in its repr."""

    key: Secret = KEY

    def __repr__(self):
        return f"Indiscreet(key={self.key.reveal()!r})"


def test_secret_that_can_be_read(monkeypatch):
    """A backend whose repr shows the value of a secret is found."""
    monkeypatch.setenv("CANARY_KEY", "sk-canary-42")

    assert fault_of(Indiscreet()) == "secrets"
