"""A recorded match, gone through again."""

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import termios
from pathlib import Path

import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError, JournalError
from arena.record import MatchRecord
from arena.turns import positions, turns
from arena_engine.benchmark.benchmark import build_benchmark
from arena_engine.execution.replay import ask, branch
from arena_engine.execution.runner import create_run
from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import transcript

BENCH = {
    "name": "replayed",
    "seed": 4,
    "games": {"ttt": "tic-tac-toe", "kuhn": "kuhn-poker", "rps": "matrix-rps"},
    "agents": {"model": {"use": "llm", "backend": {"use": "scripted"}}, "random": "random"},
    "schedule": {"use": "round-robin", "repeats": 2},
    "metrics": [],
}


@pytest.fixture(scope="module")
def played(arena_anywhere, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    (folder / "bench.yaml").write_text(json.dumps(BENCH))
    assert arena_anywhere("run", folder / "bench.yaml", "-q", "-o", folder / "run").exit_code == 0
    return folder


@pytest.fixture
def run(played: Path, arena, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"


def records(run: Path) -> dict[str, MatchRecord]:
    with Journal.open(run) as journal:
        return {record.id: record for record in journal.records()}


def test_positions_come_up_again(run):
    """Recorded actions lead through the recorded events to the recorded returns, also with hidden cards and at once."""
    benchmark = build_benchmark(BENCH, Catalog())

    for record in records(run).values():
        *_, last = positions(benchmark.games[record.game].game, record)
        assert tuple(last.state.returns()) == record.returns
        assert last.step == record.steps


def test_changed_game_is_noticed(run):
    """Where the game does something else than was recorded, the match is not shown as if nothing had happened."""
    benchmark = build_benchmark(BENCH, Catalog())
    record = next(r for r in records(run).values() if r.game == "kuhn")
    other = attrs.evolve(record, plan=attrs.evolve(record.plan, chance_seed=record.plan.chance_seed + 1))

    with pytest.raises(JournalError, match="does not do again what was recorded"):
        list(positions(benchmark.games["kuhn"].game, other))


def test_turns_hold_their_answers(run):
    """Each turn of a model has its recorded completion, numbered in the order of play."""
    with Journal.open(run) as journal:
        for record in journal.records():
            found = transcript(record, journal.answers(record.id))
            assert [turn.number for turn in found] == list(range(1, len(found) + 1))
            for turn in found:
                is_model = record.agents[turn.player] == "model"
                assert bool(turn.tries[0].answers) == is_model


def test_everything_is_printed_where_there_is_no_terminal(arena, run):
    """Boards, prompts, replies and the ending; a prompt's unchanging part is shown once for each player."""
    done = arena("replay", "run", "--match", "ttt/model,random/0.0")

    assert done.exit_code == 0, done.stderr
    assert done.stdout.count("--- system") == 1
    assert done.stdout.count("--- user") == done.stdout.count("--- answer") >= 3
    assert "── turn 1 of" in done.stdout
    assert "Row 1: . . ." in done.stdout
    assert "result: " in done.stdout


def test_who_saw_an_event_is_told_by_seat(arena, run):
    """A card that one player alone saw names that player as the rest of the page does."""
    done = arena("replay", "run", "--match", "kuhn/model,random/0.0")

    assert done.exit_code == 0, done.stderr
    assert "player 1 is dealt" in done.stdout
    assert "(seen by player 1)" in done.stdout
    assert "(seen by player 2)" in done.stdout


def test_one_turn_and_every_prompt(arena, run):
    """``--turn`` shows one turn, ``--full`` repeats the whole prompt, ``--form`` draws the position in another way."""
    last = arena("replay", "run", "-m", "ttt/model,random/0.0", "--turn", 3).stdout
    full = arena("replay", "run", "-m", "ttt/model,random/0.0", "--full").stdout
    listed = arena("replay", "run", "-m", "ttt/model,random/0.0", "--form", "list").stdout

    assert last.startswith("── turn 3 of")
    assert "── turn 2" not in last
    assert full.count("--- system") == full.count("--- answer")
    assert listed != full


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-m", "99"], "has matches 1 to 12"),
        (["-m", "nothing"], "no match of that id"),
        (["-m", "1", "--turn", "77"], "the match has turns 1 to"),
        (["-m", "1", "--form", "oil"], "no form of that name (there is: text"),
        (["-m", "1", "--ask", "random"], "need a --turn"),
        (["-m", "1", "--turn", "1", "--ask", "radnom"], "--ask radnom: no agent"),
        (["-m", "1", "--turn", "1", "--branch", "random,random,random"], "expected one agent, for player 0, or 2"),
    ],
)
def test_what_cannot_be_shown(arena, run, options, said):
    """One sentence says what to name instead."""
    done = arena("replay", "run", *options)

    assert done.exit_code == 2
    assert said in done.stderr


def test_matches_are_listed(arena, run):
    """Without ``--match`` they are listed by number."""
    done = arena("replay", "run")

    assert "rules             ttt/model,random/0.0" in done.stdout
    assert len(done.stdout.splitlines()) == 13


def test_list_stays_in_columns(arena, tmp_path):
    """Ids stand below each other, also beside the longest ending."""
    faults = [{"kind": "bad-request", "share": 1}]
    agents = {"model": {"use": "llm", "backend": {"use": "scripted", "faults": faults}}, "r": "random", "s": "random"}
    (tmp_path / "bench.yaml").write_text(json.dumps({**BENCH, "games": {"ttt": "tic-tac-toe"}, "agents": agents}))
    assert arena("run", "bench.yaml", "-q", "-o", "run").exit_code == 1

    head, *lines = arena("replay", "run").stdout.splitlines()

    assert {line.index("ttt/") for line in lines} == {head.index("id (")}


