"""The READMEs of distributions: all of one shape, true in what they say of plugins, and with an example that works."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
READ_MES = [ROOT / "core" / "README.md", *sorted(ROOT.glob("plugins/*/*/README.md"))]
NAMES = [path.parent.relative_to(ROOT).as_posix() for path in READ_MES]
FILE = re.compile(r"# ([\w./-]+\.yaml)\n")
MADE = "<!-- made by docs/readmes.py -->"


def test_what_is_counted_and_listed_is_so():
    """Numbers, parameters and requirements are those of the catalog and of pyproject.toml; if not, run the script."""
    spec = spec_from_file_location("readmes", ROOT / "docs" / "readmes.py")
    readmes = module_from_spec(spec)
    spec.loader.exec_module(readmes)

    made = readmes.made()

    assert set(READ_MES) < set(made)
    stale = [path.relative_to(ROOT).as_posix() for path, text in made.items() if path.read_text("utf-8") != text]
    assert stale == [], "run docs/readmes.py"


@pytest.mark.parametrize("path", READ_MES, ids=NAMES)
def test_read_me_has_the_shape_of_all(path, distributions):
    """Name, one sentence, the line that installs it, an example, and at its end parameters and place in the house."""
    (name,) = (d.name for d in distributions if d.directory == path.parent)
    title, _, rest = path.read_text("utf-8").partition("\n\n")
    sentence, _, rest = rest.partition("\n\n")

    assert title == f"# {name}"
    assert sentence.endswith(".")
    assert not re.search(r"\.\s+[A-Z]", re.sub(r"[A-Z]\. ", "", sentence)), "more than one sentence"
    assert rest.startswith(f"```shell\npip install {name}")
    assert list(example(path))
    assert rest.index(MADE) < rest.index("## Parameters") < rest.index("## Where it stands")
    assert rest.rstrip().endswith("<!-- end of what docs/readmes.py makes -->")


def example(path: Path) -> Iterator[tuple[str, str]]:
    """The first example: language and text of the files it needs, and of the commands or the Python that uses them."""
    for token in MarkdownIt().parse(path.read_text("utf-8")):
        if token.type != "fence":
            continue
        if token.info == "yaml" and FILE.match(token.content):
            yield token.info, token.content
        elif token.info == "shell" and (commands := own_commands(token.content)):
            yield token.info, "\n".join(commands)
            return
        elif token.info == "python":
            yield token.info, token.content
            return
    raise AssertionError(f"{path}: no example")


def own_commands(text: str) -> list[str]:
    """The commands of a block that do something with what is installed."""
    return [line for line in text.replace("\\\n", " ").splitlines() if line and not line.startswith("pip install")]


@pytest.fixture(scope="module")
def a_run(tmp_path_factory) -> Path:
    """A folder with a small run in it, which ``runs/…`` means at first."""
    folder = tmp_path_factory.mktemp("played")
    words = "run --game tic-tac-toe --agent random --agent first-legal -n 4 --output runs/0-played --quiet"
    subprocess.run([Path(sys.executable).with_name("arena"), *words.split()], cwd=folder, check=True)
    return folder


def link_of(command: str, folder: Path, variables: Mapping[str, str]) -> str:
    """The link that ``arena view`` prints on some free port, before it is ended."""
    command = f"exec {command} --no-open --port 0"
    with subprocess.Popen(
        ["bash", "-c", command], cwd=folder, env=variables, stdout=subprocess.PIPE, text=True
    ) as served:
        try:
            return served.stdout.readline()
        finally:
            served.terminate()


@pytest.mark.campaign
@pytest.mark.parametrize("path", READ_MES, ids=NAMES)
def test_example_of_a_read_me_runs(path, a_run, tmp_path, at_a_terminal):
    """The first example of a README does what it says, with what the checkout has; nobody pays, nobody is asked."""
    folder = shutil.copytree(a_run, tmp_path / "folder")
    variables = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for language, text in example(path):
        if found := FILE.match(text):
            (folder / found[1]).write_text(text.removeprefix(found[0]))
        elif language == "python":
            subprocess.run([sys.executable, "-c", text], cwd=folder, check=True)
        else:
            for line in text.splitlines():
                latest = max((folder / "runs").iterdir(), key=lambda run: run.stat().st_mtime).name
                command = line.replace("runs/…", f"runs/{latest}")
                if command.startswith("arena play"):
                    status, screen = at_a_terminal(["bash", "-c", command], folder, variables)
                    assert status == 0, screen
                    continue
                if command.startswith("arena view"):
                    assert link_of(command, folder, variables).startswith("http://127.0.0.1:")
                    continue
                done = subprocess.run(
                    ["bash", "-c", command], cwd=folder, env=variables, capture_output=True, text=True, check=False
                )
                assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
                assert shlex.split(command, comments=True)[0] == "arena"
