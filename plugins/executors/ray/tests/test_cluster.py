"""Whole runs on real Ray clusters, simulated on this machine; slow, since each starts some twenty processes."""

import asyncio
import itertools
import json
import os
import re
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from arena.catalog import Catalog
from arena.errors import BackendError, ConfigError, StopRun
from arena.hookspecs import hookimpl
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Control, Journal, RemoteControl, build_benchmark
from arena_engine.execution.runner import create_run, play_run, resume_run
from arena_testing import unwrapped
from click.testing import CliRunner

ARENA = Path(sys.executable).parent / "arena"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]  # one process: clusters at once would share two cores
# Each test starts workers, which takes half a minute. What they share with workers of the executor `processes` is tried
# with those; here are what Ray does itself, a run that is played, one that loses a worker and one that is stopped.
FURTHER = pytest.mark.campaign


@pytest.fixture(scope="module")
def cluster():
    """The address of a cluster of one node with room for four workers, which outlives those of other tests."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 4})
    yield made.address
    made.shutdown()


def cluster_of(size):
    """A cluster that soon misses a node, and its nodes with room for a worker each."""
    from ray.cluster_utils import Cluster

    quick = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 300, "health_check_failure_threshold": 3}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": quick})
    return made, [made.add_node(num_cpus=1) for _ in range(size)]


@pytest.fixture
def plain(tmp_path):
    """A benchmark of two games, with a model that answers by rules, keeps a log, and is wrong at times."""
    backend = {"use": "scripted", "log": str(tmp_path / "asked.log"), "latency-s": 0.01}
    return {
        "name": "clustered",
        "seed": 11,
        "games": {"ttt": "tic-tac-toe", "kuhn": "kuhn-poker"},
        "agents": {"model": {"use": "llm", "backend": backend}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": 12},
        "illegal-actions": {"retries": 1, "then": "random"},
        "metrics": [],
    }


def on_ray(plain, address, workers, **more):
    """The same benchmark on Ray, four matches for each worker at once."""
    executor = {"use": "ray", "address": address, "workers": workers, "matches-per-worker": 4, **more}
    return {**plain, "executor": executor}


def complain(name, hook, error):
    """No observer breaks in these tests."""
    raise AssertionError(f"{name}: {hook}: {error}")


def play(plain, directory, watcher=None, control=None):
    """Start a run and play it as far as it goes."""
    made = build_benchmark(plain, trust_code=True)
    with create_run(made, directory) as journal:
        return asyncio.run(play_run(journal, made, {"watcher": watcher} if watcher else {}, complain, control=control))


def resume(directory, *overrides):
    """Go on with a run."""
    journal, made = resume_run(directory, Catalog(), overrides)
    with journal:
        return asyncio.run(play_run(journal, made, {}, complain))


def exported(directory) -> bytes:
    """The whole story of a run as bytes."""
    target = directory.with_suffix(".jsonl")
    arguments = ["export", str(directory), "--format", "jsonl", "--events", "--output", str(target)]
    done = CliRunner().invoke(group, arguments)
    assert done.exit_code == 0, done.output
    return target.read_bytes()


def asked(tmp_path) -> Counter[str]:
    """How often each request reached the backend; the log is begun anew."""
    log = tmp_path / "asked.log"
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return Counter(line.split()[0] for line in lines)


def kept(directory) -> Counter[str]:
    """How often each request is answered in the journal."""
    with Journal.open(directory) as journal:
        answers = [a for plan in journal.plans() for a in journal.answers(plan.id)]
    return Counter(a.request_hash for a in answers if a.kind == "completion")


class Watcher:
    """Does something when so many matches are over, and counts how often each is started."""

    def __init__(self, matches, action):
        self.matches = matches
        self.action = action
        self.starts = Counter()

    @hookimpl
    def match_started(self, plan):
        self.starts[plan.id] += 1

    @hookimpl
    def match_finished(self):
        self.matches -= 1
        if self.matches == 0:
            self.action()


@pytest.mark.campaign
def test_workers_log_into_the_drivers_file(cluster, plain, tmp_path):
    """One file has the events of all workers, each with its run, its match and the number of its worker."""
    plain["metrics"], log = [], tmp_path / "log.jsonl"
    (tmp_path / "bench.yaml").write_text(json.dumps(on_ray(plain, cluster, 2)))

    arguments = ["run", str(tmp_path / "bench.yaml"), "-q", "-o", str(tmp_path / "run"), "--log-json", str(log)]
    done = CliRunner().invoke(group, arguments)

    assert done.exit_code == 0, done.output
    events = [json.loads(line) for line in log.read_text().splitlines()]
    with Journal.open(tmp_path / "run") as journal:
        matches, run = {plan.id for plan in journal.plans()}, journal.header.id
    ended = [event for event in events if event["event"] == "match_finished"]
    assert {event["match"] for event in ended} == matches
    assert {event["worker"] for event in ended} == {1, 2}
    assert {event["run"] for event in events} == {run}
    assert sum(event["event"] == "call_answered" for event in events) == sum(kept(tmp_path / "run").values())


@pytest.mark.parametrize("workers", [pytest.param(1, marks=FURTHER), 2, pytest.param(4, marks=FURTHER)])
def test_ray_plays_what_asyncio_plays(plain, cluster, listener, tmp_path, workers):
    """Exports are byte-identical from asyncio and from 1, 2 and 4 workers; observers hear the same of each match."""
    here, there, directory = listener(), listener(), tmp_path / f"on-{workers}"
    assert play(plain, tmp_path / "here", here).exit_status == 0
    calls = asked(tmp_path)

    assert play(on_ray(plain, cluster, workers), directory, there).exit_status == 0

    assert exported(directory) == exported(tmp_path / "here").replace(b"here", directory.name.encode())
    assert there.heard == here.heard
    assert asked(tmp_path) == calls


class Reader:
    """Looks into the journal at each step, as somebody does who watches a run from another process."""

    def __init__(self, directory):
        self.directory = directory
        self.seen = {}

    @hookimpl
    def actions_applied(self, plan, events):
        with Journal.open(self.directory, check=False) as journal:
            for match in journal.matches_with_progress():
                self.seen[match] = max(self.seen.get(match, 0), journal.history_of(match).steps)


@FURTHER
def test_matches_of_workers_are_seen_while_they_are_played(plain, cluster, tmp_path):
    """The steps of matches that last longer than a second are in the journal until their records take their place."""
    plain["agents"]["model"]["backend"]["latency-s"] = 0.5
    plain["games"], plain["schedule"] = {"ttt": "tic-tac-toe"}, {"use": "round-robin", "repeats": 1}
    reader = Reader(tmp_path / "run")

    assert play(on_ray(plain, cluster, 1), tmp_path / "run", reader).exit_status == 0

    assert len(reader.seen) == 2
    assert min(reader.seen.values()) >= 3
    with Journal.open(tmp_path / "run") as journal:
        assert journal.matches_with_progress() == frozenset()


@FURTHER
def test_budget_of_calls_holds_and_is_raised_on_resume(plain, cluster, tmp_path):
    """A budget is exceeded by at most the calls in flight; raised, the rest is played and nothing asked twice."""
    limited = {**on_ray(plain, cluster, 2), "limits": {"budget-calls": 30}}

    outcome = play(limited, tmp_path / "run")
    first = asked(tmp_path)
    resumed = resume(tmp_path / "run", "limits.budget-calls=100000")

    assert outcome.exit_status == 3
    assert "budget-calls" in outcome.stopped
    assert 30 <= first.total() <= 30 + 2 * 4
    assert resumed.exit_status == 0
    assert first + asked(tmp_path) == kept(tmp_path / "run")


@pytest.fixture
def provider(model_server):
    """A server of the test's own, that is no model in anybody's process."""
    return model_server(lambda body: '{"action": "row 2, column 2"}', latency_s=0.1)


def hosted(plain, provider, **more):
    """The same benchmark with a model behind the provider; what it says is illegal at times, and played over."""
    backend = {"use": "litellm", "model": "openai/m", "base-url": provider.address, "can": [], **more}
    return {
        **plain,
        "games": {"ttt": "tic-tac-toe"},
        "agents": {**plain["agents"], "model": {"use": "llm", "backend": backend}},
    }


@pytest.mark.campaign
def test_concurrency_is_leased_by_the_driver(plain, provider, cluster, tmp_path):
    """Four workers together ask as many at once as the backend may be asked, by the log of the server."""
    numbers, all_six = itertools.count(), threading.Barrier(6)

    def answer(body):
        """The first six are answered once all six are there, however late a worker is."""
        if next(numbers) < 6:
            all_six.wait(120)
        return '{"action": "row 2, column 2"}'

    provider.answer = answer
    outcome = play(on_ray(hosted(plain, provider, concurrency=6), cluster, 4), tmp_path / "run")

    assert outcome.exit_status == 0
    assert provider.most_at_once == 6
    assert len(provider.requests) == kept(tmp_path / "run").total()


@FURTHER
def test_limits_per_minute_are_leased_by_the_driver(plain, provider, cluster, tmp_path):
    """Requests of all workers are spread over the minute together, by the server's log."""
    provider.latency_s = 0.0
    per_second = 20
    limited = hosted(plain, provider, **{"requests-per-minute": 60 * per_second})

    outcome = play(on_ray(limited, cluster, 3), tmp_path / "run")

    times = sorted(at for at, _ in provider.requests)
    assert outcome.exit_status == 0
    assert len(times) > 3 * per_second
    warm = times[2 * per_second :]  # the first request of each worker waits for LiteLLM, and others behind it
    in_flight = 3 * 4  # which come at once where the machine has stalled
    assert max(sum(start <= at < start + 1 for at in warm) for start in warm) <= per_second + in_flight + 1
    assert times[-1] - times[0] >= 0.9 * (len(times) - 1) / per_second


