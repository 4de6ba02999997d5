"""The README of the repository: what a stranger sees first, whether it is true, and whether it works.

Its picture, its times and its output are made by ``docs/images/make.py`` from one run. All its blocks are followed from
the first line to the last in an environment of their own, by a newcomer who has nothing but the address.
"""

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from arena.testing import check_game
from markdown_it import MarkdownIt
from PIL import Image

pytestmark = pytest.mark.xdist_group("first-screen")  # one process: what all tests here share takes long to make

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "README.md").read_text("utf-8")
PICTURE = ROOT / "docs" / "images" / "report.png"
COLUMNS, LINES = 100, 40
CELL = (8, 24)
"""How many pixels of a browser a letter is wide and a line is high."""

LONGEST = {"python": 15, "game": 40}
"""How many lines the example in Python and the game may have."""

FILE = re.compile(r"# ([\w./-]+\.(?:py|toml))\n")
QUICKSTART = {"lines": 25, "columns": 80}
"""How much of a screen the results of the quickstart may take, however wide the terminal is beyond that."""


def blocks() -> list[tuple[str, str]]:
    """Language and text of each block of code, down the page."""
    return [(token.info, token.content) for token in MarkdownIt().parse(PAGE) if token.type == "fence"]


def files() -> Mapping[str, str]:
    """The files that the page has its reader write, by their names."""
    return {found[1]: text.removeprefix(found[0]) for _, text in blocks() if (found := FILE.match(text))}


