"""``arena power`` against published tables, another computation and simulated matches."""

import json
import re
from math import sqrt

import numpy as np
import pytest
from arena_cli.application.group import group
from arena_cli.output import Terminal
from arena_metric_outcomes.power_lines import compared_lines
from arena_metric_outcomes.sample_size import (
    ComparedPair,
    PowerRequest,
    of_difference,
    of_effect,
    of_scores,
    of_standings,
)
from arena_metric_statistics.planning import deviation_of_score, power_of_groups
from arena_standings import Pair
from arena_testing import unwrapped
from click.testing import CliRunner

USUAL = PowerRequest(level=0.95, power=0.8)


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


def needed(table) -> int:
    """The line in the middle is what is needed; its neighbours are half and twice of it."""
    return table.rows[1][0]


@pytest.mark.parametrize(
    ("effect", "paired", "each"), [(0.2, 199, 394), (0.5, 34, 64), (0.8, 15, 26)], ids=["small", "medium", "large"]
)
def test_published_sample_sizes(effect, paired, each):
    """Cohen's conventional effects need the numbers of his tables, paired and in two groups."""
    assert needed(of_effect(effect, 1.0, 1, USUAL, are_paired=True)) == paired
    assert needed(of_effect(-2 * effect, 2.0, 1, USUAL, are_paired=False)) == each


def test_power_of_two_groups_is_that_of_another_library():
    """Scipy's non-central t gives the same power."""
    from scipy import stats

    reach, shift = stats.t.ppf(0.975, 78), 0.4 * sqrt(20)
    theirs = stats.nct.sf(reach, 78, shift) + stats.nct.cdf(-reach, 78, shift)

    assert power_of_groups(40, 0.4) == pytest.approx(theirs)
    assert power_of_groups(40, 0.0) == pytest.approx(0.05)


def test_draws_lower_the_number_of_matches():
    """The spread of a score is that of its three outcomes; drawn matches tell agents apart sooner."""
    outcomes, shares = np.array([1.0, 0.5, 0.0]), np.array([0.4, 0.3, 0.3])
    score = float(outcomes @ shares)

    assert deviation_of_score(score, 0.3) == pytest.approx(sqrt(shares @ (outcomes - score) ** 2))
    assert needed(of_scores([0.55], 0.5, 1, USUAL)) < needed(of_scores([0.55], 0.0, 1, USUAL))


def test_blocks_are_counted_in_matches_too():
    """Matches are blocks times their size."""
    blocks, matches = of_effect(0.5, 1.0, 2, USUAL, are_paired=True).rows[1][:2]

    assert (blocks, matches) == (34, 68)


@pytest.fixture
def run(tmp_path):
    """Twenty blocks of each pairing of two agents with one that they share."""
    path = tmp_path / "bench.yaml"
    path.write_text(
        "name: apart\nseed: 3\ngames: {kuhn: kuhn-poker}\n"
        "agents: {a: {use: random, tags: [side]}, b: {use: first-legal, tags: [side]}, c: random}\n"
        "schedule: {use: against, agent: side, pool: [c], repeats: 20, same-deals: true}\nmetrics: [outcomes]\n"
    )
    assert arena("run", path, "-q", "-o", tmp_path / "run").exit_code == 0
    return tmp_path / "run"


def test_pairs_are_compared_as_they_sat(run):
    """Each two agents are compared at one table, in each other's place, or apart."""
    found = {(each.a, each.b): each for each in of_difference(run, 0.4, USUAL)}

    assert {pair: each.compared for pair, each in found.items()} == {
        ("a", "b"): "same deals",
        ("a", "c"): "head to head",
        ("b", "c"): "head to head",
    }
    assert {each.blocks for each in found.values()} == {20}
    assert all(each.needed % 2 == 0 and each.more == max(0, each.needed - each.matches) for each in found.values())


def test_expected_difference_takes_the_variance_of_a_run(run):
    """Half the difference takes about four times the matches."""
    whole, half = (of_difference(run, gap, USUAL, agents=["a"])[0].needed for gap in (0.4, 0.2))

    assert half / whole == pytest.approx(4, rel=0.1)


