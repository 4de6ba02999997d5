"""The contract of a backend: the source of completions.

A ``Backend`` is configuration, an immutable value that can be saved; ``connect`` opens a ``Connection``, which holds
sockets, processes or weights. Equal backends of one run share one connection. A backend sends each request once and
reports what happened; retries, rate limits, journaling and budgets are the engine's.
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias, cast

import attrs
from attrs.validators import ge, gt, optional

from arena.errors import ConfigError
from arena.game import Image
from arena.record import JSON

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Part: TypeAlias = str | Image
Finish: TypeAlias = Literal["stop", "length", "tool-calls", "content-filter", "declined", "context-length", "unknown"]
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

IMAGES = "images"
"""Messages may hold pictures."""
TOOLS = "tools"
"""Native tool calls."""
SCHEMA = "schema"
"""Decoding constrained by a JSON schema."""
SEED = "seed"
"""A request's seed is honoured."""
LOGPROBS = "logprobs"
"""Log probabilities of the tokens written."""
BATCH = "batch"
"""Concurrent requests are computed in one batch."""
OFFLINE = "offline"
"""The model runs on this machine and needs no network."""


@attrs.frozen
class Secret:
    """A secret, named by its environment variable; the value is read whenever it is used and stored in no run."""

    variable: str
    kept: ClassVar[dict[str, str]] = {}  # by name, values of variables that are not set, such as those of a .env

    def value(self) -> str | None:
        """The secret's value; ``None`` if the variable is not set."""
        return os.environ.get(self.variable, self.kept.get(self.variable))

    def reveal(self) -> str:
        """Read the secret's value; ``ConfigError`` if the variable is not set."""
        if (value := self.value()) is None:
            raise ConfigError(f"the environment variable {self.variable} is not set; set it or put it into .env")
        return value

    def __str__(self) -> str:
        return f"${{{self.variable}}}"


def revealed(value: Any) -> Any:
    """A text, list or table with the value of its secret in place of each ``${NAME}``; errors as in ``reveal``."""
    if isinstance(value, str):
        return _VARIABLE.sub(lambda found: Secret(found[1]).reveal(), value)
    if isinstance(value, Mapping):
        return {key: revealed(item) for key, item in cast("Mapping[str, Any]", value).items()}
    return [*map(revealed, cast("list[Any]", value))] if isinstance(value, list | tuple) else value


@attrs.frozen
class Message:
    """Texts and pictures in order; ``tool_calls`` are an assistant's, ``tool_call`` is the id that a tool answers."""

    role: Role
    parts: tuple[Part, ...]
    tool_calls: tuple["ToolCall", ...] = ()
    tool_call: str | None = None

    @classmethod
    def of(cls, role: Role, *parts: Part) -> "Message":
        """Build a message from texts and pictures."""
        return cls(role, parts)

    @property
    def text(self) -> str:
        """All texts of the message, joined without the pictures."""
        return "".join([part for part in self.parts if isinstance(part, str)])


@attrs.frozen
class Tool:
    """A function the model may call; ``schema`` is the JSON schema of its arguments."""

    name: str
    summary: str
    schema: JSON


@attrs.frozen
class ToolCall:
    """A call the model made; ``arguments`` is the text it wrote, which need not be JSON."""

    id: str
    name: str
    arguments: str


@attrs.frozen(kw_only=True)
class Sampling:
    """How a model draws tokens; ``None``: the backend's setting, then the provider's. ``extra`` is sent as it is."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    stop: tuple[str, ...] = ()
    logprobs: int | None = None
    extra: Mapping[str, Any] = attrs.field(factory=dict[str, Any], hash=False)


_SAMPLING: Final = tuple(field.name for field in attrs.fields(Sampling))
_DEFAULTS: Final = ("temperature", "top_p", "max_tokens", "reasoning_effort")


@attrs.frozen(kw_only=True)
class CompletionRequest:
    """One request to a model.

    ``SCHEMA`` backends force an answer that fits ``schema``. ``parts`` are the prompt's by name, with their versions.
    ``conversation`` is one player's in one match, or ``""``; the engine sets it, and it changes no answer.
    """

    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    schema: JSON = None
    tools: tuple[Tool, ...] = ()
    parts: Mapping[str, str] = attrs.field(factory=dict[str, str], hash=False)
    conversation: str = attrs.field(default="", eq=False)


@attrs.frozen(kw_only=True)
class Usage:
    """The tokens that one completion used.

    ``cached_tokens`` are part of ``prompt_tokens``, ``reasoning_tokens`` of ``completion_tokens``; ``None``: not told.
    If nothing is counted, ``prompt_tokens`` is 0. ``difference``: of a told total and its parts, the larger is counted.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    difference: int = 0


