"""Make the picture, the output and the times in the README, all from one real run.

    .venv/bin/python docs/images/make.py

The first lines of the README are followed as a newcomer would, in an empty folder and with empty caches: the checkout
is cloned, and the quickstart is set up and played. What the lines took and the end of what is on the screen go into
the README; the report's verdict and scores and the final board of a match become ``report.png``. ``made.json`` keeps
what was written, so that a test can tell whether somebody changed a part of it by hand. It takes some minutes and
needs Chromium.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

import arena
import attrs
from arena.game import Drawing
from arena.record import MatchRecord
from arena.tables import Cell, Estimate
from arena.turns import positions
from arena_engine import Journal, open_benchmark
from arena_report import score_table
from arena_scene import lines as drawn_lines
from PIL import Image as Picture

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE, PICTURE, RECORD = ROOT / "README.md", HERE / "report.png", HERE / "made.json"
REGION = re.compile(
    r"(?<=<!-- made by docs/images/make\.py -->\n).*(?=<!-- end of what docs/images/make\.py makes -->)", re.DOTALL
)
SHELL = re.compile(r"```shell\n(.*?)```", re.DOTALL)
FIRST = "quickstart · "
"""How the first line of the results begins; from there on everything on the screen is shown."""

FOLLOWED = 2
"""How many lines are followed: clone, then set up and play. At the third somebody has to sit and play."""

MODEL, GAME = "smollm", "tic-tac-toe"
"""The agent and the game whose match the board is taken from."""

WIDTH = 40
"""The most columns that the board may have."""

MARK = re.compile(r"^@ (.*)\n\S+ \S+\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n", re.MULTILINE)
SAY_MARK = 'printf "\\n@ %s\\n" "$PWD"; times'
"""Says between two lines in which folder the first ended, and what processors have worked until then."""

CHECKOUT = {
    *("VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
    *("MAKEFLAGS", "MAKELEVEL"),
}
"""Variables that a newcomer has not set: they lead back to this checkout, compile all, or change what is printed."""


@attrs.frozen
class Step:
    """A line of the README as it went: its CPU seconds, what was on the screen, and the folder it ended in."""

    command: str
    cpu_s: float
    screen: str
    folder: Path


def region(page: str) -> str:
    """The part of the README that is made."""
    found = REGION.search(page)
    assert found, f"{PAGE.name} has no place for what is made"
    return found[0]


def shell(made: str) -> Sequence[str]:
    """The lines of the first block of commands: clone, set up and watch, play, then how to do without make."""
    found = SHELL.search(made)
    assert found, f"{PAGE.name} has no block of commands in the place for what is made"
    return found[1].splitlines()


def commands(made: str) -> Sequence[str]:
    """The three lines with which a newcomer begins, without what is said of them: the last one is to be sat at."""
    return [line.partition("  #")[0].rstrip() for line in shell(made)[:3]]


def snapshot(target: Path) -> Path:
    """A repository with the files of this checkout as they are, committed or not."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    somebody = ("-c", "user.name=arena", "-c", "user.email=arena@localhost")
    for words in (("init", "--quiet"), ("add", "--all"), (*somebody, "commit", "--quiet", "--message=as it is")):
        subprocess.run(["git", *words], cwd=target, check=True)
    return target


