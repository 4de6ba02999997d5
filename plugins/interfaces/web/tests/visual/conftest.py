"""Everything that is looked at, made once: runs, seats, a study, and a browser of each width and theme."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..browser.conftest import Tables, chromium
from ..browser.test_study import study
from .played_runs import Shown, game_of_the_readme, seated, showing

__all__ = ["chromium", "study"]

RUNS_OF_CI = ("quickstart", "sweep", "live")
WIDTHS = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
}


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Shown]:
    """The runs that the chosen tests look at."""
    chosen = {own.callspec.params.get("run") for own in request.session.items if hasattr(own, "callspec")}
    names = (*RUNS_OF_CI, "one", *sorted(chosen & {"crowd", "failed"}))
    with showing(tmp_path_factory.mktemp("shown"), names) as own:
        yield own


@pytest.fixture(scope="session")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """A seat at each of six games; one of them is the game of the README."""
    folder = tmp_path_factory.mktemp("seats")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(game_of_the_readme(folder)))
        with seated(folder) as own:
            yield own
