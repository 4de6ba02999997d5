"""The command ``arena audit``: lists decisions in which the answer and the played action differ."""

from pathlib import Path

import click
from arena.record import canonical_json
from arena_engine.journal.journal import Journal
from arena_report.audit import CLASSES, MARKED, audit as audited
from arena_report.cases import case_of

from arena_cli.application import Command
from arena_cli.options import catalog_of, trust_options
from arena_cli.run_path import RunPath
from arena_cli.shown import echo, echo_json

SHOWN = 200
"""Characters of an answer that a list shows; ``--json`` has all of them."""


@click.command(cls=Command)
@click.argument("run", type=RunPath())
@click.option("--json", "is_json", is_flag=True, help="One object with counts and every finding in full.")
@click.option(
    "--as-case",
    "wanted",
    metavar="ID",
    help="One decision as a labelled reply: 'MATCH turn N', or with 'try N' behind.",
)
@trust_options
@click.pass_context
def audit(ctx: click.Context, run: Path, is_json: bool, wanted: str | None) -> None:
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
        found = audited(journal)
    if is_json:
        echo_json(found.to_json())
        return
    for finding in found.findings:
        played = "nothing" if finding.played is None else canonical_json(finding.played)
        echo(f"{finding.decision} · {finding.agent} · {finding.kind}")
        echo(f"    wrote  {_short(finding.written)}")
        echo(f"    played {played}" + (f" ({finding.reason})" if finding.reason else ""))
    echo(f"{found.matches:,} matches, {found.turns:,} turns, {found.tries:,} tries" + _unfinished(found.unfinished))
    counts, meanings = found.counts(), {**CLASSES, **MARKED}
    width = max(12, *map(len, counts))
    echo(f"{'class':{width}}  {'n':>7}  {'of':>9}  {'share':>7}  meaning")
    for kind, n in counts.items():
        of = found.total(kind)
        share = f"{n / of:.2%}" if of else "-"
        echo(f"{kind:{width}}  {n:>7,}  {of:>9,}  {share:>7}  {meanings[kind]}")
    echo(
        f"checked without the agent: {found.checked:,} of {found.answered:,} tries with a recorded answer "
        "(the others were refused or hold no JSON action)"
    )


def _unfinished(count: int) -> str:
    return f"; {count:,} matches are not finished and not looked at" if count else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"… {line[-SHOWN:]}"
