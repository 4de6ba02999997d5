"""The loop for matches whose agents all answer at once: one plain function, which makes nothing that nobody reads.

It plays as ``Match`` does, with the same calls of the rules and of the agents in the same order and the same checks, so
that the record is the same. As soon as something is not as usual it stops, and ``Match`` goes on from there, in the
middle of the step: when an answer must be waited for, is refused or cannot be played; when the event loop must turn or
the run is held; when the match has reached its limit of steps.
"""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple, cast

from arena.agent import PlayerAgent, Reply
from arena.calls import PluginCall
from arena.errors import PluginError
from arena.game import Decision, PlayerView
from arena.record import EVERYONE, Action, Ending, MatchRecord, Player

from arena_engine.job.context import RunContext
from arena_engine.job.plugin_calls import call_of
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.match.calling import acts_async
from arena_engine.match.checks import UNCHANGING, blame, checked_response, event_of, thought
from arena_engine.match.match import BegunStep, Match
from arena_engine.match.player import GivenAnswer
from arena_engine.match.setup import MatchSetup
from arena_engine.match.tries import FirstTry

HELD_S: Final = 0.2
"""Seconds for which a match may be played here although the event loop is to turn; nearly all are over by then."""

_NUMBERS: Final = frozenset({int})
_OF_STEPS: Final = frozenset({"decision_asked", "actions_applied", "action_refused", "player_left"})


def may_be_quick(setup: MatchSetup, agents: Sequence[str], context: RunContext) -> bool:
    """Whether matches of these agents may be played here: nobody listens to steps or limits them, nobody is outside."""
    job = setup.job
    return (
        job.limits.turn_seconds is None
        and setup.policy.max_answers is None
        and context.active_hooks.isdisjoint(_OF_STEPS)
        and not any(job.agents[name].plays_in_own_process or job.agents[name].outside for name in agents)
    )


@cache
def answers_at_once(kind: type[PlayerAgent]) -> bool:
    """Whether players of a class are called where the referee is, and usually answer without being awaited."""
    return kind.is_quick and not acts_async(kind)


class QuickEnd(NamedTuple):
    """A match that ended by its rules, with what each player earned; ``events`` are the fields of ``Event``.

    ``happened`` are the data of the game's events among them. ``is_plain`` says that all else is texts and whole
    numbers, as nearly always.
    """

    match: Match
    returns: tuple[float, ...]
    events: Sequence[tuple[Any, ...]]
    happened: Sequence[Any]
    is_plain: bool

    def record(self) -> MatchRecord:
        """The record of the match."""
        match = self.match
        return MatchRecord(
            plan=match.plan,
            seats=match.setup.seats,
            ending=Ending.RULES,
            returns=self.returns,
            steps=match.steps,
            events=tuple(map(event_of, self.events)),
        )

    def encoded(self, started: datetime | None) -> EncodedMatch:
        """The match as the journal keeps it; it has just ended, and was ``started`` at that time."""
        if self.is_plain:
            match = self.match
            turns, parts = sum(match.turns), (match.setup.seats, self.returns, match.steps, self.events)
            if (found := EncodedMatch.by_rules(match.plan, turns, *parts, self.happened, started)) is not None:
                return found
        return EncodedMatch.of(self.record(), started)


def _are_numbers(players: Any) -> bool:
    return type(players) is tuple and _NUMBERS.issuperset(map(type, cast("tuple[Any, ...]", players)))


