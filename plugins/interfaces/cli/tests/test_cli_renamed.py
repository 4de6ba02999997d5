"""Old names on the command line: keys of files, commands and options, each told of in one line."""

import json
import sqlite3
import warnings
from contextlib import closing
from pathlib import Path

import click
import pytest
from arena.catalog import Catalog
from arena_cli.application import group
from arena_cli.renamed import COMMANDS, OPTIONS
from arena_engine.journal.database import Transaction
from arena_engine.journal.rows import Rows
from arena_engine.journal.schema import META

OLD = """
name: old
seed: 5
games: {ttt: tic-tac-toe}
agents: {m: {use: llm, backend: {use: scripted, attempts: 2}}, one: random}
schedule: {use: round-robin, repeats: 1}
metrics: []
limits: {waves: 4}
"""

TOLD = """\
agents.m.backend.attempts is called agents.m.backend.max-attempts now
limits.waves is called limits.max-steps now
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.yaml"
    path.write_text(OLD)
    return path


def test_old_keys_are_told_once_and_work(arena, old):
    """A run by a file with old keys plays, and standard error has one line for each, ``--quiet`` or not."""
    old.with_name("over.yaml").write_text("extends: old.yaml\nlimits: {waves: 2}\n")

    done = arena("run", "over.yaml", "-q", "-o", "run", "--set", "limits.waves=3")

    assert (done.exit_code, done.stdout, done.stderr) == (0, "run\n", TOLD)


def test_each_command_tells_again(arena, old):
    """Every command that reads a benchmark tells of its old keys, also the second one of a process."""
    for command in (("run", old, "--dry-run"), ("check-agents", old), ("run", old, "--dry-run")):
        done = arena(*command)

        assert done.exit_code == 0, done.stderr
        assert done.stderr.startswith(TOLD)
        assert done.stderr.count(" is called ") == 2


def test_both_names_are_one_sentence(arena, old):
    """A key by both of its names is a mistake that is told like any other, and nothing is written."""
    old.write_text(OLD.replace("{waves: 4}", "{waves: 4, max-steps: 4}"))

    done = arena("run", old, "-o", "run")

    sentence = "limits.waves and limits.max-steps are the same; keep the second"
    assert (done.exit_code, " ".join(done.stderr.split())) == (2, f"arena: {old}:8: {sentence}")
    assert not Path("run").exists()


def test_nothing_is_told_of_an_old_journal(arena, old):
    """What was written when a run began is nobody's to change: resuming, reporting and replaying tell no names."""
    arena("run", old, "-q", "-o", "run")
    with closing(sqlite3.connect("run/journal.sqlite", isolation_level=None)) as database, Transaction(database):
        ((header,),) = database.execute("SELECT value FROM meta WHERE key = 'header'")
        written = header.replace('"max-steps"', '"waves"').replace('"max-attempts"', '"attempts"')
        assert written != header
        rows = Rows(database, json.loads(header)["id"])
        rows.put(META, "header", written)
        rows.store()

    calls = [("resume", "run", "-q"), ("report", "run"), ("replay", "run", "--match", 1), ("audit", "run")]
    for command in (*calls, ("replay", "run", "--match", 1, "--turn", 1, "--ask", "random")):
        done = arena(*command)

        assert done.exit_code == 0, done.stderr
        assert " is called " not in done.stderr
    done = arena("run", old, "--extend", "run", "-q", "--set", "schedule.repeats=2")
    assert (done.exit_code, done.stderr) == (0, TOLD)


def test_other_warnings_stay_what_they_are(arena, installed_plugin):
    """What is no renamed key is warned of as ever."""

    @click.command()
    def warner() -> None:
        warnings.warn("look out", FutureWarning, stacklevel=1)

    installed_plugin("command", "warner", warner)

    with pytest.warns(FutureWarning, match="look out"):
        arena("warner")


