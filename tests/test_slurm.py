"""The job scripts for Slurm, run for real with stand-ins for Slurm's own commands, and ended in the middle."""

import contextlib
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from arena_engine import Journal

SCRIPTS = Path(__file__).resolve().parents[1] / "examples" / "slurm"

# Runs a copy of the script as Slurm does, and again when it was put into the queue or its node was lost.
SBATCH = """\
import os, shutil, signal, subprocess, sys
from pathlib import Path
state = Path(os.environ["STATE"])
tasks, arguments = [None], sys.argv[1:]
if arguments[0].startswith("--array="):
    first, last = arguments.pop(0).removeprefix("--array=").split("-")
    tasks = range(int(first), int(last) + 1)
code = 0
for task in tasks:
    copy = state / "script"
    shutil.copy(arguments[0], copy)
    array = {} if task is None else {"SLURM_ARRAY_JOB_ID": "70", "SLURM_ARRAY_TASK_ID": str(task)}
    for restart in range(5):
        job = {"SLURM_JOB_ID": str(7000 + (task or 0)), "SLURM_RESTART_COUNT": str(restart), **array}
        batch = subprocess.Popen([copy, *arguments[1:]], env={**os.environ, **job}, start_new_session=True)
        (state / "started").write_text(str(batch.pid))
        (state / "started").rename(state / "batch")
        code = batch.wait()
        try:
            os.killpg(batch.pid, signal.SIGKILL)  # whatever a job leaves behind ends with it
        except ProcessLookupError:
            pass
        requeue = state / "requeue"
        if not requeue.exists() and code != -signal.SIGKILL:
            break
        requeue.unlink(missing_ok=True)
sys.exit(code)
"""

# A job may be over before its last node has begun; where nodes note that they have, it waits for them.
SRUN = """\
import os, signal, subprocess, sys, time
from pathlib import Path
command = [word for word in sys.argv[1:] if not word.startswith("--")]
count = int(os.environ["SLURM_NNODES"])
noted = Path(os.environ["STATE"], "nodes")
nodes = [
    subprocess.Popen(command, env={**os.environ, "SLURM_NODEID": str(i)}) for i in range(count)
]
def end(*_):
    until = time.monotonic() + 60
    while noted.exists() and len(noted.read_text().splitlines()) < count and time.monotonic() < until:
        time.sleep(0.05)
    for node in nodes:
        node.terminate()
signal.signal(signal.SIGTERM, end)
sys.exit(max(node.wait() for node in nodes))
"""

SCONTROL = """\
import os, sys
from pathlib import Path
if sys.argv[1:3] == ["show", "hostnames"]:
    print("\\n".join(["127.0.0.1"] * int(os.environ["SLURM_NNODES"])))
elif sys.argv[1] == "requeue":
    assert sys.argv[2] == os.environ["SLURM_JOB_ID"]
    Path(os.environ["STATE"], "requeue").touch()
    with open(Path(os.environ["STATE"], "requeued"), "a") as file:
        file.write(sys.argv[2] + "\\n")
else:
    sys.exit(f"scontrol {sys.argv[1:]}")
"""

# Listens where the head would, notes how it was started, and ends when it is told to.
RAY = """\
import json, os, signal, socket, sys
from pathlib import Path
options = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[2:])
kept = {name: os.environ[name] for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_ADDRESS", "ARENA_TEMP")}
mode = os.stat(kept["ARENA_TEMP"]).st_mode
with open(Path(os.environ["STATE"], "nodes"), "a") as file:
    file.write(json.dumps({**options, **kept, "mode": mode, "node": os.environ["SLURM_NODEID"]}) + "\\n")
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
if "head" in options:
    server.bind((options["node-ip-address"], int(options["port"])))
    server.listen()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
while True:
    signal.pause()
"""

QUICK = ("--set", "agents.model.backend.latency-s=0")
"""Options for a run that nobody interrupts; the others last long enough for who comes late to do so."""

BENCH = """\
name: job
seed: 9
games: {ttt: tic-tac-toe, kuhn: kuhn-poker}
agents:
  model: {use: llm, backend: {use: scripted, latency-s: 0.2, concurrency: 4, log: LOG}}
  random: random
schedule: {use: round-robin, repeats: 8}
metrics: []
limits: {concurrency: 4}
"""


