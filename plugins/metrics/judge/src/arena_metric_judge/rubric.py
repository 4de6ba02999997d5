"""Rubrics from data files: what is scored on which scales, and the prompt."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from arena.record import JSON
from arena_agent_llm.data_files import DataFiles, check_keys, short_name

DATA_FILES = DataFiles("arena_metric_judge", "rubrics")
PLACES: Final = ("game", "rules", "players", "story", "player", "turn", "dimensions", "answer")
Per: TypeAlias = Literal["turn", "player", "match"]
JUSTIFICATION: Final = 400
"""The longest justification in characters, if the backend enforces a schema."""

_PLACE = re.compile(r"\{(" + "|".join(PLACES) + r")\}")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@attrs.frozen(kw_only=True)
class Dimension:
    """One thing that is scored, from ``low`` to ``high``.

    Scores are whole numbers if ``whole``, true or false if ``boolean``, otherwise any number in between.
    """

    name: str
    title: str
    meaning: str
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    boolean: bool = False

    @property
    def scale(self) -> str:
        """The scale in words, for the prompt."""
        if self.boolean:
            return "true or false"
        return f"a {'whole ' if self.whole else ''}number from {self.low:g} to {self.high:g}"

    def schema(self) -> JSON:
        """The JSON schema of a score."""
        if self.boolean:
            return {"type": "boolean"}
        low, high = (int(self.low), int(self.high)) if self.whole else (self.low, self.high)
        return {"type": "integer" if self.whole else "number", "minimum": low, "maximum": high}

    def problem(self, score: JSON) -> str:
        """Why ``score`` is not a score of the dimension, or an empty text."""
        if self.boolean:
            is_right = isinstance(score, bool)
        else:
            kinds = (int,) if self.whole else (int, float)
            is_right = isinstance(score, kinds) and not isinstance(score, bool)
            is_right = is_right and self.low <= cast("float", score) <= self.high
        return "" if is_right else f"{self.name}: expected {self.scale}, got {json.dumps(score)[:80]}"


@attrs.frozen(kw_only=True)
class Rubric:
    """What is scored of each turn, of each player, or of a whole match, and the prompt for it.

    ``sees`` says whether a turn is judged from the match so ``far`` or from the ``whole`` match; ``reasoning`` whether
    the judge is shown the private reasoning of players.
    """

    name: str
    version: str
    per: Per
    sees: Literal["far", "whole"]
    reasoning: bool
    system: str
    user: str
    dimensions: Mapping[str, Dimension]

    def filled(self, values: Mapping[str, str]) -> str:
        """The prompt with its placeholders filled in; placeholders within ``values`` stay."""
        return _PLACE.sub(lambda match: values.get(match[1], ""), self.user)

    def described(self) -> str:
        """The dimensions with their scales in words, for the prompt."""
        return "\n".join(f"- {d.name} ({d.scale}): {d.meaning}" for d in self.dimensions.values())


@lru_cache
def load(name: str) -> Rubric:
    """Load a rubric by name, by path or from a package; ``ValueError`` says what is wrong with it."""
    table, version = DATA_FILES.table(name)
    check_keys(name, table, {"per", "system", "user", "dimensions"}, {"summary", "sees", "reasoning"})
    for key, known in {
        "per": ("turn", "player", "match"),
        "sees": ("far", "whole"),
        "reasoning": (True, False),
    }.items():
        if key in table and table[key] not in known:
            raise ValueError(f"{name!r}: {key!r}: expected one of {', '.join(map(str, known))}, got {table[key]!r}")
    for key in ("system", "user"):
        if not isinstance(table[key], str) or not table[key].strip():
            raise ValueError(f"{name!r}: {key!r}: expected a text, got {table[key]!r}")
    needed = ("dimensions", "answer", "story", *(("turn", "player") if table["per"] == "turn" else ()))
    for place in needed:
        if f"{{{place}}}" not in table["user"]:
            raise ValueError(f"{name!r}: 'user' has no {{{place}}}, so the judge would not see it")
    raw = table["dimensions"]
    if not isinstance(raw, Mapping) or not raw:
        raise ValueError(f"{name!r}: 'dimensions': expected a table, got {raw!r}")
    return Rubric(
        name=short_name(name),
        version=version,
        per=table["per"],
        sees=table.get("sees", "far" if table["per"] == "turn" else "whole"),
        reasoning=table.get("reasoning", True),
        system=table["system"].strip(),
        user=table["user"].strip(),
        dimensions={key: _dimension(name, key, value) for key, value in raw.items()},
    )


def check(_owner: object, _field: object, name: str) -> None:
    """Attrs validator for a parameter that names a rubric."""
    load(name)


def _dimension(rubric: str, name: str, raw: Any) -> Dimension:
    where = f"dimensions.{name}"
    if not _NAME.fullmatch(name) or not isinstance(raw, Mapping):
        raise ValueError(f"{rubric!r}: {where}: expected a table under a name such as fair-play, got {raw!r}")
    check_keys(f"{rubric}: {where}", raw, {"scale", "meaning"}, {"title", "whole"})
    if not isinstance(raw["meaning"], str) or not raw["meaning"].strip():
        raise ValueError(f"{rubric!r}: {where}.meaning: expected a text, got {raw['meaning']!r}")
    told = Dimension(name=name, title=str(raw.get("title", name)), meaning=raw["meaning"].strip())
    scale, whole = raw["scale"], raw.get("whole", False)
    if scale == "boolean":
        return attrs.evolve(told, boolean=True)
    is_range = isinstance(scale, list) and len(scale) == 2 and all(type(end) in (int, float) for end in scale)
    if not is_range or scale[0] >= scale[1] or not isinstance(whole, bool):
        raise ValueError(f"{rubric!r}: {where}.scale: expected boolean or [LOWEST, HIGHEST], got {scale!r}")
    if whole and not all(type(end) is int for end in scale):
        raise ValueError(f"{rubric!r}: {where}.scale: a whole scale has whole ends, got {scale!r}")
    return attrs.evolve(told, low=float(scale[0]), high=float(scale[1]), whole=whole)
