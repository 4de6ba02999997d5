from pathlib import Path

from arena_suite_tmgbench import sample

PAGES = Path(__file__).parents[4] / "docs" / "suites"


def test_the_pages_are_current():
    """The pages in the documentation show the stories as they are composed."""
    assert (PAGES / "tmgbench-stories.md").read_text(encoding="utf-8") == sample.page()
    assert (PAGES / "tmgbench-situation-stories.md").read_text(encoding="utf-8") == sample.situations_page()
