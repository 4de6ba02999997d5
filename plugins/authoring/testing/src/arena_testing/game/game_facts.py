"""Checks of what a game declares: rules, numbers of players, seats and facts."""

from collections.abc import Iterable, Iterator, Sequence

from arena.game import Game, GameFacts
from arena_engine.foundation import forfeit_fault, returns_fault

from arena_testing.foundation.conformance import ConformanceError
from arena_testing.foundation.playthrough import Playthrough
from arena_testing.game.observations import LONGEST
from arena_testing.game.stated_random_play import problems_of


def check_counts(game: Game) -> tuple[int, ...]:
    """The numbers of players that the game declares; fails if they are not positive integers."""
    counts = tuple(game.player_counts())
    if not counts or any(type(n) is not int or n < 1 for n in counts):
        raise ConformanceError("players", f"player_counts() is {counts!r}, not one or more positive integers")
    if (usual := game.usual_players) not in counts:
        raise ConformanceError(
            "players", f"usual_players is {usual!r}, which player_counts() does not allow: {counts!r}"
        )
    return counts


def check_rules(game: Game) -> None:
    """The rules are a text that is equal at every call, and a form called ``text`` exists."""
    text = game.rules
    if not isinstance(text, str) or not text.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConformanceError("rules", "the rules are empty; write down all a player needs to know")
    if game.rules != text:
        raise ConformanceError("rules", "the rules differ each time they are read")
    if len(text) >= LONGEST:
        what = f"the rules have {len(text):,} characters; at most {LONGEST - 1:,} can be read"
        raise ConformanceError("length", what)
    if "text" not in game.forms:
        raise ConformanceError("forms", f"there is no form called 'text' (there is: {', '.join(game.forms)})")


def check_seats(game: Game, players: int) -> None:
    """``seats`` gives each player a different name."""
    seats = tuple(game.seats(players))
    if len(seats) != players or len(set(seats)) < players or not all(_is_text(seat) for seat in seats):
        raise ConformanceError("seats", f"seats({players}) is {seats!r}, not {players} different names")


def check_facts(game: Game, players: int) -> GameFacts:
    """The declared facts do not contradict each other; returns them."""
    facts = game.facts(players)
    if game.facts(players) != facts:
        raise ConformanceError("facts", f"facts({players}) differs each time it is read")
    for problem in _problems(facts, players):
        raise ConformanceError("facts", f"facts({players}): {problem}")
    return facts


def check_facts_met(walks: Sequence[Playthrough], facts: GameFacts, differing: int, *, is_cut: bool) -> list[str]:
    """The matches that were played keep what the facts declare; ``differing`` pairs had two truths to tell apart.

    Returns what was not tested: if the search ``is_cut`` by the time, there may be such pairs that it did not meet.
    """
    for problem in _unmet(walks, facts):
        raise ConformanceError("facts", problem)
    if differing or not facts.hidden_information:
        return []
    none = f"no player had two truths to tell apart in {len(walks)} matches"
    if is_cut:
        return [f"hidden information: {none} before the time was over"]
    raise ConformanceError("facts", f"hidden_information was not tested: {none}")


def _unmet(walks: Sequence[Playthrough], facts: GameFacts) -> Iterator[str]:
    played = f"in {len(walks)} matches"
    drawn = any(walk.chance.trace for walk in walks)
    if drawn != facts.chance:
        yield f"chance is {facts.chance}, but {'something' if drawn else 'nothing'} was drawn {played}"
    if facts.simultaneous and not any(len(step) > 1 for walk in walks for step in walk.steps):
        yield f"simultaneous is declared, but nobody acted at the same time {played}"
    sums = {round(sum(returns), 9) for walk in walks if (returns := walk.state.returns()) is not None}
    if facts.returns == "constant-sum" and len(sums) > 1:
        yield f"returns is 'constant-sum', but they added up to {sorted(sums)!r}"


def _problems(facts: GameFacts, players: int) -> Iterable[str]:
    least, greatest, optimal = facts.min_return, facts.max_return, facts.optimal_returns
    if facts.max_steps < 1:
        yield f"max_steps is {facts.max_steps!r}, so nothing can be played"
    if least is not None and greatest is not None and least > greatest:
        yield f"min_return {least!r} is above max_return {greatest!r}"
    if optimal is not None:
        if len(optimal) != players:
            yield f"optimal_returns has {len(optimal)} entries for {players} players"
        if not facts.optimal_source:
            yield "optimal_returns has no optimal_source; say where it comes from"
        if misfit := returns_fault(facts, optimal, players):
            yield f"optimal_returns: {misfit}"
    if facts.random is not None:
        yield from (f"random: {problem}" for problem in problems_of(facts.random, facts, players))
    if fault := forfeit_fault(facts, players):
        yield fault


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
