"""Spatial tracking: where somebody stands after a list of moves on a grid."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

import attrs
from arena.chance import Chance
from arena.game import Illegal, State
from arena.record import JSON, Action, GameEvent, derive_rng
from attrs.validators import and_, ge, le, optional

from arena_game_planning.questions.question_game import SingleQuestion, SingleQuestionGame, SingleQuestionState

Point = tuple[int, int]

MOVES: Final[Mapping[str, Point]] = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
"""What each move adds to x and to y."""

FARTHEST_START: Final = 5
"""The start has coordinates from minus this to this, each drawn evenly."""

LENGTHS: Final = range(1, 31)
"""How many moves the scenes have."""

SCENES: Final = 3
"""How many scenes there are of each length: 90 in all."""

MOST_SCENES: Final = 100
"""How many different scenes of one length there are at least; of length 1 there are 484."""

RULES: Final = """\
You are told where somebody stands on a grid without borders, and which moves follow. Coordinates are whole numbers, \
written (x, y). Each move goes one step: up adds 1 to y, down takes 1 from y, right adds 1 to x, and left takes 1 from \
x. Say where the last move ends. Your answer is a list of the two coordinates, x first, for instance [2, -1]. It \
counts only if both are right."""


@attrs.frozen
class TrackingQuestion(SingleQuestion):
    """A start and the moves that follow; ``name`` tells the scene."""

    name: str
    start: Point
    moves: tuple[str, ...]

    @property
    def truth(self) -> Point:
        """Where the last move ends."""
        x, y = self.start
        for move in self.moves:
            x, y = x + MOVES[move][0], y + MOVES[move][1]
        return x, y

    @property
    def text(self) -> str:
        """The start and the moves in words, with what each move adds."""
        x, y = self.start
        count = f"{len(self.moves)} moves follow" if len(self.moves) > 1 else "one move follows"
        return (
            f"Somebody stands at ({x}, {y}). Up adds 1 to y, down takes 1 from y, right adds 1 to x, left takes 1 from "
            f"x. Then {count}: {', '.join(self.moves)}. At which coordinates does the last move end?"
        )

    @property
    def schema(self) -> JSON:
        """A list of two whole numbers."""
        return {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}

    def refused(self, answer: Any) -> Illegal | None:
        """Refuse everything but a list of two whole numbers."""
        if isinstance(answer, Sequence) and not isinstance(answer, str) and [type(n) for n in answer] == [int, int]:
            return None
        return Illegal("not-a-pair", "an answer is a list of two whole numbers, x and y, for instance [2, -1]")

    def sample(self, rng: Random) -> Action:
        """Draw one of the places that so many moves can reach, each with the same probability.

        x + y and x - y change by one with each move, independently of each other: so for n moves there are n + 1
        values of each, and (n + 1)² places.
        """
        n, (x, y) = len(self.moves), self.start
        total, difference = (2 * rng.randint(0, n) - n for _ in range(2))
        return [x + (total + difference) // 2, y + (total - difference) // 2]

    def judged(self, answer: Any) -> dict[str, JSON]:
        """Whether both coordinates are right."""
        given = None if answer is None else list(answer)
        told: dict[str, JSON] = {"question": self.name, "length": len(self.moves), "valid": given == list(self.truth)}
        return {**told, "answer": given, "truth": list(self.truth)}


@attrs.frozen
class SpatialTracking(SingleQuestionGame):
    """Say where somebody stands after a list of moves up, down, left and right.

    Without ``length`` or ``number`` the match's chance draws one of the 90 scenes.
    """

    length: int | None = attrs.field(
        default=None,
        validator=optional(and_(ge(1), le(200))),
        metadata={"help": "how many moves; unset: drawn from 1 to 30"},
    )
    number: int | None = attrs.field(
        default=None,
        validator=optional(and_(ge(0), le(MOST_SCENES - 1))),
        metadata={"help": "which scene of this length; unset: drawn from the first three"},
    )
    seed: int = attrs.field(default=0, metadata={"help": "another seed gives other scenes"})

    @property
    def rules(self) -> str:
        """How coordinates and moves are written, and what an answer is."""
        return RULES

    @property
    def is_drawn(self) -> bool:
        """Whether length or number are left to chance."""
        return self.length is None or self.number is None

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Ask about one scene."""
        length = chance.choice("length", LENGTHS) if self.length is None else self.length
        number = chance.index("number", SCENES) if self.number is None else self.number
        state = SingleQuestionState(scene(length, number, self.seed))
        return state, state.opened()


@lru_cache(maxsize=1 << 10)
def scene(length: int, number: int, seed: int = 0) -> TrackingQuestion:
    """The scene of so many moves with this number, counted from 0; no two of one seed are equal."""
    earlier = {(other.start, other.moves) for other in (scene(length, n, seed) for n in range(number))}
    rng = derive_rng("planning-tracking", seed, length, number)
    while True:
        start = (rng.randint(-FARTHEST_START, FARTHEST_START), rng.randint(-FARTHEST_START, FARTHEST_START))
        moves = tuple(rng.choices(list(MOVES), k=length))
        if (start, moves) not in earlier:
            other = f" of seed {seed}" if seed else ""
            return TrackingQuestion(f"scene {number + 1} of length {length}{other}", start, moves)


def scenes(seed: int = 0) -> list[TrackingQuestion]:
    """All 90 scenes of a seed, by length."""
    return [scene(length, number, seed) for length in LENGTHS for number in range(SCENES)]
