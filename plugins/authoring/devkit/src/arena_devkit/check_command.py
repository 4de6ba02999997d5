"""The command ``arena check``, which reviews a plugin and prints a checklist."""

import sys
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import arena
import click
from arena.errors import did_you_mean
from arena_cli import FAILED, Command, catalog_of
from arena_cli.output import result, result_json, terminal_of

from arena_devkit.checklist import checklist, summary
from arena_devkit.review.findings import PARTS
from arena_devkit.review.review import Reviewed, ReviewSettings, review
from arena_devkit.review.targets import projects

FORMAT = 1
"""The version of the ``--json`` report; raised when a key changes its meaning or is removed."""


class _Parts(click.ParamType[tuple[str, ...]]):
    """Parts of a review, with commas between them."""

    name = "PART"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        given = tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else tuple(value)
        for part in given:
            if part not in PARTS:
                self.fail(f"no part is called {part!r}{did_you_mean(part, PARTS)}", param, ctx)
        return given


_PART = _Parts()


@click.command(cls=Command)
@click.argument("what", required=False, metavar="[NAME | FOLDER]")
@click.option("--quick", "is_quick", is_flag=True, help="A hundred playouts; no speed, no wheel.")
@click.option("--only", multiple=True, type=_PART, metavar="PART", help=f"Only these parts: {','.join(PARTS)}.")
@click.option("--skip", multiple=True, type=_PART, metavar="PART", help="Leave out these parts.")
@click.option("--game", metavar="NAME", help="The game in which agents and solvers are tried.")
@click.option("--online", "is_online", is_flag=True, help="Also ask backends that are not here; may cost money.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seeds all randomness: same seed, same matches.")
@click.option("--full", "is_full", is_flag=True, help="A line for each part, with what was looked at, and all of it.")
@click.option("--json", "is_json", is_flag=True, help="One object with every finding instead of a checklist.")
@click.pass_context
def check(
    ctx: click.Context,
    what: str | None,
    is_quick: bool,
    only: Sequence[Sequence[str]],
    skip: Sequence[Sequence[str]],
    game: str | None,
    is_online: bool,
    seed: int,
    is_full: bool,
    is_json: bool,
) -> None:
    """Look at a plugin as a reviewer would: faults and doubts with where they show and what to do.

    NAME is a plugin, KIND:NAME or a distribution; FOLDER holds the pyproject.toml of one that is installed. Without
    either, it is the folder you are in. What a plugin does happens in processes of its own, with a limit of time.
    Exits with 1 if any part failed; warnings do not count.
    """
    parts = [[part for given in option for part in given] for option in (only, skip)]
    settings = ReviewSettings.of(*parts, is_quick=is_quick, seed=seed, is_online=is_online, game=game)
    terminal, began = terminal_of(sys.stdout), time.monotonic()
    found: list[Reviewed] = []
    for _, subjects in groupby(review(projects(catalog_of(ctx), what, Path.cwd()), settings), key=lambda s: s.dist):
        of_one = list(subjects)
        found += of_one
        if not is_json:
            result([*checklist(of_one, terminal, is_full=is_full), ""])
    passed = all(subject.passed for subject in found)
    if is_json:
        told = {"format": FORMAT, "core": arena.__version__, "passed": passed}
        result_json({**told, "subjects": [subject.to_json() for subject in found]})
    else:
        result(summary(found, terminal, seconds=time.monotonic() - began, is_full=is_full))
    if not passed:
        ctx.exit(FAILED)
