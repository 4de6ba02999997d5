"""The names and rules of twins: what places, players and actions are called, and the rules in those words."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from random import Random
from typing import Any, Final

import attrs
from arena.record import Action, canonical_json

from arena_game_grid.rules import WORDS
from arena_game_grid.variant import Variant

SYLLABLES: Final = tuple(first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u"))
"""The syllables from which names of rows and columns are made."""

MAGIC: Final = (2, 7, 6, 9, 5, 1, 4, 3, 8)
"""The magic square: its rows, columns and diagonals are the triples of 1 to 9 that sum to 15."""


@attrs.frozen(eq=False)
class Reskin:
    """One way to present a game. ``places`` names cells in reading order; ``actions`` maps the original's to renamed
    ones.

    ``rows`` and ``columns`` are the names of rows and columns in order, if they have names.
    """

    title: str
    rules: str
    seats: tuple[str, str]
    places: tuple[Any, ...]
    actions: tuple[Any, ...]
    originals: tuple[Action, ...]
    label: Callable[[Any], str]
    verb: str
    is_sorted: bool = False
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    _to: Mapping[str, Any] = attrs.field(init=False)
    _back: Mapping[str, Action] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        pairs = tuple(zip(self.originals, self.actions, strict=True))
        object.__setattr__(self, "_to", {canonical_json(own): other for own, other in pairs})
        object.__setattr__(self, "_back", {canonical_json(other): own for own, other in pairs})

    def renamed(self, action: Action) -> Any:
        """The twin's action for an action of the original."""
        return self._to[canonical_json(action)]

    def meant(self, action: Action) -> Action | None:
        """The original's action, or ``None`` if the twin has no action of this name."""
        return self._back.get(canonical_json(action))

    def has_form(self, action: Any) -> bool:
        """Whether a value has the form of an action: the same keys, with values of the same types."""
        model = self.actions[0]
        return isinstance(action, dict) and [type(action.get(k)) for k in model] == [type(v) for v in model.values()]

    def sorted(self, cells: Iterable[int]) -> list[int]:
        """Sort cells in the order in which the twin lists their names."""
        return sorted(cells, key=lambda cell: self.places[cell]) if self.is_sorted else list(cells)

    def text(self, view: Any) -> str:
        """Describe what each player has, and whose turn it is."""
        lines = [f"{seat} {self.verb}: {', '.join(map(str, has)) or 'nothing'}." for seat, has in view["has"].items()]
        you = f"You are {view['you']}. " if view["you"] else ""
        if view["outcome"]:
            return "\n".join([*lines, f"{you}The game is over: {view['outcome']}."])
        whose = "It is your turn" if view["to_move"] == view["you"] else f"It is {view['to_move']}'s turn"
        return "\n".join([*lines, f"{you}{whose}."])


@cache
def told(game: Variant, kind: str, seed: int) -> Reskin:
    """The presentation of a game by kind and seed; equal arguments give equal names."""
    if kind == "numbers":
        return _scrabble(game) if _is_three(game) else _numbers(game)
    return _coordinates(game, seed) if kind == "coordinates" else _story(game)


def _is_three(game: Variant) -> bool:
    return (game.rows, game.columns, game.align, game.gravity) == (3, 3, 3, False)


def _scrabble(game: Variant) -> Reskin:
    rules = (
        "The numbers 1 to 9 lie on the table. Alva and Brin take turns to take one of those that are left; Alva "
        f"begins. {_ends(game, 'among the numbers you have taken there are three that sum to 15')} If all are taken "
        "and that has not happened, the game is a draw."
    )
    return Reskin(
        title="Fifteen",
        rules=rules + _PAY,
        seats=("Alva", "Brin"),
        places=MAGIC,
        actions=tuple({"number": number} for number in MAGIC),
        originals=tuple(game.board.actions),
        label=_number,
        verb="has taken",
        is_sorted=True,
    )


def _numbers(game: Variant) -> Reskin:
    step = 10 if max(game.rows, game.columns) <= 8 else 100
    rows, columns = range(1, game.rows + 1), range(1, game.columns + 1)
    many = WORDS.get(game.align, str(game.align))
    steps = f"1, {step - 1}, {step} or {step + 1}"
    exact = "" if game.overline else f", and the sequence cannot be made longer with numbers you have (exactly {many})"
    ending = _ends(game, f"{many} numbers you have taken follow each other in equal steps of {steps}{exact}")
    example = f"{step + 1}, {step + 2}, {step + 3}, … follow each other in steps of 1"
    if game.gravity:
        places = tuple(c * step + game.rows - r for r in range(game.rows) for c in columns)
        actions: tuple[Any, ...] = tuple({"pile": c} for c in columns)
        what = (
            f"There are {game.columns} piles of numbered cards, each with its lowest number on top: pile 1 has the "
            f"cards {step + 1} to {step + game.rows}, pile 2 the cards {2 * step + 1} to {2 * step + game.rows}, and "
            f"so on up to pile {game.columns}. Alva and Brin take turns to name a pile that is not empty and take its "
            "top card"
        )
        label = _pile
    else:
        places = tuple(r * step + c for r in rows for c in columns)
        actions = tuple({"number": number} for number in places)
        what = (
            f"On the table lie numbers: {step + 1} to {step + game.columns}, {2 * step + 1} to "
            f"{2 * step + game.columns}, and so on up to {game.rows * step + 1} to {game.rows * step + game.columns}. "
            "Alva and Brin take turns to take one that is left"
        )
        label = _number
    rules = f"{what}; Alva begins. {ending} ({example}.) If all are taken without that, the game is a draw.{_PAY}"
    return Reskin(
        title="Sequences",
        rules=rules,
        seats=("Alva", "Brin"),
        places=places,
        actions=actions,
        originals=tuple(game.board.actions),
        label=label,
        verb="has taken",
        is_sorted=True,
    )


