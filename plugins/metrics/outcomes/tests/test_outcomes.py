"""The metric ``outcomes`` on matches made by hand."""

from collections.abc import Sequence

import attrs
import pytest
from arena.metric import Baseline, FinishedMatch, MeasurementRow, Measurements, UnfinishedMatch
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena.tables import Estimate, Section
from arena.testing import check_metric
from arena_metric_outcomes import ILLEGAL_ACTIONS, OUTCOMES
from arena_metric_outcomes.outcomes import Outcomes
from arena_metric_outcomes.results import outcome
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share, wilson

ZERO_SUM = Baseline(
    random=(0.3, -0.3),
    random_errors=(0.04, 0.04),
    random_n=400,
    optimal=(0.0, 0.0),
    random_wins=(0.58, 0.29),
    random_draws=0.13,
    random_turns=7.6,
    returns="zero-sum",
    min_return=-1,
    max_return=1,
)


def match(
    agents: Sequence[str] = ("ann", "bob"),
    returns: Sequence[float] | None = (1.0, -1.0),
    repeat: int = 0,
    rotation: int = 0,
    game: str = "g",
    ending: Ending = Ending.RULES,
    gone: Sequence[int] = (),
    by: Sequence[str] = ("agent", "agent"),
    notes: Sequence[object] = (None, None),
) -> MatchRecord:
    plan = MatchPlan(
        id=f"{game}/{','.join(agents)}/{repeat}.{rotation}",
        game=game,
        agents=tuple(agents),
        pairing=",".join(sorted(agents)),
        repeat=repeat,
        rotation=rotation,
        chance_seed=repeat,
    )
    events = tuple(
        Event(p, "referee", "played", Player(p), {"action": 0, "turn": 0, "try": 0, "by": who, "note": notes[p]}, None)
        for p, who in enumerate(by[: len(agents)])
    )
    return MatchRecord(
        plan=plan,
        seats=("X", "O", "Y")[: len(agents)],
        ending=ending,
        returns=None if returns is None else tuple(returns),
        forfeited=tuple(map(Player, gone)),
        events=events,
    )


def block(repeat: int, first: float, second: float) -> list[MatchRecord]:
    """Ann and Bob with the same deals in both seatings; what Ann earns in each."""
    return [
        match(returns=(first, -first), repeat=repeat),
        match(("bob", "ann"), (-second, second), repeat=repeat, rotation=1),
    ]


def summary(matches: Sequence[MatchRecord], reference: Baseline | None = ZERO_SUM, **more) -> list[Section]:
    metric = Outcomes()
    rows = [MeasurementRow.of(m, each) for each in matches for m in metric.measure(FinishedMatch(each, None))]
    references = {} if reference is None else dict.fromkeys({each.game for each in matches}, reference)
    return list(metric.summarize(Measurements(rows=rows, baselines=references, **more)))


def line(sections: Sequence[Section], title: str, *key: str) -> dict:
    """The one row of a table that begins with ``key``, by column; the first table of that title."""
    (table, *_) = [table for section in sections for table in section.tables if table.title == title]
    (row,) = [row for row in table.rows if row[: len(key)] == key]
    return dict(zip([column.name for column in table.columns], row, strict=True))


def titles(sections: Sequence[Section]) -> list[str]:
    return [table.title for section in sections for table in section.tables]


def test_metric_conforms():
    """It passes the shipped checks on matches of every ending."""
    assert check_metric(Outcomes()).estimates > 0


@pytest.mark.parametrize(
    ("returns", "gone", "outcomes"),
    [
        ((1.0, -1.0), (), ("win", "loss")),
        ((0.0, 0.0), (), ("draw", "draw")),
        ((2.0, 2.0, -4.0), (), ("draw", "draw", "loss")),
        ((-1.0, -3.0, 4.0), (), ("loss", "loss", "win")),
        (None, (0,), ("loss", "undecided")),
        (None, (), ("undecided", "undecided")),
    ],
)
def test_what_a_match_means_to_each_player(returns, gone, outcomes):
    """A win is the greatest return alone, a tie at the top a draw; a disqualification is nobody's win."""
    played = match(("a", "b", "c")[: len(outcomes)], returns, gone=gone)

    assert tuple(outcome(played, Player(p)) for p in range(len(outcomes))) == outcomes


