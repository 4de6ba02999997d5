"""Standings of matches that are made up: games that pay, matches of many players, and games that weigh the same."""

from itertools import permutations

import pytest
from arena.metric import Baseline
from arena_command_leaderboard.entrants import Register
from arena_command_leaderboard.identified_matches import AllPlayed, PlayedOnce
from arena_command_leaderboard.standings import board_of
from arena_engine import Configuration
from arena_report import Contest


def facts(players: int, **more) -> Baseline:
    given = {"random": (), "random_errors": (), "random_n": 0, "seats": tuple("abc"[:players]), **more}
    return Baseline(**given)


WINS = facts(2, returns="zero-sum", counts_wins=True)


def all_played(games, matches) -> AllPlayed:
    """Matches as game, agents by player and returns; each is a block."""
    agents, known = Register(), Register()
    made = []
    for number, (game, names, returns) in enumerate(matches):
        digests = tuple(agents.add(name, Configuration(parameters={"use": name})) for name in names)
        digest = known.add(game, Configuration(parameters={"use": game}))
        earned = dict.fromkeys(digests, 0.0)
        seats = {agent: tuple(p for p, own in enumerate(digests) if own == agent) for agent in earned}
        for agent, value in zip(digests, returns, strict=True):
            earned[agent] += value
        contest = Contest(game=digest, block=str(number), match=str(number), returns=earned, seats=seats)
        places = tuple(sum(other > value for other in returns) for value in returns)
        made.append(
            PlayedOnce(id=str(number), source="run", game=digest, agents=digests, contest=contest, places=places)
        )
    digests = {entrant.configuration.use: digest for digest, entrant in known.entrants().items()}
    return AllPlayed(
        matches=made,
        agents=agents.entrants(),
        games=known.entrants(),
        baselines={digests[game]: baseline for game, baseline in games.items()},
        sources=(),
        duplicates=(),
        left_out={},
    )


def test_returns_are_put_between_random_and_optimal_play():
    """A team that earns 3 where random play earns 1 and optimal play 5 is half way, in one standing over games."""
    games = {
        "one": facts(2, returns="cooperative", random=(1.0, 1.0), optimal=(5.0, 5.0)),
        "two": facts(2, returns="cooperative", random=(0.0, 0.0), optimal=(10.0, 10.0)),
    }
    matches = [("one", ("ann", "ann"), (3.0, 3.0)), ("one", ("bob", "bob"), (1.0, 1.0))] * 4
    matches += [("two", ("ann", "ann"), (8.0, 8.0)), ("two", ("bob", "bob"), (2.0, 2.0))] * 3
    (standing,) = board_of(all_played(games, matches)).standings

    assert {row.agent.label: row.mean_return for row in standing.rows} == pytest.approx({"ann": 0.65, "bob": 0.1})
    assert "random play 0, optimal play 1" in standing.title


def test_returns_of_zero_sum_games_stay_in_their_unit():
    """Where random and optimal play earn the same on average there is no scale between them."""
    poker = facts(2, returns="zero-sum", random=(0.2, -0.2), optimal=(-0.1, 0.1), return_unit="chips")
    matches = [("poker", ("ann", "bob"), (1.0, -1.0)), ("poker", ("bob", "ann"), (-2.0, 2.0))] * 5
    (standing,) = board_of(all_played({"poker": poker}, matches)).standings

    assert (standing.title, standing.unit) == ("poker", "chips")
    assert standing.rows[0].mean_return == 1.5


def test_matches_of_three_count_as_comparisons_of_all_pairs():
    """Who is always first of three is ahead of both, and who is always last behind both."""
    race = facts(3, returns="zero-sum", counts_wins=True)
    worth = {"ann": 1.0, "bob": 0.0, "random": -1.0}
    matches = [("race", names, tuple(worth[name] for name in names)) for names in permutations(worth)] * 2
    matches += [
        ("race", ("bob", "ann", "random"), (1.0, 0.0, -1.0)),
        ("race", ("random", "ann", "bob"), (1.0, 0.0, -1)),
    ]
    (standing,) = board_of(all_played({"race": race}, matches)).standings

    assert [row.agent.label for row in standing.rows] == ["ann", "bob", "random"]
    ann = standing.rows[0]
    assert (ann.matches, ann.won, ann.lost) == (14, 26, 2)


def test_each_game_weighs_the_same():
    """Ten times as many matches of one game do not outvote the other one."""
    one = [("one", ("ann", "random"), (1.0, -1.0))] * 3 + [("one", ("ann", "random"), (-1.0, 1.0))]
    two = [("two", ("ann", "random"), (-1.0, 1.0))] * 30 + [("two", ("ann", "random"), (1.0, -1.0))] * 10
    games = {"one": WINS, "two": WINS}
    turned = [(game, names[::-1], returns[::-1]) for game, names, returns in (*one, *two)]

    (standing,) = board_of(all_played(games, [*one, *two, *turned])).standings

    assert standing.rows[0].rating == pytest.approx(1500)
    assert standing.rows[1].rating == pytest.approx(1500)
    assert standing.rows[0].score == standing.rows[1].score == 0.5


def test_agents_that_play_one_game_alone_are_compared_by_what_they_earn():
    """A game for one player has one standing, though nobody meets anybody."""
    alone = facts(1, returns="general-sum", return_unit="boxes")
    matches = [("alone", ("ann",), (float(n % 3),)) for n in range(9)] + [
        ("alone", ("bob",), (n % 2 + 4.0,)) for n in range(9)
    ]
    (standing,) = board_of(all_played({"alone": alone}, matches)).standings

    assert [(row.agent.label, row.ranks) for row in standing.rows] == [("bob", (1, 1)), ("ann", (2, 2))]
    assert standing.unit == "boxes"
