"""Loads lexicons: types of reasoning and the words that indicate them, from data files."""

import re
from collections.abc import Mapping
from functools import lru_cache

import attrs
from arena_agent_llm.data_files import ENDINGS, DataFiles, check_keys, short_name, words_in

DEFAULT = "board-game-arena"
DATA_FILES = DataFiles("arena_metric_reasoning", "lexicons")


@attrs.frozen(kw_only=True)
class Lexicon:
    """Categories of reasoning in order, each with its words, and the words that refer to the opponent.

    ``none`` is the label of a text that contains none of the words.
    """

    name: str
    version: str
    none: str
    categories: Mapping[str, tuple[str, ...]]
    opponent: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """All categories in order, then the label of texts without any of their words."""
        return (*self.categories, self.none)

    def matched(self, text: str) -> dict[str, list[str]]:
        """The words of each category that occur in the text, once each; categories without any are left out."""
        found = {
            category: [word for word in words if _expression(word).search(text)]
            for category, words in self.categories.items()
        }
        return {category: words for category, words in found.items() if words}

    def classify(self, text: str) -> str:
        """The category with the most different words in the text; ties go to the first in order."""
        found = self.matched(text)
        return max(found, key=lambda category: len(found[category])) if found else self.none

    def mentions_opponent(self, text: str) -> bool:
        """Whether the text contains a word for the opponent."""
        return any(_expression(word).search(text) for word in self.opponent)


@lru_cache(maxsize=4096)
def _expression(word: str) -> re.Pattern[str]:
    # White space of any length, since a phrase may be broken across lines.
    phrase = r"\s+".join(map(re.escape, word.split()))
    return re.compile(rf"(?<!\w){phrase}(?!\w)", re.IGNORECASE)


def load(name: str) -> Lexicon:
    """Load a lexicon by name, by path or from a package; ``ValueError`` says what is wrong with it."""
    if name.endswith(ENDINGS):
        return _read(name)
    return _shipped(name)


@lru_cache
def _shipped(name: str) -> Lexicon:
    return _read(name)


def _read(name: str) -> Lexicon:
    table, version = DATA_FILES.table(name)
    check_keys(name, table, {"categories"}, {"summary", "none", "opponent"})
    categories = table["categories"]
    if not isinstance(categories, Mapping) or not categories:
        raise ValueError(f"{name!r}: 'categories': expected a table of lists of words, got {categories!r}")
    none = str(table.get("none", "Uncategorized"))
    if none in categories:
        raise ValueError(f"{name!r}: {none!r} is a category and the label of texts without one; rename one of them")
    return Lexicon(
        name=short_name(name),
        version=version,
        none=none,
        categories={str(key): words_in(name, f"categories.{key}", words) for key, words in categories.items()},
        opponent=words_in(name, "opponent", table["opponent"]) if "opponent" in table else (),
    )


def check(_owner: object, _field: object, name: str) -> None:
    """Attrs validator for a parameter that names a lexicon."""
    load(name)
