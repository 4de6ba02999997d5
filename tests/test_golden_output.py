"""What every command shows is what its golden file says, fits into the terminal, and is as short as it is to be.

The files are renewed by ``python -m tests.golden_output.renew``; ``golden_output/screens.py`` says what is in them.
"""

import difflib
import re
from pathlib import Path

import pytest
from arena_agent_solvers import openspiel

from .golden_output import screens

STYLE = re.compile(r"␛\[[\d;]*m")
CASES = screens.Case.all()


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for the runs that commands look at; each is played when the first case needs it."""
    return tmp_path_factory.mktemp("runs")


@pytest.mark.xdist_group("golden-output")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.command}-{case.name}", marks=[pytest.mark.slow] if case.slow else [])
        for case in CASES
    ],
)
@pytest.mark.sample(fast=3, slow=1)
def test_command_shows_what_the_golden_file_says(case, runs, tmp_path):
    """In 80 and 120 columns, with colours and without, in UTF-8 and ASCII; no line is too wide, and there are few."""
    openspiel._counted.cache_clear()  # an agent that need not count again may be offered, since it answers in time
    found = screens.screens(case, runs, tmp_path)

    assert screens.too_wide(found) == []
    assert case.lines is None or screens.lines(found) <= case.lines
    made, golden = screens.written(found), case.path.read_text("utf-8")
    differing = difflib.unified_diff(golden.splitlines(), made.splitlines(), str(case.path), "made", lineterm="")
    assert made == golden, "\n".join(list(differing)[:60])


def test_ascii_has_no_other_signs():
    """What is written for a terminal with ASCII has nothing but ASCII in its golden file."""
    found = [case.path for case in CASES for look, text in read(case.path) if "ASCII" in look and not text.isascii()]

    assert found == []


def test_colours_are_for_those_who_see_them():
    """A look without colours has no styles in its golden file."""
    found = [case.path for case in CASES for look, text in read(case.path) if "colours" not in look and "␛[" in text]

    assert found == []


def read(path: Path) -> list[tuple[str, str]]:
    """Each look of a golden file with its screen, without styles where it has colours."""
    parts = path.read_text("utf-8").split("=== ")[1:]
    return [
        (look, STYLE.sub("", text)) if "colours" in look else (look, text)
        for part in parts
        for heading, _, text in [part.partition("\n")]
        for look in heading.split(" · ")
    ]
