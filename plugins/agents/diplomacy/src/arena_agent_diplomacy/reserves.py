"""Retreats, builds and disbands by the same values as moves: where a unit is worth most, and which is worth least."""

from collections.abc import Mapping, Sequence

from arena_game_diplomacy.rules.notation import parse_order

from arena_agent_diplomacy.values import Side, crowd


def retreat_orders(side: Side, legal: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Where each dislodged unit of a side goes: each to where it is worth most, no two to one province."""
    board, pulls = side.position.board, side.pulls()
    found: dict[str, str] = {}
    taken = set[str]()
    ways = [
        (side.worth(f"{unit[0]} {target}", pulls), unit, text, board.province_of[target])
        for unit, texts in legal.items()
        for text in texts
        if (target := parse_order(board, text).target)
    ]
    for _, unit, order, province in sorted(ways, reverse=True):
        if unit not in found and province not in taken and province not in side.closed:
            found[unit] = order
            taken.add(province)
    return {unit: found.get(unit, f"{unit} D") for unit in legal}


def build_orders(side: Side, legal: Mapping[str, Sequence[str]], count: int) -> dict[str, str]:
    """What a power builds at which home centre: ``count`` units at most, each where and what is worth most."""
    pulls = side.pulls()
    for unit in side.units:
        crowd(side, unit, pulls)
    found: dict[str, str] = dict.fromkeys(legal, "WAIVE")
    for _ in range(count):
        open_units = [
            text[:-2] for home, texts in legal.items() if found[home] == "WAIVE" for text in texts if text != "WAIVE"
        ]
        if open_units:
            best = max(open_units, key=lambda unit: side.worth(unit, pulls))
            found[best[2:5]] = f"{best} B"
            crowd(side, best, pulls)
    return found


def disband_orders(side: Side, power: str, count: int) -> dict[str, str]:
    """Which ``count`` units a power disbands: those that are worth least where they stand."""
    pulls = side.pulls()
    units = sorted(side.position.units[power], key=lambda unit: side.worth(unit, pulls))
    return {unit: f"{unit} D" for unit in units[:count]}
