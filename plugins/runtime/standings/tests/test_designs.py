"""What standings say of designs that are easy to get wrong: perfect scores, ladders, failures, parts, returns."""

from itertools import combinations
from random import Random

import pytest
from arena_standings import Contest, GameKind, Standings, standings_of

WINS = {"g": GameKind(kind="wins", chance=False)}
PAYS = {"g": GameKind(kind="pays", unit="chips", low=-2.0, high=2.0)}


def met(a: str, b: str, won: int, drawn: int, lost: int, *, game: str = "g", first: int = 0) -> list[Contest]:
    """So many matches of two agents, in turns in both seats, each a block of its own."""
    gains = [1.0] * won + [0.0] * drawn + [-1.0] * lost
    return [
        Contest(
            game=game,
            block=f"{game}/{a}{b}/{first + i}",
            match=f"{game}/{a}{b}/{first + i}",
            agents=(a, b) if i % 2 else (b, a),
            returns=(gain, -gain) if i % 2 else (-gain, gain),
        )
        for i, gain in enumerate(gains)
    ]


def out(agent: str, other: str, count: int) -> list[Contest]:
    """Matches in which an agent was disqualified."""
    return [
        Contest(
            game="g",
            block=f"out/{agent}{other}/{i}",
            agents=(agent, other) if i % 2 else (other, agent),
            returns=None,
            ending="disqualified",
            at_fault=(0,) if i % 2 else (1,),
        )
        for i in range(count)
    ]


def order(found: Standings) -> list[str]:
    return [row.agent for row in found.rows]


def test_the_undefeated_is_first_and_has_no_upper_end():
    """Who won everything is first with a bound, who lost everything last with one."""
    found = standings_of(met("w", "y", 60, 0, 0) + met("w", "z", 60, 0, 0) + met("z", "y", 60, 0, 0), WINS)

    assert (order(found), found.sentences[0]) == (["w", "z", "y"], "w > z > y")
    top, bottom = found.rows[0], found.rows[-1]
    assert top.interval[1] is None or top.interval[1] > top.rating
    assert (bottom.won, bottom.lost) == (0, 120)


def test_a_ladder_is_one_table():
    """Agents that met only by way of others stand in one table with ranks."""
    found = standings_of(met("a", "b", 9, 0, 1) + met("b", "c", 9, 0, 1) + met("c", "d", 9, 0, 1), WINS)

    assert len(found.parts) == 1
    assert order(found) == ["a", "b", "c", "d"]


def test_failing_never_helps():
    """The more often an agent is disqualified, the lower its rating, and by play it keeps its place."""
    played = met("a", "b", 12, 0, 8)
    ratings = [standings_of(played + out("a", "b", n), WINS).parts[0] for n in (0, 10, 40)]

    values = [next(row.rating for row in part.rows if row.agent == "a") for part in ratings]
    assert values == sorted(values, reverse=True)
    assert [row.agent for row in ratings[-1].rows] == ["b", "a"]
    assert next(row.by_play for row in ratings[-1].rows if row.agent == "a") == 1


def test_who_never_played_is_last_and_has_no_place_by_play():
    """An agent out in every match of a game that pays earns the least; the equations are solved all the same."""
    found = standings_of(out("a", "b", 8) + met("b", "c", 6, 0, 2), PAYS)

    last = found.rows[-1]
    assert (last.agent, last.by_play, last.refused, last.mean and last.mean.value) == ("a", None, 8, -2.0)
    assert ("b", "a") in found.parts[0].separated


@pytest.mark.parametrize("seed", range(12))
def test_nothing_contradicts_anything(seed):
    """A pair is told apart if its interval excludes 0; ranks, groups and the headline follow from the pairs."""
    dice = Random(seed)
    names = [f"a{i}" for i in range(dice.randint(2, 6))]
    games = {f"g{i}": GameKind(kind=dice.choice(["wins", "pays"]), chance=dice.random() < 0.5) for i in range(2)}
    played = [
        contest
        for game in games
        for a, b in combinations(names, 2)
        for contest in met(a, b, dice.randint(0, 9), dice.randint(0, 4), dice.randint(1, 9), game=game)
    ]

    found = standings_of(played, games)
    dice.shuffle(played)
    again = standings_of(played, games)

    (part,) = found.parts
    assert again.sentences == found.sentences
    for pair in part.pairs:
        low, high = pair.interval
        assert pair.separated == (low is not None and low > 0) or pair.lead < 0
        assert low is None or high is None or low <= pair.lead <= high
    for row in part.rows:
        above = sum(b == row.agent for _, b in part.separated)
        below = sum(a == row.agent for a, _ in part.separated)
        assert row.ranks == (1 + above, len(names) - below)


def test_parts_and_agents_alone_are_said():
    """Agents that never met the others have a table of their own, and one that met nobody is named."""
    alone = Contest(game="g", block="s", agents=("z", "z"), returns=(1, -1))
    found = standings_of([*met("a", "b", 9, 0, 0), *met("x", "y", 9, 0, 0), alone], WINS)

    assert found.sentences == ("a > b", "never met them: x > y; z met nobody else")
    assert standings_of([], WINS, failure="no key").sentences == ("No match has a result: no key.",)


def test_agents_that_play_alone_are_compared_on_the_deals_they_share():
    """In a game of one player the mean is shown, and the same deals make a small difference sure."""
    dice, games = Random(1), {"maze": GameKind(kind="pays", together=True, unit="steps")}
    deals = [dice.gauss(50, 20) for _ in range(12)]
    played = [
        Contest(game="maze", block=str(i), agents=(agent,), returns=(deal + gain + dice.random(),))
        for i, deal in enumerate(deals)
        for agent, gain in (("near", 0.0), ("far", 2.0))
    ]

    found = standings_of(played, games)

    assert found.sentences[0] == "far > near"
    assert found.parts[0].unit == "steps"


def test_what_an_agent_earned_has_one_interval():
    """A share in the table of one game among several is that of the table of this game alone."""
    games = {name: GameKind(kind="wins", chance=False) for name in ("g0", "g1")}
    first = met("a", "b", 9, 2, 5, game="g0")

    together = standings_of([*first, *met("a", "b", 5, 0, 5, game="g1")], games).by_game["g0"][0]
    alone = standings_of(first, games).parts[0]

    assert [row.score for row in together.rows] == [row.score for row in alone.rows]


def test_draws_alone_say_how_far_apart_two_may_be():
    """Twenty draws give both 1500 an interval as wide as twenty wins and losses do; no lead of two is near to exact."""
    found = standings_of(met("a", "random", 0, 20, 0), WINS)
    decided = standings_of(met("a", "random", 10, 0, 10), WINS)
    three = standings_of(met("a", "b", 0, 8, 0) + met("a", "random", 8, 0, 0) + met("b", "random", 8, 0, 0), WINS)

    assert found.sentences == ("No clear winner yet: a and random did equally well",)
    assert found.rows[0].interval == pytest.approx(decided.rows[0].interval)
    assert found.rows[0].interval == pytest.approx((1348.6, 1651.4), abs=0.1)
    assert three.sentences[0] == "a, b > random"
    between = next(pair for pair in three.parts[0].pairs if {pair.a, pair.b} == {"a", "b"})
    assert between.interval == pytest.approx((-316.7, 316.7), abs=0.1)


def test_one_win_among_draws_says_what_is_missing():
    """Twenty matches of which nineteen were drawn are not called too few."""
    found = standings_of(met("a", "b", 1, 19, 0), WINS)

    assert "nearly all matches ended equal; two agents need at least 6 decided results" in found.sentences[0]
