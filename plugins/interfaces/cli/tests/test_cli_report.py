"""``arena report``: several runs, several forms, metrics long after the run."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def played(arena_anywhere, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    for name, seed in (("one", 1), ("two", 2)):
        options = ["--game", "kuhn-poker", "--agent", "random", "--agent", "first-legal", "-n", 4, "--seed", seed]
        done = arena_anywhere("run", *options, "--metric", "illegal-actions", "-q", "-o", folder / name)
        assert done.exit_code == 0
    return folder


@pytest.fixture
def runs(played, arena, tmp_path) -> list[str]:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return ["one", "two"]


def test_tables_in_the_terminal(arena, runs):
    """The tables asked for are on standard output, for one run or several together."""
    done = arena("report", "one", "--full")
    both = arena("report", *runs, "--full")

    assert done.exit_code == both.exit_code == 0, done.stderr + both.stderr
    assert "first-legal" in done.stdout
    assert done.stderr == ""
    assert len(both.stdout) > len(done.stdout)


def test_terminal_shows_first_what_is_needed_first(arena, runs):
    """Without ``--full`` the runs and plugins are left out, and the report says how to see them."""
    brief, full = arena("report", "one").stdout, arena("report", "one", "--full").stdout

    assert "--full" in brief
    assert "Plugins and models" not in brief
    assert "Plugins and models" in full


def test_metric_long_after_the_run(arena, runs):
    """A metric that the run did not name measures its journal."""
    done = arena("report", "one", "--metric", "outcomes")

    assert "Wins" in done.stdout
    assert "Wins" not in arena("report", "one").stdout


@pytest.mark.parametrize(
    ("file", "mark"), [("r.md", "| "), ("r.tex", "\\begin{tab"), ("r.txt", "no model asked"), ("r.html", "<html")]
)
def test_ending_of_the_file_tells_the_form(arena, runs, file, mark):
    """Markdown, LaTeX, text and one HTML file."""
    done = arena("report", "one", "--output", file)

    assert done.exit_code == 0, done.stderr
    assert mark in Path(file).read_text("utf-8")


def test_form_without_a_file(arena, runs):
    """Texts go to standard output; a report plugin's file lies in the run, and its path is printed."""
    assert "| " in arena("report", "one", "--format", "markdown").stdout
    assert "\\begin{" in arena("report", "one", "--format", "latex").stdout
    assert arena("report", "one", "--format", "html").stdout == "one/report.html\n"


def test_results_without_forfeits(arena, runs):
    """Whether forfeited matches count can be chosen."""
    for forfeits in ("with", "without", "both"):
        assert arena("report", "one", "--metric", "outcomes", "--forfeits", forfeits).exit_code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["one", "--metric", "outcome"], "did you mean 'outcomes'?"),
        (["one", "--format", "htm"], "no report called 'htm' (did you mean 'html'?)"),
        (["one", "--format", "markdwn"], "no report called 'markdwn' (did you mean 'markdown'?)"),
        (["one", "--output", "r.docx"], "no report called 'docx' (there is: "),
        (["one", "--output", "missing/r.md"], "choose another --output"),
        (["three"], "no run called 'three'; arena runs lists those in runs/"),
        (["@7"], "no run @7, since there are no runs in runs/"),
    ],
)
def test_what_cannot_be_reported(arena, runs, options, said):
    """One sentence, and nothing is written."""
    done = arena("report", *options)

    assert (done.exit_code, done.stdout) == (2, "")
    told = " ".join(done.stderr.split())
    assert told.startswith("arena: ")
    assert said in told
    assert all(line.startswith("  ") for line in done.stderr.splitlines()[1:])
