"""Compares what was found with what was recorded, and records it."""

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import attrs

from ratios.rows import Row

FILE = Path(__file__).resolve().parents[1] / "recorded.json"
TOLERANCE = 0.2
"""By how much a ratio may be worse than the recorded one; so much better, it is to be recorded."""


class Verdict(Enum):
    """How a row compares with the recorded one."""

    AS_RECORDED = "as recorded"
    WORSE = "WORSE than recorded"
    BETTER = "better: record it with --write"
    NEW = "not recorded"
    APART = "not compared"


@attrs.frozen(kw_only=True)
class Record:
    """A row as it was recorded, with its date and the versions of what was measured."""

    ratio: float
    least: float
    greatest: float
    rounds: int
    goal: float | None
    is_more_better: bool
    against: str
    date: str
    versions: Mapping[str, str]

    @property
    def is_met(self) -> bool | None:
        """Whether the goal was met; ``None`` where there was none."""
        if self.goal is None:
            return None
        return self.ratio >= self.goal if self.is_more_better else self.ratio <= self.goal


Records = Mapping[str, Mapping[str, Record]]
"""By script and by the row's name."""


def recorded(row: Row, date: str, versions: Mapping[str, str]) -> Record:
    """What is kept of a row, to three digits."""
    ratio, least, greatest = (float(f"{n:.3g}") for n in (row.ratio, min(row.ratios), max(row.ratios)))
    return Record(
        ratio=ratio,
        least=least,
        greatest=greatest,
        rounds=len(row.ratios),
        goal=row.goal,
        is_more_better=row.is_more_better,
        against=row.against,
        date=date,
        versions=dict(versions),
    )


def compare(row: Row, record: Record | None) -> Verdict:
    """How a row compares with its record.

    A ratio to a peer is worse if it is worse by more than a fifth, and neither spread holds the other's median. One to
    a limit is worse if it was met and is not any more.
    """
    if row.against == "nothing":
        return Verdict.APART
    if record is None:
        return Verdict.NEW
    if row.against == "limit":
        was_met = record.is_met is not False
        return Verdict.WORSE if was_met and row.is_met is False else Verdict.AS_RECORDED
    loss = record.ratio / row.ratio if row.is_more_better else row.ratio / record.ratio
    is_apart = not (record.least <= row.ratio <= record.greatest or min(row.ratios) <= record.ratio <= max(row.ratios))
    if loss > 1 + TOLERANCE:
        return Verdict.WORSE if is_apart else Verdict.AS_RECORDED
    return Verdict.BETTER if loss < 1 / (1 + TOLERANCE) and is_apart else Verdict.AS_RECORDED


def read(file: Path = FILE) -> Records:
    """All that was recorded; nothing if there is no file."""
    if not file.exists():
        return {}
    raw: dict[str, dict[str, dict[str, Any]]] = json.loads(file.read_text("utf-8"))
    return {script: {name: Record(**row) for name, row in rows.items()} for script, rows in raw.items()}


def keep(script: str, rows: Iterable[Row], date: str, versions: Mapping[str, str], file: Path = FILE) -> Records:
    """Record the rows of a script in the place of those of the same names; gives all that is recorded then."""
    before = read(file)
    own = {**before.get(script, {}), **{row.name: recorded(row, date, versions) for row in rows}}
    after = dict(sorted({**before, script: own}.items()))
    raw = {script: {name: attrs.asdict(row) for name, row in rows.items()} for script, rows in after.items()}
    file.write_text(json.dumps(raw, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return after