def play_quickly(match: Match) -> QuickEnd | BegunStep | None:
    """Let the agents join and play on as long as all is as usual; ``None`` if an agent is to be awaited from the start.

    If it does not end, the ``match`` knows what has happened, and ``Match.play`` goes on with the ``BegunStep``.
    """
    names, setup, state, context = match.plan.agents, match.setup, match.state, match.context
    acts: list[Callable[[Decision], Any]] = []
    agent_calls: list[PluginCall] = []
    for name, player in zip(names, setup.by_number, strict=True):
        agent = match.join(player)
        if not answers_at_once(type(agent)):
            return None
        acts.append(agent.act)
        agent_calls.append(call_of("agent", name, type(agent).act))
    here, calls, to_act, apply = state.here, state.calls, state.to_act, state.apply
    decision_of, check, has_rewards = state.decision, state.legality, state.has_step_rewards
    by_number, alone, more, limit = setup.by_number, setup.alone, setup.never_refused, setup.max_steps
    turns, unseen, views = match.turns, match.unseen, dict[Player, PlayerView]()
    due, now = context.turn_due + HELD_S, time.monotonic
    events: list[Any] = []
    data_of_events: list[Any] = []
    append, note, steps, is_plain = events.append, data_of_events.append, 0, True
    happened: Any = state.opening or ()
    end: QuickEnd | None = None
    try:
        here.call = call_of("game", match.plan.game, type(setup.game).start)
        while True:
            # What happened in the step, or at the start.
            try:
                for event in happened:
                    kind, data, to = event.kind, event.data, event.to
                    if to is None:
                        for news in unseen:
                            news.append(event)
                    else:
                        for seeing in to:
                            unseen[by_number[seeing]].append(event)
                        is_plain = is_plain and _are_numbers(to)
                    append((steps, "game", kind, None, data, to))
                    note(data)
                    if type(kind) is not str:
                        is_plain = False
            except (AttributeError, LookupError, TypeError) as error:
                state.refuse_events(happened, error)
            if has_rewards and steps:
                here.call = calls.rewards
                if (rewards := state.rewards()) is not None:
                    append((steps, "referee", "rewarded", None, state.checked_rewards(rewards), EVERYONE))
                    is_plain = False

            # Who is to act.
            here.call = calls.to_act
            found: Any = to_act()
            if not found:
                returns = state.returns(list(map(event_of, events)) if has_rewards else ())
                assert returns is not None  # the match is over
                end = QuickEnd(match, returns, events, data_of_events, is_plain)
                return end
            acting: Sequence[Player]
            try:
                acting = alone[found]
            except (LookupError, TypeError):
                acting = state.refuse_turn(found)
            if steps >= limit or context.is_held or now() >= due:
                return BegunStep()

            # What they answer.
            actions: dict[Player, Action] = {}
            played: list[Any] = []
            given: dict[Player, GivenAnswer] = {}
            for player in acting:
                decision = decision_of(player)
                view = views[player] = PlayerView(state, player)
                news, turn = unseen[player], turns[player]
                unseen[player] = []
                asked = FirstTry(decision, view, turn, news, more)
                here.call = agent_calls[player]
                try:
                    response: Any = acts[player](asked)
                except SystemExit as error:  # it would end the whole run
                    who = agent_calls[player].who
                    raise PluginError(f"{who} tried to end the process: SystemExit({error.code!r})") from error
                except Exception as error:
                    here.call = None
                    blame(names[player], f"act in turn {turn + 1}", error)
                here.call = calls.check
                if (
                    type(response) is Reply
                    and type(action := response.action) in UNCHANGING
                    and not (response.reasoning or response.note)
                ):
                    is_legal = check(player, action) is None
                else:
                    is_plain = is_legal = False
                    if isinstance(response, Reply):
                        response = checked_response(names[player], response)
                        is_legal = check(player, response.action) is None
                if len(acting) > 1 or not is_legal:
                    given[player] = GivenAnswer(decision, view, news, asked, response)
                    if not is_legal:
                        return BegunStep(acting, given)
                actions[player] = action = response.action
                data = {"action": action, "turn": turn, "try": 0, "by": "agent"}
                if (options := decision.options) is not None:
                    here.call = calls.label
                    data["label"] = label = options.label(action)
                    if type(label) is not str:
                        is_plain = False
                if response.reasoning or response.note is not None:
                    data |= thought(names[player], response.reasoning, response.note)
                    is_plain = False
                played.append((steps, "referee", "played", player, data, (player,)))

            # What comes of it.
            events += played
            here.call = calls.apply
            happened = apply(actions)
            steps += 1
            state.steps = steps
            for player in acting:
                turns[player] += 1
                views[player].is_open = False
    except Exception as error:
        state.broke_off(error)
        raise
    finally:
        here.call = None
        match.steps = steps
        if end is None:
            match.events = list(map(event_of, events))
