"""Positions that players are asked about: from random play by the rules of the game, or from matches of a journal."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.chance import Chance
from arena.errors import ArenaError, ConfigError
from arena.installing import full_name, install_line
from arena.record import Event, derive_rng

from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.knowledge.truth import Situation
from arena_game_diplomacy.match.asking import ORDERS
from arena_game_diplomacy.match.state import DiplomacyState
from arena_game_diplomacy.rules.board import POWERS
from arena_game_diplomacy.rules.position import Position

FIRST_YEAR: Final = 1901

YEARS: Final = 10
"""Random play goes on for at most so many years."""


@lru_cache(maxsize=1 << 8)
def random_walk(number: int, seed: int = 0, years: int = YEARS) -> tuple[Situation, ...]:
    """The positions of one stretch of random play before the orders of each Spring and Fall, from the opening on.

    It is as long as chance has it: any number from 1 to two for each year is equally likely, unless a power wins first.
    """
    rng = derive_rng("diplomacy-facts", seed, number)
    length = rng.randint(1, 2 * years)
    game = Diplomacy(negotiation_rounds=0, last_year=FIRST_YEAR + years)
    state = cast("DiplomacyState", game.start(Chance(0), len(POWERS))[0])  # a start in which nothing is drawn
    found: list[Situation] = []
    while acting := state.to_act():
        if state.step == ORDERS:
            found.append(Situation(state.position, state.influence_by_power()))
        if len(found) == length:
            break
        state.apply({player: state.decision(player).sample(rng) for player in acting})
    return tuple(found)


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
    journal = Path(path)
    file = journal / "journal.sqlite" if journal.is_dir() else journal
    try:
        written = file.stat()
    except OSError as error:
        raise ConfigError(f"journal: {path}: expected the folder of a run or its journal: {error.strerror}") from error
    return _recorded(file, written.st_mtime_ns, written.st_size)


@lru_cache(maxsize=8)
def _recorded(file: Path, changed: int, size: int) -> tuple[RecordedSituation, ...]:
    """Read a journal once as long as its file stays the same: a sweep over questions makes many games of it."""
    try:
        from arena_engine import Journal
    except ImportError as error:
        line = install_line(full_name("game-diplomacy[journals]"))
        raise ConfigError(f"journal: it takes {full_name('engine')}: {line}") from error
    try:
        with Journal.open(file) as journal:
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
        raise ConfigError(f"journal: {file}: expected finished matches of the game diplomacy, found none")
    return found
