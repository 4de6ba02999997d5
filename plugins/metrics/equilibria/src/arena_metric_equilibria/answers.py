"""Groups measurements by form of question, renaming and agent."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

import attrs
from arena.metric import MeasurementRow
from arena_game_two_by_two.matrix import Choices

from arena_metric_equilibria.scores import Answer

WHOLE: Final = ("classic", "story")
"""How the names of forms begin that ask about every game of the topology, one game per match."""


def is_whole(form: str) -> bool:
    """Whether a form asks about every game of the topology, one game per match."""
    return form.split("-")[0] in WHOLE


class Key(NamedTuple):
    """What answers are grouped by; ``exchange`` is empty for questions in the original names."""

    form: str
    exchange: str
    agent: str


@attrs.define
class AnswerGroup:
    """The answers of one agent to one form of question, by game and by story."""

    key: Key
    answers: dict[str, list[Answer]] = attrs.field(factory=dict)
    stories: dict[tuple[str, int], list[bool]] = attrs.field(factory=dict)

    @property
    def form(self) -> str:
        """The form of the questions, such as ``classic`` or ``story``."""
        return self.key.form

    @property
    def exchange(self) -> str:
        """The names that were exchanged, separated by commas; empty for the original."""
        return self.key.exchange

    @property
    def agent(self) -> str:
        """The agent that gave the answers."""
        return self.key.agent

    @property
    def given(self) -> list[Answer]:
        """The answers to all games in one list."""
        return [answer for answers in self.answers.values() for answer in answers]


def groups(rows: Iterable[MeasurementRow]) -> dict[Key, AnswerGroup]:
    """The answers to single questions about equilibria, sorted by form, renaming and agent."""
    found: dict[Key, AnswerGroup] = {}
    for row in rows:
        detail = cast("Mapping[str, Any]", row.detail)
        if not is_whole(detail["form"]):
            continue
        exchange = ", ".join(detail.get("exchange", ()))
        key = Key(detail["form"], exchange, row.agent or "")
        group = found.setdefault(key, AnswerGroup(key))
        named = detail["named"]
        group.answers.setdefault(detail["game"], []).append(None if named is None else Choices(named))
        if "story" in detail:
            group.stories.setdefault((detail["game"], detail["story"]), []).append(bool(row.value))
    return dict(sorted(found.items()))


class Form(NamedTuple):
    """A form with several questions per match, their number, and the agent that answered."""

    form: str
    questions: int
    agent: str


def examinations(rows: Iterable[MeasurementRow]) -> dict[Form, list[MeasurementRow]]:
    """The matches of all forms with several questions, grouped and sorted."""
    found: dict[Form, list[MeasurementRow]] = defaultdict(list)
    for row in rows:
        detail = cast("Mapping[str, Any]", row.detail)
        if not is_whole(detail["form"]):
            found[Form(detail["form"], detail["questions"], row.agent or "")].append(row)
    return dict(sorted(found.items()))


def plays(rows: Iterable[MeasurementRow]) -> dict[str, dict[str, list[MeasurementRow]]]:
    """The matches played for payoffs, by pairing and then by game."""
    found: dict[str, dict[str, list[MeasurementRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[", ".join(row.agents)][cast("Mapping[str, Any]", row.detail)["game"]].append(row)
    return {pairing: dict(games) for pairing, games in sorted(found.items())}
