"""Strengths agree with those that another program finds for the same results."""

import choix
import numpy as np
import pytest
from arena_standings import Contest, GameKind
from arena_standings.equations import Equations
from arena_standings.rows import rows_of


@pytest.mark.parametrize("agents", [3, 6])
def test_strengths_are_those_of_bradley_and_terry(agents: int):
    """Without seats and without the drawn match beside the results, both solve the same equations."""
    random = np.random.default_rng(agents)
    truths = np.linspace(1.5, -1.5, agents)
    wins: list[tuple[int, int]] = []
    contests: list[Contest] = []
    for i in range(agents):
        for j in range(i + 1, agents):
            for match in range(60):
                won = random.random() < 1 / (1 + np.exp(truths[j] - truths[i]))
                wins.append((i, j) if won else (j, i))
                gains = (1.0, -1.0) if won else (-1.0, 1.0)
                contests.append(Contest(game="g", block=f"{i}/{j}/{match}", agents=(f"a{i}", f"a{j}"), returns=gains))
    rows = rows_of(contests, [f"a{i}" for i in range(agents)], {"g": GameKind(chance=True)})

    ours = Equations(rows, weight=1e-9).fit()[0][:agents]
    theirs = choix.ilsr_pairwise(agents, wins)

    assert rows.unturned == ("g",)
    assert ours - ours.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-3)
