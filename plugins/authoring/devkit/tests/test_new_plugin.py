"""``arena new-plugin``: every file in its place, names that cannot be, and nothing written where there is a mistake."""

import os
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from arena.plugin import KINDS, group_of
from arena_devkit.template import LONGEST, Blueprint, kinds, licences

NAMES = ("x", "a" * LONGEST, "a-b", "my-thing-2")


def written(folder: Path) -> dict[str, str]:
    """All files below a folder by their paths."""
    return {f.relative_to(folder).as_posix(): f.read_text("utf-8") for f in folder.rglob("*") if f.is_file()}


@pytest.mark.slow  # Ruff is among the checkers
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_formatted(name, tmp_path):
    """Ruff finds nothing in any kind, by the settings that are written with it, however long the name is."""
    for kind in kinds():
        Blueprint(kind=kind, name=name).write(tmp_path / kind)
    Blueprint(kind="game", name=name, is_hidden=True).write(tmp_path / "hidden")

    for command in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, tmp_path], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("kind", "options"), [*((kind, ()) for kind in kinds()), ("game", ("--hidden",))])
def test_every_distribution_is_complete(arena, kind, options):
    """It has all that a distribution needs, no placeholder is left, and its entry point leads to its descriptor."""
    author = ("--author", "Ann Example <ann@example.org>", "--licence", "MIT")
    done = arena("new-plugin", kind, "my-thing", *author, *options)

    assert done.exit_code == 0, done.stderr
    assert done.stdout == "my-thing\n"
    files = written(Path(done.stdout.strip()))
    package = "my_thing"
    module = "suite.yaml" if kind == "suite" else f"{kind}.py"
    assert set(files) == {
        ".github/workflows/check.yaml",
        ".gitignore",
        "LICENSE",
        "README.md",
        "pyproject.toml",
        f"src/{package}/__init__.py",
        f"src/{package}/{module}",
        f"src/{package}/py.typed",
        f"tests/test_{kind}.py",
    }
    assert [path for path, text in files.items() if "$" in text.replace("${{ matrix.python }}", "")] == []
    project = tomllib.loads(files["pyproject.toml"])["project"]
    assert project["entry-points"] == {group_of(kind): {"my-thing": f"{package}:PLUGIN"}}
    assert project["authors"] == [{"name": "Ann Example", "email": "ann@example.org"}]
    assert (project["license"], "Ann Example" in files["LICENSE"]) == ("MIT", True)
    assert f"arena check {kind}:my-thing" in files["README.md"]


@pytest.mark.parametrize(
    ("author", "written_as", "holder"),
    [
        ("Ann", [{"name": "Ann"}], "Ann"),
        ('Ann "A" Ö. <ann@example.org>', [{"name": 'Ann "A" Ö.', "email": "ann@example.org"}], 'Ann "A" Ö.'),
        ("ann@example.org", [{"email": "ann@example.org"}], "ann@example.org"),
        ("", None, "the authors of mine"),
    ],
)
def test_authors_are_named(author, written_as, holder, tmp_path):
    """Who writes it stands in the metadata and in the licence, by name, mail or both, or nobody does."""
    files = written(Blueprint(kind="game", name="mine", author=author, licence="MIT").write(tmp_path))

    assert tomllib.loads(files["pyproject.toml"])["project"].get("authors") == written_as
    assert f" {holder}\n" in files["LICENSE"]


@pytest.mark.parametrize("licence", licences())
def test_licences_are_written(licence, tmp_path):
    """Each licence is named in the metadata, and its text names who grants it."""
    files = written(Blueprint(kind="game", name="mine", licence=licence).write(tmp_path))

    assert tomllib.loads(files["pyproject.toml"])["project"]["license"] == licence
    assert len(files["LICENSE"]) > 900
    assert "the authors of mine" in files["LICENSE"]


@pytest.mark.sample(fast=10)
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("game", "My_Game"), "'My_Game' cannot be the name of a plugin; expected at most 30 lower-case letters"),
        (("game", "a" * 31), "cannot be the name of a plugin"),
        (("game", "2-by-2"), "cannot be the name of a plugin"),
        (("game", "line"), "there is a game called 'line' already, from acme-arena; choose another name"),
        (("game", "full"), "a distribution called full is installed already; choose another name"),
        (("game", "random"), "Python has a package or module called random already; choose another name"),
        (("game", "while"), "'while' is a word of Python, so no package can be called so; choose another name"),
        (
            ("game", "arena-duel"),
            "names that begin with 'arena' or 'playarena' are Arena's own; choose another, such as 'duel'",
        ),
        (("game", "playarena"), "are Arena's own; choose another, such as 'duel'"),
        (("game", "row"), "its class would be called Row, as something else in it is; choose another name"),
        (
            ("gmae", "mine"),
            "no kind of plugin is called 'gmae' (did you mean 'game'?); new-plugin writes a game, agent,",
        ),
        (("solver", "mine"), "for a solver take an installed one as a model (`arena list-plugins --kind solver`)"),
        (
            ("game", "mine", "--licence", "GPL"),
            "--licence 'GPL': no such text (there is: Apache-2.0, BSD-3-Clause, MIT)",
        ),
        (("game", "mine", "--author", "Ann <ann>"), "--author 'Ann <ann>': expected 'Name <mail>', or one of both"),
        (("game", "there"), "there: is there already; choose another name, or another --output"),
        (("agent", "mine", "--hidden"), "--hidden is for games alone, not for agents; leave it out"),
        (("game", "mine", "--output", "file"), "file/mine: cannot be written (File exists)"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_written(
    arena, acme, installed, tmp_path, monkeypatch, arguments, sentence
):
    """What cannot be made is refused with what to do, and no file is written or changed."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # of the plugins that are looked at
    installed.add("full", {}, {})
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_text("mine")
    before = sorted(tmp_path.rglob("*"))

    done = arena("new-plugin", *arguments)

    assert done.exit_code == 2
    assert done.stdout == ""
    assert sentence in " ".join(done.stderr.split())
    assert done.stderr.count("arena: ") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_kinds_with_a_blueprint_are_kinds_of_plugins(arena):
    """Each folder of templates is of a kind that the core knows, and the command's help names it."""
    shown = arena("new-plugin", "--help").stdout

    assert set(kinds()) <= set(KINDS)
    assert [kind for kind in kinds() if kind not in shown] == []


def _no_large_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))


def test_full_disk_leaves_nothing(tmp_path):
    """Where not all of it can be written, one sentence says so and nothing of it stays."""
    done = subprocess.run(
        [Path(sys.executable).parent / "arena", "new-plugin", "game", "mine"],
        cwd=tmp_path,
        preexec_fn=_no_large_files,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # Python keeps what it could write of a compiled module
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    said = "arena: mine: cannot be written (File too large); choose another --output"
    assert " ".join(done.stderr.split()) == said
    assert list(tmp_path.iterdir()) == []
