import re
from pathlib import Path

import pytest
from arena_game_two_by_two.story_games import TwoByTwoStory
from arena_suite_tmgbench.records import digest, drawn, record

REVIEW = Path(__file__).parents[1] / "reviews.md"


@pytest.mark.parametrize(("level", "count", "seed"), [("##", 60, 1), ("###", 40, 2), ("####", 30, 3)])
def test_the_reviewed_stories_are_those_of_today(level, count, seed):
    """The stories in the review are those that the seeds draw, and what was read is what is told.

    Whoever changes one of these texts reads it again, and writes the digest and what was mended into the review.
    """
    heading = rf"^{level} (\d{{3}})/(\d) `(\w{{12}})` (\w+)$"
    reviewed = re.findall(heading, REVIEW.read_text(encoding="utf-8"), re.MULTILINE)

    assert [(game, int(number)) for game, number, _, _ in reviewed] == drawn(count, seed)
    assert {mark for *_, mark in reviewed} <= {"natural", "mend", "reject"}
    assert {f"{game}/{number}": read for game, number, read, _ in reviewed} == {
        f"{game}/{number}": digest(record(TwoByTwoStory(game, number, seed))["scenario"])
        for game, number in drawn(count, seed)
    }
