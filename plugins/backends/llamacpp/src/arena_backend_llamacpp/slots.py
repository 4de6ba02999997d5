"""Which slot of llama.cpp's server answers a request, so that what prompts have in common is read once.

The server reads anew what the slot does not hold, and knows only what its slots hold. So the beginning that all prompts
of a game share, their system message, is read by itself when it first comes, saved, and restored into each slot that
lacks it: a copy takes a thousandth of the time that reading takes. What is saved lies in a folder that only this user
can read, and goes with the connection.
"""

import http.client
import json
import os
import shutil
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import attrs

LEAST: Final = 400
"""Characters of a beginning that is worth saving."""

MOST_BYTES: Final = 256 << 20
"""How much may be saved; what was used least lately goes first."""

MOST: Final = 64
"""How many beginnings are remembered."""

SHARE: Final = 0.9
"""The part of a beginning that suffices: those of two seats differ in the last word."""


@attrs.define(eq=False)
class Slot:
    """One slot and the text of the prompt that it holds; ``used`` counts the requests before."""

    number: int
    holds: str = ""
    used: int = 0
    is_free: bool = True


@attrs.frozen
class Taken:
    """The slot of one request; ``read`` counts the tokens that were read for it before it was sent."""

    slot: int
    read: int = 0


@attrs.define(eq=False)
class Saved:
    """A beginning that was read once; ``size`` is in bytes, and 0 while it is read or where it is not saved."""

    size: int = 0
    is_read: bool = False


class Slots:
    """The slots of one server, which threads take for a request each. As many threads may ask as there are slots."""

    def __init__(self, count: int, read: Callable[[str, int], int | None]) -> None:
        """``read`` has the server read a beginning in a slot and returns the tokens that were new to it.

        ``None`` says that the server could not.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="arena-llamacpp-"))
        self._gone = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self._read = read
        self._slots = [Slot(number) for number in range(count)]
        self._saved: OrderedDict[str, Saved] = OrderedDict()
        self._changed = threading.Condition()
        self._requests = 0
        self._address, self._key = "", ""

    def connect(self, address: str, key: str) -> None:
        """Tell where the server saves and restores slots, and the key that it wants."""
        self._address, self._key = address, key

    def close(self) -> None:
        """Remove what was saved."""
        self._gone()

    @contextmanager
    def taken(self, beginning: str, prompt: str) -> Iterator[Taken]:
        """The slot for a prompt, which has the beginning already if that can be."""
        slot, read = self._take(beginning, prompt)
        try:
            yield Taken(slot.number, read)
        finally:
            self._release(slot)

    def _take(self, beginning: str, prompt: str) -> tuple[Slot, int]:
        """Choose the free slot that holds most of the prompt, or give the beginning to the one used least lately.

        With it come the tokens that were read into it.
        """
        with self._changed:
            self._requests += 1
            needed = SHARE * len(beginning) if len(beginning) >= LEAST else 0.0
            if shared(self._best(prompt).holds, prompt) >= needed:
                return self._occupied(self._best(prompt), prompt), 0
            if known := self._known(beginning):
                text, saved = known
                self._changed.wait_for(lambda: saved.is_read)
                if not saved.size or shared(self._best(prompt).holds, prompt) >= needed:
                    return self._occupied(self._best(prompt), prompt), 0
                slot = self._occupied(self._oldest(), prompt)
                self._act(slot, "restore", text)
                return slot, 0
            self._saved[beginning] = saved = Saved()
            slot = self._occupied(self._oldest(), prompt)
        try:
            return slot, self._read_once(beginning, saved, slot)
        except BaseException:
            self._release(slot)
            raise

    def _read_once(self, beginning: str, saved: Saved, slot: Slot) -> int:
        """Read a beginning in a slot and save it; whoever waits for it goes on, whatever becomes of it."""
        size = 0
        try:
            read = self._read(beginning, slot.number)
            if read is not None:
                size = int((self._act(slot, "save", beginning) or {}).get("n_written", 0))
        finally:
            with self._changed:
                saved.size, saved.is_read = size, True
                self._make_room()
                self._changed.notify_all()
        return read or 0

    def _make_room(self) -> None:
        """Remove what was used least lately.

        A beginning whose file went for want of room is remembered as one that is not saved, or it would be read and
        saved again each time.
        """
        read = [(text, each) for text, each in self._saved.items() if each.is_read]
        for text, _ in read[: max(0, len(self._saved) - MOST)]:
            self._remove(text)
            del self._saved[text]
        for text, each in read:
            if sum(other.size for other in self._saved.values()) <= MOST_BYTES:
                return
            if text in self._saved:
                self._remove(text)
                each.size = 0

    def _remove(self, text: str) -> None:
        (self.folder / _name(text)).unlink(missing_ok=True)

    def _release(self, slot: Slot) -> None:
        with self._changed:
            slot.is_free = True
            self._changed.notify_all()

    def _known(self, beginning: str) -> tuple[str, Saved] | None:
        """The saved beginning that is nearly this one, if there is any."""
        for text, saved in self._saved.items():
            if shared(text, beginning) >= SHARE * len(beginning):
                self._saved.move_to_end(text)
                return text, saved
        return None

    def _best(self, prompt: str) -> Slot:
        free = [slot for slot in self._slots if slot.is_free]
        return max(free, key=lambda slot: (shared(slot.holds, prompt), -slot.used))

    def _oldest(self) -> Slot:
        return min((slot for slot in self._slots if slot.is_free), key=lambda slot: slot.used)

    def _occupied(self, slot: Slot, prompt: str) -> Slot:
        slot.is_free, slot.used, slot.holds = False, self._requests, prompt
        return slot

    def _act(self, slot: Slot, action: str, beginning: str) -> dict[str, Any] | None:
        """Save or restore a slot; ``None`` if the server could not, for then everything is read as it comes."""
        connection = http.client.HTTPConnection(urlsplit(self._address).netloc, timeout=60)
        try:
            body, headers = json.dumps({"filename": _name(beginning)}), {"Authorization": f"Bearer {self._key}"}
            headers["Content-Type"] = "application/json"
            connection.request("POST", f"/slots/{slot.number}?action={action}", body, headers)
            answer = connection.getresponse()
            raw = answer.read()
            return json.loads(raw) if answer.status == http.client.OK else None
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()


def shared(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    return len(os.path.commonprefix((one, other)))  # noqa: RUF071 -- texts, and no paths


def _name(beginning: str) -> str:
    return blake2b(beginning.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
