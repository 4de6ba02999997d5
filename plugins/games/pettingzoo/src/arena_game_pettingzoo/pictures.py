"""What environments draw with ``render_mode: rgb_array``, as PNG: no window is opened, and nothing stays set."""

import os
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
from arena.record import Action, Player

from arena_game_pettingzoo.engine import EnvironmentEngine

LONGEST: Final = 1024
"""Pixels of the longer side at most; what is drawn larger is scaled down."""

LARGEST: Final = 100_000
"""Bytes of a PNG at most: a scene holds it in base64, and a hundred positions are sent at once."""

_SET: Final = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
"""What keeps pygame from opening a window or a sound card, and from greeting on the standard output."""


class Painter:
    """Draws the positions of one match by an environment of its own, so that playing never pays for drawing.

    Copies of a position share one, since most are drawn where they are and never go on.
    """

    def __init__(self, make: Callable[[], EnvironmentEngine], seed: int) -> None:
        self._make = make
        self._seed = seed
        self._live: tuple[EnvironmentEngine, list[Mapping[Player, Action]]] | None = None
        self._last: tuple[list[Mapping[Player, Action]], bytes | None] | None = None

    def png(self, played: list[Mapping[Player, Action]]) -> bytes | None:
        """The position after these actions; ``None`` where it cannot be drawn here."""
        if self._last is None or self._last[0] != played:
            self._last = played, self._drawn(played)
        return self._last[1]

    def _drawn(self, played: list[Mapping[Player, Action]]) -> bytes | None:
        live, self._live = self._live, None
        try:
            with _without_window():
                engine, begun = live if live and live[1] == played[: len(live[1])] else (self._begun(), [])
                for actions in played[len(begun) :]:
                    engine.step({p: engine.choices[p].given(action) for p, action in actions.items()})
                found = png(engine.picture())
        except Exception:  # the environment is not ours, nor is what it draws with; its text says the same
            return None
        self._live = engine, played
        return found

    def _begun(self) -> EnvironmentEngine:
        engine = self._make()
        engine.reset(self._seed)
        return engine


def png(picture: Any) -> bytes:
    """An array of rows of red, green and blue (0 to 255) as PNG, scaled down until it keeps the bounds."""
    pixels = np.asarray(picture)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise ValueError(f"expected rows of three bytes, got an array of {pixels.dtype} and shape {pixels.shape}")
    factor = -(-max(pixels.shape) // LONGEST)
    while len(data := _encoded(_scaled(pixels, factor))) > LARGEST:
        factor += 1
    return data


def _scaled(pixels: Any, factor: int) -> Any:
    """The means of squares of ``factor`` pixels; what is left at the right and at the bottom is cut off."""
    if factor == 1:
        return pixels
    rows, columns = (max(1, size // factor) for size in pixels.shape[:2])
    cut = pixels[: rows * factor, : columns * factor].astype(np.uint16)
    down, across = cut.shape[0] // rows, cut.shape[1] // columns
    return cut.reshape(rows, down, columns, across, 3).mean(axis=(1, 3)).astype(np.uint8)


def _encoded(pixels: Any) -> bytes:
    rows, columns = pixels.shape[:2]
    # Each row begins with its filter: 2 is the difference from the row above, which is packed twice as fast.
    lines = np.full((rows, 1 + 3 * columns), 2, np.uint8)
    lines[:, 1:] = np.diff(pixels.reshape(rows, 3 * columns), axis=0, prepend=np.zeros((1, 3 * columns), np.uint8))
    head = struct.pack(">2I5B", columns, rows, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 3)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


@contextmanager
def _without_window() -> Iterator[None]:
    """What is set already stays; what is set here is gone afterwards."""
    added = {name: value for name, value in _SET.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
