"""What a run changes about Python's garbage collector."""

import gc

import pytest
from arena_engine.execution import match_runner as garbage_collection
from arena_engine.execution.match_runner import collecting_less


@pytest.fixture(autouse=True)
def untouched(monkeypatch):
    """A collector as a program finds it, and nothing else that plays; afterwards it is as it was."""
    monkeypatch.setattr(garbage_collection, "_PLAYING", garbage_collection._Playing())
    threshold, is_frozen = gc.get_threshold(), gc.get_freeze_count() > 0
    gc.set_threshold(700, 10, 10)
    gc.unfreeze()
    yield
    gc.set_threshold(*threshold)
    if is_frozen:
        gc.freeze()


def test_collector_is_as_it_was_after_runs_that_overlap():
    """The first of several runs changes the collector, and the last one changes it back; a host's own setting stays."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    first, second = collecting_less(), collecting_less()

    first.__enter__()
    second.__enter__()
    assert gc.get_threshold()[0] > before[0]
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] > before[0]
    second.__exit__(None, None, None)

    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, frozen)


def test_host_that_has_frozen_its_objects_keeps_them_frozen():
    """What a program has frozen itself stays so after a run."""
    gc.freeze()

    with collecting_less():
        pass

    assert gc.get_freeze_count() > 0
