"""Measurements sorted by form, guise and agent."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

import attrs
from arena.metric import Row
from arena_game_two_by_two.matrix import Choices

from arena_metric_equilibria.scores import Answer

WHOLE: Final = ("classic", "story")
"""The forms that ask about the whole topology, one game at a time."""


class Key(NamedTuple):
    """What answers are sorted by; ``guise`` is empty for the question in its original names."""

    form: str
    guise: str
    agent: str


@attrs.define
class Group:
    """The answers of one agent to one form of question, by game and by story."""

    key: Key
    answers: dict[str, list[Answer]] = attrs.field(factory=dict)
    stories: dict[tuple[str, int], list[bool]] = attrs.field(factory=dict)

    @property
    def form(self) -> str:
        """``classic`` or ``story``, or one of the complex forms."""
        return self.key.form

    @property
    def guise(self) -> str:
        """What was exchanged."""
        return self.key.guise

    @property
    def agent(self) -> str:
        """Who answered."""
        return self.key.agent

    @property
    def given(self) -> list[Answer]:
        """All answers."""
        return [answer for answers in self.answers.values() for answer in answers]


def groups(rows: Iterable[Row]) -> dict[Key, Group]:
    """The answers to single questions about equilibria, by form, guise and agent, in this order."""
    found: dict[Key, Group] = {}
    for row in rows:
        detail = cast("Mapping[str, Any]", row.detail)
        if detail["form"] not in WHOLE:
            continue
        guise = ", ".join(detail.get("exchange", ()))
        key = Key(detail["form"], guise, row.agent or "")
        group = found.setdefault(key, Group(key))
        named = detail["named"]
        group.answers.setdefault(detail["game"], []).append(None if named is None else Choices(named))
        if "story" in detail:
            group.stories.setdefault((detail["game"], detail["story"]), []).append(bool(row.value))
    return dict(sorted(found.items()))


class Form(NamedTuple):
    """A form of several questions, how many they were, and who answered."""

    form: str
    questions: int
    agent: str


def examinations(rows: Iterable[Row]) -> dict[Form, list[Row]]:
    """The matches of all other forms."""
    found: dict[Form, list[Row]] = defaultdict(list)
    for row in rows:
        detail = cast("Mapping[str, Any]", row.detail)
        if detail["form"] not in WHOLE:
            found[Form(detail["form"], detail["questions"], row.agent or "")].append(row)
    return dict(sorted(found.items()))


def plays(rows: Iterable[Row]) -> dict[str, dict[str, list[Row]]]:
    """The matches that were played for payoffs, by pairing and game."""
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[", ".join(row.agents)][cast("Mapping[str, Any]", row.detail)["game"]].append(row)
    return {pairing: dict(games) for pairing, games in sorted(found.items())}
