"""What is kept of the outcomes of very many matches."""

import pytest
from arena_report.content.contests import KeptContests
from arena_standings import Contest


@pytest.mark.parametrize("known", [0, 2, 4_096])
def test_contests_come_back_as_they_were(monkeypatch, known):
    """All of them, in their order, whether or not what they have in common is recognised."""
    monkeypatch.setattr("arena_report.content.contests.MOST_KNOWN", known)
    given = [
        Contest(
            game="hex" if n % 4 else "go",
            block=f"block {n // 2}",
            match=f"match {n}",
            agents=("a", "b") if n % 2 else ("b", "a"),
            returns=None if n % 7 == 0 else (float(n % 5), 0.0),
            ending="disqualified" if n % 7 == 0 else "finished",
            at_fault=(1,) if n % 7 == 0 else (),
            played="" if n % 3 else "alike",
        )
        for n in range(40)
    ]
    kept = KeptContests()
    for each in given:
        kept.add(each)

    assert [*kept] == given
    assert [*kept] == given
    assert kept.games == {"go", "hex"}