@FURTHER
def test_a_budget_holds_across_workers_by_the_servers_log(plain, provider, cluster, tmp_path):
    """However many workers there are, the server hears of no more calls than fit; less than one call is left."""
    limited = {**hosted(plain, provider, concurrency=6), "limits": {"budget-tokens": 110 * 60}}

    outcome = play(on_ray(limited, cluster, 4), tmp_path / "run")

    assert outcome.exit_status == 3
    with Journal.open(tmp_path / "run") as journal:
        totals = journal.totals()
    assert totals.calls == len(provider.requests)
    used = totals.prompt_tokens + totals.completion_tokens
    assert used <= 110 * 60
    assert "and the next call may use" in (outcome.stopped or "")


@FURTHER
def test_a_missing_key_is_found_out_once_for_all_workers(plain, provider, cluster, tmp_path):
    """What one worker learns keeps the others from asking; the matches of other agents are played."""
    provider.key = "of nobody here"
    several = hosted(plain, provider, concurrency=2)
    several["agents"]["other"] = "first-legal"

    outcome = play(on_ray(several, cluster, 4), tmp_path / "run")

    assert outcome.exit_status == 1
    assert len(set(outcome.failed.values())) == 1
    assert "no key for openai/m" in next(iter(outcome.failed.values()))
    assert outcome.finished == 24
    assert len(provider.requests) <= 2 + 4


