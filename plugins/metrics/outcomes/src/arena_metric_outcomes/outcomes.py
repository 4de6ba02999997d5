"""The metric ``outcomes``, the results that most reports start with."""

from collections.abc import Iterable, Sequence

import attrs
from arena.metric import Baseline, FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.tables import Cell, Estimate, Section, Table
from arena_metric_statistics.corrections import chance_corrected
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share, share_of_playouts

from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.endings import endings, without_result
from arena_metric_outcomes.figures import figures
from arena_metric_outcomes.head_to_head import duels, head_to_head
from arena_metric_outcomes.results import OUTCOMES, Outcome, ResultGroup, grouped, measured
from arena_metric_outcomes.rewards import rewards
from arena_metric_outcomes.same_deals import same_deals

_WINS = (
    "A win is strictly the greatest return, alone; a draw is a tie at the top; undecided matches gave nobody a return. "
)

_MEANING = (
    "Matches of one rotation block share their deals and count as one observation. The references are random play "
    "against random play and optimal play against optimal play, in the seats in which the agent sat."
)

_PLURAL: dict[Outcome, str] = {"win": "wins", "draw": "draws", "loss": "losses", "undecided": "undecided"}


@attrs.frozen
class Outcomes(Metric):
    """Wins, draws, losses, returns and lengths by game, agent and seat; how matches ended; head to head."""

    by_seat: bool = attrs.field(default=True, metadata={"help": "show each agent in each seat too"})

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """Outcome, return and number of actions of each player, and the length of the match."""
        return measured(match.record)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """All results, then the same without forfeited matches if there are any."""
        sizes = {row.game: len(row.agents) for row in measurements.rows}
        fitting = {game: ref for game, ref in measurements.baselines.items() if sizes.get(game) == ref.players}
        measurements = attrs.evolve(measurements, baselines=fitting)
        kept = [row for row in measurements.rows if not row.is_forfeited]
        has_forfeits = len(kept) < len(measurements.rows)
        if measurements.forfeits != "without":
            has_winners = any(ref.has_winners for ref in fitting.values()) or not fitting
            text = f"{_WINS if has_winners else ''}{_MEANING}"
            yield self._section("Outcomes", text, measurements, measurements.rows)
        if measurements.forfeits == "without" or (measurements.forfeits == "both" and has_forfeits):
            matches = len({row.match for row in measurements.rows}), len({row.match for row in kept})
            text = f"{matches[1]} of {matches[0]} matches: those in which nobody was eliminated by its own refusals."
            yield self._section("Outcomes without forfeited matches", text, measurements, kept)
        tables = tuple(view for view in (endings(measurements), without_result(measurements)) if view.rows)
        yield Section(title="How matches ended", tables=tables)

    def _section(self, title: str, text: str, table: Measurements, rows: Sequence[MeasurementRow]) -> Section:
        if not rows:
            return Section(title=title, text="There is no match to report.")
        agents = _groups(table, rows, "game", "agent")
        views = [_wins(agents), _returns(agents), rewards(agents)]
        if self.by_seat:
            views.append(_seats(_groups(table, rows, "game", "agent", "seat")))
        compared = tuple(duels(table, rows))
        views += [_games(table, rows), head_to_head(table, compared), same_deals(table, rows)]
        shown = tuple(view for view in views if view.rows)
        return Section(title=title, tables=shown, figures=tuple(figures(table, rows, compared)), text=text)


def _groups(table: Measurements, rows: Iterable[MeasurementRow], *keys: str) -> dict[tuple[str, ...], ResultGroup]:
    own = sorted(grouped((row for row in rows if row.player is not None), *keys).items())
    return {key: ResultGroup(rows, table, table.baselines.get(key[0])) for key, rows in own}


def _wins(agents: dict[tuple[str, ...], ResultGroup]) -> Table:
    contests = {key: group for key, group in agents.items() if group.reference and group.reference.has_winners}
    are_decided = not any(group.count("undecided") for group in contests.values())
    kept: list[Outcome] = [outcome for outcome in OUTCOMES if not (are_decided and outcome == "undecided")]
    columns = (
        *text("game", "agent"),
        *counts("matches", *(_PLURAL[outcome] for outcome in kept)),
        *shares("won", "random wins"),
    )
    rows = [
        (*key, group.matches, *map(group.count, kept), group.share("win"), group.random_wins())
        for key, group in contests.items()
    ]
    return Table(title="Wins", columns=columns, rows=tuple(rows))


