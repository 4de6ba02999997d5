"""Endpoints that take many requests at once and answer within a day at half the price: OpenAI's and Anthropic's.

Nothing here knows how a request is sent: ``Fetch`` sends one. What is known of both stands in their guides:
https://platform.openai.com/docs/guides/batch and https://docs.claude.com/en/docs/build-with-claude/batch-processing.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final, Protocol, TypeAlias, cast
from urllib.parse import quote, urlsplit

import attrs
from arena.errors import BackendError, BackendOverloaded, BackendUnavailable, RequestRejected, TransientBackendError

from arena_openai_protocol.limits import limit_of

BATCH_SHARE: Final = 0.5
"""The share of its price that a request costs in a batch, at OpenAI and at Anthropic."""
BATCH_HELP: Final = "ask in batches: half the price, and each turn takes up to 24 hours; see docs/servers.md"
COLLECT_HELP: Final = "with batch: seconds from a batch's first request until it is sent, up to a day (86400)"
POLL_HELP: Final = "with batch: seconds between two looks at a batch, from 1 to 86400; on this machine also less"

COLLECT_S: Final = 10.0
POLL_S: Final = 30.0
LONGEST_S: Final = 86_400.0
"""A day: the longest time for which requests are collected, and between two looks."""
SHORTEST_POLL_S: Final = 1.0
"""The shortest time between two looks at a server that is not on this machine."""
EARLIER: Final = timedelta(minutes=5)
"""How far the clock of a provider may be behind, where a batch is looked for by its time."""
PAGE: Final = 100
"""How many batches are listed at once."""
_MISSING: Final = (404, 405, 501)
_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
PAGES: Final = 20
"""How many lists are read at most, where a batch is looked for."""


class HasBatchSettings(Protocol):
    """A backend that may be told to ask in batches."""

    @property
    def batch(self) -> bool:
        """Whether it asks in batches."""
        ...

    @property
    def base_url(self) -> str | None:
        """The address of its server, ``None`` for the provider's own."""
        ...


def check_collect_s(owner: HasBatchSettings, field: "attrs.Attribute[float]", seconds: float) -> None:
    """Validate for how many seconds requests are collected."""
    _check_belongs(owner, field, seconds)
    if not 0 <= seconds <= LONGEST_S:
        raise ValueError(f"expected 0 to {LONGEST_S:.0f} seconds (a day), got {seconds:g}")


def check_poll_s(owner: HasBatchSettings, field: "attrs.Attribute[float]", seconds: float) -> None:
    """Validate how many seconds lie between two looks at a batch."""
    _check_belongs(owner, field, seconds)
    host = urlsplit(owner.base_url or "").hostname
    if host in _THIS_MACHINE and 0 < seconds <= LONGEST_S:
        return
    if not SHORTEST_POLL_S <= seconds <= LONGEST_S:
        raise ValueError(f"expected {SHORTEST_POLL_S:g} to {LONGEST_S:.0f} seconds, got {seconds:g}")


def _check_belongs(owner: HasBatchSettings, field: "attrs.Attribute[float]", seconds: float) -> None:
    if not owner.batch and seconds != field.default:
        raise ValueError("only requests in batches have it; write batch: true beside it, or leave it out")


@attrs.frozen
class Fetched:
    """An answer of a server: status, headers, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Fetch: TypeAlias = Callable[[str, str, bytes | None, str], Awaitable[Fetched]]
"""Sends one request: method, path behind the endpoint's address, body, its content type. Raises ``BackendError``."""
Refuse: TypeAlias = Callable[[Fetched], BackendError]
"""The error that an answer without success is."""


@attrs.frozen
class BatchLine:
    """What came of one request of a batch: the status and the body that it would have had alone."""

    status: int
    body: bytes

    def packed(self) -> bytes:
        """As one text; ``unpacked`` reads it."""
        return b"%d\n%b" % (self.status, self.body)

    @classmethod
    def unpacked(cls, packed: bytes) -> "BatchLine":
        """From what ``packed`` returned."""
        status, _, body = packed.partition(b"\n")
        return cls(int(status), body)


