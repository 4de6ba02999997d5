"""Draws the topics and the lengths of 720 stories, as figure 11 of TMGBench does, without a run."""

from collections.abc import Iterable
from pathlib import Path

from arena.catalog import Catalog
from arena.errors import PluginError
from arena.installing import full_name, install_line
from arena.tables import Section
from arena_game_two_by_two.story_games import TwoByTwoStory
from arena_metric_equilibria.stories import OWN, Told, story_figure
from arena_report import Report


def draw(stories: Iterable[TwoByTwoStory], folder: Path) -> None:
    """Write the figure of these stories as SVG and PNG; ``PluginError`` if what draws figures is missing."""
    try:
        drawing = Catalog().get("report", "figures").load()()
    except PluginError as error:
        raise PluginError(f"{error}; figures take {install_line(full_name('suite-tmgbench[figures]'))}") from error
    told = [Told(one.topic or OWN, one.words) for one in stories]
    drawing.write(
        Report(title="Stories", sections=(Section(title="Stories", figures=(story_figure(told),)),), facts=()), folder
    )
