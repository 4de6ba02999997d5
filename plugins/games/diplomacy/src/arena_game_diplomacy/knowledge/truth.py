"""What is true of a position for a player, field by field, and how a report of it is scored.

Truths are *items*, the short texts that ``report_reading`` describes, so that a report is right where both agree.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, cast

import attrs
from arena.record import JSON

from arena_game_diplomacy.knowledge.report_reading import field_named, read_report, written
from arena_game_diplomacy.knowledge.reports import FIELDS, MULTI_HOP, ONE_HOP, WORST_CASE
from arena_game_diplomacy.rules.board import BoardMap
from arena_game_diplomacy.rules.position import Position

__all__ = [
    "FIELDS",
    "MULTI_HOP",
    "ONE_HOP",
    "WORST_CASE",
    "FieldScore",
    "Situation",
    "is_missing",
    "pooled",
    "random_report",
    "scored",
    "scored_at_random",
    "true_report",
    "truths",
]


def _by_power(influence: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {power: tuple(places) for power, places in influence.items()}


@attrs.frozen
class Situation:
    """A position and the provinces under the influence of each power: who stands there, or was the last to do so."""

    position: Position
    influence: Mapping[str, Sequence[str]] = attrs.field(converter=_by_power)


@attrs.frozen
class FieldScore:
    """How many items of a field were right, how many were wrong, and how many true ones were left out.

    These are the true positives, false positives and false negatives; scores of several reports are added.
    """

    hits: int = 0
    extra: int = 0
    missing: int = 0

    def __add__(self, other: "FieldScore") -> "FieldScore":
        return FieldScore(self.hits + other.hits, self.extra + other.extra, self.missing + other.missing)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; ``None`` where there was nothing to say and nothing was said."""
        base = 2 * self.hits + self.extra + self.missing
        return 2 * self.hits / base if base else None


def pooled(scores: Mapping[str, FieldScore]) -> FieldScore:
    """The counts of all fields together."""
    return sum(scores.values(), FieldScore())


def truths(situation: Situation, powers: Collection[str], fields: Sequence[str] = FIELDS) -> dict[str, frozenset[str]]:
    """The items that are true of each field for the player who holds ``powers``.

    An attack takes one unit on an empty province and two where a unit stands, as in SPIN-Bench. In the worst case every
    foreign unit that can move there directly supports the unit that stands there.
    """
    units, board = situation.position.units, situation.position.board
    own = [unit for power in powers for unit in units.get(power, ())]
    foreign = [unit for power, those in units.items() if power not in powers for unit in those]
    reached = {board.province_of[unit[2:]]: board.reach[unit] for unit in own}
    attackable = frozenset[str]().union(*reached.values()) - reached.keys()
    held = frozenset(board.province_of[unit[2:]] for unit in foreign)
    defenders = {place: sum(place in board.reach[unit] for unit in foreign) for place in attackable & held}
    found: dict[str, Callable[[], frozenset[str]]] = {
        "location": lambda: frozenset(place for power in powers for place in situation.influence.get(power, ())),
        "unit": lambda: frozenset(f"{unit[0]} {board.province_of[unit[2:]]}" for unit in own),
        "adjacent": lambda: frozenset(f"{place}-{other}" for place, others in reached.items() for other in others),
        "attackable": lambda: attackable,
        "attack_analysis": lambda: frozenset(f"{place}={1 + (place in held)}" for place in attackable),
        WORST_CASE: lambda: frozenset(
            f"{place}={2 + defenders[place] if place in held else 1}" for place in attackable
        ),
    }
    return {field: found[field]() for field in fields}


def true_report(situation: Situation, powers: Collection[str], fields: Sequence[str] = FIELDS) -> dict[str, JSON]:
    """The report in which everything is right, with its places in alphabetical order."""
    return {field: written(field, items) for field, items in truths(situation, powers, fields).items()}


def random_report(
    situation: Situation, powers: Collection[str], rng: Random, fields: Sequence[str] = FIELDS
) -> dict[str, JSON]:
    """A report with as many entries as the right one, drawn evenly from what could stand in their place.

    This is the answer of somebody who knows how much there is to say and nothing else.
    """
    return {field: written(field, items) for field, items in _random_items(situation, powers, rng, fields).items()}


def is_missing(report: Any) -> bool:
    """Whether there is no report: no object, or one without any field."""
    return not (isinstance(report, Mapping) and any(field_named(key) for key in cast("Mapping[str, Any]", report)))


def scored(
    report: Any,
    situation: Situation,
    powers: Collection[str],
    fields: Sequence[str] = FIELDS,
    *,
    skip_two_coasts: bool = False,
) -> dict[str, FieldScore]:
    """Count what is right, wrong and left out in a report, by field; never raises, whatever the report is.

    A missing report leaves everything out. A unit whose kind is not said is recognised by its province.
    ``skip_two_coasts`` leaves out what is adjacent to a unit in a province with two coasts, as SPIN-Bench does.
    """
    given = read_report(report, situation.position.board)
    return _compared(given, situation, powers, fields, skip_two_coasts)


def scored_at_random(
    rng: Random,
    situation: Situation,
    powers: Collection[str],
    fields: Sequence[str] = FIELDS,
    *,
    skip_two_coasts: bool = False,
) -> dict[str, FieldScore]:
    """The scores of one random report, which is not written out and read again."""
    given = _random_items(situation, powers, rng, fields)
    return _compared(given, situation, powers, fields, skip_two_coasts)


def _compared(
    given: Mapping[str, frozenset[str]],
    situation: Situation,
    powers: Collection[str],
    fields: Sequence[str],
    skip_two_coasts: bool,
) -> dict[str, FieldScore]:
    board = situation.position.board
    scores: dict[str, FieldScore] = {}
    for field, true in truths(situation, powers, fields).items():
        said = given.get(field, frozenset())
        if field == "unit":
            kinds = {item[2:]: item for item in true}
            said = frozenset(kinds.get(item[2:], item) if item.startswith("? ") else item for item in said)
        elif field == "adjacent" and skip_two_coasts:
            said, true = _without_two_coasts(said, board), _without_two_coasts(true, board)
        scores[field] = FieldScore(len(said & true), len(said - true), len(true - said))
    return scores


def _without_two_coasts(items: frozenset[str], board: BoardMap) -> frozenset[str]:
    two_coasts = tuple(f"{name}-" for name, province in board.provinces.items() if province.coasts)
    return frozenset(item for item in items if not item.startswith(two_coasts))


def _random_items(
    situation: Situation, powers: Collection[str], rng: Random, fields: Sequence[str]
) -> dict[str, frozenset[str]]:
    provinces = situation.position.board.provinces
    every = sorted(provinces)

    def drawn(field: str, items: Collection[str]) -> Iterable[str]:
        if field == "adjacent":
            counts = Counter(item[:3] for item in sorted(items)).values()
            places = rng.sample(every, len(counts))
            return [f"{p}-{other}" for p, n in zip(places, counts, strict=True) for other in rng.sample(every, n)]
        places = rng.sample(every, len(items))
        if field == "unit":
            return [f"{rng.choice(_LETTERS[provinces[place].kind])} {place}" for place in places]
        return [f"{p}={rng.choice(_NUMBERS[field])}" for p in places] if field in _NUMBERS else places

    return {field: frozenset(drawn(field, items)) for field, items in truths(situation, powers, fields).items()}


_LETTERS: Final[Mapping[str, str]] = {"inland": "A", "sea": "F", "coastal": "AF"}
_NUMBERS: Final[Mapping[str, Sequence[int]]] = {"attack_analysis": (1, 2), WORST_CASE: (1, 2, 3)}
