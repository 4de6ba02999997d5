"""Agents that answer questions about 2×2 games by calculation."""

from collections.abc import Mapping
from random import Random
from typing import Any, Literal

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, Reply, Response, Seat
from arena.game import Decision
from arena.record import RefusalKind
from arena_game_two_by_two.answer import SCHEMA, pairs
from arena_game_two_by_two.matrix import Choices
from arena_game_two_by_two.solutions import RULES
from arena_game_two_by_two.story import Unreadable

from arena_agent_two_by_two.question import Asked, understand


@attrs.frozen
class Nash(Agent):
    """Names the pure equilibria; for a nested question the stable combinations, by backward induction.

    It uses only the text of the question. It refuses a story whose preferences, table and scenario describe different
    games.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return Spectator("nash", seat.rng)


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
