"""Agents that answer questions about 2×2 games by calculation."""

from collections.abc import Mapping
from random import Random
from typing import Any, Literal

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply, Response, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena_game_two_by_two.answer import SCHEMA, pairs
from arena_game_two_by_two.classic import read_table
from arena_game_two_by_two.extra_questions import TwoByTwoDominance, TwoByTwoMixed
from arena_game_two_by_two.matrix import Choices, Matrix
from arena_game_two_by_two.questions import EquilibriumQuestions
from arena_game_two_by_two.solutions import RULES
from arena_game_two_by_two.story import Unreadable

from arena_agent_two_by_two.question import Asked, understand


@attrs.frozen
class Nash(Agent):
    """Names the pure equilibria; for a nested question the stable combinations, by backward induction.

    Where it is asked for them, it names the dominant choices, or the mixed equilibrium in fractions. It uses only the
    text of the question. It refuses a story whose preferences, table and scenario describe different games.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        if isinstance(seat.game, TwoByTwoDominance | TwoByTwoMixed):
            return Calculator(seat.game)
        return Spectator("nash", seat.rng)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` if the game asks no question about 2×2 games; requires nothing of a backend."""
        return _questions_only("nash", game, (EquilibriumQuestions, TwoByTwoDominance, TwoByTwoMixed))


@attrs.frozen
class RuleOfThumb(Agent):
    """Answers by a rule that needs no equilibrium; in a nested question it looks only at the pre-game."""

    rule: Literal["none", "first", "joint-payoff", "maximin", "against-uniform", "random-cell"] = attrs.field(
        default="maximin",
        metadata={
            "help": "no combination; (A1, B1); the greatest sum; each player's best worst case; each player's best "
            "reply to a random opponent; one combination drawn evenly"
        },
    )

    def join(self, seat: Seat) -> PlayerAgent:
        return Spectator(self.rule, seat.rng)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` if the game does not ask for combinations; requires nothing of a backend."""
        return _questions_only("rule-of-thumb", game, (EquilibriumQuestions,))


@attrs.frozen
class Spectator(PlayerAgent):
    """Answers each question on its own, with no memory of earlier ones."""

    rule: str
    rng: Random

    async def act(self, decision: Decision) -> Response:
        """Answer all questions that are asked in this decision."""
        observation: Any = decision.observation
        texts = observation.get("questions") if isinstance(observation, Mapping) else None
        if not texts:
            return Refusal(kind=RefusalKind.EMPTY, reason="this agent answers questions about 2×2 games only")
        try:
            answers = [pairs(self._answer(understand(text))) for text in texts]
        except (Unreadable, ValueError) as problem:
            return Refusal(kind=RefusalKind.AMBIGUOUS, reason=str(problem))
        is_together = decision.schema != SCHEMA
        return Reply(action=answers if is_together else answers[0])

    def _answer(self, asked: Asked) -> Choices:
        if asked.nested is not None and self.rule == "nash":
            return asked.nested.answer
        return self.rng.choice(RULES[self.rule](asked.game))


@attrs.frozen
class Calculator(PlayerAgent):
    """Answers one question about dominant choices, or about the mixed equilibrium."""

    game: TwoByTwoDominance | TwoByTwoMixed

    async def act(self, decision: Decision) -> Response:
        """Answer from the table that the question shows."""
        seen: Any = decision.observation
        matrix = read_table(seen["question"])
        if matrix is None:
            return Refusal(kind=RefusalKind.AMBIGUOUS, reason="the question holds no table of payoffs")
        return Reply(action=_dominant(matrix) if isinstance(self.game, TwoByTwoDominance) else _mixed(matrix))


def _dominant(matrix: Matrix) -> list[str]:
    return [f"{player}{n}" for player, n in (("A", matrix.dominant_a), ("B", matrix.dominant_b)) if n]


def _mixed(matrix: Matrix) -> dict[str, str]:
    """The probabilities of the first choices, as fractions such as ``"2/3"``."""
    assert matrix.mixed is not None  # the game asks for it only where there is one
    a, b = matrix.mixed
    return {"A1": f"{a.numerator}/{a.denominator}", "B1": f"{b.numerator}/{b.denominator}"}


def _questions_only(name: str, game: Game, kinds: tuple[type[Game], ...]) -> Mapping[str, frozenset[str]]:
    """An empty mapping of requirements; ``ConfigError`` if ``game`` is of none of the kinds."""
    if not isinstance(game, kinds):
        what = f"{name} cannot play this game: it answers questions about the equilibria of 2×2 games"
        raise ConfigError(f"{what}, and {type(game).__name__} asks none that it knows; seat another agent")
    return {}
