"""Judged scores from run to report, and what a person makes of them."""

import json

import arena
import attrs
import pytest
from arena.errors import ConfigError
from arena.record import Ending, MatchPlan, MatchRecord
from arena.testing import check_metric
from arena_backend_scripted.backend import Scripted
from arena_cli.application.group import group
from arena_engine import Journal
from arena_metric_judge import rubric
from arena_metric_judge.agreement import Pair, cells
from arena_metric_judge.judge import Judge, won
from arena_metric_judge.rubric import Dimension
from arena_report import build
from click.testing import CliRunner

RUBRIC = """\
per: turn
system: You judge.
user: "{players}|{story}|{player}: {turn}|{dimensions}|{answer}"
dimensions:
  fair: {title: Fair, scale: [0, 1], meaning: gives a good share}
  greedy: {title: Greedy, scale: boolean, meaning: keeps everything}
  style: {title: Style, scale: [1, 5], whole: true, meaning: says it well}
"""


def answer(fair=0.5, greedy=False, style=3, **more):
    scores = {"fair": fair, "greedy": greedy, "style": style}
    return json.dumps({name: {"justification": "so it is", "score": s} for name, s in scores.items()} | more)


@pytest.mark.parametrize(
    ("returns", "gone", "expected"),
    [((1.0, -1.0), (), [True, False]), (None, (1,), [None, False]), (None, (), [None, None])],
)
def test_who_failed_has_not_won(returns, gone, expected):
    """Scores stand beside who won: whoever was disqualified has not, and of the others nobody knows."""
    plan = MatchPlan(id="g", game="g", agents=("a", "b"), pairing="p", repeat=0, rotation=0, chance_seed=0)
    ending = Ending.DISQUALIFIED if gone else Ending.RULES
    match = MatchRecord(plan=plan, seats=("x", "o"), ending=ending, returns=returns, forfeited=gone)

    assert [won(match, player) for player in (0, 1)] == expected


def judge(*rules, **more):
    backend = {"use": "scripted", **({"rules": [{"when": w, "say": s} for w, s in rules]} if rules else {})}
    return {"use": "judge", "backend": backend, **more}


def benchmark(metrics, **more):
    solo = {"use": "roles", "backend": "scripted", "routes": {"*": ["solo"]}, "persona": "cooperative"}
    return {
        "name": "judged",
        "seed": 5,
        "games": {"talks": {"use": "negotiation", "rounds": 2}},
        "agents": {"one": solo, "two": "random"},
        "schedule": {"use": "round-robin", "repeats": 3, "rotate-seats": True},
        "metrics": metrics,
        **more,
    }


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "fairness.yaml"
    path.write_text(RUBRIC)
    return str(path)


def run(plain, directory):
    done = arena.run(plain, output=directory)
    return done.directory


def table(directory, title):
    with Journal.open(directory) as journal:
        report = build([journal])
    (found,) = (t for section in report.sections for t in section.tables if t.title == title)
    names = [column.title for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def judged(directory, name="judge"):
    with Journal.open(directory) as journal:
        return [m for each in journal.judgements(name).values() for m in each], list(journal.records())


@pytest.mark.slow
def test_every_turn_is_scored_on_every_dimension(file, tmp_path):
    """Each action that an agent chose gets one score a dimension, with a justification, persona and role."""
    found, records = judged(run(benchmark([judge((".", answer()), rubric=file)]), tmp_path / "run"))
    turns = sum(1 for record in records for _ in record.played())
    scores = [m for m in found if m.name == "score"]

    assert len(scores) == 3 * turns
    assert {m.detail["justification"] for m in scores} == {"so it is"}
    assert {(m.detail["persona"], m.detail["role"]) for m in scores} == {("cooperative", "solo"), (None, None)}
    rows = table(tmp_path / "run", "Scores: fairness")
    assert {(row["agent"], row["dimension"], row["mean"].value) for row in rows} == {
        (agent, *score) for agent in ("one", "two") for score in (("Fair", 0.5), ("Greedy", 0.0), ("Style", 3.0))
    }
    assert {row["mean"].n for row in rows} == {3}


AGAIN = "write the same answer again, as the object alone"


def test_contract_is_kept():
    """The metric keeps the contract."""
    check_metric(Judge(backend=Scripted()))


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (answer(fair=1.5), "fair: expected a number from 0 to 1, got 1.5"),
        (answer(fair=True), "fair: expected a number from 0 to 1, got true"),
        (answer(greedy=1), "greedy: expected true or false, got 1"),
        (answer(style=2.5), "style: expected a whole number from 1 to 5, got 2.5"),
        (answer(mood=1), f"nobody asked for the key 'mood'; {AGAIN}"),
        ('{"fair": {"score": 1, "justification": "x"}}', "the scores: 'greedy' is missing"),
        (answer(fair=0.5).replace("so it is", " "), "fair: expected a sentence as 'justification'"),
        ("very fair", f"there is no JSON object in the answer; {AGAIN}"),
        ("", "the answer was empty"),
    ],
)
@pytest.mark.sample(fast=1)
def test_unreadable_judgements_are_counted_and_never_guessed(said, problem, file, tmp_path):
    """What does not fit the rubric is asked for again, then counted; no score comes of it."""
    metric = judge((".", said), rubric=file, tries=2)
    found, _ = judged(
        run(benchmark([metric], schedule={"use": "fixed", "seatings": [["one", "two"]]}), tmp_path / "run")
    )

    assert {m.name for m in found} == {"asked"}
    assert {(m.value, m.detail["tries"], m.detail["problem"]) for m in found} == {(False, 2, problem)}
    (row,) = table(tmp_path / "run", "Answers of the judge")
    assert row["unreadable"].value == 1.0
    assert row["completions a question"].value == 2


