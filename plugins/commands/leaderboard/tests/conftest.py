"""Runs of small games, and the command line."""

import pytest
from arena_cli.application.group import group
from click.testing import CliRunner


@pytest.fixture(scope="session")
def arena():
    """A function that calls ``arena`` with arguments, at 80 columns."""

    def call(*arguments: object):
        runner = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"})
        return runner.invoke(group, [str(each) for each in arguments], prog_name="arena")

    return call


@pytest.fixture(scope="session")
def played(arena, tmp_path_factory):
    """A function that plays a benchmark and returns the directory of its run, called ``name``."""
    cache = tmp_path_factory.mktemp("cache")

    def play(name: str, benchmark: str):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(cache))
            folder = tmp_path_factory.mktemp(name)
            (folder / "b.yaml").write_text(benchmark)
            done = arena("run", folder / "b.yaml", "-q", "-o", folder / name)
        assert done.exit_code == 0, done.stderr
        return folder / name

    return play
