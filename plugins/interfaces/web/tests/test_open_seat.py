"""The agent `open-seat` as a plugin: what it says of itself, what it imports, how it is waited for."""

import subprocess
import sys

import pytest
from arena.agent import Outside
from arena_engine import load_benchmark
from arena_web.open_seat.open_seat import OpenSeat


def test_description_reads_well(arena):
    """`arena describe` has every parameter with what it means, and an example."""
    told = arena("describe", "agent", "open-seat", "--full").stdout

    for parameter in ("title", "absent", "absent-s", "at-once", "look-ups", "checks"):
        assert f"\n{parameter} " in told
    assert "{use: open-seat, title: You}" in told


def test_importing_it_imports_no_server():
    """A run with an open seat needs none of the libraries that serve."""
    program = (
        "import sys\nimport arena_web.open_seat.open_seat, arena_web.open_seat.seat_player\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert not {"starlette", "uvicorn", "websockets", "anyio", "h11", "click"} & set(done.stdout.split())


def test_settings_say_how_it_is_waited_for():
    """What a benchmark says of absence is what the engine follows."""
    seat = OpenSeat(absent="leave", absent_s=60.0, at_once=2)

    assert seat.outside == Outside(absent="leave", absent_s=60.0, at_once=2)


@pytest.mark.parametrize("wrong", [{"absent": "never"}, {"absent-s": 0}, {"at-once": 0}, {"checks": "some"}])
def test_wrong_settings_are_named(wrong):
    """A setting that there is not is an error before anything is written."""
    (name,) = wrong
    plain = {"games": {"hex": "hex"}, "agents": {"person": {"use": "open-seat", **wrong}, "random": "random"}}

    with pytest.raises(Exception, match=f"agents.person.{name}"):
        load_benchmark(plain)


@pytest.mark.campaign
def test_review_says_that_nobody_is_there_to_play(arena):
    """`arena check` does not wait for somebody outside; it says what it could not try."""
    done = arena("check", "open-seat", "--only", "conformance,determinism", "--full")

    assert done.exit_code == 0
    assert done.stdout.count("somebody outside plays for it, who is not here") == 2
