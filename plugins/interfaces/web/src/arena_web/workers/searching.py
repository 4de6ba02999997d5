"""Looks for a text in the matches of a run, the newest first; runs in a worker process."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from arena_engine import Journal, MatchFilter, MatchSummary, match_page

from arena_web.foundation.filtering import hits_of, match_filter
from arena_web.foundation.hidden_matches import covered_matches

MOST: Final = 500
"""After so many matches a search ends."""

_PAGE: Final = 100


def search(asked: Mapping[str, Any], tell: Callable[[Mapping[str, Any]], None]) -> Any:
    """Tell the matches whose labels or reasons hold a text as they are found, and how many were read; true at the end.

    False if it ended because so much was found.
    """
    found = 0
    with Journal.open(Path(asked["run"]), check=False) as journal:
        covered = covered_matches(journal, is_host=asked.get("is_host", False))
        wanted = attrs.evolve(match_filter(asked["filter"]), without=covered)
        for read, page in enumerate(_pages(journal, wanted), 1):
            hits: list[Any] = []
            for summary in page:
                record = journal.record_of(summary.match)
                places = hits_of(record, asked["text"]) if record is not None else []
                if places:
                    hits.append({"match": summary.match, "hits": [attrs.asdict(place) for place in places]})
            hits = hits[: MOST - found]
            found += len(hits)
            tell({"progress": {"read": (read - 1) * _PAGE + len(page), "found": hits}})
            if found >= MOST:
                return False
    return True


def _pages(journal: Journal, wanted: MatchFilter) -> Iterator[tuple[MatchSummary, ...]]:
    after: Any = None
    while True:
        page = match_page(journal, wanted, by="ended", is_descending=True, after=after, limit=_PAGE)
        yield page.matches
        after = page.last
        if after is None:
            return
