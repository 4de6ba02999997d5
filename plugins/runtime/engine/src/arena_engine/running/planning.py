"""Plans the matches of a benchmark, each with an id derived from its game, agents, repeat and rotation."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from arena.errors import ConfigError
from arena.record import MatchPlan, derive_seed
from arena.schedule import Lineup, Schedule

from arena_engine.running.schedules import ByGame


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
    games = tuple((game, entry.players, tuple(getattr(entry, "tags", ()))) for game, entry in benchmark.games.items())
    agents = tuple((name, frozenset(entry.tags)) for name, entry in benchmark.agents.items())
    unpaired: frozenset[tuple[str, str]] = getattr(benchmark, "unpaired", frozenset())
    try:
        return _expanded(benchmark.seed, games, agents, benchmark.schedule, unpaired)
    except TypeError:  # a schedule that cannot be hashed
        return _expanded.__wrapped__(benchmark.seed, games, agents, benchmark.schedule, unpaired)


@lru_cache(maxsize=1)  # a benchmark is expanded to check it, to estimate it and to play it
def _expanded(
    seed: int,
    games: tuple[tuple[str, int, tuple[str, ...]], ...],
    agents: tuple[tuple[str, frozenset[str]], ...],
    schedule: Schedule,
    unpaired: frozenset[tuple[str, str]],
) -> tuple[MatchPlan, ...]:
    tags = dict(agents)
    plans: dict[str, MatchPlan] = {}
    problems: list[str] = []
    for game, players, known in games:
        own = schedule.of_game(game, known) if isinstance(schedule, ByGame) else schedule
        paired = next((said for said in map(_paired, (schedule, own)) if said is not None), None)
        try:
            for lineup in own.lineups(tags, players):
                if lineup.deals is not None and paired is False:
                    raise ConfigError("schedule.paired: false contradicts same-deals: true; leave one of them out")
                shares = paired if paired is not None else not any((game, name) in unpaired for name in lineup.agents)
                plan = _plan(seed, game, lineup, shares=shares)
                plans.setdefault(plan.id, plan)
        except ConfigError as error:
            problems += [f"{problem} (game {game!r})" for problem in error.problems]
    if problems:
        raise ConfigError(problems)
    return tuple(sorted(plans.values(), key=lambda plan: plan.repeat))


def _paired(schedule: Schedule) -> bool | None:
    return getattr(schedule, "paired", None)


def _plan(seed: int, game: str, lineup: Lineup, *, shares: bool) -> MatchPlan:
    pairing, rotation = lineup.pairing, lineup.rotation
    deals = (lineup.deals or pairing, lineup.repeat) if shares else (pairing, lineup.repeat, rotation)
    return MatchPlan(
        id=f"{game}/{','.join(lineup.agents)}/{lineup.repeat}.{rotation}",
        game=game,
        agents=lineup.agents,
        pairing=pairing,
        repeat=lineup.repeat,
        rotation=rotation,
        chance_seed=derive_seed("chance", seed, game, *deals),
    )
