"""The agent and its engine in matches: what is asked, what is journaled, and what becomes of an engine that fails."""

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
from arena.agent import Agent
from arena.errors import ArenaError, BackendError, ConfigError
from arena.record import Ending
from arena.testing import RANDOM
from arena_agent_chess.engine import UciEngine
from arena_agent_chess.search import SearchLimit
from arena_agent_chess.sharing import shared_engine
from arena_agent_chess.stockfish import Stockfish
from arena_engine import Limits, build_benchmark
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe

START = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The command that sets up a game of chess."""


def white(agent: Agent) -> list[Agent]:
    """The agent as White, against random moves."""
    return [agent, RANDOM]


FAILURES = {
    "illegal": "answered with 'e2e5', which is no legal move",
    "garbage": "answered with 'Ke9!', which is no legal move",
    "none": "answered with '(none)', which is no legal move",
    "die": "died when it was asked for a move (exit 3)",
    "long": "wrote a line of over",
    "nothing": "said nothing usable within 2 s when it was asked for a move, and was killed",
}


@pytest.mark.parametrize("word", FAILURES)
def test_failing_engine_is_no_move(play, scripted, word):
    """Whatever an engine does but answer, its match ends as a failure of the infrastructure that says what happened."""
    engine = scripted(word)

    played = play(Chess(), white(Stockfish(program=engine.program, timeout_s=2 if word == "nothing" else 60)))

    assert played.over.ending is Ending.INFRASTRUCTURE_FAILURE
    assert FAILURES[word] in played.over.failure.reason
    assert played.actions() == []
    assert played.answers == ()
    assert engine.running() == []


def test_engine_that_never_speaks_is_killed(play, scripted):
    """A program that is no engine is given up after its time, with a sentence."""
    engine = scripted("mute")

    played = play(Chess(), white(Stockfish(program=engine.program, timeout_s=0.5)))

    assert played.over.ending is Ending.INFRASTRUCTURE_FAILURE
    assert "raise 'timeout-s' if it needs longer" in played.over.failure.reason


def test_move_is_journaled_and_not_asked_for_again(play, scripted):
    """A resumed match takes the engine's moves from the journal: no process is started, and the record is the same."""
    engine, limits = scripted("e2e4"), Limits(max_steps=2)
    agents = white(Stockfish(program=engine.program, nodes=7, skill=3))
    first = play(Chess(), agents, limits=limits)
    asked = engine.lines()

    again = play(Chess(), agents, limits=limits, answers=first.answers)

    assert again.over == first.over
    assert engine.lines() == asked
    (event,) = [event for event in first.over.played() if event.player == 0]
    assert event.data["label"] == "e2e4"
    assert event.data["note"] == {
        "move": "e2e4", "engine": "Scripted 1.0", "skill": 3, "score": 20, "depth": 1, "nodes": 3
    }  # fmt: skip


def test_engine_is_told_the_whole_match(play, scripted):
    """One thread and the skill are set, everything earlier is forgotten, and the moves of the match are told."""
    engine = scripted("e2e4")

    play(Chess(), white(Stockfish(program=engine.program, nodes=7, skill=3)), limits=Limits(max_steps=1))

    assert engine.commands() == [
        *("started", "uci", "setoption name Threads value 1", "setoption name Skill Level value 3", "ucinewgame"),
        *(START, "isready", "go nodes 7", "quit"),
    ]


def test_milliseconds_take_the_place_of_nodes(play, scripted):
    """An engine that is given time searches for so long."""
    engine = scripted("e2e4")

    play(Chess(), white(Stockfish(program=engine.program, milliseconds=5)), limits=Limits(max_steps=1))

    assert "go movetime 5" in engine.commands()


async def search(engine: UciEngine):
    return await engine.search(START, SearchLimit(nodes=5), timeout_s=30)


