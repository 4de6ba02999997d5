"""Remembers the batches that were sent to providers, so that a line of one is never sent a second time."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self, TypeAlias, cast

import attrs
from arena.record import JSON

Scope: TypeAlias = tuple[str, str]
"""A match, and a scope in it."""


@attrs.frozen(eq=False)
class SentBatch:
    """A batch of requests; ``lines`` have, by the line's name, the match, the scope and the hash of its request.

    ``name`` is Arena's own, under which the provider has it. ``id`` is the provider's, ``""`` if its answer has not
    come: then nobody knows yet whether the batch has arrived. ``began`` is the time before it was sent.
    """

    name: str
    began: datetime
    lines: Mapping[str, tuple[str, str, str]]
    id: str = ""

    def to_json(self) -> JSON:
        """As it is written to disk."""
        return {"began": self.began.isoformat(), "id": self.id, "lines": [[*line] for line in self.lines.values()]}

    @classmethod
    def from_json(cls, name: str, raw: JSON) -> Self:
        """Read it back; ``ValueError`` if its time is none."""
        plain = cast("Mapping[str, Any]", raw)
        return cls(name, datetime.fromisoformat(plain["began"]), named_lines(name, plain["lines"]), plain["id"])


Keep: TypeAlias = Callable[[SentBatch], Awaitable[None]]
"""Writes a batch, in place of an earlier one of its name; it is durable when this returns."""


async def _keep_nothing(_batch: SentBatch) -> None:
    """Where there is no journal."""


def _drop_nothing(_name: str) -> None:
    """Where there is no journal."""


def _free_nothing(_scopes: Iterable[Scope]) -> None:
    """Where there is no journal."""


class SentBatches:
    """The batches of a run of which not every line is over, in a journal if there is one.

    ``keep`` and ``drop`` write and remove one, ``free`` removes what the requests of one that came to nothing had
    reserved; ``known`` are those that the journal has, in the order of their time.
    """

    def __init__(
        self,
        keep: Keep = _keep_nothing,
        drop: Callable[[str], None] = _drop_nothing,
        free: Callable[[Iterable[Scope]], None] = _free_nothing,
        known: Iterable[SentBatch] = (),
    ) -> None:
        self._keep = keep
        self._drop = drop
        self._free = free
        self._holding: dict[Scope, tuple[SentBatch, str]] = {}
        self._left: dict[str, set[Scope]] = {}
        for batch in known:
            self._note(batch)

    def holds(self, match: str, scope: str) -> bool:
        """Whether the request of a scope is a line of a batch, and has neither an answer nor an error yet."""
        return (match, scope) in self._holding

    def holding(self, match: str, scope: str, request_hash: str) -> tuple[SentBatch, str] | None:
        """The batch that holds the request of a scope, and the name of its line; ``None`` if no batch does."""
        found = self._holding.get((match, scope))
        if found is None or found[0].lines[found[1]][2] == request_hash:
            return found
        self.end(match, scope)  # what was sent is another question
        return None

    def ids(self) -> frozenset[str]:
        """The providers' ids of all batches that are known."""
        return frozenset(batch.id for batch, _ in self._holding.values() if batch.id)

    def is_open(self, name: str) -> bool:
        """Whether a line of a batch of this name is not over yet."""
        return name in self._left

    async def begin(self, batch: SentBatch) -> None:
        """Write a batch that is about to be sent."""
        await self._keep(batch)
        self._note(batch)

    async def sent(self, batch: SentBatch, id_: str) -> SentBatch:
        """Write the provider's id of a batch; returns the batch with it."""
        batch = attrs.evolve(batch, id=id_)
        await self._keep(batch)
        for line, (match, scope, _) in batch.lines.items():
            if self.holds(match, scope):
                self._holding[match, scope] = batch, line
        return batch

    def withdraw(self, batch: SentBatch) -> None:
        """Forget a batch that the provider has not got, or that came to nothing as a whole."""
        scopes = [(match, scope) for match, scope, _ in batch.lines.values()]
        held = [each for each in scopes if each in self._holding and self._holding[each][0].name == batch.name]
        for each in held:
            del self._holding[each]
        self._free(held)
        self._left.pop(batch.name, None)
        self._drop(batch.name)

    def end(self, match: str, scope: str) -> None:
        """Note that a line is over: its answer is recorded, or it has none. The last one ends the batch."""
        found = self._holding.pop((match, scope), None)
        if found is None:
            return
        left = self._left[found[0].name]
        left.discard((match, scope))
        if not left:
            del self._left[found[0].name]
            self._drop(found[0].name)

    def _note(self, batch: SentBatch) -> None:
        scopes = {(match, scope) for match, scope, _ in batch.lines.values()}
        self._left[batch.name] = scopes
        for line, (match, scope, _) in batch.lines.items():
            earlier = self._holding.get((match, scope))
            if earlier is not None:
                self.end(match, scope)
            self._holding[match, scope] = batch, line


def named_lines(name: str, lines: Iterable[Sequence[str]]) -> Mapping[str, tuple[str, str, str]]:
    """The match, the scope and the hash of each line of a batch, by the line's name."""
    return {f"{name}-{number}": (match, scope, made) for number, (match, scope, made) in enumerate(lines)}


def begun_now(name: str, lines: Iterable[Sequence[str]]) -> SentBatch:
    """A batch that is about to be sent; ``lines`` have the match, the scope and the hash of each."""
    return SentBatch(name, datetime.now(UTC), named_lines(name, lines))