@FURTHER
def test_a_run_goes_on_with_another_executor(plain, cluster, tmp_path):
    """A run that was begun in one process is finished on a cluster, and the whole is what one process plays."""
    assert play({**plain, "limits": {"budget-calls": 30}}, tmp_path / "parted").exit_status == 3
    executor = f"executor={{use: ray, address: '{cluster}', workers: 2}}"
    first = asked(tmp_path)

    outcome = resume(tmp_path / "parted", "limits.budget-calls=100000", executor)

    assert outcome.exit_status == 0
    assert first + asked(tmp_path) == kept(tmp_path / "parted")
    assert play(plain, tmp_path / "whole").exit_status == 0
    assert exported(tmp_path / "parted") == exported(tmp_path / "whole").replace(b"whole", b"parted")


@FURTHER
def test_stopping_is_clean(plain, cluster, tmp_path):
    """An observer's StopRun ends the run, what was in flight is kept, and resuming goes on to the same end."""

    def stop():
        raise StopRun("enough")

    outcome = play(on_ray(plain, cluster, 2), tmp_path / "parted", Watcher(5, stop))
    first = asked(tmp_path)
    resumed = resume(tmp_path / "parted")

    assert outcome.stopped == "enough"
    assert 5 <= outcome.finished < outcome.planned
    assert resumed.exit_status == 0
    assert first + asked(tmp_path) == kept(tmp_path / "parted")


