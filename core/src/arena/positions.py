"""Replays the recorded actions of a match and yields its positions, one after another."""

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
    by_turn = turns(record)
    happened: Sequence[GameEvent] = opening
    for step in range(record.steps + 1):
        recorded = tuple(e for e in record.events if e.source == "game" and e.step == step)
        _check(record, step, happened, recorded)
        yield Position(step=step, state=state, events=recorded)
        if step < record.steps:
            happened = _applied(record, state, [t for t in by_turn if t.step == step])


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