def _returns(agents: dict[tuple[str, ...], ResultGroup]) -> Table:
    columns = (
        *text("game", "agent"),
        *numbers("mean return", "random", "optimal", "chance-corrected", unit="points of return"),
    )
    rows: list[tuple[Cell, ...]] = [(*key, *_against(group), _corrected(group)) for key, group in agents.items()]
    note = "Chance-corrected: 0 is random play, 1 is optimal play; only where players do not work against each other."
    return Table(title="Returns", columns=columns, rows=tuple(rows), note=note)


def _against(group: ResultGroup) -> tuple[Cell, ...]:
    ref = group.reference
    return group.returns(), group.random_return(), group.against(ref.optimal if ref else None)


def _corrected(group: ResultGroup) -> Cell:
    if group.reference is None or not _is_common(group.reference):
        return None
    random, optimal = group.random_return(), group.against(group.reference.optimal)
    if random is None or optimal is None:
        return None
    if not isinstance(random, Estimate):
        return chance_corrected(group.returns(), random, optimal)
    return chance_corrected(group.returns(), random.value or 0.0, optimal, random_error=random.standard_error or 0.0)


def _is_common(reference: Baseline) -> bool:
    # If the players work against each other, random and optimal play earn the same on average over the seats.
    return reference.players == 1 or reference.returns == "cooperative"


def _seats(seats: dict[tuple[str, ...], ResultGroup]) -> Table:
    columns = (
        *text("game", "agent", "seat"),
        *counts("matches"),
        *shares("won", "random wins"),
        *numbers("mean return", "random", "optimal", unit="points of return"),
    )
    rows: list[tuple[Cell, ...]] = []
    for key, group in seats.items():
        ref = group.reference
        won = (group.share("win"), group.random_wins()) if ref and ref.has_winners else (None, None)
        if ref is None or ref.players > 1:
            rows.append((*key, group.matches, *won, *_against(group)))
    return Table(title="By seat", columns=columns, rows=tuple(rows))


def _games(table: Measurements, rows: Sequence[MeasurementRow]) -> Table:
    columns = (
        *text("game"),
        *counts("matches"),
        *shares("drawn", "random drawn"),
        *numbers("first seat's advantage", "random", "optimal", unit="points of return"),
        *numbers("actions per match", "random actions", unit="actions"),
    )
    lines: list[tuple[Cell, ...]] = []
    for (game,), own in sorted(grouped(rows, "game").items()):
        ref = table.baselines.get(game)
        lengths = [row for row in own if row.name == "length"]
        length = mean([float(r.value or 0) for r in lengths], clusters=[r.block for r in lengths], level=table.level)
        drawn: tuple[Cell, Cell] = (None, None)
        if ref and ref.has_winners:
            draws, level = ref.random_draws, table.level
            by_chance = None if draws is None else share_of_playouts(draws, ref.random_n, level=level)
            drawn = _drawn(own, level), by_chance
        advantage = _advantage(own, ref, table.level)
        turns = ref.random_turns if ref else None
        lines.append((game, len(lengths), *drawn, *advantage, length, turns))
    note = "The first seat's advantage is its return less the mean return of the other seats."
    return Table(title="Games", columns=columns, rows=tuple(lines), note=note)


def _drawn(rows: Sequence[MeasurementRow], level: float) -> Cell:
    matches = grouped((row for row in rows if row.name == "outcome"), "match")
    hits = [any(row.value == "draw" for row in own) for own in matches.values()]
    return share(hits, clusters=[own[0].block for own in matches.values()], level=level)


def _advantage(rows: Sequence[MeasurementRow], reference: Baseline | None, level: float) -> tuple[Cell, Cell, Cell]:
    matches = grouped((row for row in rows if row.name == "return"), "match")
    found: list[float] = []
    blocks: list[str] = []
    for own in matches.values():
        values = {int(row.player or 0): float(row.value or 0) for row in own}
        if len(values) > 1:
            found.append(_lead([values[p] for p in sorted(values)]))
            blocks.append(own[0].block)
    if not found or (reference and reference.returns == "cooperative"):
        return None, None, None
    random = _lead(reference.random) if reference and reference.random else None
    optimal = _lead(reference.optimal) if reference and reference.optimal else None
    return mean(found, clusters=blocks, level=level), random, optimal


def _lead(values: Sequence[float]) -> float:
    return values[0] - sum(values[1:]) / (len(values) - 1)
