"""Completion in shells: what is offered where, and that it is quick and made anew."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from arena_cli.completion.answer import split, written
from arena_cli.completion.candidates import Candidate, candidates
from arena_cli.completion.index import CompletionIndex, current_index, index_file, installed_key

ARENA = Path(sys.executable).parent / "arena"


@pytest.fixture
def index(monkeypatch, tmp_path) -> CompletionIndex:
    """The index of what is installed, kept in a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return current_index()


def offered(index: CompletionIndex, line: str) -> list[str]:
    return [each.value or "file" for each in candidates(index, *split(line))]


BENCH = """
games: {board: tic-tac-toe, small: {use: connect-four, rows: 4}}
agents: {model: {use: llm, backend: {use: scripted}}, r: random}
"""

OFFERED = {
    "arena rep": ["report", "replay"],
    "arena run --dry": ["--dry-run"],
    "arena report --he": ["--help"],
    "arena report -h": ["-h"],
    "arena run --game conn": ["connect-four"],
    "arena run --agent smollm2": ["smollm2-135m-instruct"],
    "arena run --metric rat": ["ratings"],
    "arena run suite:tradecraft-": ["suite:tradecraft-judged", "suite:tradecraft-small"],
    "arena run ben": ["file", "bench.yaml"],
    "arena play hex --against min": ["minimax"],
    "arena describe game ka": [],
    "arena describe game ku": ["kuhn-poker"],
    "arena report run --format mark": ["markdown"],
    "arena export run --format js": ["jsonl"],
    "arena report run --forfeits=w": ["--forfeits=with", "--forfeits=without"],
    "arena list-plugins --kind sc": ["schedule"],
    "arena planning-tasks sh": ["show"],
    "arena completion ": ["bash", "zsh", "fish"],
    "arena run --game hex --set games.": ["games.hex."],
    "arena run --game connect-four --set games.connect-four.c": ["games.connect-four.columns="],
    "arena run bench.yaml --set games.s": ["games.small."],
    "arena run bench.yaml --set games.small.al": ["games.small.align="],
    "arena run bench.yaml --set agents.model.prompt.st": ["agents.model.prompt.style="],
    "arena run bench.yaml --set agents.model.prompt.style=dir": ["agents.model.prompt.style=direct"],
    "arena run bench.yaml --set agents.model.backend.nothing": [],
    "arena run bench.yaml --set agents.model.backend.ans": ["agents.model.backend.answers="],
    "arena run bench.yaml --set agents.model.tools=": [
        "agents.model.tools=true",
        "agents.model.tools=false",
        "agents.model.tools=auto",
    ],
    "arena run bench.yaml --set limits.budget-u": ["limits.budget-usd="],
    "arena run bench.yaml --set se": ["seed="],
    "arena nothing ": [],
}


@pytest.mark.sample(fast=5)
@pytest.mark.parametrize("line", OFFERED)
def test_what_is_offered_where(index, tmp_path, line):
    """Commands, options, plugins by position, settings by the benchmark file, and values where they are few."""
    (tmp_path / "bench.yaml").write_text(BENCH)

    assert sorted(offered(index, line)) == sorted(OFFERED[line])


def test_runs_and_matches_are_offered(arena, index):
    """Runs are offered newest first, by path and by ``@``; ``--match`` knows the matches of the run on the line."""
    for name in ("2026-01-01T00-00-00-a", "2026-01-02T00-00-00-b"):
        assert (
            arena("run", "--game", "matching-pennies", "--agent", "random", "-q", "-o", f"runs/{name}").exit_code == 0
        )

    assert offered(index, "arena report ") == ["runs/2026-01-02T00-00-00-b", "runs/2026-01-01T00-00-00-a"]
    assert offered(index, "arena report @") == ["@1", "@2"]
    assert offered(index, "arena replay @2 -m ") == ["matching-pennies/random,random/0.0"]
    assert offered(index, "arena replay 01-01 --match match") == ["matching-pennies/random,random/0.0"]


def test_index_is_kept_and_made_anew(index, installed, monkeypatch):
    """The index is read from the disk until something is installed or switched off; damage does not matter."""
    before = installed_key()
    assert index_file().is_file()

    installed.add("late", {"arena.games": {"late-game": "late:LATE"}}, {"late.py": _LATE})

    assert installed_key() != before
    assert "late-game" in current_index().plugins["game"]
    index_file().write_text("{")
    assert "late-game" in current_index().plugins["game"]
    monkeypatch.setenv("ARENA_DISABLE", "late")
    assert "late-game" not in current_index().plugins["game"]


