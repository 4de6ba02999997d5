"""``arena run`` and ``arena resume``: streams, exit codes, and what is written."""

import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from arena.agent import Agent, PlayerAgent
from arena.record import Ending
from arena_cli.commands.resume import NOTHING_LEFT
from arena_engine.journal.journal import Journal

BENCH = """
name: small
seed: 5
games: {ttt: tic-tac-toe}
agents: {one: random, two: first-legal}
schedule: {use: round-robin, repeats: 2}
metrics: [outcomes]
"""

MODEL = """
name: model
seed: 2
games: {kuhn: kuhn-poker}
agents: {model: {use: llm, backend: {use: scripted}}, one: random}
schedule: {use: round-robin, repeats: 2}
metrics: []
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    path = tmp_path / "bench.yaml"
    path.write_text(BENCH)
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.yaml"
    path.write_text(MODEL)
    return path


def test_only_the_directory_is_on_standard_output(arena, bench):
    """Progress and tables go to standard error; the run's directory is all there is on standard output."""
    done = arena("run", bench)

    assert done.exit_code == 0, done.stderr
    (directory,) = done.stdout.splitlines()
    assert Path(directory, "journal.sqlite").is_file()
    assert "4/4 matches" in done.stderr
    assert "first-legal" not in done.stderr  # agents go by their names in the benchmark
    assert "two" in done.stderr


def test_quiet_run_says_nothing_else(arena, bench):
    """With ``--quiet`` standard error stays empty."""
    done = arena("run", bench, "--quiet", "-o", "run")

    assert (done.exit_code, done.stdout, done.stderr) == (0, "run\n", "")


def test_default_metrics_are_meant_where_none_are_named(arena, bench):
    """A file without ``metrics`` is measured by every metric meant for that, and the run says by which."""
    bench.write_text(BENCH.replace("metrics: [outcomes]\n", ""))

    arena("run", bench, "-q", "-o", "run")

    with Journal.open(Path("run")) as journal:
        assert set(journal.header.benchmark["metrics"]) >= {"outcomes", "illegal-actions"}


@pytest.mark.slow
def test_run_without_a_file(arena):
    """Games and agents can be named on the command line."""
    done = arena("run", "--game", "kuhn-poker", "--agent", "random", "--agent", "first-legal", "-n", 3, "-o", "run")

    assert done.exit_code == 0, done.stderr
    with Journal.open(Path("run")) as journal:
        assert len(journal.plans()) == 6
        assert journal.header.name == "kuhn-poker"


def test_file_or_names_are_needed(arena):
    """Without a file, games and agents, it is said what to name."""
    done = arena("run", "--game", "kuhn-poker")

    assert done.exit_code == 2
    assert "--agent" in done.stderr


def test_options_change_a_file(arena, bench):
    """``--seed``, ``-n``, ``--metric``, ``--agent`` and ``--set`` each change what is played."""
    options = ("--seed", 9, "-n", 3, "--metric", "illegal-actions", "--set", "limits.max-steps=4")
    done = arena("run", bench, "-q", "-o", "run", *options)

    assert done.exit_code == 0, done.stderr
    with Journal.open(Path("run")) as journal:
        assert journal.header.seed == 9
        assert len(journal.plans()) == 6
        assert journal.header.benchmark["metrics"] == ["illegal-actions"]
        assert {record.ending for record in journal.records()} == {Ending.TURN_LIMIT}


def test_unreachable_backend_is_exit_status_1(arena, model):
    """Matches that fail are named with their reason; the others are played, and resuming plays the failed ones."""
    faults = "[{kind: server-error, share: 1.0}]"
    done = arena(
        "run",
        model,
        "-o",
        "run",
        "--set",
        f"agents.model.backend.faults={faults}",
        "--set",
        "agents.model.backend.max-attempts=1",
        "--agent",
        "model",
        "--agent",
        "one",
    )

    assert done.exit_code == 1
    assert "4 matches failed: " in done.stderr
    assert "`arena resume run`" in done.stderr
    assert done.stdout == "run\n"


def test_missing_secret_is_found_before_anything_is_written(arena, model):
    """A secret that is not set is the user's mistake, named by its path."""
    done = arena("run", model, "-o", "run", "--set", "agents.model.backend.api-key=${ARENA_TEST_NO_SUCH_KEY}")

    assert (done.exit_code, done.stdout) == (2, "")
    assert " ".join(done.stderr.split()) == (
        "arena: agents.model.backend: the environment variable ARENA_TEST_NO_SUCH_KEY is not set; "
        "set it or put it into .env"
    )
    assert not Path("run").exists()


