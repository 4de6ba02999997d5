"""The guard of a command: it says who ended the process, ends what does not end, and neither outlives the other."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arena_cli.process.guard import KILL_S
from arena_engine import Journal
from arena_testing import unwrapped

from .sources import AGENT

POINT = {"arena.agents": {"quits": "quits:QUITS"}}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "async def act(self, d): os._exit(7)",
            "arena: agent 'a' (lab.parts:P.act) from lab 1.0 ended the process with os._exit(7) at parts.py:",
        ),
        (
            "def act(self, d): os._exit(0)",
            "arena: agent 'a' (lab.parts:P.act) from lab 1.0 ended the process with os._exit(0) at parts.py:",
        ),
        (
            "async def act(self, d): await asyncio.sleep(0.01); os._exit(7)",
            "arena: agent 'a' (lab.parts:P.act) from lab 1.0 ended the process with os._exit(7) at parts.py:",
        ),
        (
            "def close(self): os._exit(7)\n    async def act(self, d): return first(d)",
            "arena: agent 'a' (lab.parts:P.close) from lab 1.0 ended the process with os._exit(7) at parts.py:",
        ),
        (
            "async def act(self, d): os.abort()",
            "arena: the process ended by SIGABRT in agent 'a' (lab.parts) at parts.py:",
        ),
        (
            "def act(self, d): ctypes.string_at(0)",
            "arena: the process ended by SIGSEGV in agent 'a' (lab.parts) at parts.py:",
        ),
        ("async def act(self, d): os.kill(os.getpid(), signal.SIGKILL)", "arena: the process ended by SIGKILL; go on"),
        ("async def act(self, d): ctypes.CDLL(None)._exit(7)", "arena: the process ended with code 7; go on"),
    ],
)
@pytest.mark.sample(fast=1)
def test_plugin_that_ends_the_process_is_named(lab, alone, body, sentence):
    """However an agent ends the process in a turn, the exit code is 1 and a sentence says what is known."""
    lab.install(AGENT.format(body), hostile="agents A")
    alone(agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 1, done
    assert done.status.startswith(sentence), done.status
    assert done.status.endswith("go on with `arena resume run`\n")
    assert done.said == "run\n"


@pytest.mark.slow
def test_plugin_that_exits_fails_its_match(lab, alone):
    """``sys.exit`` in a turn is a fault of the agent: its match fails, and the others go on."""
    lab.install(AGENT.format("async def act(self, d): sys.exit(5)"), hostile="agents A")
    alone(agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert done.code == 1
    assert "agent 'a' (lab.parts:P.act) tried to end the process: SystemExit(5)" in done.status


@pytest.mark.slow
def test_process_that_a_plugin_forks_may_end_as_it_likes(lab, alone):
    """Only the command's own process is watched: a plugin may fork, and its child may leave with ``os._exit``."""
    body = """async def act(self, d):
        child = os.fork()
        if child == 0:
            os._exit(7)
        os.waitpid(child, 0)
        return first(d)"""
    lab.install(AGENT.format(body), hostile="agents A")
    alone(agent="hostile")

    done = lab.run("run", "b.yaml", "-o", "run", "-q")

    assert (done.code, done.status) == (0, ""), done


@pytest.mark.slow
def test_plugin_that_exits_at_import_is_broken(lab):
    """``arena list-plugins`` shows what ends the process at import as broken, lists all others, and exits with 1."""
    lab.add("quits", POINT, {"quits.py": "import os\nos._exit(7)\n"})
    lab.add("quits-too", {"arena.games": {"gone": "gone:GONE"}}, {"gone.py": "import os\nos._exit(0)\n"})

    done = lab.run("list-plugins", "--full")

    lines = done.said.splitlines()
    assert done.code == 1, done
    assert [line.split() for line in lines if " quits" in line and " broken" in line] == [
        ["game", "gone", "quits-too", "broken"],
        ["agent", "quits", "quits", "broken"],
    ]
    assert "ImportError: it ends the process when it is imported; reinstall or upgrade quits" in unwrapped(done.said)
    assert any(line.startswith("agent") and "first-legal" in line and " ok " in line for line in lines)


@pytest.mark.slow
def test_plugin_that_exits_at_import_is_named(lab, alone):
    """A run that uses such a plugin ends with exit code 1 and the distribution's name."""
    lab.add("quits", POINT, {"quits.py": "import os\nos._exit(7)\n"})
    alone(agent="quits")

    done = lab.run("run", "b.yaml", "-o", "run")

    assert done.code == 1
    assert done.status == (
        "arena: quits 1.0 ended the process with os._exit(7) when it was imported, at quits.py:2; uninstall it, "
        "or switch it off with ARENA_DISABLE=quits\n"
    )


