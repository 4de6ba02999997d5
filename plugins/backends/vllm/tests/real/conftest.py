"""Real models in real engines on the CPU: what needs vLLM's own environment, made by make test-vllm."""

import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arena_backend_vllm import embedded_model

MARK = "ARENA_TEST_MARK"
SMALL = {"dtype": "bfloat16", "enforce-eager": True, "max-num-seqs": 16}
"""Options under which a small model starts fast."""
LONG = tuple(f"{number}. " + "You play tic-tac-toe on the squares a1 to c3. " * 45 for number in range(6))
"""Prompts of seven hundred tokens without a common beginning: together more than vLLM reads in one step."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here needs vLLM."""
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.vllm)


@pytest.fixture(scope="session")
def model() -> str:
    """A model that chats."""
    return str(embedded_model.directory())


@pytest.fixture(scope="session")
def base_model() -> str:
    """The same without a chat template."""
    return str(embedded_model.without_template())


@pytest.fixture
def marked() -> Iterator["Marked"]:
    """An environment by which all processes that descend from the test's are found."""
    found = Marked()
    yield found
    found.vanish()
    assert found.processes() == []


class Marked:
    """Finds processes by a mark in their environment."""

    def __init__(self) -> None:
        self._value = uuid.uuid4().hex
        self.environment: dict[str, Any] = {**os.environ, MARK: self._value}

    def processes(self) -> list[int]:
        """Those that live, zombies left out."""
        wanted = f"{MARK}={self._value}".encode()
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (path / "environ").read_bytes().split(b"\0"):
                    found.append(int(path.name))
            except OSError:
                continue
        return found

    def vanish(self) -> None:
        """Wait for all of them to be gone, as long as is decent on a busy machine."""
        end = time.monotonic() + 120
        while self.processes() and time.monotonic() < end:
            time.sleep(0.1)
