"""The keys that backends send: where they are looked up, which host gets them, and whether the user agreed to that.

What a file names may come from anybody, so a variable of the environment goes to a host only if the backend declares
that pair itself, the host is this machine, or the user has said so once.
"""

import ipaddress
import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Final, Protocol, Self, runtime_checkable

import attrs
from arena.backend import Backend, Secret
from arena.errors import ConfigError

from arena_engine.foundation.user_settings import keep_lines, kept_lines, read_small

PAIRS: Final = "send-keys"
"""The name under which the user's settings have the pairs."""

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_NAMED: Final = re.compile(_VARIABLE.pattern + r"(?=[/?#]|$)")
_ADDRESS: Final = re.compile(
    r"(https?)://(?:[^\s/?#\\@]*@)?([\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?(?:[/?#].*)?", re.DOTALL
)
_PAIR: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=([\w.:-]+)")
_LINE: Final = re.compile(
    r"""\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(.*?))[ \t]*(?:\s\#.*)?"""
)

_agreed: Final[list[tuple[str, str]]] = []
_beside: Final[ContextVar[Path | None]] = ContextVar("beside", default=None)


@runtime_checkable
class DeclaresKeys(Protocol):
    """A backend that knows which of its keys goes where; of others it is guessed from their parameters."""

    def own_keys(self) -> Mapping[str, str]:
        """Variables that it looks for by itself, each with the host of the provider that gives out such keys."""
        ...

    def keys_sent(self) -> Iterable[tuple[str, str]]:
        """Each variable that is sent with the address that gets it, or with a word for a place without address."""
        ...


@attrs.frozen(order=True)
class SentKey:
    """A variable, and the host that gets its value; ``is_open`` if others on the way can read it."""

    variable: str
    host: str
    is_open: bool = attrs.field(default=False, eq=False, order=False)

    @classmethod
    def of(cls, variable: str, address: str) -> Self:
        """From an address, or the word for a place without one; ``ConfigError`` as in ``host_of``."""
        if "://" not in address and not address.startswith("${"):
            return cls(variable, address)
        scheme, host = _parts(address)
        return cls(variable, host, scheme == "http" and not is_loopback(host))

    @classmethod
    def parse(cls, text: str) -> Self:
        """From ``NAME=HOST``, as ``--send-key`` takes it; ``ConfigError`` if it is none."""
        if (found := _PAIR.fullmatch(text.strip())) is None:
            raise ConfigError(f"--send-key {text}: expected NAME=HOST, such as LAB_KEY=gpu.example.org")
        return cls(found[1], _spelt(found[2]))

    def __str__(self) -> str:
        return f"{self.variable}={self.host}"


def host_of(address: str) -> str:
    """The host of an address in lower case.

    The address may begin with a variable that holds an address; ``ConfigError`` if its host cannot be told apart from
    what else is written, or a variable is a part of it.
    """
    return _parts(address)[1]


def _parts(address: str) -> tuple[str, str]:
    text = address
    if named := _NAMED.match(address):
        text = Secret(named[1]).reveal() + address[named.end() :]
        if _ADDRESS.fullmatch(text) is None:
            raise ConfigError(f"{named[0]} holds no address that starts with https:// or http://; correct the variable")
    found = _ADDRESS.fullmatch(text)
    if found is None:
        what = "a variable may not be a part of its host" if "${" in address else "it names no host"
        raise ConfigError(f"the address {_public(address)!r} is refused: {what}; write the host out, or correct it")
    return found[1], _spelt(found[2])


def _public(address: str) -> str:
    """An address without user and password."""
    return re.sub(r"(?<=://)[^/?#]*@", "", address)


