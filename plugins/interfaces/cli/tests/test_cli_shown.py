"""What reaches the terminal: no secret, whoever says it, and nothing that a terminal would obey."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from arena_cli.output.safe_text import shown, styled
from arena_cli.output.signs import visible
from arena_cli.output.streams import echo_json
from arena_testing.fixtures.distributions import Installed

KEY = "key-of-nobody-1234"
HOSTILE = "\x1b[2J\x1b]0;mine\x07\x9b31m\u202egnp"

BENCH = {
    "name": "small",
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"model": {"use": "llm", "backend": {"use": "scripted", "api-key": "${KEY_OF_NOBODY}"}}, "one": "random"},
    "schedule": "round-robin",
    "metrics": [],
}

PARTS = """
import os
import threading

import attrs
import click
from arena.metric import Metric
from arena_cli import Command
from arena_engine import build_benchmark


@click.command(cls=Command)
@click.argument("how")
def broken(how):
    "Break."
    made = build_benchmark(BENCH)
    if how == "raise":
        raise RuntimeError(f"bad {os.environ['KEY_OF_NOBODY']}")

    def fail():
        raise RuntimeError(f"bad {os.environ['KEY_OF_NOBODY']}")

    if how == "thread":
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    if how == "task":
        import asyncio

        async def failing():
            fail()

        async def forget():
            task = asyncio.ensure_future(failing())
            await asyncio.sleep(0)
            del task

        asyncio.run(forget())


@attrs.frozen
class Loud(Metric):
    def measure(self, match):
        raise ValueError("\\x1b[2J" + os.environ["KEY_OF_NOBODY"])

    def summarize(self, measurements):
        return ()
"""


@pytest.fixture
def lab(tmp_path):
    """Runs ``arena`` where a distribution with broken plugins is installed; returns all it says."""
    init = (
        "from arena.plugin import Plugin\n"
        "BROKEN = Plugin(factory='lab.parts:broken', summary='breaks \\x1b[2J')\n"
        "LOUD = Plugin(factory='lab.parts:Loud', summary='loud')\n"
    )
    points = {"arena.commands": {"broken": "lab:BROKEN"}, "arena.metrics": {"loud": "lab:LOUD"}}
    Installed(tmp_path / "site").add(
        "lab", points, {"lab/__init__.py": init, "lab/parts.py": f"BENCH = {BENCH!r}\n{PARTS}"}
    )
    paths = os.pathsep.join([str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths, "KEY_OF_NOBODY": KEY}

    def run(*arguments):
        program = Path(sys.executable).parent / "arena"
        done = subprocess.run(
            [program, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )
        return done.stdout + done.stderr

    return run


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("how", ["raise", "thread", "task"])
def test_a_traceback_holds_no_secret(lab, how):
    """A bug of a command, of a thread or of a task that nobody awaits is shown without the key in its text."""
    said = lab("broken", how)

    assert "Traceback" in said
    assert "RuntimeError: bad [secret]" in said
    assert KEY not in said


@pytest.mark.campaign
def test_reasons_and_summaries_of_plugins_are_harmless(lab, tmp_path):
    """What a metric says when it fails, and what a plugin says of itself, is shown by signs and without keys."""
    (tmp_path / "bench.yaml").write_text(json.dumps({**BENCH, "metrics": ["loud"]}))

    said = [
        lab("run", "bench.yaml", "-v", "-o", "run"),
        lab("--help"),
        lab("list-plugins", "--kind", "metric"),
        lab("report", "run"),
    ]

    assert "␛[2J[secret]" in said[0]
    assert "breaks ␛[2J" in said[1]
    assert not [text for text in said if "\x1b" in text or KEY in text]
    assert KEY not in (tmp_path / "run" / "report.html").read_text("utf-8")


@pytest.mark.campaign
def test_texts_and_names_of_models_are_shown_by_signs(arena, tmp_path):
    """A run whose answers and models hold sequences prints none of them: not when played, replayed or reported."""
    backend = {"use": "scripted", "answers": [f"{HOSTILE} no move"], "model": HOSTILE}
    plain = {
        **BENCH,
        "agents": {"model": {"use": "llm", "backend": backend}, "one": "random"},
        "metrics": ["outcomes", "illegal-actions"],
    }
    (tmp_path / "bench.yaml").write_text(json.dumps(plain))

    said = [
        arena("run", "bench.yaml", "-vv", "-o", "run").output,
        arena("replay", "run", "--match", 1).output,
        arena("replay", "run").output,
        arena("report", "run", "--full").output,
        arena("report", "run", "--format", "markdown").output,
        arena("audit", "run").output,
        arena("run", "bench.yaml", "--dry-run").output,
        arena("run", "bench.yaml", "--show-prompt").output,
    ]

    assert "␛[2J" in said[1]
    found = [(n, sign) for n, text in enumerate(said) for sign in ("\x1b", "\x07", "\x9b", "\u202e") if sign in text]
    assert found == []


def test_visible_texts_keep_their_width_and_lines():
    """Each character that is obeyed is one sign; lines, tabs and all other characters stay."""
    text = "a\tb\nc ␛ é \u200d 한"

    assert visible(text) == text
    assert visible("\x1b[31m\r\x00\x7f\x9b\u202e") == "␛[31m␍␀␡��"
    assert len(visible(HOSTILE)) == len(HOSTILE)
    assert shown(f"{HOSTILE}\n").endswith("\n")
    assert styled("\x1b[31m", bold=True) == "\x1b[1m␛[31m\x1b[0m"


def test_json_keeps_its_values(capsys):
    """JSON on the terminal has escapes for what is obeyed, and says the same."""
    echo_json({"text": HOSTILE, "more": ["é\n"]})

    printed = capsys.readouterr().out
    assert json.loads(printed) == {"text": HOSTILE, "more": ["é\n"]}
    assert not set("\x1b\x07\x9b\u202e") & set(printed)
