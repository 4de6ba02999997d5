"""Whatever writes can be killed at any moment: what was finished is read, and doing it again makes it whole.

Other than in ``test_interruption.py`` nothing is waited for: moments are drawn over all that a command takes.
"""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import attrs
import pytest
from arena.errors import ConfigError
from arena_engine import Journal, is_cut_off, verify_journal
from arena_engine.journal.database import BEGUN, FILE
from arena_web.studies.study_store import StudyStore

ARENA = Path(sys.executable).with_name("arena")
SEED = int(os.environ.get("ARENA_CAMPAIGN_SEED", "36"))

MANY = """
name: many
seed: 3
games: {kuhn: {use: kuhn-poker}}
agents: {one: {use: random}, two: {use: random}}
schedule: {use: round-robin, repeats: %d, rotate-seats: true}
metrics: [outcomes]
"""

SWEEP = """
name: sweep
seed: 4
games: {kuhn: {use: kuhn-poker}, ttt: {use: tic-tac-toe}}
agents:
  model: {use: llm, backend: {use: scripted, seed: 11}}
  random: {use: random}
sweep:
  agents.model.prompt.style: [direct, chain-of-thought]
  agents.model.backend.temperature: [0.0, 1.0]
schedule: {use: against, agent: model, pool: [random], repeats: 60, rotate-seats: true, same-deals: true}
metrics: [outcomes]
limits: {concurrency: 8}
"""

JUDGED = """
name: judged
seed: 5
games: {deal: {use: negotiation, items: {book: 2, hat: 1}, rounds: 2, message-limit: 60}}
agents: {one: {use: random}, two: {use: random}}
schedule: {use: round-robin, repeats: 100, rotate-seats: true}
metrics:
  outcomes: {use: outcomes}
  behaviour: {use: judge, backend: {use: scripted, seed: 9, log: asked.log}}
limits: {concurrency: 8}
"""

CACHED = """
name: cached
seed: 6
games: {kuhn: {use: kuhn-poker}, ttt: {use: tic-tac-toe}}
agents:
  model: {use: llm, backend: {use: scripted, seed: 12, temperature: 0.7, log: asked.log}}
  random: {use: random}
schedule: {use: round-robin, repeats: 150, rotate-seats: true}
metrics: [outcomes]
limits: {concurrency: 8}
cache: cache
"""

PARTICIPANTS = 20_000
STUDY = """
name: kills
seed: 7
participants: %d
consent: "You agree."
conditions: {alone: {game: tic-tac-toe, against: random}}
"""


def stamp(path: Path | None) -> tuple[int, int] | None:
    """Which file this is, and when it was last written; None if there is none."""
    try:
        found = path.stat() if path else None
    except FileNotFoundError:
        return None
    return (found.st_ino, found.st_mtime_ns) if found else None


def killed(arguments: Sequence[str], directory: Path, after_s: float, said: str = "", once: Path | None = None) -> bool:
    """Start ``arena`` and kill it after some seconds; whether it was still at work. What ends by itself ends well.

    The seconds count from the moment that ``once`` is written anew, if it is given.
    """
    command, before = [str(ARENA), *arguments], stamp(once)
    with (directory / "said").open("w+") as typed, (directory / "printed").open("w+") as printed:
        typed.write(said)
        typed.seek(0)
        printing = {"stdin": typed, "stdout": printed, "stderr": printed}
        with subprocess.Popen(command, cwd=directory, start_new_session=True, **printing) as process:
            while once and stamp(once) == before and process.poll() is None:
                time.sleep(0.002)
            try:
                assert process.wait(after_s) == 0, (directory / "printed").read_text()
            except subprocess.TimeoutExpired:
                process.kill()
                return True
    return False


def exported(arena, tmp_path: Path, run: str) -> bytes:
    """The whole story of a run as bytes."""
    done = arena("export", run, "--format", "jsonl", "--events", "--output", f"{run}.jsonl")
    assert done.returncode == 0, done.stderr
    return (tmp_path / f"{run}.jsonl").read_bytes()


def plans_of(run: Path) -> list[object]:
    with Journal.open(run) as journal:
        return [plan.to_json() for plan in journal.plans()]


def wait_for(
    is_there: Callable[[], bool], process: subprocess.Popen[bytes], once: Path | None = None
) -> tuple[float, float]:
    """How long it takes until something is there that a process writes, which is killed then.

    Twice: from its start, and from the moment that ``once`` is written anew.
    """
    began = wrote = time.monotonic()
    before = stamp(once)
    while not is_there():
        assert process.poll() is None, "it ended before"
        if stamp(once) == before:
            wrote = time.monotonic()
        time.sleep(0.002)
    took = time.monotonic() - began, time.monotonic() - wrote
    process.kill()
    process.wait()
    return took


SMALL = [pytest.mark.slow, pytest.mark.timeout(600)]
LARGE = [pytest.mark.campaign, pytest.mark.timeout(7200)]


