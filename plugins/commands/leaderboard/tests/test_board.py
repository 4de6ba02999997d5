"""The board of matches that are made up: who is better comes from the standings, under the labels of the rows."""

from itertools import permutations

import pytest
from arena.metric import Baseline
from arena_command_leaderboard.board import board_of
from arena_command_leaderboard.entrants import Register
from arena_command_leaderboard.identified_matches import AllPlayed, PlayedOnce
from arena_engine import Configuration
from arena_standings import Contest


def facts(players: int, **more) -> Baseline:
    given = {"random": (), "random_errors": (), "random_n": 0, "seats": tuple("abc"[:players]), **more}
    return Baseline(**given)


WINS = facts(2, returns="zero-sum", counts_wins=True)


def board(games, matches):
    """The board of matches as game, agents by seat, returns and seats at fault; each is a block."""
    agents, known = Register(), Register()
    made = []
    for number, (game, names, returns, *at_fault) in enumerate(matches):
        digest = known.add(game, Configuration(parameters={"use": game}))
        contest = Contest(
            game=digest,
            block=f"{digest}/{number}",
            agents=tuple(agents.add(name, Configuration(parameters={"use": name})) for name in names),
            returns=returns,
            match=str(number),
            ending="disqualified" if at_fault else "finished",
            at_fault=tuple(at_fault),
        )
        made.append(PlayedOnce(contest=contest))
    digests = {entrant.configuration.use: digest for digest, entrant in known.entrants().items()}
    return board_of(
        AllPlayed(
            matches=made,
            agents=agents.entrants(),
            games=known.entrants(),
            baselines={digests[game]: baseline for game, baseline in games.items()},
            sources=(),
            duplicates=(),
            left_out={},
        )
    )


def wins(first: str, second: str, count: int, game: str = "g"):
    """``count`` wins of the first agent, in both seats by turns."""
    one, two = (game, (first, second), (1.0, -1.0)), (game, (second, first), (-1.0, 1.0))
    return [(one, two)[number % 2] for number in range(count)]


def test_matches_of_three_count_as_comparisons_of_all_pairs():
    """Who is always first of three is ahead of both, and who is always last behind both."""
    race = facts(3, returns="zero-sum", counts_wins=True)
    worth = {"ann": 1.0, "bob": 0.0, "random": -1.0}
    matches = [("race", names, tuple(worth[name] for name in names)) for names in permutations(worth)] * 2

    (part,) = board({"race": race}, matches).tables

    assert part.agents == ("ann", "bob", "random")
    assert (part.rows[0].matches, part.rows[0].won, part.rows[0].lost) == (12, 24, 0)


def test_each_game_weighs_the_same():
    """Ten times as many matches of one game do not outvote the other one."""
    matches = wins("ann", "random", 6, "one") + wins("random", "ann", 2, "one")
    matches += wins("random", "ann", 60, "two") + wins("ann", "random", 20, "two")

    (part,) = board({"one": WINS, "two": WINS}, matches).tables

    assert [row.rating for row in part.rows] == pytest.approx([1500, 1500])


def test_agents_that_play_one_game_alone_are_compared_by_what_they_earn():
    """A game for one player has one table, though nobody meets anybody, with means in its unit."""
    alone = facts(1, returns="general-sum", return_unit="boxes")
    matches = [("alone", ("ann",), (float(n % 3),)) for n in range(9)]
    matches += [("alone", ("bob",), (n % 2 + 4.0,)) for n in range(9)]

    (part,) = board({"alone": alone}, matches).tables

    assert [(row.agent, row.ranks) for row in part.rows] == [("bob", (1, 1)), ("ann", (2, 2))]
    assert part.unit == "boxes"


def test_games_that_pay_and_games_that_are_won_are_in_one_ranking():
    """Each game has its own table beside it, with means in the unit of the game that pays."""
    poker = facts(2, returns="zero-sum", return_unit="chips")
    paid = [("poker", ("ann", "bob"), (2.0, -2.0)), ("poker", ("bob", "ann"), (-1.0, 1.0))] * 6

    found = board({"poker": poker, "g": WINS}, [*paid, *wins("ann", "bob", 12)])

    assert [part.agents for part in found.tables] == [("ann", "bob")]
    (own,) = found.standings.by_game["poker"]
    assert (own.unit, own.rows[0].mean.value) == ("chips", 1.5)


def test_disqualified_matches_count_against_who_was_disqualified():
    """Nobody won them, they are beside the rank, and the order by play goes without them."""
    out = [("g", ("ann", "bob"), None, 0), ("g", ("bob", "ann"), None, 1)] * 10

    found = board({"g": WINS}, [*wins("ann", "bob", 12), *wins("bob", "ann", 4), *out])

    rows = {row.agent: row for row in found.tables[0].rows}
    assert (rows["ann"].lost, rows["ann"].refused, rows["bob"].won) == (24, 20, 4)
    assert (found.tables[0].agents, rows["ann"].by_play) == (("bob", "ann"), 1)
    assert found.standings.sentences[1].endswith("the order is ann, bob")


def test_a_ladder_is_one_table():
    """Who beat both others, 6 to 0 each, is in one table with them."""
    found = board({"g": WINS}, wins("w", "y", 6) + wins("w", "z", 6))

    assert [set(part.agents) for part in found.tables] == [{"w", "y", "z"}]


def test_agents_that_never_met_are_ranked_apart_with_a_sentence():
    """Two tables, and one sentence says which scale each of them has."""
    found = board({"g": WINS}, wins("a", "random", 8) + wins("c", "d", 6))

    assert [set(part.agents) for part in found.tables] == [{"a", "random"}, {"c", "d"}]
    assert found.standings.sentences[1].startswith("never met them: c > d")
    assert found.notes == (
        "Agents that never met have a scale each, with 1500 for random and for the mean of c and its opponents.",
    )


def test_one_agent_alone_is_one_sentence():
    """Whoever met nobody is in no table, and is told."""
    found = board({"g": WINS}, [("g", ("a", "a"), (1.0, -1.0))] * 3)

    assert found.standings.sentences == ("a met nobody but itself: 3 matches, nothing to compare",)
    assert found.tables == ()