def script(name: str) -> ModuleType:
    """A program or module of ``docs/images``."""
    spec = spec_from_file_location(name, ROOT / "docs" / "images" / f"{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def make() -> ModuleType:
    """The script that makes the picture and the output."""
    return script("make")


@pytest.fixture(scope="module")
def record() -> Mapping[str, object]:
    """What the script wrote down of the run of the picture."""
    return json.loads((ROOT / "docs" / "images" / "made.json").read_text("utf-8"))


def first_screen() -> Sequence[str]:
    """The page as a reader sees it, from its title to the end of the output, each line of the picture as one."""
    shown = PAGE[: PAGE.index("<!-- end of what docs/images/make.py makes -->")]
    width, height = Image.open(PICTURE).size
    rows = -(-height * COLUMNS * CELL[0] // (width * CELL[1]))
    seen = re.sub(r"!\[.*?\]\([^)]*\)", "\n".join(["picture"] * rows), shown, flags=re.DOTALL)
    return [line for line in seen.rstrip().splitlines() if not line.startswith(("<!--", "```"))]


def test_first_screen_is_seen_without_scrolling():
    """What it is, the picture, three lines to play and their output fit into forty lines of a hundred columns."""
    assert len(first_screen()) <= LINES
    assert max(map(len, first_screen())) <= COLUMNS


def test_blocks_are_narrow_and_short():
    """No block is wider than the screen, the example in Python and the game are as short as they claim to be."""
    example = next(text for language, text in blocks() if language == "python")
    game = files()["sticks/sticks.py"]

    assert max(len(line) for _, text in blocks() for line in text.splitlines()) <= COLUMNS
    assert len(example.splitlines()) <= LONGEST["python"]
    assert len(game.splitlines()) <= LONGEST["game"]
    assert sum(bool(line.strip()) for text in files().values() for line in text.splitlines()) <= LONGEST["game"]


def test_parts_stand_in_their_order():
    """What, for whom, picture, commands, output, Python, game, what is in the box, the promises, where to go on."""
    signs = (
        *("# Arena", "For researchers", "![", "git clone", "```text", "arena.run(", "sticks/pyproject.toml"),
        *("pip install ./sticks", "| [in the box](", "## Three promises", "## Where to go on"),
    )
    places = [PAGE.index(sign) for sign in signs]

    assert places == sorted(places)


def test_picture_is_small_and_described():
    """The picture is at most 200 kB, and its alt text tells who who does not see it what is in it."""
    (alt,) = re.findall(r"!\[(.*?)\]\(docs/images/report\.png\)", PAGE, re.DOTALL)

    assert PICTURE.stat().st_size <= 200_000
    assert Image.open(PICTURE).format == "PNG"
    assert all(agent in alt for agent in ("optimal", "smollm", "random"))
    assert all(game in alt for game in ("tic-tac-toe", "kuhn-poker", "connect-three"))
    assert re.search(r"0\.\d+\s\[\d\.\d+,\s\d\.\d+\]\sn=\d+", alt)


def test_picture_and_output_are_of_one_run(make, record):
    """Times, output, alt text and picture are those of one run; where one was changed, the script is to run again."""
    shown = make.region(PAGE)

    assert shown == make.composed(record, make.shell(shown)[3:])
    assert sha256(PICTURE.read_bytes()).hexdigest() == record["picture"]


def test_output_is_the_end_of_the_quickstart(record):
    """The verdict comes first, then the ranking, each game, and at the end where the report is and what to do next."""
    output = record["output"]
    signs = ("quickstart · ", "  group    #  agent", "  score ", "report  runs/", "next    .venv/bin/arena play ")
    places = [next(at for at, line in enumerate(output) if line.startswith(sign)) for sign in signs]

    assert places == sorted(places)
    assert "smollm" in output[output.index("") + 1]
    assert output[-3:-1] == [f"{'':8}.venv/bin/arena {command}" for command in ("report @", "describe")]
    assert len(output) <= QUICKSTART["lines"]


def test_game_keeps_the_contract(tmp_path):
    """The game of the page passes ``check_game`` as it stands there."""
    path = tmp_path / "sticks.py"
    path.write_text(files()["sticks/sticks.py"])
    spec = spec_from_file_location("sticks", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)

    assert check_game(module.Sticks()).playouts == 16


def printed(text: str) -> list[str]:
    """What an example says that it prints: the comments at its end."""
    return re.findall(r"^# (.*)$", text, re.MULTILINE)


def pasted(screen: Sequence[str]) -> Sequence[str]:
    """The commands that a run says to go on with."""
    first = next(at for at, line in enumerate(screen) if line.startswith("next "))
    return [line.removeprefix("next").strip() for line in screen[first:-1]]


def sat_at(command: str, folder: Path, variables: Mapping[str, str]) -> str:
    """Play a match by keys, always the first option that there is; what is on the screen at its end."""
    with script("virtual_terminal").Session(["bash", "-c", command], cwd=folder, environment=variables) as session:
        with suppress(TimeoutError):  # at once when the match has ended
            while True:
                session.wait_for("your move", timeout_s=120)
                session.press("right", "enter")
        assert session.end() == 0, session.screen.text
        assert "again   arena play" in session.screen.text
        return session.screen.text


@pytest.mark.campaign
@pytest.mark.timeout(1_200)
def test_page_works_from_its_first_line_to_its_last(make, tmp_path, monkeypatch):
    """Whoever follows the page, in an environment that it makes, gets what it shows."""
    bin_of_tests = str(Path(ROOT / ".venv" / "bin"))
    path = [each for each in make.os.environ["PATH"].split(":") if each != bin_of_tests]
    monkeypatch.setenv("PATH", ":".join(path))
    address, work = tmp_path / "address", tmp_path / "work"
    address.mkdir()
    work.mkdir()
    clone, quickstart, play = make.commands(make.region(PAGE))
    *_, played = make.follow([clone, quickstart], make.snapshot(address), work, {"COLUMNS": "100"})
    arena = played.folder
    variables = {**make.os.environ, "PATH": f"{arena / '.venv' / 'bin'}:{':'.join(path)}"}

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=arena, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    assert len(make.shown(played.screen)) <= QUICKSTART["lines"]
    assert (arena / played.screen.splitlines()[-1] / "report.html").is_file()
    assert "smollm" in sat_at(play, arena, variables)
    for following in pasted(make.shown(played.screen)):
        if following != play:
            run("bash", "-c", following)
    for language, text in blocks()[2:]:
        if found := FILE.match(text):
            (arena / found[1]).parent.mkdir(exist_ok=True)
            (arena / found[1]).write_text(text.removeprefix(found[0]))
        elif language == "python":
            assert run("python", "-c", text).splitlines() == printed(text)
        elif text.startswith("make test"):  # this test is one of those it runs
            assert "step 3 make test\n" in (ROOT / ".ci" / "run").read_text("utf-8")
        elif text.startswith("pip install ./core"):  # each line has an environment of its own elsewhere
            continue
        else:
            assert language == "shell"
            install, play = text.splitlines()
            run("bash", "-c", install)
            assert "minimax" in sat_at(play, arena, variables)
