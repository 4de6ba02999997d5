"""The command ``arena check``, which reviews a plugin and prints a checklist."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import arena
import click
from arena_cli.application import FAILED, Command
from arena_cli.options import catalog_of
from arena_cli.shown import echo, echo_json, shown

from arena_devkit.review.findings import PARTS, Item
from arena_devkit.review.review import Reviewed, ReviewSettings, review
from arena_devkit.review.targets import projects

_COLOURS = {"passed": "green", "warned": "yellow", "failed": "red", "untested": "bright_black"}
_PART = click.Choice(PARTS)

FORMAT = 1
"""The version of the ``--json`` report; raised when a key changes its meaning or is removed."""


@click.command(cls=Command)
@click.argument("what", required=False, metavar="[NAME | FOLDER]")
@click.option("--quick", "is_quick", is_flag=True, help="A hundred playouts; no speed, no wheel.")
@click.option("--only", multiple=True, type=_PART, metavar="PART", help=f"Only this part: {', '.join(PARTS)}.")
@click.option("--skip", multiple=True, type=_PART, metavar="PART", help="Leave out this part.")
@click.option("--game", metavar="NAME", help="The game in which agents and solvers are tried.")
@click.option("--online", "is_online", is_flag=True, help="Also ask backends that are not here; may cost money.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seeds all randomness: same seed, same matches.")
@click.option("--json", "is_json", is_flag=True, help="One object with every finding instead of a checklist.")
@click.pass_context
def check(
    ctx: click.Context,
    what: str | None,
    is_quick: bool,
    only: Sequence[str],
    skip: Sequence[str],
    game: str | None,
    is_online: bool,
    seed: int,
    is_json: bool,
) -> None:
    """Look at a plugin as a reviewer would: a checklist with reasons and remedies.

    NAME is a plugin, KIND:NAME or a distribution; FOLDER holds the pyproject.toml of one that is installed. Without
    either, it is the folder you are in. What a plugin does happens in processes of its own, with a limit of time.
    Exits with 1 if any part failed; warnings do not count.
    """
    settings = ReviewSettings.of(only, skip, is_quick=is_quick, seed=seed, is_online=is_online, game=game)
    found: list[Reviewed] = []
    for subject in review(projects(catalog_of(ctx), what, Path.cwd()), settings):
        found.append(subject)
        if not is_json:
            _show(subject)
    passed = all(subject.passed for subject in found)
    if is_json:
        told: dict[str, Any] = {"format": FORMAT, "core": arena.__version__, "passed": passed}
        told["subjects"] = [subject.to_json() for subject in found]
        echo_json(told)
    else:
        echo(_sum(found))
    if not passed:
        ctx.exit(FAILED)


def _show(subject: Reviewed) -> None:
    echo(f"{subject.kind} {subject.name} · {subject.dist} {subject.version}", bold=True)
    for item in subject.items:
        status = click.style(item.status.ljust(9), fg=_COLOURS[item.status])
        click.echo(f"  {status} {item.part.ljust(13)} {shown(_said(item))}")
        for finding in item.findings:
            doubt = "doubt" if finding.is_warning else "fault"
            echo(f"      {doubt} {finding.rule}: {finding.reason}")
            echo(f"      → {finding.remedy}")
    echo()


def _said(item: Item) -> str:
    if item.status == "untested":
        return item.untested
    return item.note if not item.findings or item.status == "warned" else ""


def _sum(found: Sequence[Reviewed]) -> str:
    items = [item for subject in found for item in subject.items]
    counts = {status: sum(item.status == status for item in items) for status in _COLOURS}
    told = ", ".join(f"{n} {status}" for status, n in counts.items() if n)
    return f"{len(items)} parts of {len(found)} subjects: {told}; {sum(i.seconds for i in items):.0f} s"