def test_a_refused_answer_may_be_mended(file, tmp_path):
    """The judge is told what was wrong, and the next answer counts."""
    rules = ((r"Your last answer was refused: fair: expected", answer()), (".", answer(fair=7)))
    found, _ = judged(run(benchmark([judge(*rules, rubric=file)]), tmp_path / "run"))

    assert {m.detail["tries"] for m in found if m.name == "asked"} == {2}
    assert {m.value for m in found if m.name == "asked"} == {True}


def test_repeated_judgements_permute_the_players_and_are_compared(file, tmp_path):
    """Further samples name the players in a drawn order; how far they agree is reported with n and interval."""
    rules = ((r"^BOB, ALICE", answer(fair=0.9, greedy=True)), (".", answer(fair=0.5)))
    directory = run(benchmark([judge(*rules, rubric=file, samples=3)]), tmp_path / "run")
    found, _ = judged(directory)
    rows = {row["dimension"]: row for row in table(directory, "Agreement of repeated judgements")}

    first = {
        m.value for m in found if m.name == "score" and m.detail["sample"] == 0 and m.detail["dimension"] == "fair"
    }
    later = {m.value for m in found if m.name == "score" and m.detail["sample"] > 0 and m.detail["dimension"] == "fair"}
    assert (first, later) == ({0.5}, {0.5, 0.9})
    assert rows["Style"]["agreement"].value == 1.0
    assert 0 < rows["Greedy"]["agreement"].value < 1
    errors = rows["Fair"]["mean absolute error"].value
    assert errors == pytest.approx(0.4 * (1 - rows["Fair"]["agreement"].value))
    assert rows["Greedy"]["Cohen's kappa"].n == 3


def test_judgements_are_asked_once(file, tmp_path):
    """Going on with a finished run asks its judge nothing again; each question has a branch of its own."""
    directory = run(benchmark([judge((".", answer()), rubric=file, samples=2)]), tmp_path / "run")

    def scopes():
        with Journal.open(directory) as journal:
            return sorted(a.scope for r in journal.records() for a in journal.recorded(r.id).values())

    before = scopes()
    done = CliRunner().invoke(group, ["resume", str(directory)])

    assert done.exit_code == 0, done.output
    assert scopes() == before
    assert any(scope.startswith("metric/judge/join/0-0-1/") for scope in before)


@pytest.mark.slow
def test_winners_are_held_against_losers(file, tmp_path):
    """Matches with a winner give a difference within matches and a relative one."""
    rules = ((r"\|ALICE: ", answer(fair=0.8)), (".", answer(fair=0.4)))
    directory = run(
        benchmark([judge(*rules, rubric=file)], schedule={"use": "round-robin", "repeats": 12}), tmp_path / "run"
    )
    found, records = judged(directory)
    decided = [r for r in records if r.returns and len(set(r.returns)) > 1]
    rows = {row["dimension"]: row for row in table(directory, "Winners and losers")}

    assert rows["Fair"]["matches"] == len(decided) > 3
    alice = sum(r.returns[0] > r.returns[1] for r in decided)
    expected = (0.4 * alice - 0.4 * (len(decided) - alice)) / len(decided)
    assert rows["Fair"]["difference within matches"].value == pytest.approx(expected)
    winners, losers = rows["Fair"]["winners"].value, rows["Fair"]["losers"].value
    assert rows["Fair"]["relative difference"].value == pytest.approx((winners - losers) / losers)
    assert rows["Greedy"]["relative difference"] is None
    assert {m.detail["won"] for m in found if m.name == "score"} >= {True, False}


