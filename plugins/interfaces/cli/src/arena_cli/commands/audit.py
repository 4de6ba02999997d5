"""The command ``arena audit``: lists decisions in which the answer and the played action differ."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from arena.record import canonical_json
from arena_engine import Journal
from arena_report.replies import CLASSES, MARKED, Audit, Difference, audit as audited, case_of

from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of, trust_options
from arena_cli.application.run_path import RunPath
from arena_cli.output import OutputColumn, Terminal, count, paragraph, result, result_json, share, table, terminal_of
from arena_cli.output.streams import echo_json

LONGEST: Final = 200
"""Characters of an answer that a list shows; ``--json`` has all of them."""

LISTED: Final = 3
"""The most findings of one class that are listed unless all are wanted."""

_COLUMNS: Final = (
    OutputColumn(title="class"),
    OutputColumn(title="n", align="right"),
    OutputColumn(title="of", align="right", keep=1),
    OutputColumn(title="share", align="right"),
    OutputColumn(title="meaning", wraps=True),
)


@click.command(cls=Command)
@click.argument("run", type=RunPath())
@click.option("--full", is_flag=True, help="Every finding, not only the first ones of each class.")
@click.option("--json", "is_json", is_flag=True, help="One object with counts and every finding in full.")
@click.option(
    "--as-case",
    "wanted",
    metavar="ID",
    help="One decision as a labelled reply: 'MATCH turn N', or with 'try N' behind.",
)
@trust_options
@click.pass_context
def audit(ctx: click.Context, run: Path, full: bool, is_json: bool, wanted: str | None) -> None:
    """List every decision where what was written and what was played differ.

    Reads the journal again. Refusals come by their class, then substitutes, forfeits, and actions that were withheld.
    "differs" is found without trusting the agent that read the answer: the last JSON object in the recorded answer
    names another action than the one played. What was played because an agent is set to take the last of several
    answers comes behind, where there is any.

    --as-case prints one decision as a line for a file of labelled replies, with what was meant and why left for you to
    fill in. Its ID is what stands before the first dot of a line here.
    """
    with Journal.open(run) as journal:
        if wanted is not None:
            case = case_of(journal, catalog_of(ctx), wanted)
            echo_json(case, indent=None)
            return
        found = audited(journal, catalog_of(ctx))
    if is_json:
        result_json(found.to_json())
    else:
        result(_lines(found, run, terminal_of(sys.stdout), is_full=full))


def _lines(found: Audit, run: Path, terminal: Terminal, *, is_full: bool) -> Iterator[str]:
    number = len(found.findings)
    counted = (
        _many(found.matches, "match", "matches"),
        _many(found.turns, "turn", "turns"),
        _many(found.tries, "try", "tries"),
    )
    outcome = _many(number, "finding", "findings") if number else "what was played is what was written"
    yield from paragraph(f"{', '.join(counted)}: {outcome}", terminal)
    if found.unfinished:
        left = _many(found.unfinished, "match is", "matches are")
        yield from paragraph(f"{left} not finished and not looked at", terminal)
    if found.answered:
        yield from paragraph(
            f"checked without the agent: {count(found.checked)} of {count(found.answered)} tries with a recorded "
            "answer (the others were refused or hold no JSON action)",
            terminal,
        )
    if not number:
        return
    meanings = {**CLASSES, **MARKED}
    rows = [
        (kind, count(n), count(of := found.total(kind)), share(n / of, of) if of else "", meanings[kind])
        for kind, n in found.counts().items()
        if n
    ]
    yield ""
    yield from table(_COLUMNS, rows, terminal, indent=0, more="")
    listed: Counter[str] = Counter()
    for finding in found.findings:
        listed[finding.kind] += 1
        if is_full or listed[finding.kind] <= LISTED:
            yield ""
            yield from _finding(finding, run, terminal)
    if left := 0 if is_full else sum(max(0, n - LISTED) for n in listed.values()):
        yield ""
        yield from paragraph(f"{count(left)} more: arena audit {run} --full", terminal)


def _finding(finding: Difference, run: Path, terminal: Terminal) -> Iterator[str]:
    played = "nothing" if finding.played is None else canonical_json(finding.played)
    yield f"{finding.decision} · {finding.agent} · {finding.kind}"
    if finding.written:
        yield from paragraph(f"wrote: {_short(finding.written)}", terminal, 2, 2)
    yield from paragraph(f"played: {played}" + (f" ({finding.reason})" if finding.reason else ""), terminal, 2, 2)
    where = shlex.join(["arena", "replay", str(run), "-m", finding.match, "-t", str(finding.turn)])
    yield from paragraph(f"see it: {where}", terminal, 2, 2)


def _many(number: int, one: str, several: str) -> str:
    return f"{count(number)} {one if number == 1 else several}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"… {line[-LONGEST:]}"