class BatchEndpoint(ABC):
    """Where a provider takes batches. ``where`` names it in sentences."""

    most_lines: ClassVar[int]
    most_bytes: ClassVar[int]
    path: ClassVar[str]
    """The path of the list of batches, behind the endpoint's address."""

    def __init__(self, fetch: Fetch, refuse: Refuse, where: str) -> None:
        self._fetch = fetch
        self._refuse = refuse
        self._where = where

    @abstractmethod
    async def send(self, name: str, bodies: Mapping[str, Mapping[str, Any]]) -> str:
        """Send a batch of this name, with bodies of requests by the names of their lines; returns its id."""

    @abstractmethod
    async def find(self, name: str, began: datetime, lines: Collection[str], known: Collection[str]) -> str | None:
        """The id of the batch that was perhaps sent after ``began``, none of the ``known`` ones; ``None``: it is not.

        Where a provider keeps no name, it is the only one of its time with so many lines: whoever reads it finds
        out by the names of its lines.
        """

    @abstractmethod
    async def result(self, batch: str) -> Mapping[str, bytes] | BackendError | None:
        """What came of each line, packed; without those that were not computed. ``None`` while it is computed.

        An error if the batch as a whole was refused.
        """

    async def check(self) -> None:
        """Raise ``BackendUnavailable`` if the server has no such endpoint, or refuses the key."""
        await self._json("GET", f"{self.path}?limit=1")

    async def _json(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> Any:
        """An answer of an endpoint; ``BackendUnavailable`` if the server does not have it."""
        found = await self._fetch(method, path, body, kind)
        if found.status in _MISSING:
            raise self._lacking("endpoint for batches", found)
        return self._read(found)

    def _lacking(self, what: str, found: Fetched) -> BackendError:
        """The error of an endpoint that the server does not have."""
        return BackendUnavailable(f"{self._where} has no {what} (status {found.status}); leave out batch: true")

    async def _about(self, batch: str) -> Mapping[str, Any]:
        """What a provider says of a batch; ``BackendUnavailable`` if it does not have it."""
        found = await self._fetch("GET", f"{self.path}/{quote(batch)}", None, "")
        if found.status in _MISSING:
            advice = "use the key of the account that sent it, or start a new run"
            raise BackendUnavailable(f"{self._where} does not have the batch {batch} that this run has sent; {advice}")
        return self._read(found)

    def _read(self, fetched: Fetched) -> Mapping[str, Any]:
        found = self._body(fetched)
        try:
            answer: Any = json.loads(found)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise TransientBackendError(f"{self._where} says of a batch what is no table")
        return _table(cast("object", answer))

    def _body(self, fetched: Fetched) -> bytes:
        if not 200 <= fetched.status < 300:
            raise self._refuse(fetched)
        return fetched.body

    async def _text(self, path: str) -> bytes:
        return self._body(await self._fetch("GET", path, None, ""))

    async def _listed(self, began: datetime, after: str) -> "list[Mapping[str, Any]]":
        """The batches that were made since a moment, the newest first; ``after`` names the parameter of pages."""
        found: list[Mapping[str, Any]] = []
        path = f"{self.path}?limit={PAGE}"
        for _ in range(PAGES):
            page = await self._json("GET", path)
            made = [each for each in map(_table, cast("list[Any]", page.get("data") or [])) if each]
            found += [each for each in made if _time(each.get("created_at")) >= began - EARLIER]
            if not page.get("has_more") or not made or len(found) < len(made):
                break
            path = f"{self.path}?limit={PAGE}&{after}={quote(str(made[-1].get('id')))}"
        return found


_FILES: Final = "/files"


class OpenAIBatches(BatchEndpoint):
    """OpenAI's: a file of lines, and a batch that names it. ``metadata`` keeps Arena's name of the batch."""

    most_lines = 50_000
    most_bytes = 180_000_000

    path = "/batches"

    async def check(self) -> None:
        """Also find out whether the server takes files, in which it gets its batches; none is sent."""
        await super().check()
        found = await self._fetch("GET", f"{_FILES}?limit=1", None, "")
        if found.status in _MISSING:  # it may take files and list none: nobody takes an empty one
            found = await self._fetch("POST", _FILES, b"", "application/json")
        if found.status in _MISSING:
            raise self._lacking("endpoint /files, in which it would get a batch", found)
        if found.status in (401, 403):
            raise self._refuse(found)

    async def send(self, name: str, bodies: Mapping[str, Mapping[str, Any]]) -> str:
        """Upload the lines, then make the batch; only the second makes the provider compute anything."""
        lines = (
            {"custom_id": line, "method": "POST", "url": "/v1/chat/completions", "body": body}
            for line, body in bodies.items()
        )
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        kind, form = _form(name, data)
        file = await self._json("POST", _FILES, form, kind)
        asked = {
            "input_file_id": file.get("id"),
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {"arena": name},
        }
        return _id(await self._json("POST", self.path, json.dumps(asked).encode()), self._where)

    async def find(self, name: str, began: datetime, lines: Collection[str], known: Collection[str]) -> str | None:
        """By the name in the metadata."""
        for each in await self._listed(began, "after"):
            if _table(each.get("metadata")).get("arena") == name:
                return _id(each, self._where)
        return None

    async def result(self, batch: str) -> Mapping[str, bytes] | BackendError | None:
        """The lines of the files of answers and of errors."""
        about = await self._about(batch)
        status = about.get("status")
        if status == "failed":
            return self._failed(about)
        if status not in ("completed", "expired", "cancelled"):
            return None
        found: dict[str, bytes] = {}
        for name in ("output_file_id", "error_file_id"):
            if about.get(name):
                text = await self._text(f"{_FILES}/{quote(str(about[name]))}/content")
                found |= {line: made.packed() for line, made in map(_openais, _lines(text)) if made is not None}
        return found

    def _failed(self, about: Mapping[str, Any]) -> BackendError:
        """Why a batch was refused as a whole.

        An account without credit is told as for a single request. A limit of what may wait passes once other batches
        have ended.
        """
        listed = _table(about.get("errors")).get("data")
        first = _table(cast("list[Any]", listed)[0] if isinstance(listed, list) and listed else None)
        said, code = first.get("message"), first.get("code")
        if code == "token_limit_exceeded":
            return BackendOverloaded(f"{self._where} takes no more batches now ({said})")
        if limit_of((str(code),), str(said), None, is_limit=False) in ("account", "day"):
            return self._refuse(Fetched(429, {}, json.dumps({"error": first}).encode()))
        return RequestRejected(f"{self._where} refuses a batch ({said or code or 'it does not say why'})")


class AnthropicBatches(BatchEndpoint):
    """Anthropic's, which keeps no name of a batch: it is told by its time and its number of lines."""

    most_lines = 100_000
    most_bytes = 230_000_000

    path = "/messages/batches"

    async def send(self, name: str, bodies: Mapping[str, Mapping[str, Any]]) -> str:
        """Send the lines."""
        asked = {"requests": [{"custom_id": line, "params": body} for line, body in bodies.items()]}
        return _id(await self._json("POST", self.path, json.dumps(asked).encode()), self._where)

    async def find(self, name: str, began: datetime, lines: Collection[str], known: Collection[str]) -> str | None:
        """The earliest of its time with so many lines; one that has ended must have its lines."""
        for each in reversed(await self._listed(began, "after_id")):
            id_, counts = _id(each, self._where), _table(each.get("request_counts"))
            if id_ in known or sum(n for n in counts.values() if isinstance(n, int)) != len(lines):
                continue
            result = await self.result(id_)
            if not isinstance(result, Mapping) or not result or not set(lines).isdisjoint(result):
                return id_
        return None

    async def result(self, batch: str) -> Mapping[str, bytes] | BackendError | None:
        """The lines of the results."""
        about = await self._about(batch)
        if about.get("processing_status") != "ended":
            return None
        # The address of the results that it names is not asked: the key is sent to the declared host alone.
        text = await self._text(f"{self.path}/{quote(batch)}/results")
        return {line: made.packed() for line, made in map(_anthropics, _lines(text)) if made is not None}


def _lines(text: bytes) -> Iterator[Mapping[str, Any]]:
    for line in text.splitlines():
        try:
            found: Any = json.loads(line)
        except ValueError:
            continue
        if about := _table(found):
            yield about


_NOT_COMPUTED: Final = frozenset({"batch_expired", "batch_cancelled"})


def _openais(line: Mapping[str, Any]) -> tuple[str, BatchLine | None]:
    name, answer, error = str(line.get("custom_id")), _table(line.get("response")), _table(line.get("error"))
    if answer:
        status = answer.get("status_code")
        return name, BatchLine(status if isinstance(status, int) else 200, json.dumps(answer.get("body")).encode())
    if error and error.get("code") not in _NOT_COMPUTED:
        return name, BatchLine(500, json.dumps({"error": error}).encode())
    return name, None


_STATUSES: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The statuses of Anthropic's errors: https://docs.claude.com/en/api/errors."""


def _anthropics(line: Mapping[str, Any]) -> tuple[str, BatchLine | None]:
    name, result = str(line.get("custom_id")), _table(line.get("result"))
    if result.get("type") == "succeeded":
        return name, BatchLine(200, json.dumps(result.get("message")).encode())
    if result.get("type") != "errored":
        return name, None
    said = _table(result.get("error"))
    inner = _table(said.get("error")) or said
    status = _STATUSES.get(str(inner.get("type")), 500)
    return name, BatchLine(status, json.dumps({"type": "error", "error": inner}).encode())


def _table(value: object) -> Mapping[str, Any]:
    """The value if it is a table, else an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _id(about: Mapping[str, Any], where: str) -> str:
    found = about.get("id")
    if not isinstance(found, str) or not found:
        raise TransientBackendError(f"{where} gives a batch no id")
    return found


def _time(value: object) -> datetime:
    """A time as OpenAI (seconds) or Anthropic (RFC 3339) writes it; what cannot be read counts as now."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        return datetime.fromisoformat(str(value)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.now(UTC)


def _form(name: str, data: bytes) -> tuple[str, bytes]:
    """The content type and the body of a form that uploads a file."""
    edge = f"----arena-{name}"
    parts = (
        f'--{edge}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="arena-{name}.jsonl"\r\n'
        "Content-Type: application/jsonl\r\n\r\n"
    )
    return f"multipart/form-data; boundary={edge}", parts.encode() + data + f"\r\n--{edge}--\r\n".encode()
