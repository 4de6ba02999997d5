"""How texts name provinces and powers, and what a player sees of them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from arena.game import Entities, EntityStatus

from arena_game_diplomacy.rules.board import BoardMap, read_map


def named(seen: Mapping[str, Any]) -> tuple[Entities, ...]:
    """Provinces, by abbreviation or full name, and powers.

    A province is ``held`` where a unit of the player stands, ``taken`` where another does, and else ``free``. Of powers
    the player's own are ``held``, other living ones ``taken``, and eliminated ones ``elsewhere``.
    """
    board, own = read_map("standard"), frozenset(seen["powers"])
    there = {unit[2:5]: power for power, units in seen["units"].items() for unit in units}
    status: dict[str, EntityStatus] = {}
    for name, province in board.provinces.items():
        power = there.get(name)
        status[name.lower()] = "free" if power is None else "held" if power in own else "taken"
        status[province.full_name.lower()] = status[name.lower()]
    powers: dict[str, EntityStatus] = {}
    for power, units in seen["units"].items():
        lives = units or seen["centres"].get(power) or seen["dislodged"].get(power)
        powers[power.lower()] = "elsewhere" if not lives else "held" if power in own else "taken"
    return (
        Entities(kind="province", pattern=_provinces(board), status=status),
        Entities(kind="power", pattern="|".join(map(str.lower, board.powers)), status=powers),
    )


@cache
def _provinces(board: BoardMap) -> str:
    """Abbreviations in capitals, also unknown ones behind the letter of a unit, and full names in any letters."""
    full = sorted((province.full_name for province in board.provinces.values()), key=len, reverse=True)
    return rf"(?-i:(?<=\b[AF] )[A-Z]{{3}}|{'|'.join(board.provinces)})|{'|'.join(full)}"
