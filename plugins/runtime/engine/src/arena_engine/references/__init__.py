"""References: what random play earns in games, played once and kept, and what a journal says of its games."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.references.game_digest import (
        Undescribed as Undescribed,
        described as described,
    )
    from arena_engine.references.playing import (
        GameOfRun as GameOfRun,
        References as References,
        references_of as references_of,
    )
    from arena_engine.references.playouts import (
        PLAYOUTS as PLAYOUTS,
        SECONDS as SECONDS,
        STEPS as STEPS,
        Playout as Playout,
        Playouts as Playouts,
        RandomPlay as RandomPlay,
        baseline_of as baseline_of,
        is_tied as is_tied,
        reference_of as reference_of,
        wins_alone as wins_alone,
    )
    from arena_engine.references.reference_cache import (
        KeptReference as KeptReference,
        kept_references as kept_references,
    )

_HOMES: Final = {
    "PLAYOUTS": "arena_engine.references.playouts",
    "SECONDS": "arena_engine.references.playouts",
    "STEPS": "arena_engine.references.playouts",
    "GameOfRun": "arena_engine.references.playing",
    "KeptReference": "arena_engine.references.reference_cache",
    "Playout": "arena_engine.references.playouts",
    "Playouts": "arena_engine.references.playouts",
    "RandomPlay": "arena_engine.references.playouts",
    "References": "arena_engine.references.playing",
    "Undescribed": "arena_engine.references.game_digest",
    "baseline_of": "arena_engine.references.playouts",
    "described": "arena_engine.references.game_digest",
    "is_tied": "arena_engine.references.playouts",
    "kept_references": "arena_engine.references.reference_cache",
    "reference_of": "arena_engine.references.playouts",
    "references_of": "arena_engine.references.playing",
    "wins_alone": "arena_engine.references.playouts",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
