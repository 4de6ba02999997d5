"""What scripts may rely on: where a run is, what it prints, how it exits, and the bytes of its export."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from arena_engine import Journal

BENCH = """
name: small-run
seed: 5
games: {ttt: {use: tic-tac-toe}, kuhn: {use: kuhn-poker}}
agents: {one: {use: random}, two: {use: first-legal}, three: {use: random}}
schedule: {use: round-robin, repeats: 3, rotate-seats: true}
metrics: [outcomes, illegal-actions]
"""

BRIEF = """
name: brief
seed: 3
games: {ttt: tic-tac-toe}
agents:
  model: {use: llm, backend: {use: llamacpp, slots: 1, threads: 1}, prompt: {style: brief}}
  random: random
schedule: {use: round-robin, repeats: 2}
metrics: []
limits: {concurrency: 1}
"""

MATCHES = 2 * 3 * 3 * 2  # games, pairs, repeats, rotations


@pytest.fixture
def bench(tmp_path) -> Path:
    """A benchmark without a model."""
    path = tmp_path / "bench.yaml"
    path.write_text(BENCH)
    return path


@pytest.fixture(scope="module")
def played(program, tmp_path_factory) -> Path:
    """A finished run of it, which all tests look at."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "bench.yaml").write_text(BENCH)
    subprocess.run([program, "run", "bench.yaml", "--output", "run"], cwd=folder, capture_output=True, check=True)
    return folder / "run"


@pytest.fixture
def run(played, tmp_path) -> Path:
    """A copy of this run."""
    return shutil.copytree(played, tmp_path / "run")


def exported(arena, tmp_path, run, *more) -> bytes:
    """The run as JSON lines."""
    target = tmp_path / "export.jsonl"
    target.unlink(missing_ok=True)
    done = arena("export", run, "--format", "jsonl", "--output", target, *more)
    assert done.returncode == 0, done.stderr
    return target.read_bytes()


def test_a_person_plays_at_a_terminal(program, at_a_terminal, tmp_path):
    """Whoever types the first of the listed actions at each question plays the match to its end."""
    command = (program, "play", "connect-four", "--against", "first-legal")

    status, screen = at_a_terminal(command, cwd=tmp_path, environment=os.environ)

    assert status == 0, screen
    assert "Your actions" in screen
    assert re.search(r"You (won|lost) as X against first-legal, in \d+ turns: four in a row\.", screen)


@pytest.mark.campaign
def test_last_line_is_the_run(arena, bench, tmp_path):
    """Standard output ends with the path of ``runs/<UTC time>-<name>``; progress and results are elsewhere."""
    done = arena("run", bench)

    assert done.returncode == 0, done.stderr
    path = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"runs/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-small-run", path)
    assert (tmp_path / path / "journal.sqlite").is_file()
    assert done.stdout.splitlines() == [path]
    assert "random" in done.stderr or "one" in done.stderr


@pytest.mark.campaign
def test_results_and_the_html_file_are_shown(arena, bench):
    """A run ends with a table of results and the path of its HTML report, which needs nothing beside itself."""
    done = arena("run", bench, "--output", "run")

    (named,) = set(re.findall(r"\S+\.html", done.stderr))
    html = (bench.parent / named).read_text("utf-8")
    assert all(agent in done.stderr for agent in ("one", "two", "three"))
    assert "<html" in html
    assert not re.search(r"""(?:src|href)=["']?https?://""", html)


@pytest.mark.slow
def test_export_holds_what_is_documented(arena, tmp_path, run):
    """One JSON object a match, with at least the documented keys."""
    matches = [json.loads(line) for line in exported(arena, tmp_path, run).splitlines()]

    assert len(matches) == MATCHES
    for match in matches:
        assert {"id", "game", "players", "seed", "ending", "returns", "turns", "refusals"} <= set(match)
        assert set(match["players"]) <= {"one", "two", "three"}
        assert match["ending"] == "rules"
        assert len(match["returns"]) == 2
        assert len(match["turns"]) >= 2
        assert not any(match["refusals"].values())
        assert "events" not in match


@pytest.mark.slow
def test_export_adds_events_on_demand(arena, tmp_path, run):
    """With ``--events`` each match has its whole story, the accepted actions among them."""
    matches = [json.loads(line) for line in exported(arena, tmp_path, run, "--events").splitlines()]

    assert all(json.dumps(match["events"]).count('"played"') == len(match["turns"]) for match in matches)


@pytest.mark.slow
def test_bytes_depend_on_benchmark_and_seed_alone(arena, bench, tmp_path, run):
    """Another run in another directory, with another concurrency, has the same bytes; another seed has others."""
    first = exported(arena, tmp_path, run, "--events")
    arena("run", bench, "--output", "elsewhere/again", "--set", "limits.concurrency=1")
    arena("run", bench, "--output", "other", "--set", "seed=6")

    assert exported(arena, tmp_path, "elsewhere/again", "--events") == first
    assert exported(arena, tmp_path, "other", "--events") != first


