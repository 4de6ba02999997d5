"""Prove that a game keeps its contract."""

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

from arena.game import Game
from arena.testing.conformance import ConformanceError
from arena.testing.matches import Budget, check_matches, seen_on
from arena.testing.schemas import IS_INSTALLED, MISSING
from arena.testing.shrinking import shrunk
from arena.testing.table import check_counts, check_facts, check_rules, check_seats


@attrs.frozen(kw_only=True)
class GameReport:
    """What was proved, and on how much.

    ``waves`` were played in ``playouts`` random matches, the longest of which took ``longest``; ``cut`` of them were
    ended by the wave limit. ``positions`` were examined closely with ``probes`` tried actions. ``pairs`` of positions
    with the same history of a player were compared, found through ``redeals`` (exchanged luck), ``alternates`` (other
    actions of others) and coincidence; in ``differing`` of them the truth differed, which is the power of the test for
    leaks. ``untested`` says what could not be looked at, and why.
    """

    game: str
    players: tuple[int, ...]
    seed: int
    playouts: int
    waves: int
    longest: int
    cut: int
    positions: int
    probes: int
    redeals: int
    alternates: int
    pairs: int
    differing: int
    untested: tuple[str, ...] = ()


def check_game(
    game: Game,
    players: int | Iterable[int] | None = None,
    *,
    playouts: int | None = None,
    seed: int = 0,
    thorough: bool = False,
) -> GameReport:
    """Play random matches of ``game`` and examine them; ``ConformanceError`` says what fault was found.

    ``players`` are the numbers of players to try; without it the least and the greatest the game allows. The same
    ``seed`` examines the same matches. Of ``playouts``, 16 by default, fewer are played where many play or matches are
    long. A small game takes about a second; ``thorough`` looks about ten times as hard.
    An error of the game itself comes as a ``ConformanceError`` too, with the line of play that leads to it.
    """
    budget = Budget.thorough() if thorough else Budget()
    if playouts is not None:
        budget = attrs.evolve(budget, playouts=playouts)
    check_rules(game)
    tried = _tried(check_counts(game), players)
    counts = Counter[str]()
    untested: list[str] = [] if IS_INSTALLED else [MISSING]
    for number in tried:
        check_seats(game, number)
        facts = check_facts(game, number)
        try:
            untested += check_matches(game, number, facts, seed, budget, counts)
        except ConformanceError as fault:
            raise shrunk(fault, seen_on, tries=40) from fault
    check_rules(game)
    return GameReport(
        game=repr(game),
        players=tried,
        seed=seed,
        playouts=counts["playouts"],
        waves=counts["waves"],
        longest=counts["longest"],
        cut=counts["cut"],
        positions=counts["positions"],
        probes=counts["probes"],
        redeals=counts["redeals"],
        alternates=counts["alternates"],
        pairs=counts["pairs"],
        differing=counts["differing"],
        untested=tuple(dict.fromkeys(untested)),
    )


def _tried(allowed: Sequence[int], players: int | Iterable[int] | None) -> tuple[int, ...]:
    if players is None:
        return tuple(sorted({min(allowed), max(allowed)}))
    wanted = (players,) if isinstance(players, int) else tuple(players)
    for number in wanted:
        if number not in allowed:
            raise ConformanceError("players", f"{number} may not play; player_counts() is {tuple(allowed)!r}")
    return wanted
