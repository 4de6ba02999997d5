"""Loads the prompts with which a model is asked for the type of a reasoning, from data files."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache

import attrs
from arena_agent_llm.data_files import DataFiles, check_keys, short_name

from arena_metric_reasoning.lexicon import Lexicon

DEFAULT = "reasoning-type"
DATA_FILES = DataFiles("arena_metric_reasoning", "rubrics")
PLACES = ("categories", "none", "game", "action", "reasoning")

_PLACE = re.compile(r"\{(" + "|".join(PLACES) + r")\}")


@attrs.frozen(kw_only=True)
class ReasoningPrompt:
    """A prompt with placeholders, and the meaning of each category."""

    name: str
    version: str
    system: str
    user: str
    meanings: Mapping[str, str]

    def filled(self, lexicon: Lexicon, *, game: str, action: str, reasoning: str) -> str:
        """The question about one move; the player's words are quoted as JSON, and placeholders in them stay."""
        values = {
            "categories": "\n".join(f"- {name}: {self._meaning(lexicon, name)}" for name in lexicon.categories),
            "none": lexicon.none,
            "game": game,
            "action": json.dumps(action, ensure_ascii=False),
            "reasoning": json.dumps(reasoning, ensure_ascii=False),
        }
        return _PLACE.sub(lambda match: values[match[1]], self.user)

    def _meaning(self, lexicon: Lexicon, category: str) -> str:
        return self.meanings.get(category) or f"told by words such as {', '.join(lexicon.categories[category])}"


@lru_cache
def load(name: str) -> ReasoningPrompt:
    """Load a prompt by name, by path or from a package; ``ValueError`` says what is wrong with it."""
    table, version = DATA_FILES.table(name)
    check_keys(name, table, {"system", "user"}, {"summary", "meanings"})
    meanings = table.get("meanings") or {}
    for key, value in {"system": table["system"], "user": table["user"], **meanings}.items():
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{name!r}: {key!r}: expected a text, got {value!r}")
    for place in ("categories", "reasoning"):
        if f"{{{place}}}" not in table["user"]:
            raise ValueError(f"{name!r}: 'user' has no {{{place}}}, so the judge would not see it")
    return ReasoningPrompt(
        name=short_name(name),
        version=version,
        system=table["system"].strip(),
        user=table["user"].strip(),
        meanings=meanings,
    )


def check(_owner: object, _field: object, name: str) -> None:
    """Attrs validator for a parameter that names a prompt."""
    load(name)
