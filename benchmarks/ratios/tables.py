"""The tables: one for who measures, and one for each script in the page, made of what was recorded."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ratios.recorded import Record, Records, Verdict, compare
from ratios.rows import Row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
_PLACE = re.compile(r"(<!-- written by benchmarks/(\w+)\.py -->\n).*?(<!-- end -->\n)", re.DOTALL)


def found(script: str, rows: Iterable[Row], records: Records, *, is_judged: bool = True) -> Iterator[Sequence[str]]:
    """The lines of what a script found: name, ratio, spread, rounds, goal, what was recorded, and the verdict."""
    for row in rows:
        record = records.get(script, {}).get(row.name)
        yield (
            f"{script}: {row.name}",
            number(row.ratio),
            _spread(min(row.ratios), max(row.ratios), len(row.ratios)),
            _goal(row),
            number(record.ratio) if record else "-",
            compare(row, record).value if is_judged else "not judged",
            row.note,
        )


HEAD = ("row", "×", "least to greatest (rounds)", "goal", "recorded", "", "medians")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def written(text: str, records: Records) -> str:
    """The page with the table of each script in its place; a place says so where nothing is recorded."""
    missing = sorted(set(records) - {match[2] for match in _PLACE.finditer(text)})
    if missing:
        raise ValueError(f"the page has no place for {', '.join(missing)}: add <!-- written by … --> and <!-- end -->")
    return _PLACE.sub(lambda match: f"{match[1]}{_of_script(match[2], records.get(match[2], {}))}{match[3]}", text)


def worse(script: str, rows: Iterable[Row], records: Records) -> list[str]:
    """The names of the rows that are worse than recorded."""
    own = records.get(script, {})
    return [f"{script}: {row.name}" for row in rows if compare(row, own.get(row.name)) is Verdict.WORSE]


def number(value: float) -> str:
    """Three digits, or all before the point."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}" if value else "0"


def _spread(least: float, greatest: float, rounds: int) -> str:
    return f"{number(least)} to {number(greatest)} ({rounds})" if rounds > 1 else "(1)"


def _goal(row: Row | Record) -> str:
    if row.goal is None:
        return "-"
    return f"{'≥' if row.is_more_better else '≤'} {row.goal:g}, {'met' if row.is_met else '**missed**'}"


def _of_script(script: str, rows: Mapping[str, Record]) -> str:
    """The table of one script, what is only shown at its end, and with what versions it was measured when."""
    if not rows:
        return f"\nNot recorded yet: `make bench ONLY={script}`.\n\n"
    lines = [
        (name, number(row.ratio), _spread(row.least, row.greatest, row.rounds), _goal(row))
        for name, row in sorted(rows.items(), key=lambda item: item[1].against == "nothing")
    ]
    measured = dict.fromkeys((row.date, tuple(row.versions.items())) for row in rows.values())
    told = "; ".join(f"{date} with {', '.join(_version(*each) for each in versions)}" for date, versions in measured)
    head = (f"`make bench ONLY={script}`", "×", "least to greatest (rounds)", "goal")
    return f"\n{table(head, lines)}\nMeasured {told}.\n\n"


def _version(name: str, version: str) -> str:
    return f"{version} cores" if name == "cores" else f"{name} {version}"