def test_scores_are_given_by_persona_and_role(file, tmp_path):
    """Strata are those that agents write down with their actions."""
    rows = table(run(benchmark([judge((".", answer()), rubric=file)]), tmp_path / "run"), "Scores by persona and role")

    assert {(row["persona"], row["role"]) for row in rows} == {("cooperative", "solo"), ("none", "any")}


@pytest.mark.slow
def test_shipped_rubrics_are_judged_and_drawn(tmp_path):
    """The eight dimensions and three orders are scored by legal answers, with radars by agent and persona."""
    metrics = {"behaviour": judge(), "mind": judge(rubric="theory-of-mind")}
    directory = run(benchmark(metrics), tmp_path / "run")
    with Journal.open(directory) as journal:
        report = build([journal])
    radars = {f.title: f for s in report.sections for f in s.figures if f.kind == "radar"}

    assert len(rubric.load("social-behaviour").dimensions) == 8
    assert len(rubric.load("theory-of-mind").dimensions) == 3
    assert len(radars["talks: social-behaviour by agents"].x) == 8
    assert set(radars["talks: social-behaviour by personas"].series) == {"cooperative"}
    assert set(radars["talks: theory-of-mind by agents"].series) == {"one", "two"}
    assert not any(section.text.startswith("failed") for section in report.sections)


@pytest.mark.parametrize(("per", "places"), [("player", {0, 1}), ("match", {None})])
def test_players_and_matches_are_scored_as_a_whole(per, places, tmp_path):
    """One question a match scores all players, or the match itself."""
    path = tmp_path / "whole.yaml"
    path.write_text(RUBRIC.replace("per: turn", f"per: {per}"))
    found, records = judged(run(benchmark([judge(rubric=str(path), samples=2)]), tmp_path / "run"))
    scores = [m for m in found if m.name == "score"]

    assert len([m for m in found if m.name == "asked"]) == 2 * len(records)
    assert {m.player for m in scores} == places
    assert len(scores) == 2 * 3 * len(places) * len(records)


def test_a_judge_sees_the_past_and_no_names_of_agents(file, tmp_path):
    """A turn is judged by what came before it, told in the game's words; what was private is marked as such."""
    directory = run(benchmark([judge((".", answer()), rubric=file)]), tmp_path / "run")
    with Journal.open(directory) as journal:
        record = next(r for r in journal.records() if len(list(r.played())) > 2)
        asked = {
            a.scope: json.loads(a.request)["messages"][1]["parts"][0] for a in journal.recorded(record.id).values()
        }
    first, second = asked["metric/judge/join/0-0-0/0"], asked["metric/judge/join/1-0-0/0"]

    assert "ALICE is dealt these values" in first
    assert "(seen by ALICE alone)" in first
    assert "ALICE proposes" not in first
    assert "ALICE proposes" in second
    assert "one" not in first.split("|")[0].split(", ")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("per: turn", "per: week"), "'per': expected one of turn, player, match"),
        (("{story}", ""), "'user' has no {story}"),
        (("scale: [0, 1]", "scale: [1, 0]"), "dimensions.fair.scale: expected boolean or"),
        (("scale: [1, 5]", "scale: [1, 4.5]"), "a whole scale has whole ends"),
        (("title: Fair,", "tilte: Fair,"), "unknown key 'tilte'"),
        (("system: You judge.", "system: ''"), "'system': expected a text"),
    ],
)
def test_mistakes_in_a_rubric_are_named(change, complaint, tmp_path):
    """A rubric that cannot be used is refused before anything is played."""
    path = tmp_path / "mine.yaml"
    path.write_text(RUBRIC.replace(*change))

    with pytest.raises(ConfigError, match=complaint.replace("{", r"\{").replace("[", r"\[")):
        arena.run(benchmark([judge(rubric=str(path))]))


def test_agreement_is_what_it_says():
    """Per cent, mean absolute error and kappa of known pairs."""
    known = Dimension(name="d", title="d", meaning="m", boolean=True)
    pairs = [Pair(1, 1, "a"), Pair(1, 0, "b"), Pair(0, 0, "c"), Pair(0, 0, "d")]

    n, agree, error, kappa = cells(pairs, known, 0.95)
    assert (n, agree.value, error.value, kappa.value) == (4, 0.75, 0.25, pytest.approx(0.5))
    near = [Pair(0.5, 0.6, "a"), Pair(0.5, 0.65, "b")]
    scale = attrs.evolve(known, boolean=False)
    assert cells(near, scale, 0.95)[1].value == 0.5


