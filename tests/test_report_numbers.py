"""Every number that a report gives to programs says what it is a number of."""

import json
from pathlib import Path

import pytest
from arena_cli.application.group import group
from click.testing import CliRunner

from .feature_runs import played
from .report_numbers import faults


@pytest.mark.parametrize("run", played.FEATURES)
@pytest.mark.sample(fast=1, slow=2)
def test_each_number_says_what_it_is_of(run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A number of a table or a figure has n, unit and interval, or it is a plain one of a unit that is told."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    played.play(run, tmp_path)

    done = CliRunner().invoke(group, ["report", str(tmp_path / run), "--json"], prog_name="arena")

    assert done.exit_code == 0, done.output
    assert faults(json.loads(done.stdout)) == []