def _coordinates(game: Variant, seed: int) -> Reskin:
    names = list(SYLLABLES)
    Random(seed).shuffle(names)
    rows, columns = tuple(names[: game.rows]), tuple(n.upper() for n in names[game.rows : game.rows + game.columns])
    places = tuple(f"{row}-{column}" for row in rows for column in columns)
    upright = f"Its lanes, from one side to the other, are {', '.join(columns)}."
    across = f"Its levels, from the top down, are {', '.join(rows)}."
    drop = "names a lane that has a free spot, and takes the lowest free one in it"
    move = drop if game.gravity else "takes a free spot"
    rules = (
        f"A lattice has a spot wherever a level crosses a lane. {across} {upright} Spots next to each other along a "
        f"level, along a lane or corner to corner are neighbours. P and Q move in turns, P first; who moves {move}. "
        f"{_ends(game, _lined(game, 'of your spots'))} If no spot is free any more, the game is a draw.{_PAY}"
    )
    return Reskin(
        title="Lattice",
        rules=rules,
        seats=("P", "Q"),
        places=places,
        actions=tuple({"lane": c} for c in columns) if game.gravity else tuple({"spot": place} for place in places),
        originals=tuple(game.board.actions),
        label=_lattice_column if game.gravity else _spot,
        verb="holds",
        rows=rows,
        columns=columns,
    )


def _story(game: Variant) -> Reskin:
    rows, columns = range(1, game.rows + 1), range(1, game.columns + 1)
    if game.gravity:
        places = tuple(f"tube {c} height {game.rows - r}" for r in range(game.rows) for c in columns)
        rules = (
            f"{game.columns} glass tubes stand side by side, numbered 1 to {game.columns}; each holds {game.rows} "
            "balls. Green and Blue take turns to let a ball of their colour fall into a tube that is not full, where "
            f"it comes to rest on those below; Green begins. {_ends(game, _lined(game, 'balls of your colour'))} "
            "Upright, level and slanting lines all count. If all tubes are full without that, the game is a draw."
        )
        return Reskin(
            title="Falling balls",
            rules=rules + _PAY,
            seats=("Green", "Blue"),
            places=places,
            actions=tuple({"tube": c} for c in columns),
            originals=tuple(game.board.actions),
            label=_tube,
            verb="has balls at",
        )
    places = tuple(f"bed {r} plot {c}" for r in rows for c in columns)
    rules = (
        f"A garden has {game.rows} beds one behind the other, each divided into {game.columns} plots side by side, "
        "numbered from the left. Two gardeners take turns: Tulip plants a tulip on an empty plot, Daisy a daisy; Tulip "
        f"begins, and nothing is dug up. {_ends(game, _lined(game, 'flowers of your kind'))} Lines along a bed, "
        "straight across the beds and slanting ones all count. If every plot is planted without that, the game is a "
        "draw."
    )
    return Reskin(
        title="Garden",
        rules=rules + _PAY,
        seats=("Tulip", "Daisy"),
        places=places,
        actions=tuple({"bed": r, "plot": c} for r in rows for c in columns),
        originals=tuple(game.board.actions),
        label=_plot,
        verb="has planted",
    )


_PAY: Final = "\n\nThe winner earns 1 and the loser -1; a draw earns both 0. Both see everything."


def _ends(game: Variant, what: str) -> str:
    return f"You {'lose' if game.misere else 'win'} as soon as {what}."


def _lined(game: Variant, whose: str) -> str:
    many = WORDS.get(game.align, str(game.align))
    number = f"{many} {whose}, or more," if game.overline else f"exactly {many} {whose}, and not more,"
    return f"{number} are next to each other in a straight line"


def _pile(action: Mapping[str, Any]) -> str:
    return f"pile {action['pile']}"


def _number(action: Mapping[str, Any]) -> str:
    return f"the number {action['number']}"


def _lattice_column(action: Mapping[str, Any]) -> str:
    return f"lane {action['lane']}"


def _spot(action: Mapping[str, Any]) -> str:
    return f"spot {action['spot']}"


def _tube(action: Mapping[str, Any]) -> str:
    return f"tube {action['tube']}"


def _plot(action: Mapping[str, Any]) -> str:
    return f"bed {action['bed']}, plot {action['plot']}"
