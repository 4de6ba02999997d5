"""Matches of random and of greedy play to compare agents with, shipped by year or played here.

For the standard opening, with the hands of the suites, twenty matches of each were played once and are shipped. They
are cut where the match that is measured ends. Of all other games matches are played when a report is made, as many as
fit in a fixed number of phases, so that reports are quick and equal everywhere.
"""

import json
import lzma
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from random import Random
from typing import Any, Final, TypeAlias

import attrs
from arena.chance import Chance
from arena.game import Illegal, State
from arena.metric import Measurement, MeasurementRow, Measurements
from arena.record import JSON, Action, Ending, Event, Player, canonical_json, derive_rng
from arena_agent_diplomacy.greedy import greedy_orders
from arena_agent_diplomacy.observation import SeenPosition
from arena_game_diplomacy.game import Diplomacy

from arena_metric_diplomacy.counting import OrderCounts, counted
from arena_metric_diplomacy.grouping import GREEDY, RANDOM
from arena_metric_diplomacy.match_phases import PlayedDiplomacy, followed
from arena_metric_diplomacy.standings import PowerStanding, standings

MATCHES: Final = 20
"""The number of matches of each kind that are shipped, and the most that stand beside agents."""

PHASES: Final[Mapping[str, int]] = {RANDOM: 200, GREEDY: 50}
"""Once this many phases were played of all games that are not shipped, no further match of a kind is begun."""

FILE: Final = "references.json.xz"

Choice: TypeAlias = Callable[[State, Player, Random], Action]


def _at_random(state: State, player: Player, rng: Random) -> Action:
    return state.decision(player).sample(rng)


def _greedily(state: State, player: Player, rng: Random) -> Action:
    seen, decision = SeenPosition.read(state.observe(player)), state.decision(player)
    action = seen.action(greedy_orders(seen, seen.side(), rng))
    meant = decision.interpret(action)
    return action if isinstance(meant, Illegal) else meant


_CHOICES: Final[Mapping[str, Choice]] = {RANDOM: _at_random, GREEDY: _greedily}


@attrs.frozen(kw_only=True)
class ReferenceMatch:
    """What a match of random or greedy play came to, by year: the orders of all players, and each power's standing."""

    orders: tuple[Mapping[str, Any], ...]
    standings: Mapping[str, PowerStanding]
    reason: str

    @classmethod
    def of(cls, match: PlayedDiplomacy) -> "ReferenceMatch":
        """Sum up a match that was played."""
        years: dict[int, list[Any]] = {}
        for phase in match.phases:
            years.setdefault(phase.year, []).append(phase)
        of_years = (counted(attrs.evolve(match, phases=tuple(phases))) for phases in years.values())
        return cls(
            orders=tuple(OrderCounts.sum(own.to_json() for own in each).to_json() for each in of_years),
            standings=standings(match),
            reason=(match.end or {}).get("reason", ""),
        )

    def until(self, years: int) -> "ReferenceMatch":
        """The match after so many years, as if the last of them had been its last."""
        if years >= len(self.orders):
            return self
        cut = {power: standing.until(years) for power, standing in self.standings.items()}
        return ReferenceMatch(orders=self.orders[:years], standings=cut, reason="last-year")

    def to_json(self) -> dict[str, JSON]:
        """The match as plain data, of which ``from_json`` makes an equal value."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "ReferenceMatch":
        """Create a match from what ``to_json`` returned."""
        told = {power: PowerStanding.from_json(standing) for power, standing in raw["standings"].items()}
        return cls(orders=tuple(raw["orders"]), standings=told, reason=raw["reason"])


@attrs.frozen(kw_only=True)
class Reference:
    """A reference match of a game of the report: ``who`` played it in all hands."""

    game: str
    who: str
    number: int
    hands: tuple[tuple[str, ...], ...]
    match: ReferenceMatch

    def row(self, measurement: Measurement) -> MeasurementRow:
        """A measurement of the match as a row beside those of agents."""
        place = f"{self.game}/{self.who}/{self.number}"
        return MeasurementRow(
            **measurement._asdict(),
            match=place,
            block=place,
            game=self.game,
            pairing=self.who,
            ending=Ending.RULES,
            agents=(self.who,) * len(self.hands),
            agent=self.who,
        )


def references(measurements: Measurements, games: Mapping[str, int], most: int) -> Iterator[Reference]:
    """The reference matches of games, which are given with their numbers of players: at most so many of each kind."""
    known = {name: game for name in sorted(games) if isinstance(game := measurements.games.get(name), Diplomacy)}
    unknown = [name for name, game in known.items() if shipped(game, games[name]) is None]
    for name, game in known.items():
        players = games[name]
        found = shipped(game, players)
        if found is None:
            found = {
                who: _simulated(_settings(game), players, who, most, n // len(unknown)) for who, n in PHASES.items()
            }
        for who, matches in found.items():
            for number, match in enumerate(matches[:most]):
                yield Reference(game=name, who=who, number=number, hands=game.powers_of(players), match=match)


def key_of(game: Diplomacy, players: int) -> str:
    """What decides how a match from the standard opening goes, but for its length and what is said."""
    hands = sorted(sorted(hand) for hand in game.powers_of(players))
    return canonical_json([hands, game.win_centres, game.begins_in])


def shipped(game: Diplomacy, players: int) -> Mapping[str, tuple[ReferenceMatch, ...]] | None:
    """The shipped matches that fit a game, cut at its last year; ``None`` if there are none."""
    years = game.last_year - game.begins_in + 1
    found = _file().get(key_of(game, players)) if game.position is None else None
    if found is None or years > found["years"]:
        return None
    return {who: tuple(ReferenceMatch.from_json(raw).until(years) for raw in found[who]) for who in (RANDOM, GREEDY)}


@cache
def _file() -> Mapping[str, Any]:
    return json.loads(lzma.decompress(files("arena_metric_diplomacy").joinpath(FILE).read_bytes()))


def reference_match(game: Diplomacy, players: int, who: str, number: int) -> PlayedDiplomacy:
    """A match without talk in which all players play ``RANDOM`` or ``GREEDY``; equal numbers give equal matches."""
    state, begun = attrs.evolve(game, negotiation_rounds=0, knowledge="none").start(Chance(number), players)
    choose, events = _CHOICES[who], list(begun)
    streams = [derive_rng("diplomacy", who, number, player) for player in range(players)]
    while acting := state.to_act():
        events += state.apply({player: choose(state, player, streams[player]) for player in acting})
    match = followed(Event(0, "game", event.kind, None, event.data, event.to) for event in events)
    assert match is not None
    return match


@lru_cache(maxsize=64)
def _simulated(settings: str, players: int, who: str, most: int, phases: int) -> tuple[ReferenceMatch, ...]:
    """Matches of a game until so many phases were played; kept, since several metrics of one report want them."""
    game, found = Diplomacy(**json.loads(settings)), list[ReferenceMatch]()
    while len(found) < most and phases > 0:
        match = reference_match(game, players, who, len(found))
        found.append(ReferenceMatch.of(match))
        phases -= len(match.phases)
    return tuple(found)


def _settings(game: Diplomacy) -> str:
    """The parameters that decide how a match without talk goes."""
    last: dict[str, JSON] = {"win_centres": game.win_centres, "last_year": game.last_year}
    return canonical_json({"hands": game.hands, "start": game.beginning.to_json(), **last})
