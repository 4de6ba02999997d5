"""Names of agents: what they may hold, and what the variants of one agent are called.

Nothing is ever found out about an agent from its name. What it is stands in its configuration; see ``Variant``.
"""

import json
import re
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any, Final
from unicodedata import normalize

import attrs

LONGEST_NAME: Final = 100
"""The most characters of a name."""

LONGEST_LEVEL: Final = 40
"""The most characters of a parameter's value within a name; a longer one is there as a short digest."""

OF_PROMPTS: Final = ("prompt.style", "prompt.form", "style", "form")
"""The parameters that decide in which words and in which form an agent is shown a position."""

_SHORT: Final[Mapping[str, str]] = {"temperature": "t"}
"""Parameters that have a shorter word in tables and papers."""

_COMMA: Final = re.compile(r",(?! )")
"""Matches a comma that has no space behind it; a name begins with no space, so others are inside of a name."""


def name_fault(name: str) -> str | None:
    """Why this is no name of an agent, as the end of a sentence that begins with "a name"; ``None`` if it is one.

    It may hold spaces, commas, brackets and letters of any language.
    """
    if not name or name != name.strip():
        return "has at least one character, and no space at its ends"
    if len(name) > LONGEST_NAME:
        return f"has at most {LONGEST_NAME} characters"
    if "/" in name or "  " in name or not name.isprintable():
        return "holds no '/', no two spaces in a row and nothing that cannot be seen"
    if name != normalize("NFC", name):
        return "is written in composed characters (Unicode NFC), so that no two look alike"
    return None


def split_names(text: str) -> tuple[str, ...]:
    """The names that ``arena.schedule.joined_names`` put into a text."""
    return tuple(name.replace("%2C", ",").replace("%25", "%") for name in _COMMA.split(text))


def variant_name(entry: str, levels: Mapping[str, Any]) -> str:
    """The name of a variant of an entry: its own with what differs in brackets, as ``alpha (direct, t=0.7)``.

    ``levels`` are values of parameters by dotted path. A text stands for itself, a flag is named or denied, any other
    value stands behind its parameter's name.
    """
    told = ", ".join(level_word(path, value) for path, value in levels.items())
    return f"{entry} ({told})" if told else entry


def level_word(path: str, value: Any) -> str:
    """The value of a parameter as it tells an agent from others: ``direct``, ``t=0.7``, ``no tools``."""
    last = path.rpartition(".")[2].replace("_", "-")
    if isinstance(value, bool):
        return last if value else f"no {last}"
    if value is None:
        return f"default {last}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    short = normalize("NFC", " ".join(text.replace("/", ":").split()))
    if not short.isprintable() or not 0 < len(short) <= LONGEST_LEVEL:
        short = f"#{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
    elif isinstance(value, str):
        return short
    return f"{_SHORT.get(last, last)}={short}"


@attrs.frozen(kw_only=True)
class Variant:
    """One of several agents that were made of one entry of a benchmark, as its configuration says.

    ``name`` is that of the agent. ``levels`` are the values in which the variants of ``entry`` differ, by dotted path
    (``prompt.style``).
    """

    name: str
    entry: str
    levels: Mapping[str, Any] = attrs.field(factory=dict[str, Any])

    @property
    def prompt(self) -> str:
        """The values in which its prompt differs, with commas between them; empty if that is the same in all."""
        return ", ".join(str(self.levels[path]) for path in OF_PROMPTS if path in self.levels)

    def without(self, paths: Collection[str]) -> "Variant":
        """What it is together with those that differ in these parameters, or in what is below them, alone."""
        left = {
            path: value
            for path, value in self.levels.items()
            if not any(path == other or path.startswith(f"{other}.") for other in paths)
        }
        if len(left) == len(self.levels):
            return self
        return attrs.evolve(self, name=variant_name(self.entry, left), levels=left)
