"""What the engine brings along."""

from arena.catalog import Catalog


def test_engine_brings_its_own_schedules():
    """The engine's schedules, executor and agent are plugins like any other."""
    catalog = Catalog()

    assert {"round-robin", "all-pairings", "against", "self-play", "fixed", "by-game"} <= set(catalog.names("schedule"))
    assert catalog.get("executor", "asyncio").dist == "playarena-engine"
    assert catalog.get("schedule", "against").load().__name__ == "Against"
