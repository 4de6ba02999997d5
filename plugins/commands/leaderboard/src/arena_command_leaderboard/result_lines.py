"""Writes results as lines: the rows of LLM-Game-Benchmark's leaderboard and of its submissions."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import click
from arena_cli import print_status
from arena_cli.output import result_data, result_json
from arena_engine import Journal
from arena_report import write_file

from arena_command_leaderboard import journals, submissions
from arena_command_leaderboard.line_tables import keys_of, show_lines
from arena_command_leaderboard.lines_page import lines_page
from arena_command_leaderboard.results import Result, distinct, lines

BY: Final = "game,form,agent"
"""What lines stand for unless told otherwise."""

_LISTED: Final = 3
"""The most duplicates that are told one by one."""

LineFormat = Literal["lines", "csv", "submission"]


def write_lines(
    sources: Sequence[Path],
    form: LineFormat,
    *,
    by: str,
    games: Sequence[str],
    forms: Sequence[str],
    agents: Sequence[str],
    output: Path | None,
    level: float,
    is_json: bool,
) -> None:
    """Print lines, or write them; ``lines`` go into the file as its ending says, which may be csv, json or html."""
    kept, left = distinct(_read(sources))
    for result, known in left[:_LISTED]:
        print_status(f"counted once: {_told(result)} of {result.source} is in {known.source} too")
    if len(left) > _LISTED:
        print_status(f"counted once: {len(left) - _LISTED:,} more results that are there twice")
    chosen = [
        result
        for result in kept
        if (not games or result.game in games)
        and (not forms or result.form in forms)
        and (not agents or not set(agents).isdisjoint(result.agents))
    ]
    if not chosen:
        raise click.UsageError("there are no matches of two players with a result that fit")
    keys = keys_of(by)
    ending = output.suffix if output is not None else ""
    if form == "submission":
        rows = [submissions.row(result) for result in sorted(chosen, key=lambda r: (r.game, r.form, r.agents))]
        content = submissions.csv_text(rows, (*submissions.ROW, *submissions.COUNTS))
    elif form == "lines" and ending == ".html":
        content = lines_page(chosen, level).encode()
    else:
        found = lines(chosen, keys)
        rows = [submissions.line_row(line, keys, level) for line in found]
        if is_json and output is None:
            result_json({"lines": rows})
            return
        if form == "lines" and output is None:
            show_lines(found, keys, level)
            return
        if is_json or (form == "lines" and ending == ".json"):
            content = (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode()
        else:
            content = submissions.csv_text(rows, list(rows[0]))
    if output is None:
        result_data(content.decode(), is_line=False)
    else:
        write_file(output, [content])
        result_data(output)


def _read(sources: Sequence[Path]) -> list[Result]:
    found: list[Result] = []
    for source in sources:
        if is_run(source):
            with Journal.open(source) as journal:
                own, others = journals.results(journal)
            if others:
                print_status(f"left out: {others:,} matches of {source} without a result or not of two players")
            found += own
        else:
            found += submissions.read(source, print_status)
    return found


def is_run(source: Path) -> bool:
    """Whether a source is the directory of a run or its journal, and no file of submissions."""
    return source.is_dir() or source.suffix == ".sqlite"


def _told(result: Result) -> str:
    return f"{result.agents[0]} against {result.agents[1]} ({result.game}, {result.form})"