@pytest.mark.slow
def test_rotated_seats_share_their_deals(arena, tmp_path, run):
    """The two rotations of one repeat have the same seed for chance, different repeats have different ones."""
    matches = [json.loads(line) for line in exported(arena, tmp_path, run).splitlines()]
    blocks: dict[tuple, set] = {}
    for match in matches:
        repeat = match["id"].rpartition("/")[2].partition(".")[0]
        blocks.setdefault((match["game"], frozenset(match["players"]), repeat), set()).add(match["seed"])

    assert all(len(seeds) == 1 for seeds in blocks.values())
    assert len(set().union(*blocks.values())) == len(blocks)


@pytest.mark.slow
def test_dry_run_writes_nothing(arena, bench, tmp_path):
    """``--dry-run`` says how many matches there would be and leaves no trace."""
    done = arena("run", bench, "--dry-run")

    assert done.returncode == 0
    assert str(MATCHES) in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == [bench]


@pytest.mark.slow
def test_budget_stops_early_and_resume_goes_on(arena, tmp_path):
    """A spent budget is exit status 3; what was asked stays, and the resumed run equals an uninterrupted one."""
    (tmp_path / "model.yaml").write_text(SCRIPTED)
    assert arena("run", "model.yaml", "--output", "whole").returncode == 0

    stopped = arena("run", "model.yaml", "--output", "parted", "--set", "limits.budget-calls=7")
    resumed = arena("resume", "parted", "--set", "limits.budget-calls=1000")

    assert stopped.returncode == 3, stopped.stderr
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout.splitlines()[-1] == "parted"
    assert exported(arena, tmp_path, "parted", "--events") == exported(arena, tmp_path, "whole", "--events")


@pytest.mark.slow
def test_finished_run_is_resumed_at_once(arena, tmp_path, run):
    """Resuming what is done plays nothing and changes nothing."""
    before = exported(arena, tmp_path, run, "--events")

    done = arena("resume", run)

    assert done.returncode == 0, done.stderr
    assert exported(arena, tmp_path, run, "--events") == before


SCRIPTED = """
name: scripted
seed: 2
games: {ttt: {use: tic-tac-toe}}
agents:
  model: {use: llm, backend: {use: scripted}}
  random: {use: random}
schedule: {use: round-robin, repeats: 3, rotate-seats: true}
metrics: [outcomes]
"""


FAULTY = SCRIPTED.replace(
    "{use: scripted}", "{use: scripted, max-attempts: 1, api-key: '${CANARY}', faults: [{kind: leak, calls: [12]}]}"
)
CANARY = "sk-canary-5b1f0d3a"


@pytest.mark.slow
def test_failed_match_is_told_and_played_again(arena, tmp_path):
    """A backend that breaks once costs one match: exit status 1, the others are played, resume plays just that one."""
    (tmp_path / "model.yaml").write_text(FAULTY)
    environment = {"CANARY": CANARY}
    arena("run", "model.yaml", "--output", "whole", "--set", "agents.model.backend.faults=[]", environment=environment)

    failed = arena("run", "model.yaml", "--output", "parted", environment=environment)
    played = exported(arena, tmp_path, "parted").splitlines()
    resumed = arena("resume", "parted", environment=environment)

    assert failed.returncode == 1, failed.stderr
    assert len(played) == 5
    assert resumed.returncode == 0, resumed.stderr
    assert len(exported(arena, tmp_path, "parted").splitlines()) == 6


