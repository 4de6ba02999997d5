"""What keeps tests short: samples of many long cases, the longest first, and no search for garbage in what all load."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec

import pytest

OTHERS = ("campaign", "web", "vllm")
"""Marks of tests that are neither fast nor slow."""


def pytest_configure() -> None:
    """Collect garbage rarely while tests are collected, which leaves next to none; let no example be late.

    The settings of whoever runs the tests are not read, and nothing is added to them.
    """
    os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()
    gc.set_threshold(50_000)
    if find_spec("hypothesis"):
        from hypothesis import settings

        settings.register_profile("patient", deadline=None)
        settings.load_profile("patient")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave all that was loaded and collected out of garbage collections; a full one would walk through a gigabyte."""
    if session.config.getoption("loadgroup", False):
        lost = [item for item in session.items if item.get_closest_marker("xdist_group") and "@" not in item.nodeid]
        assert not lost, f"pytest-xdist leaves {lost[0].nodeid} in no group: it knows another pytest than this one"
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave so many cases fast as a test's ``sample`` says, then so many slow; what is left is for the campaign."""
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") and not any(item.get_closest_marker(name) for name in OTHERS):
            families[item.nodeid.partition("[")[0]].append(item)
    for family in families.values():
        sizes = family[0].get_closest_marker("sample")
        assert sizes
        quick = [item for item in family if item.get_closest_marker("slow") is None]
        fast = {id(quick[place]) for place in spread(len(quick), sizes.kwargs.get("fast", 0))}
        rest = [item for item in family if id(item) not in fast]
        slow = spread(len(rest), sizes.kwargs.get("slow", len(rest)))
        for place, item in enumerate(rest):
            item.add_marker("slow" if place in slow else "campaign")
    if items and items[0].config.pluginmanager.hasplugin("xdist"):
        for item in items:
            if shares(item) and not item.get_closest_marker("xdist_group"):
                item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    # One that may take long is not begun last, when nothing is left for the other processes to do meanwhile.
    items.sort(key=lambda item: -allowed_s(item))


def shares(item: pytest.Item) -> bool:
    """Whether a test asks for what is made once for a module or a class: all who ask for it belong in one process."""
    fixtures = getattr(item, "_fixtureinfo", None)
    found = fixtures.name2fixturedefs.values() if fixtures else ()
    return any(each[-1].scope in ("module", "class") and each[-1].baseid in item.nodeid for each in found)


def allowed_s(item: pytest.Item) -> float:
    """How many seconds a test asks for; zero where it is content with what all have."""
    asked = item.get_closest_marker("timeout")
    return float(asked.args[0]) if asked and asked.args else 0.0


def spread(length: int, number: int) -> set[int]:
    """So many places of a list, evenly spread."""
    return set(range(length)) if number >= length else {place * length // number for place in range(number)}


@pytest.fixture(scope="session", autouse=True)
def one_long_run() -> Iterator[None]:
    """All tests are one long run to the garbage collector: to count what is frozen here takes each run 60 ms."""
    with ExitStack() as stack:
        if find_spec("arena_engine"):
            from arena_engine.execution.match_runner import collecting_less

            stack.enter_context(collecting_less())
        yield


@pytest.fixture
def named_packages(tmp_path, monkeypatch) -> None:
    """Empty packages where LiteLLM and Ray are not installed, for what their plugins say without importing them."""
    absent = [name for name in ("litellm", "ray") if find_spec(name) is None]
    for name in absent:
        (tmp_path / "named-packages" / name).mkdir(parents=True)
        (tmp_path / "named-packages" / name / "__init__.py").touch()
    if absent:
        monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "named-packages")])