def test_spent_budget_is_exit_status_3(arena, model):
    """A run that ends early says why, what is left and how to go on; going on asks nothing twice."""
    stopped = arena("run", model, "-o", "run", "--set", "limits.budget-calls=2", "--set", "limits.concurrency=1")
    refused = arena("resume", "run", "--set", "seed=3")
    resumed = arena("resume", "run", "--set", "limits.budget-calls=500")

    assert stopped.exit_code == 3
    assert "limits.budget-calls: 2 of 2 is used" in stopped.stderr
    assert "`arena resume run`" in stopped.stderr
    assert refused.exit_code == 2
    assert "only limits and the executor may change" in refused.stderr
    assert resumed.exit_code == 0, resumed.stderr
    assert "2 completions are recorded" in resumed.stderr
    assert resumed.stdout == "run\n"


def test_extended_run_keeps_what_was_played(arena, bench):
    """More repeats are added to a run; the matches that were there are not played again."""
    arena("run", bench, "-q", "-o", "run")
    with Journal.open(Path("run")) as journal:
        before = {record.id: record for record in journal.records()}

    done = arena("run", bench, "-n", 4, "--extend", "run")

    assert done.exit_code == 0, done.stderr
    assert "8 matches, 4 of them finished before" in done.stderr
    with Journal.open(Path("run")) as journal:
        after = {record.id: record for record in journal.records()}
    assert len(after) == 8
    assert before.items() <= after.items()


def test_extension_that_changes_an_agent_is_refused(arena, bench):
    """Only what adds matches may change."""
    arena("run", bench, "-q", "-o", "run")

    done = arena("run", bench, "--set", "agents.two=random", "--extend", "run")

    assert done.exit_code == 2
    assert "agents.two: differs from what was played" in done.stderr


@attrs.frozen
class Clumsy(Agent):
    def join(self, seat):
        return ClumsyPlayer()


class ClumsyPlayer(PlayerAgent):
    async def act(self, decision):
        return 1 / 0


@pytest.mark.campaign
def test_failed_match_of_a_broken_plugin(arena, bench, installed_plugin):
    """A plugin's bug fails its matches with a reason; the others are played."""
    installed_plugin("agent", "clumsy", Clumsy)

    done = arena("run", bench, "--set", "agents.bad=clumsy", "-o", "run")

    assert done.exit_code == 1
    assert "ZeroDivisionError" in done.stderr
    with Journal.open(Path("run")) as journal:
        endings = [record.ending for record in journal.records()]
    assert endings.count(Ending.FAILED) == 8
    assert endings.count(Ending.RULES) == 4


def test_dry_run_counts_what_there_is_to_play(arena, model):
    """The number of matches is exact, calls and tokens are ranges, a model on this machine costs nothing."""
    done = arena("run", model, "--dry-run", "-n", 50)

    assert done.exit_code == 0, done.stderr
    assert "model: 100 matches to play" in done.stdout
    assert "tokens sent" in done.stdout
    assert "money: $0" in done.stdout
    assert [path.name for path in Path.cwd().iterdir()] == ["model.yaml"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "a schema forces the form of an answer"),
        (["--set", "agents.model.tools=true"], "an answer is a forced call of a tool"),
        (["--set", "agents.model.constrained=false"], "nothing forces the form of an answer"),
    ],
)
def test_dry_run_says_what_forces_the_form_of_answers(arena, model, more, said):
    """For each agent the line of its calls ends with the way in which its answers are asked for."""
    done = arena("run", model, "--dry-run", "-n", 1, *more)

    assert done.exit_code == 0, done.stderr
    assert f"; {said} money: $0" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("repeats", "said"),
    [
        (10, "with these 10 repeats a true 75:25 pair is told apart in 65 %, a true 60:40 pair in 12 %"),
        (2, "with these 2 repeats nobody can be told apart, whatever happens: 4 independent results are too few"),
        (1, "with this one repeat nobody can be told apart, whatever happens: 2 independent results are too few"),
    ],
)
def test_dry_run_says_what_can_be_told_apart(arena, repeats, said):
    """Two agents: the power of the planned repeats is told, or that they can decide nothing."""
    Path("two.yaml").write_text(
        "games: {ttt: tic-tac-toe}\nagents: {a: random, b: first-legal}\nschedule: round-robin\n"
    )

    done = arena("run", "two.yaml", "--dry-run", "-n", repeats)

    assert done.exit_code == 0, done.stderr
    assert said in " ".join(done.stdout.split())