def _spelt(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        mapped = getattr(address, "ipv4_mapped", None) or address
        return mapped.is_loopback or mapped.is_unspecified
    return False


def sent_keys(backend: Backend) -> tuple[SentKey, ...]:
    """The keys that a backend sends, each once; ``ConfigError`` for an address whose host cannot be told."""
    pairs = backend.keys_sent() if isinstance(backend, DeclaresKeys) else _guessed(backend)
    # A variable that holds the address itself names its host.
    kept = (pair for pair in pairs if (found := _NAMED.match(pair[1])) is None or found[1] != pair[0])
    return tuple(dict.fromkeys(SentKey.of(*pair) for pair in kept))


def _guessed(backend: Backend) -> Iterator[tuple[str, str]]:
    """Each secret among the parameters, to each address among them, or to the plugin if there is none."""
    values = [getattr(backend, field.name) for field in attrs.fields(type(backend))]
    addresses = [each for each in values if isinstance(each, str) and re.match(r"https?://|\$\{", each)]
    plugin = type(backend).__module__.partition(".")[0]
    for secret in Backend.secrets(backend):
        yield from ((secret.variable, address) for address in addresses or (plugin,))


def unagreed_keys(backend: Backend) -> tuple[SentKey, ...]:
    """The keys that would go where neither the backend nor the user says that they may; errors as in ``sent_keys``."""
    own: Mapping[str, str] = backend.own_keys() if isinstance(backend, DeclaresKeys) else {}
    found = [
        key
        for key in sent_keys(backend)
        if not (is_loopback(key.host) or (own.get(key.variable) == key.host and not key.is_open))
    ]
    if not found:
        return ()
    known = {*_agreed, *((key.variable, key.host) for key in kept_pairs())}
    return tuple(key for key in found if (key.variable, key.host) not in known)


def refusal(keys: Iterable[SentKey]) -> str:
    """The sentence for keys that are not sent, with the option that allows it; empty for none."""
    listed = tuple(keys)
    if not listed:
        return ""
    what = " and ".join(f"{key.variable} to {key.host}" for key in listed)
    options = " ".join(f"--send-key {key}" for key in listed)
    return f"nobody has agreed to send {what}; if you trust that host, add {options} once"


def check_keys(backend: Backend) -> None:
    """Raise ``ConfigError`` if a backend would send a key where nobody has agreed to send it."""
    if sentence := refusal(unagreed_keys(backend)):
        raise ConfigError(sentence)


@contextmanager
def agreed(keys: Iterable[SentKey]) -> Generator[None]:
    """Let these keys be sent while the context lasts, by all of this process."""
    added = [(key.variable, key.host) for key in keys]
    _agreed.extend(added)
    try:
        yield
    finally:
        for pair in added:
            _agreed.remove(pair)


def kept_pairs() -> frozenset[SentKey]:
    """The pairs that the user agreed to at some time; lines that are none are passed over."""
    found = map(_PAIR.fullmatch, kept_lines(PAIRS))
    return frozenset(SentKey(pair[1], _spelt(pair[2])) for pair in found if pair)


def keep_pairs(keys: Iterable[SentKey]) -> None:
    """Keep pairs for all later runs; ``OSError`` if the file cannot be written."""
    keep_lines(PAIRS, map(str, keys))


@contextmanager
def beside(folder: Path | None) -> Generator[None]:
    """Look for keys in the ``.env`` of a benchmark's folder too, for the backends that are made in this context."""
    token = _beside.set(folder)
    try:
        yield
    finally:
        _beside.reset(token)


def look_up(backend: Backend) -> None:
    """Keep the values of a ``.env`` for those variables of a backend that are not set, and for no others.

    The file of the working directory comes before that of the benchmark. Nothing enters the environment.
    """
    own: Mapping[str, str] = backend.own_keys() if isinstance(backend, DeclaresKeys) else {}
    names = {*own, *(secret.variable for secret in Backend.secrets(backend))} - os.environ.keys()
    if not names:
        return
    folders = dict.fromkeys(filter(None, (_beside.get(), Path())))
    values = {name: value for folder in folders for name, value in _values(read_small(folder / ".env"))}
    for name in names:
        Secret.kept.pop(name, None)
        if name in values:
            Secret.kept[name] = values[name]


def _values(text: str) -> Iterator[tuple[str, str]]:
    """The variables of a ``.env``: ``NAME=VALUE`` line by line, with quotes, ``export`` and remarks, and no more."""
    for line in text.splitlines():
        if found := _LINE.fullmatch(line):
            plain, quoted = found[2] if found[2] is not None else found[4], found[3]
            yield found[1], re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else plain
