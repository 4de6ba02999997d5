"""The leaderboard of real runs: one row for each configuration, ranked over all games, each match counted once."""

import json
import shutil

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
    backend:
      use: scripted
      answers: ['{"reasoning": "", "action": "row 1, column 1"}', '{"reasoning": "", "action": "row 2, column 2"}']
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
agents: {random: random, first: first-legal, low: {use: llm, backend: {use: scripted, answers: ['{"action": "bet"}']}}}
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
        row, name = rows[f"model ({style})"], f"model ({style})"
        own = [record for record in records if name in record.agents]
        ahead = [r.returns[r.agents.index(name)] > r.returns[1 - r.agents.index(name)] for r in own]
        assert (row["matches"], row["won"]) == (len(own), sum(ahead))
        assert row["differs"] == {"prompt.style": style}
        assert row["names"] == [name, "model"]


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

    assert {"searcher (simulations=2)", "searcher (simulations=100)", "random"} == set(rows)
    assert rows["searcher (simulations=100)"]["rating"] > rows["searcher (simulations=2)"]["rating"]
    assert rows["random"]["matches"] == 40


@pytest.mark.slow
def test_one_configuration_under_two_names_is_one_row(arena, weak, played):
    """Names of agents and games are no part of what they are; defaults that are written out change nothing."""
    other = played("other", searcher(3, "2, rollouts: 1", "tree", "tic-tac-toe"))

    found = board(arena, weak, other)

    assert set(by_agent(found)) == {"searcher = tree", "random"}
    assert by_agent(found)["searcher = tree"]["names"] == ["searcher", "tree"]
    assert [each["game"] for each in found["games"]] == ["ttt = tic-tac-toe"]


@pytest.mark.slow
def test_games_with_other_parameters_are_other_games(arena, played):
    """A smaller board is another game."""
    agents = "agents: {random: random, first: first-legal}\nschedule: {use: round-robin, repeats: 3}\nmetrics: []\n"
    runs = [
        played(f"four{n}", f"name: four\nseed: {n}\ngames: {{four: {{use: connect-four, columns: {n}}}}}\n{agents}")
        for n in (5, 6)
    ]

    assert set(board(arena, *runs)["verdict"]["by_game"]) == {"four (columns=5)", "four (columns=6)"}


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

    assert found["verdict"]["parts"][0]["unit"] == "chips a hand"
    for row in found["rows"]:
        assert row["rating"] is None
        earned = [sum(v for a, v in zip(r.agents, r.returns, strict=True) if a == row["agent"]) for r in records]
        assert row["mean"]["value"] == pytest.approx(sum(earned) / len(records))
    means = [row["mean"]["value"] for row in found["rows"]]
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


UNDEFEATED = """
name: undefeated
seed: 1
games: {g: tic-tac-toe}
agents: {w: optimal, z: random, y: {use: scripted, actions: [], then: refuse}}
schedule: {use: fixed, seatings: [[w, y], [w, z], [z, y]], repeats: %d}
metrics: []
"""


@pytest.fixture(scope="module")
def undefeated(played):
    """One agent that never loses, one that plays at random, and one that always forfeits."""
    return played("undefeated", UNDEFEATED % 100)


def test_undefeated_agent_is_first_and_beaten_one_last(arena, undefeated):
    """Whoever won or lost everything has a place and a bound, and is told apart."""
    found = board(arena, undefeated)
    shown = arena("leaderboard", undefeated).stdout

    assert [(row["agent"], row["ranks"]) for row in found["rows"]] == [("w", [1, 1]), ("z", [2, 2]), ("y", [3, 3])]
    assert found["rows"][2]["interval"][1] < 1500
    assert shown.splitlines()[2] == "w > z > y"
    assert "≤" in next(line for line in shown.splitlines() if "  y  " in line)


def test_a_ladder_of_few_matches_is_one_table_with_bounds(arena, played):
    """Six matches a pair order three agents, and each but the reference has a bound."""
    found = board(arena, played("ladder", UNDEFEATED % 6))
    (part,) = found["verdict"]["parts"]

    assert part["agents"] == ["w", "z", "y"]
    assert part["reference"] == "z"
    assert [row["interval"][0] is None for row in part["rows"]] == [False, True, True]
    assert [row["interval"][1] is None for row in part["rows"]] == [True, True, False]


