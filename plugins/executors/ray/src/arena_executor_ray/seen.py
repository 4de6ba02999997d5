"""A decision as data, for observers that are elsewhere."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs
from arena.game import Decision, Form, Options, Rejected, State
from arena.record import JSON, Action, GameEvent, Player, canonical


@attrs.frozen
class _Shown:
    """Stands for the state: it knows what the player saw."""

    observation: JSON

    def observe(self, _player: Player | None) -> JSON:
        return self.observation


@attrs.frozen(kw_only=True)
class Seen:
    """What a player was shown: all of a decision but its look-ups, its sampler and the game behind it."""

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
    def of(cls, decision: Decision) -> "Seen":
        """Write down a decision that is still valid."""
        options = decision.options
        return cls(
            observation=decision.observation,
            player=decision.player,
            phase=decision.phase,
            actions=None if options is None else tuple(options.actions),
            labels={canonical(option.action): option.label for option in options or ()},
            schema=decision.action_schema,
            skip=decision.skip,
            turn=decision.turn,
            attempt=decision.attempt,
            news=decision.news,
            rejected=decision.rejected,
        )

    def decision(self, forms: Mapping[str, Form]) -> Decision:
        """The decision again; look-ups are left out and nothing can be drawn from it where it lists no options."""
        options = None
        if self.actions is not None:
            options = Options(self.actions, lambda action: self.labels[canonical(action)])
        shown = Decision(
            state=cast("State", _Shown(self.observation)),
            player=self.player,
            phase=self.phase,
            options=options,
            action_schema=self.schema,
            skip=self.skip,
            forms=forms,
            turn=self.turn,
        )
        shown.attempt, shown.news, shown.rejected = self.attempt, self.news, self.rejected
        return shown
