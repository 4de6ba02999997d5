"""Replays the recorded actions of a match and yields its positions, one after another."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import attrs

from arena.chance import Chance
from arena.errors import JournalError
from arena.game import FORFEITED, Forfeited, Game, State
from arena.record import Action, Event, GameEvent, MatchHistory, Player, canonical_json
from arena.turns import Turn, turns


@attrs.frozen(kw_only=True)
class Position:
    """A match before one of its steps, or at its end; ``events`` are those of the step that led here.

    ``state`` is the one that the iteration advances, so read it before taking the next position.
    """

    step: int
    state: State
    events: tuple[Event, ...]


def positions(game: Game, record: MatchHistory) -> Iterator[Position]:
    """Every position of a recorded match, over or not, from the first to the last.

    ``JournalError`` if the game's events differ from the recorded ones.
    """
    state, opening = game.start(Chance(record.plan.chance_seed), len(record.agents))
    # Grouped once: long matches have thousands of steps, each with few events.
    by_step, told = defaultdict[int, list[Turn]](list), defaultdict[int, list[Event]](list)
    for turn in turns(record):
        by_step[turn.step].append(turn)
    for event in record.events:
        if event.source == "game":
            told[event.step].append(event)
    happened: Sequence[GameEvent] = opening
    for step in range(record.steps + 1):
        recorded = tuple(told[step])
        _check(record, step, happened, recorded)
        yield Position(step=step, state=state, events=recorded)
        if step < record.steps:
            happened = _applied(record, state, by_step[step])


def _applied(record: MatchHistory, state: State, played: Sequence[Turn]) -> Sequence[GameEvent]:
    actions: dict[Player, Action | Forfeited] = dict.fromkeys(state.to_act(), FORFEITED)
    for turn in played:
        if turn.player not in actions:
            raise _changed(record, turn.step, f"player {turn.player} is not to act")
        if turn.played is None:
            continue
        action = turn.move["play"]
        if illegal := state.check(turn.player, action):
            raise _changed(
                record, turn.step, f"{canonical_json(action)} of player {turn.player} is refused: {illegal.reason}"
            )
        actions[turn.player] = action
    return state.apply(actions)


def _check(record: MatchHistory, step: int, happened: Sequence[GameEvent], recorded: Sequence[Event]) -> None:
    found, expected = ([canonical_json([e.kind, e.data, e.to]) for e in events] for events in (happened, recorded))
    if found != expected:
        pairs = zip(found, expected, strict=False)
        differs = next((f"{f} for {e}" for f, e in pairs if f != e), "their number differs")
        raise _changed(record, step, f"its events differ ({differs})")


def _changed(record: MatchHistory, step: int, what: str) -> JournalError:
    where = f"match {record.id!r}, step {step}: the game {record.game!r} does not do again what was recorded"
    return JournalError(f"{where}: {what}; install the version that the run's provenance names")
