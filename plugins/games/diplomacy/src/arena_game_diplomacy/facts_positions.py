"""Positions that players are asked about: from random play by the rules of the game, or from matches of a journal."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.errors import ArenaError, ConfigError
from arena.record import Event, derive_rng
from arena_game_diplomacy.adjudication import adjudicate
from arena_game_diplomacy.knowledge import Situation
from arena_game_diplomacy.legal import legal_orders
from arena_game_diplomacy.position import Position
from arena_game_diplomacy.sampling import sample_orders

YEARS: Final = 10
"""Random play goes on for at most so many years."""


@lru_cache(maxsize=1 << 8)
def random_walk(number: int, seed: int = 0, years: int = YEARS) -> tuple[Situation, ...]:
    """The positions of one stretch of random play before the orders of each Spring and Fall, from the opening on.

    It is as long as chance has it: any number from 1 to two for each year is equally likely, unless a power wins first.
    """
    rng = derive_rng("diplomacy-facts", seed, number)
    length = rng.randint(1, 2 * years)
    position: Position | None = Position.opening()
    influence = after({}, position)
    found: list[Situation] = []
    while position is not None:
        if position.phase.endswith("M"):
            found.append(Situation(position, influence))
            if len(found) == length:
                break
        legal = legal_orders(position)
        orders = {power: tuple(sample_orders(position, (power,), rng, legal).values()) for power in position.units}
        position = adjudicate(position, orders).next
        if position is not None:
            influence = after(influence, position)
    return tuple(found)


def after(influence: Mapping[str, Sequence[str]], position: Position) -> dict[str, tuple[str, ...]]:
    """Who was last in each province, once the units stand as in ``position``."""
    owner = {place: power for power, places in influence.items() for place in places}
    owner |= {unit[2:].partition("/")[0]: power for power, units in position.units.items() for unit in units}
    return {power: tuple(sorted(p for p in owner if owner[p] == power)) for power in sorted(set(owner.values()))}


def situation_of(event: Event) -> Situation | None:
    """The position before the orders of a Spring or Fall that an event tells, with the influence beside it.

    Events of ``diplomacy`` (``start``, ``adjudicated``) and of ``diplomacy-facts`` (``asked``) tell one; others do not.
    """
    key = {"start": "position", "asked": "position", "adjudicated": "next"}.get(event.kind)
    if key is None or event.source != "game" or not isinstance(event.data, Mapping):
        return None
    raw, influence = event.data.get(key), event.data.get("influence")
    if not isinstance(raw, Mapping) or not isinstance(influence, Mapping):
        return None
    position = Position.from_json(raw)
    return Situation(position, cast("Any", influence)) if position.phase.endswith("M") else None


@attrs.frozen
class RecordedSituation:
    """A position from a journal, and the match it comes from."""

    match: str
    situation: Situation


def recorded(path: str) -> tuple[RecordedSituation, ...]:
    """The positions of all finished matches of a run; ``path`` is its folder or its journal.

    ``ConfigError`` says what is wrong with the journal, or that it holds no match of Diplomacy.
    """
    try:
        from arena_engine import Journal
    except ImportError as error:
        raise ConfigError("journal: it takes arena-engine: pip install 'arena-game-diplomacy[journals]'") from error
    try:
        with Journal.open(Path(path)) as journal:
            found = tuple(
                RecordedSituation(record.id, situation)
                for record in journal.records()
                if record.ending.is_result
                for situation in map(situation_of, record.events)
                if situation is not None
            )
    except ArenaError as error:
        raise ConfigError(f"journal: {error}") from error
    if not found:
        raise ConfigError(f"journal: {path}: expected finished matches of the game diplomacy, found none")
    return found