def test_dry_run_of_one_agent_compares_nobody(arena):
    """With one agent nothing is said of telling agents apart."""
    Path("one.yaml").write_text("games: {ttt: tic-tac-toe}\nagents: {a: random}\nschedule: self-play\n")

    done = arena("run", "one.yaml", "--dry-run")

    assert done.exit_code == 0, done.stderr
    assert "told apart" not in done.stdout


def test_dry_run_says_which_matches_have_deals_of_their_own(arena):
    """Where somebody outside plays with hidden cards, rotations share no deals unless the file says so."""
    Path("seats.yaml").write_text(
        "games: {kuhn-poker: kuhn-poker}\nagents: {ann: {use: open-seat}, one: random, two: random}\n"
        "schedule: {use: round-robin, repeats: 3}\n"
    )

    done, paired = (arena("run", "seats.yaml", "--dry-run", *more) for more in ((), ("--set", "schedule.paired=true")))

    assert "12 matches have deals of their own, since somebody outside plays" in " ".join(done.stdout.split())
    assert "deals of their own" not in paired.stdout


def test_dry_run_names_judges(arena, model):
    """What metrics ask is a line of its own, and part of the money."""
    judge = "metrics=[{use: judge, backend: {use: scripted, price-usd-per-1k-tokens: 1}}]"

    done = arena("run", model, "--dry-run", "-n", 1, "--set", judge)

    assert done.exit_code == 0, done.stderr
    assert "  judge (judge): " in done.stdout
    assert "money: $0 " not in done.stdout


def test_dry_run_of_an_extension_leaves_out_what_is_finished(arena, bench):
    """What was played is not counted."""
    arena("run", bench, "-q", "-o", "run")

    done = arena("run", bench, "-n", 5, "--extend", "run", "--dry-run")

    assert "6 matches to play, 4 more are finished" in done.stdout


def test_prompts_are_shown_and_not_sent(arena, model):
    """The first messages of each agent with a model are printed, and the model is not asked."""
    done = arena("run", model, "--show-prompt", "--set", "agents.model.backend.log=calls.jsonl")

    assert done.exit_code == 0, done.stderr
    assert "=== kuhn · model · player 1" in done.stdout
    assert "Kuhn poker" in done.stdout
    assert done.stdout.count("--- system") == 1
    assert [path.name for path in Path.cwd().iterdir()] == ["model.yaml"]


@pytest.mark.campaign
@pytest.mark.skipif(sys.platform == "win32", reason="limits on files are set in the way of POSIX")
def test_full_disk_is_exit_status_3(arena, bench, tmp_path):
    """When the disk takes no more the run stops cleanly; once there is room it goes on to the same end."""
    command = [sys.executable, "-c", "from arena_cli import main; main()", "run", str(bench), "-n", "100", "-o", "run"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=_small_disk)

    assert done.returncode == 3, done.stderr
    assert "free space or mend the disk, then resume the run" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == "run\n"
    assert arena("resume", "run", "-q").exit_code == 0
    arena("run", bench, "-n", 100, "-q", "-o", "whole")
    assert arena("export", "run", "-o", "-").stdout == arena("export", "whole", "-o", "-").stdout