@pytest.mark.slow
def test_secret_reaches_no_file_and_no_screen(arena, tmp_path):
    """A key that a server gives away in its error text is in no output, no journal, no export and no report."""
    (tmp_path / "model.yaml").write_text(FAULTY)
    environment = {"CANARY": CANARY}

    printed = [
        arena("run", "model.yaml", "--output", "run", environment=environment),
        arena("report", "run", environment=environment),
        arena("audit", "run", environment=environment),
        arena("resume", "run", "--verbose", environment=environment),
        arena("export", "run", "--format", "jsonl", "--events", "--output", "run.jsonl", environment=environment),
        arena("run", "model.yaml", "--dry-run", environment=environment),
    ]

    assert all(CANARY not in done.stdout + done.stderr for done in printed)
    assert all(CANARY.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.slow
def test_unset_secret_is_a_mistake(arena, tmp_path):
    """A key whose variable is not set is named before anything is written."""
    (tmp_path / "model.yaml").write_text(FAULTY)

    done = arena("run", "model.yaml")

    assert done.returncode == 2
    assert "CANARY" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.yaml"]


@pytest.mark.slow
def test_real_model_plays_a_real_game(arena, root, tmp_path):
    """The embedded model plays Kuhn poker through the whole house; what it meant is what was played."""
    quickstart = root / "examples" / "quickstart.yaml"

    done = arena("run", quickstart, "--game", "kuhn-poker", "-n", "1", "--output", "run")

    assert done.returncode == 0, done.stderr
    matches = [json.loads(line) for line in exported(arena, tmp_path, "run", "--events").splitlines()]
    assert len(matches) >= 2
    assert all(match["ending"] == "rules" for match in matches)
    assert {turn["by"] for match in matches for turn in match["turns"]} == {"agent"}
    audit = json.loads(arena("audit", "run", "--json").stdout)
    assert audit["answered"] > 0
    assert audit["counts"]["differs"]["n"] == 0


def check_quickstart_screen(errors: Sequence[str], output: Sequence[str], matches: int) -> None:
    """What stands below the progress: verdict, ranking, doubts, the report and what to do next, on one screen."""
    (first,) = (number for number, line in enumerate(errors) if line.startswith(f"quickstart · {matches} matches in"))
    screen = [*errors[first:], *output]
    places = [
        next(number for number, line in enumerate(screen) if line.startswith(sign))
        for sign in ("quickstart ·", "  tic-tac-toe: ", "  kuhn-poker: ", "  connect-three: ", "  #  agent")
    ]
    assert places == sorted(places)
    assert re.match("optimal (beats|leads)|nobody certainly leads", screen[screen.index("") + 1])
    assert screen[-5:] == [
        "report  run/report.html",
        "next    arena play tic-tac-toe --against smollm",
        "        arena report @",
        "        arena describe",
        "run",
    ]
    assert len(screen) <= 25
    assert max(map(len, screen)) <= 80


@pytest.mark.campaign
def test_what_to_do_next_can_be_pasted(arena, tmp_path):
    """Commands that a benchmark names are found by a shell: with the program's path where it is not on the PATH."""
    (tmp_path / "bench.yaml").write_text(f"{BENCH}next: [arena report @, arena]\n")
    here = Path(sys.executable).parent
    others = os.pathsep.join(each for each in os.environ["PATH"].split(os.pathsep) if Path(each) != here)

    far = arena("run", "bench.yaml", environment={"PATH": others, "COLUMNS": "120"})
    near = arena("run", "bench.yaml", environment={"PATH": f"{here}{os.pathsep}{others}"})
    module = subprocess.run(
        [sys.executable, "-m", "arena_cli", "run", "bench.yaml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert far.stderr.splitlines()[-2:] == [f"next    {here / 'arena'} report @", f"        {here / 'arena'}"]
    assert near.stderr.splitlines()[-2:] == ["next    arena report @", "        arena"]
    as_module = f"{sys.executable} -m arena_cli"
    assert module.stderr.splitlines()[-2:] == [f"next    {as_module} report @", f"        {as_module}"]


@pytest.mark.campaign  # tests/test_first_screen.py plays it too, as a newcomer does
@pytest.mark.timeout(1_200)
def test_quickstart_is_played_to_its_end(arena, root, tmp_path):
    """The quickstart: every match has a result, the report is one file, and no more is asked than was said."""
    path = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    done = arena("run", root / "examples" / "quickstart.yaml", "--output", "run", timeout_s=1_200, environment=path)

    assert done.returncode == 0, done.stderr
    matches = [json.loads(line) for line in exported(arena, tmp_path, "run").splitlines()]
    assert {match["game"] for match in matches} == {"tic-tac-toe", "connect-three", "kuhn-poker"}
    assert {agent for match in matches for agent in match["players"]} == {"smollm", "random", "optimal"}
    assert 40 <= len(matches) <= 60
    assert all(match["returns"] is not None for match in matches)
    assert "smollm" in (tmp_path / "run" / "report.html").read_text("utf-8")
    check_quickstart_screen(done.stderr.splitlines(), done.stdout.splitlines(), len(matches))
    with Journal.open(tmp_path / "run") as journal:
        uses = [use for record in journal.records() for use in journal.uses(record.id)]
    assert len(uses) <= 130
    assert sum(use.prompt_tokens - use.cached_tokens for use in uses) <= 9_000
    assert sum(use.completion_tokens for use in uses) <= 1_000
    assert max(use.completion_tokens for use in uses) <= 12


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_turn_in_brief_is_a_few_tokens(arena, tmp_path):
    """In the style brief the embedded model reads at most 60 tokens of a turn, all else it has read before."""
    (tmp_path / "brief.yaml").write_text(BRIEF)
    done = arena("run", "brief.yaml", "--output", "run", "--quiet")
    assert done.returncode == 0, done.stderr

    with Journal.open(tmp_path / "run") as journal:
        uses = {record.id: journal.uses(record.id) for record in journal.records()}

    later = [use.prompt_tokens - use.cached_tokens for match in list(uses.values())[1:] for use in match]
    assert len(later) >= 6
    assert max(later) <= 60


@pytest.mark.campaign
def test_every_example_can_be_played(arena, root):
    """Each benchmark file in the examples is complete and correct."""
    examples = sorted((root / "examples").glob("*.yaml"))

    answers = {path.name: arena("run", path, "--dry-run") for path in examples}

    assert len(answers) >= 5
    assert {name: done.stderr for name, done in answers.items() if done.returncode} == {}
