"""Texts in the user's cache folder: found again where they are sound, in so much room."""

import os
from pathlib import Path

import pytest
from arena_engine import KeptTexts


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The folder of some texts in a cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "arena" / "texts"


def test_text_is_found_by_its_key_alone(folder):
    """What was put under a key is there for every process, and nothing is there for another key."""
    KeptTexts("texts", 1_000).put("one", "a text\nof two lines, ä")

    assert KeptTexts("texts", 1_000).get("one") == "a text\nof two lines, ä"
    assert KeptTexts("texts", 1_000).get("two") is None
    assert [path.stat().st_mode & 0o077 for path in folder.iterdir()] == [0]


def test_what_was_used_longest_ago_goes_first(folder):
    """When there is no more room, the texts that were used last are kept; one larger than the room never is."""
    texts = KeptTexts("texts", 400)
    for number, name in enumerate(("one", "two", "three")):
        texts.put(name, name[0] * 50)
        for path in folder.iterdir():
            os.utime(path, ns=(number, number) if path.stat().st_mtime_ns > 1_000 else (path.stat().st_mtime_ns,) * 2)
    assert texts.get("one") == "o" * 50
    texts.put("four", "f" * 50)
    texts.put("five", "x" * 1_000)

    assert [texts.get(name) is not None for name in ("one", "two", "three", "four", "five")] == [
        *(True, False, True, True, False)
    ]


@pytest.mark.parametrize("damage", ["cut", "other", "bytes", "link", "directory"])
def test_damaged_text_is_absent_and_written_again(folder, damage):
    """Whatever lies where a text was is not taken for it; where it can be replaced, it is."""
    texts = KeptTexts("texts", 1_000)
    texts.put("key", "the text")
    (path,) = folder.iterdir()
    content = path.read_bytes()
    path.unlink()
    if damage == "directory":
        path.mkdir()
    elif damage == "link":
        path.symlink_to(folder.parent / "elsewhere")
        (folder.parent / "elsewhere").write_bytes(content)
    else:
        path.write_bytes({"cut": content[:-1], "other": content.replace(b"text", b"word"), "bytes": b"\xff"}[damage])

    assert texts.get("key") is None
    texts.put("key", "the text")
    assert (texts.get("key") is None) == (damage == "directory")


def test_nothing_is_kept_where_nothing_can_be_written(tmp_path, monkeypatch):
    """A cache folder that cannot be made is no error."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    texts = KeptTexts("texts", 1_000)

    texts.put("key", "the text")

    assert texts.get("key") is None
