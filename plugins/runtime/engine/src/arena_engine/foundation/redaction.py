"""Cuts secrets out of texts, in every form in which a server may echo them."""

import html
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote, quote_plus
from weakref import ref

import attrs
from arena.backend import Backend, Completion, Secret
from arena.errors import ArenaError, BackendError
from arena.record import JSON

T = TypeVar("T")
E = TypeVar("E", bound=ArenaError)

SHORTEST: Final = 8
"""Of shorter secrets only the value is cut: texts that happen to look like their derived forms are too common."""

_MORE: Final = "…"
_LEAST_KEPT: Final = 4

CUT: Final = "[secret]"
"""What stands for a secret whose name is not known."""


_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MADE: Final[list["ref[Backend]"]] = []
_NAMED: Final[set[str]] = set()


def remember(backend: Backend) -> None:
    """Let ``Redactor.known`` cut the secrets of a backend while it is in use, out of texts from anywhere."""
    _MADE[:] = [made for made in _MADE if made() is not None]
    _MADE.append(ref(backend))
    _known.cache_clear()


def redacted(text: str) -> str:
    """The text without the secrets of backends that are in use in this process."""
    return Redactor.known().text(text)


def secret_names(plain: JSON) -> set[str]:
    """The names of all variables that a benchmark's plain data names as ``${NAME}``."""
    return set(_VARIABLE.findall(json.dumps(plain)))


def remember_named(plain: JSON) -> None:
    """Let ``Redactor.known`` cut the values of all variables that a benchmark's plain data names as ``${NAME}``."""
    names = secret_names(plain)
    if not names <= _NAMED:
        _NAMED.update(names)
        _known.cache_clear()


@lru_cache(maxsize=256)
def forms_of(value: str) -> tuple[str, ...]:
    """The texts by which ``value`` is found: itself, and how JSON, addresses, HTML, base64 and hexadecimal write it.

    The longest come first, so that none is cut in half. In base64, a value inside a longer text is written in one of
    three ways, by its place; what neighbours change of the first and last character is left out.
    """
    if not value:
        return ()
    escaped = json.dumps(value, ensure_ascii=False)[1:-1]
    found = {value, escaped}
    if len(value) >= SHORTEST:
        ascii_only = json.dumps(value)[1:-1]
        found |= {ascii_only, escaped.replace("/", "\\/"), ascii_only.replace("/", "\\/")}
        for percent in (quote(value, safe=""), quote(value), quote_plus(value)):
            found |= {percent, _lower_percents(percent)}
        found |= {html.escape(value), html.escape(value, quote=False)}
        found |= {html.escape(value).replace("&#x27;", "&#39;"), html.escape(value).replace("&#x27;", "&apos;")}
        raw = value.encode("utf-8", "surrogatepass")
        found |= {raw.hex(), raw.hex().upper(), *_in_base64(raw)}
    return tuple(sorted(found, key=lambda form: (-len(form), form)))


