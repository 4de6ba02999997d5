"""What follows a phase: centres change hands, somebody wins, and the next phase begins."""

from collections.abc import Mapping

from arena_game_diplomacy.rules.position import Position, builds_left
from arena_game_diplomacy.rules.results import OrderResult, Result

LAST_YEAR = 9999

Units = Mapping[str, tuple[str, ...]]


def finished(
    position: Position,
    orders: Mapping[str, tuple[OrderResult, ...]],
    units: Units,
    dislodged: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
    contested: tuple[str, ...] = (),
) -> Result:
    """The result of a phase that leaves these units, with the position of the next phase."""
    dislodged = dislodged or {}
    if any(places for beaten in dislodged.values() for places in beaten.values()):
        following = Position(
            phase=f"{position.phase[:-1]}R",
            units=units,
            centres=position.centres,
            dislodged=dislodged,
            contested=contested,
            win_centres=position.win_centres,
            board=position.board,
        )
        winner = None
    else:
        following, winner = _after_retreats(position, units)
    return Result(
        phase=position.phase,
        orders=orders,
        units=following.units,
        dislodged=dislodged,
        contested=contested,
        centres=following.centres or {},
        winner=winner,
        next=following if winner is None and following.year <= LAST_YEAR else None,
    )


def _after_retreats(position: Position, units: Units) -> tuple[Position, str | None]:
    """The position after a season, and who has won: centres go to who stands there after autumn, and only then."""
    season, year = position.phase[0], position.year
    centres = position.centres if season != "F" else _owned(position, units)
    phase = f"F{year:04}M" if season == "S" else f"W{year:04}A" if season == "F" else f"S{year + 1:04}M"
    following = Position(phase, units, centres, win_centres=position.win_centres, board=position.board)
    winner = _winner(following) if season == "F" else None
    if season == "F" and (centres is None or not any(builds_left(following).values())):
        following = Position(f"S{year + 1:04}M", units, centres, win_centres=position.win_centres, board=position.board)
    return following, winner


def _owned(position: Position, units: Units) -> Units | None:
    """The centres of each power after autumn: where it stands, and what it had where nobody stands."""
    if position.centres is None:
        return None
    board = position.board
    owner = {name: power for power, names in position.centres.items() for name in names}
    for power, names in units.items():
        for unit in names:
            if board.provinces[province := board.province_of[unit[2:]]].is_centre:
                owner[province] = power
    return {power: tuple(name for name, holder in owner.items() if holder == power) for power in board.powers}


def _winner(position: Position) -> str | None:
    """Who has enough centres, and more than everybody else."""
    counts = {power: len(names) for power, names in (position.centres or {}).items()}
    most = max(counts.values(), default=0)
    first = [power for power, count in counts.items() if count == most]
    return first[0] if most >= position.win_centres and len(first) == 1 else None