@pytest.mark.parametrize(
    ("matches", "kills"),
    [
        pytest.param(30_000, 8, id="small", marks=SMALL),
        pytest.param(100_000, 100, id="large", marks=LARGE),
    ],
)
def test_a_run_killed_while_it_is_created_begins_again(arena, tmp_path, matches, kills):
    """It is never damaged: it is not there yet, or whole; the same command or a resumption makes it."""
    (tmp_path / "many.yaml").write_text(MANY % (matches // 2))
    run, begin = tmp_path / "run", ["run", "many.yaml", "-q", "-o", "run"]
    begun = run / BEGUN
    whole_s, writing_s = wait_for((run / FILE).exists, subprocess.Popen([str(ARENA), *begin], cwd=tmp_path), begun)
    with Journal.open(run) as journal:
        assert journal.planned() == matches
    planned = plans_of(run)
    shutil.rmtree(run)
    dice = Random(SEED)
    moments: list[str] = []

    while len(moments) < kills or (moments.count("cut off") < kills / 10 and len(moments) < 4 * kills):
        command = ["resume", "run", "-q"] if is_cut_off(run) and dice.random() < 0.5 else begin
        # Most of the time is the start: every other kill comes while it writes, however fast the machine is just then,
        # and each of these in another part of that time, which is short.
        if len(moments) % 2:
            killed(command, tmp_path, (len(moments) % kills + dice.random()) / kills * writing_s, once=begun)
        else:
            killed(command, tmp_path, dice.random() * whole_s * 1.05)
        found = arena("verify", "run")
        if (run / FILE).exists():
            moments.append("created")
            assert found.returncode == 0, found.stdout
            assert plans_of(run) == planned
            shutil.rmtree(run)
        else:
            moments.append("cut off" if is_cut_off(run) else "not begun")
            assert found.returncode == 2, found.stdout

    assert moments.count("cut off") >= kills / 10
    again = arena(*begin, timeout_s=3600)
    assert again.returncode == 0, again.stderr
    assert arena("run", "many.yaml", "-q", "-o", "whole", timeout_s=3600).returncode == 0
    assert exported(arena, tmp_path, "run") == exported(arena, tmp_path, "whole")


@pytest.mark.parametrize(
    ("more", "kills"),
    [
        pytest.param(5_000, 6, id="small", marks=SMALL),
        pytest.param(50_000, 100, id="large", marks=LARGE),
    ],
)
def test_a_run_killed_while_it_is_enlarged_keeps_what_it_had(arena, tmp_path, more, kills):
    """Its finished matches are read at once, and the same command enlarges it."""
    (tmp_path / "many.yaml").write_text(MANY % 500)
    assert arena("run", "many.yaml", "-q", "-o", "finished").returncode == 0
    finished = exported(arena, tmp_path, "finished")
    run, enlarge = tmp_path / "run", ["resume", "run", "--repeats", str(500 + more // 2), "-q"]

    def begin() -> None:
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(tmp_path / "finished", run)

    def is_larger() -> bool:
        with Journal.open(run, check=False) as journal:
            return journal.planned() > 1_000

    begin()
    log = run / f"{FILE}-wal"
    whole_s, writing_s = wait_for(is_larger, subprocess.Popen([str(ARENA), *enlarge], cwd=tmp_path), log)
    planned = plans_of(run)
    assert len(planned) == 1_000 + more
    begin()
    dice = Random(SEED + 1)
    larger, share = 0, 1.05  # of the time that it took at first; it takes less where the processor is free later

    for kill in range(kills):
        after_s, once = (writing_s, log) if kill % 2 else (whole_s, None)
        killed(enlarge, tmp_path, dice.random() * after_s * share, once=once)
        assert arena("verify", "run").returncode == 0
        assert set(finished.splitlines()) <= set(exported(arena, tmp_path, "run").splitlines())
        if is_larger():
            larger, share = larger + 1, share * 0.7
            assert plans_of(run) == planned
            begin()

    assert larger < kills
    again = arena(*enlarge, timeout_s=3600)
    assert again.returncode == 0, again.stderr
    (tmp_path / "large.yaml").write_text(MANY % (500 + more // 2))
    assert arena("run", "large.yaml", "-q", "-o", "whole", timeout_s=3600).returncode == 0
    assert exported(arena, tmp_path, "run") == exported(arena, tmp_path, "whole")


@attrs.frozen
class Writing:
    """A command that writes, what is said to make it whole, and how to read what it wrote.

    ``prepare`` writes what the command needs into the folder; ``again`` is the command after a kill that left a run;
    ``typed`` is what a person types, and ``ends`` is false for a command that serves until it is stopped.
    """

    command: str
    read: Callable[[Path], object]
    again: str = ""
    prepare: Callable[[Path], object] = lambda _: None
    typed: str = ""
    ends: bool = True


def files(**contents: str) -> Callable[[Path], object]:
    """Writes YAML files by their names."""
    return lambda folder: [(folder / f"{name}.yaml").write_text(text) for name, text in contents.items()]


def matches_of(folder: Path) -> object:
    """All records and judgements of the run in a folder."""
    with Journal.open(folder / "run") as journal:
        return [record.to_json() for record in journal.records()], journal.judgements("behaviour")


def asked_of(folder: Path) -> object:
    """The same, and the requests that reached the model, in whatever order, those in flight at a kill once."""
    return matches_of(folder), sorted({line.split()[0] for line in (folder / "asked.log").read_text().splitlines()})


def published(folder: Path) -> None:
    """Files in the likeness of those that LLM-Game-Benchmark publishes, of 1,600 games."""
    place = Path(__file__).parents[1] / "plugins" / "suites" / "grid_games" / "tests" / "published_files.py"
    spec = spec_from_file_location("published_files", place)
    assert spec
    assert spec.loader
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    made.write(folder, "tic-tac-toe", "list", (("one", "two"), ("two", "one")), repeats=800)


def played(benchmark: str) -> Callable[[Path], object]:
    """Plays a run that is then scored or ranked."""

    def prepare(folder: Path) -> None:
        files(many=benchmark)(folder)
        subprocess.run([str(ARENA), "run", "many.yaml", "-q", "-o", "run"], cwd=folder, check=True, capture_output=True)

    return prepare


def lines_of(folder: Path) -> object:
    return sorted((folder / "run" / "annotations.jsonl").read_text().splitlines())


def codes_of(folder: Path) -> object:
    try:
        return len(StudyStore.of(folder / "study").participants())
    except ConfigError:  # nothing is there yet
        return 0


WRITERS = {
    "sweep": Writing("run sweep.yaml -q -o run", matches_of, again="resume run -q", prepare=files(sweep=SWEEP)),
    "judging": Writing("run judged.yaml -q -o run", asked_of, again="resume run -q", prepare=files(judged=JUDGED)),
    "cache": Writing("run cached.yaml -q -o run", asked_of, again="resume run -q", prepare=files(cached=CACHED)),
    "import": Writing(
        "import llm-game-benchmark tic-tac-toe_list_240617-110645_all_moves.csv -o run",
        matches_of,
        again="verify run",  # it is there whole, and there is nothing to go on with
        prepare=published,
    ),
    "annotation": Writing(
        "annotate run --rubric social-behaviour", lines_of, prepare=played(JUDGED), typed="1\n\n" * 40_000
    ),
    "study": Writing(
        "study study.yaml -o study --port 0", codes_of, prepare=files(study=STUDY % PARTICIPANTS), ends=False
    ),
    "leaderboard": Writing(
        "leaderboard run --format submission -o board.json",
        lambda folder: (folder / "board.json").read_bytes(),
        prepare=played(MANY % 5_000),
    ),
}


LENGTHY = ("sweep", "leaderboard", "cache")
"""Writers that take a minute for two kills."""


@pytest.mark.parametrize(
    ("name", "kills"),
    [
        *(pytest.param(name, 2, id=f"{name}-small", marks=LARGE if name in LENGTHY else SMALL) for name in WRITERS),
        *(pytest.param(name, 100, id=f"{name}-large", marks=LARGE) for name in WRITERS),
    ],
)
def test_a_writer_that_is_killed_is_made_whole(arena, tmp_path, name, kills):
    """Whatever was being written is absent, as it was, or whole, and the command makes it whole."""
    writing = WRITERS[name]
    before, work, whole = (tmp_path / folder for folder in ("before", "work", "whole"))
    before.mkdir()
    writing.prepare(before)
    shutil.copytree(before, whole)
    whole_s = completed(writing, whole)
    expected = writing.read(whole)
    assert kills < 100 or whole_s >= 2
    dice = Random(f"{SEED} {name}")
    times = 0

    while times < kills:
        if not work.exists():
            shutil.copytree(before, work)
        if killed(next_of(writing, work), work, dice.random() * whole_s, writing.typed):
            times += 1
            if (work / "run" / FILE).exists():
                assert not verify_journal(work / "run").problems
        else:
            assert writing.read(work) == expected
            shutil.rmtree(work)

    completed(writing, work)
    assert writing.read(work) == expected


def next_of(writing: Writing, folder: Path) -> list[str]:
    """The command that goes on in a folder."""
    has_run = (folder / "run" / FILE).exists()
    return shlex.split(writing.again if writing.again and has_run else writing.command)


def completed(writing: Writing, folder: Path) -> float:
    """Let the command do all that is left, and hand back how long it took."""
    began = time.monotonic()
    if writing.ends:
        done = subprocess.run(
            [str(ARENA), *next_of(writing, folder)],
            cwd=folder,
            input=writing.typed,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return time.monotonic() - began
    process = subprocess.Popen([str(ARENA), *next_of(writing, folder)], cwd=folder, stdout=subprocess.DEVNULL)
    return wait_for(lambda: writing.read(folder) == PARTICIPANTS, process)[0]
