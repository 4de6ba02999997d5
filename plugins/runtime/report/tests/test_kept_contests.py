"""What is kept of the contests of very many matches."""

import pytest
from arena_report import Contest
from arena_report.content.contests import KeptContests


@pytest.mark.parametrize("known", [0, 2, 4_096])
def test_contests_come_back_as_they_were(monkeypatch, known):
    """All of them, in their order, whether or not what they have in common is recognised."""
    monkeypatch.setattr("arena_report.content.contests.MOST_KNOWN", known)
    given = [
        Contest(
            game="hex" if n % 4 else "go",
            block=f"block {n // 2}",
            match=f"match {n}",
            returns={"a": gain, "b": 0.0 - gain},
            seats={"a": (n % 2,), "b": (1 - n % 2,)},
            played="" if n % 3 else "alike",
        )
        for n in range(40)
        for gain in [float(n % 5)]
    ]
    kept = KeptContests()
    for each in given:
        kept.add(each)

    assert [*kept] == given
    assert [*kept] == given
    assert kept.games == {"go", "hex"}