def test_old_commands_work_and_say_so(arena):
    """``arena stories`` is ``arena tmgbench-stories``, and says so in one line; only the new name is listed."""
    was, now = arena("stories", "show", "111", 2), arena("tmgbench-stories", "show", "111", 2)

    assert (was.exit_code, was.stdout) == (0, now.stdout)
    assert was.stderr == "arena stories is called arena tmgbench-stories now\n"
    assert now.stderr == ""
    assert "\n  stories" not in arena("--help").stdout


def test_a_plugin_may_take_an_old_name(arena, installed_plugin):
    """A command that a plugin brings under an old name is that plugin's."""

    @click.command()
    def stories() -> None:
        click.echo("once upon a time")

    installed_plugin("command", "stories", stories)

    done = arena("stories")

    assert (done.stdout, done.stderr) == ("once upon a time\n", "")


def test_sample_size_is_power(arena):
    """``arena sample-size`` does what ``arena power`` does, and nothing is told of it."""
    one, other = arena("power", "--score", 0.6), arena("sample-size", "--score", 0.6)

    assert (one.exit_code, one.stdout, one.stderr) == (other.exit_code, other.stdout, other.stderr)
    assert "Usage: arena sample-size" in arena("sample-size", "--help").stdout


@pytest.mark.parametrize("path", OPTIONS)
def test_table_of_options_leads_to_options(arena, path):
    """Each new option of the table is one of its command, and the old one stands in no help."""
    told = arena(*path.split(), "--help").stdout

    for old, now in OPTIONS[path].items():
        assert f"{now} " in told
        assert f"{old} " not in told


def test_table_of_commands_leads_to_commands():
    """Each new command of the table is installed."""
    names = {entry.name for entry in Catalog().installed() if entry.kind == "command"}

    assert set(COMMANDS.values()) <= names
    assert not set(COMMANDS) & names


def test_old_options_work_and_say_so(arena):
    """An option by its old name does what it is there for, and one line says what it is called."""
    done = arena("new-plugin", "game", "mine", "--into", "made")

    assert done.exit_code == 0
    assert done.stdout == "made/mine\n"
    assert done.stderr.startswith("--into is called --output now\n")
    assert Path("made/mine/pyproject.toml").is_file()


def test_an_old_option_behind_equals_and_an_old_command(arena, tmp_path):
    """An old option is known in each way of writing it, and where its command goes by an old name too."""
    written = arena("new-plugin", "game", "mine", "--into=made")
    used = arena("stories", "use", tmp_path, "-o", "bench.yaml", "--again", "again.yaml")

    assert written.stderr.startswith("--into is called --output now\n")
    assert used.stderr.startswith(
        "arena stories is called arena tmgbench-stories now\n--again is called --rewrite-rejected now\n"
    )


def test_both_names_of_an_option_are_a_mistake(arena):
    """An option by both of its names is one sentence, and nothing is done."""
    done = arena("new-plugin", "game", "mine", "--into", "one", "--output", "other")

    assert done.exit_code == 2
    assert done.stderr.endswith("--into and --output are the same; keep the second\n")
    assert not Path("one").exists()
    assert not Path("other").exists()


def test_an_old_option_is_checked_like_the_new_one(arena):
    """What cannot be a value of the option is refused under the name that was written."""
    done = arena("tradecraft-problems", "--needless", "many")

    assert done.exit_code == 2
    assert "tradecraft-problems --needless: 'many' is not" in done.stderr


def test_an_old_name_as_a_value_is_a_value(arena):
    """Words behind an option that takes one are its value, whatever they look like."""
    done = arena("new-plugin", "game", "mine", "--author", "--into")

    assert done.exit_code == 0
    assert " is called " not in done.stderr


def test_old_options_are_not_completed():
    """A shell completes the names of now."""
    command = group.get_command(click.Context(group), "new-plugin")

    assert command is not None
    context = click.Context(command, info_name="new-plugin", parent=click.Context(group, info_name="arena"))
    completed = {item.value for item in command.shell_complete(context, "--")}
    assert "--output" in completed
    assert "--into" not in completed
