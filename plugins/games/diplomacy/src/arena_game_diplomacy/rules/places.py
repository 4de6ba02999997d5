"""Names of places and units as people write them, read into those of the map."""

import re
from functools import cache

from arena.errors import ConfigError, did_you_mean

from arena_game_diplomacy.rules.board import BoardMap, squeezed

COAST = r"(?:/(?:[NESW]C)|\((?:[NESW]C)\)|\(?(?:[NESW]C|(?:NORTH|EAST|SOUTH|WEST)COAST)\)?)"
LETTER = r"(?:ARMY|FLEET|A|F)"
LONGEST = 200


class PlaceError(ConfigError):
    """A place or a unit that cannot be read; one sentence says why."""


@cache
def place_pattern(board: BoardMap) -> str:
    """A regular expression for every way to write a province of this map, longest first, without spaces and dots."""
    names = sorted(board.names, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(name).replace(r"\-", "-?") for name in names) + ")"


@cache
def _patterns(board: BoardMap) -> tuple[re.Pattern[str], re.Pattern[str]]:
    place = f"({place_pattern(board)})({COAST})?"
    return re.compile(place), re.compile(f"({LETTER}){place}")


@cache
def _meanings(board: BoardMap) -> dict[str, tuple[str, ...]]:
    return {name.replace("-", ""): meanings for name, meanings in board.names.items()}


def province_named(board: BoardMap, written: str) -> str:
    """The province that a name means, written in capitals without spaces and dots; one with two meanings is refused."""
    meanings = _meanings(board).get(written.replace("-", ""), ())
    if len(meanings) == 1:
        return meanings[0]
    if not meanings:
        raise PlaceError(unknown_province(board, written))
    names = [f"{board.provinces[name].full_name} ({name})" for name in meanings]
    raise PlaceError(f"{written!r} can mean {', '.join(names[:-1])} or {names[-1]}")


def unknown_province(board: BoardMap, written: str) -> str:
    """The message about a name that means nothing, with a close one that begins alike: a list of all is too long."""
    names = [name for province in board.provinces.values() for name in (province.name, squeezed(province.full_name))]
    return f"no province called {written!r}{did_you_mean(written, [name for name in names if name[0] == written[:1]])}"


def place_named(board: BoardMap, written: str, coast: str | None) -> str:
    """The place that a name and a coast mean; a coast is left out where the province has none."""
    province = province_named(board, written)
    coasts = board.provinces[province].coasts
    if coast is None or not coasts:
        return province
    letter = coast.strip("/()")[0]
    if f"{letter}C" not in coasts:
        raise PlaceError(f"{province} has no coast {letter}C, only {' and '.join(coasts)}")
    return f"{province}/{letter}C"


def _squeezed(text: str) -> str:
    if len(text) > LONGEST or not text.isascii():
        raise PlaceError(f"cannot be read: {text[:40]!a}")
    return squeezed(text)


def read_place(board: BoardMap, text: str) -> str:
    """The place that a text means, with its coast where one is given (``"Stp(nc)"`` is ``"STP/NC"``)."""
    written = _squeezed(text)
    match = _patterns(board)[0].fullmatch(written)
    return place_named(board, match[1], match[2]) if match else province_named(board, written)


def read_unit(board: BoardMap, text: str) -> str:
    """The unit that a text means and that can stand where it is said to stand (``"f stp(sc)"`` is ``"F STP/SC"``)."""
    written = _squeezed(text)
    match = _patterns(board)[1].fullmatch(written)
    if match is None:
        if re.match(LETTER, written) and len(text.split()) > 1:
            province_named(board, squeezed(text.split(None, 1)[1]))
        raise PlaceError(f"expected a unit such as 'A VIE' or 'F STP/SC', got {text!a}")
    letter, place = match[1][0], place_named(board, match[2], match[3])
    if letter == "A":
        place = board.province_of[place]
    unit = f"{letter} {place}"
    if unit not in board.moves:
        province = board.provinces[board.province_of[place]]
        if letter == "F" and province.coasts:
            coasts = " or ".join(f"{place}/{coast}" for coast in province.coasts)
            raise PlaceError(f"a fleet in {place} needs its coast: {coasts}")
        raise PlaceError(f"{'an army' if letter == 'A' else 'a fleet'} cannot be in {place} ({province.kind})")
    return unit
