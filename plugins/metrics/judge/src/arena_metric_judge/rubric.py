"""Rubrics from data files: what is scored on which scales, and the prompt."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

import attrs
from arena_agent_llm.data_files import DataFiles, check_keys, short_name

from arena_metric_judge.dimension import Dimension, read_dimension
from arena_metric_judge.round_rules import KEYS, RoundRules, read_rules

DATA_FILES = DataFiles("arena_metric_judge", "rubrics")
PLACES: Final = ("game", "rules", "players", "story", "player", "turn", "round", "dimensions", "answer")
Per: TypeAlias = Literal["turn", "player", "match", "round"]
Sees: TypeAlias = Literal["far", "whole", "round"]
Reasoning: TypeAlias = bool | Literal["all"]
JUSTIFICATION: Final = 400
"""The longest justification in characters, if the backend enforces a schema."""

_PLACE = re.compile(r"\{(" + "|".join(PLACES) + r")\}")
_USUAL: Final[Mapping[Per, Sees]] = {"turn": "far", "player": "whole", "match": "whole", "round": "round"}


@attrs.frozen(kw_only=True)
class Rubric:
    """What is scored of each turn, player, match or round, and the prompt for it.

    ``sees`` says whether a turn or round is judged from the match so ``far``, from the ``whole`` match, or a round by
    itself. ``reasoning`` says whether the judge is shown what players said to themselves about their actions, or
    ``"all"`` that led to them: look-ups with their answers, notes of roles, refused answers, and thoughts beside each.
    ``justification`` says whether each score needs one. ``rounds`` is set where a round is scored.
    """

    name: str
    version: str
    per: Per
    sees: Sees
    reasoning: Reasoning
    system: str
    user: str
    dimensions: Mapping[str, Dimension]
    justification: bool = True
    rounds: RoundRules | None = None

    def of(self, kind: str) -> tuple[Dimension, ...]:
        """The dimensions of items of one kind, notes included; those of the subject itself for the empty text."""
        return tuple(dimension for dimension in self.dimensions.values() if dimension.of == kind)

    @property
    def is_of_all(self) -> bool:
        """Whether one question about a round scores all players as a whole, and not what they did in it one by one."""
        return self.rounds is not None and self.rounds.players == "all" and not self.rounds.items

    @property
    def scored(self) -> Mapping[str, Dimension]:
        """The dimensions without those that are notes."""
        return {name: dimension for name, dimension in self.dimensions.items() if not dimension.note}

    def filled(self, values: Mapping[str, str]) -> str:
        """The prompt with its placeholders filled in; placeholders within ``values`` stay."""
        return _PLACE.sub(lambda match: values.get(match[1], ""), self.user)

    def described(self) -> str:
        """The dimensions with their scales in words, for the prompt; by kind of item where there are items."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield from (_line(dimension) for dimension in self.of(""))
        kinds = self.rounds.items if self.rounds else {}
        for kind in kinds.values():
            where = f", any number of them within {kinds[kind.within].title}" if kind.within else ""
            yield f"Of {kind.title}{where}:"
            yield from (_line(dimension) for dimension in self.of(kind.name))


def _line(dimension: Dimension) -> str:
    return f"- {dimension.name} ({dimension.scale}): {dimension.meaning}"


@lru_cache
def load(name: str) -> Rubric:
    """Load a rubric by name, by path or from a package; ``ValueError`` says what is wrong with it."""
    table, version = DATA_FILES.table(name)
    optional = {"summary", "sees", "reasoning", "justification"} | (KEYS if table.get("per") == "round" else set())
    check_keys(name, table, {"per", "system", "user", "dimensions"}, optional)
    per = table["per"]
    for key, known in {
        "per": tuple(_USUAL),
        "sees": ("far", "whole", *(("round",) if per == "round" else ())),
        "reasoning": (True, False, "all"),
        "justification": (True, False),
    }.items():
        if key in table and table[key] not in known:
            raise ValueError(f"{name!r}: {key!r}: expected one of {', '.join(map(str, known))}, got {table[key]!r}")
    for key in ("system", "user"):
        if not isinstance(table[key], str) or not table[key].strip():
            raise ValueError(f"{name!r}: {key!r}: expected a text, got {table[key]!r}")
    rounds = read_rules(name, table) if per == "round" else None
    for place in _needed(per, rounds):
        if f"{{{place}}}" not in table["user"]:
            raise ValueError(f"{name!r}: 'user' has no {{{place}}}, so the judge would not see it")
    raw = table["dimensions"]
    if not isinstance(raw, Mapping) or not raw:
        raise ValueError(f"{name!r}: 'dimensions': expected a table, got {raw!r}")
    dimensions = {key: read_dimension(name, key, value) for key, value in raw.items()}
    for dimension in dimensions.values():
        _check_kind(name, dimension, rounds)
    return Rubric(
        name=short_name(name),
        version=version,
        per=per,
        sees=table.get("sees", _USUAL[per]),
        reasoning=table.get("reasoning", True),
        justification=table.get("justification", True),
        system=table["system"].strip(),
        user=table["user"].strip(),
        dimensions=dimensions,
        rounds=rounds,
    )


def check(_owner: object, _field: object, name: str) -> None:
    """Attrs validator for a parameter that names a rubric."""
    load(name)


def _needed(per: Any, rounds: RoundRules | None) -> tuple[str, ...]:
    if per == "turn":
        return ("dimensions", "answer", "story", "turn", "player")
    one = rounds is not None and rounds.players == "one"
    return ("dimensions", "answer", "story", *(("player",) if one else ()))


def _check_kind(rubric: str, dimension: Dimension, rounds: RoundRules | None) -> None:
    """Raise ``ValueError`` where a dimension is of no item though the rubric has items, or of one that is not there."""
    kinds = tuple(rounds.items) if rounds else ()
    if dimension.of and not kinds:
        raise ValueError(f"{rubric!r}: dimensions.{dimension.name}.of: the rubric has no 'items'")
    if kinds and dimension.of not in kinds:
        raise ValueError(
            f"{rubric!r}: dimensions.{dimension.name}.of: expected one of {', '.join(kinds)}, got {dimension.of!r}"
        )
    if dimension.needs and not (rounds and kinds and rounds.items[dimension.of].event):
        raise ValueError(f"{rubric!r}: dimensions.{dimension.name}.needs: only items that are in events can have it")
    if dimension.note and not (rounds and kinds and rounds.items[dimension.of].within):
        raise ValueError(
            f"{rubric!r}: dimensions.{dimension.name}.scale: {dimension.note} is for what a judge finds within items"
        )
