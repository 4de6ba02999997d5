"""Looks for values that an event tells and that only others may see, or that show only later.

A leak into an observation shows when two matches are compared, but what an event tells counts as known from then on. So
the values in events are held against the observations of all players: a value that always equals what only another
player's observation shows was told to the wrong audience, unless the facts declare such events public.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

import attrs
from arena.game import FORFEITED, Game, GameFacts
from arena.record import JSON, GameEvent, Player, canonical_json

from arena_testing.foundation.conformance import ActionSequence, ConformanceError, CpuLimit, reported
from arena_testing.foundation.homogeneity import Place, leaves
from arena_testing.foundation.playthrough import Playthrough, fresh
from arena_testing.game.position import Examination

Shown: TypeAlias = Mapping[Place, str]
"""The texts of all scalars in an observation, by their places."""

Group: TypeAlias = tuple[str, str, str]
"""Events that say the same thing in every match: their kind, and their number at the start or the player they name."""

_DEALS = 64
"""How many matches are begun to compare what is told at the start."""

_FEWEST = 8
_COINCIDENCE = 1e-5
"""The largest probability, if nothing were meant by it, of agreements that count."""

_AT_ONCE = 0.25
"""The largest share of values shown at once, of those shown later, with which an event still counts as told early."""

_MOST_SHOWN = 2_000
"""Observations with more scalars than this are left out, since comparing them takes too long."""

_MOST_NAMED = 8
"""An event with more numbers or texts that could be players names none of them: it holds a board, or a picture."""


@attrs.define(eq=False)
class _Moment:
    """What everybody is shown after one step: ``shown`` by player, the texts told in actions so far, and the match."""

    shown: Sequence[Shown]
    acted: frozenset[str]
    line: ActionSequence
    is_over: bool


@attrs.define(eq=False)
class _Value:
    """One value in one group of events, as one player is told it, in all matches so far."""

    group: Group
    place: Place
    player: Player
    event: GameEvent
    line: ActionSequence
    values: Counter[str] = attrs.field(factory=Counter[str])
    others: set[tuple[Player, Place]] | None = None
    own: set[Place] | None = None
    agreed: Counter[Place] = attrs.field(factory=Counter[Place])
    disagreed: Counter[Place] = attrs.field(factory=Counter[Place])
    acted: int = 0

    def note(self, text: str, moment: _Moment) -> None:
        """Keep the places that agree with one more value."""
        self.values[text] += 1
        self.acted += text in moment.acted
        mine = moment.shown[self.player]
        if self.others is None:
            shown = [(Player(p), seen) for p, seen in enumerate(moment.shown) if p != self.player]
            self.others = {(p, place) for p, seen in shown for place, value in seen.items() if value == text}
            self.own = {place for place, value in mine.items() if value == text}
        else:
            self.others = {(p, place) for p, place in self.others if moment.shown[p].get(place) == text}
            self.own = {place for place in self.own or () if mine.get(place) == text}
        for _, at in self.others:
            if (value := mine.get(at)) is not None and value != "null":
                (self.agreed if value == text else self.disagreed)[at] += 1

    @property
    def holder(self) -> Player | None:
        """The player whose observation alone always shows the value; ``None`` if that is not so, or by coincidence."""
        number = self.values.total()
        alike = sum((count / number) ** 2 for count in self.values.values())
        if number < _FEWEST or len(self.values) < 2 or alike**number > _COINCIDENCE:
            return None
        if self.own or self.acted == number:
            return None
        hidden = [p for p, at in sorted(self.others or ()) if not self.agreed[at] or self.disagreed[at]]
        return hidden[0] if hidden else None


def check_told(
    game: Game,
    players: int,
    examination: Examination,
    walks: Sequence[Playthrough],
    seed: int,
    time_limit: CpuLimit,
) -> None:
    """Fail if an event tells a player what only another player's observation shows, or what is so only later."""
    facts, without = examination.facts, examination.without
    found: dict[tuple[Group, Place, Player], _Value] = {}
    early: dict[tuple[Group, Place], _Early] = {}
    seats = tuple(game.seats(players))
    for number in range(_DEALS if facts.chance and facts.hidden_information else 0):
        if time_limit.is_over():
            break
        with reported(lambda number=number: ActionSequence(game, players, seed + number, {}, ())):
            walk = Playthrough.begin(game, players, seed + number)
        _note(found, walk, 0, _moment(walk, frozenset()), seats, facts)
    for walk in walks:
        if time_limit.is_over():
            break
        _follow(found, early, walk, seats, facts)
    for value in found.values():
        if "told" not in without and (holder := value.holder) is not None:
            raise _misaddressed(value, holder)
    for each in early.values():
        if "announced" not in without and each.is_early:
            what = f"{each.event.kind!r} tells what players are shown only one step later"
            sight = f"event {each.event.kind!r} {canonical_json(each.event.data)[:160]}"
            raise ConformanceError("announced", what, line=each.line, sight=sight)


def public_events(facts: GameFacts) -> tuple[str, ...]:
    """The kinds of events that the facts declare to make public what players hold, in a subclass of ``GameFacts``."""
    return tuple(getattr(facts, "public_events", ()))


