"""The metric ``outcomes``, the results that most reports start with."""

from collections.abc import Iterable, Sequence

import attrs
from arena.metric import Baseline, FinishedMatch, Measurement, Measurements, Metric
from arena.tables import Cell, Section, Table
from arena_metric_statistics.columns import Columns
from arena_metric_statistics.corrections import chance_corrected
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import np
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_mean, random_share

from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.endings import endings, without_result
from arena_metric_outcomes.failures import DISQUALIFIED, with_failures
from arena_metric_outcomes.head_to_head import duels, head_to_head
from arena_metric_outcomes.outcome_figures import figures
from arena_metric_outcomes.results import OUTCOMES, Outcome, ResultGroup, deviation, difference_bounds, measured
from arena_metric_outcomes.rewards import rewards
from arena_metric_outcomes.same_deals import same_deals

_WINS = (
    "A win is the highest return outright; a tie for the highest is a draw. Whoever is disqualified has lost; for the "
    "others such a match is undecided, as for everybody one without returns. "
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
        rows = Columns.of(measurements.rows)
        sizes = {kind.game: len(kind.agents) for kind in rows.found_kinds()}
        fitting = {game: ref for game, ref in measurements.baselines.items() if sizes.get(game) == ref.players}
        measurements = attrs.evolve(measurements, baselines=fitting)
        kept = rows.of_kinds(lambda kind: not (kind.at_fault or kind.ending.is_forfeit))
        has_forfeits = len(kept) < len(rows)
        if measurements.forfeits != "without":
            has_winners = any(ref.has_winners for ref in fitting.values()) or not fitting
            text = f"{_WINS if has_winners else ''}{_MEANING}"
            yield self._section("Outcomes", text, measurements, rows)
        if measurements.forfeits == "without" or (measurements.forfeits == "both" and has_forfeits):
            counted = f"{kept.match_count} of {rows.match_count}"
            text = f"{counted} matches: those in which nobody was eliminated by its own refusals."
            yield self._section("Outcomes without forfeited matches", text, measurements, kept)
        tables = tuple(view for view in (endings(measurements, rows), without_result(measurements)) if view.rows)
        yield Section(title="How matches ended", tables=tables)

    def _section(self, title: str, text: str, table: Measurements, given: Columns) -> Section:
        if not len(given):
            return Section(title=title, text="There is no match to report.")
        rows = with_failures(given, table.baselines)
        views = self._of_agents(table, rows)
        compared = tuple(duels(table, given))
        views += [_games(table, given), head_to_head(table, compared), same_deals(table, rows)]
        shown = tuple(view for view in views if view.rows)
        return Section(title=title, tables=shown, figures=tuple(figures(table, rows, compared)), text=text)

    def _of_agents(self, table: Measurements, rows: Columns) -> list[Table]:
        """The tables by agent, and by seat; what is picked out for them is not kept for the others."""
        agents = _groups(table, rows, "game", "agent")
        views = [_wins(agents), _returns(agents), rewards(agents)]
        if self.by_seat:
            views.append(_seats(_groups(table, rows, "game", "agent", "seat")))
        return views


def _groups(table: Measurements, rows: Columns, *keys: str) -> dict[tuple[str, ...], ResultGroup]:
    own = rows.of_players().grouped(*keys)
    return {key: ResultGroup(rows, table, table.baselines.get(key[0])) for key, rows in own.items()}


def _wins(agents: dict[tuple[str, ...], ResultGroup]) -> Table:
    contests = {key: group for key, group in agents.items() if group.reference and group.reference.has_winners}
    are_decided = not any(group.count("undecided") for group in contests.values())
    kept: list[Outcome] = [outcome for outcome in OUTCOMES if not (are_decided and outcome == "undecided")]
    out = {key: group.disqualified for key, group in contests.items()}
    has_out = any(out.values())
    columns = (
        *text("game", "agent"),
        *counts("matches", *(_PLURAL[outcome] for outcome in kept), *(("disqualified",) if has_out else ())),
        *shares("won", "random wins"),
    )
    rows = [
        (
            *(*key, group.matches, *map(group.count, kept), *((out[key],) if has_out else ())),
            *(group.share("win"), group.random_wins()),
        )
        for key, group in contests.items()
    ]
    note = "Disqualified: among the losses." if has_out else ""
    return Table(title="Wins", columns=columns, rows=tuple(rows), note=note)


def _returns(agents: dict[tuple[str, ...], ResultGroup]) -> Table:
    columns = (
        *text("game", "agent"),
        *numbers("mean return", "random", "optimal", "chance-corrected", unit="points of return"),
    )
    rows: list[tuple[Cell, ...]] = [(*key, *_against(group), _corrected(group)) for key, group in agents.items()]
    note = "Chance-corrected: 0 is random play, 1 is optimal play; only where players do not work against each other."
    if any(group.disqualified for group in agents.values()):
        note = f"{note} {DISQUALIFIED}"
    return Table(title="Returns", columns=columns, rows=tuple(rows), note=note)


def _against(group: ResultGroup) -> tuple[Cell, ...]:
    ref = group.reference
    return group.returns(), group.random_return(), group.against(ref.optimal if ref else None)


def _corrected(group: ResultGroup) -> Cell:
    if group.reference is None or not _is_common(group.reference):
        return None
    reference = group.reference
    random, optimal = group.against(reference.random), group.against(reference.optimal)
    if random is None or optimal is None:
        return None
    error = group.against(reference.random_errors) or 0.0
    return chance_corrected(group.returns(), random, optimal, random_error=error)


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


def _games(table: Measurements, rows: Columns) -> Table:
    columns = (
        *text("game"),
        *counts("matches"),
        *shares("drawn", "random drawn"),
        *numbers("first seat's advantage", "random", "optimal", unit="points of return"),
        *numbers("actions per match", "random actions", unit="actions"),
    )
    lines: list[tuple[Cell, ...]] = []
    for (game,), own in rows.grouped("game").items():
        ref = table.baselines.get(game)
        lengths = own.named("length")
        length = mean(lengths.values(), clusters=lengths.clusters, level=table.level, bounds=(0.0, None))
        drawn: tuple[Cell, Cell] = (None, None)
        if ref and ref.has_winners:
            draws, level = ref.random_draws, table.level
            by_chance = None if draws is None else random_share(draws, len(lengths), ref.random_n, level=level)
            drawn = _drawn(own, level), by_chance
        advantage = _advantage(own, ref, table.level)
        turns = ref.random_turns if ref else None
        lines.append((game, len(lengths), *drawn, *advantage, length, turns))
    note = "The first seat's advantage is its return less the mean return of the other seats."
    return Table(title="Games", columns=columns, rows=tuple(lines), note=note)


def _drawn(rows: Columns, level: float) -> Cell:
    players = rows.named("outcome")
    matches = players.by_match()
    hits = np.bincount(matches.labels, players.numbers(lambda found: found.value == "draw")) > 0
    return share(hits, clusters=players.where(matches.firsts).clusters, level=level)


def _advantage(rows: Columns, reference: Baseline | None, level: float) -> tuple[Cell, Cell, Cell]:
    players = rows.named("return")
    players = players.where(np.lexsort((players.players, players.by_match().labels)))
    matches = players.by_match()
    values, others = players.values(), np.bincount(matches.labels) - 1
    first = values[matches.firsts]
    values[matches.firsts] = 0.0
    several = np.flatnonzero(others)
    found = first[several] - np.bincount(matches.labels, values)[several] / others[several]
    blocks = players.where(matches.firsts[several]).clusters
    if not len(found) or (reference and reference.returns == "cooperative"):
        return None, None, None
    random = _random_lead(reference, len(found), level) if reference and reference.random else None
    optimal = _lead(reference.optimal) if reference and reference.optimal else None
    return mean(found, clusters=blocks, level=level, bounds=difference_bounds(reference, found)), random, optimal


def _random_lead(reference: Baseline, n: int, level: float) -> Cell:
    """The first seat's advantage in ``n`` random matches.

    One player's gain is at most the others' loss, so a match varies by no more than its returns do together.
    """
    value, others = _lead(reference.random), reference.players - 1
    each = [deviation(reference, player) for player in range(reference.players)]
    known = [found for found in each if found is not None]
    if len(known) < len(each):
        return value
    errors = reference.random_errors
    return random_mean(
        value,
        [known[0] + sum(known[1:]) / others] * n,
        error=errors[0] + sum(errors[1:]) / others if errors else 0.0,
        playouts=reference.random_n,
        level=level,
        bounds=difference_bounds(reference, ()) or (None, None),
    )


def _lead(values: Sequence[float]) -> float:
    return values[0] - sum(values[1:]) / (len(values) - 1)
