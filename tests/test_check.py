"""``arena check`` over plugins of this repository: a few of different kinds, speeds, and a wheel."""

import json

import pytest

pytestmark = pytest.mark.slow

CHOSEN = {
    "game:kuhn-poker": "leaks",
    "agent:llm": "determinism",
    "metric:outcomes": "determinism",
    "report:html": "conformance",
    "prompt-style:direct": "conformance",
}
"""Plugins, each with a part that says most about its kind."""


@pytest.mark.campaign
@pytest.mark.parametrize("name", CHOSEN)
def test_plugin_of_ours_passes(arena, name):
    """Nothing fails, and nothing is left untested."""
    done = arena("check", name, "--quick", "--skip", "playouts", "--skip", "dependencies", "--json")

    (subject,) = json.loads(done.stdout)["subjects"]
    assert done.returncode == 0, subject
    assert {item["part"]: item["status"] for item in subject["items"]}[CHOSEN[name]] == "passed"
    assert {item["status"] for item in subject["items"]} <= {"passed", "warned"}, subject


@pytest.mark.campaign
def test_speed_stands_beside_reference_games(arena):
    """A game is as fast as others that are installed, measured in the same run."""
    done = arena("check", "game:tic-tac-toe", "--only", "speed", "--json")

    (subject,) = json.loads(done.stdout)["subjects"]
    (item,) = subject["items"]
    assert set(item["facts"]["references"]) == {"yardstick", "tic-tac-toe", "connect-four", "kuhn-poker"}
    assert item["facts"]["actions_per_s"] > 0


@pytest.mark.campaign
def test_wheel_of_ours_works_alone(arena, root):
    """The wheel of a metric that needs another distribution works with the two and the core."""
    done = arena(
        "check", root / "plugins" / "metrics" / "ratings", "--only", "wheel", "--only", "dependencies", "--json"
    )

    (subject,) = json.loads(done.stdout)["subjects"]
    assert done.returncode == 0, subject
    assert {item["part"]: item["status"] for item in subject["items"]} == {"dependencies": "passed", "wheel": "passed"}
