"""Plans the matches of a benchmark, each with an id derived from its game, agents, repeat and rotation."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from heapq import merge
from typing import Protocol, TypeAlias

from arena.errors import ConfigError, PluginError
from arena.game import Game
from arena.record import MatchPlan, derive_seed
from arena.schedule import Lineup, Schedule, joined_names

from arena_engine.job.schedules import ByGame

_Seating: TypeAlias = tuple[str, Lineup, bool]
"""A game, who plays it, and whether others share the deals."""


class _Played(Protocol):
    @property
    def players(self) -> int: ...


class _Tagged(Protocol):
    @property
    def tags(self) -> Iterable[str]: ...


class ScheduleInput(Protocol):
    """The part of a benchmark that decides which matches it has."""

    @property
    def seed(self) -> int:
        """The seed from which all randomness of the run is derived."""
        ...

    @property
    def games(self) -> Mapping[str, _Played]:
        """The games by name, with their numbers of players; a schedule by game looks at ``tags``, if they have any."""
        ...

    @property
    def agents(self) -> Mapping[str, _Tagged]:
        """The agents by name, with their tags."""
        ...

    @property
    def schedule(self) -> Schedule:
        """The schedule that seats the agents, and says by ``paired`` whether rotations share their deals.

        Where it has no ``paired``, or ``None``, they do; but not if a game and one of the agents are ``unpaired``, as
        pairs of names, which an input may have.
        """
        ...


def plan_matches(benchmark: ScheduleInput) -> tuple[MatchPlan, ...]:
    """All matches of a benchmark, each once: ordered by repeat, then by game in the order of the benchmark.

    ``ConfigError`` lists, for each game, why the schedule cannot seat its players.
    """
    return tuple(iter_plans(benchmark))


def iter_plans(benchmark: ScheduleInput) -> Iterator[MatchPlan]:
    """The matches of ``plan_matches`` one after another, none of which is held; its errors come at the end."""
    seed = benchmark.seed
    return (_plan(seed, game, lineup, shares=shares) for game, lineup, shares in _seatings(benchmark))


def meetings(benchmark: ScheduleInput) -> dict[tuple[str, str], None]:
    """Each game with each agent that plays it, in the order of the plan; the same errors as ``plan_matches``."""
    tables = dict.fromkeys((game, lineup.agents) for game, lineup, _ in _seatings(benchmark, is_first_enough=True))
    return dict.fromkeys((game, agent) for game, agents in tables for agent in agents)


def _seatings(benchmark: ScheduleInput, *, is_first_enough: bool = False) -> Iterator[_Seating]:
    """The lineups of all games in the order of the plan, and whether each shares its deals with others.

    If the first repeat is enough, the others are left out of schedules that say that they are like it.
    """
    problems: dict[str, list[str]] = {}
    games = [_of_game(benchmark, game, problems, is_first_enough=is_first_enough) for game in benchmark.games]
    yield from games[0] if len(games) == 1 else merge(*games, key=lambda seating: seating[1].repeat)
    if problems:
        raise ConfigError([problem for game in benchmark.games for problem in problems.get(game, ())])


def _of_game(
    benchmark: ScheduleInput, game: str, problems: dict[str, list[str]], *, is_first_enough: bool
) -> Iterator[_Seating]:
    """The lineups of a game by repeat, each once; what is wrong with them is added to ``problems``."""
    entry, schedule = benchmark.games[game], benchmark.schedule
    tags = {name: frozenset(agent.tags) for name, agent in benchmark.agents.items()}
    unpaired: frozenset[tuple[str, str]] = getattr(benchmark, "unpaired", frozenset())
    own = schedule.of_game(game, tuple(getattr(entry, "tags", ()))) if isinstance(schedule, ByGame) else schedule
    paired = next((said for said in map(_paired, (schedule, own)) if said is not None), None)
    apart = {name for known, name in unpaired if known == game}
    first = None
    try:
        for lineup in _by_repeat(own, tags, entry.players):
            first = lineup.repeat if first is None else first
            if is_first_enough and lineup.repeat != first and _is_by_repeat(own):
                return
            if lineup.deals is not None and paired is False:
                raise ConfigError("schedule.paired: false contradicts same-deals: true; leave one of them out")
            yield game, lineup, apart.isdisjoint(lineup.agents) if paired is None else paired
    except ConfigError as error:
        problems[game] = [f"{problem} (game {game!r}{_fewer(game, entry, len(tags))})" for problem in error.problems]


def _fewer(name: str, entry: object, agents: int) -> str:
    """How to play a game with as many players as there are agents, where it usually has more."""
    game = getattr(entry, "game", None)
    usual = isinstance(game, Game) and getattr(entry, "players", 0) == game.usual_players
    fitting = [n for n in game.player_counts() if 1 < n <= agents] if isinstance(game, Game) and usual else []
    if not fitting or max(fitting) == getattr(entry, "players", 0):
        return ""
    return f"; --set games.{name}.players={max(fitting)} plays it with {max(fitting)}"


def _by_repeat(schedule: Schedule, tags: Mapping[str, frozenset[str]], players: int) -> Iterator[Lineup]:
    """The lineups of a schedule by repeat, each once; they are held only if they do not come in that order."""
    found = schedule.lineups(tags, players)
    if not _is_by_repeat(schedule):
        found = sorted(found, key=lambda lineup: lineup.repeat)
    repeat, met = -1, set[tuple[str, ...]]()
    for lineup in found:
        if lineup.repeat != repeat:
            if lineup.repeat < repeat:
                who = type(schedule).__name__
                raise PluginError(f"schedule {who!r}: is_by_repeat, but repeat {lineup.repeat} comes after {repeat}")
            repeat = lineup.repeat
            met.clear()
        if lineup.agents not in met:
            met.add(lineup.agents)
            yield lineup


def _is_by_repeat(schedule: Schedule) -> bool:
    return getattr(schedule, "is_by_repeat", False)


def _paired(schedule: Schedule) -> bool | None:
    return getattr(schedule, "paired", None)


def _plan(seed: int, game: str, lineup: Lineup, *, shares: bool) -> MatchPlan:
    pairing, rotation, repeat = lineup.pairing, lineup.rotation, lineup.repeat
    deals = (lineup.deals or pairing, repeat) if shares else (pairing, repeat, rotation)
    return MatchPlan(
        id=f"{game}/{joined_names(lineup.agents)}/{repeat}.{rotation}",
        game=game,
        agents=lineup.agents,
        pairing=pairing,
        repeat=repeat,
        rotation=rotation,
        chance_seed=_chance_seed(seed, game, *deals),
    )


@lru_cache(maxsize=1 << 10)  # the seatings of a pairing have the same
def _chance_seed(*contents: str | int) -> int:
    return derive_seed("chance", *contents)