def test_wins_are_counted_by_agent_with_wilson():
    """Independent matches: counts, Wilson's interval, and what random play wins in the same seats."""
    found = line(summary([match(repeat=i, returns=(r, -r)) for i, r in enumerate((1, 1, 0, -1))]), "Wins", "g", "ann")

    assert (found["matches"], found["wins"], found["draws"], found["losses"]) == (4, 2, 1, 1)
    assert (found["won"].low, found["won"].high) == wilson(2, 4)
    assert found["random wins"].value == 0.58
    assert (found["random wins"].n, found["random wins"].unit) == (4, "matches")
    assert "known from 400 random matches" in found["random wins"].method


def test_rotated_matches_count_as_blocks():
    """Matches that share their deals are one observation, for shares and for returns."""
    matches = [m for i, pair in enumerate([(1, 1), (1, -1), (1, 1), (-1, -1)]) for m in block(i, *pair)]
    labels = [i // 2 for i in range(8)]

    found = summary(matches)

    assert line(found, "Wins", "g", "ann")["won"] == share([1, 1, 1, 0, 1, 1, 0, 0], clusters=labels)
    expected = mean([1, 1, 1, -1, 1, 1, -1, -1], clusters=labels, bounds=(-1, 1))
    assert line(found, "Returns", "g", "ann")["mean return"] == expected
    assert (expected.n, expected.unit) == (4, "blocks")


def test_references_follow_the_seats():
    """An agent that sat first in three of four matches is held against random play in those seats."""
    matches = [match(repeat=i) for i in range(3)] + [match(("bob", "ann"), repeat=3, rotation=1)]

    found = line(summary(matches), "Returns", "g", "ann")

    assert found["random"].value == pytest.approx((3 * 0.3 - 0.3) / 4)
    assert (found["random"].n, found["random"].unit) == (4, "matches")
    assert found["optimal"] == 0.0


def test_returns_of_equal_matches_are_not_certain():
    """Ten wins in ten matches leave room."""
    found = line(summary([match(repeat=i) for i in range(10)]), "Returns", "g", "ann")["mean return"]

    assert found.value == found.high == 1.0
    assert found.low < 0.6


def test_seats_are_told_apart():
    """Each agent in each seat, with random play in that seat."""
    found = summary(block(0, 1, -1) + block(1, 1, -1))

    assert line(found, "By seat", "g", "ann", "X")["mean return"].value == 1.0
    assert line(found, "By seat", "g", "ann", "O")["mean return"].value == -1.0
    assert line(found, "By seat", "g", "ann", "O")["random"].value == -0.3


def test_general_sum_games_have_no_winners():
    """Where one player's gain is not another's loss only returns are reported."""
    both_gain = attrs.evolve(ZERO_SUM, returns="general-sum", min_return=0, max_return=5)

    found = summary([match(returns=(3.0, 2.0), repeat=i) for i in range(4)], both_gain)

    assert "Wins" not in titles(found)
    assert line(found, "By seat", "g", "ann", "X")["won"] is None
    assert line(found, "Games", "g")["drawn"] is None
    assert line(found, "Returns", "g", "ann")["mean return"].value == 3.0


def test_unknown_games_have_returns_only():
    """Without a reference nothing is said about winning, and nothing is made up."""
    found = summary([match()], None)

    assert "Wins" not in titles(found)
    assert line(found, "Returns", "g", "ann")["random"] is None
    assert line(found, "Returns", "g", "ann")["mean return"].low is None


def test_tasks_for_one_are_chance_corrected():
    """A one-player score is also given between random (0) and optimal play (1)."""
    task = Baseline(random=(2.0,), random_errors=(0.1,), random_n=400, optimal=(10.0,), min_return=0, max_return=10)
    matches = [match(("ann",), (r,), repeat=i) for i, r in enumerate((6.0, 5.0, 7.0, 6.0))]

    found = summary(matches, task)

    assert line(found, "Returns", "g", "ann")["chance-corrected"].value == pytest.approx(0.5)
    assert "Head to head" not in titles(found)
    assert "Wins" not in titles(found)


def test_opponents_have_no_scale_between_random_and_optimal():
    """In a contest no chance-corrected score is made up."""
    assert line(summary([match()]), "Returns", "g", "ann")["chance-corrected"] is None


def test_forfeits_are_shown_with_and_without():
    """Results are given twice where somebody was put out, and once where only one kind is wanted."""
    lost = match(returns=(-1.0, 1.0), repeat=1, ending=Ending.FORFEIT_ILLEGAL, gone=(0,))
    matches = [match(), lost]

    both = summary(matches)
    assert [section.title for section in both] == [
        "Outcomes",
        "Outcomes without forfeited matches",
        "How matches ended",
    ]
    assert line(both[1:], "Wins", "g", "ann")["matches"] == 1
    assert [s.title for s in summary(matches, forfeits="with")] == ["Outcomes", "How matches ended"]
    assert summary(matches, forfeits="without")[0].title == "Outcomes without forfeited matches"
    assert len(summary([match()])) == 2


def out(repeat: int = 1, gone: int = 0, **more) -> MatchRecord:
    """A match of Ann and Bob from which one of them was disqualified."""
    return match(returns=None, repeat=repeat, ending=Ending.DISQUALIFIED, gone=(gone,), **more)


def test_disqualification_is_nobodys_win():
    """The offender loses and gets the least return of the game; for the other the match is undecided, without one."""
    found = summary([match(), out()], forfeits="with")

    ann, bob = line(found, "Wins", "g", "ann"), line(found, "Wins", "g", "bob")
    assert (ann["wins"], ann["losses"], ann["undecided"], ann["disqualified"]) == (1, 1, 0, 1)
    assert (bob["wins"], bob["losses"], bob["undecided"], bob["disqualified"]) == (0, 1, 1, 0)
    assert bob["won"].value == 0
    assert line(found, "Returns", "g", "ann")["mean return"] == mean([1.0, -1.0], clusters=[0, 1], bounds=(-1, 1))
    assert line(found, "Returns", "g", "bob")["mean return"].n == 1
    assert line(found, "Returns", "g", "bob")["mean return"].value == -1.0


@pytest.mark.parametrize("reference", [ZERO_SUM, None])
def test_failing_every_time_loses_every_time(reference):
    """Whoever is disqualified from 60 of 60 matches has the least mean return, and is behind in each of them."""
    found = summary([out(repeat) for repeat in range(60)], reference)

    ann = line(found, "Returns", "g", "ann")["mean return"]
    duel = line(found, "Head to head", "g", "ann", "bob")
    assert (ann.value, ann.n) == (-1.0, 60)
    assert line(found, "Returns", "g", "bob")["mean return"].n == 0
    assert (duel["matches"], duel["ahead"], duel["level"], duel["behind"]) == (60, 0, 0, 60)
    assert duel["by disqualification"] == 60
    assert duel["mean difference"].value == -2.0
    if reference:
        wins = line(found, "Wins", "g", "ann")
        assert (wins["losses"], wins["disqualified"], wins["won"].value) == (60, 60, 0)


def test_failing_costs_more_than_losing_where_returns_vary():
    """Without stated bounds the least and the greatest return that were seen take their place."""
    found = summary([match(returns=(5.0, 1.0)), match(returns=(2.0, 4.0), repeat=1), out(2)], None, forfeits="with")

    assert line(found, "Returns", "g", "ann")["mean return"].value == pytest.approx((5 + 2 + 1) / 3)
    assert line(found, "Head to head", "g", "ann", "bob")["mean difference"].value == pytest.approx((4 - 2 - 4) / 3)


def test_a_pair_that_fails_together_is_level():
    """Where both were put out in the same step nobody is ahead, and both have lost."""
    both = match(returns=None, ending=Ending.DISQUALIFIED, gone=(0, 1))

    found = summary([both], forfeits="with")

    assert line(found, "Head to head", "g", "ann", "bob")["level"] == 1
    assert [line(found, "Wins", "g", name)["losses"] for name in ("ann", "bob")] == [1, 1]


def test_matches_that_nobody_is_to_blame_for_say_nothing():
    """A match that a limit cut off without returns is undecided for both, and in no mean and no pair."""
    cut = match(returns=None, repeat=1, ending=Ending.TURN_LIMIT)

    found = summary([match(), cut])

    assert line(found, "Wins", "g", "ann")["undecided"] == 1
    assert line(found, "Returns", "g", "ann")["mean return"].n == 1
    assert line(found, "Head to head", "g", "ann", "bob")["matches"] == 1
    assert "disqualified" not in line(found, "Wins", "g", "ann")


def test_a_forfeit_is_lost_whatever_it_returns():
    """Who forfeits a match has not drawn it, even if the game gives everybody the same then."""
    found = match(returns=(0.0, 0.0), ending=Ending.FORFEIT_TIME, gone=(1,))

    assert [outcome(found, Player(p)) for p in (0, 1)] == ["draw", "loss"]


def test_endings_are_counted_and_substitutes_are_shown():
    """Endings by agent, who was put out, and the share of actions that no agent meant."""
    matches = [
        match(by=("random", "agent")),
        match(repeat=1, returns=(-1.0, 1.0), ending=Ending.FORFEIT_FORMAT, gone=(0,)),
    ]

    ann = line(summary(matches), "Endings", "g", "ann")

    assert (ann["by the rules"], ann["forfeit: format"], ann["put out"]) == (1, 1, 1)
    assert ann["substituted actions"].value == 0.5
    assert line(summary(matches), "Endings", "g", "bob")["put out"] == 0
    assert "disqualified" not in ann
    assert "last of several" not in ann


def test_actions_taken_from_several_answers_stand_beside_the_endings():
    """How often an agent's action was the last of several answers is counted, with the share and its interval."""
    marked = {"answer": "last-of-several"}
    matches = [match(notes=(marked, {"answer": "json"})), match(repeat=1), match(repeat=2, notes=(None, marked))]

    found = summary(matches)
    ann, bob = line(found, "Endings", "g", "ann"), line(found, "Endings", "g", "bob")

    assert (ann["last of several"], bob["last of several"]) == (1, 1)
    assert ann["actions last of several"].value == pytest.approx(1 / 3)
    assert ann["actions last of several"].n == 3
    assert ann["actions last of several"].low < 1 / 3 < ann["actions last of several"].high
    assert ann["substituted actions"].value == 0


def test_missing_matches_are_apart():
    """Failures are listed by agent and are in no rate."""
    missing = [
        UnfinishedMatch(match="x", game="g", agents=("ann", "bob"), ending=Ending.FAILED),
        UnfinishedMatch(match="y", game="g", agents=("ann", "eve"), ending=None),
    ]

    found = summary([match()], missing=missing)

    ann = line(found, "Without a result", "g", "ann")
    assert (ann["failed"], ann["not played"]) == (1, 1)
    assert line(found, "Wins", "g", "ann")["matches"] == 1
    assert line(found, "Without a result", "g", "eve")["not played"] == 1


def test_first_seat_and_draws():
    """The first seat's advantage, the share of draws and the length stand beside those of random play."""
    found = line(summary(block(0, 1, -1) + block(1, 0, 0)), "Games", "g")

    assert found["first seat's advantage"].value == 1.0
    assert found["random"].value == 0.6
    assert found["drawn"].value == 0.5
    assert found["random drawn"].value == 0.13
    assert found["actions per match"].value == 2.0


def test_head_to_head_tests_whole_blocks():
    """Six blocks won without exception by one agent: sign flips give p = 2 / 64."""
    found = line(summary([m for i in range(6) for m in block(i, 1, 1)]), "Head to head", "g", "ann", "bob")

    assert (found["ahead"], found["level"], found["behind"]) == (12, 0, 0)
    assert found["p"] == found["p (Holm)"] == pytest.approx(2 / 64)
    assert found["mean difference"].value == 2.0
    assert found["mean difference"].low < 2.0


def test_head_to_head_has_an_effect_size():
    """The effect is the mean of the block means over their standard deviation; where all agree there is none."""
    mixed = [m for i, gain in enumerate((1, 1, 0, 1)) for m in block(i, gain, gain)]

    effect = line(summary(mixed), "Head to head", "g", "ann", "bob")["effect (d)"]
    clear = line(summary([m for i in range(3) for m in block(i, 1, 1)]), "Head to head", "g", "ann", "bob")

    assert effect.value == pytest.approx(1.5 / 1.0)
    assert effect.low < 1.5 < effect.high
    assert clear["effect (d)"].value is None


def test_head_to_head_needs_both_seats():
    """Without rotation the first seat's advantage would be tested with the agent: there is no p."""
    found = line(summary([match(repeat=i) for i in range(6)]), "Head to head", "g", "ann", "bob")

    assert found["p"] is None
    assert isinstance(found["ahead in"], Estimate)


def test_self_play_is_one_agent():
    """An agent against itself wins half of its seats, with as many observations as blocks, and meets nobody."""
    found = summary([match(("ann", "ann"), repeat=i) for i in range(5)])

    assert line(found, "Wins", "g", "ann")["won"].value == 0.5
    assert line(found, "Wins", "g", "ann")["won"].n == 5
    assert "Head to head" not in titles(found)


def test_three_players():
    """With three players each pair is compared by returns, and a tie at the top is a draw for those at the top."""
    three = attrs.evolve(
        ZERO_SUM,
        random=(0.0, 0.0, 0.0),
        random_errors=(0.1, 0.1, 0.1),
        random_wins=(0.3, 0.3, 0.3),
        optimal=None,
        min_return=-4,
        max_return=4,
    )

    found = summary([match(("a", "b", "c"), (2.0, 2.0, -4.0))], three)

    assert line(found, "Wins", "g", "a")["draws"] == 1
    assert line(found, "Head to head", "g", "a", "c")["mean difference"].value == 6.0
    assert line(found, "Head to head", "g", "a", "b")["level"] == 1


def test_reference_of_other_players_is_not_used():
    """A reference for two players says nothing about matches of three."""
    found = summary([match(("a", "b", "c"), (1.0, 0.0, -1.0))], ZERO_SUM)

    assert line(found, "Returns", "g", "a")["random"] is None


def test_rewards_per_match_and_per_action():
    """A mean with the interval of the mean return, its standard error, and the greatest reward at once and in all."""
    gains = [(3, 1), (2, 0), (1, 1), (0, 0), (3, 2)]
    matches = [m for i, pair in enumerate(gains) for m in block(i, *pair)]
    values, labels = [r for pair in gains for r in pair], [i // 2 for i in range(10)]

    made = summary(matches, seed=5)
    found = line(made, "Rewards", "g", "ann")

    assert found["reward per match"] == line(made, "Returns", "g", "ann")["mean return"]
    assert found["standard error"] == mean(values, clusters=labels).standard_error
    assert (found["greatest"], found["greatest at once"]) == (3.0, 3.0)
    assert found["reward per action"].value == pytest.approx(sum(values) / 10)
    assert found["random"].value == pytest.approx(0.0)


def test_rewards_that_are_paid_as_the_game_goes():
    """Two actions for three and one make two per action, and three at once; forfeited actions count no one."""
    played = match(("ann",), (4.0,), by=("agent",))
    again = Event(1, "referee", "played", Player(0), {"action": 0, "turn": 1, "try": 0, "by": "agent"}, None)
    paid = [Event(n, "referee", "rewarded", None, [amount], None) for n, amount in enumerate((3.0, 1.0), 1)]
    idle = match(("ann",), (0.0,), repeat=1, by=())

    found = line(
        summary([attrs.evolve(played, events=(*played.events, again, *paid)), idle], None), "Rewards", "g", "ann"
    )

    assert (found["greatest"], found["greatest at once"]) == (4.0, 3.0)
    assert found["reward per match"].value == 2.0
    assert found["reward per action"].value == 2.0


def test_agents_with_the_same_deals_are_compared_in_each_others_place():
    """Two agents that meet the same third one with the same deals are tested by pairs, block by block."""
    matches = [match((a, "eve"), (r, -r), repeat=i) for i in range(6) for a, r in (("ann", 1.0), ("bob", 0.0))]
    others = [match(("ann", "zoe"), (1.0, -1.0), repeat=9)]

    found = line(summary(matches + others), "Same deals", "g", "ann", "bob")

    assert found["pairs"] == 6
    assert found["mean difference"].value == 1.0
    assert found["p"] == pytest.approx(2 / 64)


def test_agents_that_met_have_no_same_deals():
    """In a match between two agents neither is in the other's place."""
    assert "Same deals" not in titles(summary(block(0, 1, 1) + block(1, 1, 0)))


def test_figures_are_data():
    """Outcomes add up to one for each agent; they and returns carry their intervals; references are lines."""
    (stacked, bars) = summary([m for i in range(3) for m in block(i, 1, -1)])[0].figures

    shares = list(zip(*stacked.series.values(), strict=True))
    assert [sum(share.value for share in own) for own in shares] == [1.0, 1.0]
    assert all(share.n and share.low is not None for own in shares for share in own)
    assert all(isinstance(value, Estimate) for value in bars.series["mean return"])
    assert bars.references == {"random play": 0.0, "optimal play": 0.0}


def test_more_than_two_agents_meet_in_a_matrix():
    """Who beats whom, with the opposite sign the other way round and nothing on the diagonal."""
    matches = [match(agents, repeat=i) for i, agents in enumerate([("a", "b"), ("b", "c"), ("c", "a")])]

    matrix = summary(matches)[0].figures[-1]

    assert matrix.kind == "heat-map"
    found = {agent: tuple(cell and cell.value for cell in row) for agent, row in matrix.series.items()}
    assert found == {"a": (None, 2.0, -2.0), "b": (-2.0, None, 2.0), "c": (2.0, -2.0, None)}
    cells = {
        (cell.n, round(cell.low, 9), round(cell.high, 9)) for row in matrix.series.values() for cell in row if cell
    }
    assert cells == {(1, -2, 1.9), (1, -1.9, 2)}


def test_nothing_to_report():
    """Without a match the sections say so."""
    sections = list(Outcomes().summarize(Measurements(rows=())))

    assert sections[0].text == "There is no match to report."


@pytest.mark.parametrize("plugin", [OUTCOMES, ILLEGAL_ACTIONS])
def test_descriptors_build(plugin):
    """Every descriptor makes a metric from its example."""
    assert plugin.load()(**plugin.example)