class Slurm:
    """A directory with stand-ins for Slurm's commands, and jobs that were submitted to them.

    `local` is the disk of a node. Jobs of tests that run side by side have equal numbers, so each needs one of its own,
    and a short path: Ray puts sockets below it.
    """

    def __init__(self, directory: Path, program: Path, local: str, *, real_ray: bool) -> None:
        self.directory = directory
        self.state = directory / "state"
        self.state.mkdir()
        commands = {"sbatch": SBATCH, "srun": SRUN, "scontrol": SCONTROL} | ({} if real_ray else {"ray": RAY})
        bin_ = directory / "bin"
        bin_.mkdir()
        for name, code in commands.items():
            (bin_ / name).write_text(f"#!{sys.executable}\n{code}")
            (bin_ / name).chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{bin_}{os.pathsep}{program.parent}{os.pathsep}{os.environ['PATH']}",
            "STATE": str(self.state),
            "SLURM_SUBMIT_DIR": str(SCRIPTS.parents[1]),
            "SLURM_JOB_NODELIST": "node[1-2]",
            "SLURM_NNODES": "2",
            "SLURM_CPUS_PER_TASK": "1",
            "ARENA_PORT": str(free_port()),
            "ARENA_LOCAL": str(local),
        }

    @property
    def log(self) -> Path:
        """What reached the model, line by line."""
        return self.directory / "asked.log"

    def bench(self, more: str = "") -> Path:
        """The benchmark that is played."""
        path = self.directory / "bench.yaml"
        path.write_text(BENCH.replace("LOG", str(self.log)) + more)
        return path

    def submit(self, *arguments: object) -> subprocess.Popen[str]:
        """Submit a job and go on while it runs."""
        return subprocess.Popen(
            ["sbatch", *map(str, arguments)],
            env=self.environment,
            cwd=self.directory,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            executable=str(self.directory / "bin" / "sbatch"),
        )

    def asked(self) -> list[str]:
        """Hashes of all requests."""
        return [line.split()[0] for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def interrupt(self, job: subprocess.Popen[str], number: signal.Signals, *, after: int) -> None:
        """Send a signal to the batch script, as Slurm does, when so many requests were made."""
        deadline = time.monotonic() + 120
        batch = self.state / "batch"
        while job.poll() is None and time.monotonic() < deadline:
            if len(self.asked()) >= after and batch.exists():  # which need not be written before the first request
                break
            time.sleep(0.05)
        assert job.poll() is None, job.communicate()[0]
        (os.killpg if number == signal.SIGKILL else os.kill)(int(batch.read_text()), number)


@pytest.fixture
def slurm(tmp_path: Path, program: Path) -> Iterator[Slurm]:
    """Slurm with a stand-in for Ray."""
    with tempfile.TemporaryDirectory(prefix="node-", ignore_cleanup_errors=True) as local:
        yield Slurm(tmp_path, program, local, real_ray=False)


@pytest.fixture
def slurm_with_ray(tmp_path: Path, program: Path) -> Iterator[Slurm]:
    """Slurm with Ray itself."""
    with tempfile.TemporaryDirectory(prefix="node-", ignore_cleanup_errors=True) as local:
        yield Slurm(tmp_path, program, local, real_ray=True)


def free_port() -> int:
    """A port that nobody listens at, nor at the next one, and that no socket is given by the system meanwhile."""
    for port in range(20_000 + os.getpid() % 1_000 * 4, 32_000, 2):
        with socket.socket() as one, socket.socket() as other, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 1))
            return port
    raise AssertionError("no two free ports below 32,000")


def exported(arena, run: Path) -> bytes:
    """The whole story of a run."""
    target = run.parent / f"{run.name}.jsonl"
    done = arena("export", run, "--format", "jsonl", "--events", "--output", target)
    assert done.returncode == 0, done.stderr
    return target.read_bytes()


def finished(job: subprocess.Popen[str]) -> str:
    """What a job printed; it ended well."""
    output, _ = job.communicate(timeout=300)
    assert job.returncode == 0, output
    return output


