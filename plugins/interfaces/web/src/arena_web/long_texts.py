"""Long texts: the first part of each with its length and digest, by which the rest is asked for."""

from collections.abc import Callable, Hashable, Iterator
from hashlib import sha256
from typing import Any, Final

from arena_web.kept_values import KeptValues

FIRST: Final = 20_000
"""So many characters of a text are sent at once."""

_ROOM: Final = 40_000_000
"""So many characters of long texts are remembered."""


class LongTexts:
    """The long texts that were sent in part, by match and digest; others are looked for again."""

    def __init__(self) -> None:
        self._kept = KeptValues(_ROOM)

    def cut(self, where: Hashable, text: str) -> dict[str, Any]:
        """A text as it is sent: its first part, its length and its digest."""
        digest = digest_of(text)
        if len(text) > FIRST:
            self._kept.put((where, digest), text, len(text))
        return {"text": text[:FIRST], "length": len(text), "digest": digest}

    def get(self, where: Hashable, digest: str, search: Callable[[], Iterator[str]]) -> str | None:
        """The text of a match with this digest; ``search`` gives all of the match's texts, if it is not remembered."""
        found = self._kept.get((where, digest))
        if found is None:
            found = next((text for text in search() if digest_of(text) == digest), None)
            if found is not None:
                self._kept.put((where, digest), found, len(found))
        return found


def digest_of(text: str) -> str:
    """The digest of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
