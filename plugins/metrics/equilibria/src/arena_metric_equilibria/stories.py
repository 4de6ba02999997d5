"""Shows the stories that were asked: the shares of their topics and the lengths of their scenarios."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

import attrs
from arena.metric import Measurements
from arena.tables import Column, Estimate, Figure, Table
from arena_game_two_by_two.story_games import TwoByTwoStory

STEP: Final = 10
"""How many words an interval of lengths has."""

OWN: Final = "own text"
"""The topic of stories that were given as a text, which name none."""


@attrs.frozen
class Told:
    """A story that was asked: its topic and how many words its scenario has."""

    topic: str
    words: int


def stories(table: Measurements) -> list[Told]:
    """The different stories of the games that were answered, in the order of the games' names."""
    games = (table.games.get(name) for name in sorted({row.game for row in table.rows_named("answer")}))
    own = (game for game in games if isinstance(game, TwoByTwoStory))
    asked = {(game.game, game.story, game.seed, game.situations, game.ranks, game.text): game for game in own}
    return [Told(game.topic or OWN, game.words) for game in asked.values()]


def story_table(told: Sequence[Told]) -> Table:
    """The topics with their shares of all stories and the lengths of their scenarios."""
    columns = (
        Column(name="topic", title="topic"),
        Column(name="stories", title="stories", style="count"),
        Column(name="share", title="share", style="share"),
        Column(name="words", title="mean words", style="number", unit="words"),
        Column(name="shortest", title="shortest", style="count", unit="words"),
        Column(name="longest", title="longest", style="count", unit="words"),
    )
    rows = [
        (topic, len(words), _share(len(words), len(told)), fmean(words), min(words), max(words))
        for topic, words in _by_topic(told).items()
    ]
    return Table(title="Stories by topic", columns=columns, rows=tuple(rows), note=_note(len(told)))


def story_figure(told: Sequence[Told]) -> Figure:
    """The shares of topics with the lengths, and with both together, beside them: figure 11 of TMGBench."""
    topics = _by_topic(told)
    return attrs.evolve(_shares(topics, len(told)), beside=(_lengths(told), _scatter(topics)))


def _note(count: int) -> str:
    return f"n={count} stories, each once, whoever was asked; all are counted, so there are no intervals."


def _by_topic(told: Sequence[Told]) -> Mapping[str, Sequence[int]]:
    """The lengths of each topic's stories; topics with the most stories come first."""
    topics: dict[str, list[int]] = defaultdict(list)
    for story in told:
        topics[story.topic].append(story.words)
    return dict(sorted(topics.items(), key=lambda entry: (-len(entry[1]), entry[0])))


def _share(count: int, of: int) -> Estimate:
    """An exact share of all stories, which needs no interval."""
    return Estimate(value=count / of, n=of, unit="stories")


def _shares(topics: Mapping[str, Sequence[int]], of: int) -> Figure:
    return Figure(
        kind="bar",
        title="Topics of stories",
        x=tuple(topics),
        series={"share": tuple(_share(len(words), of) for words in topics.values())},
        y_title="share of stories",
        note=_note(of),
    )


def _lengths(told: Sequence[Told]) -> Figure:
    found = Counter(story.words // STEP for story in told)
    steps = range(min(found), max(found) + 1)
    return Figure(
        kind="bar",
        title="Lengths of scenarios",
        x=tuple(f"{STEP * step} to {STEP * (step + 1) - 1}" for step in steps),
        series={"share": tuple(_share(found[step], len(told)) for step in steps)},
        x_title="words",
        y_title="share of stories",
        note=_note(len(told)),
    )


def _scatter(topics: Mapping[str, Sequence[int]]) -> Figure:
    points = [(topic, count) for topic, words in topics.items() for count in words]
    return Figure(
        kind="scatter",
        title="Lengths of scenarios by topic",
        x=tuple(topic for topic, _ in points),
        series={"words": tuple(float(count) for _, count in points)},
        y_title="words",
        unit="words",
        note=f"Each point is a story, n={len(points)}; stories of one topic and one length lie on one point.",
    )