def _small_disk() -> None:
    """No file may grow beyond this; to a program it looks like a full disk."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))


def test_run_being_played_is_left_alone(arena, bench):
    """A run that somebody plays cannot be resumed at the same time."""
    arena("run", bench, "-q", "-o", "run")

    with Journal.open(Path("run"), write=True):
        done = arena("resume", "run")

    assert done.exit_code == 2
    assert "another process is playing this run" in done.stderr


@pytest.mark.slow
def test_estimate_and_actual_stand_side_by_side(arena, model):
    """The full report of a run that asks a model has what it was estimated to take beside what it took."""
    done = arena("run", model, "-o", "run", "--set", "limits.budget-calls=2", "--set", "limits.concurrency=1")
    resumed = arena("resume", "run", "--set", "limits.budget-calls=100")

    assert (done.exit_code, resumed.exit_code) == (3, 0)
    assert "Estimate and actual" not in done.stderr + resumed.stderr
    for shown in (arena("report", "run", "--full").stdout,):
        own = shown.partition("Estimate and actual")[2].splitlines()
        calls = next(line.split() for line in own if line.split()[:1] == ["calls"])
    with Journal.open(Path("run")) as journal:
        totals = journal.totals()
        assert int(calls[-1]) == totals.calls > 2
        assert len(journal.metadata("seconds")) == 2


@pytest.mark.campaign
def test_runs_without_a_model_are_not_estimated(arena, bench):
    """Where nothing is paid for there is nothing to hold against it."""
    done = arena("run", bench, "-o", "run")

    assert "Estimate and actual" not in done.stderr


def test_one_is_singular(arena, model):
    """One match is one match."""
    done = arena("run", model, "--dry-run", "-n", 1, "--set", "schedule.rotate-seats=false")

    assert "1 match to play" in done.stdout
    assert "1 matches" not in done.stdout
    assert "1 minutes" not in done.stdout


@pytest.mark.slow
def test_commands_to_go_on_with_stand_at_the_end(arena, bench):
    """What a benchmark names is printed below the paths, in its order, and can be pasted; --quiet leaves it out."""
    bench.write_text(BENCH + "next: ['arena play tic-tac-toe --against one', 'arena report @']\n")

    done, quiet = arena("run", bench, "-o", "run"), arena("run", bench, "--quiet", "-o", "quiet")

    assert done.exit_code == 0, done.stderr
    assert done.stderr.splitlines()[-2:] == ["next    arena play tic-tac-toe --against one", "        arena report @"]
    assert "arena report @" not in quiet.stderr


def test_run_is_made_larger_by_repeats(arena, bench):
    """``arena resume --repeats`` plays what is missing to so many repeats; what adds no match is refused."""
    arena("run", bench, "--quiet", "-o", "run")

    done = arena("resume", "run", "--repeats", "3", "--quiet")
    again = arena("resume", "run", "--repeats", "3", "--quiet")

    assert done.exit_code == 0, done.stderr
    with Journal.open(Path("run")) as journal:
        assert journal.ended().total() == journal.planned() == 6
        assert journal.header.benchmark["schedule"]["repeats"] == 3
    assert again.exit_code == 2
    assert "--repeats 3: the run has 6 matches, and this adds none" in again.stderr


@pytest.mark.slow
def test_finished_run_says_where_its_report_is(arena, bench, tmp_path):
    """Resuming a finished run names its report, measures nothing and leaves every byte as it is."""
    arena("run", bench, "-o", "run")
    journal = (tmp_path / "run" / "journal.sqlite").read_bytes()

    again = arena("resume", "run")
    quiet = arena("resume", "run", "-q")

    assert (again.exit_code, again.stdout, quiet.stdout, quiet.stderr) == (0, "run\n", "run\n", "")
    assert again.stderr.splitlines() == [NOTHING_LEFT, "report  run/report.html"]
    assert (tmp_path / "run" / "journal.sqlite").read_bytes() == journal


@pytest.mark.parametrize("lacking", ["report", "entry", "both"])
def test_finished_run_without_a_report_names_the_command(arena, bench, tmp_path, monkeypatch, lacking):
    """No report is made for a finished run: without one, or where it may be an older one, a command shows it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    arena("run", bench, "-o", "run", *(["-q"] if lacking == "report" else []))
    if lacking != "report":
        (entry,) = (tmp_path / "cache" / "arena" / "finished").iterdir()
        entry.write_text(entry.read_text().replace("report.html", "report.HTML"))
    if lacking == "both":
        (tmp_path / "run" / "report.html").unlink()
    has_report = (tmp_path / "run" / "report.html").exists()

    first, second = arena("resume", "run"), arena("resume", "run")

    assert first.exit_code == second.exit_code == 0
    assert first.stderr.splitlines() == [NOTHING_LEFT, "report  `arena report run` shows it"]
    assert second.stderr == first.stderr
    assert (tmp_path / "run" / "report.html").exists() == has_report


def test_report_of_a_smaller_run_is_not_named(arena, bench):
    """A run that was made larger without a report has one in its directory that tells of fewer matches."""
    arena("run", bench, "-o", "run")
    arena("resume", "run", "--repeats", "3", "-q")

    done = arena("resume", "run")

    assert done.stderr.splitlines() == [NOTHING_LEFT, "report  `arena report run` shows it"]


def test_run_is_finished_once_it_is_judged(arena, bench):
    """A run of which matches are left to judge is judged and reported; after that nothing is left."""
    bench.write_text(BENCH.replace("[outcomes]", "[{use: judge, backend: {use: scripted}}]"))

    stopped = arena("run", bench, "-q", "-o", "run", "--set", "limits.budget-calls=1")
    judged = arena("resume", "run", "--set", "limits.budget-calls=100")
    again = arena("resume", "run")

    assert (stopped.exit_code, judged.exit_code, again.exit_code) == (3, 0, 0)
    assert judged.stderr.splitlines()[0] == NOTHING_LEFT
    assert len(judged.stderr.splitlines()) > 5
    assert again.stderr.splitlines() == [NOTHING_LEFT, "report  run/report.html"]
    with Journal.open(Path("run")) as journal:
        assert len(journal.judgements("judge")) == journal.planned()
