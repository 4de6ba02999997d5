"""The metric ``contamination``, which compares results in a game with those in its twins and variants.

A twin is the same game in other words (``Game.twin_of``). An agent that plays the original better than its twin relies
on what it has read about the original, and not only on the rules. Variants (other rules, larger boards) are other
games, which the benchmark names in ``beside``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import Player
from arena.tables import Cell, Estimate, Section, Table
from arena_metric_statistics.comparisons import Comparison, holm, sign_flip
from arena_metric_statistics.effects import of_pairs
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import np

from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_outcomes.failures import DISQUALIFIED, RETURN, ends
from arena_metric_outcomes.results import bounds

_MEANING = (
    "Each agent's returns in a game and in its twin: the same tree of play in other words, symbols and coordinates. "
    "Matches are paired by opponents, seats and repeat. An agent that plays by the rules earns the same in both, so 0 "
    "is expected of random and of optimal play alike; a positive difference says that it does better where the game "
    "has the name and the look it is known by. Rows marked as variants compare different games, where 0 is expected "
    "of nobody: hold them against the row of random play. p is of a two-sided test by sign flips of whole blocks, and "
    f"p (Holm) allows for all rows. {DISQUALIFIED}"
)


@attrs.frozen
class Contamination(Metric):
    """What agents earn in a game and in its twins, as paired differences."""

    beside: Mapping[str, str] = attrs.field(
        factory=dict[str, str],
        metadata={"help": "variants, by name in the benchmark, with the game each is held beside"},
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row per player: its return in the match; ``None`` if it failed in a match that gave nobody a return."""
        if match.record.returns is not None:
            for player, earned in enumerate(match.record.returns):
                yield Measurement(name=RETURN, value=earned, player=Player(player))
            return
        for player in match.record.at_fault:
            yield Measurement(name=RETURN, value=None, player=player)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """One table row for each original, twin and agent."""
        found = list(self._pairs(measurements))
        if not found:
            why = "There is no game here whose twin was played by the same agents in the same pairings."
            yield Section(title="Contamination", text=why)
            return
        yield Section(title="Contamination", tables=(_view(measurements, found),), text=_MEANING)

    def _pairs(self, table: Measurements) -> Iterator["TwinPairs"]:
        earned: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
        blocks: dict[tuple[str, str], str] = {}
        seen: dict[str, list[float]] = defaultdict(list)
        for row in table.rows:
            if row.name == RETURN:
                seen[row.game] += [] if row.value is None else [float(row.value)]
        least = {game: ends(values, table.baselines.get(game))[0] for game, values in seen.items()}
        for row in table.rows:
            if row.name == RETURN and row.player is not None:
                # equal keys: the same match in another game, with the same agents, seats and repeat
                place = f"{row.match.removeprefix(row.game)} {row.player}"
                earned[row.game, str(row.agent)][place] = least[row.game] if row.value is None else float(row.value)
                repeat = row.match.rpartition("/")[2].partition(".")[0]
                blocks[row.game, place] = f"{row.pairing} {repeat} {row.block}"
        agents = sorted({agent for _, agent in earned})
        for original, twin, kind in self._beside(table):
            for agent in agents:
                first, second = earned.get((original, agent), {}), earned.get((twin, agent), {})
                places = sorted(set(first) & set(second))
                if places:
                    yield TwinPairs(
                        original=original,
                        twin=twin,
                        kind=kind,
                        agent=agent,
                        first=[first[place] for place in places],
                        second=[second[place] for place in places],
                        blocks=[blocks[original, place] for place in places],
                    )

    def _beside(self, table: Measurements) -> Iterator[tuple[str, str, str]]:
        for twin, game in sorted(table.games.items()):
            if game.twin_of is not None:
                for original, other in sorted(table.games.items()):
                    if other == game.twin_of:
                        yield original, twin, "twin"
        for variant, original in sorted(self.beside.items()):
            yield original, variant, "variant"


@attrs.frozen(eq=False, kw_only=True)
class TwinPairs:
    """The returns of one agent in the original and in the twin, pair by pair."""

    original: str
    twin: str
    kind: str
    agent: str
    first: Sequence[float]
    second: Sequence[float]
    blocks: Sequence[str]

    @property
    def differences(self) -> list[float]:
        """The return in the original minus the return in the twin, by pair."""
        return [a - b for a, b in zip(self.first, self.second, strict=True)]

    def means(self, table: Measurements) -> tuple[Estimate, Estimate, Estimate]:
        """The mean return in the original and in the twin, and the mean difference."""
        original, twin = (table.baselines.get(game) for game in (self.original, self.twin))
        first, second = bounds(original, np.array(self.first)), bounds(twin, np.array(self.second))
        least = None if first[0] is None or second[1] is None else first[0] - second[1]
        greatest = None if first[1] is None or second[0] is None else first[1] - second[0]
        return (
            mean(self.first, clusters=self.blocks, level=table.level, bounds=first),
            mean(self.second, clusters=self.blocks, level=table.level, bounds=second),
            mean(self.differences, clusters=self.blocks, level=table.level, bounds=(least, greatest)),
        )

    def test(self, seed: int) -> Comparison:
        """A sign-flip test in which the pairs of a block flip together."""
        found: dict[str, list[float]] = defaultdict(list)
        for difference, block in zip(self.differences, self.blocks, strict=True):
            found[block].append(difference)
        return sign_flip([sum(own) / len(own) for _, own in sorted(found.items())], seed=seed)


def _view(table: Measurements, found: Sequence[TwinPairs]) -> Table:
    tests = [each.test(table.seed) for each in found]
    columns = (
        *text("original", "twin", "kind", "agent"),
        *counts("pairs"),
        *numbers("in the original", "in the twin", "difference", "effect (d)"),
        *numbers("expected", unit="points of return"),
        *numbers("p", "p (Holm)", unit="probability"),
    )
    lines: list[tuple[Cell, ...]] = []
    for each, test, corrected in zip(found, tests, holm([test.p for test in tests]), strict=True):
        lines.append(
            (
                *(each.original, each.twin, each.kind, each.agent, len(each.first)),
                *each.means(table),
                of_pairs(each.differences, clusters=each.blocks, level=table.level),
                0.0 if each.kind == "twin" else None,
                test.p,
                corrected,
            )
        )
    return Table(title="Originals and their twins", columns=columns, rows=tuple(lines))
