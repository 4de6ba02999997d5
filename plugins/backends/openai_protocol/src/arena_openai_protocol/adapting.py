"""Keeps what one connection has learned of its server, and tells it once."""

import warnings
from collections.abc import Mapping
from typing import Any

from arena.errors import InputWarning
from arena.record import JSON

from arena_openai_protocol.compat import Compat, adapted, written
from arena_openai_protocol.refusals import known_compat, lesson


class Adaptation:
    """How requests to one model are sent: as the benchmark says, as the tables have it, and as refusals have taught.

    ``set_by_hand`` is the benchmark's ``compat``; ``keeps_schema`` says that it also chose how answers are forced.
    """

    def __init__(self, model: str, host: str, set_by_hand: Compat, *, keeps_schema: bool = False) -> None:
        self.compat = known_compat(model, host).plus(set_by_hand)
        self._model = model
        self._by_hand = set_by_hand
        self._keeps_schema = keeps_schema
        if keeps_schema:
            self.compat = self._kept(self.compat)
        self._seen = {self.compat}
        self._told: set[str] = set()

    def learns(self, status: int, text: str, body: Mapping[str, Any], sent_with: Compat) -> bool:
        """Whether a request that was refused may be sent again, differently; ``body`` is what was sent."""
        wider = lesson(status, text, body, sent_with)
        if wider is None:
            return False
        if self.compat != sent_with:  # another request has been refused for it meanwhile
            return True
        wider = self._kept(wider) if self._keeps_schema else wider
        if wider in self._seen:
            return False
        self._seen.add(wider)
        self.compat = wider
        return True

    def tell(self, changes: tuple[str, ...], body: dict[str, Any]) -> None:
        """Warn, once for each, of changes of a request that was answered, but not of those that are set by hand."""
        new = [change for change in changes if change not in self._told]
        if not new:
            return
        self._told.update(new)
        if told := [change for change in new if change not in adapted(body, self._by_hand)[1]]:
            said = f"{self._model}: sent {', '.join(told)}; to set it by hand: {written(self.compat)}"
            warnings.warn(said, InputWarning, stacklevel=2)

    def learned(self) -> Mapping[str, JSON]:
        """What a benchmark would write as ``compat``."""
        return self.compat.plain()

    def _kept(self, compat: Compat) -> Compat:
        return compat.with_schema(self._by_hand.schema)
