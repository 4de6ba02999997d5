"""Orders and how they are written, in the standard notation and in the usual others."""

import re
from functools import cache, cached_property, lru_cache
from typing import Literal

import attrs
from arena.errors import ConfigError

from arena_game_diplomacy.rules.board import BoardMap, squeezed
from arena_game_diplomacy.rules.places import (
    COAST,
    LETTER,
    LONGEST,
    PlaceError,
    place_named,
    place_pattern,
    unknown_province,
)

OrderKind = Literal["hold", "move", "support", "convoy", "retreat", "disband", "build", "waive"]

_DASHES = re.compile(r"[-=]+>|[\u2010-\u2015\u2212]|\u2192")


class OrderError(ConfigError):
    """An order that cannot be read or given; one sentence says why."""


@attrs.frozen
class Order:
    """One order: ``str(order)`` is its standard notation.

    ``unit`` is who gets it (``"A VIE"``; for a build what is built; ``""`` for a waive). ``target`` is the place to
    which ``unit`` itself, or the unit that is helped, shall go; a support to hold has none. ``helped`` is the unit that
    is supported or convoyed. ``via`` tells that an army asks for a convoy.
    """

    unit: str
    kind: OrderKind
    target: str | None = None
    helped: str | None = None
    via: bool = False

    @cached_property
    def text(self) -> str:
        """The standard notation: ``"A BUD S A VIE - GAL"``."""
        match self.kind:
            case "hold":
                return f"{self.unit} H"
            case "move":
                return f"{self.unit} - {self.target}{' VIA' if self.via else ''}"
            case "support":
                return f"{self.unit} S {self.helped}{f' - {self.target}' if self.target else ''}"
            case "convoy":
                return f"{self.unit} C {self.helped} - {self.target}"
            case "retreat":
                return f"{self.unit} R {self.target}"
            case "disband":
                return f"{self.unit} D"
            case "build":
                return f"{self.unit} B"
            case "waive":
                return "WAIVE"

    def __str__(self) -> str:
        return self.text


@cache
def _pattern(board: BoardMap) -> re.Pattern[str]:
    place = place_pattern(board)
    unit = f"(?P<letter>{LETTER})?(?P<place>{place})(?P<coast>{COAST})?"
    helped = f"(?P<helped_letter>{LETTER})?(?P<helped>{place})(?P<helped_coast>{COAST})?"
    target = f"(?P<{{0}}>{place})(?P<{{0}}_coast>{COAST})?"
    return re.compile(
        f"(?:(?P<waive>WAIVED?)|{unit}(?:"
        f"(?P<hold>H|HOLDS?)"
        f"|-{target.format('move')}(?P<via>VIA(?:CONVOY)?|BYCONVOY)?"
        f"|(?P<help>SUPPORTS?|CONVOYS?|S|C){helped}(?:-{target.format('to')}(?:VIA(?:CONVOY)?)?|H|HOLDS?)?"
        f"|(?:R|RETREATS?(?:TO)?){target.format('retreat')}"
        f"|(?P<disband>D|DISBANDS?|REMOVED?)"
        f"|(?P<build>B|BUILDS?)))"
    )


@lru_cache(maxsize=50_000)
def parse_order(board: BoardMap, text: str) -> Order:
    """The order that a text means, whatever the position; what cannot be read raises ``OrderError``.

    Letter case, spaces and dots do not matter. A missing letter of a unit is read as ``A``; who is really there, and on
    which coast, is for the position to say.
    """
    if len(text) > LONGEST:
        raise OrderError(f"cannot be read: it has {len(text)} characters")
    written = squeezed(_DASHES.sub("-", text))
    match = _pattern(board).fullmatch(written) if written.isascii() else None
    if match is None:
        raise OrderError(_why_unread(board, text))
    try:
        return _order(board, match)
    except PlaceError as error:
        raise OrderError(error.problems) from None


def _why_unread(board: BoardMap, text: str) -> str:
    """The first word that looks like an abbreviation and is none, or else what an order looks like."""
    known = {word for province in board.provinces.values() for word in province.full_name.upper().split()} | {"VIA"}
    for word in re.findall(r"\b[A-Za-z]{3}\b", text):
        if word.upper() not in known and word.upper() not in board.names:
            return unknown_province(board, word.upper())
    return "cannot be read as an order such as 'A VIE - BUD' or 'A BUD S A VIE - GAL'"


def _order(board: BoardMap, match: re.Match[str]) -> Order:
    if match["waive"]:
        return Order("", "waive")
    unit = f"{(match['letter'] or 'A')[0]} {place_named(board, match['place'], match['coast'])}"
    if match["hold"]:
        return Order(unit, "hold")
    if match["disband"]:
        return Order(unit, "disband")
    if match["build"]:
        return Order(unit, "build")
    if match["move"]:
        return Order(unit, "move", place_named(board, match["move"], match["move_coast"]), via=bool(match["via"]))
    if match["retreat"]:
        return Order(unit, "retreat", place_named(board, match["retreat"], match["retreat_coast"]))
    helped = f"{(match['helped_letter'] or 'A')[0]} {place_named(board, match['helped'], match['helped_coast'])}"
    target = match["to"] and place_named(board, match["to"], match["to_coast"])
    if match["help"][0] == "S":
        return Order(unit, "support", target, helped)
    if target is None:
        raise OrderError("a convoy must say where the army goes, such as 'F NTH C A LON - NWY'")
    return Order(unit, "convoy", target, helped)
