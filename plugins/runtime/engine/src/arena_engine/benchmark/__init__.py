"""Reads benchmark files, composes them, and checks and builds typed benchmarks."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.benchmark.benchmark import (
        MadeGames as MadeGames,
        make_games as make_games,
    )
    from arena_engine.benchmark.composition import (
        KEYS as KEYS,
        compose as compose,
    )
    from arena_engine.benchmark.documents import (
        PREFIX as PREFIX,
        inline_document as inline_document,
    )
    from arena_engine.benchmark.entries import HOOKS as HOOKS
    from arena_engine.benchmark.option_values import from_options as from_options
    from arena_engine.benchmark.parameters import (
        CONTRACTS as CONTRACTS,
        Parameter as Parameter,
        describe_parameters as describe_parameters,
        fields_of as fields_of,
        plain_of as plain_of,
        union_members as union_members,
    )
    from arena_engine.benchmark.plain_data import (
        compared as compared,
        find_key as find_key,
        kebab as kebab,
        merge as merge,
        snake as snake,
    )
    from arena_engine.benchmark.recorded_benchmark import (
        as_begun as as_begun,
        recorded_plain as recorded_plain,
    )
    from arena_engine.benchmark.structure import (
        INVALID as INVALID,
        Structurer as Structurer,
    )
    from arena_engine.benchmark.trust import trusting as trusting
    from arena_engine.benchmark.yaml_data import read_value as read_value

_HOMES: Final = {
    "CONTRACTS": "arena_engine.benchmark.parameters",
    "HOOKS": "arena_engine.benchmark.entries",
    "INVALID": "arena_engine.benchmark.structure",
    "KEYS": "arena_engine.benchmark.composition",
    "PREFIX": "arena_engine.benchmark.documents",
    "MadeGames": "arena_engine.benchmark.benchmark",
    "Parameter": "arena_engine.benchmark.parameters",
    "Structurer": "arena_engine.benchmark.structure",
    "as_begun": "arena_engine.benchmark.recorded_benchmark",
    "compared": "arena_engine.benchmark.plain_data",
    "compose": "arena_engine.benchmark.composition",
    "describe_parameters": "arena_engine.benchmark.parameters",
    "fields_of": "arena_engine.benchmark.parameters",
    "find_key": "arena_engine.benchmark.plain_data",
    "from_options": "arena_engine.benchmark.option_values",
    "inline_document": "arena_engine.benchmark.documents",
    "kebab": "arena_engine.benchmark.plain_data",
    "make_games": "arena_engine.benchmark.benchmark",
    "merge": "arena_engine.benchmark.plain_data",
    "plain_of": "arena_engine.benchmark.parameters",
    "read_value": "arena_engine.benchmark.yaml_data",
    "recorded_plain": "arena_engine.benchmark.recorded_benchmark",
    "snake": "arena_engine.benchmark.plain_data",
    "trusting": "arena_engine.benchmark.trust",
    "union_members": "arena_engine.benchmark.parameters",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