async def test_engine_that_left_is_started_again(scripted):
    """An engine that ended after its answer is started again for the next question, without a word."""
    engine = scripted("leave", "d2d4")
    shared = UciEngine(engine.program)

    moves = [(await search(shared)).move for _ in range(2)]
    await shared.close()

    assert moves == ["e2e4", "d2d4"]
    assert len(engine.processes()) == 2


async def test_engine_that_died_is_started_again(scripted):
    """A question that killed the engine fails; the next one is answered by another process."""
    engine = scripted("die", "d2d4")
    shared = UciEngine(engine.program)

    with pytest.raises(BackendError, match="died"):
        await search(shared)
    found = await search(shared)
    await shared.close()

    assert found.move == "d2d4"
    assert len(engine.processes()) == 2


async def test_cancelled_question_kills_the_engine(scripted):
    """Where a turn's time is over, the engine that still thinks is killed, and the next question finds another."""
    engine = scripted("nothing", "d2d4")
    shared = UciEngine(engine.program)
    asking = asyncio.create_task(search(shared))
    await asyncio.to_thread(_told, engine, "go nodes 5")

    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking

    assert engine.running() == []
    assert (await search(shared)).move == "d2d4"
    await shared.close()


def _told(engine, command: str) -> None:
    """Wait until an engine has read a command."""
    until = time.monotonic() + 60
    while time.monotonic() < until and command not in engine.commands():
        time.sleep(0.01)


def test_matches_of_a_loop_share_one_engine_which_ends_with_it(scripted):
    """Questions at the same time are asked one after another, of one process, which is gone when the loop ends."""
    engine = scripted("e2e4")

    async def several():
        return await asyncio.gather(*(search(shared_engine(engine.program)) for _ in range(5)))

    found = asyncio.run(several())

    assert [each.move for each in found] == ["e2e4"] * 5
    assert len(engine.processes()) == 1
    assert engine.running() == []
    assert engine.commands()[-1] == "quit"


KILLED = """
import asyncio, sys
from arena_agent_chess.search import SearchLimit
from arena_agent_chess.sharing import shared_engine

async def ask():
    await shared_engine(sys.argv[1]).search(sys.argv[2], SearchLimit(nodes=5), timeout_s=60)
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(ask())
"""


def test_engine_ends_when_its_run_is_killed(scripted):
    """A run that is killed takes its engine with it: the pipe closes."""
    engine = scripted("e2e4")
    run = subprocess.Popen([sys.executable, "-c", KILLED, engine.program, START], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    assert len(engine.running()) == 1

    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    run.stdout.close()

    until = time.monotonic() + 60
    while engine.running() and time.monotonic() < until:
        time.sleep(0.02)
    assert engine.running() == []


def test_other_games_and_missing_programs_are_refused(tmp_path):
    """Before anything is played it is said that a game is not chess, and what to install."""
    with pytest.raises(ConfigError, match="another game"):
        Stockfish().needs(TicTacToe(), 2)
    with pytest.raises(ConfigError, match=r"unavailable: there is no program 'no-such-fish'.*apt install stockfish"):
        Stockfish(program="no-such-fish").needs(Chess(), 2)


def test_skill_of_an_engine_without_it_is_refused(play, scripted):
    """Lines for several moves are asked of engines that have that option, and a sentence tells of others."""
    engine = scripted("e2e4")
    shared = UciEngine(engine.program)

    async def several():
        try:
            await shared.search(START, SearchLimit(nodes=5), lines=20, timeout_s=30)
        finally:
            await shared.close()

    with pytest.raises(ArenaError, match=r"Scripted 1\.0 has no option 'MultiPV'"):
        asyncio.run(several())


def test_program_of_a_file_needs_consent():
    """A benchmark that names a program of its own is not played without the person's word."""
    plain = {
        "games": {"chess": "chess"},
        "agents": {"a": {"use": "stockfish", "program": "/bin/cat"}, "b": "random"},
        "schedule": "round-robin",
    }
    with pytest.raises(ConfigError, match="trust-code"):
        build_benchmark(plain)
