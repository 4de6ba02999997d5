"""Splits a recorded match into turns, and replays its actions to yield its positions, one after another.

A turn is numbered from 1 in the order of the record. It has a try for each refusal and one for the action played.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from arena.chance import Chance
from arena.errors import JournalError
from arena.game import FORFEITED, Forfeited, Game, State
from arena.record import JSON, Action, Event, GameEvent, MatchHistory, Player, canonical_json


@attrs.frozen(kw_only=True)
class Try:
    """One answer of an agent; ``event`` is the referee's event for it, ``refused``, ``played`` or ``withheld``."""

    event: Event

    @property
    def data(self) -> Mapping[str, Any]:
        """The data of the referee's event."""
        return data_of(self.event)

    @property
    def is_refused(self) -> bool:
        """Whether the answer was refused and not played."""
        return self.event.kind == "refused"


@attrs.frozen(kw_only=True)
class Turn:
    """One player's turn, with the tries and the queries it made in it."""

    number: int
    step: int
    player: Player
    turn: int
    tries: tuple[Try, ...]
    queries: tuple[Event, ...] = ()

    @property
    def played(self) -> Event | None:
        """The referee's event with the action; ``None`` if the player was eliminated in this turn."""
        last = self.tries[-1].event
        return None if last.kind == "refused" else last

    @property
    def is_applied(self) -> bool:
        """Whether its action was applied; false if another player's forfeit ended the match in the same step."""
        return self.tries[-1].event.kind == "played"

    @property
    def by(self) -> str:
        """The source of the action: ``agent``, or ``random`` or ``skip`` for a substitute; empty if there was none."""
        return str(data_of(self.played)["by"]) if self.played else ""

    @property
    def move(self) -> dict[str, JSON]:
        """The turn as an entry of an opening: ``{"play": ACTION}`` or ``{"refuse": KIND}``."""
        if self.played:
            return {"play": data_of(self.played)["action"]}
        return {"refuse": self.tries[-1].data["kind"]}


def data_of(event: Event) -> Mapping[str, Any]:
    """The data of a referee's event, which is always a mapping."""
    assert isinstance(event.data, Mapping)  # the referee writes tables
    return event.data


def turns(record: MatchHistory) -> tuple[Turn, ...]:
    """The turns of a match, over or not, in the order of its events."""
    found: list[Turn] = []
    for player, turn, events in _grouped(record):
        tries = tuple(Try(event=e) for e in events if e.kind != "queried")
        if not tries:
            continue
        queries = tuple(e for e in events if e.kind == "queried")
        number, step = len(found) + 1, events[0].step
        found.append(Turn(number=number, step=step, player=player, turn=turn, tries=tries, queries=queries))
    return tuple(found)


def _grouped(record: MatchHistory) -> Iterator[tuple[Player, int, list[Event]]]:
    """The events of each player's turn; a query has no turn number and belongs to the turn it was made in."""
    groups: dict[tuple[int, Player], list[Event]] = {}
    for event in record.events:
        if event.source == "referee" and event.player is not None and event.kind in _OF_TURNS:
            groups.setdefault((event.step, event.player), []).append(event)
    for (_, player), events in groups.items():
        numbers = [data_of(e)["turn"] for e in events if "turn" in data_of(e)]
        yield player, numbers[0] if numbers else 0, events


_OF_TURNS = frozenset({"refused", "played", "withheld", "queried"})


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
            refused = f"{canonical_json(action)} of player {turn.player} is refused: {illegal.reason}"
            raise _changed(record, turn.step, refused)
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
