"""The leaderboard of real runs: one row for each configuration, ranked over all games, each match counted once."""

import json
import shutil
from math import log10

import pytest
from arena.catalog import Catalog
from arena_command_leaderboard.identified_matches import Collector
from arena_engine import Journal, configurations_of

SWEPT = """
name: swept
games: {tic-tac-toe: tic-tac-toe}
agents:
  model:
    use: llm
    backend: {use: scripted, answers: ['{"reasoning": "", "action": 0}', '{"reasoning": "", "action": 4}']}
  random: random
sweep: {agents.model.prompt.style: [direct, chain-of-thought]}
schedule: {use: round-robin, repeats: 12}
illegal-actions: {retries: 0, then: random}
metrics: []
"""

SEARCHER = """
name: searcher
seed: %d
games: {%s: tic-tac-toe}
agents:
  %s: {use: mcts, simulations: %s}
  random: random
schedule: {use: round-robin, repeats: %d}
metrics: []
"""

THREE = """
name: three
games: {kuhn-poker: {use: kuhn-poker, players: 3}}
agents: {random: random, first: first-legal, low: {use: llm, backend: {use: scripted, answers: ['{"action": 1}']}}}
schedule: {use: round-robin, repeats: 4}
illegal-actions: {retries: 0, then: random}
metrics: []
"""


def searcher(seed=0, simulations="2", name="searcher", game="ttt", repeats=10):
    return SEARCHER % (seed, game, name, simulations, repeats)


@pytest.fixture(scope="module")
def swept(played):
    return played("swept", SWEPT)


@pytest.fixture(scope="module")
def weak(played):
    return played("weak", searcher())


@pytest.fixture(scope="module")
def strong(played):
    return played("strong", searcher(1, "100"))


