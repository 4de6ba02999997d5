"""What a prompt knows of a game before its matches and of the present, and the short names of actions."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Game, Illegal, Options, PlayerView
from arena.record import JSON, Action, Player, canonical_json


def said_at_first(game: Game, decision: Decision | None, form: str) -> str:
    """What a form says that is the same for everybody and in all positions; empty in games that lack it."""
    if form not in game.forms or decision is None:
        return ""
    shown = decision.render(form)
    return shown if isinstance(shown, str) else ""


def first_decision(game: Game, players: int) -> Decision | None:
    """The first decision of a match that is the same in all runs; ``None`` if nobody ever acts."""
    state, _ = game.start(Chance(0), players)
    player = next(iter(state.to_act()), None)
    if player is None:
        return None
    return state.decision(player).asked(PlayerView(state, player), forms=game.forms)


@attrs.frozen
class Shown:
    """The texts of what a player sees now, in every form in which its prompt shows them."""

    texts: tuple[str, ...] = ()

    def untold(self, events: Iterable[str], new: int, *, knows_old: bool = False) -> list[str]:
        """The events whose texts are not shown now; the last ``new`` of them happened since the player's last turn.

        An event is shown where its lines, or those below a heading, are lines of what is seen, one after another. A
        single line must be new, or with ``knows_old`` have happened once: of the same that happened twice one may be
        meant or the other.
        """
        events = list(events)
        if not (events and self.texts):
            return events
        pages = [f"\n{_lines(text)}\n" for text in self.texts]
        first_new, times = len(events) - new, Counter(events) if knows_old else {}
        return [
            event
            for at, event in enumerate(events)
            if not _is_on(pages, event, is_clear=at >= first_new or (knows_old and times[event] == 1))
        ]


NOTHING: Final = Shown()
"""What a prompt shows that shows no text."""


def _is_on(pages: Iterable[str], event: str, *, is_clear: bool) -> bool:
    for lines, is_single in _bodies(event):
        if is_clear or not is_single:
            for page in pages:
                if lines in page:
                    return True
    return False


@lru_cache(maxsize=1_000)
def _bodies(event: str) -> tuple[tuple[str, bool], ...]:
    """The lines of an event, and those below a heading, between line feeds; and whether each of them is only one.

    An event is told at every turn that follows it.
    """
    heading, _, below = event.strip().partition("\n")
    bodies = [event, *([below] if below and heading.rstrip().endswith(":") else [])]
    return tuple((f"\n{lines}\n", "\n" not in lines) for body in bodies if (lines := _lines(body)))


def _lines(text: str) -> str:
    """A text without spaces at the ends of its lines and without empty lines around it."""
    return "\n".join([line.rstrip() for line in text.splitlines()]).strip("\n")


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
        aliases=decision.aliases,
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
