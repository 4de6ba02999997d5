from pathlib import Path

from arena_suite_tmgbench import sample


def test_the_page_is_current():
    """The page in the documentation shows the stories as they are composed."""
    page = Path(__file__).parents[4] / "docs" / "suites" / "tmgbench-stories.md"

    assert page.read_text(encoding="utf-8") == sample.page()
