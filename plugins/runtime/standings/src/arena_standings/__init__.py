"""Who is better, decided once: matches in; strengths, ranks, groups and intervals that hold together out.

``standings_of`` takes finished matches and what must be known of their games. Nothing here knows of journals or of
engines, and nothing else in Arena rates, ranks, separates or names a best agent.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_standings.matches import (
        Contest as Contest,
        GameKind as GameKind,
        MatchEnding as MatchEnding,
        Repetition as Repetition,
        without_repeats as without_repeats,
    )
    from arena_standings.order import Headline as Headline, block_of as block_of
    from arena_standings.planning import PlannedMatch as PlannedMatch, Power as Power, power_of as power_of
    from arena_standings.standing import BY_GAME_LEVEL as BY_GAME_LEVEL, standings_of as standings_of
    from arena_standings.values import (
        CENTRE as CENTRE,
        ELO as ELO,
        Ends as Ends,
        FactorLead as FactorLead,
        Mean as Mean,
        Pair as Pair,
        Part as Part,
        Row as Row,
        Standings as Standings,
    )
    from arena_standings.words import (
        ends_text as ends_text,
        lead_text as lead_text,
        number as number,
        order_line as order_line,
        rating_text as rating_text,
        signed_text as signed_text,
    )

_HOMES: Final = {
    "BY_GAME_LEVEL": "arena_standings.standing",
    "CENTRE": "arena_standings.values",
    "ELO": "arena_standings.values",
    "Contest": "arena_standings.matches",
    "Ends": "arena_standings.values",
    "FactorLead": "arena_standings.values",
    "GameKind": "arena_standings.matches",
    "Headline": "arena_standings.order",
    "MatchEnding": "arena_standings.matches",
    "Mean": "arena_standings.values",
    "Pair": "arena_standings.values",
    "Part": "arena_standings.values",
    "PlannedMatch": "arena_standings.planning",
    "Power": "arena_standings.planning",
    "Repetition": "arena_standings.matches",
    "Row": "arena_standings.values",
    "Standings": "arena_standings.values",
    "block_of": "arena_standings.order",
    "ends_text": "arena_standings.words",
    "lead_text": "arena_standings.words",
    "number": "arena_standings.words",
    "order_line": "arena_standings.words",
    "power_of": "arena_standings.planning",
    "rating_text": "arena_standings.words",
    "signed_text": "arena_standings.words",
    "standings_of": "arena_standings.standing",
    "without_repeats": "arena_standings.matches",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    # Imported when it is first used: numpy is imported where standings are made, and nowhere before.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
