"""Between an agent and a backend: completions, limits, retries, the cache."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.models.asking import (
        completed as completed,
        connected as connected,
    )
    from arena_engine.models.batches import is_batched as is_batched
    from arena_engine.models.keys import (
        SentKey as SentKey,
        agreed as agreed,
        host_of as host_of,
        keep_pairs as keep_pairs,
        sent_keys as sent_keys,
        unagreed_keys as unagreed_keys,
    )
    from arena_engine.models.pool import BackendPool as BackendPool

_HOMES: Final = {
    "BackendPool": "arena_engine.models.pool",
    "SentKey": "arena_engine.models.keys",
    "agreed": "arena_engine.models.keys",
    "completed": "arena_engine.models.asking",
    "connected": "arena_engine.models.asking",
    "host_of": "arena_engine.models.keys",
    "is_batched": "arena_engine.models.batches",
    "keep_pairs": "arena_engine.models.keys",
    "sent_keys": "arena_engine.models.keys",
    "unagreed_keys": "arena_engine.models.keys",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