class Holder:
    """Pauses the run once so many matches have begun, and lets another thread hold it, as another process does."""

    def __init__(self, directory, matches, hold):
        self.control, self.remote = Control(), RemoteControl(directory)
        self.directory, self.matches, self.found = directory, matches, {}
        self.asked, self.applied, self.errors = Counter(), Counter(), []
        self.thread = threading.Thread(target=self.work, args=(hold,))

    def work(self, hold):
        try:
            hold(self)
        except BaseException as error:
            self.errors.append(error)
        finally:
            self.control.stop("that will do")

    @hookimpl
    def match_started(self):
        self.matches -= 1
        if self.matches == 0:
            self.control.pause()
            self.thread.start()

    @hookimpl
    def decision_asked(self, plan):
        self.asked[plan.id] += 1

    @hookimpl
    def actions_applied(self, plan, events):
        self.applied[plan.id] += 1

    def done(self):
        self.thread.join()
        if self.errors:
            raise self.errors[0]


@pytest.fixture
def thinkers(plain, tmp_path, monkeypatch):
    """The benchmark with agents that think after their first turn until there is a file called ``paused``."""
    (tmp_path / "thinker.py").write_text(
        "import asyncio\nfrom pathlib import Path\n\n\nasync def choose(decision):\n"
        f"    while decision.turn and not Path({str(tmp_path / 'paused')!r}).exists():\n"
        "        await asyncio.sleep(0.01)\n"
        "    await asyncio.sleep(0.2)\n"
        "    return decision.options[0].action\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    thinker = {"use": "policy", "policy": "thinker:choose"}
    return {**plain, "games": {"ttt": "tic-tac-toe"}, "agents": {"a": thinker, "b": thinker}}


def hold(holder):
    """Cancel a match that is played and one that is not, let a player of another leave, and go on."""
    remote, state = holder.remote, holder.remote.state
    cut, left, kept_on = state.playing[:3]
    unbegun = next(id_ for id_ in planned(holder.directory) if id_ not in state.playing)
    holder.found.update(state=state, cut=cut, left=left, unbegun=unbegun)
    for match in state.playing:
        remote.unfinished_step(match)  # which is asked behind the pause
    holder.directory.with_name("paused").touch()
    remote.cancel(cut)
    remote.cancel(unbegun)
    with Journal.open(holder.directory, check=False) as journal:
        while journal.record_of(cut) is None or holder.applied[kept_on] < holder.asked[kept_on]:
            assert remote.state.is_paused
        before = holder.asked[kept_on]
        assert remote.unfinished_step(kept_on) == ()  # what the worker had to say before has come by then
        assert holder.asked[kept_on] == before
        with pytest.raises(ConfigError, match="is not being played"):
            remote.leave(cut, 0)
        with pytest.raises(ConfigError, match="takes no messages"):
            remote.send(kept_on, 0, {})
        remote.leave(left, 0)
        remote.proceed()
        while journal.record_of(left) is None:
            assert remote.state.is_playing


@FURTHER
def test_matches_of_workers_are_held_from_outside(thinkers, tmp_path):
    """A run on workers is paused and goes on, matches are cancelled, a player gets up, and the run is stopped.

    No match is over before its worker has heard of the pause, however late that is.
    """
    holder = Holder(tmp_path / "run", 4, hold)
    found = holder.found

    outcome = play(on_ray(thinkers, "local", 1), tmp_path / "run", holder, holder.control)
    holder.done()

    assert len(found["state"].playing) == 4
    assert outcome.stopped.startswith("that will do")
    with Journal.open(tmp_path / "run") as journal:
        endings = journal.endings()
    assert {id_ for id_, ending in endings.items() if ending is Ending.CANCELLED} == {found["cut"], found["unbegun"]}
    assert endings[found["left"]] is Ending.FORFEIT_LEFT


def planned(directory):
    """The ids of all matches of a run, in the order of the plan."""
    with Journal.open(directory, check=False) as journal:
        return [plan.id for plan in journal.plans()]


@pytest.mark.campaign
def test_no_room_is_one_sentence(plain, cluster, tmp_path):
    """Workers that nobody has room for end the run with what they ask for and what there is."""
    crowded = on_ray(plain, cluster, 1, **{"gpus-per-worker": 8, "start-timeout-s": 0.5})

    with pytest.raises(BackendError, match="8 GPUs, the cluster has 4 CPUs and 0 GPUs"):
        play(crowded, tmp_path / "run")


@pytest.mark.campaign
def test_each_worker_has_gpus_of_its_own(tmp_path, monkeypatch):
    """Two workers on a node with four GPUs see two each, so that a model in each of them takes no other's."""
    from ray.cluster_utils import Cluster

    (tmp_path / "seer.py").write_text(
        "import os\n"
        "def choose(decision, *_):\n"
        f"    with open({str(tmp_path / 'seen')!r}, 'a') as seen:\n"
        "        seen.write(f\"{os.getpid()} {os.environ['CUDA_VISIBLE_DEVICES']}\\n\")\n"
        "    return decision.options[0].action\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "num_gpus": 4})
    plain = {
        "name": "placed",
        "seed": 1,
        "games": {"ttt": "tic-tac-toe"},
        "agents": {"seer": {"use": "policy", "policy": "seer:choose"}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": 12},
        "metrics": [],
    }
    try:
        outcome = play(on_ray(plain, made.address, 2, **{"gpus-per-worker": 2}), tmp_path / "run")
    finally:
        made.shutdown()

    assert outcome.exit_status == 0
    seen = dict(line.split() for line in (tmp_path / "seen").read_text().splitlines())
    assert sorted(gpu for gpus in seen.values() for gpu in gpus.split(",")) == ["0", "1", "2", "3"]


@pytest.mark.slow
def test_a_node_is_killed_and_nothing_is_lost(plain, tmp_path):
    """When a node dies in the middle its matches are played elsewhere; only calls in flight are asked twice."""
    cluster, nodes = cluster_of(3)
    killing = threading.Thread(target=cluster.remove_node, args=(nodes[1],), kwargs={"allow_graceful": False})
    watcher = Watcher(12, killing.start)
    plain["agents"]["model"]["backend"]["latency-s"] = 0.1
    plain["schedule"]["repeats"] = 24
    try:
        outcome = play(on_ray(plain, cluster.address, 3), tmp_path / "run", watcher)
        killing.join()
    finally:
        cluster.shutdown()
    first = asked(tmp_path)
    plain["agents"]["model"]["backend"]["latency-s"] = 0.0
    assert play(plain, tmp_path / "whole").exit_status == 0

    assert outcome.exit_status == 0
    assert outcome.finished == outcome.planned
    assert 1 <= sum(starts > 1 for starts in watcher.starts.values()) <= 4
    assert exported(tmp_path / "run") == exported(tmp_path / "whole").replace(b"whole", b"run")
    assert (first - kept(tmp_path / "run")).total() <= 4
    assert not kept(tmp_path / "run") - first


@FURTHER
def test_all_nodes_are_killed_and_the_run_is_resumed(plain, tmp_path):
    """A run whose only node dies ends with a sentence; resumed on another node it comes to its end, nothing lost."""
    cluster, nodes = cluster_of(1)
    killing = threading.Thread(target=cluster.remove_node, args=(nodes[0],), kwargs={"allow_graceful": False})
    plain["agents"]["model"]["backend"]["latency-s"] = 0.05
    try:
        with pytest.raises(BackendError, match="no worker was ready within 20 s"):
            play(
                on_ray(plain, cluster.address, 1, **{"start-timeout-s": 20}),
                tmp_path / "run",
                Watcher(5, killing.start),
            )
        killing.join()
        cluster.add_node(num_cpus=1)
        resumed = resume(tmp_path / "run")
    finally:
        cluster.shutdown()

    assert resumed.exit_status == 0
    assert (asked(tmp_path) - kept(tmp_path / "run")).total() <= 4


@pytest.mark.campaign
def test_a_worker_with_another_version_is_refused(plain, tmp_path, monkeypatch):
    """A worker that finds another version of a plugin ends the run with one sentence before anything is played."""
    info = tmp_path / "site" / "playarena_backend_scripted-9.9.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: playarena-backend-scripted\nVersion: 9.9\n")
    (info / "entry_points.txt").write_text("[arena.backends]\nscripted = arena_backend_scripted:SCRIPTED\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))

    (tmp_path / "bench.yaml").write_text(json.dumps(on_ray(plain, "local", 2)))
    done = CliRunner().invoke(group, ["run", str(tmp_path / "bench.yaml"), "-q", "-o", str(tmp_path / "run")])

    assert done.exit_code == 2
    (said,) = unwrapped(done.stderr).splitlines()
    assert re.search(r"playarena-backend-scripted 9\.9 .*playarena-backend-scripted 0\.1\.0 .*install the same", said)
    assert not asked(tmp_path)


@FURTHER
def test_workers_share_answers_with_other_runs(plain, cluster, tmp_path):
    """What workers put into the cache is found by the next run, which asks nothing."""
    cached = {**plain, "cache": str(tmp_path / "cache")}

    assert play(on_ray(cached, cluster, 2), tmp_path / "first").exit_status == 0
    assert asked(tmp_path).total() > 0
    assert play(cached, tmp_path / "second").exit_status == 0

    assert asked(tmp_path).total() == 0


@pytest.mark.campaign
def test_ctrl_c_stops_and_leaves_nothing_running(plain, resumed, tmp_path):
    """Ctrl-C ends a run on a cluster of its own with status 3 and no process of it left; it is resumed to the end."""
    plain["agents"]["model"]["backend"]["latency-s"] = 0.1  # it is still played where the machine stalls for a second
    made = build_benchmark(on_ray(plain, "local", 2))
    create_run(made, tmp_path / "run").close()
    run = resumed(tmp_path / "run")
    log = tmp_path / "asked.log"
    while run.process.poll() is None and not (log.exists() and log.stat().st_size > 500):
        time.sleep(0.01)
    run.process.send_signal(signal.SIGINT)
    output, _ = run.process.communicate(timeout=60)

    assert run.process.returncode == 3, output
    assert "Traceback" not in output
    while run.processes():  # Ray's end themselves once nobody is there, which takes a busy machine a moment
        time.sleep(0.1)
    first = asked(tmp_path)
    assert resume(tmp_path / "run").exit_status == 0
    assert first + asked(tmp_path) == kept(tmp_path / "run")


@FURTHER
def test_search_plays_in_processes_of_the_workers(plain, cluster, tmp_path):
    """An agent that plays in a process of its own plays the same on a cluster, and is late there too."""
    plain["games"] = {"four": "connect-four"}
    plain["agents"] = {"search": {"use": "mcts", "simulations": 20}, "random": "random"}
    plain["schedule"]["repeats"] = 4

    assert play(plain, tmp_path / "here").exit_status == 0
    assert play(on_ray(plain, cluster, 2), tmp_path / "there").exit_status == 0
    assert exported(tmp_path / "there") == exported(tmp_path / "here").replace(b"here", b"there")

    plain["games"] = {"chess": "chess"}
    plain["agents"]["search"]["simulations"] = 100_000
    plain["limits"] = {"turn-seconds": 1}
    plain["illegal-actions"] = {"retries": 0, "then": "forfeit"}
    began = time.monotonic()
    assert play(on_ray(plain, cluster, 2), tmp_path / "late").exit_status == 0
    with Journal.open(tmp_path / "late") as journal:
        assert {str(ending) for ending in journal.endings().values()} == {"forfeit-time"}
    assert time.monotonic() - began < 30


@FURTHER
def test_a_cap_holds_when_a_worker_is_killed(plain, provider, tmp_path, monkeypatch, processes_with):
    """Calls that a lost worker had in flight stay counted: the server hears of no more than the cap allows."""
    from ray.cluster_utils import Cluster

    plain["schedule"]["repeats"] = 40
    provider.latency_s = 0.3
    capped = {**hosted(plain, provider, concurrency=8), "limits": {"budget-calls": 60}}
    mark = f"ARENA_TEST_{os.getpid()}_{time.monotonic_ns()}"
    monkeypatch.setenv(mark, "1")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 3})
    heard_before = []

    def kill():
        heard_before.append(len(provider.requests))
        worker = next(number for number in processes_with(mark) if "ray::Worker" in command_of(number))
        os.kill(worker, signal.SIGKILL)

    try:
        outcome = play(on_ray(capped, cluster.address, 3), tmp_path / "run", Watcher(2, kill))
    finally:
        cluster.shutdown()

    heard = len(provider.requests)
    assert outcome.exit_status == 3
    assert "budget-calls" in (outcome.stopped or "")
    assert heard_before[0] < heard <= 60
    assert kept(tmp_path / "run").total() <= heard  # those in flight, if any, were paid for


@FURTHER
def test_what_blocks_a_worker_is_named(plain, tmp_path, monkeypatch):
    """An agent that blocks the event loop of a worker is named with file and line, as a warning of the run."""
    (tmp_path / "sleeper.py").write_text(
        "import time\n\n\nasync def choose(decision):\n    time.sleep(0.0 if decision.turn else 1.5)\n"
        "    return decision.options[0].action\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    plain["games"] = {"ttt": "tic-tac-toe"}
    plain["agents"] = {"sleeper": {"use": "policy", "policy": "sleeper:choose"}, "random": "random"}
    plain["schedule"]["repeats"] = 1

    outcome = play(on_ray(plain, "local", 1), tmp_path / "run")

    assert outcome.exit_status == 0
    sentence = r"agent 'sleeper' \(.*\) has kept the run waiting for 1 s at sleeper\.py:5"
    assert any(re.match(sentence, warning) for warning in outcome.warnings), outcome.warnings


def command_of(number: int) -> str:
    """What a process calls itself."""
    return Path(f"/proc/{number}/cmdline").read_bytes().decode(errors="replace")


@FURTHER
def test_a_worker_without_this_distribution_is_told_of(plain, tmp_path, monkeypatch):
    """A node that lacks this distribution ends the run with the import that failed."""
    broken = tmp_path / "site" / "arena_executor_ray"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ModuleNotFoundError('there is no arena here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))

    with pytest.raises(BackendError, match="there is no arena here") as caught:
        play(on_ray(plain, "local", 1), tmp_path / "run")

    assert len(str(caught.value).splitlines()) == 1


@FURTHER
def test_a_cluster_of_its_own_leaves_the_process_as_it_was(plain, cluster, tmp_path):
    """After it, clusters are joined that authenticate nothing: Ray would have the process ask them for a token."""
    small = {**plain, "schedule": {"use": "round-robin", "repeats": 1}}
    mode = os.environ.get("RAY_AUTH_MODE")

    own = play(on_ray(small, "local", 1), tmp_path / "own")

    assert own.exit_status == 0
    assert os.environ.get("RAY_AUTH_MODE") == mode
    assert play(on_ray(small, cluster, 2), tmp_path / "joined").exit_status == 0
