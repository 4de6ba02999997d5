"""The export ``tensorboard``: one event file for each agent in each game."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import attrs
from arena.record import MatchRecord, Player
from arena_engine import Journal, recorded_games
from arena_report import ExportFormat, finished_matches, new_directory
from tensorboardX.proto.event_pb2 import Event  # pyright: ignore[reportAttributeAccessIssue] -- protobuf makes it
from tensorboardX.proto.summary_pb2 import Summary  # pyright: ignore[reportAttributeAccessIssue] -- protobuf makes it
from tensorboardX.record_writer import RecordWriter

FILE = "events.out.tfevents.0.arena"
"""TensorBoard finds its files by this prefix; usually a timestamp and the host follow, which would change the bytes."""


@attrs.frozen
class TensorBoard(ExportFormat):
    """One series for each agent in each game, ``GAME/AGENT``, with a step for each of its matches.

    Matches are counted from 1 in the order of the plan, and every event carries the time at which the run was made, so
    that equal journals give equal bytes. An agent in several seats of a match counts once, with the mean of its seats.
    Whoever failed in a match without returns has the least return of the game.
    """

    def write(self, journal: Journal, path: Path) -> None:
        started = datetime.fromisoformat(journal.header.created).timestamp()
        series: dict[tuple[str, str], Series] = {}
        least = {name: game.baseline.min_return for name, game in recorded_games(journal).items()}
        with new_directory(path) as directory:
            try:
                for record in finished_matches(journal.records()):
                    for agent in dict.fromkeys(record.agents):
                        key = record.game, agent
                        if key not in series:
                            series[key] = Series(directory.joinpath(*key), started)
                        series[key].add(record, agent, least.get(record.game))
            finally:
                for each in series.values():
                    each.close()


class Series:
    """Writes the event file of one agent in one game."""

    def __init__(self, directory: Path, wall_time: float) -> None:
        directory.mkdir(parents=True)
        self._file = RecordWriter(str(directory / FILE))
        self._wall_time = wall_time
        self._step = 0
        self._returns = 0.0
        self._scored = 0
        self._file.write(Event(wall_time=wall_time, file_version="brain.Event:2").SerializeToString())

    def add(self, record: MatchRecord, agent: str, least: float | None) -> None:
        """Write the agent's numbers of one match as the next step; ``least`` is the least return of the game."""
        self._step += 1
        values = dict(_measured(record, agent, least))
        if (earned := values.get("return")) is not None:
            self._returns += earned
            self._scored += 1
            values["mean return"] = self._returns / self._scored
        summary = Summary(value=[Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()])
        event = Event(wall_time=self._wall_time, step=self._step, summary=summary)
        self._file.write(event.SerializeToString())

    def close(self) -> None:
        """Flush and close the event file."""
        self._file.close()


def _measured(record: MatchRecord, agent: str, least: float | None) -> Iterator[tuple[str, float]]:
    seats = [Player(p) for p, name in enumerate(record.agents) if name == agent]
    if record.returns is not None:
        yield "return", sum(record.returns[p] for p in seats) / len(seats)
    elif least is not None and any(p in record.at_fault for p in seats):
        yield "return", least
    by: Counter[str] = Counter()
    for event in record.played():
        if event.player in seats and isinstance(event.data, Mapping):
            by[str(event.data["by"])] += 1
    yield "actions", by.total() / len(seats)
    yield "substitutes", (by.total() - by["agent"]) / len(seats)
    yield "refusals", sum(event.player in seats for event in record.refused()) / len(seats)
    yield "put out", sum(p in record.at_fault for p in seats) / len(seats)
