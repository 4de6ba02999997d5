import re
from pathlib import Path

from arena_game_two_by_two.told import TwoByTwoStory
from arena_suite_tmgbench import sample
from arena_suite_tmgbench.records import digest, drawn, record

REVIEW = Path(__file__).parents[4] / "reviews" / "stories.md"
PAGES = Path(__file__).parents[4] / "docs" / "suites"


def test_the_pages_are_current():
    """The pages in the documentation show the stories as they are composed."""
    assert (PAGES / "tmgbench-stories.md").read_text(encoding="utf-8") == sample.page()
    assert (PAGES / "tmgbench-situation-stories.md").read_text(encoding="utf-8") == sample.situations_page()


def test_the_reviewed_stories_are_those_of_today():
    """The sixty in the review are those that seed 1 draws, and what was read is what is told.

    Whoever changes one of these texts reads it again, and writes the digest and what was mended into the review.
    """
    reviewed = re.findall(r"^## (\d{3})/(\d) `(\w{12})` (\w+)$", REVIEW.read_text(encoding="utf-8"), re.MULTILINE)

    assert [(game, int(number)) for game, number, _, _ in reviewed] == drawn(60, seed=1)
    assert {mark for *_, mark in reviewed} <= {"natural", "mend", "reject"}
    assert {f"{game}/{number}": read for game, number, read, _ in reviewed} == {
        f"{game}/{number}": digest(record(TwoByTwoStory(game, number, 1))["scenario"])
        for game, number in drawn(60, seed=1)
    }