async def test_another_agent_takes_a_turn(run):
    """It sees what the player saw, in the same position; nothing is written into the run."""
    benchmark = build_benchmark(BENCH, Catalog())
    record = records(run)["ttt/model,random/0.0"]
    third = turns(record)[2]
    before = (run / "journal.sqlite").read_bytes()

    first_legal = (
        build_benchmark({**BENCH, "agents": {"f": "first-legal", "g": "first-legal"}}, Catalog()).agents["f"].agent
    )
    turn, answers = await ask(benchmark, record, 3, first_legal)
    again, asked = await ask(benchmark, record, 3, benchmark.agents["model"].agent)

    taken = {t.move["play"] for t in turns(record)[:2]}
    assert turn.move["play"] == min(set(range(9)) - taken)
    assert (turn.player, turn.turn, answers) == (third.player, third.turn, ())
    assert again.played is not None
    assert "What has happened so far" in asked[0].request
    assert (run / "journal.sqlite").read_bytes() == before


async def test_turn_that_is_not_there(run):
    """The turns there are, are named."""
    record = records(run)["ttt/model,random/0.0"]
    benchmark = build_benchmark(BENCH, Catalog())

    with pytest.raises(ConfigError, match=r"--turn 40: .* has turns 1 to"):
        await ask(benchmark, record, 40, benchmark.agents["random"].agent)


def test_command_asks_another_agent(arena, run):
    """What another agent plays is shown beside what was recorded."""
    done = arena("replay", "run", "-m", "ttt/model,random/0.0", "--turn", 3, "--ask", "first-legal")
    model = arena("replay", "run", "-m", "ttt/random,model/0.1", "--turn", 1, "--ask", "model")

    assert done.exit_code == 0, done.stderr
    assert "first-legal in turn 3 in the place of model" in done.stdout
    assert "recorded: row" in done.stdout
    assert "asked for real" in model.stderr
    assert "--- answer (scripted, stop)" in model.stdout


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("match", ["kuhn/model,random/1.0", "rps/model,random/0.0", "ttt/model,random/0.0"])
def test_branch_shares_deals_and_moves(arena, run, match):
    """A branch has the deals and the moves up to its turn, is a run like any other, and says what it is."""
    old = records(run)[match]
    number = len(turns(old)) - 1

    done = arena("replay", "run", "-m", match, "--turn", number, "--branch", "first-legal", "-o", "branch")

    assert done.exit_code == 0, done.stderr
    assert done.stdout == "branch\n"
    (new,) = records(Path("branch")).values()
    target = turns(old)[number - 1]
    opening = [t.move for t in turns(old) if t.step < target.step]
    assert [t.move for t in turns(new)][: len(opening)] == opening
    assert new.events[: len([e for e in old.events if e.step == 0 and e.source == "game"])] == tuple(
        e for e in old.events if e.step == 0 and e.source == "game"
    )
    assert new.agents[target.player] == "first-legal"
    assert [t.tries[0].data.get("note") == {"opening": True} for t in turns(new)][: len(opening)] == [True] * len(
        opening
    )
    with Journal.open(Path("branch")) as journal:
        assert journal.header.name == "replayed-branch"
    assert arena("report", "branch").exit_code == 0


def test_branch_can_be_resumed(arena, run):
    """A branch that was begun and not played goes on like any run, to the same end."""
    match = "kuhn/model,random/1.0"
    arena("replay", run, "-m", match, "--turn", 2, "--branch", "model,random", "-o", "whole")
    with Journal.open(run) as journal:
        made, plan = branch(journal, records(run)[match], 2, ["model", "random"], Catalog())
    create_run(made, Path("begun"), (plan,)).close()

    done = arena("resume", "begun", "-q")

    assert (done.exit_code, done.stdout) == (0, "begun\n")
    assert arena("export", "begun", "-o", "-").stdout == arena("export", "whole", "-o", "-").stdout != ""


@pytest.mark.slow  # a process at a terminal
@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
def test_leafing_at_a_terminal(run):
    """At a terminal one turn is shown at a time: on, back, and the end."""
    command = [
        sys.executable,
        "-c",
        "from arena_cli import main; main()",
        "replay",
        str(run),
        "-m",
        "kuhn/model,random/0.0",
    ]
    controller, terminal = pty.openpty()
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, close_fds=True) as process:
        os.close(terminal)
        shown = [until(controller, b"q: end]")]
        for key in (b"n", b"p", b"q"):
            press(controller, key)
            shown.append(until(controller, b"q: end]" if key != b"q" else b"\0"))
        assert process.wait(20) == 0
    os.close(controller)

    assert [("turn 1 of" in page, "turn 2 of" in page) for page in shown[:3]] == [
        (True, False),
        (False, True),
        (True, False),
    ]


def press(controller: int, key: bytes) -> None:
    """Type a key once the program listens to single keys; what is typed before is thrown away."""
    for _ in range(2_000):
        if not termios.tcgetattr(controller)[3] & termios.ICANON:
            break
        select.select([], [], [], 0.01)
    os.write(controller, key)


def until(controller: int, mark: bytes) -> str:
    """What the terminal shows up to a mark, or to its end."""
    shown = b""
    while mark not in shown:
        ready, _, _ = select.select([controller], [], [], 20)
        try:
            more = os.read(controller, 65_536) if ready else b""
        except OSError:  # the other side has closed
            more = b""
        if not more:
            break
        shown += more
    return shown.decode()
