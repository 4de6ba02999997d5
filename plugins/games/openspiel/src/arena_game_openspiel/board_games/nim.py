"""Nim by OpenSpiel: take things from one heap; the last thing wins, or loses in misère play."""

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import xor
from string import ascii_uppercase
from typing import Any, Final

import arena_scene
import attrs
import pyspiel
from arena.game import Drawing, Form, GameFacts
from arena.record import JSON, Player
from attrs.validators import and_, deep_iterable, ge, instance_of, le, max_len, min_len

from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.scenes import over

MOST: Final = 18
"""The most things in a heap, so that a row of them fits a terminal."""

RULES = """\
Nim is played by two players with heaps of things. At the start there {are}: {heaps}. Player 1 begins; then the \
players take turns.

In your turn you choose one heap that is not empty and take things from it: at least one, at most all that are left \
there. Things are taken from one heap only in each turn, and nobody may pass. What is taken never comes back, and \
nothing is moved from one heap to another. An action names the number of things and the heap: "take 1 from heap A" \
takes one thing from heap A.

The match ends when all heaps are empty. Whoever takes the very last thing {wins}. There are no draws, chance plays no \
part, and both players see all heaps and all moves.

The winner earns 1 and the loser -1."""


@attrs.frozen
class Nim(BoardGame):
    """Take things from one heap at a time; who takes the last one loses, or wins in normal play."""

    seat_names = ("player 1", "player 2")

    heaps: tuple[int, ...] = attrs.field(
        default=(1, 3, 5, 7),
        converter=tuple,
        validator=and_(min_len(1), max_len(10), deep_iterable(and_(instance_of(int), ge(1), le(MOST)))),
        metadata={"help": f"things in each heap at the start, 1 to {MOST}; at most 10 heaps"},
    )
    misere: bool = attrs.field(
        default=True, metadata={"help": "whether the last thing loses, as by default in OpenSpiel, or wins"}
    )

    @property
    def rules(self) -> str:
        names = [f"heap {name} with {_things(size)}" for name, size in zip(ascii_uppercase, self.heaps, strict=False)]
        count = len(names)
        return RULES.format(
            are="is one heap" if count == 1 else f"are {count} heaps",
            heaps=names[0] if count == 1 else f"{', '.join(names[:-1])} and {names[-1]}",
            wins="loses, and the other player wins" if self.misere else "wins",
        )

    def facts(self, players: int) -> GameFacts:
        """Who wins is known for all heaps, in both ways to play."""
        first = 1.0 if _mover_wins(self.heaps, self.misere) else -1.0
        source = "by the binary sums of the heaps (Bouton 1901)"
        return attrs.evolve(super().facts(players), optimal_returns=(first, -first), optimal_source=source)

    def engine(self, players: int) -> pyspiel.Game:
        return load("nim", pile_sizes=";".join(map(str, self.heaps)), is_misere=self.misere)

    @property
    def table(self) -> Sequence[str]:
        """One thing of each heap, then two of each, and so on; also more than a heap holds."""
        return _labels(len(self.heaps), max(self.heaps))

    def actions(self, players: int) -> Sequence[int]:
        """What some heap holds at the start."""
        many = len(self.heaps)
        return [action for action in range(many * max(self.heaps)) if action // many < self.heaps[action % many]]

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The things that are left in each heap."""
        left = map(int, str(engine).partition(": ")[2].split())
        return {"heaps": dict(zip(ascii_uppercase, left, strict=False)), **self.status(engine, player)}

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The heaps and whose turn it is."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """The heaps as a drawing, by their numbers and as a scene."""
        return {**FORMS, "scene": self._scene}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The thing up to which a heap is taken, counted from its letter."""
        take, heap = divmod(action, len(self.heaps))
        return (f"heaps:{heap},{take}",)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say how much is left in the heap."""
        heap = action % len(self.heaps)
        left: Any = self.view(engine, player)
        return f"heap {ascii_uppercase[heap]} has {_things(left['heaps'][ascii_uppercase[heap]])} left"

    def _scene(self, view: Any) -> Drawing:
        """The heaps as rows, in a frame that holds them as they were at the start."""
        things = [
            arena_scene.Piece(at=(row, at), role="neutral", shape="disc", label=f"thing {at + 1} of heap {name}")
            for row, (name, size) in enumerate(view["heaps"].items())
            for at in range(size)
        ]
        heaps = arena_scene.Grid(
            id="heaps",
            size=(len(self.heaps), max(self.heaps)),
            row_labels=list(view["heaps"]),
            pieces=things,
            note=over(view),
        )
        return Drawing(*arena_scene.Scene("Nim", _illustration(view), heaps).drawn())


@cache
def _labels(heaps: int, most: int) -> tuple[str, ...]:
    return tuple(
        f"take {take} from heap {ascii_uppercase[heap]}" for take in range(1, most + 1) for heap in range(heaps)
    )


def _mover_wins(heaps: Sequence[int], misere: bool) -> bool:
    if misere and max(heaps) == 1:
        return len(heaps) % 2 == 0
    return reduce(xor, heaps) != 0


def _things(number: int) -> str:
    return f"{number} thing{'' if number == 1 else 's'}"


def _list(view: Any) -> str:
    held = ", ".join(f"{name} has {number}" for name, number in view["heaps"].items())
    return f"Things in the heaps: {held}.\n{status_line(view)}"


def _illustration(view: Any) -> str:
    rows = [f"{name}  {'o' * number or '(empty)'}  {number}" for name, number in view["heaps"].items()]
    return "\n".join(["Heaps, with an o for each thing, and how many there are:", *rows, status_line(view)])


FORMS: Final[Mapping[str, Form]] = {"text": _list, "list": _list, "illustration": _illustration}
