"""Prove that a game keeps its contract."""

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs
from arena.game import Game

from arena_testing.foundation.conformance import ConformanceError
from arena_testing.foundation.schemas import IS_INSTALLED, not_installed
from arena_testing.game.game_facts import check_counts, check_facts, check_rules, check_seats
from arena_testing.game.matches import Budget, check_matches, seen_on
from arena_testing.game.shrinking import shrunk
from arena_testing.game.stated_random_play import check_random_play


@attrs.frozen(kw_only=True)
class GameReport:
    """What was proved, and on how much.

    ``steps`` were played in ``playouts`` random matches, the longest of which took ``longest``; ``cut`` of them were
    ended by the step limit. ``positions`` were examined closely, with ``probes`` actions given to ``check``.

    ``pairs`` are pairs of positions in which one player has the same history; they were found through ``redeals``
    (other chance outcomes), ``alternates`` (other actions of other players) and coincidence. In ``differing`` pairs the
    hidden state differed: the more there are, the more likely a leak is found. ``draws`` positions were drawn for a
    player to think on, from matches that it cannot tell apart. ``left_out`` matches were to be examined
    and were not, since the time was over. ``untested`` says what could not be checked, and why.
    """

    game: str
    players: tuple[int, ...]
    seed: int
    playouts: int
    steps: int
    longest: int
    cut: int
    positions: int
    probes: int
    redeals: int
    alternates: int
    pairs: int
    differing: int
    draws: int = 0
    left_out: int = 0
    untested: tuple[str, ...] = ()


def check_game(
    game: Game,
    players: int | Iterable[int] | None = None,
    *,
    playouts: int | None = None,
    seed: int = 0,
    thorough: bool = False,
    cpu_s: float | None = None,
    without: Iterable[str] = (),
) -> GameReport:
    """Play random matches of ``game`` and examine them; raises ``ConformanceError`` at the first fault.

    ``players`` are the numbers of players to try, by default the smallest and the largest that the game allows. The
    same ``seed`` examines the same matches. Fewer than ``playouts`` (16 by default) are played if there are many
    players or matches are long. A small game takes about a second; ``thorough`` does about ten times the work. After
    about ``cpu_s`` seconds of CPU time no further match is examined, so that what is examined depends on the machine.
    ``without`` leaves checks out that come after others, to see what else there is: ``told`` (private values in
    events), ``announced`` (events before they are so) and ``resample`` (positions drawn for players).

    An exception of the game becomes a ``ConformanceError`` too, with the actions that lead to it.
    """
    budget = Budget.thorough() if thorough else Budget()
    if playouts is not None:
        budget = attrs.evolve(budget, playouts=playouts)
    check_rules(game)
    tried = _tried(check_counts(game), players)
    if cpu_s is not None:
        budget = attrs.evolve(budget, cpu_s=cpu_s / len(tried))
    counts, left_out = Counter[str](), frozenset(without)
    untested: list[str] = [] if IS_INSTALLED else [f"schemas: {not_installed()}"]
    for number in tried:
        check_seats(game, number)
        facts = check_facts(game, number)
        try:
            untested += check_matches(game, number, facts, seed, budget, counts, left_out)
            check_random_play(game, number)
        except ConformanceError as fault:
            raise shrunk(fault, seen_on, tries=40) from fault
    check_rules(game)
    return GameReport(
        game=repr(game),
        players=tried,
        seed=seed,
        playouts=counts["playouts"],
        steps=counts["steps"],
        longest=counts["longest"],
        cut=counts["cut"],
        positions=counts["positions"],
        probes=counts["probes"],
        redeals=counts["redeals"],
        alternates=counts["alternates"],
        pairs=counts["pairs"],
        differing=counts["differing"],
        draws=counts["draws"],
        left_out=counts["left_out"],
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
