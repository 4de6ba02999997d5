"""The figures of grid-game competitions: outcomes by seat, and moves and invalid moves by form."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs
from arena.tables import Estimate, Figure

from arena_suite_grid_games.pools import SEATS, Pool
from arena_suite_grid_games.published_game import NO_FORM

_OUTCOMES: Final = {"won": "wins", "drawn": "draws", "disqualified": "disqualifications"}

_NEITHER: Final = "What is missing to 100 is lost, cut off, or won by nobody since the other one was disqualified."


def outcome_figures(pools: Sequence[Pool]) -> Iterator[Figure]:
    """One figure for each game and form: what became of each agent's matches, in per cent of those in each seat."""
    for (game, form), own in _by_part(pools).items():
        yield Figure(
            kind="bar",
            title=f"Outcomes by seat: {named(game, form)}",
            x=tuple(pool.agent for pool in own),
            series={
                f"{word} as {name}": tuple(percent(pool.seat(seat).share(kind)) for pool in own)
                for seat, name in enumerate(SEATS)
                for word, kind in _OUTCOMES.items()
            },
            y_title="% of the agent's matches in the seat",
            note=f"{matches_told(own)} {_NEITHER}",
        )


def move_figures(pools: Sequence[Pool]) -> Iterator[Figure]:
    """One figure for each game: moves and invalid moves per match by agent, the forms side by side."""
    for game in dict.fromkeys(pool.game for pool in pools):
        own = [pool for pool in pools if pool.game == game]
        forms = tuple(dict.fromkeys(pool.form for pool in own))
        agents = tuple(dict.fromkeys(pool.agent for pool in own))
        there = {(pool.form, pool.agent): pool for pool in own}
        series = {
            in_form(word, form): tuple(_per_match(there.get((form, agent)), kind) for agent in agents)
            for word, kind in (("moves", "moves"), ("invalid (already taken)", "taken"))
            for form in forms
        }
        yield Figure(
            kind="bar",
            title=f"Moves and invalid moves per match: {game}",
            x=agents,
            series=series,
            y_title="per match",
            note=matches_told(own),
        )


def named(game: str, form: str) -> str:
    """A game and a form as titles name them."""
    return game if form == NO_FORM else f"{game}, {form}"


def in_form(word: str, form: str) -> str:
    """The name of a series in one of several forms."""
    return word if form == NO_FORM else f"{word}, {form}"


def percent(cell: Estimate | None) -> Estimate | None:
    """A share in per cent, with its interval."""
    if cell is None:
        return None
    scaled = {
        name: None if (value := getattr(cell, name)) is None else 100 * value
        for name in ("value", "low", "high", "standard_error")
    }
    return attrs.evolve(cell, **scaled)


def matches_told(pools: Iterable[Pool]) -> str:
    """How many matches the bars of a figure are of, in one sentence."""
    counts = sorted({len(own.rows) for pool in pools for own in (pool.seat(0), pool.seat(1)) if own.rows})
    if len(counts) == 1:
        return f"n = {counts[0]} {'match' if counts == [1] else 'matches'} of each agent in each seat."
    return f"n = {counts[0]} to {counts[-1]} matches of an agent in a seat."


def _by_part(pools: Iterable[Pool]) -> dict[tuple[str, str], list[Pool]]:
    found: dict[tuple[str, str], list[Pool]] = {}
    for pool in pools:
        found.setdefault((pool.game, pool.form), []).append(pool)
    return found


def _per_match(pool: Pool | None, kind: str) -> Estimate | None:
    return None if pool is None else pool.per_match(kind)
