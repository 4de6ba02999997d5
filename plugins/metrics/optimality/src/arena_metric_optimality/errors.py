"""Errors of agents: answers that could not be played, and moves that are worse than optimal play."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import attrs
from arena.agent import RefusalKind
from arena.metric import Measurement, MeasurementRow, Measurements
from arena.record import MatchRecord, Player
from arena.tables import Cell, Estimate, Table
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_hits

from arena_metric_optimality.columns import KEYS, detail, styled

ANSWERS = "answers"
"""The name of a measurement per player: its number of turns; the turns with a refusal are in the detail, by kind."""

ALL = "all games"

_ASKED = frozenset({"played", "refused", "withheld"})


def answered(match: MatchRecord) -> Iterator[Measurement]:
    """The turns of each player, and those in which an answer was illegal or could not be read."""
    turns = [set[int]() for _ in match.agents]
    illegal = [set[int]() for _ in match.agents]
    unread = [set[int]() for _ in match.agents]
    for event in match.events:
        if event.source != "referee" or event.player is None or event.kind not in _ASKED:
            continue
        data = cast("Mapping[str, Any]", event.data)
        turns[event.player].add(data["turn"])
        if event.kind == "refused":
            (illegal if data["kind"] == RefusalKind.ILLEGAL else unread)[event.player].add(data["turn"])
    for player, own in enumerate(turns):
        found = {"illegal": sorted(illegal[player]), "unread": sorted(unread[player])}
        yield Measurement(name=ANSWERS, value=len(own), player=Player(player), detail=found)


@attrs.frozen(eq=False)
class _Errors:
    """What one agent did in a group of matches: its answers by match and player, and its judged choices."""

    answers: Sequence[MeasurementRow]
    choices: Sequence[MeasurementRow]
    level: float

    def refused(self, kind: str) -> Estimate:
        """The share of turns with an answer of this kind of refusal."""
        return share(
            [float(len(detail(row)[kind])) for row in self.answers],
            [float(row.value or 0) for row in self.answers],
            clusters=[row.block for row in self.answers],
            level=self.level,
        )

    def suboptimal(self) -> Estimate:
        """The share of judged choices that lost some of the position's value."""
        hits = [not detail(row)["keeps_value"] for row in self.choices]
        return share(hits, clusters=[row.block for row in self.choices], level=self.level)

    def random(self) -> Estimate | None:
        """What random play would score in the same positions."""
        if not self.choices:
            return None
        chances = [1 - float(detail(row)["random_keeps"]) for row in self.choices]
        return random_hits(chances, level=self.level)

    def either(self) -> Estimate:
        """The share of turns with an error, of those with a refusal or a judged choice."""
        wrong: dict[tuple[str, int | None, int], bool] = {}
        blocks: dict[tuple[str, int | None, int], str] = {}
        for row in self.choices:
            key = (row.match, row.player, int(row.turn or 0))
            wrong[key], blocks[key] = not detail(row)["keeps_value"], row.block
        for row in self.answers:
            for turn in (*detail(row)["illegal"], *detail(row)["unread"]):
                key = (row.match, row.player, int(turn))
                wrong[key], blocks[key] = True, row.block
        order = sorted(wrong, key=lambda key: (key[0], key[1] or 0, key[2]))
        return share([wrong[key] for key in order], clusters=[blocks[key] for key in order], level=self.level)


def errors(table: Measurements, rows: Iterable[MeasurementRow]) -> Table:
    """Illegal and suboptimal moves by game and agent, and for each agent over all games if there are several."""
    columns = (
        *KEYS,
        *styled("count", {"turns": "turns"}),
        *styled("share", {"illegal": "illegal", "unread": "unreadable"}),
        *styled("count", {"judged": "judged"}),
        *styled("share", {"suboptimal": "suboptimal", "random suboptimal": "random", "errors": "any error"}),
    )
    lines: list[tuple[Cell, ...]] = []
    for (game, agent), own in _groups(rows, table.level).items():
        turns = int(sum(float(row.value or 0) for row in own.answers))
        judged = own.suboptimal() if own.choices else None
        head = (game, agent, turns, own.refused("illegal"), own.refused("unread"))
        lines.append((*head, len(own.choices), judged, own.random(), own.either() if own.choices else None))
    note = (
        "Illegal and unreadable: shares of the agent's turns, whatever the policy for illegal actions did then. "
        "Suboptimal: the share of its judged choices that were worth less than optimal play in the same position; "
        "substituted actions are no choices. Any error: of turns with a refusal or a judged choice. Optimal play has "
        "no error; random play is never illegal, and its share of suboptimal choices is beside the agent's."
    )
    return Table(title="Errors", columns=columns, rows=tuple(lines), note=note)


def _groups(rows: Iterable[MeasurementRow], level: float) -> dict[tuple[str, str], _Errors]:
    answers: dict[tuple[str, str], list[MeasurementRow]] = {}
    choices: dict[tuple[str, str], list[MeasurementRow]] = {}
    for row in rows:
        if row.name in (ANSWERS, "regret"):
            found = answers if row.name == ANSWERS else choices
            for game in (row.game, ALL):
                found.setdefault((game, str(row.agent)), []).append(row)
    games = {game for game, _ in answers} - {ALL}
    keys = [key for key in sorted(answers) if key[0] != ALL]
    keys += [key for key in sorted(answers) if key[0] == ALL and len(games) > 1]
    return {key: _Errors(answers[key], choices.get(key, []), level) for key in keys}
