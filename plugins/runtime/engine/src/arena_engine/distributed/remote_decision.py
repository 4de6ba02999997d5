"""A decision as plain data, for observers in another process."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from arena.errors import RuleError
from arena.game import Decision, Form, Illegal, Options, PlayerView, Rejected
from arena.record import JSON, Action, GameEvent, Player, canonical_json


@attrs.frozen
class _Shown:
    """Takes the place of the match's state: it holds what the player saw, and knows no rules."""

    observation: JSON

    def observe(self, player: Player | None) -> JSON:
        return self.observation

    def check(self, player: Player, action: Action) -> Illegal | None:
        raise RuleError("the match is played in another process; actions are checked there")


@attrs.frozen(kw_only=True)
class RemoteDecision:
    """A decision as the player saw it, without its queries, its sampler and the game's state."""

    observation: JSON
    player: Player
    phase: str
    actions: Sequence[Action] | None
    labels: Mapping[str, str]
    schema: JSON
    skip: Any
    turn: int
    attempt: int
    news: tuple[GameEvent, ...]
    rejected: tuple[Rejected, ...]

    @classmethod
    def of(cls, decision: Decision) -> "RemoteDecision":
        """Copy a decision that is still open."""
        options = decision.options
        return cls(
            observation=decision.observation,
            player=decision.player,
            phase=decision.phase,
            actions=None if options is None else tuple(options.actions),
            labels={canonical_json(option.action): option.label for option in options or ()},
            schema=decision.action_schema,
            skip=decision.skip,
            turn=decision.turn,
            attempt=decision.attempt,
            news=decision.news,
            rejected=decision.rejected,
        )

    def decision(self, forms: Mapping[str, Form]) -> Decision:
        """Rebuild the decision, without queries; sampling works only if it lists its options."""
        options = None
        if self.actions is not None:
            options = Options(self.actions, lambda action: self.labels[canonical_json(action)])
        decision = Decision(
            player=self.player, phase=self.phase, options=options, action_schema=self.schema, skip=self.skip
        )
        return decision.asked(
            PlayerView(_Shown(self.observation), self.player),
            forms=forms,
            turn=self.turn,
            attempt=self.attempt,
            news=self.news,
            rejected=self.rejected,
        )