def test_agents_apart_are_two_groups(run, tmp_path):
    """Without common deals the matches needed are of each agent, and more than in pairs where luck is shared."""
    bench = tmp_path / "bench.yaml"
    bench.write_text(bench.read_text().replace("same-deals: true", "same-deals: false"))
    assert arena("run", bench, "-q", "-o", tmp_path / "other").exit_code == 0

    found = next(each for each in of_difference(tmp_path / "other", 0.1, USUAL) if (each.a, each.b) == ("a", "b"))

    assert found.compared == "apart"
    assert found.more == found.needed - found.matches / 2 > 0


def test_command_shows_a_line_for_each_pair(run):
    """A run is answered by a line for each pair, an effect or a score by a sentence; the power asked for is named."""
    by_run, by_variance = arena("power", run, "--agent", "b"), arena("power", run, "--difference", "0.4")
    by_score = arena("power", "--score", "0.6", "--power", "0.9")

    assert all(done.exit_code == 0 for done in (by_run, by_variance, by_score)), by_run.stderr + by_score.stderr
    assert len([line for line in by_run.stdout.splitlines() if " – " in line and "b" in line]) == 2
    assert "enough: told apart" in by_run.stdout
    assert "same deals" in by_variance.stdout
    assert "difference of 0.4 (power 80 %, level 95 %)" in by_variance.stdout
    assert re.search(r"255 matches are needed \(power 90 %, level 95 %\)", by_score.stdout), by_score.stdout
    assert max(map(len, (by_run.stdout + by_variance.stdout + by_score.stdout).splitlines())) <= 80


def test_numbers_as_json_are_those_of_the_table(run):
    """``--json`` with a difference holds each pair with what was played, what is needed, and how many more that is."""
    made = json.loads(arena("power", run, "--difference", "0.4", "--json").stdout)

    assert (made["format"], made["power"], made["level"], made["difference"]) == (1, 0.8, 0.95, 0.4)
    found = {(each.a, each.b): each for each in of_difference(run, 0.4, USUAL)}
    assert {(pair["a"], pair["b"]) for pair in made["pairs"]} == set(found)
    for pair in made["pairs"]:
        own = found[pair["a"], pair["b"]]
        assert (pair["needed"], pair["more"], pair["matches"]) == (own.needed, own.more, own.matches)


def test_a_run_says_what_its_report_says(run):
    """Of each pair the lead, its interval, and how many more matches are those of the standings in the report."""
    pairs = json.loads(arena("power", run, "--json").stdout)["pairs"]
    (part,) = json.loads(arena("report", run, "--json").stdout)["verdict"]["parts"]

    said = {(own["a"], own["b"]): own for own in part["pairs"]}
    assert {(pair["a"], pair["b"]) for pair in pairs} == set(said)
    for pair in pairs:
        own = said[pair["a"], pair["b"]]
        assert (pair["unit"], pair["game"]) == (part["unit"], "kuhn")
        assert pair["more"] == (0 if own["separated"] else own["more"])
        assert all(pair[key] == own[key] for key in ("lead", "interval", "separated", "matches", "won", "lost"))


@pytest.mark.campaign
def test_several_games_have_a_line_for_each(tmp_path):
    """Over all games and in each, a pair lacks as many matches as the report says, or is told apart in both."""
    path = tmp_path / "bench.yaml"
    path.write_text(
        "name: three\nseed: 3\ngames: {t: tic-tac-toe, h: hex}\n"
        "agents: {a: first-legal, b: random, c: {use: mcts, simulations: 4}}\n"
        "schedule: {use: round-robin, repeats: 12}\nmetrics: [outcomes]\n"
    )
    assert arena("run", path, "-q", "-o", tmp_path / "run").exit_code == 0

    pairs = json.loads(arena("power", tmp_path / "run", "--json").stdout)["pairs"]
    verdict = json.loads(arena("report", tmp_path / "run", "--json").stdout)["verdict"]

    tables = {"all games": verdict["parts"], **verdict["by_game"]}
    said = {
        (game, own["a"], own["b"]): own for game, parts in tables.items() for part in parts for own in part["pairs"]
    }
    assert len(pairs) == len(said) == 9
    assert any(own["more"] for own in said.values())
    assert any(own["separated"] for own in said.values())
    for pair in pairs:
        own = said[pair["game"], pair["a"], pair["b"]]
        assert pair["more"] == (0 if own["separated"] else own["more"])
    assert {each.game for each in of_standings(tmp_path / "run", 0.95, games=["h"])} == {"h"}