@attrs.define(eq=False)
class _Early:
    """One value in one group of events: how often it was told, and what was shown one step later and not before.

    ``rises`` has, for each time that the value showed one step later, all texts that showed for the first time then.
    ``at_once`` counts how often it showed in the same step, which a few times may be another value that is equal.
    """

    event: GameEvent
    line: ActionSequence
    values: Counter[str] = attrs.field(factory=Counter[str])
    rises: list[frozenset[str]] = attrs.field(factory=list[frozenset[str]])
    at_once: int = 0

    @property
    def is_early(self) -> bool:
        """Whether the value always shows one step later, and others that it could have been do not."""
        number = self.values.total() - self.at_once
        if number < _FEWEST or len(self.values) < 2 or len(self.rises) < number:
            return False
        if self.at_once > _AT_ONCE * number:
            return False
        by_chance = prod(len(rise & set(self.values)) / len(self.values) for rise in self.rises)
        return by_chance < _COINCIDENCE


def _misaddressed(value: _Value, holder: Player) -> ConformanceError:
    kind, event = value.group[0], value.event
    what = f"{kind!r} tells player {value.player} what only player {holder}'s observation shows"
    to = "everybody" if event.to is None else f"players {', '.join(map(str, event.to))}"
    return ConformanceError(
        "told", what, line=value.line, sight=f"event {kind!r} {canonical_json(event.data)[:160]} to {to}"
    )


def _follow(
    found: dict[tuple[Group, Place, Player], _Value],
    early: dict[tuple[Group, Place], "_Early"],
    original: Playthrough,
    seats: Sequence[str],
    facts: GameFacts,
) -> None:
    walk = Playthrough.begin(original.game, original.players, original.seed)
    acted: set[str] = set()
    moment, told = _moment(walk, frozenset()), 0
    counts = [_counts(moment)]
    waiting: list[tuple[_Early, str]] = []
    for number, step in enumerate([None, *original.steps]):
        if step is not None:
            for action in step.values():
                if action is not FORFEITED:
                    acted |= {canonical_json(scalar) for _, scalar in leaves(action)}
            walk.step(fresh(step))
            moment = _moment(walk, frozenset(acted))
            counts.append(_counts(moment))
        if any(len(shown) > _MOST_SHOWN for shown in moment.shown):
            return
        for each, text in waiting:
            rise = frozenset(counts[-1] - counts[-2])
            if text in rise:
                each.rises.append(rise)
        waiting = []
        if moment.is_over:
            return
        if number and facts.hidden_information:
            _note(found, walk, told, moment, seats, facts)
        if number < len(original.steps):
            waiting = list(_announced(early, walk, told, moment, counts, seats))
        told = len(walk.told)


def _announced(
    early: dict[tuple[Group, Place], "_Early"],
    walk: Playthrough,
    since: int,
    moment: _Moment,
    counts: Sequence[Counter[str]],
    seats: Sequence[str],
) -> Iterator[tuple["_Early", str]]:
    """Values told in this step, which are not the players' actions; those that show at once can never be early."""
    for event, groups in _grouped(walk, since, seats):
        for group in groups:
            for place, scalar in leaves(event.data):
                text = canonical_json(scalar)
                each = early.setdefault((group, place), _Early(event, moment.line))
                each.values[text] += 1
                is_shown = len(counts) > 1 and counts[-1][text] > counts[-2][text]
                each.at_once += is_shown
                if not is_shown and text not in moment.acted:
                    yield each, text


def _note(
    found: dict[tuple[Group, Place, Player], _Value],
    walk: Playthrough,
    since: int,
    moment: _Moment,
    seats: Sequence[str],
    facts: GameFacts,
) -> None:
    if any(len(shown) > _MOST_SHOWN for shown in moment.shown):
        return
    for event, groups in _grouped(walk, since, seats):
        if event.kind in public_events(facts):
            continue
        for group in groups:
            for place, scalar in leaves(event.data):
                text = canonical_json(scalar)
                for player in map(Player, range(walk.players)):
                    if event.is_visible(player):
                        new = _Value(group, place, player, event, moment.line)
                        found.setdefault((group, place, player), new).note(text, moment)


def _grouped(walk: Playthrough, since: int, seats: Sequence[str]) -> Iterator[tuple[GameEvent, list[Group]]]:
    """Events with their groups: all of one kind, at the start with one number, and those that name one player."""
    numbers = Counter[str]()
    for event, _ in walk.told[since:]:
        numbers[event.kind] += 1
        groups: list[Group] = [(event.kind, "", "") if since else (event.kind, "number", str(numbers[event.kind]))]
        named: list[Group] = []
        for place, scalar in leaves(event.data):
            is_player = type(scalar) is int and 0 <= scalar < len(seats)
            if is_player or (isinstance(scalar, str) and scalar in seats):
                named.append((event.kind, ".".join(place), str(scalar)))
        yield event, [*groups, *(named if len(named) <= _MOST_NAMED else ())]


def _moment(walk: Playthrough, acted: frozenset[str]) -> _Moment:
    shown = [_shown(walk.state.observe(Player(p))) for p in range(walk.players)]
    return _Moment(shown, acted, walk.line, walk.is_over)


def _shown(observation: JSON) -> Shown:
    seen: Any = observation
    return {place: canonical_json(scalar) for place, scalar in leaves(seen)}


def _counts(moment: _Moment) -> Counter[str]:
    return Counter(text for shown in moment.shown for text in shown.values())
