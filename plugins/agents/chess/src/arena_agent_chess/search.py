"""What an engine is asked in one search, and how its answer is read: UCI's lines, without any process.

The protocol is described in "UCI protocol" (S. Meyer-Kahlen, R. Huber, 2006), which comes with most engines.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs
from arena.errors import BackendError, RequestRejected

MATE: Final = 100_000
"""The score of a mate on the board; one in n moves scores n less, so that nearer mates are better."""

SKILL: Final = 20
"""The highest skill: the engine plays as well as it can, and the same in every run."""


@attrs.frozen(kw_only=True)
class SearchLimit:
    """How long an engine thinks about one position: ``nodes`` positions, or ``milliseconds`` where these are given."""

    nodes: int
    milliseconds: int | None = None

    @property
    def command(self) -> str:
        """The command of UCI that starts a search of this length."""
        return f"go nodes {self.nodes}" if self.milliseconds is None else f"go movetime {self.milliseconds}"


@attrs.frozen(kw_only=True)
class SearchLine:
    """One line that an engine reports during a search: what its first ``move`` is worth at some ``depth``.

    ``score`` is in centipawns for the player to move, or that of a mate (see ``MATE``). ``is_bound`` says that the true
    score may lie above or below.
    """

    move: str
    score: int
    depth: int = 0
    nodes: int = 0
    is_bound: bool = False


@attrs.frozen(kw_only=True)
class SearchResult:
    """What an engine found: its ``move``, and the lines it reported, in their order."""

    move: str
    lines: tuple[SearchLine, ...] = ()

    @property
    def last(self) -> SearchLine | None:
        """The last line about the move that it plays; below full skill there may be none."""
        return next((line for line in reversed(self.lines) if line.move == self.move), None)

    @property
    def nodes(self) -> int:
        """The number of positions that the search looked at."""
        return max((line.nodes for line in self.lines), default=0)


def search_line(text: str) -> SearchLine | None:
    """Read a line of information; ``None`` if it says nothing of a move's worth, or cannot be read."""
    words = text.split()
    if words[:1] != ["info"] or "score" not in words or "pv" not in words or "string" in words:
        return None
    try:
        kind, value = words[words.index("score") + 1 :][:2]
        return SearchLine(
            move=words[words.index("pv") + 1],
            score={"cp": int, "mate": _mate}[kind](value),
            depth=int(_after(words, "depth")),
            nodes=int(_after(words, "nodes")),
            is_bound="lowerbound" in words or "upperbound" in words,
        )
    except (ValueError, KeyError, IndexError):
        return None


def best_move(text: str) -> str | None:
    """The move of the line that ends a search; ``None`` if this is not that line, empty if it names no move."""
    words = text.split()
    return None if words[:1] != ["bestmove"] else words[1] if len(words) > 1 else ""


def checked(engine: str, result: SearchResult, legal: Iterable[str]) -> SearchResult:
    """Return the result if its move is legal, else raise ``BackendError``: nothing is played in its place."""
    if result.move not in legal:
        raise RequestRejected(
            f"{engine} answered with {result.move!r}, which is no legal move here, so there is no move of its own; "
            "tell its author, or name another 'program'"
        )
    return result


def ranked(engine: str, result: SearchResult, legal: Iterable[str], limit: SearchLimit) -> Mapping[str, SearchLine]:
    """The deepest search that gave every legal move a score, by move; ``BackendError`` if there is none.

    What an engine reports when its limit stops it is left out: it may have looked at half of the answers to a move.
    """
    wanted = set(legal)
    by_depth: dict[int, dict[str, SearchLine]] = {}
    for line in result.lines:
        if line.move in wanted and not line.is_bound and (limit.milliseconds or line.nodes < limit.nodes):
            by_depth.setdefault(line.depth, {})[line.move] = line
    whole = [depth for depth, lines in by_depth.items() if len(lines) == len(wanted)]
    if not whole:
        raise too_short(engine, len(wanted), limit)
    return by_depth[max(whole)]


def too_short(engine: str, moves: int, limit: SearchLimit) -> BackendError:
    """The error of a search that ended before every move had a score."""
    return RequestRejected(
        f"{engine} did not give all {moves} legal moves a score within {limit.nodes} nodes; raise 'nodes'"
    )


def is_mate(score: int) -> bool:
    """Whether a score is that of a mate, and not one in centipawns."""
    return abs(score) > MATE - 1_000


def _mate(value: str) -> int:
    moves = int(value)
    return MATE - moves if moves > 0 else -MATE - moves


def _after(words: list[str], name: str) -> str:
    return words[words.index(name) + 1] if name in words else "0"
