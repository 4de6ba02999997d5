"""One question to a judge: the form of its answer, and reading that answer."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from arena.backend import Completion, Message
from arena.record import JSON, Player
from arena_agent_llm.answer import object_in

from arena_metric_judge.rubric import JUSTIFICATION, Dimension, Rubric

SCORE: Final = "score"
WHY: Final = "justification"


@attrs.frozen(kw_only=True)
class Score:
    """The score on one dimension with its justification; ``player`` is ``None`` unless players are scored together."""

    dimension: str
    value: float | bool
    justification: str
    player: Player | None = None


@attrs.frozen(kw_only=True)
class JudgeQuestion:
    """The form of an answer: scores by dimension, or for each of ``seats`` such scores if seats are given."""

    rubric: Rubric
    seats: Mapping[str, Player] = attrs.field(factory=dict[str, Player])

    def skeleton(self) -> str:
        """The form as a sample of JSON, for the prompt."""
        one = {name: {WHY: "<one sentence>", SCORE: f"<{d.scale}>"} for name, d in self.rubric.dimensions.items()}
        return json.dumps(dict.fromkeys(self.seats, one) if self.seats else one, ensure_ascii=False)

    def schema(self) -> JSON:
        """The form as JSON schema; the justification precedes the score, so that the score follows from it."""
        one = _table({name: _scored(dimension) for name, dimension in self.rubric.dimensions.items()})
        return _table(dict.fromkeys(self.seats, one)) if self.seats else one

    def read(self, completion: Completion, asked: Sequence[Message] = ()) -> tuple[tuple[Score, ...], str]:
        """All scores in the answer to ``asked`` and an empty text; or no scores and what is wrong with the answer."""
        value, problem = object_in(completion, tuple(self.seats or self.rubric.dimensions), asked)
        if problem:
            return (), problem
        if not self.seats:
            return self._scores(value, None)
        if problem := _fits(value, self.seats, "the answer"):
            return (), problem
        found: list[Score] = []
        for seat, player in self.seats.items():
            scores, problem = self._scores(value[seat], player)
            if problem:
                return (), f"{seat}: {problem}"
            found += scores
        return tuple(found), ""

    def _scores(self, value: JSON, player: Player | None) -> tuple[tuple[Score, ...], str]:
        dimensions = self.rubric.dimensions
        if problem := _fits(value, dimensions, "the scores"):
            return (), problem
        assert isinstance(value, Mapping)
        found: list[Score] = []
        for name, dimension in dimensions.items():
            one: Any = value[name]
            if problem := _fits(one, (SCORE, WHY), name) or dimension.problem(one[SCORE]):
                return (), problem
            if not isinstance(one[WHY], str) or not one[WHY].strip():
                return (), f"{name}: expected a sentence as {WHY!r}"
            found.append(Score(dimension=name, value=one[SCORE], justification=one[WHY].strip(), player=player))
        return tuple(found), ""


def _fits(value: JSON, keys: Any, what: str) -> str:
    """Why ``value`` is not an object with exactly these keys, or an empty text."""
    if not isinstance(value, Mapping):
        return f"{what}: expected a table of {', '.join(keys)}"
    if missing := [key for key in keys if key not in value]:
        return f"{what}: {missing[0]!r} is missing"
    strangers = [key for key in value if key not in keys]
    return f"{what}: nobody asked for {strangers[0][:40]!r}" if strangers else ""


def _scored(dimension: Dimension) -> JSON:
    why: JSON = {"type": "string", "minLength": 1, "maxLength": JUSTIFICATION}
    return _table({WHY: why, SCORE: dimension.schema()})


def _table(properties: Mapping[str, JSON]) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