_LATE = """
from arena.plugin import Plugin

LATE = Plugin(factory="late:Late", summary="comes late")
"""


@pytest.mark.parametrize(
    ("line", "words", "begun"),
    [
        ("arena", [], ""),
        ("arena ", [], ""),
        ("arena run x", ["run"], "x"),
        ("arena run x ", ["run", "x"], ""),
        ("arena run 'a b", ["run"], "a b"),
        ("arena run a\\ b --set 'x=1' ", ["run", "a b", "--set", "x=1"], ""),
    ],
)
def test_line_is_split_as_a_shell_does(line, words, begun):
    """Quotation marks and backslashes hold words together, an open quotation mark too."""
    assert split(line) == (words, begun)


def test_bash_gets_what_stands_behind_its_own_breaks():
    """Bash takes colons and signs of equality for breaks between words, and replaces what stands behind them."""
    found = [Candidate("suite:tradecraft", "play it")]

    assert [*written(found, "bash", "suite:tr")] == ["plain\ttradecraft\tplay it"]
    assert [*written(found, "fish", "suite:tr")] == ["plain\tsuite:tradecraft\tplay it"]


def complete(shell: str, script: str, tmp_path: Path) -> str:
    environment = {**os.environ, "PATH": f"{ARENA.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "c")}
    command = [shell, *(("-f",) if shell == "zsh" else ()), "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100, check=False)
    return done.stdout


def test_bash_completes(arena, tmp_path):
    """The script that is printed for bash fills in what may follow."""
    (tmp_path / "arena.bash").write_text(arena("completion", "bash").stdout)
    line = "arena run --game conn"
    program = (
        f"source arena.bash; COMP_LINE='{line}' COMP_POINT={len(line)}; _arena_completion arena; echo ${{COMPREPLY[@]}}"
    )

    assert complete("bash", program, tmp_path) == "connect-four\n"


def needed(shell: str) -> None:
    """Skip a test of a shell that is not installed; it fails where .ci/run has installed it."""
    if shutil.which(shell) is None:
        if os.environ.get("ARENA_NEEDS_SHELLS"):
            pytest.fail(f"{shell} is to be tried here, and there is none; apt install {shell}")
        pytest.skip(f"needs {shell}: apt install {shell}")


@pytest.mark.campaign
def test_fish_completes(arena, tmp_path):
    """The script that is printed for fish offers what may follow, each with a line on what it is."""
    needed("fish")
    (tmp_path / "arena.fish").write_text(arena("completion", "fish").stdout)

    shown = complete("fish", "source arena.fish; complete -C 'arena run --game conn'", tmp_path)

    assert shown == "connect-four\tDrop discs; four in a line win.\n"


def test_zsh_accepts_the_script(arena, tmp_path):
    """The script that is printed for zsh can be read, and defines the function that completes."""
    needed("zsh")
    (tmp_path / "_arena").write_text(arena("completion", "zsh").stdout)

    shown = complete(
        "zsh", "fpath=(. $fpath); autoload -Uz compinit _arena; compinit -u -D; whence -w _arena", tmp_path
    )

    assert shown == "_arena: function\n"


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", "data/bash-completion/completions/arena"),
        ("zsh", "data/zsh/site-functions/_arena"),
        ("fish", "config/fish/completions/arena.fish"),
    ],
)
def test_script_is_installed_where_the_shell_looks(arena, tmp_path, monkeypatch, shell, place):
    """``--install`` writes the script, makes the index, and says what is left to do."""
    for name in ("data", "config", "cache"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))

    done = arena("completion", shell, "--install")

    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / place).read_text() == arena("completion", shell).stdout
    assert "open a new shell" in " ".join(done.stderr.split())
    assert "rows" in current_index().parameters("game", "connect-four")


def cpu_s(*words: str, **environment: str) -> float:
    """The least processor time of three calls of ``arena``."""
    taken: list[float] = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([ARENA, *words], env={**os.environ, **environment}, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


@pytest.mark.slow
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("line", ["arena re", "arena run --game conn", "arena run bench.yaml --set games.small.al"])
def test_completion_is_as_quick_as_help(index, tmp_path, line):
    """With its index, an answer takes at most 1.2 times the processor time of ``arena --help``."""
    (tmp_path / "bench.yaml").write_text(BENCH)
    assert offered(index, line)

    assert cpu_s(_ARENA_COMPLETE="fish_complete", _ARENA_LINE=line) <= 1.2 * cpu_s("--help")
