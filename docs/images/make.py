"""Make the picture, the output and the times in the README, all from one real run.

    .venv/bin/python docs/images/make.py

The first lines of the README are followed as a newcomer would, in an empty folder and with empty caches: the checkout
is cloned and set up, and a benchmark is played. What each line took and the last lines on the screen go into the
README; the top of the report and the final board of a match become ``report.png``. ``made.json`` keeps what was
written, so that a test can tell whether somebody changed a part of it by hand. It takes some minutes and needs
Chromium.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

import arena
import attrs
from arena.game import Image
from arena.positions import positions
from arena.record import MatchRecord
from arena.tables import Cell, Estimate
from arena_engine import Journal, open_benchmark
from PIL import Image as Picture

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE, PICTURE, RECORD = ROOT / "README.md", HERE / "report.png", HERE / "made.json"
REGION = re.compile(
    r"(?<=<!-- made by docs/images/make\.py -->\n).*(?=<!-- end of what docs/images/make\.py makes -->)", re.DOTALL
)
SHELL = re.compile(r"```shell\n(.*?)```", re.DOTALL)
SHOWN = 10
"""How many of the last lines on the screen are shown."""

MODEL = "smollm"
"""The agent whose match the board is taken from."""

MARK = re.compile(r"^@ ([\d.]+) (.*)\n", re.MULTILINE)
SAY_MARK = 'printf "\\n@ %s %s\\n" "$EPOCHREALTIME" "$PWD"'
"""Says between two lines when the first ended, and in which folder."""

CHECKOUT = {"VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH"}
"""Variables that lead back to this checkout."""


@attrs.frozen
class Step:
    """A line of the README as it went: the seconds it took, what was on the screen, and the folder it ended in."""

    command: str
    seconds: float
    screen: str
    folder: Path


def region(page: str) -> str:
    """The part of the README that is made."""
    found = REGION.search(page)
    assert found, f"{PAGE.name} has no place for what is made"
    return found[0]


def shell(made: str) -> Sequence[str]:
    """The lines of the first block of commands: clone, set up, play, then how to do without make."""
    found = SHELL.search(made)
    assert found, f"{PAGE.name} has no block of commands in the place for what is made"
    return found[1].splitlines()


def commands(made: str) -> Sequence[str]:
    """The three lines with which a newcomer begins, without what is said of them."""
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
        yield Step(line, float(after[1]) - float(before[1]), screen, Path(after[2]))


def empty_caches(folder: Path) -> Mapping[str, str]:
    """Variables with which nothing that was downloaded before is found, and lines are as wide as the README's."""
    return {
        "COLUMNS": "100",
        "PIP_NO_CACHE_DIR": "1",
        "UV_CACHE_DIR": str(folder / "uv"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def measured(steps: Sequence[Step]) -> Iterator[str]:
    """The three lines, each with what it took."""
    clone, set_up, play = steps
    takes = (
        f"{_megabytes(clone.folder, '--exclude=.venv', '--exclude=runs')} MB; … is the address of this page",
        f"{_time(set_up.seconds)}, {_megabytes(set_up.folder / '.venv')} MB; Python 3.11 or newer, no key, no GPU",
        f"{_time(play.seconds)} on {os.cpu_count()} cores, where the model plays too",
    )
    width = max(len(step.command) for step in steps)
    yield from (f"{step.command.ljust(width)}  # {said}" for step, said in zip(steps, takes, strict=True))


def _megabytes(folder: Path, *without: str) -> int:
    done = subprocess.run(["du", "-sm", *without, folder], capture_output=True, check=True, text=True)
    return int(done.stdout.split()[0])


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def chosen_match(run: Path) -> tuple[int, Image]:
    """The number of the first match that the model won, or else that it played, and the board at its end."""
    with Journal.open(run) as journal:
        benchmark, records = open_benchmark(journal), list(journal.records())
    played = [number for number, record in enumerate(records) if MODEL in record.agents]
    number = next((each for each in played if _is_won(records[each])), played[0])
    game = benchmark.games[records[number].game].game
    *_, last = positions(game, records[number])
    board = game.forms["image"](last.state.observe(None))
    assert isinstance(board, Image)
    return number, board


def _is_won(record: MatchRecord) -> bool:
    return record.returns is not None and record.returns[record.agents.index(MODEL)] > 0


def photograph(report: Path, number: int, board: Image) -> bytes:
    """A PNG of the report's first table and figure, beside a board with the line of its match in the report."""
    from playwright.sync_api import sync_playwright

    source = f"data:{board.media_type};base64,{b64encode(board.data).decode()}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        # The page forbids itself pictures from elsewhere, such as that of the board.
        context = browser.new_context(bypass_csp=True, offline=True, device_scale_factor=2, color_scheme="light")
        page = context.new_page()
        page.goto(report.as_uri())
        page.evaluate((HERE / "arrange.js").read_text("utf-8"), [number, source])
        taken = Picture.open(BytesIO(page.locator("#picture").screenshot())).convert("RGB")
        browser.close()
    file = BytesIO()
    taken.quantize(128, dither=Picture.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def in_words(run: Path) -> str:
    """The ranking, for who cannot see the picture."""
    ranking = arena.load(run).report().sections[0].tables[0]
    places = {column.title: place for place, column in enumerate(ranking.columns)}
    rated = (f"{row[places['agent']]} {_points(row[places['strength']])}" for row in ranking.rows)
    game = ranking.rows[0][places["game"]]
    return f"Strengths at {game} with intervals at 95%: {', '.join(rated)}. Beside them a board that {MODEL} won."


def _points(strength: Cell) -> str:
    if not isinstance(strength, Estimate) or strength.low is None:
        return "1500 (the anchor)"
    return f"{strength.value:.0f} [{strength.low:.0f}, {strength.high:.0f}]"


def composed(made: Mapping[str, Any], without_make: Sequence[str]) -> str:
    """What stands in the README for what was made; ``without_make`` are the lines of commands that are not."""
    alt = fill(made["alt"], 98)
    blocks = {"shell": [*made["shell"], *without_make], "text": made["output"]}
    shown = (f"```{name}\n" + "\n".join(lines) + "\n```\n" for name, lines in blocks.items())
    return "\n".join([f"![{alt}](docs/images/{PICTURE.name})\n", *shown])


def main() -> None:
    """Follow the README, and write into it what came of it."""
    before = region(PAGE.read_text("utf-8"))
    with TemporaryDirectory() as name:
        folder = Path(name)
        work, address = folder / "work", folder / "address"
        work.mkdir()
        address.mkdir()
        steps = list(follow(commands(before), snapshot(address), work, empty_caches(folder)))
        lines = steps[-1].screen.splitlines()
        run = steps[-1].folder / lines[-1]
        PICTURE.write_bytes(photograph(run / "report.html", *chosen_match(run)))
        made = {
            "alt": in_words(run),
            "shell": list(measured(steps)),
            "output": [line.rstrip() for line in lines[-SHOWN:]],
            "picture": sha256(PICTURE.read_bytes()).hexdigest(),
        }
    RECORD.write_text(json.dumps(made, ensure_ascii=False, indent=2) + "\n", "utf-8")
    page = PAGE.read_text("utf-8")  # it takes minutes, in which somebody may have written elsewhere on the page
    PAGE.write_text(page.replace(region(page), composed(made, shell(before)[3:])), "utf-8")
    sys.stderr.write(f"wrote {PICTURE.name}, {RECORD.name} and {PAGE.name}\n")


if __name__ == "__main__":
    main()
