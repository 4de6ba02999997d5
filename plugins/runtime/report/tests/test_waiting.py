"""What somebody is told who waits for a report."""

from arena_report.metrics.baselines import Waiting


def test_who_waits_is_told_soon_and_then_ever_more_rarely(monkeypatch):
    """Of 100 seconds the first word comes after one, others after 4, 16 and 64; nothing is worded in between."""
    clock = [0.0]
    monkeypatch.setattr("arena_report.metrics.baselines.monotonic", lambda: clock[0])
    told: list[str] = []
    waiting = Waiting(told.append)

    for second in range(101):
        clock[0] = second
        waiting.say(f"{second} s".format)

    assert told == ["1 s", "4 s", "16 s", "64 s"]
