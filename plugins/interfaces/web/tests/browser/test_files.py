"""The files of the pages: what is vendored, and that they lead nowhere."""

import hashlib
import re
from pathlib import Path

import arena_web
from arena_web.serving.static import INDEX, OWN_PAGES

PAGES = Path(arena_web.__file__).parent / "pages"
OWN = sorted(file for file in PAGES.iterdir() if file.suffix in {".js", ".css", ".html"})


def test_vendored_file_is_what_its_readme_says():
    """The one file of others is unchanged: its digest is the one that its README names."""
    said = (PAGES / "vendor" / "README.md").read_text("utf-8")
    names = re.findall(r"^\| `(.+?)` .*`([0-9a-f]{64})` \|$", said, re.MULTILINE)

    assert [name for name, _ in names] == [file.name for file in (PAGES / "vendor").glob("*.js")]
    for name, digest in names:
        assert hashlib.sha256((PAGES / "vendor" / name).read_bytes()).hexdigest() == digest


def test_nothing_is_fetched_from_elsewhere():
    """No file of ours names another origin, writes markup, or holds a script or a style within the page."""
    for file in OWN:
        text = file.read_text("utf-8")
        assert re.findall(r"https?://|innerHTML|insertAdjacent|document\.write|dangerously|\beval\b", text) == [], file
        assert not re.search(r"<script(?! type=\"module\" src=)|<style|\son[a-z]+=\"", text), file


def test_modules_name_each_other():
    """Each module imports files that are served, and each is imported by another or by a page; so are style sheets."""
    served = {file.name for file in OWN} | {"elements.js", "scene.js", "touches.js", "form.js", "vendor/htm-preact.js"}
    named = set()
    for file in OWN:
        named |= set(re.findall(r"(?:from |import\()\"\./([\w./-]+)\"|/static/([\w.-]+)", file.read_text("utf-8")))
    names = {one or other for one, other in named}
    main, turn = ((PAGES / name).read_text("utf-8") for name in ("main.js", "turn.js"))
    pages = main[main.index("const PAGES") :].partition("];")[0]
    names |= {f"{name}.css" for name in re.findall(r', "(\w+)"', pages) + re.findall(r'styled\("(\w+)"\)', turn)}

    assert names <= served | {"scene.css", "touches.css"}
    assert served - names == {INDEX, *OWN_PAGES.values()}
