"""The matrix games ``rock-paper-scissors``, matching pennies, the prisoner's dilemma, and any other payoff table."""

from collections.abc import Sequence
from typing import Any

import attrs
from arena.errors import ConfigError

from arena_game_openspiel.strategic_games.strategic import Choices, MatrixGame, Payoffs


@attrs.frozen(kw_only=True)
class RockPaperScissors(MatrixGame):
    """Of "rock", "paper" and "scissors" each beats one of the others and loses to one."""

    @property
    def title(self) -> str:
        return "Rock-paper-scissors"

    @property
    def choices(self) -> Choices:
        """The same three choices for both."""
        return ("rock", "paper", "scissors"), ("rock", "paper", "scissors")

    @property
    def payoffs(self) -> Payoffs:
        """The winner gets one point from the loser."""
        return (((0, 0), (-1, 1), (1, -1)), ((1, -1), (0, 0), (-1, 1)), ((-1, 1), (1, -1), (0, 0)))

    def optimum(self) -> tuple[tuple[float, float] | None, str]:
        """0 for both, since in equilibrium every choice is equally likely."""
        return (0.0, 0.0), "equilibrium: each choice with probability 1/3"


@attrs.frozen(kw_only=True)
class MatchingPennies(MatrixGame):
    """One player wants the pennies to match, the other does not."""

    @property
    def choices(self) -> Choices:
        """The same two choices for both."""
        return ("heads", "tails"), ("heads", "tails")

    @property
    def payoffs(self) -> Payoffs:
        """The matcher wins when both choose the same."""
        return (((1, -1), (-1, 1)), ((-1, 1), (1, -1)))

    def seats(self, players: int) -> Sequence[str]:
        """The seats are named by what each player wants."""
        return ("matcher", "mismatcher")

    def optimum(self) -> tuple[tuple[float, float] | None, str]:
        """0 for both, since in equilibrium both choices are equally likely."""
        return (0.0, 0.0), "equilibrium: both choices with probability 1/2"


@attrs.frozen(kw_only=True)
class PrisonersDilemma(MatrixGame):
    """Defection pays for each player, cooperation pays for both together."""

    @property
    def title(self) -> str:
        return "The prisoner's dilemma"

    temptation: float = attrs.field(default=10.0, metadata={"help": "for defecting alone"})
    reward: float = attrs.field(default=5.0, metadata={"help": "to each for cooperating both"})
    punishment: float = attrs.field(default=1.0, metadata={"help": "to each for defecting both"})
    sucker: float = attrs.field(default=0.0, metadata={"help": "for cooperating alone"})

    def __attrs_post_init__(self) -> None:
        order = (self.temptation, self.reward, self.punishment, self.sucker)
        if not self.temptation > self.reward > self.punishment > self.sucker:
            raise ConfigError(f"temptation, reward, punishment, sucker: must go down in this order, not {order!r}")

    @property
    def choices(self) -> Choices:
        """The same two choices for both."""
        return ("cooperate", "defect"), ("cooperate", "defect")

    @property
    def payoffs(self) -> Payoffs:
        """The payoffs from the four usual parameters."""
        t, r, p, s = self.temptation, self.reward, self.punishment, self.sucker
        return (((r, r), (s, t)), ((t, s), (p, p)))

    def optimum(self) -> tuple[tuple[float, float] | None, str]:
        """Mutual defection with a known number of rounds; with an open end many other equilibria exist."""
        if self.is_open_ended:
            return None, ""
        total = float(self.punishment * self.rounds)
        return (total, total), f"the only equilibrium{'' if self.rounds == 1 else ' outcome'}: both defect"


def _check_table(game: "AnyMatrix", _: object, value: Payoffs) -> None:
    wanted = f"{len(game.rows)} rows of {len(game.columns)} pairs"
    if len(value) != len(game.rows) or any(len(row) != len(game.columns) for row in value):
        raise ValueError(f"expected {wanted}, one for each choice in 'rows' and 'columns', got {value!r}")


def _check_names(game: "AnyMatrix", field: Any, value: tuple[str, ...]) -> None:
    if not value or len({name.strip().casefold() for name in value}) < len(value):
        raise ValueError(f"expected different names, got {value!r}")
    for name in value:
        if not any(map(str.isalpha, name)):
            raise ValueError(f"expected names in words, got {name!r}; a number alone is taken for an action")


@attrs.frozen(kw_only=True)
class AnyMatrix(MatrixGame):
    """Any two-player game with a payoff table that the benchmark file gives."""

    title: str = attrs.field(default="A matrix game", metadata={"help": "what the game is called"})
    rows: tuple[str, ...] = attrs.field(validator=_check_names, metadata={"help": "what the first player can choose"})
    columns: tuple[str, ...] = attrs.field(
        validator=_check_names, metadata={"help": "what the second player can choose"}
    )
    payoffs: Payoffs = attrs.field(
        validator=_check_table,
        metadata={"help": "a list for each row of a pair for each column: what the first and the second player earn"},
    )
    roles: tuple[str, str] = attrs.field(
        default=("player 1", "player 2"), validator=_check_names, metadata={"help": "the two players"}
    )

    @property
    def choices(self) -> Choices:
        """The names of rows and columns."""
        return self.rows, self.columns

    def seats(self, players: int) -> Sequence[str]:
        """The names that the benchmark file gives the players."""
        return self.roles
