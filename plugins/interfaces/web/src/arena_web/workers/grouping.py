"""Ranks what the agents of a run have in common, as a model or a prompt style; runs in a worker process.

The ranking is that of ``arena_standings``, over the same matches as the report's, under other names.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from arena.catalog import Catalog
from arena.errors import ConfigError, did_you_mean
from arena_engine import Configuration, Journal, configurations_of, recorded_games
from arena_report import ContestReader, families_of, game_kind
from arena_standings import Contest, Standings, standings_of

from arena_web.foundation.hidden_matches import covered_matches
from arena_web.workers.reporting import standing_table

GAME: Final = "game"
"""A ranking for each game."""

SEAT: Final = "seat"
"""Agents apart by the seat that they had."""

NOT_SET: Final = "not set"
"""What stands for a parameter that an agent does not have."""

_TOLD_EVERY: Final = 500


def group(asked: Mapping[str, Any], catalog: Catalog, tell: Callable[[Mapping[str, Any]], None]) -> bool:
    """Tell the rankings of a run's agents by one of their parameters, by seat or for each game; true at the end."""
    by = asked["by"]
    with Journal.open(Path(asked["run"]), check=False) as journal:
        configurations = configurations_of(journal, "agent", catalog)
        keys = keys_of(configurations)
        if by and by not in (GAME, SEAT, *keys):
            raise ConfigError(f"by: agents do not differ in {by!r}{did_you_mean(by, [GAME, SEAT, *keys])}")
        found: dict[str, Any] = {"by": by, "keys": [GAME, SEAT, *keys], "rankings": [], "left_out": 0}
        if not by:
            tell({"progress": {"read": 0, "found": [found]}})
            return True
        known = recorded_games(journal)
        seats = {name: each.baseline.seats for name, each in known.items()}
        contests: list[Contest] = []
        for read, contest in enumerate(_contests(journal), 1):
            names = _names(contest, by, configurations, seats.get(contest.game, ()))
            contests.append(attrs.evolve(contest, agents=names))
            if read % _TOLD_EVERY == 0:
                tell({"progress": {"read": read, "found": []}})
        games = {each.game for each in contests}
        kinds = {game: game_kind(known[game].baseline if game in known else None) for game in games}
    apart = [each for each in contests if len(set(each.agents)) > 1 or kinds[each.game].together]
    parts: defaultdict[str, list[Contest]] = defaultdict(list)
    for each in apart:
        parts[each.game if by == GAME else ""].append(each)
    rankings = [
        _ranking(title, standings_of(own, kinds, families=families_of({each.game for each in own})))
        for title, own in sorted(parts.items())
    ]
    found |= {"rankings": rankings, "left_out": len(contests) - len(apart)}
    tell({"progress": {"read": len(contests), "found": [found]}})
    return True


def keys_of(configurations: Mapping[str, Configuration]) -> list[str]:
    """The parameters in which the agents of a run differ and that do not set each agent apart, but for the plugin."""
    values: defaultdict[str, Counter[str]] = defaultdict(Counter)
    names = {key for each in configurations.values() for key in each.parameters}
    for key in names:
        values[key] = Counter(_value(each, key) for each in configurations.values())
    return sorted(key for key, times in values.items() if len(times) > 1 and not key.endswith("version"))


def _value(configuration: Configuration, key: str) -> str:
    value = configuration.value(key)
    return NOT_SET if value is None else str(value)


def _contests(journal: Journal) -> Iterator[Contest]:
    reader, covered = ContestReader(), covered_matches(journal)
    for record in journal.records():
        if record.ending.is_result and record.id not in covered:
            yield reader.contest(record, record.plan.block)


def _names(contest: Contest, by: str, known: Mapping[str, Configuration], seats: tuple[str, ...]) -> tuple[str, ...]:
    if by == GAME:
        return contest.agents
    if by == SEAT:
        called = (seats[p] if p < len(seats) else f"player {p + 1}" for p in range(len(contest.agents)))
        return tuple(f"{agent} as {seat}" for agent, seat in zip(contest.agents, called, strict=True))
    return tuple(_value(known[agent], by) if agent in known else NOT_SET for agent in contest.agents)


def _ranking(title: str, verdict: Standings) -> dict[str, Any]:
    part = max(verdict.parts, key=lambda part: len(part.rows), default=None)
    table: dict[str, Any] = {"columns": [], "rows": []} if part is None else standing_table(part, verdict.level)
    sentence = verdict.sentences[0] if verdict.sentences else ""
    return {**table, "title": title, "sentence": sentence, "doubts": [*verdict.doubts]}
