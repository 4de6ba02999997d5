"""Estimates the calls, tokens, cost and time of a run before any model is asked."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.forecast.branches import (
        PlayingOn as PlayingOn,
        playing_on as playing_on,
    )
    from arena_engine.forecast.calls import (
        WRITTEN as WRITTEN,
        CallForecast as CallForecast,
        together as together,
    )
    from arena_engine.forecast.forecast import (
        BATCH_SECONDS as BATCH_SECONDS,
        PLAYOUTS as PLAYOUTS,
        RECORDED as RECORDED,
        SECONDS as SECONDS,
        BatchForecast as BatchForecast,
        GroupForecast as GroupForecast,
        Lengths as Lengths,
        RunForecast as RunForecast,
        estimate as estimate,
        first_request as first_request,
    )
    from arena_engine.forecast.other_models import (
        Alternative as Alternative,
        alternatives as alternatives,
    )
    from arena_engine.forecast.phases import (
        PhaseForecast as PhaseForecast,
        added as added,
    )

_HOMES: Final = {
    "BATCH_SECONDS": "arena_engine.forecast.forecast",
    "BatchForecast": "arena_engine.forecast.forecast",
    "PLAYOUTS": "arena_engine.forecast.forecast",
    "RECORDED": "arena_engine.forecast.forecast",
    "SECONDS": "arena_engine.forecast.forecast",
    "WRITTEN": "arena_engine.forecast.calls",
    "Alternative": "arena_engine.forecast.other_models",
    "CallForecast": "arena_engine.forecast.calls",
    "GroupForecast": "arena_engine.forecast.forecast",
    "Lengths": "arena_engine.forecast.forecast",
    "PhaseForecast": "arena_engine.forecast.phases",
    "PlayingOn": "arena_engine.forecast.branches",
    "RunForecast": "arena_engine.forecast.forecast",
    "added": "arena_engine.forecast.phases",
    "alternatives": "arena_engine.forecast.other_models",
    "estimate": "arena_engine.forecast.forecast",
    "first_request": "arena_engine.forecast.forecast",
    "playing_on": "arena_engine.forecast.branches",
    "together": "arena_engine.forecast.calls",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
