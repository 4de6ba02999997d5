"""What happened in matches, counted by agent and by pair."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena_standings.matches import Contest
from arena_standings.rows import Ints


class Record(NamedTuple):
    """What one agent's matches came to.

    ``won``, ``drawn`` and ``lost`` count opponents, so a match of three agents counts twice; a match that ended by
    disqualification is lost once by the disqualified and won by nobody. ``refused`` counts matches that the agent's own
    answers ended, ``blocks`` those that it played in.
    """

    won: int
    drawn: int
    lost: int
    matches: int
    blocks: int
    refused: int


class Counts:
    """Won, drawn and lost by pair, and what else is counted by agent."""

    def __init__(self, contests: Iterable[Contest], agents: Sequence[str]) -> None:
        many = len(agents)
        self._place = {agent: i for i, agent in enumerate(agents)}
        self._ahead, self._level, self._out = (np.zeros((many, many), dtype=np.int64) for _ in range(3))
        self._lost_alone, self._matches, self._refused = (np.zeros(many, dtype=np.int64) for _ in range(3))
        self._blocks: list[set[str]] = [set() for _ in agents]
        earned: dict[int, list[tuple[list[int], Sequence[float]]]] = defaultdict(list)
        for contest in contests:
            own = [self._place[agent] for agent in contest.agents]
            for i in set(own):
                self._matches[i] += 1
                self._blocks[i].add(contest.block)
            at_fault = {own[seat] for seat in contest.at_fault}
            for i in at_fault:
                self._refused[i] += 1
            if contest.is_disqualified:
                self._disqualified(at_fault, set(own))
                continue
            values: Sequence[float] = contest.returns or ()
            if len(set(own)) < len(own):
                by_agent = contest.earned
                own, values = [self._place[agent] for agent in by_agent], tuple(by_agent.values())
            earned[len(own)].append((own, values))
        for played in earned.values():
            self._compare(np.array([i for i, _ in played]), np.array([values for _, values in played]))

    def _disqualified(self, at_fault: set[int], present: set[int]) -> None:
        for i in at_fault:
            self._lost_alone[i] += 1
            for j in present - at_fault:
                self._out[i, j] += 1

    def _compare(self, agents: Ints, earned: Ints) -> None:
        """Count matches of the same number of agents, a line for each."""
        one, other = np.triu_indices(agents.shape[1], 1)
        first, second = agents[:, one].ravel(), agents[:, other].ravel()
        gap = (earned[:, one] - earned[:, other]).ravel()
        np.add.at(self._ahead, (first[gap > 0], second[gap > 0]), 1)
        np.add.at(self._ahead, (second[gap < 0], first[gap < 0]), 1)
        np.add.at(self._level, (first[gap == 0], second[gap == 0]), 1)
        np.add.at(self._level, (second[gap == 0], first[gap == 0]), 1)

    def of(self, agent: str) -> Record:
        """What one agent's matches came to."""
        i = self._place[agent]
        return Record(
            won=int(self._ahead[i].sum()),
            drawn=int(self._level[i].sum()),
            lost=int(self._ahead[:, i].sum() + self._lost_alone[i]),
            matches=int(self._matches[i]),
            blocks=len(self._blocks[i]),
            refused=int(self._refused[i]),
        )

    def met(self, a: str, b: str) -> tuple[int, int, int]:
        """Won, drawn and lost of one agent against another; a disqualification is lost by the disqualified."""
        i, j = self._place[a], self._place[b]
        won, lost = self._ahead[i, j] + self._out[j, i], self._ahead[j, i] + self._out[i, j]
        return int(won), int(self._level[i, j]), int(lost)

    def disqualified(self, a: str, b: str) -> int:
        """Matches of two agents in which one of them was disqualified and the other was not."""
        i, j = self._place[a], self._place[b]
        return int(self._out[i, j] + self._out[j, i])