@attrs.frozen(kw_only=True)
class Completion:
    """The answer of a model to one request.

    ``finish_reason`` is ``"length"`` for a text that is cut off, ``"declined"`` for a refusal, ``"context-length"``
    where the prompt alone is too long, and ``"unknown"``, with the server's ``finish_word``, if nobody knows whether it
    is whole. ``received`` is an answer of a shape that nobody knows, as it came; it has no text then. ``model`` and
    ``fingerprint`` are what the provider ran. ``cost_usd`` is ``None`` if no price is known. ``first_token_s`` are the
    seconds to the first token, ``None`` if it came whole; ``sent_as`` says what was sent otherwise than it was asked.
    """

    text: str
    finish_reason: Finish = "stop"
    finish_word: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    cost_usd: float | None = None
    model: str = ""
    fingerprint: str | None = None
    logprobs: JSON = None
    received: str = ""
    first_token_s: float | None = attrs.field(default=None, eq=False)
    sent_as: tuple[str, ...] = attrs.field(default=(), eq=False)


@attrs.frozen
class Price:
    """US dollars for one token that is sent, and for one that is written."""

    prompt_usd: float
    completion_usd: float


class Connection(ABC):
    """An open backend, used from one event loop by many matches at once."""

    @abstractmethod
    async def complete(self, request: CompletionRequest) -> Completion:
        """Send a request once; its sampling is complete. An empty or truncated answer is an answer.

        Raises a ``BackendError`` if there is none, whose class says if a retry, fewer at once or another may help.
        """

    async def close(self) -> None:  # noqa: B027 -- many hold nothing that must be released
        """Release sockets, processes and memory; called once."""


@attrs.frozen(kw_only=True)
class Backend(ABC):
    """Configuration of a source of completions: an immutable value whose fields are its parameters.

    ``concurrency`` limits the requests in flight; ``max_attempts`` and ``request_timeout_s`` limit how often and how
    long one request is tried. The limits per minute count tries. Backends that differ only in these share the first's.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset()
    """What every configuration supports; a subclass whose parameters matter here overrides ``supports``."""

    temperature: float | None = attrs.field(
        default=None,
        validator=optional(ge(0)),
        metadata={"help": "sampling temperature; unset: the provider's default"},
    )
    top_p: float | None = attrs.field(
        default=None, metadata={"help": "nucleus sampling; unset: the provider's default"}
    )
    max_tokens: int | None = attrs.field(
        default=512, validator=optional(ge(1)), metadata={"help": "longest answer, in tokens"}
    )
    reasoning_effort: str | None = attrs.field(default=None, metadata={"help": "for models that take one"})
    concurrency: int = attrs.field(default=16, validator=ge(1), metadata={"help": "requests in flight at once"})
    max_attempts: int = attrs.field(
        default=6, validator=ge(1), metadata={"help": "tries of one request before giving up"}
    )
    request_timeout_s: float = attrs.field(
        default=300.0, validator=gt(0), metadata={"help": "seconds until one try is given up"}
    )
    max_retry_wait_s: float = attrs.field(
        default=120.0,
        validator=ge(0),
        metadata={"help": "seconds waited as a provider asks, no tries; one that asks for more counts as unreachable"},
    )
    requests_per_minute: float | None = attrs.field(
        default=None, validator=optional(gt(0)), metadata={"help": "requests sent in any minute, evenly spread"}
    )
    tokens_per_minute: float | None = attrs.field(
        default=None,
        validator=optional(gt(0)),
        metadata={"help": "tokens asked and answered in any minute, evenly spread"},
    )
    adaptive_concurrency: bool = attrs.field(
        default=True, metadata={"help": "ask fewer at once than concurrency while the provider is overloaded"}
    )

    @abstractmethod
    async def connect(self) -> Connection:
        """Open a connection: load the model, or check that the server answers.

        ``BackendError`` or ``ConfigError`` if that fails.
        """

    def supports(self) -> frozenset[str]:
        """The names of the capabilities that this configuration supports."""
        return self.capabilities

    def price(self) -> Price | None:
        """The price of tokens as far as it is known before anything is sent: zero on this machine, else ``None``."""
        return Price(0.0, 0.0) if OFFLINE in self.supports() else None

    def longest_answer(self) -> int | None:
        """The most tokens that one answer can have, which caps on tokens and money need; ``None`` if nobody knows."""
        return self.max_tokens

    def enumeration_limit(self) -> int | None:
        """The most values that all enumerations of one schema may have together; ``None`` for any number."""
        return None

    def secrets(self) -> tuple[Secret, ...]:
        """The secrets among its parameters, those in texts of fields with the metadata ``secrets`` included."""
        fields = [(field.metadata, getattr(self, field.name)) for field in attrs.fields(type(self))]
        texts = _VARIABLE.findall(repr([value for metadata, value in fields if metadata.get("secrets")]))
        return tuple(dict.fromkeys((*(v for _, v in fields if isinstance(v, Secret)), *map(Secret, texts))))

    def with_defaults(self, asked: Sampling) -> Sampling:
        """Return ``asked`` with each ``None`` replaced by the backend's own setting."""
        given = {name: getattr(asked, name) for name in _SAMPLING}
        return Sampling(**given | {name: getattr(self, name) for name in _DEFAULTS if given[name] is None})
