"""Decisions whose actions go by the short names that a game gives them."""

from typing import Final

from arena.errors import RuleError
from arena.game import Decision, Illegal, Options, PlayerView
from arena.record import JSON, Action, Player, canonical_json

ACTIONS_FORM: Final = "short-actions"
"""The form in which a game gives the short names of what the player may do, in the order of the options."""


class _SameMatch:
    """The match of a decision, which is read through the decision itself."""

    def __init__(self, decision: Decision) -> None:
        self._decision = decision

    def observe(self, player: Player | None) -> JSON:
        return self._decision.observation

    def check(self, player: Player, action: Action) -> Illegal | None:
        return self._decision.check(action)


def with_short_names(decision: Decision) -> Decision:
    """The same decision with short names as the labels of its options, or itself where the game gives none.

    ``RuleError`` if the names are not as many as the options, or one of them stands for two.
    """
    if decision.options is None or ACTIONS_FORM not in decision.forms:
        return decision
    shown = decision.render(ACTIONS_FORM)
    names, actions = shown.split() if isinstance(shown, str) else [], decision.options.actions
    if not names:
        return decision
    if len(set(names)) < len(names) or len(names) != len(actions):
        raise RuleError(
            f"the form {ACTIONS_FORM!r} names {len(actions)} actions {' '.join(names)!r}; it should give each of them "
            "one word, all of them different; tell the game's author"
        )
    named = dict(zip(map(canonical_json, actions), names, strict=True))
    own = Decision(
        player=decision.player,
        phase=decision.phase,
        options=Options(actions, lambda action: named[canonical_json(action)]),
        skip=decision.skip,
        queries=decision.queries,
    )
    return own.asked(
        PlayerView(_SameMatch(decision), decision.player),
        turn=decision.turn,
        attempt=decision.attempt,
        news=decision.news,
        rejected=decision.rejected,
        refusals=decision.refusals,
        refusals_left=decision.refusals_left,
        forms=decision.forms,
    )
