"""Runs a plugin twice in different environments: other string hashes, and clocks that are ahead."""

import datetime
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from arena.catalog import InstalledPlugin
from arena.errors import ArenaError, ConfigError
from arena.game import Game
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, canonical_json, derive_rng
from arena_testing import RANDOM, play, sample_records
from arena_testing.fixtures import REFERENCES, sample_call_usage
from arena_testing.foundation import Playthrough
from arena_testing.game import snapshot

from arena_devkit.review.examples import games_for, variants
from arena_devkit.review.findings import Finding, Item
from arena_devkit.review.tasks import Task, carry_out

KINDS: Final = ("game", "agent", "metric", "schedule", "solver")
"""Kinds whose plugins must do the same in every environment."""

_AHEAD_S: Final = 400 * 86_400 + 7 * 3_600 + 1_234.5
_LIMIT_S: Final = 120.0
_MATCHES: Final = 3
_STEPS: Final = 40
_SHOWN: Final = 160


def compare(task: Task) -> Item:
    """Run the plugin in two environments; if they differ, in further ones to find out what it depends on."""
    one = attrs.evolve(task, task="world", hash_seed="1", shift_s=0.0)
    here, there = (_told(each) for each in (one, attrs.evolve(one, hash_seed="2", shift_s=_AHEAD_S)))
    if isinstance(here, Item):
        return here
    clock = "another clock"
    if isinstance(there, Item):  # some compiled libraries fail if the clocks are ahead
        there, clock = _told(attrs.evolve(one, hash_seed="2")), "the same clock, as it cannot live with another"
        if isinstance(there, Item):
            return there
    if here == there:
        note = f"{len(here)} steps the same in another process, with other hashes and {clock}"
        return Item(part="determinism", note=note, facts={"steps": len(here)})
    for rule, words, other in (
        ("process-luck", "even with the same hashes and the same clock", one),
        ("hash-order", "where texts hash differently", attrs.evolve(one, hash_seed="2")),
        ("clock", "where it is another day", attrs.evolve(one, shift_s=_AHEAD_S)),
    ):
        found = _told(other)
        if not isinstance(found, Item) and found != here:
            return Item(part="determinism", findings=(Finding.of(rule, f"{words}, {_difference(here, found)}"),))
    reason = f"in another process, {_difference(here, there)}"
    return Item(part="determinism", findings=(Finding.of("process-luck", reason),))


def _told(task: Task) -> Item | Sequence[str]:
    done = carry_out(task, ("determinism",), _LIMIT_S)
    if (story := done.values.get("story")) is not None:
        return story
    return next(item for item in done.items if item.part == "determinism")