@pytest.mark.parametrize("run", ["undefeated", "weak", "swept"])
def test_leaderboard_of_a_run_says_what_its_report_says(arena, request, run):
    """Sentences, tables and pairs are the same, number by number; a sweep's rows have names of their own."""
    path = request.getfixturevalue(run)
    own = board(arena, path)["verdict"]
    report = json.loads(arena("report", path, "--json").stdout)["verdict"]

    names = dict(zip((r["agent"] for r in report["parts"][0]["rows"]), own["parts"][0]["agents"], strict=True))
    told = json.dumps({key: report[key] for key in ("parts", "by_game", "level", "matches")})
    for name, label in names.items():
        told = told.replace(json.dumps(name), json.dumps(label))
    assert json.loads(told) == {key: own[key] for key in ("parts", "by_game", "level", "matches")}


def test_order_by_play_has_a_view(arena, undefeated):
    """``--by-play`` is the order without the matches that agents' own invalid answers ended."""
    shown = arena("leaderboard", undefeated, "--by-play").stdout.splitlines()

    heading = next(place for place, line in enumerate(shown) if "# by play" in line)
    assert [line.split()[1] for line in shown[heading + 1 : heading + 4]] == ["w", "z", "y"]
    assert "100 %" in shown[heading + 3]
    assert arena("leaderboard", undefeated, "--by-play", "--by", "game").exit_code == 2


@pytest.mark.slow
def test_agents_that_never_met_have_rankings_of_their_own(arena, weak, played):
    """Two runs without a common agent are two tables, and one sentence tells so."""
    lone = "name: l\ngames: {ttt: tic-tac-toe}\nagents: {a: first-legal, b: {use: mcts, simulations: 3}}\n"
    apart = played("apart", lone + "schedule: {use: round-robin, repeats: 8}\nmetrics: []\n")
    found = board(arena, weak, apart)
    shown = arena("leaderboard", weak, apart).stdout

    groups = [{row["agent"] for row in found["rows"] if row["part"] == number} for number in (1, 2)]
    assert sorted(groups, key=min) == [{"a", "b"}, {"random", "searcher"}]
    assert shown.count("never met them") == 1
    assert "Agents that never met have a scale each" in " ".join(shown.split())


def test_json_has_what_is_documented(arena, swept):
    """All keys of a row and of the object are there, and rows come in order of rank."""
    found = board(arena, swept)

    assert {"format", "rows", "verdict", "games", "runs", "duplicates", "left_out", "notes", "merged"} <= set(found)
    keys = (
        "ranks group part agent names configuration differs rating interval is_reference matches blocks games illegal"
    )
    assert set(keys.split()) <= set(found["rows"][0])
    with Journal.open(swept) as journal:
        digests = {each.digest for each in configurations_of(journal, "agent").values()}
    assert {row["configuration"] for row in found["rows"]} == digests
    assert [row["agent"] for row in found["rows"]] == found["verdict"]["parts"][0]["agents"]
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

    assert "won–drawn–lost" in pairs
    assert "Elo" in games
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
        "arena: leaderboard: there is nobody to rank: 2 matches that gave nobody a return (cut off)"
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
    """Matches that went alike share their returns, agents and counts, so that a long run needs little memory."""
    names = "{one: random, two: first-legal}"
    schedule = "{use: round-robin, repeats: 30}"
    run = played("alike", f"{{games: {{poker: kuhn-poker}}, agents: {names}, schedule: {schedule}, metrics: []}}")
    collector = Collector(Catalog())

    collector.read_run(run)

    matches = collector.all_played().matches
    held = {tuple(map(id, (m.turns, m.illegal, m.agents, m.contest.returns))) for m in matches}
    went = {(m.agents, m.contest.returns, m.contest.played, *m.turns.items(), *m.illegal.items()) for m in matches}
    assert len(held) == len(went) < len(matches) == len({m.contest.match for m in matches})