def follow(lines: Sequence[str], address: Path, folder: Path, variables: Mapping[str, str]) -> Iterator[Step]:
    """Run lines of the README one after another in one shell, beginning in ``folder``; ``…`` stands for ``address``.

    ``variables`` are set beside those of this process. ``CalledProcessError``, with all that was on the screen, where a
    line fails.
    """
    program = "\n".join([SAY_MARK, *(f"{line.replace('…', str(address))}\n{SAY_MARK}" for line in lines)])
    done = subprocess.run(
        ["bash", "-e", "-c", program],
        cwd=folder,
        env={**{name: value for name, value in os.environ.items() if name not in CHECKOUT}, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, lines, done.stdout)
    marks = list(MARK.finditer(done.stdout))
    for line, before, after in zip(lines, marks, marks[1:], strict=False):
        screen = done.stdout[before.end() : after.start()].strip("\n")
        yield Step(line, _cpu_s(after) - _cpu_s(before), screen, Path(after[1]))


def _cpu_s(mark: re.Match[str]) -> float:
    return 60 * (int(mark[2]) + int(mark[4])) + float(mark[3]) + float(mark[5])


def empty_caches(folder: Path) -> Mapping[str, str]:
    """Variables with which nothing that was downloaded before is found, and lines are as wide as the README's."""
    return {
        "COLUMNS": "100",
        "PIP_NO_CACHE_DIR": "1",
        "UV_CACHE_DIR": str(folder / "uv"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def measured(lines: Sequence[str], steps: Sequence[Step]) -> Iterator[str]:
    """The three lines, with what those that were followed took."""
    clone, play = steps
    made_later = [f"--exclude={name}" for name in (".venv", "runs", "__pycache__")]
    takes = (
        f"{_megabytes(clone.folder, *made_later)} MB; … is the address of this page",
        f"{play.cpu_s:.0f} s CPU, {_megabytes(play.folder / '.venv')} MB; Python 3.11+, no key, no GPU",
        "now you",
    )
    width = max(map(len, lines))
    yield from (f"{line.ljust(width)}  # {said}" for line, said in zip(lines, takes, strict=True))


def _megabytes(folder: Path, *without: str) -> int:
    done = subprocess.run(["du", "-sm", *without, folder], capture_output=True, check=True, text=True)
    return int(done.stdout.split()[0])


def chosen_match(run: Path) -> tuple[list[str], str]:
    """The board at the end of a match of the model, as ``arena play`` draws it, and a line on that match.

    It is the first match on a board that the model won, or else the first that it played there.
    """
    with Journal.open(run) as journal:
        benchmark, records = open_benchmark(journal), list(journal.records())
    played = [record for record in records if MODEL in record.agents and record.game == GAME]
    record = next(filter(_is_won, played), played[0])
    game = benchmark.games[record.game].game
    *_, before, last = (game.forms["scene"](position.state.observe(None)) for position in positions(game, record))
    assert isinstance(before, Drawing)
    assert isinstance(last, Drawing)
    drawn = drawn_lines(last, WIDTH, has_colour=False, is_unicode=True, before=before)
    board = drawn[: next((at for at, line in enumerate(drawn) if at and not line.strip()), len(drawn))]
    return board, f"{' – '.join(record.agents)} {' : '.join(f'{each:g}' for each in record.returns or ())}"


def _is_won(record: MatchRecord) -> bool:
    return record.returns is not None and record.returns[record.agents.index(MODEL)] > 0


def photograph(report: Path, board: Sequence[str], match: str) -> bytes:
    """A PNG of the report's verdict and its scores by game, beside a board with a line on its match."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = browser.new_context(offline=True, device_scale_factor=2, color_scheme="light")
        page = context.new_page()
        page.goto(report.as_uri())
        page.evaluate((HERE / "arrange.js").read_text("utf-8"), [board, match])
        taken = Picture.open(BytesIO(page.locator("#picture").screenshot())).convert("RGB")
        browser.close()
    file = BytesIO()
    taken.quantize(128, dither=Picture.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def in_words(run: Path) -> str:
    """The verdict and the scores, for who cannot see the picture."""
    verdict = arena.load(run).report().verdict
    scores = score_table(verdict)
    assert scores, f"{run.name} has no scores by game"
    told = (
        f"{column.title}: {', '.join(f'{row[0]} {_score(row[place])}' for row in scores.rows)}"
        for place, column in enumerate(scores.columns)
        if place
    )
    said = " ".join(verdict.sentences)
    return f"{said} Scores with intervals at 95%: {'; '.join(told)}. Beside them a board of {MODEL}."


def _score(cell: Cell) -> str:
    if not isinstance(cell, Estimate) or cell.value is None:
        return "no score"
    ends = "" if cell.low is None or cell.high is None else f" [{cell.low:.2f}, {cell.high:.2f}]"
    return f"{cell.value:.2f}{ends} n={cell.n}"


def composed(made: Mapping[str, Any], without_make: Sequence[str]) -> str:
    """What stands in the README for what was made; ``without_make`` are the lines of commands that are not."""
    alt = fill(made["alt"], 98)
    blocks = {"shell": [*made["shell"], *without_make], "text": made["output"]}
    shown = (f"```{name}\n" + "\n".join(lines) + "\n```\n" for name, lines in blocks.items())
    return "\n".join([f"![{alt}](docs/images/{PICTURE.name})\n", *shown])


def shown(screen: str) -> Sequence[str]:
    """The results at the end of what was on the screen."""
    lines = [line.rstrip() for line in screen.splitlines()]
    (first,) = (at for at, line in enumerate(lines) if line.startswith(FIRST) and " matches in " in line)
    return lines[first:]


def main() -> None:
    """Follow the README, and write into it what came of it."""
    before = region(PAGE.read_text("utf-8"))
    with TemporaryDirectory() as name:
        folder = Path(name)
        work, address = folder / "work", folder / "address"
        work.mkdir()
        address.mkdir()
        own = commands(before)
        steps = list(follow(own[:FOLLOWED], snapshot(address), work, empty_caches(folder)))
        screen = shown(steps[-1].screen)
        run = steps[-1].folder / screen[-1]
        PICTURE.write_bytes(photograph(run / "report.html", *chosen_match(run)))
        made = {
            "alt": in_words(run),
            "shell": list(measured(own, steps)),
            "output": screen,
            "picture": sha256(PICTURE.read_bytes()).hexdigest(),
        }
    RECORD.write_text(json.dumps(made, ensure_ascii=False, indent=2) + "\n", "utf-8")
    page = PAGE.read_text("utf-8")  # it takes minutes, in which somebody may have written elsewhere on the page
    PAGE.write_text(page.replace(region(page), composed(made, shell(before)[3:])), "utf-8")
    sys.stderr.write(f"wrote {PICTURE.name}, {RECORD.name} and {PAGE.name}\n")


if __name__ == "__main__":
    main()
