"""Finds what random play earns in a game, for its facts: exactly where the game is small, else by many matches."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import fsum, inf, prod, sqrt
from pathlib import Path
from typing import Any, Final, TypedDict, cast

import attrs
from arena.chance import Chance
from arena.game import Game, RandomReference, State
from arena.record import Action, Player, canonical_json
from arena_engine.references import RandomPlay, is_tied, reference_of, wins_alone

POSITIONS: Final = 50_000
"""A game in which more positions can be reached, or in which they cannot be told apart, is not enumerated."""

DEPTH: Final = 60
"""Neither is one whose matches take more steps."""

_SHUFFLED: Final = 5
"""The most things whose orders are enumerated."""

_HEAD: Final = '''\
"""What uniform random play earns; written by ``{script}``."""

from collections.abc import Mapping
from typing import Final

from arena.game import RandomReference

RANDOM_PLAY: Final[Mapping[str, RandomReference]] = {{
'''


class _TooLarge(Exception):
    """The game is not enumerated."""


class _Value(TypedDict):
    """What is to be expected from a position on: numbers of a ``RandomReference``, and squares of returns."""

    returns: tuple[float, ...]
    squares: tuple[float, ...]
    wins: tuple[float, ...]
    draws: float
    turns: float


class _Outcomes(Chance):
    """Chance whose draws come up as they are ``wanted``, then each as its first outcome; all copies are one.

    ``made`` are the draws since the last call of ``again``: all outcomes of each, with their probabilities.
    """

    __slots__ = ("made", "wanted")

    def __init__(self) -> None:
        super().__init__(0)
        self.again(())

    def again(self, wanted: Sequence[int]) -> None:
        """Begin a step in which the first draws come up as ``wanted``, by their places in ``made``."""
        self.wanted = wanted
        self.made: list[list[tuple[Any, float]]] = []

    def clone(self) -> Chance:
        return self

    def __deepcopy__(self, memo: object) -> Chance:
        return self

    def index(self, name: str, items: int, weights: Sequence[float] | None = None) -> int:
        given = list(weights or [1.0] * items)
        return self._come_up([(n, each / sum(given)) for n, each in enumerate(given) if each > 0])

    def shuffle(self, name: str, items: Sequence[Any]) -> list[Any]:
        if len(items) > _SHUFFLED:
            raise _TooLarge
        orders = [order for order in product(range(len(items)), repeat=len(items)) if len({*order}) == len(items)]
        return [items[n] for n in self._come_up([(order, 1 / len(orders)) for order in orders])]

    def _come_up(self, outcomes: list[tuple[Any, float]]) -> Any:
        place = self.wanted[len(self.made)] if len(self.made) < len(self.wanted) else 0
        self.made.append(outcomes)
        return outcomes[place][0]

    def next_wanted(self) -> list[int] | None:
        """The next combination of outcomes after the one that came up; ``None`` after the last one."""
        places = [*self.wanted, *[0] * (len(self.made) - len(self.wanted))]
        while places and places[-1] + 1 == len(self.made[len(places) - 1]):
            places.pop()
        return [*places[:-1], places[-1] + 1] if places else None

    @property
    def probability(self) -> float:
        """How likely the outcomes are that came up."""
        places = [*self.wanted, *[0] * (len(self.made) - len(self.wanted))]
        return prod(outcomes[place][1] for outcomes, place in zip(self.made, places, strict=True))


class _Tree:
    """All matches of a game, each with its probability under random play."""

    def __init__(self, game: Game, players: int) -> None:
        self._game, self._players = game, players
        self._depth = min(DEPTH, game.facts(players).max_steps)
        self._chance = _Outcomes()
        self._known: dict[str, _Value] = {}
        self._positions = 0

    def value(self) -> RandomReference:
        """What is to be expected from the start; raises ``_TooLarge``."""
        found = _mean([(weight, self._from(state, 0)) for weight, state in self._starts()], 0)
        moments = zip(found["returns"], found["squares"], strict=True)
        return RandomReference(
            returns=found["returns"],
            deviations=tuple(sqrt(max(square - mean**2, 0.0)) for mean, square in moments),
            wins=found["wins"],
            draws=found["draws"],
            turns=found["turns"],
            n=0,
            source="all matches enumerated",
        )

    def _starts(self) -> Iterator[tuple[float, State]]:
        wanted: Sequence[int] | None = ()
        while wanted is not None:
            self._chance.again(wanted)
            state, _ = self._game.start(self._chance, self._players)
            weight, wanted = self._chance.probability, self._chance.next_wanted()
            yield weight, state

    def _after(self, state: State, actions: Mapping[Player, Action]) -> Iterator[tuple[float, State]]:
        wanted: Sequence[int] | None = ()
        while wanted is not None:
            child = state.clone()
            self._chance.again(wanted)
            child.apply(actions)
            weight, wanted = self._chance.probability, self._chance.next_wanted()
            yield weight, child

    def _from(self, state: State, depth: int) -> _Value:
        if not (acting := state.to_act()):
            return _ended(tuple(map(float, state.returns() or ())), self._players)
        # what was earned on the way is no part of a position, so these are told apart by their whole past
        key = None if state.rewards() is not None else state.transposition_key()
        name = None if key is None else canonical_json(key)
        if name is not None and name in self._known:
            return self._known[name]
        self._positions += 1
        if self._positions > POSITIONS or depth >= self._depth:
            raise _TooLarge
        found = self._expected(state, acting, depth)
        if name is not None:
            self._known[name] = found
        return found

    def _expected(self, state: State, acting: Sequence[Player], depth: int) -> _Value:
        options = [state.decision(player).options for player in acting]
        if any(each is None for each in options):
            raise _TooLarge
        lines = list(product(*(each.actions for each in options if each is not None)))
        followed = [
            (weight / len(lines), self._from(child, depth + 1))
            for line in lines
            for weight, child in self._after(state, dict(zip(acting, line, strict=True)))
        ]
        return _mean(followed, len(acting))


def random_reference(game: Game, players: int, matches: int = 10_000) -> RandomReference:
    """What random play earns in ``game``, to be stated in its facts.

    It is exact where all matches can be enumerated, else it rests on so many random matches, the same ones each time.
    Numbers are rounded to what can be known. Raises ``ValueError`` if no match came to an end.
    """
    try:
        found, digits = _Tree(game, players).value(), 12
    except _TooLarge:
        found, digits = _played(game, players, matches, "random matches stated by the game"), 6
    numbers = {name: _rounded(value, digits) for name, value in attrs.asdict(found, recurse=False).items()}
    return RandomReference(**numbers)


def write_random_play(
    path: Path,
    games: Mapping[str, tuple[Game, int, int]],
    *,
    script: str,
    known: Mapping[str, RandomReference] | None = None,
    anew: Collection[str] = (),
) -> None:
    """Write a module with ``RANDOM_PLAY``, the references of games by name.

    ``games`` are a game, its players and the number of its matches each. What is ``known`` is not found anew, but for
    the names in ``anew``; ``ValueError`` if one is no name of a game. The module is written after each game, so that a
    later call can go on from there; ``script`` is who calls this.
    """
    if unknown := [name for name in anew if name not in games]:
        raise ValueError(f"no game called {unknown[0]!r} (there is: {'; '.join(games)})")
    found = {name: stated for name, stated in (known or {}).items() if name in games and name not in anew}
    for name, (game, players, matches) in games.items():
        found[name] = found.get(name) or random_reference(game, players, matches)
        told = {name: found[name] for name in games if name in found}
        entries = "".join(f'    "{name}": RandomReference(\n{_fields(stated)}    ),\n' for name, stated in told.items())
        path.write_text(f"{_HEAD.format(script=script)}{entries}}}\n", encoding="utf-8")


def _fields(stated: RandomReference) -> str:
    told = attrs.asdict(stated, recurse=False).items()
    return "".join(f"        {name}={_literal(value)},\n" for name, value in told if name != "deviations" or value)


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value:_}" if isinstance(value, int) else repr(value)


def _rounded(value: Any, digits: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(each, digits) for each in cast("tuple[Any, ...]", value))
    return round(value, digits) + 0.0 if isinstance(value, float) else value


def _played(game: Game, players: int, matches: int, source: str) -> RandomReference:
    play = RandomPlay(game, players)
    while play.is_wanted(matches, 10**12, inf):
        play.add()
    found = reference_of(play.playouts, source)
    if found is None:
        raise ValueError(f"no random match of {game!r} came to an end")
    return found


def _ended(returns: tuple[float, ...], players: int) -> _Value:
    if len(returns) != players:
        raise _TooLarge
    wins = tuple(float(wins_alone(returns, player)) for player in range(players))
    squares = tuple(each**2 for each in returns)
    return _Value(returns=returns, squares=squares, wins=wins, draws=float(is_tied(returns)), turns=0.0)


def _mean(parts: Sequence[tuple[float, _Value]], turns: int) -> _Value:
    players = range(len(parts[0][1]["returns"]))
    return _Value(
        returns=tuple(fsum(weight * each["returns"][p] for weight, each in parts) for p in players),
        squares=tuple(fsum(weight * each["squares"][p] for weight, each in parts) for p in players),
        wins=tuple(fsum(weight * each["wins"][p] for weight, each in parts) for p in players),
        draws=fsum(weight * each["draws"] for weight, each in parts),
        turns=turns + fsum(weight * each["turns"] for weight, each in parts),
    )