def test_question_of_the_guard_ends_no_command():
    """Asked where it runs while its interpreter ends, a command goes on to its own end."""
    program = (
        "import faulthandler, os, signal\n"
        "from arena_cli.process.guard_link import Guarded\n"
        "channel, lifeline = os.pipe()[1], os.pipe()[0]\n"
        "Guarded(channel, lifeline)\n"
        "faulthandler.unregister(signal.SIGVTALRM)\n"  # as the interpreter does in the end
        "os.kill(os.getpid(), signal.SIGVTALRM)\n"
    )

    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


@pytest.mark.slow
def test_second_signal_ends_at_once(lab, alone):
    """A second Ctrl-C waits for nothing."""
    lab.install(AGENT.format("async def act(self, d): held()"), hostile="agents A")
    alone(agent="hostile")
    apart_s = KILL_S
    while apart_s > KILL_S - 0.2:  # where the machine has stalled in between, the first alone has ended it
        (lab.directory / "reached").unlink(missing_ok=True)
        shutil.rmtree(lab.directory / "run", ignore_errors=True)
        process = lab.start("run", "b.yaml", "-o", "run", "-q")
        lab.reached(process)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        time.sleep(0.5)  # the second press of a key, which no event announces
        process.send_signal(signal.SIGINT)
        apart_s = time.monotonic() - began
        _, status = process.communicate(timeout=60)

    assert process.returncode == 3
    assert status == "arena: ended at once; go on with `arena resume run`\n"


@pytest.mark.slow
def test_signal_to_a_whole_group_counts_once(lab, alone):
    """A terminal tells the guard and the command; a run that ends by the first is not cut off by the copy."""
    lab.install(AGENT.format("async def act(self, d): await waited(); return first(d)"), hostile="agents A")
    alone(agent="hostile")
    process = lab.start("run", "b.yaml", "-o", "run", "-q", start_new_session=True)
    lab.reached(process)

    os.killpg(process.pid, signal.SIGINT)
    status = lab.ended(process).status

    assert process.returncode == 3
    assert "stopped early: interrupted; cut off: agent 'a' (lab.parts:P.act); 2 matches are left" in status


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def has_ended(process: int) -> bool:
    """Whether a process is gone within ten seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("body", ["async def act(self, d): await waited()", "async def act(self, d): held()"])
def test_killed_guard_takes_the_run_along(lab, alone, body):
    """``kill -9`` of the guard ends the command, whatever it does; what is left of the run can be resumed at once."""
    lab.install(AGENT.format(body), hostile="agents A")
    alone(agent="hostile")
    process = lab.start("run", "b.yaml", "-o", "run", "-q")
    lab.reached(process)
    (command,) = children(process.pid)

    process.kill()
    process.communicate()

    assert has_ended(command)
    with Journal.open(lab.directory / "run", write=True) as journal:
        assert journal.planned() == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_killed_command_takes_the_guard_along(lab, alone):
    """``kill -9`` of the command ends the guard, with exit code 1 and a sentence."""
    lab.install(AGENT.format("async def act(self, d): await waited()"), hostile="agents A")
    alone(agent="hostile")
    process = lab.start("run", "b.yaml", "-o", "run", "-q")
    lab.reached(process)
    (command,) = children(process.pid)

    os.kill(command, signal.SIGKILL)
    said, status = process.communicate(timeout=10)

    assert (process.returncode, said) == (1, "run\n")
    assert status == "arena: the process ended by SIGKILL; go on with `arena resume run`\n"


def test_lifeline_ends_a_process_with_its_parent(tmp_path):
    """Where Linux does not do it, a thread ends the command when the guard's end of a pipe is closed."""
    program = (
        "import os, threading, time\n"
        "from arena_cli.process.guard_link import wait_for_end\n"
        "reader, writer = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.close(writer)\n"
        "    print(os.getpid(), flush=True)\n"
        "    wait_for_end(reader)\n"
        "os._exit(0)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)

    assert has_ended(int(done.stdout))


def test_guard_imports_nothing_of_arena(tmp_path):
    """What runs before the command's own process begins is the standard library and the guard itself."""
    program = (
        "import sys\nfrom arena_cli.process import guard\n"
        "print(*sorted(n for n in sys.modules if n.split('.')[0] not in sys.stdlib_module_names))"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )

    named = {name for name in done.stdout.split() if name.partition(".")[0] in ("arena", "arena_engine", "arena_cli")}
    assert named == {"arena_cli", "arena_cli.process", "arena_cli.process.guard", "arena_cli.process.guard_link"}
