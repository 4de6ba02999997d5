"""Sweeps over agents that are not named: by plugin and by tag."""

from typing import Any

import pytest
from arena_engine.benchmark.sweeps import is_of_many, sweep

AGENTS: dict[str, Any] = {
    "agents": {
        "small": {"use": "llm"},
        "large": {"use": "playarena-agent-llm:llm", "tags": ["thinks"]},
        "plain": "random",
        "bare": "llm",
    }
}
STYLE = "agents.use=llm.prompt.style"


def names(*paths: tuple[str, tuple[Any, ...]]) -> list[str]:
    return list(sweep(AGENTS, dict(paths)).data["agents"])


def test_a_sweep_reaches_all_agents_of_a_plugin():
    """Whatever they are called and however they are written; agents of other plugins stay as they are."""
    assert names((STYLE, ("a", "b"))) == [
        *("small (a)", "small (b)", "large (a)", "large (b)"),
        *("plain", "bare (a)", "bare (b)"),
    ]


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_tag_wins_over_a_plugin_and_a_name_over_both(is_turned):
    """The most specific path counts, in whatever order they are written."""
    paths = [(STYLE, ("a", "b")), ("agents.tag=thinks.prompt.style", ("c",)), ("agents.small.prompt.style", ("d",))]
    found = names(*(reversed(paths) if is_turned else paths))

    assert found[:2] == ["small (d)", "large (c)"]


def test_nobody_may_be_meant():
    """A plugin or tag that no agent has changes nothing."""
    assert names(("agents.tag=unheard.prompt.style", ("c",))) == ["small", "large", "plain", "bare"]


def test_paths_of_many_are_told_from_names():
    """What stays when other agents play is a path by plugin or tag."""
    assert is_of_many(STYLE)
    assert is_of_many("agents.tag=thinks.prompt.style")
    assert not is_of_many("agents.small.prompt.style")