class Redactor:
    """Cuts secrets, given by value with what is shown in their place, out of texts and of what holds texts."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        found = {form: shown for value, shown in secrets.items() for form in forms_of(value)}
        self._forms = tuple(sorted(found.items(), key=lambda form: -len(form[0])))

    @classmethod
    def known(cls) -> "Redactor":
        """For the secrets of backends in use in this process, and of runs that were read, as far as they are set."""
        return _known()

    @classmethod
    def of(cls, backends: Iterable[Backend], *, shows_names: bool = True) -> "Redactor":
        """For the secrets of backends, by their names or by ``[secret]``; ``ConfigError`` if one is not set."""
        secrets = dict.fromkeys([secret for backend in backends for secret in backend.secrets()])
        return _redactor(tuple([(secret.reveal(), str(secret) if shows_names else CUT) for secret in secrets]))

    def text(self, text: str) -> str:
        """The text without the secrets."""
        for form, shown in self._forms:
            if form in text:
                text = text.replace(form, shown)
        return text

    def row(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row of a table whose texts are without the secrets."""
        return tuple(self.text(each) if isinstance(each, str) else each for each in row) if self._forms else row

    def utf8(self, text: bytes) -> bytes:
        """A text in UTF-8 without the secrets."""
        return self.text(text.decode()).encode() if self._forms else text

    def json(self, value: Any) -> Any:
        """A JSON value whose texts, keys included, are without the secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(key): self.json(item) for key, item in cast("Mapping[str, Any]", value).items()}
        if isinstance(value, list | tuple):
            return [self.json(item) for item in cast("list[Any]", value)]
        return value

    def error(self, error: E) -> E:
        """An error of the same class whose text is without the secrets; those of backends keep their fields.

        A form that somebody has cut off with an ellipsis, because the text became too long, is cut out too.
        """
        text = self.text(str(error))
        for form, shown in self._forms if _MORE in text else ():
            for kept in range(len(form) - 1, _LEAST_KEPT - 1, -1):
                text = text.replace(form[:kept] + _MORE, shown + _MORE)
        if isinstance(error, BackendError):
            return error.reworded(text)
        return cast("E", type(error)(text))

    def completion(self, completion: Completion) -> Completion:
        """A completion whose texts are without the secrets; without log probabilities if its tokens spell one."""
        if not self._forms:
            return completion
        calls = [attrs.astuple(call) for call in completion.tool_calls]
        texts = (
            completion.text,
            completion.reasoning,
            completion.model,
            completion.received,
            completion.fingerprint,
            calls,
        )
        spelt = "" if completion.logprobs is None else _spelt(completion.logprobs)
        if self.json(texts) == [*texts[:5], [list(call) for call in calls]] and self.text(spelt) == spelt:
            return completion
        fields = ("id", "name", "arguments")
        return attrs.evolve(
            completion,
            text=self.text(completion.text),
            reasoning=self.text(completion.reasoning),
            model=self.text(completion.model),
            received=self.text(completion.received),
            fingerprint=None if completion.fingerprint is None else self.text(completion.fingerprint),
            tool_calls=tuple(
                attrs.evolve(call, **{field: self.text(getattr(call, field)) for field in fields})
                for call in completion.tool_calls
            ),
            logprobs=completion.logprobs if self.text(spelt) == spelt else None,
        )


@lru_cache(maxsize=64)
def _redactor(secrets: tuple[tuple[str, str], ...]) -> Redactor:
    return Redactor(dict(secrets))


@cache
def _known() -> Redactor:
    found = [Secret(name) for name in sorted(_NAMED)]
    for made in _MADE:
        if (backend := made()) is not None:
            with suppress(ArenaError):  # a file of keys that cannot be read
                found += backend.secrets()
    return Redactor({secret.value() or "": CUT for secret in found})


def _in_base64(raw: bytes) -> Iterable[str]:
    for before in range(3):
        encoded = b64encode(b"\0" * before + raw).decode()
        first, last = (before * 8 + 5) // 6, (before + len(raw)) * 8 // 6
        parts = {encoded[first:last]}
        if before == 0:
            parts |= {encoded, encoded.rstrip("=")}
        for part in parts:
            yield part
            yield part.replace("+", "-").replace("/", "_")


def _lower_percents(text: str) -> str:
    head, *rest = text.split("%")
    return "%".join((head, *(part[:2].lower() + part[2:] for part in rest)))


def _spelt(logprobs: Any) -> str:
    """What the tokens of log probabilities say, one after another, and each alternative by itself."""
    tokens = [cast("dict[str, Any]", entry) for entry in logprobs if isinstance(entry, dict)]
    alone = [str(other.get("token")) for entry in tokens for other in entry.get("top_logprobs") or ()]
    return "\n".join(("".join(str(entry.get("token")) for entry in tokens), *alone))
