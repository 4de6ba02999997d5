"""The check of metrics passes sound ones and names what is wrong with the others."""

import random
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import attrs
import pytest
from arena.metric import Measurement, Metric
from arena.record import Ending, Player
from arena.tables import Column, Estimate, Figure, Section, Table
from arena.testing import ConformanceError, check_metric, playing, sample_records
from arena_testing import REFERENCE_GAME


def count_wins(match) -> Iterable[Measurement]:
    """Whether each player won, where anybody earned anything."""
    for player, earned in enumerate(match.record.returns or ()):
        yield Measurement(name="won", value=earned > 0, player=Player(player))


def share_of_wins(table) -> Iterable[Section]:
    """The share of wins by agent."""
    agents = sorted({row.agent for row in table.rows})
    rows = tuple((agent, _share(table, [row.value for row in table.rows if row.agent == agent])) for agent in agents)
    columns = (Column(name="agent", title="agent"), Column(name="won", title="won", style="share"))
    yield Section(title="wins", tables=(Table(title="by agent", columns=columns, rows=rows),))


def _share(table, values) -> Estimate:
    share = sum(values) / len(values)
    return Estimate(value=share, n=len(values), low=max(0, share - 0.1), high=min(1, share + 0.1), level=table.level)


@attrs.frozen
class Tried(Metric):
    """A metric made of two functions."""

    measuring: Callable[[Any], Iterable[Measurement]] = count_wins
    summarizing: Callable[[Any], Iterable[Section]] = share_of_wins

    def measure(self, match):
        return self.measuring(match)

    def summarize(self, measurements):
        return self.summarizing(measurements)


def fault_of(**functions) -> str:
    """What the check says about a metric made of ``functions``."""
    with pytest.raises(ConformanceError) as caught:
        check_metric(Tried(**functions))
    return str(caught.value)


def cell(value, style="share"):
    """A summary that is a table of one cell."""
    table = Table(title="t", columns=(Column(name="c", title="c", style=style),), rows=((value,),))
    return lambda _: [Section(title="s", tables=(table,))]


def test_sound_metric_passes():
    """A metric whose shares are estimates passes, with every ending there is."""
    report = check_metric(Tried())

    assert (report.matches, report.tables, report.estimates) == (30, 1, 2)


def test_own_records():
    """A metric can be tried on records of one's own."""
    assert check_metric(Tried(), sample_records()[:2]).matches == 2


def test_sample_records_have_every_ending_that_counts():
    """The made-up records end in every way that is a result."""
    assert {record.ending for record in sample_records()} == {ending for ending in Ending if ending.is_result}


def test_match_that_nobody_won():
    """A metric that cannot do without returns is found."""
    assert "disqualified" in fault_of(measuring=lambda m: [Measurement(name="first", value=m.record.returns[0])])


def test_empty_table():
    """A metric that divides by the number of matches is found."""
    fault = fault_of(summarizing=lambda table: [Section(title=f"{1 / len(table.rows)}")])

    assert "of no matches raises ZeroDivisionError" in fault


def test_share_without_an_interval():
    """A share that is a bare number is found."""
    assert "make it an Estimate" in fault_of(summarizing=cell(0.5))


@pytest.mark.parametrize(
    "estimate",
    [
        Estimate(value=0.5, n=0),
        Estimate(value=0.5, n=5, low=0.6, high=0.7),
        Estimate(value=0.5, n=5, high=0.6),
        Estimate(value=0.5, n=2.5, low=0.4, high=0.6),
    ],
    ids=["nothing", "outside", "upper end alone", "half a match"],
)
def test_estimate_that_cannot_be(estimate):
    """An estimate that contradicts itself is found."""
    assert "Estimate(" in fault_of(summarizing=cell(estimate))


def test_level_that_is_ignored():
    """Intervals at another level than the report's are found."""
    assert "0.8 is asked for" in fault_of(summarizing=cell(Estimate(value=0.5, n=9, low=0.4, high=0.6, level=0.95)))


def test_order_that_shows():
    """A summary that depends on the order of its measurements is found."""
    fault = fault_of(summarizing=lambda table: [Section(title=table.rows[0].match if table.rows else "none")])

    assert "depends on the order" in fault


def test_luck_of_its_own():
    """A summary with luck that is not seeded is found."""
    assert "differs the second time" in fault_of(summarizing=lambda _: [Section(title="s", text=str(random.random()))])


def test_measuring_that_changes_the_record():
    """A metric that edits the record it is shown is found."""

    def edit(match):
        for event in match.record.played():
            event.data["seen"] = True
        return ()

    assert "changes its record" in fault_of(measuring=edit)


@attrs.frozen
class Needy(Tried):
    """A metric that is nothing without the game and the calls."""

    needs_game: ClassVar[bool] = True
    needs_calls: ClassVar[bool] = True


def test_needs_are_met(play):
    """What a metric says that it needs is handed to it; without a game it measures nothing."""
    handed = []
    record = play(REFERENCE_GAME, [playing(3, 3), playing(3, 1)]).over
    metric = Needy(lambda match: handed.append(match) or count_wins(match))

    reports = check_metric(metric), check_metric(metric, [record], REFERENCE_GAME)

    assert [report.measurements for report in reports] == [0, 2]
    assert {match.game for match in handed} == {REFERENCE_GAME}
    assert all(match.calls for match in handed)


def test_game_that_is_used_and_not_needed(play):
    """A metric that cannot do without the game and does not say so is found, with the game at hand too."""
    record = play(REFERENCE_GAME, [playing(3, 3), playing(3, 1)]).over
    metric = Tried(lambda match: [Measurement(name="positions", value=len(list(match.positions())))])

    for options in ({}, {"records": [record], "game": REFERENCE_GAME}):
        with pytest.raises(ConformanceError, match="set needs_game in the metric"):
            check_metric(metric, **options)


def test_calls_that_are_not_needed():
    """A metric that does not say that it needs the calls is handed none."""
    handed = []

    check_metric(Tried(lambda match: handed.append(match.calls) or count_wins(match)))

    assert set(handed) == {()}


def test_value_that_is_not_json():
    """A value that cannot be written down is found."""
    fault = fault_of(measuring=lambda match: [Measurement(name="rate", value=float("nan"))])

    assert "cannot be written down" in fault


def test_rows_and_columns():
    """A row with more cells than columns is found."""
    view = Table(title="t", columns=(Column(name="c", title="c"),), rows=(("a", "b"),))

    assert "row of 2 cells" in fault_of(summarizing=lambda _: [Section(title="s", tables=(view,))])


def test_figure_with_a_short_series():
    """A series that is not as long as its x is found."""
    figure = Figure(kind="line", title="f", x=(1, 2), series={"a": (1.0,)})

    assert "not as long" in fault_of(summarizing=lambda _: [Section(title="s", figures=(figure,))])
