"""The command ``arena audit``: lists decisions in which the answer and the played action differ."""

import json
from pathlib import Path

import click
from arena.record import canonical_json
from arena_engine.journal.journal import Journal
from arena_report.audit import CLASSES, audit as audited

from arena_cli.application import Command

SHOWN = 200
"""Characters of an answer that a list shows; ``--json`` has all of them."""


@click.command(cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "is_json", is_flag=True, help="One object with counts and every finding in full.")
def audit(run: Path, is_json: bool) -> None:
    """List every decision where what was written and what was played differ.

    Reads the journal again. Refusals come by their class, then substitutes, forfeits, and actions that were withheld.
    "differs" is found without trusting the agent that read the answer: the last JSON object in the recorded answer
    names another action than the one played.
    """
    with Journal.open(run) as journal:
        found = audited(journal)
    if is_json:
        click.echo(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
        return
    for finding in found.findings:
        played = "nothing" if finding.played is None else canonical_json(finding.played)
        click.echo(f"{finding.match} turn {finding.turn} · {finding.agent} · {finding.kind}")
        click.echo(f"    wrote  {_short(finding.written)}")
        click.echo(f"    played {played}" + (f" ({finding.reason})" if finding.reason else ""))
    click.echo(
        f"{found.matches:,} matches, {found.turns:,} turns, {found.tries:,} tries" + _unfinished(found.unfinished)
    )
    click.echo(f"{'class':12}  {'n':>7}  {'of':>9}  {'share':>7}  meaning")
    for kind, n in found.counts().items():
        of = found.total(kind)
        share = f"{n / of:.2%}" if of else "-"
        click.echo(f"{kind:12}  {n:>7,}  {of:>9,}  {share:>7}  {CLASSES[kind]}")
    click.echo(
        f"checked without the agent: {found.checked:,} of {found.answered:,} tries with a recorded answer "
        "(the others were refused or hold no JSON action)"
    )


def _unfinished(count: int) -> str:
    return f"; {count:,} matches are not finished and not looked at" if count else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"… {line[-SHOWN:]}"
