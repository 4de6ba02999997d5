"""Games in which both players choose once, at the same time."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import attrs
import pyspiel
from arena.errors import ConfigError
from arena.game import Form, GameFacts
from arena.record import EVERYONE, JSON, GameEvent, Player

from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine import SpielGame
from arena_game_openspiel.state import TERMINAL

RULES = """\
{name} is played once by two players, {seats[0]} and {seats[1]}. Both choose at the same time, without seeing each \
other's choice; then both choices are shown. The choices are {choices}. What both earn depends on both choices:

{payoffs}

There is no second round."""


class Matrix(SpielGame):
    """One simultaneous choice of two players with the same choices."""

    name: str
    choices: tuple[str, ...]

    @abstractmethod
    def payoffs(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """What both earn, by the first player's choice and the second's."""

    @property
    def rules(self) -> str:
        """The rules with every payoff written out."""
        seats = self.seats(2)
        lines = [
            f"- {seats[0]} chooses {first}, {seats[1]} chooses {second}: {seats[0]} earns {a:g}, {seats[1]} earns {b:g}"
            for first, row in zip(self.choices, self.payoffs(), strict=True)
            for second, (a, b) in zip(self.choices, row, strict=True)
        ]
        choices = f"{', '.join(self.choices[:-1])} and {self.choices[-1]}"
        return RULES.format(name=self.name, seats=seats, choices=choices, payoffs="\n".join(lines))

    def player_counts(self) -> Sequence[int]:
        """Two."""
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The two by number."""
        return ("player 1", "player 2")

    def engine(self, players: int) -> pyspiel.Game:
        """A matrix game of OpenSpiel."""
        return _load(self.name, self.choices, self.payoffs())

    @property
    def table(self) -> Sequence[str]:
        """The choices."""
        return self.choices

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """Nothing before the choices, both of them afterwards."""
        is_over = engine.current_player() == TERMINAL
        seats = self.seats(2)
        made = {seat: self.choices[a] for seat, a in zip(seats, engine.history(), strict=True)} if is_over else None
        earned = dict(zip(seats, engine.returns(), strict=True)) if is_over else None
        outcome = ", ".join(f"{seat} earns {value:g}" for seat, value in earned.items()) if earned else None
        return {**self.status(engine, player), "choices": made, "earned": earned, "outcome": outcome}

    @property
    def forms(self) -> Mapping[str, Form]:
        """Words."""
        return FORMS

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """Both choices and what they earn."""
        first, second = actions.values()
        earned = list(self.payoffs()[first][second])
        return [GameEvent("revealed", {"actions": [first, second], "labels": labels, "earned": earned}, EVERYONE)]

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Not one of the choices."""
        return f"the choices have the numbers 0 to {len(self.choices) - 1}"

    def tell(self, event: GameEvent, player: Player | None) -> str:
        """The choices in words."""
        if event.kind == "revealed" and isinstance(event.data, Mapping):
            data: Any = event.data
            told = zip(self.seats(2), data["labels"], data["earned"], strict=True)
            return "; ".join(f"{seat} chose {label} and earns {value:g}" for seat, label, value in told)
        return super().tell(event, player)


@attrs.frozen
class RockPaperScissors(Matrix):
    """Rock breaks scissors, scissors cut paper, paper covers rock."""

    name = "Rock-paper-scissors"
    choices = ("rock", "paper", "scissors")

    def payoffs(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """One point from the loser to the winner."""
        return (((0, 0), (-1, 1), (1, -1)), ((1, -1), (0, 0), (-1, 1)), ((-1, 1), (1, -1), (0, 0)))

    def facts(self, players: int) -> GameFacts:
        """In equilibrium every choice is equally likely."""
        return _zero_sum("equilibrium: each choice with probability 1/3")


@attrs.frozen
class MatchingPennies(Matrix):
    """One wants the pennies to match, the other does not."""

    name = "Matching pennies"
    choices = ("heads", "tails")

    def seats(self, players: int) -> Sequence[str]:
        """By what they want."""
        return ("matcher", "mismatcher")

    def payoffs(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The matcher wins when both choose the same."""
        return (((1, -1), (-1, 1)), ((-1, 1), (1, -1)))

    def facts(self, players: int) -> GameFacts:
        """In equilibrium both choices are equally likely."""
        return _zero_sum("equilibrium: both choices with probability 1/2")


@attrs.frozen
class PrisonersDilemma(Matrix):
    """Defection pays for each, cooperation for both."""

    name = "The prisoner's dilemma"
    choices = ("cooperate", "defect")

    temptation: float = attrs.field(default=10.0, metadata={"help": "for defecting alone"})
    reward: float = attrs.field(default=5.0, metadata={"help": "to each for cooperating both"})
    punishment: float = attrs.field(default=1.0, metadata={"help": "to each for defecting both"})
    sucker: float = attrs.field(default=0.0, metadata={"help": "for cooperating alone"})

    def __attrs_post_init__(self) -> None:
        order = (self.temptation, self.reward, self.punishment, self.sucker)
        if not self.temptation > self.reward > self.punishment > self.sucker:
            raise ConfigError(f"temptation, reward, punishment, sucker: must go down in this order, not {order!r}")

    def payoffs(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """By the usual four numbers."""
        t, r, p, s = self.temptation, self.reward, self.punishment, self.sucker
        return (((r, r), (s, t)), ((t, s), (p, p)))

    def facts(self, players: int) -> GameFacts:
        """Defecting is better whatever the other does."""
        return GameFacts(
            simultaneous=True,
            returns="general-sum",
            least_return=float(self.sucker),
            greatest_return=float(self.temptation),
            optimal_returns=(float(self.punishment), float(self.punishment)),
            optimal_source="the only equilibrium: both defect",
            wave_limit=1,
            forfeit_return=float(self.sucker),
            others_return=float(self.temptation),
        )


@cache
def _load(name: str, choices: tuple[str, ...], payoffs: tuple[tuple[tuple[float, float], ...], ...]) -> pyspiel.Game:
    first, second = ([[pair[player] for pair in row] for row in payoffs] for player in (0, 1))
    return pyspiel.create_matrix_game(name, name, list(choices), list(choices), first, second)


def _zero_sum(source: str) -> GameFacts:
    return GameFacts(
        simultaneous=True,
        returns="zero-sum",
        least_return=-1.0,
        greatest_return=1.0,
        optimal_returns=(0.0, 0.0),
        optimal_source=source,
        wave_limit=1,
    )


def _text(view: Any) -> str:
    if not view["choices"]:
        return f"Nobody has chosen yet. {status_line(view)}"
    lines = [f"{seat} chose {choice}." for seat, choice in view["choices"].items()]
    return "\n".join([*lines, status_line(view)])


FORMS: Final[Mapping[str, Form]] = {"text": _text}
