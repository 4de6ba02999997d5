"""Finds what a text claims about a thing it names: free, taken, held, to be played, or ruled out."""

import re
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args

import attrs
from arena.errors import ConfigError
from arena_agent_llm.data_files import DataFiles, check_keys, words_in

Claim: TypeAlias = Literal["free", "taken", "held", "intended", "rejected"]
CLAIMS: tuple[Claim, ...] = get_args(Claim)

DEFAULT = "english"
DATA_FILES = DataFiles("arena_metric_reasoning", "claims")
MATCH_S: Final = 1.0
"""Seconds that an expression may take for a sentence; the interpreter's lock is held meanwhile."""

REACH = 100
"""How many characters before and after a name are searched for a claim about it."""

_NAME = "\x00"
_END = re.compile(r"[.!?\n]")


@attrs.frozen(kw_only=True)
class Claims:
    """The regular expressions of one language, by claim."""

    version: str
    expressions: dict[Claim, tuple[Any, ...]]

    def about(self, text: str, start: int, end: int) -> frozenset[Claim]:
        """The claims that ``text`` makes, within one sentence, about the thing named from ``start`` to ``end``."""
        before, after = text[max(0, start - REACH) : start], text[end : end + REACH]
        before = before[max((m.end() for m in _END.finditer(before)), default=0) :]
        stop = _END.search(after)
        after = after[: stop.start()] if stop else after
        sentence = re.sub(r"\s+", " ", f"{before}{_NAME}{after}".replace("\u2019", "'"))
        return frozenset(c for c, ways in self.expressions.items() if any(_is_in(sentence, way) for way in ways))


@lru_cache
def load(name: str) -> Claims:
    """Load expressions by name, by path or from a package; ``ValueError`` says what is wrong with them."""
    table, version = DATA_FILES.table(name)
    check_keys(name, table, set(CLAIMS), {"summary"})
    return Claims(version=version, expressions={c: tuple(_compiled(name, c, table[c])) for c in CLAIMS})


def _is_in(sentence: str, way: Any) -> bool:
    try:
        return way.search(sentence, timeout=MATCH_S) is not None
    except TimeoutError:
        what = f"the expression {way.pattern.replace(_NAME, '{name}')!r} takes more than {MATCH_S:g} s for a sentence"
        raise ConfigError(f"{what}; write one that repeats nothing within a repetition") from None


def _compiled(name: str, claim: Claim, raw: object) -> list[Any]:
    import regex  # its import takes a tenth of a second

    found: list[Any] = []
    for text in words_in(name, claim, raw):
        if "{name}" not in text:
            raise ValueError(f"{name!r}: {claim}: {text!r} has no {{name}}")
        try:
            found.append(regex.compile(text.replace("{name}", _NAME), regex.IGNORECASE))
        except regex.error as error:
            raise ValueError(f"{name!r}: {claim}: {text!r} is no regular expression: {error}") from None
    return found


def check(_owner: object, _field: object, name: str) -> None:
    """Attrs validator for a parameter that names a set of expressions."""
    load(name)
