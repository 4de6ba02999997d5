"""The metric ``trading``, with the outcome-oriented measures of TradeCraft."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.tables import Section
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import Problem
from arena_game_tradecraft.solver import NODES
from attrs.validators import ge

from arena_metric_tradecraft.baselines import planned_rows, random_rows
from arena_metric_tradecraft.conduct import course
from arena_metric_tradecraft.match_measures import CONDUCT, MATCH, measured
from arena_metric_tradecraft.tradecraft_figures import figures
from arena_metric_tradecraft.tradecraft_tables import Plays, detail

MEANING = (
    "The outcome-oriented measures of the paper on TradeCraft (table 1). A player has won if it holds its target when "
    "a turn begins; several may win at once. Invalid behaviour is counted by turns of the match: proposals, answers "
    "and crafts that the rules refused, empty proposals, and what was no action at all. Asking whether a craft is "
    "possible is none. Rejected as receiver is rejects / (rejects + accepts). Matches of one rotation block count as "
    "one observation. Games that a sweep made of one by its problems alone count as one game."
)
_SWEPT = re.compile(r"(.+)\[problems=[^]]*\]")


@attrs.frozen(kw_only=True)
class Trading(Metric):
    """Outcomes by pair, invalid behaviour, turns, rejections and crafting chains in TradeCraft.

    ``conduct`` defines what is counted; everything is read from the record.
    """

    reference_matches: int = attrs.field(
        default=30, validator=ge(2), metadata={"help": "random matches of each game that stand beside those of agents"}
    )
    nodes: int = attrs.field(
        default=NODES, validator=ge(1), metadata={"help": "nodes after which the solver gives up and says unknown"}
    )

    needs_game: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row for the outcome, and one for each player with what it did."""
        game = match.game
        return measured(course(match.record), game, self.nodes) if isinstance(game, TradeCraft) else ()

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Tables by pair, agent, persona, problem and difficulty, beside random and planned play."""
        rows = [row for row in measurements.rows if measurements.forfeits != "without" or not row.is_forfeited]
        played = {(row.game, len(row.agents)) for row in rows if row.name == MATCH}
        if not played:
            yield Section(title="Trading", text="There is no match of TradeCraft.")
            return
        rows += [row for name, players in sorted(played) for row in self._baselines(measurements, name, players)]
        rows = sorted((attrs.evolve(row, game=_family(row.game)) for row in rows), key=_place)
        plays = Plays(
            tuple(row for row in rows if row.name == MATCH),
            tuple(row for row in rows if row.name == CONDUCT),
            measurements.level,
        )
        problems = _problems(sorted({name for name, _ in played}), measurements)
        text = (
            f"{MEANING} Random play: {self.reference_matches} matches of each game. Joint plan: the one with the "
            "fewest turns after which both players hold their targets, by the solver, which knows all targets; "
            "problems without one, or for which none was found within the solver's limit, are left out of it."
        )
        yield Section(title="Trading", tables=tuple(plays.tables()), figures=tuple(figures(plays, problems)), text=text)

    def _baselines(self, table: Measurements, name: str, players: int) -> Iterator[MeasurementRow]:
        game = table.games.get(name)
        if not isinstance(game, TradeCraft):
            return
        yield from random_rows(name, game, players, self.reference_matches, table.seed, self.nodes)
        if players == 2:
            met = {str(detail(row)["problem"]) for row in table.rows if row.name == MATCH and row.game == name}
            yield from planned_rows(name, game, met, self.nodes)


def _problems(played: Sequence[str], table: Measurements) -> Mapping[str, Sequence[Problem]]:
    """The problems of each game, each once, with those of all variants together."""
    found: dict[str, list[Problem]] = {}
    for name in played:
        game = table.games.get(name)
        own = found.setdefault(_family(name), [])
        own += (problem for problem in (game.given if isinstance(game, TradeCraft) else ()) if problem not in own)
    return found


def _family(name: str) -> str:
    """The name of the game before a sweep over problems was applied to it."""
    swept = _SWEPT.fullmatch(name)
    return swept[1] if swept and "[" not in swept[1] else name


def _place(row: MeasurementRow) -> tuple[Any, ...]:
    return (row.game, row.match, row.name, row.player or 0)