@pytest.mark.slow
def test_many_pairs_are_cut_to_the_hardest_ones(tmp_path):
    """Of more than twelve pairs those are shown that need the most matches; the option for all of them is named."""
    path = tmp_path / "bench.yaml"
    agents = ", ".join(f"a{n}: {{use: random, tags: [t{n}]}}" for n in range(6))
    plays = "schedule: {use: round-robin, repeats: 4}\nmetrics: [outcomes]\n"
    path.write_text(f"name: many\nseed: 3\ngames: {{kuhn: kuhn-poker}}\nagents: {{{agents}}}\n{plays}")
    assert arena("run", path, "-q", "-o", tmp_path / "run").exit_code == 0

    short, full = arena("power", tmp_path / "run").stdout, arena("power", tmp_path / "run", "--full").stdout

    assert len(short.splitlines()) <= 20
    assert "3 more pairs: --full" in short
    assert len(full.splitlines()) == len(short.splitlines()) + 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "expected a RUN"),
        (("--score", "0.9", "--draws", "0.5"), "expected at most 0.2"),
        (("--difference", "0", "--deviation", "1"), "no number of matches"),
        (("--score", "0.5", "--deviation", "1"), "in one way"),
        (("--score", "0.1", "--score", "0.2", "--score", "0.3"), "one or two"),
    ],
)
def test_mistakes_are_named(arguments, said):
    """What cannot be planned is one sentence and exit code 2."""
    done = arena("power", *arguments)

    assert done.exit_code == 2
    assert said in done.stderr


def test_unknown_agent_in_a_run(run):
    """An agent that did not play is named with the run."""
    done = arena("power", run, "--agent", "nobody")

    assert (done.exit_code, "no two of these agents" in unwrapped(done.stderr)) == (2, True)


@pytest.mark.parametrize(
    ("pair", "can_tell", "said"),
    [
        ({"matches": 20, "t": 1.0, "more": 1_200}, True, "about 1,200"),
        ({"matches": 20, "t": 3.0, "separated": True}, True, "enough"),
        ({"matches": 20, "t": 0.0}, False, "equal so far"),
        ({"matches": 20, "t": 0.01}, True, "nearly equal"),
        ({"matches": 3, "t": 1.7}, False, "too few repeats"),
        ({"matches": 0, "t": 1.0}, True, "they did not meet"),
    ],
)
def test_a_pair_says_how_many_more_or_why_not(pair, can_tell, said):
    """The last column has a number, or the reason that there is none."""
    found = ComparedPair(
        game="g", pair=Pair(a="a", b="b", lead=10.0, log_odds=0.1, **pair), unit="Elo", can_tell=can_tell
    )

    _, _, line, _ = compared_lines([found], 0.95, Terminal(width=80), is_full=False)

    assert line.startswith("  a – b ")
    assert line.endswith(f"  {said}")


def test_power_does_not_go_with_a_run_alone(run):
    """Standings have no power to choose, so the option is refused, with what it goes with."""
    done = arena("power", run, "--power", "0.9")

    assert (done.exit_code, "--power goes with --difference" in unwrapped(done.stderr)) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("scores", [(0.6,), (0.62, 0.5)], ids=["head to head", "apart"])
def test_simulated_matches_have_the_power_promised(scores):
    """Of 2,000 simulated experiments of the size asked for, four in five find the difference."""
    from scipy import stats

    rng, draws = np.random.default_rng(5), 0.2
    size = needed(of_scores(scores, draws, 1, USUAL))

    def played(score: float) -> np.ndarray:
        won = score - draws / 2
        return rng.choice([1.0, 0.5, 0.0], p=[won, draws, 1 - won - draws], size=(2000, size))

    if len(scores) == 1:
        ps = stats.ttest_1samp(2 * played(scores[0]) - 1, 0, axis=1).pvalue
    else:
        ps = stats.ttest_ind(played(scores[0]), played(scores[1]), axis=1).pvalue

    assert (ps < 0.05).mean() == pytest.approx(0.8, abs=0.04)
