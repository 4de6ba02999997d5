"""The glossary has the words that code and pages use, in order, and none that the project gave up."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

BANNED = re.compile(
    r"(?i)\b(chairs?|desks?|lanes?|gates?|patience|shel(?:f|ves)|askers?|errands?|yardsticks?|disciplines?|hears?|heard"
    r"|minds?|crews?|papers|staff|stations?|guises?|chronicles?|rehears\w+|stand-ins?|casts?|waves?|luck\w*"
    r"|puts? (?:\w+ ){0,2}out)\b"
)
"""Words that stood for things that the field has a word for."""

SEARCHED = ("core/src", "plugins", "docs")


@pytest.fixture
def page(root) -> str:
    """The text of the glossary."""
    return (root / "docs" / "glossary.md").read_text("utf-8")


@pytest.fixture(scope="module")
def texts() -> str:
    """Everything that may use a term: the code of all distributions and all pages but the glossary."""
    root = Path(__file__).resolve().parents[1]
    files = [path for place in SEARCHED for path in (root / place).rglob("*") if path.suffix in {".py", ".md"}]
    kept = [path for path in files if path.name != "glossary.md" and "tests" not in path.relative_to(root).parts]
    return "\n".join(path.read_text("utf-8") for path in kept).lower()


def terms(page: str) -> list[str]:
    """The terms of the table, as it has them."""
    return [cells[0] for cells in rows(page)]


def rows(page: str) -> list[list[str]]:
    """The cells of each row of the table."""
    lines = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| term |")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines]


def unused(words: Iterable[str], texts: str) -> list[str]:
    """The terms that stand nowhere in the texts, also not in the plural or as a name in code."""
    patterns = {word: "[ _-]?".join(map(re.escape, re.split("[ -]", word))) for word in words}
    return [word for word, pattern in patterns.items() if not re.search(rf"\b{pattern}s?\b", texts)]


@pytest.mark.slow
def test_each_term_is_used(page, texts):
    """No term is explained that code and pages do not use."""
    assert unused(terms(page), texts) == []


def test_unused_term_is_found(texts):
    """A term that nobody uses is caught."""
    assert unused(["referee", "quux gambit"], texts) == ["quux gambit"]


def test_terms_are_sorted(page):
    """Terms come in alphabetical order, each once."""
    assert terms(page) == sorted(set(terms(page)))


def test_each_term_is_one_complete_line(page):
    """Every row has a term, what it is, and the nearest word elsewhere."""
    assert len(rows(page)) > 50
    assert [row for row in rows(page) if len(row) != 3 or not all(row)] == []


def test_no_word_that_was_given_up(page):
    """The glossary uses no word that the field's own word replaced."""
    assert BANNED.findall(page) == []


@pytest.mark.parametrize("text", ["at his Desk", "two waves later", "put somebody out", "unless luck turns"])
def test_word_that_was_given_up_is_found(text):
    """The search above finds what it is for."""
    assert BANNED.search(text)


def test_guides_lead_to_the_glossary(root):
    """Site navigation and the pages on which a newcomer begins link to the glossary."""
    begun = ("user-guide.md", "first-game.md", "architecture.md", "contracts/README.md", "cookbook/README.md")

    assert [name for name in begun if "glossary.md)" not in (root / "docs" / name).read_text("utf-8")] == []
    assert "\nglossary\n" in (root / "docs" / "index.md").read_text("utf-8")
