"""Finds agents that play the same matches again and again, which say no more than one of each."""

from collections import defaultdict
from collections.abc import Collection, Sequence

import attrs
from arena_engine.benchmark.sweeps import unswept_name

from arena_report.verdict.values import Contest


@attrs.frozen
class Repetition:
    """Agents that repeated their matches in a game, or in all its variants, and how many of them were different."""

    game: str
    agents: tuple[str, ...]
    matches: int
    different: int


def without_repeats(contests: Sequence[Contest], random: Collection[str]) -> tuple[list[Contest], list[Repetition]]:
    """Keep one of each match where all repeats of it are alike; different ones of the same agents are one block.

    That is so only if in each order of seats, in a game and all its variants, every match of these agents went alike,
    as it does between agents that leave nothing to chance: matches of others may well be alike now and then, and count.
    So do those of agents in ``random``, whose short matches are often alike.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Contest]] = defaultdict(list)
    for contest in contests:
        groups[unswept_name(contest.game), tuple(sorted(contest.returns))].append(contest)
    kept: list[Contest] = []
    found: list[Repetition] = []
    for (family, agents), own in groups.items():
        ways: dict[tuple[object, ...], dict[str, Contest]] = defaultdict(dict)
        for contest in own:
            ways[contest.game, *sorted(contest.seats.items())].setdefault(contest.played, contest)
        is_repeated = all(contest.played for contest in own) and len(own) > len(ways) == sum(map(len, ways.values()))
        if not is_repeated or set(agents) & set(random):
            kept += own
            continue
        different = [each for alike in ways.values() for each in alike.values()]
        kept += [attrs.evolve(each, block=f"{each.game}/alike") for each in different]
        found.append(Repetition(family, agents, len(own), len(different)))
    return kept, found
