"""Rounds of a match as its events mark them, and what a rubric scores in each."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, cast

import attrs
from arena.game import Game
from arena.record import Event, MatchRecord, Player

from arena_metric_judge.dimension import Condition, Dimension
from arena_metric_judge.round_rules import ItemKind, RoundRules
from arena_metric_judge.rubric import Rubric

_ROUND = "round"


@attrs.frozen(kw_only=True)
class RoundItem:
    """One thing to be scored in a round: ``places`` are those of its events in the record.

    ``found`` holds, by kind, the dimensions of what a judge may find within it.
    """

    label: str
    kind: str
    places: tuple[int, ...]
    dimensions: tuple[Dimension, ...]
    found: Mapping[str, tuple[Dimension, ...]] = attrs.field(factory=dict[str, tuple[Dimension, ...]])


@attrs.frozen(kw_only=True)
class RoundsOfMatch:
    """The rounds of one match by the rules of a rubric, and the names under which its players take part.

    ``rounds`` maps the name of a round to the places of its events in the record, ``parties`` a name to its player.
    ``put_in`` are the places of events with each player whose last action before it was not its own. ``are_steps`` says
    that the match names no rounds, so that each step is one.
    """

    events: tuple[Event, ...]
    seats: tuple[str, ...]
    rounds: Mapping[str, range]
    parties: Mapping[str, Player]
    put_in: frozenset[tuple[int, Player]]
    are_steps: bool = False

    @classmethod
    def of(cls, record: MatchRecord, rules: RoundRules, game: Game | None) -> "RoundsOfMatch":
        """Find the rounds and the parties; ``ValueError`` if the event that lists the parties has another form.

        Without ``game``, a round begins where events are called as in games that say nothing else.
        """
        event = rules.event or (_ROUND if game is None else game.round_event)
        rounds = _rounds(record.events, event, rules.by)
        are_steps = not rounds and not rules.event
        return cls(
            events=record.events,
            seats=record.seats,
            rounds=_steps(record.events) if are_steps else rounds,
            parties=_parties(record, rules),
            put_in=frozenset(_put_in(record.events)),
            are_steps=are_steps,
        )

    def takes_part(self, name: str, player: Player | None) -> bool:
        """Whether a player has something of its own in a round.

        It has not if all that it did there was put in for it, if it had been eliminated before, or where a round is a
        step in which it did not act.
        """
        if player is None:
            return True
        places = self.rounds[name]
        done = [_data(e).get("by") for e in (self.events[place] for place in places) if _is_played(e, player)]
        if done:
            return "agent" in done
        is_gone = any(e.kind == "gone" and e.player == player for e in self.events[: places.start])
        return not (self.are_steps or is_gone)

    def items(self, rubric: Rubric, name: str, party: str | None) -> tuple[RoundItem, ...]:
        """What is scored in a round of one party, or of all of them for ``None``, in the order of the rubric."""
        assert rubric.rounds is not None  # only rubrics of rounds are asked for
        found: list[RoundItem] = []
        for kind in rubric.rounds.items.values():
            names = (*self.parties, *filter(None, (rubric.rounds.everybody,)))
            inner = {i.name: tuple(d.among(names) for d in rubric.of(i.name)) for i in rubric.rounds.within(kind.name)}
            for label, places in self._labelled(kind, self._own(kind, name, party)):
                asked = tuple(d for d in rubric.of(kind.name) if self._is_asked(d.needs, kind, name, places))
                if asked or inner:
                    found.append(RoundItem(label=label, kind=kind.name, places=places, dimensions=asked, found=inner))
        return tuple(found)

    def is_told(self, place: int, party: str | None, kinds: Mapping[str, Sequence[str]]) -> bool:
        """Whether an event is one of these kinds, and may be told about a party.

        Its player must have seen it, and unless it is public one of the fields listed for its kind must name the party,
        if any are listed.
        """
        event = self.events[place]
        if event.source != "game" or event.kind not in kinds:
            return False
        if party is None or event.to is None:
            return True
        fields = kinds[event.kind]
        is_named = not fields or any(party in self._whose(event, field) for field in fields)
        return is_named and self.parties[party] in event.to

    def _own(self, kind: ItemKind, name: str, party: str | None) -> list[int]:
        """The places of the events of a kind in a round that come of players' own actions, or of one party alone."""
        places = (place for place in self.rounds[name] if _is_of(self.events[place], kind.event))
        return [place for place in places if self._is_own(place, self._whose(self.events[place], kind.party), party)]

    def _is_own(self, place: int, whose: frozenset[str], party: str | None) -> bool:
        players = {self.parties[each] for each in whose if each in self.parties}
        return (party is None or party in whose) and not any((place, player) in self.put_in for player in players)

    def _labelled(self, kind: ItemKind, own: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
        if not kind.by:
            yield from ((f"{kind.name} {number}", (place,)) for number, place in enumerate(own, start=1))
            return
        found: dict[str, list[int]] = {}
        for place in own:
            for values in product(*(dict.fromkeys(_entries(self.events[place], field)) for field in kind.by)):
                label = ", ".join(f"{field} {value}" for field, value in zip(kind.by, values, strict=True))
                found.setdefault(label, []).append(place)
        yield from ((label, tuple(places)) for label, places in found.items())

    def _is_asked(self, needs: Condition | None, kind: ItemKind, name: str, places: Sequence[int]) -> bool:
        if needs is None:
            return True
        whose = self._whose(self.events[places[-1]], kind.party)
        step = self.events[places[-1]].step
        return any(
            _is_of(event, needs.event)
            and event.step <= step
            and bool(_data(event).get(needs.field))
            and not whose.isdisjoint(self._whose(event, needs.party))
            for event in (self.events[place] for place in self.rounds[name])
        )

    def _whose(self, event: Event, field: str) -> frozenset[str]:
        """The parties that a field names; the number of a player stands for its seat."""
        return frozenset(self.seats[v] if _is_player(v, self.seats) else str(v) for v in _entries(event, field))


def _rounds(events: Sequence[Event], kind: str, by: str) -> dict[str, range]:
    """The rounds in order; a name that comes up again later gets a number."""
    begins: list[tuple[str, int]] = []
    last = ""
    for place, event in enumerate(events):
        if _is_of(event, kind):
            value = str(_data(event).get(by)) if by else str(len(begins) + 1)
            if not begins or value != last:
                times = sum(name == value or name.startswith(f"{value} (") for name, _ in begins)
                begins.append((f"{value} ({times + 1})" if times else value, place))
            last = value
    return _ranges(begins, len(events))


def _steps(events: Sequence[Event]) -> dict[str, range]:
    """Each step in which somebody was asked, from its first answer or look-up to the next step's."""
    begins: dict[int, int] = {}
    for place, event in enumerate(events):
        if event.source == "referee" and event.kind in _OF_TURNS:
            begins.setdefault(event.step, place)
    return _ranges([(str(number), place) for number, place in enumerate(begins.values(), start=1)], len(events))


def _ranges(begins: Sequence[tuple[str, int]], end: int) -> dict[str, range]:
    ends = (*begins[1:], ("", end))
    return {name: range(start, stop) for (name, start), (_, stop) in zip(begins, ends, strict=False)}


def _parties(record: MatchRecord, rules: RoundRules) -> dict[str, Player]:
    names: Any = [[seat] for seat in record.seats]
    if rules.parties is not None:
        kind, field = rules.parties
        event = next((event for event in record.events if _is_of(event, kind)), None)
        if event is None:  # the match ended before anybody took part
            return {}
        names = _data(event).get(field)
        if not isinstance(names, list | tuple) or len(cast("Any", names)) != len(record.seats):
            raise ValueError(f"the event {kind!r} of match {record.id!r} does not list in {field!r} who each player is")
    return {str(name): Player(p) for p, own in enumerate(names) for name in own}


def _put_in(events: Sequence[Event]) -> Iterator[tuple[int, Player]]:
    others: set[Player] = set()
    for place, event in enumerate(events):
        if event.source == "game":
            yield from ((place, player) for player in others)
        elif event.kind == "played" and event.player is not None:
            (others.discard if _data(event).get("by") == "agent" else others.add)(event.player)


_OF_TURNS = frozenset({"queried", "refused", "played", "withheld"})


def _is_played(event: Event, player: Player) -> bool:
    return event.source == "referee" and event.kind == "played" and event.player == player


def _is_of(event: Event, kind: str) -> bool:
    return event.source == "game" and event.kind == kind


def _data(event: Event) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", event.data) if isinstance(event.data, Mapping) else {}


def _entries(event: Event, field: str) -> tuple[Any, ...]:
    """The value of a field, or each entry of one that is a list; tables in it are written as text."""
    value: Any = _data(event).get(field)
    several: Any = value if isinstance(value, list | tuple) else (value,)
    return tuple(each if isinstance(each, int | str) else str(each) for each in several)


def _is_player(value: Any, seats: Sequence[str]) -> bool:
    return type(value) is int and 0 <= value < len(seats)
