"""Two games, one nested in the other: the outcome of the first restricts the choices in the second.

TMGBench, appendix F.2: two players face a pre-game and a core game and care first about what they get in the core game,
then about the pre-game. If the pre-game ends in one combination, one player may not choose one action in the core game.
Which combinations of the pre-game are stable?

The answer is exact and found by backward induction (Selten 1965, subgame perfection):

1. The core game has one value for each ending of the pre-game. Without the restriction that is its only equilibrium;
   with it the restricted player has one choice left and the other gives the best reply.
2. In the pre-game a player prefers a combination if its core game pays more, and of two that pay the same, the one
   that pays more in the pre-game.
3. A combination is stable if nobody prefers the one reached by changing alone.

A core game without exactly one pure equilibrium has no unique value, so it is never used in a question.
"""

from collections.abc import Iterator
from typing import Literal

import attrs

from arena_game_two_by_two.matrix import CELLS, Choices, Matrix

Name = Literal["A", "B"]


@attrs.frozen
class Restriction:
    """If the pre-game ends in combination ``situation`` (1 to 4), ``player`` may not take ``choice`` (1 or 2)."""

    player: Name
    situation: int
    choice: int


@attrs.frozen
class Nested:
    """A pre-game, a core game and a restriction.

    ``ValueError`` unless both games are strict and the core game has exactly one pure equilibrium.
    """

    pre: Matrix
    core: Matrix
    restriction: Restriction

    def __attrs_post_init__(self) -> None:
        if not (self.pre.is_strict and self.core.is_strict):
            raise ValueError("both games of a nested one must rank all four combinations strictly")
        if len(self.core.equilibria) != 1:
            raise ValueError("the core game must have exactly one pure equilibrium")

    @property
    def outcomes(self) -> dict[int, int]:
        """The combination of the core game that follows each combination of the pre-game."""
        (free,) = self.core.equilibria
        limited = restricted(self.core, self.restriction)
        return {n: limited if n == self.restriction.situation else free for n in range(1, 5)}

    @property
    def answer(self) -> Choices:
        """The stable combinations of the pre-game."""
        worth = list(zip(self.core_payoffs, self.pre, strict=True))
        a = [(core[0], pre[0]) for core, pre in worth]
        b = [(core[1], pre[1]) for core, pre in worth]
        return Choices(
            n for n, (row, column) in enumerate(CELLS, start=1)
            if a[n - 1] >= a[_number(1 - row, column) - 1] and b[n - 1] >= b[_number(row, 1 - column) - 1]
        )  # fmt: skip

    @property
    def core_payoffs(self) -> list[tuple[int, int]]:
        """What A and B get in the core game after each combination of the pre-game."""
        payoffs = list(self.core)
        return [payoffs[self.outcomes[n] - 1] for n in range(1, 5)]

    @property
    def is_telling(self) -> bool:
        """Whether the restriction changes the answer; TMGBench keeps only such questions."""
        return self.answer != self.pre.equilibria


def restricted(core: Matrix, restriction: Restriction) -> int:
    """The combination played when one player has one choice left and the other gives the best reply."""
    left = 2 - restriction.choice
    if restriction.player == "A":
        reply = max((0, 1), key=lambda column: core.b[left][column])
        return _number(left, reply)
    reply = max((0, 1), key=lambda row: core.a[row][left])
    return _number(reply, left)


def restrictions() -> Iterator[Restriction]:
    """All sixteen restrictions of a pair of games."""
    for player in ("A", "B"):
        for situation in range(1, 5):
            for choice in (1, 2):
                yield Restriction(player, situation, choice)


def _number(row: int, column: int) -> int:
    return 1 + 2 * row + column
