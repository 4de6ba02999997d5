"""What takes long to compute, in the background for whoever asks, a part at a time, and kept for a while."""

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

from arena_web.foundation.kept_values import KeptValues
from arena_web.held.searches import Searches
from arena_web.held.workers import Workers

ROOM: Final = 20_000_000
"""So many bytes of results are kept."""

WAIT_S: Final = 1.0
"""Seconds that a request waits for more."""


class Computations:
    """Evaluations of matches and rankings of groups. All methods belong to the event loop of the server."""

    def __init__(self, workers: Workers | None = None, *, disabled: Sequence[str] = ()) -> None:
        self._going = Searches(workers, disabled=disabled)
        self._kept = KeptValues(ROOM)

    async def of(self, key: Hashable, asked: Mapping[str, Any], known: int = 0) -> Mapping[str, Any]:
        """What was ``found`` beyond ``known`` parts, how much was ``read``, and whether it ``is_over``."""
        told: Mapping[str, Any] | None = self._kept.get(key)
        if told is None:
            going = self._going.of(key, asked)
            await going.wait(known, WAIT_S)
            told = {"found": [*going.found], "read": going.read, "is_over": going.is_over, "problem": going.failure}
            if going.is_over and not going.failure:
                self._kept.put(key, told, len(json.dumps(told)))
        return {**told, "found": told["found"][known:]}

    async def close(self) -> None:
        """End what is being computed."""
        await self._going.close()
