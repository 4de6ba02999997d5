"""One question to a judge: the form of its answer, and reading that answer."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.agent import Refusal, RefusalKind
from arena.backend import Completion
from arena.record import JSON
from arena_agent_llm.replies.answer import read_object

from arena_metric_judge.dimension import Dimension, Scored
from arena_metric_judge.rubric import JUSTIFICATION, Rubric
from arena_metric_judge.subject import ScoredItem

SCORE: Final = "score"
WHY: Final = "justification"
MOST: Final = 20
"""The most things of one kind that may be found within one item."""


@attrs.frozen(kw_only=True)
class Score:
    """The score on one dimension, with its justification if the rubric asks for one.

    ``place`` is the name of what is scored within the subject of ``item``, empty for the subject itself.
    """

    dimension: Dimension
    value: Scored
    justification: str
    item: ScoredItem
    place: str


@attrs.frozen(kw_only=True)
class FoundItems:
    """Everything of one kind that a judge found within an item: what it noted about each."""

    item: ScoredItem
    kind: str
    notes: tuple[Mapping[str, JSON], ...]


@attrs.frozen(kw_only=True)
class Judgement:
    """All that an answer says: scores, and what was found."""

    scores: tuple[Score, ...] = ()
    found: tuple[FoundItems, ...] = ()


class _Misfit(Exception):
    """Why an answer does not have the form that was asked for."""


@attrs.frozen(kw_only=True)
class JudgeQuestion:
    """The form of an answer: scores of the only item if it has no label, or of each item under its label."""

    rubric: Rubric
    items: tuple[ScoredItem, ...]

    @property
    def is_plain(self) -> bool:
        """Whether the answer is the scores themselves."""
        return len(self.items) == 1 and not self.items[0].label

    def skeleton(self) -> str:
        """The form as a sample of JSON, for the prompt; of items of one kind with one form only the first is whole."""
        if self.is_plain:
            return json.dumps(self._sample(self.items[0]), ensure_ascii=False)
        shown: dict[tuple[str, tuple[Dimension, ...]], str] = {}
        sample: dict[str, Any] = {}
        for item in self.items:
            first = shown.setdefault((item.kind or item.label, item.dimensions), item.label)
            sample[item.label] = self._sample(item) if first == item.label else f"<as in {first!r}>"
        return json.dumps(sample, ensure_ascii=False)

    def _sample(self, item: ScoredItem) -> dict[str, Any]:
        inner = {kind: [self._samples(dimensions)] for kind, dimensions in item.found.items()}
        return self._samples(item.dimensions) | inner

    def _samples(self, dimensions: Sequence[Dimension]) -> dict[str, Any]:
        return {
            d.name: {WHY: "<one sentence>", SCORE: f"<{d.scale}>"} if self._is_justified(d) else f"<{d.scale}>"
            for d in dimensions
        }

    def schema(self) -> JSON:
        """The form as JSON schema; a justification precedes its score, so that the score follows from it."""
        if self.is_plain:
            return self._item_schema(self.items[0])
        return _table({item.label: self._item_schema(item) for item in self.items})

    def _item_schema(self, item: ScoredItem) -> JSON:
        inner: dict[str, JSON] = {
            kind: {"type": "array", "items": _table(self._schemas(dimensions)), "maxItems": MOST}
            for kind, dimensions in item.found.items()
        }
        return _table(self._schemas(item.dimensions) | inner)

    def _schemas(self, dimensions: Sequence[Dimension]) -> dict[str, JSON]:
        why: JSON = {"type": "string", "minLength": 1, "maxLength": JUSTIFICATION}
        return {
            d.name: _table({WHY: why, SCORE: d.schema()}) if self._is_justified(d) else d.schema() for d in dimensions
        }

    def read(self, completion: Completion) -> Judgement | Refusal:
        """All that the answer says, or why it is refused; one that breaks the form is illegal."""
        keys = _keys(self.items[0]) if self.is_plain else [item.label for item in self.items]
        value = read_object(completion, keys)
        if isinstance(value, Refusal):
            return value
        try:
            return self._understood(value)
        except _Misfit as problem:
            return Refusal(kind=RefusalKind.ILLEGAL, reason=str(problem))

    def _understood(self, value: JSON) -> Judgement:
        if self.is_plain:
            return self._item(value, self.items[0], "the scores")
        labels = [item.label for item in self.items]
        table, found = _fitting(value, labels, "the answer"), Judgement()
        for item in self.items:
            try:
                own = self._item(table[item.label], item, "the scores")
            except _Misfit as problem:
                raise _Misfit(f"{item.label}: {problem}") from None
            found = Judgement(scores=found.scores + own.scores, found=found.found + own.found)
        return found

    def _item(self, value: JSON, item: ScoredItem, what: str) -> Judgement:
        table = _fitting(value, _keys(item), what)
        scores = [self._score(table, d, item, item.place) for d in item.dimensions]
        found: list[FoundItems] = []
        for kind, dimensions in item.found.items():
            several = table[kind]
            if not isinstance(several, list) or len(cast("list[Any]", several)) > MOST:
                raise _Misfit(f"{kind}: expected a list of at most {MOST}")
            notes: list[Mapping[str, JSON]] = []
            for number, each in enumerate(cast("list[Any]", several), start=1):
                inner = _fitting(each, [d.name for d in dimensions], f"{kind} {number}")
                notes.append({d.name: _value(inner[d.name], d) for d in dimensions if d.note})
                place = found_place(item.place, kind, number)
                scores += [self._score(inner, d, item, place) for d in dimensions if not d.note]
            found.append(FoundItems(item=item, kind=kind, notes=tuple(notes)))
        return Judgement(scores=tuple(scores), found=tuple(found))

    def _score(self, table: Mapping[str, Any], d: Dimension, item: ScoredItem, place: str) -> Score:
        one, why = table[d.name], ""
        if self._is_justified(d):
            _fitting(one, (SCORE, WHY), d.name)
            one, why = one[SCORE], one[WHY]
        value = _value(one, d)
        if self._is_justified(d) and (not isinstance(why, str) or not why.strip()):
            raise _Misfit(f"{d.name}: expected a sentence as {WHY!r}")
        return Score(dimension=d, value=value, justification=why.strip(), item=item, place=place)

    def _is_justified(self, dimension: Dimension) -> bool:
        return self.rubric.justification and not dimension.note


def found_place(place: str, kind: str, number: int) -> str:
    """The name of something that was found within an item, counted from 1."""
    return f"{place}, {kind} {number}"


def _keys(item: ScoredItem) -> list[str]:
    return [*(dimension.name for dimension in item.dimensions), *item.found]


def _value(value: JSON, dimension: Dimension) -> Any:
    if problem := dimension.problem(value):
        raise _Misfit(problem)
    return value


def _fitting(value: JSON, keys: Sequence[str], what: str) -> Mapping[str, Any]:
    """The value as a table, if it is one with exactly these keys."""
    if not isinstance(value, Mapping):
        raise _Misfit(f"{what}: expected a table of {', '.join(keys)}")
    if missing := [key for key in keys if key not in value]:
        raise _Misfit(f"{what}: {missing[0]!r} is missing")
    if strangers := [key for key in value if key not in keys]:
        raise _Misfit(f"{what}: nobody asked for {str(strangers[0])[:40]!r}")
    return value


def _table(properties: Mapping[str, JSON]) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
