"""A file or a run from somebody else writes, and sends to models, nothing that lies outside of its own folder."""

import json
from pathlib import Path

import arena
import pytest
from arena.errors import ConfigError
from arena_cli.application.group import group
from arena_engine import load_benchmark
from click.testing import CliRunner, Result

SECRET = "my-diary"
"""What stands in a file of the user, as the style of a prompt."""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """A folder of the user, with a file that is nobody else's business, and a folder that somebody has sent."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "got").mkdir()
    (tmp_path / "log.txt").write_text("mine\n")
    (tmp_path / "answers.yaml").write_text(f"[{SECRET}]")
    return tmp_path


def got(backend: object = "scripted", **more: object) -> str:
    """A file as a stranger would send it, in its folder."""
    model = {"use": "llm", "backend": {"use": "scripted", **(backend if isinstance(backend, dict) else {})}}
    agents = {"model": model, "one": "first-legal"}
    plain = {"games": {"t": "tic-tac-toe"}, "agents": agents, "schedule": "round-robin", "metrics": [], **more}
    Path("got/bench.yaml").write_text(json.dumps(plain))
    return "got/bench.yaml"


def command(*words: str) -> Result:
    """A command in this process."""
    return CliRunner().invoke(group, [*words])


WRITTEN = {
    "a log": {"backend": {"log": "log.txt"}},
    "a log by an absolute path": {"backend": {"log": "HOME/log.txt"}},
    "a log above": {"backend": {"log": "got/../log.txt"}},
    "a log at home": {"backend": {"log": "~/log.txt"}},
    "a link": {"backend": {"log": "got/link"}},
    "a cache": {"cache": "cache"},
}
SENT = {
    "answers": {"backend": {"file": "answers.yaml"}},
    "a style": {"agents": {"a": {"use": "llm", "prompt": {"style": "answers.yaml"}, "backend": "scripted"}}},
    "a rubric": {"metrics": [{"use": "judge", "rubric": "./answers.yaml", "backend": "scripted"}]},
    "tasks": {"games": {"t": {"use": "planning", "tasks": {"folder": "."}}}},
}


@pytest.mark.parametrize("way", [*WRITTEN, *SENT])
def test_a_received_file_stays_in_its_folder(way, home, monkeypatch):
    """Nothing is written or read, and the sentence names the file and the option that allows it."""
    monkeypatch.setenv("HOME", str(home))
    Path("got/link").symlink_to(home / "log.txt")
    parts = json.loads(json.dumps({**WRITTEN, **SENT}[way]).replace("HOME", str(home)))

    done = command("run", got(**parts), "-o", "run")

    said = " ".join(done.stderr.split())
    assert done.exit_code == 2, done.output
    assert f"would be {'written' if way in WRITTEN else 'sent to models'}, and lies outside of" in said
    assert "--trust-paths" in said
    assert SECRET not in done.output
    assert (home / "log.txt").read_text() == "mine\n"
    assert not Path("run").exists()


@pytest.mark.parametrize("way", ["inside", "typed", "trusted", "from Python"])
def test_what_a_person_wants_is_written(way, home):
    """Inside the folder, at a path of the command line, and with consent."""
    log = {"inside": "got/log.txt", "typed": "log.txt"}.get(way, "log.txt")
    file = got({} if way == "typed" else {"log": log})
    options = {"typed": ["--set", "agents.model.backend.log=log.txt"], "trusted": ["--trust-paths"]}.get(way, [])

    if way == "from Python":
        arena.run(file, output="run", trust_paths=True)
    else:
        done = command("run", file, "-o", "run", "-q", *options)
        assert done.exit_code == 0, done.output

    assert len(Path(log).read_text().splitlines()) > 1


def test_a_run_of_ones_own_goes_on_with_its_files(home):
    """What was begun here is resumed without a second consent; what somebody else has begun needs one."""
    file = got({"log": "log.txt"}, limits={"budget-calls": 1})
    begun = command("run", file, "-o", "run", "-q", "--trust-paths")
    more = ["--set", "limits.budget-calls=2", "-q"]
    own = command("resume", "run", *more)
    Path("config/arena/paths").unlink()
    asked = Path("log.txt").read_text()

    received = command("resume", "run", "--set", "limits.budget-calls=90", "-q")

    assert (begun.exit_code, own.exit_code, received.exit_code) == (3, 3, 2), received.output
    assert "--trust-paths" in received.stderr
    assert Path("log.txt").read_text() == asked
    trusted = command("resume", "run", "--set", "limits.budget-calls=90", "-q", "--trust-paths")
    assert trusted.exit_code == 0, trusted.output


def test_what_is_loaded_may_lie_anywhere(home):
    """Weights and tables are read and neither sent nor written."""
    backend = {"use": "openai-compatible", "model": "m", "base-url": "http://127.0.0.1:9/v1", "ca-file": "/ca.pem"}

    assert load_benchmark(got(backend)).agents


def test_plain_data_of_a_program_is_its_own(home):
    """Who writes a path into a program has typed it; a file that the program loads is looked at."""
    plain = json.loads(Path(got({"log": "log.txt"})).read_text())

    assert load_benchmark(plain).agents
    with pytest.raises(ConfigError, match="trust_paths=True"):
        load_benchmark("got/bench.yaml")