@pytest.mark.slow  # ShellCheck is among the checkers
@pytest.mark.parametrize("script", sorted(p.name for p in SCRIPTS.iterdir() if p.suffix in (".sh", ".sbatch")))
def test_shellcheck_finds_nothing(script):
    """Every script is clean, and can be executed."""
    found = subprocess.run(
        [Path(sys.executable).parent / "shellcheck", script], cwd=SCRIPTS, capture_output=True, text=True, check=False
    )

    assert found.stdout + found.stderr == ""
    assert os.access(SCRIPTS / script, os.X_OK)


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGUSR1, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, marks=pytest.mark.campaign),
        pytest.param(signal.SIGKILL, marks=pytest.mark.slow),
    ],
)
def test_job_ended_in_the_middle_loses_nothing(tmp_path, arena, slurm, number):
    """The time limit, pre-emption and a lost node: the job starts again and ends as if nothing had happened."""
    bench = slurm.bench()

    job = slurm.submit(SCRIPTS / "arena.sbatch", bench, tmp_path / "run")
    slurm.interrupt(job, number, after=10)
    finished(job)

    asked = slurm.asked()
    in_flight = 4 if number == signal.SIGKILL else 0
    assert len(asked) - len(set(asked)) <= in_flight
    assert (slurm.state / "requeued").exists() == (number != signal.SIGKILL)
    with Journal.open(tmp_path / "run") as journal:
        assert len(journal.attempts()) > 1
    assert arena("run", bench, "--output", tmp_path / "whole", *QUICK).returncode == 0
    assert exported(arena, tmp_path / "run") == exported(arena, tmp_path / "whole")


@pytest.mark.campaign
def test_cluster_is_private_and_leaves_nothing(tmp_path, slurm):
    """Every node gets the token, the head's address and a directory of its own, which is gone afterwards."""
    import json

    output = finished(slurm.submit(SCRIPTS / "arena.sbatch", slurm.bench(), tmp_path / "run", "-n", 1))

    nodes = [json.loads(line) for line in (slurm.state / "nodes").read_text().splitlines()]
    assert sorted(node["node"] for node in nodes) == ["0", "1"]
    head, worker = sorted(nodes, key=lambda node: node["node"])
    assert head["RAY_AUTH_MODE"] == worker["RAY_AUTH_MODE"] == "token"
    assert head["RAY_AUTH_TOKEN"] == worker["RAY_AUTH_TOKEN"]
    assert len(head["RAY_AUTH_TOKEN"]) == 64
    assert head["RAY_AUTH_TOKEN"] not in output
    assert worker["address"] == head["RAY_ADDRESS"] == f"127.0.0.1:{head['port']}"
    assert stat.S_IMODE(head["mode"]) == 0o700
    assert not Path(head["ARENA_TEMP"]).exists()


@pytest.mark.campaign
def test_array_plays_a_seed_in_each_task(tmp_path, arena, slurm):
    """Tasks of an array are runs of their own, which are reported together."""
    finished(slurm.submit("--array=3-4", SCRIPTS / "array.sbatch", slurm.bench(), tmp_path / "runs", "-n", 1))

    seeds = {}
    for run in sorted((tmp_path / "runs").iterdir()):
        with Journal.open(run) as journal:
            seeds[run.name] = journal.header.seed
    assert seeds == {"3": 3, "4": 4}
    assert arena("report", tmp_path / "runs" / "3", tmp_path / "runs" / "4").returncode == 0


@pytest.mark.campaign  # starts a cluster of Ray twice
def test_real_cluster_is_preempted_and_loses_nothing(tmp_path, arena, slurm_with_ray):
    """The same with real Ray on two nodes of this machine, its token on: resumed on another cluster, byte for byte."""
    bench = slurm_with_ray.bench("executor: {use: ray, address: auto, workers: 2, matches-per-worker: 2}\n")

    job = slurm_with_ray.submit(SCRIPTS / "arena.sbatch", bench, tmp_path / "run")
    slurm_with_ray.interrupt(job, signal.SIGTERM, after=10)
    finished(job)

    asked = slurm_with_ray.asked()
    assert len(asked) == len(set(asked))
    assert (slurm_with_ray.state / "requeued").exists()
    whole = arena("run", bench, "--output", tmp_path / "whole", "--set", "executor=asyncio", *QUICK)
    assert whole.returncode == 0, whole.stderr
    assert exported(arena, tmp_path / "run") == exported(arena, tmp_path / "whole")
