"""Tries report formats and exports: what they write, and whether they write the same twice."""

import tempfile
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.game import Image
from arena.tables import Column, Estimate, Figure, Section, Table
from arena_engine import Journal
from arena_report import BoardImage, MatchView, Report
from arena_testing import RANDOM, REFERENCE_GAME, ConformanceError, play

_SHARE = Estimate(value=0.5, n=8, low=0.2, high=0.8, method="made up")
_SECTION = Section(
    title="A section <b>& more",
    tables=(
        Table(
            title="shares",
            columns=(Column(name="agent", title="agent"), Column(name="wins", title="wins", style="share")),
            rows=(("ann & bob", _SHARE), ("cy", None)),
        ),
    ),
    figures=(Figure(kind="bar", title="shares", x=("ann & bob", "cy"), series={"wins": (_SHARE, None)}),),
    text="A sentence.",
)
_BOARD = Image(
    "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'><text>A &amp; B</text></svg>", "a board <b>& more"
)
_MATCH = MatchView(
    id="count/ann,bob/0.0",
    game="count",
    players=("ann", "bob"),
    ending="rules",
    returns=(1.0, -1.0),
    turns=3,
    refusals=0,
    substitutes=0,
    moves=(),
    boards=(BoardImage(step=0, image=_BOARD),),
)


class Unwritten(Exception):
    """The format has nothing to write for the sample run."""


def written(kind: str, value: Any) -> str:
    """Let a report format or an export write the same run twice; returns what it wrote, in words."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        try:
            if kind == "report":
                report = Report(title="A report", sections=(_SECTION,), facts=(), matches=(_MATCH,), match_count=1)
                for target in ("one", "two"):
                    value.write(report, place / target)
            else:
                play(REFERENCE_GAME, [RANDOM, RANDOM], place / "run")
                with Journal.open(place / "run") as journal:
                    for target in ("one", "two"):
                        value.write(journal, place / target)
        except ArenaError as error:  # such as a format for runs of certain games only
            raise Unwritten(f"it refuses a run of a tiny game: {error}") from error
        except Exception as error:
            raise ConformanceError("crash", f"write raises {type(error).__name__}: {error}") from error
        first, second = (_content(place / target) for target in ("one", "two"))
    if not any(first.values()):
        raise ConformanceError("write", "nothing was written")
    if first != second:
        differing = sorted(name for name in {*first, *second} if first.get(name) != second.get(name))
        raise ConformanceError("determinism", f"written twice, {differing[0] or 'the file'} differs")
    return f"{len(first)} files, {sum(map(len, first.values())):,} bytes, the same each time"


def _content(path: Path) -> dict[str, bytes]:
    if not path.is_dir():
        return {"": path.read_bytes() if path.is_file() else b""}
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}