def board(arena, *arguments: object):
    done = arena("leaderboard", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["format"] == 1
    return found


def by_agent(found) -> dict[str, dict]:
    return {row["agent"]: row for row in found["rows"]}


def test_variants_of_a_sweep_are_rows_of_their_own(arena, swept):
    """Two styles of one model are two rows, and a match between them counts once for each of the two."""
    rows = by_agent(board(arena, swept))
    with Journal.open(swept) as journal:
        records = list(journal.records())

    assert set(rows) == {"model (direct)", "model (chain-of-thought)", "random"}
    for style in ("direct", "chain-of-thought"):
        row, name = rows[f"model ({style})"], f"model[prompt.style={style}]"
        own = [record for record in records if name in record.agents]
        ahead = [r.returns[r.agents.index(name)] > r.returns[1 - r.agents.index(name)] for r in own]
        assert (row["matches"], row["won"]) == (len(own), sum(ahead))
        assert row["differs"] == {"prompt.style": style}
        assert row["names"] == ["model"]


def test_merging_variants_leaves_out_their_matches_against_each_other(arena, swept):
    """``--merge`` makes one row of them on purpose, says so, and what they played among themselves counts for none."""
    found = board(arena, swept, "--merge", "prompt.style")
    shown = arena("leaderboard", swept, "--merge", "prompt.style").stdout

    assert set(by_agent(found)) == {"model", "random"}
    assert by_agent(found)["model"]["matches"] == by_agent(found)["random"]["matches"] == 48
    assert found["left_out"] == [{"why": "of an agent against itself", "matches": 24}]
    assert "merged over prompt.style" in shown.splitlines()[0]
    assert "24 matches of an agent against itself" in shown


def test_a_word_that_merges_nothing_is_a_mistake(arena, swept):
    """A parameter that no agent has is asked back."""
    done = arena("leaderboard", swept, "--merge", "prompt.styl")

    assert done.exit_code == 2
    assert "did you mean 'prompt.style'?" in " ".join(done.stderr.split())


def test_one_name_with_two_configurations_is_two_rows(arena, weak, strong):
    """A searcher with 2 simulations and one with 100 are not added up, and what differs tells them apart."""
    rows = by_agent(board(arena, weak, strong))

    assert {"searcher (simulations 2)", "searcher (simulations 100)", "random"} == set(rows)
    assert rows["searcher (simulations 100)"]["rating"] is None or (
        rows["searcher (simulations 100)"]["rating"] > (rows["searcher (simulations 2)"]["rating"] or 0)
    )
    assert rows["random"]["matches"] == 40


@pytest.mark.slow
def test_one_configuration_under_two_names_is_one_row(arena, weak, played):
    """Names of agents and games are no part of what they are; defaults that are written out change nothing."""
    other = played("other", searcher(3, "2, rollouts: 1", "tree", "tic-tac-toe"))

    found = board(arena, weak, other)

    assert set(by_agent(found)) == {"searcher = tree", "random"}
    assert by_agent(found)["searcher = tree"]["names"] == ["searcher", "tree"]
    assert [each["game"] for each in found["by_game"]] == ["ttt = tic-tac-toe"]


@pytest.mark.slow
def test_games_with_other_parameters_are_other_games(arena, played):
    """A smaller board is another game."""
    agents = "agents: {random: random, first: first-legal}\nschedule: {use: round-robin, repeats: 3}\nmetrics: []\n"
    runs = [
        played(f"four{n}", f"name: four\nseed: {n}\ngames: {{four: {{use: connect-four, columns: {n}}}}}\n{agents}")
        for n in (5, 6)
    ]

    assert {each["game"] for each in board(arena, *runs)["by_game"]} == {"four (columns 5)", "four (columns 6)"}


def test_matches_that_share_deals_are_one_block(arena, weak):
    """Intervals are over blocks: 20 matches in both seats of 10 deals are 10 of them."""
    rows = by_agent(board(arena, weak))

    assert (rows["random"]["matches"], rows["random"]["blocks"]) == (20, 10)


def test_matches_of_three_players_are_ranked(arena, played):
    """Kuhn poker for three is ranked by what is earned, and its mean returns are those of the journal."""
    run = played("three", THREE)
    found = board(arena, run)
    with Journal.open(run) as journal:
        records = list(journal.records())

    assert found["groups"][0]["kind"] == "return"
    for row in found["rows"]:
        assert row["rating"] is None
        assert row["unit"] == "chips a hand"
        earned = [sum(v for a, v in zip(r.agents, r.returns, strict=True) if a == row["agent"]) for r in records]
        assert row["mean_return"] == pytest.approx(sum(earned) / len(records))
        assert row["interval"] == [None, None] or row["interval"][0] < row["mean_return"] < row["interval"][1]
    means = [row["mean_return"] for row in found["rows"]]
    assert means == sorted(means, reverse=True)


@pytest.mark.slow
def test_a_copied_run_counts_once_and_is_told_in_one_line(arena, swept, tmp_path):
    """The numbers stay the same, and one line names both copies, however many matches they hold."""
    shutil.copytree(swept, tmp_path / "copy-of-swept")

    once, twice = board(arena, swept), board(arena, swept, tmp_path / "copy-of-swept")
    shown = arena("leaderboard", swept, tmp_path / "copy-of-swept")

    assert once["rows"] == twice["rows"]
    (duplicate,) = twice["duplicates"]
    assert (duplicate["sources"], duplicate["count"]) == (["swept", "copy-of-swept"], 72)
    assert len(set(duplicate["matches"])) == 72
    assert "2 runs hold the same 72 matches (swept, copy-of-swept): counted once." in shown.stdout
    assert shown.stderr == ""


def test_ratings_are_those_of_two_agents_by_hand(arena, weak):
    """Of two agents the lead is the logarithm of the odds, as Bradley and Terry have it, when seats are rotated."""
    rows = by_agent(board(arena, weak))
    row = rows["searcher"]
    share = row["score"]

    assert row["score"] == (row["won"] + row["drawn"] / 2) / row["matches"]
    assert rows["random"]["rating"] == 1500
    assert rows["random"]["interval"] == [1500, 1500]
    assert rows["random"]["reference"] == "reference"
    # The seat's advantage is a parameter of its own, which makes the lead a little larger.
    assert row["rating"] - 1500 == pytest.approx(400 * log10(share / (1 - share)), abs=60)


@pytest.mark.campaign
def test_intervals_are_over_runs_from_five_of_them_on(arena, played):
    """With five runs of the same agents whole runs are resampled, and the ranking says so."""
    runs = [played(f"run{seed}", searcher(10 + seed, repeats=3)) for seed in range(5)]

    assert board(arena, *runs[:4])["groups"][0]["intervals_over"] == "blocks"
    assert board(arena, *runs)["groups"][0]["intervals_over"] == "runs"
    assert "intervals by resampling runs" in arena("leaderboard", *runs).stdout


@pytest.mark.slow
def test_agents_that_never_met_have_rankings_of_their_own(arena, weak, played):
    """Two runs without a common agent are two groups with a heading each."""
    lone = "name: l\ngames: {ttt: tic-tac-toe}\nagents: {a: first-legal, b: {use: mcts, simulations: 3}}\n"
    apart = played("apart", lone + "schedule: {use: round-robin, repeats: 8}\nmetrics: []\n")
    found = board(arena, weak, apart)
    shown = arena("leaderboard", weak, apart).stdout

    groups = [{row["agent"] for row in found["rows"] if row["group"] == number} for number in (1, 2)]
    assert sorted(groups, key=min) == [{"a", "b"}, {"random", "searcher"}]
    assert shown.count("which never met") == 2
    assert "1500 is the mean of all with a finite rating" in " ".join(shown.split())


@pytest.mark.campaign
def test_too_few_matches_come_last(arena, played):
    """An agent with one pair of matches is no winner, whatever it won."""
    known = played("known", searcher(repeats=30))
    lucky = played("lucky", searcher(5, "100", "novice", repeats=1))
    lines = arena("leaderboard", known, lucky).stdout.splitlines()
    rows = [line for line in lines if "novice" in line or "random  " in line or "searcher  " in line]

    assert "novice" in rows[-1]
    assert "not enough matches" in rows[-1]
    assert board(arena, known, lucky)["rows"][-1]["rank"] is None


def test_json_has_what_is_documented(arena, swept):
    """All keys of a row and of the object are there, and rows come in order of rank."""
    found = board(arena, swept)

    assert {"format", "rows", "by_game", "pairs", "runs", "duplicates", "left_out", "groups"} <= set(found)
    keys = "rank ranks agent names configuration differs rating interval reference score matches blocks games illegal"
    assert set(keys.split()) <= set(found["rows"][0])
    with Journal.open(swept) as journal:
        digests = {each.digest for each in configurations_of(journal, "agent").values()}
    assert {row["configuration"] for row in found["rows"]} == digests
    ranks = [row["rank"] or 99 for row in found["rows"]]
    assert ranks == sorted(ranks)
    assert {"a", "b", "won", "matches", "blocks", "difference", "interval", "settled"} <= set(found["pairs"][0])
    assert found["runs"][0]["matches"] == 72


def test_illegal_answers_are_a_share_of_turns(arena, swept):
    """It is counted from the journal, and an agent that always answers has none."""
    rows = by_agent(board(arena, swept))

    assert rows["random"]["illegal"] == 0
    assert 0 < rows["model (direct)"]["illegal"] <= 1


@pytest.mark.sample(fast=2, slow=4)
@pytest.mark.parametrize("by", [(), ("--by", "game"), ("--by", "pair"), ("--merge", "prompt.style")])
@pytest.mark.parametrize("columns", ["80", "120"])
def test_no_line_is_too_long_and_there_are_few(arena, monkeypatch, swept, weak, strong, by, columns):
    """At most 25 lines, none wider than the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    lines = arena("leaderboard", swept, weak, strong, *by).stdout.splitlines()

    assert len(lines) <= 25
    assert max(map(len, lines)) <= int(columns)


@pytest.mark.slow
def test_pairs_and_games_have_views_of_their_own(arena, swept, weak):
    """``--by pair`` lists who met, ``--by game`` ranks in each game."""
    pairs = arena("leaderboard", swept, weak, "--by", "pair").stdout
    games = arena("leaderboard", swept, weak, "--by", "game").stdout

    assert "against" in pairs
    assert "won–lost–drawn" in pairs
    assert "rating" in games
    assert "got 'agent'" in arena("leaderboard", swept, "--by", "agent").stderr


def test_names_choose_games_and_agents(arena, swept, weak):
    """A word that means nothing is asked back; one that means an agent keeps its matches alone."""
    found = board(arena, swept, weak, "--agent", "searcher")

    assert set(by_agent(found)) == {"searcher", "random"}
    wrong = arena("leaderboard", weak, "--game", "ttx")
    assert wrong.exit_code == 2
    assert "no game called 'ttx' was played" in " ".join(wrong.stderr.split())


def test_runs_without_results_are_said_in_one_sentence(arena, played):
    """A run whose only match was cut off ranks nobody."""
    cut = "name: cut\ngames: {ttt: tic-tac-toe}\nagents: {random: random, first: first-legal}\n"
    run = played("cut", cut + "schedule: {use: round-robin, repeats: 1}\nlimits: {max-steps: 1}\nmetrics: []\n")
    done = arena("leaderboard", run)

    assert done.exit_code == 2
    assert done.stdout == ""
    assert " ".join(done.stderr.split()) == (
        "arena: leaderboard: there is nobody to rank: 2 matches that gave nobody a return (cut off, or disqualified)"
    )


def test_a_submission_of_a_run_counts_once(arena, weak, tmp_path):
    """Beside its run a submission made of it changes no row, and is told."""
    ours = tmp_path / "ours.csv"
    assert arena("leaderboard", weak, "--format", "submission", "-o", ours).exit_code == 0

    once, twice = board(arena, weak), board(arena, weak, ours)

    assert once["rows"] == twice["rows"]
    assert sum(each["count"] for each in twice["duplicates"]) == 20
    assert "2 sources hold the same 20 matches (weak, ours.csv)" in arena("leaderboard", weak, ours).stdout


def test_what_is_alike_in_matches_is_held_once(played):
    """Matches that went alike share their returns, seats, places and counts, so that a long run needs little memory."""
    names = "{one: random, two: first-legal}"
    schedule = "{use: round-robin, repeats: 30}"
    run = played("alike", f"{{games: {{poker: kuhn-poker}}, agents: {names}, schedule: {schedule}, metrics: []}}")
    collector = Collector(Catalog())

    collector.read_run(run)

    matches = collector.all_played().matches
    held = {tuple(map(id, (m.turns, m.illegal, m.places, m.contest.returns, m.contest.seats))) for m in matches}
    went = {(m.agents, *m.contest.returns.items(), *m.turns.items(), *m.illegal.items()) for m in matches}
    assert len(held) == len(went) < len(matches) == len({m.contest.match for m in matches})
