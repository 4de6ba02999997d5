"""Composes a story for any of the 144 games without a model; equal seeds give equal stories."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Final, TypeVar

import attrs
from arena.record import derive_rng

from arena_game_two_by_two.frames import Act, Frame, FrameRole, Person, people, topics
from arena_game_two_by_two.matrix import CELLS, Matrix
from arena_game_two_by_two.story import Story, combination
from arena_game_two_by_two.topology import GAMES

T = TypeVar("T")

STORIES: Final = 5
"""The number of stories of each game, as in TMGBench."""

OPENINGS: Final = (
    "If {A} {a} while {B} {b} {code}, {first}, {link} {second}.",
    "When {A} {a} and {B} {b} {code}, {first}, {link} {second}.",
    "Suppose {A} {a} and {B} {b} {code}: then {first}, {link} {second}.",
    "In case {A} {a} and {B} {b} {code}, {first}, {link} {second}.",
)


@attrs.frozen
class Characters:
    """A frame with the people that appear in its story."""

    frame: Frame
    a: Person
    b: Person


def tell(game: str, number: int, seed: int = 0) -> Story:
    """Compose story ``number`` (0 to 4) of a game; the 720 stories of one seed all differ."""
    cast = character_sets(seed)[game, number]
    return compose(GAMES[game].matrix, cast, derive_rng("story", seed, game, number))


@cache
def character_sets(seed: int) -> Mapping[tuple[str, int], Characters]:
    """Choose frame and people for each game and story; the five stories of a game have five topics."""
    rng = derive_rng("casts", seed)
    chosen: list[Frame] = []
    for topic in _shuffled(topics(), rng):
        frames = _shuffled(topic.frames, rng)
        chosen += [frames[i % len(frames)] for i in range(topic.stories)]
    couples = _couples(rng)
    used = Counter[str]()
    found: dict[tuple[str, int], Characters] = {}
    # Equal topics lie next to each other, and fewer than 144 times: a game that takes every 144th gets no topic twice.
    for (number, game), frame in zip(product(range(STORIES), _shuffled(list(GAMES), rng)), chosen, strict=True):
        found[game, number] = Characters(frame, *couples[used[frame.name]])
        used[frame.name] += 1
    return found


def compose(matrix: Matrix, cast: Characters, rng: Random) -> Story:
    """Tell a strictly ordinal game in the words of a frame."""
    names = {"A": cast.a, "B": cast.b}
    roles = {"A": cast.frame.a, "B": cast.frame.b}
    return Story.told(
        characters={player: f"{names[player]}, {_said(roles[player].who, names)}" for player in names},
        choices={
            f"{player}{n}": _said(act.order, names)
            for player, role in roles.items()
            for n, act in enumerate((role.first, role.second), start=1)
        },
        preferences={player: _preferences(player, matrix, cast, names) for player in names},
        matrix=matrix,
        scenario=_scenario(matrix, cast, names, rng),
    )


def _scenario(matrix: Matrix, cast: Characters, names: Mapping[str, Person], rng: Random) -> str:
    frame = cast.frame
    opening = _shuffled(OPENINGS, rng)
    outcomes = [
        _outcome(matrix, cast, names, cell, opening[i])
        for i, cell in enumerate(_shuffled(range(len(CELLS)), rng))
    ]  # fmt: skip
    paragraphs = (frame.setting, f"{_choices(frame)} {frame.stakes}", " ".join(outcomes), frame.closing)
    return "\n\n".join(_said(paragraph, names) for paragraph in paragraphs)


def _choices(frame: Frame) -> str:
    first = f"{{A}} can either {_lower(frame.a.first.order)} (A1) or {_lower(frame.a.second.order)} (A2)."
    second = f"{{B}} can either {_lower(frame.b.first.order)} (B1) or {_lower(frame.b.second.order)} (B2)."
    return f"{first} {second}"


def _outcome(matrix: Matrix, cast: Characters, names: Mapping[str, Person], cell: int, opening: str) -> str:
    row, column = CELLS[cell]
    worth_a, worth_b = matrix.a[row][column], matrix.b[row][column]
    link = "and" if (worth_a > 2) == (worth_b > 2) else "while"
    return opening.format(
        A=names["A"],
        B=names["B"],
        a=_said(_acts(cast.frame.a)[row].does, names),
        b=_said(_acts(cast.frame.b)[column].does, names),
        code=combination(cell + 1),
        first=f"{_said(cast.frame.a.states[worth_a - 1], names)} ({worth_a})",
        link=link,
        second=f"{_said(cast.frame.b.states[worth_b - 1], names)} ({worth_b})",
    )


def _preferences(player: str, matrix: Matrix, cast: Characters, names: Mapping[str, Person]) -> dict[int, str]:
    """What the player would do in response to what, by rank, with the resulting state in brackets."""
    found: dict[int, str] = {}
    own, other = (cast.frame.a, cast.frame.b) if player == "A" else (cast.frame.b, cast.frame.a)
    others_name = names["B" if player == "A" else "A"]
    for (row, column), worth in zip(CELLS, matrix, strict=True):
        mine, theirs = (row, column) if player == "A" else (column, row)
        rank = worth[0 if player == "A" else 1]
        what = f"{_acts(own)[mine].order} while {others_name} {_acts(other)[theirs].does}"
        found[rank] = f"{_said(what, names)} ({_said(own.states[rank - 1], names)})"
    return found


def _acts(role: FrameRole) -> tuple[Act, Act]:
    return role.first, role.second


def _said(text: str, names: Mapping[str, Person]) -> str:
    return text.format(**names)


def _lower(order: str) -> str:
    return order[:1].lower() + order[1:]


def _couples(rng: Random) -> list[tuple[Person, Person]]:
    """Different pairs of people whose names begin with different letters."""
    everyone = people()
    couples = [(a, b) for a in everyone for b in everyone if a.name[0] != b.name[0]]
    return _shuffled(couples, rng)


def _shuffled(items: Sequence[T], rng: Random) -> list[T]:
    order = list(items)
    rng.shuffle(order)
    return order