def _difference(here: Sequence[str], there: Sequence[str]) -> str:
    for step, (one, other) in enumerate(zip(here, there, strict=False)):
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            start = max(0, at - _SHOWN // 4)
            return f"step {step} gives {other[start : start + _SHOWN]!r}, and gave {one[start : start + _SHOWN]!r}"
    return f"there are {len(there)} steps, and were {len(here)}"


def shift(seconds: float) -> None:
    """Set all clocks of this process ahead; call it before any other module imports them."""
    for name in ("time", "monotonic", "perf_counter"):
        plain, exact = getattr(time, name), getattr(time, f"{name}_ns")
        setattr(time, name, lambda plain=plain: plain() + seconds)
        setattr(time, f"{name}_ns", lambda exact=exact: exact() + int(seconds * 1e9))
    for name in ("localtime", "gmtime", "ctime"):
        convert = getattr(time, name)
        setattr(time, name, _converted(convert))
    time.strftime = _formatted(time.strftime)
    datetime.datetime = _ahead(datetime.datetime, seconds)  # type: ignore[misc]
    datetime.date = _Today  # type: ignore[misc]


def _converted(convert: Callable[[float], Any]) -> Callable[..., Any]:
    def converted(at: float | None = None) -> Any:
        return convert(time.time() if at is None else at)

    return converted


def _formatted(form: Callable[..., str]) -> Callable[..., str]:
    def formatted(how: str, at: Any = None) -> str:
        return form(how, time.localtime() if at is None else at)

    return formatted


def _ahead(plain: Any, seconds: float) -> Any:
    class Kind(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, plain)

    class Ahead(plain, metaclass=Kind):
        """The class ``datetime`` with a clock that is ahead."""

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return plain.now(tz) + datetime.timedelta(seconds=seconds)

        @classmethod
        def utcnow(cls) -> Any:
            return plain.utcnow() + datetime.timedelta(seconds=seconds)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    return Ahead


class _Kind(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _DATE)


_DATE = datetime.date


class _Today(_DATE, metaclass=_Kind):
    """The class ``date`` with a clock that is ahead."""

    @classmethod
    def today(cls) -> Any:
        """The date by the shifted clock."""
        return datetime.datetime.now().date()


def story(task: Task, entry: InstalledPlugin) -> list[str]:
    """What the plugin does here, one text per step; ``ConfigError`` if it cannot be tried."""
    _, value = next(variants(entry))
    return _STORIES[task.kind](task, entry, value)


def _game(task: Task, entry: InstalledPlugin, game: Game) -> list[str]:
    steps: list[str] = [game.rules]
    counts = game.player_counts()
    for players in dict.fromkeys((min(counts), max(counts))):
        for number in range(_MATCHES):
            walk, rng = Playthrough.begin(game, players, task.seed + number), derive_rng("world", number)
            while True:
                steps += [walk.story[-1], snapshot(walk.state, players)]
                if walk.is_over or len(walk.steps) >= min(_STEPS, game.facts(players).max_steps):
                    break
                walk.step(walk.draw_step(rng))
    return steps


def _agent(task: Task, entry: InstalledPlugin, agent: Any) -> list[str]:
    if agent.outside is not None:
        raise ConfigError("somebody outside plays for it, who is not here")
    for game in games_for(entry, task.game):
        players = min(game.player_counts())
        try:
            agent.needs(game, players)
        except ConfigError:
            continue
        steps: list[str] = []
        with tempfile.TemporaryDirectory() as place:
            for number in range(_MATCHES - 1):
                seats = [agent, *[RANDOM] * (players - 1)]
                record = play(game, seats, Path(place) / str(number), seed=task.seed + number).over
                if record.ending in (Ending.FAILED, Ending.INFRASTRUCTURE_FAILURE):
                    break
                steps += [canonical_json(list(event)) for event in record.events]
            else:
                return steps
    raise ConfigError("no game to try it in; name one with --game")


def _metric(task: Task, entry: InstalledPlugin, metric: Any) -> list[str]:
    rows: list[MeasurementRow] = []
    for record in () if metric.needs_game else sample_records():
        match = FinishedMatch(record, None, sample_call_usage(record) if metric.needs_calls else ())
        rows += [MeasurementRow.of(found, record) for found in metric.measure(match)]
    sections = metric.summarize(Measurements(rows=tuple(rows), baselines=REFERENCES))
    return [repr(row) for row in rows] + [repr(attrs.asdict(section)) for section in sections]


def _schedule(task: Task, entry: InstalledPlugin, schedule: Any) -> list[str]:
    from arena_testing import check_schedule

    agents: Mapping[str, frozenset[str]] = {name: frozenset({"model", "small"}) for name in ("ann", "bob", "cy")}
    steps = [repr(check_schedule(schedule))]
    for players in (1, 2, 3):
        try:
            steps += [repr(lineup) for lineup in schedule.lineups(agents, players)]
        except ArenaError as error:
            steps.append(str(error))
    return steps


def _solver(task: Task, entry: InstalledPlugin, solver: Any) -> list[str]:
    for game in games_for(entry, task.game):
        players = min(game.player_counts())
        if solver.unsupported_reason(game, players) is not None:
            continue
        solution, steps = solver.solve(game, players), list[str]()
        walk, rng = Playthrough.begin(game, players, task.seed), derive_rng("world")
        while not walk.is_over and len(walk.steps) < _STEPS:
            steps += [repr(solution.action_values(walk.state, player)) for player in walk.to_act]
            walk.step(walk.draw_step(rng))
        return steps
    raise ConfigError("no game that it solves; name one with --game")


_STORIES: Final[Mapping[str, Callable[[Task, InstalledPlugin, Any], list[str]]]] = {
    "game": _game,
    "agent": _agent,
    "metric": _metric,
    "schedule": _schedule,
    "solver": _solver,
}
