"""Engines in real matches, with a cache of their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where equilibria are kept while this session's tests run; one place, so that each is computed once."""
    place = tmp_path_factory.getbasetemp() / "equilibria-of-all-tests"
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))
    return place / "arena" / "equilibria"