def annotate(directory, *more, said=""):
    return CliRunner().invoke(group, ["annotate", str(directory), *more], input=said)


def test_a_person_annotates_turn_by_turn(file, tmp_path):
    """A person is asked until a score fits; each turn is written when it is complete and not asked for again."""
    directory = run(benchmark([judge((".", answer()), rubric=file)]), tmp_path / "run")

    first = annotate(directory, "--rubric", file, said="7\n0.5\nso\nyes\n\n3\n\nq\n")
    lines = (directory / "annotations.jsonl").read_text().splitlines()
    (one,) = map(json.loads, lines)

    assert first.exit_code == 0, first.output
    assert "fair: expected a number from 0 to 1, got 7" in first.output
    assert (one["player"], one["turn"], one["annotator"]) == (0, 0, "person")
    assert one["scores"]["greedy"] == {"score": True, "justification": ""}
    assert "--- score ALICE" in first.output
    assert "one,two" not in first.output
    assert max(map(len, first.stdout.splitlines())) <= 80
    again = annotate(directory, "--rubric", file, said="q\n")
    assert "--- score BOB" in again.output
    assert "--- score ALICE" not in again.output


def test_judges_and_persons_are_compared(file, tmp_path):
    """Agreement of the run's judge with a person: per cent, mean absolute error and kappa by dimension."""
    metrics = [judge((".", answer(fair=0.5)), rubric=file)]
    directory = run(benchmark(metrics, schedule={"use": "fixed", "seatings": [["one", "two"]]}), tmp_path / "run")
    alone = annotate(directory, "--rubric", file, "--compare")
    assert alone.exit_code == 2
    assert "annotations.jsonl yet; score first" in " ".join(alone.output.split())
    said = "0.9\n\nno\n\n3\n\n"

    assert annotate(directory, "--rubric", file, said=said * 9).exit_code == 0
    done = annotate(directory, "--rubric", file, "--compare")

    assert done.exit_code == 0, done.output
    assert "judge judge" in done.output
    assert "person" in done.output
    assert "0.4" in done.output


def test_a_damaged_annotation_is_named(file, tmp_path):
    """A line that is no annotation is said, with its number."""
    directory = run(benchmark([judge((".", answer()), rubric=file)]), tmp_path / "run")
    (directory / "annotations.jsonl").write_text("{}\n")

    done = annotate(directory, "--rubric", file, "--compare")
    assert done.exit_code != 0
    assert "annotations.jsonl: line 1: expected a table with run, match" in " ".join(done.output.split())


def test_an_annotation_that_was_cut_off_is_asked_for_again(file, tmp_path):
    """Half a last line, as a full disk leaves it, counts as none; a whole one without an end stays."""
    directory = run(benchmark([judge((".", answer()), rubric=file)]), tmp_path / "run")
    annotations = directory / "annotations.jsonl"
    score = "0.5\nso\nyes\n\n3\n\n"
    annotate(directory, "--rubric", file, said=f"{score}q\n")
    whole = annotations.read_text()

    annotations.write_text(f"{whole}{whole[:40]}")
    again = annotate(directory, "--rubric", file, said=f"{score}q\n")
    first, second = annotations.read_text().splitlines(keepends=True)
    annotations.write_text(first + second.rstrip("\n"))
    annotate(directory, "--rubric", file, said=f"{score}q\n")

    assert again.exit_code == 0, again.output
    assert "--- score BOB" in again.output
    assert first == whole
    assert len([json.loads(line) for line in annotations.read_text().splitlines()]) == 3


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_embedded_model_judges(tmp_path):
    """The embedded model judges a short match: each question is answered or counted as unreadable."""
    model = {"use": "llamacpp", "temperature": 0, "max-tokens": 250}
    metric = {"use": "judge", "rubric": "theory-of-mind", "backend": model, "tries": 1}
    plain = benchmark(
        [metric], games={"talks": {"use": "negotiation", "rounds": 1}}, agents={"a": "random", "b": "random"}
    )
    plain["schedule"] = {"use": "fixed", "seatings": [["a", "b"]]}
    found, _ = judged(run(plain, tmp_path / "run"))

    asked = [m for m in found if m.name == "asked"]
    scores = [m for m in found if m.name == "score"]
    assert len(asked) == 2
    assert len(scores) == 3 * sum(bool(m.value) for m in asked)
