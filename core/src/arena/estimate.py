"""What a benchmark will take, before anything is paid for.

Lengths of matches are those of matches that were played, where a run is extended, else of random playouts with the
run's own deals. Prompts are rendered for real in every turn of one playout and not sent, and so is what judges ask
about playouts; a token is taken to be four characters. Nobody knows how much a model will write or how fast it is:
those are bounds, and said to be.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias

import attrs

from arena.askers import AskerEstimate, Rehearsals, of_agent, of_judge, total
from arena.benchmark import Benchmark
from arena.executor import Work
from arena.probe import ANSWER, Question, asked_by_player
from arena.record import MatchPlan, MatchRecord
from arena.rehearsal import StandIn, rehearse
from arena.runner import work_of
from arena.schedule import expand
from arena.spending import Forecast, Range
from arena.wire import identity

PLAYOUTS: Final = 10
"""Random playouts of each game, at most."""

TURNS: Final = 20_000
"""After so many turns no further playout of a game is begun."""

RECORDED: Final = 5
"""From so many played matches of a game on, their lengths are taken in place of random ones."""

SECONDS: Final = (1.0, 10.0)
"""What one completion is assumed to take."""

Lengths: TypeAlias = Mapping[str, Sequence[tuple[int, ...]]]


@attrs.frozen(kw_only=True)
class GameEstimate:
    """One game: its matches, and decisions in each by player.

    They come from ``recorded`` matches that were played, or else from random ``playouts``.
    """

    game: str
    matches: int
    decisions: tuple[Range, ...]
    playouts: int
    recorded: int = 0

    @property
    def per_match(self) -> Range:
        """Decisions of all players in one match."""
        return total(self.decisions)


@attrs.frozen(kw_only=True)
class Estimate:
    """The whole run. ``seconds`` assumes ``SECONDS`` for a completion; without models it is measured."""

    matches: int
    games: tuple[GameEstimate, ...]
    agents: tuple[AskerEstimate, ...]
    judges: tuple[AskerEstimate, ...]
    seconds: Range

    @property
    def askers(self) -> tuple[AskerEstimate, ...]:
        """Everybody who asks a model."""
        return (*self.agents, *self.judges)

    @property
    def decisions(self) -> Range:
        """Decisions of all players in all matches."""
        return total(game.per_match.times(game.matches) for game in self.games)

    @property
    def cost_usd(self) -> Range | None:
        """What everybody costs; ``None`` where one's price is unknown."""
        costs = [asker.cost_usd for asker in self.askers]
        return None if None in costs else total(cost for cost in costs if cost is not None)

    def forecast(self) -> Forecast:
        """The sums over all who ask, to be held against what comes."""
        written = [asker.completion_tokens for asker in self.askers]
        return Forecast(
            matches=self.matches,
            decisions=self.decisions,
            calls=total(asker.calls for asker in self.askers),
            prompt_tokens=total(asker.prompt_tokens for asker in self.askers),
            completion_tokens=None if None in written else sum(tokens for tokens in written if tokens is not None),
            cost_usd=self.cost_usd,
            seconds=self.seconds,
        )


async def estimate(benchmark: Benchmark, done: Iterable[str] = (), recorded: Lengths | None = None) -> Estimate:
    """Rehearse a little of everything; ``done`` are matches that need not be played.

    ``recorded`` are turns by player of matches that were played, by game.
    """
    finished = frozenset(done)
    plans = [plan for plan in expand(benchmark) if plan.id not in finished]
    work = work_of(benchmark, plans)
    started = time.monotonic()
    tables: list[Rehearsals] = []
    games: list[GameEstimate] = []
    for game in dict.fromkeys(plan.game for plan in plans):
        own = [plan for plan in plans if plan.game == game]
        played = await _playouts(work, own)
        games.append(_game(own, played, (recorded or {}).get(game, ())))
        tables.append(Rehearsals(game=game, plans=own, decisions=games[-1].decisions, records=played))
    rehearsed = sum(game.playouts for game in games)
    own_s = (time.monotonic() - started) / max(1, rehearsed) * len(plans)
    agents = [found for name in work.agents for found in await of_agent(work, name, tables)]
    metrics = {name: metric for name, metric in benchmark.metrics.items() if metric.backends()}
    judges = [found for name, metric in metrics.items() for found in await of_judge(work, name, metric, tables)]
    chain = max((game.per_match.likely for game in games), default=0.0)
    waiting = (_seconds(work, agents, chain), _seconds(work, judges, 1.0))
    return Estimate(
        matches=len(plans),
        games=tuple(games),
        agents=tuple(agents),
        judges=tuple(judges),
        seconds=total((Range(own_s, own_s, own_s), *waiting)),
    )


async def first_request(work: Work, plan: MatchPlan, player: int, turns: int = 0) -> Question | None:
    """What the agent of ``player`` would ask after ``turns`` turns; everybody plays at random."""
    probe = await asked_by_player(work, plan, player, until=turns)
    return next((question for question in probe.questions if question.turn >= turns), None)


async def _playouts(work: Work, plans: Sequence[MatchPlan]) -> list[MatchRecord]:
    """Random matches, in which each agent with a model says something for a reason."""
    asks = {name: StandIn(ANSWER if agent.backends() else "") for name, agent in work.agents.items()}
    records: list[MatchRecord] = []
    turns = 0
    for plan in plans[:PLAYOUTS]:
        record = (await rehearse(work, plan, [asks[name] for name in plan.agents])).record
        assert record is not None  # nothing stops it
        records.append(record)
        turns += sum(_turns(record))
        if turns >= TURNS:
            break
    return records


def _game(
    plans: Sequence[MatchPlan], played: Sequence[MatchRecord], recorded: Sequence[tuple[int, ...]]
) -> GameEstimate:
    is_recorded = len(recorded) >= RECORDED
    turns = recorded if is_recorded else [_turns(record) for record in played]
    return GameEstimate(
        game=plans[0].game,
        matches=len(plans),
        decisions=tuple(Range(min(of), fmean(of), max(of)) for of in zip(*turns, strict=True)),
        playouts=len(played),
        recorded=len(recorded) if is_recorded else 0,
    )


def _turns(record: MatchRecord) -> tuple[int, ...]:
    """How often each player acted."""
    acted = [event.player for event in record.played()]
    return tuple(acted.count(p) for p in range(len(record.agents)))  # type: ignore[arg-type]  # players are numbers


def _seconds(work: Work, askers: Sequence[AskerEstimate], chain: float) -> Range:
    """A chain of completions, or all of them over the slots there are, whichever is longer, for each backend."""
    low, likely, high = 0.0, 0.0, 0.0
    backends = {identity(asker.backend): asker.backend for asker in askers}
    for key, backend in backends.items():
        asked = total(asker.calls for asker in askers if identity(asker.backend) == key)
        slots = min(work.limits.concurrency, backend.concurrency)
        low = max(low, SECONDS[0] * asked.low / slots)
        likely += (SECONDS[0] * SECONDS[1]) ** 0.5 * max(chain, asked.likely / slots)
        high += SECONDS[1] * max(chain, asked.high / slots)
    return Range(low, likely, high)
