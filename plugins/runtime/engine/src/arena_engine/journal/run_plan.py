"""The plan of a run, however long, without holding it."""

from collections.abc import Iterator, Sequence
from typing import overload

from arena.record import MatchPlan

from arena_engine.journal.reading import JournalReader


class PlannedMatches(Sequence[MatchPlan]):
    """The planned matches of a run in their order, read from its journal a part at a time as they are asked for.

    With ``unfinished`` those that have no final ending: their number is that of now, and they are to be asked for once,
    since those that end meanwhile would be missing the second time. ``journal`` must stay open.
    """

    def __init__(self, journal: JournalReader, *, unfinished: bool = False) -> None:
        self._journal = journal
        self._is_unfinished = unfinished
        done = sum(times for ending, times in journal.ended().items() if ending.is_final) if unfinished else 0
        self._number = journal.planned() - done

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[MatchPlan]:
        return self._journal.iter_plans(unfinished=self._is_unfinished)

    @overload
    def __getitem__(self, index: int) -> MatchPlan: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[MatchPlan]: ...

    def __getitem__(self, index: int | slice) -> MatchPlan | Sequence[MatchPlan]:
        return tuple(self)[index]
