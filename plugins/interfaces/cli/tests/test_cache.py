"""``arena cache``: what is kept between runs is listed, and removed."""

import json
from pathlib import Path

import pytest
from arena_engine.references.playouts import Playout, Playouts
from arena_engine.references.reference_cache import KeptReference, keep_reference


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty cache, and an environment without colour."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "arena"


def fill(folder: Path, games: int = 2) -> None:
    """References of some games, and a model."""
    for number in range(games):
        playouts = Playouts(played=(Playout((1.0, -1.0), 9, 9),) * (number + 1), seconds=65.0)
        entry = KeptReference(digest=f"{number:064x}", game=f"Game {number:02}", players=2, playouts=playouts)
        assert keep_reference(entry) is None
    (folder / "models").mkdir()
    (folder / "models" / "small.gguf").write_bytes(b"x" * 1500)


def test_an_empty_cache_is_one_line(arena, folder):
    """Nothing is made to list nothing."""
    done = arena("cache")

    assert (done.exit_code, " ".join(done.stdout.split())) == (0, f"nothing is kept in {folder}")
    assert not folder.exists()


def test_everything_that_is_kept_is_listed(arena, folder):
    """Each folder with its files and its size, and each game with how many random matches are kept of it."""
    fill(folder)

    done = arena("cache")

    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert "".join(done.stdout.split()).startswith(f"{folder}")
    assert "models 1 2 kB models that were fetched" in lines
    assert any(line.startswith("references 2 ") for line in lines)
    assert {"Game 00 2 1 1 min 5 s", "Game 01 2 2 1 min 5 s"} <= set(lines)


def test_many_games_are_cut_to_a_screen(arena, folder):
    """All of them are in --full."""
    fill(folder, 40)

    brief, full = arena("cache").stdout, arena("cache", "--full").stdout

    assert "28 more: --full" in brief
    assert len(brief.splitlines()) <= 24
    assert "Game 39" in full
    assert "more:" not in full


def test_programs_read_one_object(arena, folder):
    """It has the same numbers, and the digest by which an entry is found."""
    fill(folder, 1)

    said = json.loads(arena("cache", "--json").stdout)

    assert said["format"] == 1
    assert said["folder"] == str(folder)
    assert said["kept"][0] == {"name": "models", "files": 1, "bytes": 1500}
    assert said["references"] == [{"game": "Game 00", "players": 2, "matches": 1, "seconds": 65.0, "digest": "0" * 64}]


def test_references_are_removed_and_nothing_else(arena, folder):
    """What took a download stays unless it is named."""
    fill(folder)

    done = arena("cache", "clear")

    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("removed references: 2 files, ")
    assert [path.name for path in folder.iterdir()] == ["models"]
    assert arena("cache", "clear").stderr == "no references are kept; nothing was removed\n"
    assert arena("cache", "clear", "models").stderr == "removed models: 1 file, 2 kB\n"
    assert list(folder.iterdir()) == []


def test_a_link_is_not_followed(arena, folder, tmp_path):
    """What it leads to is not the cache's, and is neither counted nor removed."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").write_text("mine")
    fill(folder)
    (folder / "others").symlink_to(elsewhere)
    (folder / "references" / "link").symlink_to(elsewhere)

    assert "others" not in arena("cache").stdout
    assert arena("cache", "clear", "others").exit_code == 2
    assert arena("cache", "clear").exit_code == 0
    assert (elsewhere / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("clear", "modles"), "nothing called 'modles' is kept (did you mean 'models'?)"),
        (("list", "models"), "write `arena cache clear models` to remove it"),
    ],
)
def test_a_mistake_is_one_sentence(arena, folder, arguments, said):
    """It says what there is, or what was meant."""
    fill(folder)

    done = arena("cache", *arguments)

    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert (folder / "models").exists()
