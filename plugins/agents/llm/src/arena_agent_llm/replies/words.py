"""The words around an answer that may take it away, from one data file for each language."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import attrs

from arena_agent_llm.data_files import DataFiles, check_keys, words_in

FILES: Final = DataFiles("arena_agent_llm", "answer_words")
"""One file for each language; a file more is a language more."""

LISTS: Final = (
    "announce", "first-person", "mine", "filler", "own", "negation", "condition", "question", "example", "past",
    "other", "harmless", "no", "withdraw-first", "withdraw", "refuted", "it", "offer", "better", "than", "answer-keys",
    "answer-key-parts",
)  # fmt: skip
"""The lists that every language has; ``docs/answers.md`` says what each does."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|[\s-]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@attrs.frozen(kw_only=True)
class Words:
    """Patterns of the words of all languages; texts are normalised by ``plain`` before they are searched.

    ``disqualifying`` are the lists that a lead-in must not touch, each with the word for it in a reason.
    """

    announce: re.Pattern[str]
    announced: re.Pattern[str]
    verb: re.Pattern[str]
    mine: re.Pattern[str]
    somebody_elses: re.Pattern[str]
    harmless: re.Pattern[str]
    question: re.Pattern[str]
    disqualifying: Mapping[str, re.Pattern[str]]
    no: re.Pattern[str]
    withdraw_first: re.Pattern[str]
    withdraw: re.Pattern[str]
    refuted: re.Pattern[str]
    it_before: re.Pattern[str]
    offer: re.Pattern[str]
    offer_first: re.Pattern[str]
    better: re.Pattern[str]
    than: re.Pattern[str]
    answer_keys: frozenset[str]
    answer_key_parts: frozenset[str]

    def names_an_answer(self, key: str) -> bool:
        """Whether a key of an object is another name for an answer, such as ``final_move``."""
        parts = _HUMP.sub("_", key).casefold().split("_")
        named = [part for part in parts if part in self.answer_keys]
        return len(named) == 1 and all(part in self.answer_key_parts for part in parts if part not in named)


def plain(text: str) -> str:
    """Lower the case of ``text`` and write every apostrophe alike, so that words can be compared."""
    return text.casefold().replace("\u2019", "'").replace("\u2018", "'")


def any_of(words: Iterable[str], before: str = "", after: str = "") -> re.Pattern[str]:
    """A pattern of any of these words, the longest first; it matches nothing if there is none.

    A word stands between gaps, unless its language writes none.
    """
    spaced = "|".join(_pattern(word) for word in _longest_first(words) if not _UNSPACED.search(word))
    unspaced = "|".join(re.escape(word) for word in _longest_first(words) if _UNSPACED.search(word))
    choices = [rf"(?<!\w)(?:{spaced})" if spaced else "", unspaced]
    found = "|".join(filter(None, choices))
    return re.compile(rf"{before}(?:{found}){after}" if found else r"(?!)")


@cache
def words() -> Words:
    """All lists of all languages; the files are read once."""
    lists: dict[str, list[str]] = {name: [] for name in LISTS}
    for language in FILES.names():
        for name, found in _read(language).items():
            lists[name] += found
    own = "|".join(map(re.escape, _longest_first(lists["own"])))
    named = any_of(lists["announce"]).pattern
    filler = rf"(?:{any_of(lists['filler']).pattern}\s*|[\s:\uff1a\"'`*_\-])*\Z"
    verbs = [word for word in lists["announce"] if " " in word or _UNSPACED.search(word)]
    return Words(
        announce=any_of(lists["announce"]),
        announced=any_of([*lists["announce"], *lists["first-person"]], after=filler),
        mine=any_of(lists["mine"]),
        verb=any_of(verbs, after=r"[\s\"'`*_]*\Z"),
        somebody_elses=re.compile(rf"(?<!\w)(?!(?:{own})'s)\w+'s\s+(?:\w+\s+){{0,2}}?{named}"),
        harmless=any_of(lists["harmless"]),
        question=any_of(lists["question"], before=r"^\W*"),
        disqualifying={name: any_of(lists[name]) for name in ("negation", "condition", "example", "past", "other")},
        no=any_of(lists["no"], before=r"^\W*", after=r"\s*(?:[,.:;!\u2013\u2014\uff0c\u3002\uff01-]|\Z)"),
        withdraw_first=any_of(lists["withdraw-first"], before=r"^\W*"),
        withdraw=any_of(lists["withdraw"]),
        refuted=any_of(lists["refuted"]),
        it_before=any_of(lists["it"], after=r"[\s\"'`*_]*\Z"),
        offer=any_of(lists["offer"]),
        offer_first=any_of(lists["offer"], before=r"^\W*"),
        better=any_of(lists["better"]),
        than=any_of(lists["than"]),
        answer_keys=frozenset(lists["answer-keys"]),
        answer_key_parts=frozenset(lists["answer-key-parts"]),
    )


def _read(language: str) -> Mapping[str, tuple[str, ...]]:
    table: Mapping[str, Any]
    table, _ = FILES.table(language)
    check_keys(language, table, set(LISTS), set())
    return {name: tuple(map(plain, words_in(language, name, table[name]))) if table[name] else () for name in LISTS}


def _longest_first(words: Iterable[str]) -> list[str]:
    return sorted(set(words), key=lambda word: (-len(word), word))


def _pattern(word: str) -> str:
    ending = "" if word.endswith("'") else r"(?!\w)"
    return r"\s+".join(map(re.escape, word.split())) + ending
