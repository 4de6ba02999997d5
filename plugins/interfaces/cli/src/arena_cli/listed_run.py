"""One run as ``arena runs`` lists it: how far it is, and who is better in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.metric import Baseline
from arena.record import JSON
from arena_engine import Journal, is_cut_off, open_parts, recorded_games
from arena_report import Contest, verdict_of

from arena_cli.run_path import begun, without_stamp

DAMAGED: Final = "damaged"
"""The state of a run that cannot be read."""

CUT_OFF: Final = "cut off"
"""The state of a run of which nothing was played before it was cut off."""

MATCHES: Final = 2_000
"""The most matches that are read for the sentence on who is better."""


@attrs.frozen(kw_only=True)
class ListedRun:
    """A run in a list: when it was begun (UTC), how many matches have a result, and a sentence on who is better.

    ``state`` is ``"done"``, ``"unfinished"``, ``"3 failed"``, or ``"damaged"`` or ``"cut off"`` with the reason in
    place of a verdict.
    ``verdict`` is empty where nothing has a result, or more than 2,000 matches would have to be read.
    """

    directory: Path
    name: str
    begun: str
    matches: int = 0
    planned: int = 0
    state: str = DAMAGED
    verdict: str = ""

    @classmethod
    def of(cls, directory: Path, catalog: Catalog) -> "ListedRun":
        """Read a run; one that cannot be read is listed as such."""
        try:
            with Journal.open(directory, check=False) as journal:
                ended = journal.ended()
                results = sum(n for ending, n in ended.items() if ending.is_result)
                failed, planned = ended.total() - results, journal.planned()
                done = "done" if results == planned else "unfinished"
                return cls(
                    directory=directory,
                    name=journal.header.name,
                    begun=begun(directory),
                    matches=results,
                    planned=planned,
                    state=f"{failed:,} failed" if failed else done,
                    verdict=_verdict(journal, catalog) if 0 < results <= MATCHES else "",
                )
        except ArenaError as error:
            return cls(
                directory=directory,
                name=directory.name,
                begun=begun(directory),
                state=CUT_OFF if is_cut_off(directory) else DAMAGED,
                verdict=str(error),
            )

    @property
    def short_name(self) -> str:
        """The directory's name without the time at which the run was begun."""
        return without_stamp(self.directory.name) or self.directory.name

    def to_json(self) -> dict[str, JSON]:
        """The run as plain data."""
        return {**attrs.asdict(self), "directory": str(self.directory)}


def _verdict(journal: Journal, catalog: Catalog) -> str:
    """The first sentence on who is better, made without ratings and random references."""
    contests = [
        Contest.of(record) for record in journal.records() if record.ending.is_result and record.returns is not None
    ]
    return verdict_of(contests, dict(_facts(journal, catalog))).sentences[0] if contests else ""


def _facts(journal: Journal, catalog: Catalog) -> Iterator[tuple[str, Baseline]]:
    """What results are counted in, by game: as the journal says, or the game where the run was stopped before.

    A game that is in neither counts wins.
    """
    recorded = recorded_games(journal)
    yield from ((name, known.baseline) for name, known in recorded.items())
    if recorded:
        return
    for name, entry in open_parts(journal, catalog).games.items():
        facts = entry.game.facts(entry.players)
        yield (
            name,
            Baseline(
                random=(),
                random_errors=(),
                random_n=0,
                returns=facts.returns,
                min_return=facts.min_return,
                max_return=facts.max_return,
                seats=tuple(entry.game.seats(entry.players)),
                counts_wins=facts.counts_wins,
                return_unit=facts.return_unit,
            ),
        )
