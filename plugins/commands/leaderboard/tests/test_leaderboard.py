"""The leaderboard of real runs: counts by hand, merging, duplicates, and files that can be read again."""

import csv
import io
import json

import pytest
from arena_cli.application.group import group
from arena_command_leaderboard.submissions import ROW
from arena_engine import Journal
from click.testing import CliRunner

BENCHMARK = """
name: forms
games: {ttt: {use: tic-tac-toe}}
agents:
  talker:
    use: llm
    constrained: false
    backend:
      use: scripted
      answers: ['{"reasoning": "", "action": "centre"}', '{"reasoning": "", "action": "row 1, column 2"}', 'no idea']
  first: first-legal
sweep: {agents.talker.prompt.history: [none, compact]}
schedule: {use: against, agent: first, repeats: 3}
illegal-actions: {retries: 1, then: disqualify}
metrics: []
"""


SEATS = (("1st", "2nd"), ("2nd", "1st"))


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A model that is mostly put out of the match, against the first legal move."""
    directory = tmp_path_factory.mktemp("run")
    (directory / "bench.yaml").write_text(BENCHMARK)
    done = arena("run", directory / "bench.yaml", "-q", "-o", directory / "run")
    assert done.exit_code == 0, done.stderr
    return directory / "run"


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Another run: the same game without models."""
    directory = tmp_path_factory.mktemp("other") / "run"
    done = arena(
        "run", "--game", "tic-tac-toe", "--agent", "random", "--agent", "first-legal", "-n", 4, "-q", "-o", directory
    )
    assert done.exit_code == 0, done.stderr
    return directory


def rows(*arguments: object):
    done = arena("leaderboard", *arguments)
    assert done.exit_code == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_rows_are_what_the_journal_says(run):
    """Every number of a submission's row follows from the records of its matches."""
    with Journal.open(run) as journal:
        records = list(journal.records())
    found = rows(run, "--format", "submission")

    assert tuple(found[0])[: len(ROW)] == ROW
    assert sum(int(row["Games"]) for row in found) == len(records) == 12
    for row in found:
        own = [r for r in records if r.agents == (row["LLM1stPlayer"], row["LLM2ndPlayer"])]
        assert len(own) == int(row["Games"])
        for p, seat in enumerate(("1st", "2nd")):
            refused = sum(event.player == p for r in own for event in r.refused())
            played = sum(event.player == p for r in own for event in r.played())
            wins = sum(r.returns is not None and r.returns[p] > r.returns[1 - p] for r in own)
            assert int(row[f"Disqualifications-{seat}"]) == sum(p in r.forfeited for r in own)
            assert int(row[f"TotalMoves-{seat}"]) == refused + played
            assert int(row[f"InvalidMoves-{seat}"]) == refused
            assert float(row[f"WinRatio-{seat}"]) == pytest.approx(wins / len(own))
    assert sum(int(row["Disqualifications-1st"]) for row in found) > 0
    assert {row["PromptType"] for row in found} == {"text"}


def test_form_is_known_without_the_plugins(run):
    """The journal says which form its agents were shown, wherever it is read."""
    done = arena("--disable", "agent:llm", "leaderboard", run, "--format", "submission")

    assert {row["PromptType"] for row in csv.DictReader(io.StringIO(done.stdout))} == {"text"}


SILENT = """
name: silent
seed: 1
games: {ttt: tic-tac-toe}
agents:
  silent: {use: llm, backend: {use: scripted, answers: ["I pass."]}}
  random: random
schedule: {use: round-robin, repeats: 5}
illegal-actions: {then: disqualify}
"""


def test_who_never_makes_a_move_keeps_its_form_and_version(played):
    """A model that is disqualified from every match has the form and prompt version of its configuration."""
    source = played("silent", SILENT)

    found = rows(source, "--format", "submission")
    by_form = rows(source, "--by", "form,agent", "--format", "csv")

    assert {row["PromptType"] for row in found} == {"text"}
    assert all(len(row["PromptVersion"]) > 5 for row in found)
    out = {row["LLM"]: (row["Disqualifications-1st"], row["Disqualifications-2nd"]) for row in by_form}
    games = {row["LLM"]: (row["Games-1st"], row["Games-2nd"], row["Cancelled"]) for row in by_form}
    assert {row["PromptType"] for row in by_form} == {"text"}
    assert out == {"silent": ("5", "5"), "random": ("0", "0")}
    assert games == dict.fromkeys(("silent", "random"), ("5", "5", "0"))


def test_lines_by_agent_use_its_own_seats(other):
    """By agent, the numbers of a seat are those of matches in which the agent sat there."""
    by_agent = {row["LLM"]: row for row in rows(other, "--by", "agent", "--format", "csv")}
    by_pairing = {row["LLM1stPlayer"]: row for row in rows(other, "--by", "pairing", "--format", "csv")}

    for agent, row in by_agent.items():
        assert row["Wins-1st"] == by_pairing[agent]["Wins-1st"]
        (against,) = set(by_agent) - {agent}
        assert row["Wins-2nd"] == by_pairing[against]["Wins-2nd"]
        assert (row["Games-1st"], row["Games-2nd"]) == ("4", "4")
        assert float(row["WinRatioLow-1st"]) < float(row["WinRatio-1st"]) + 1e-9 < float(row["WinRatioHigh-1st"]) + 2e-9


def test_lines_by_game_add_up_everything(run, other):
    """By game, all matches are there once, in both seats."""
    found = json.loads(arena("leaderboard", run, other, "--by", "game", "--format", "lines", "--json").stdout)["lines"]

    assert {row["GameType"]: row["Games-1st"] for row in found} == {"ttt": "12", "tic-tac-toe": "8"}
    assert all(";" not in row["Sources"] for row in found)


def test_what_is_there_twice_counts_once(run, other, tmp_path):
    """A run given twice, and a submission made of it, change nothing, and are told of; other runs are merged."""
    ours = tmp_path / "ours.csv"
    assert arena("leaderboard", run, "--format", "submission", "-o", ours).exit_code == 0

    once = arena("leaderboard", run, other, "--format", "submission")
    twice = arena("leaderboard", ours, run, other, run, "--format", "submission")

    assert twice.exit_code == 0
    assert "counted once" in twice.stderr
    assert "counted once" not in once.stderr
    assert twice.stdout == once.stdout


def test_submissions_can_be_read_again(run, tmp_path):
    """What was written as submissions gives the same leaderboard as the run."""
    ours = tmp_path / "ours.csv"
    arena("leaderboard", run, "--format", "submission", "-o", ours)

    lines = [arena("leaderboard", source, "--by", "agent", "--format", "lines").stdout for source in (ours, run)]

    assert lines[0] == lines[1]


PUBLISHED = {
    "GameType": "tic-tac-toe",
    "PromptType": "list",
    "PromptVersion": "2024-06-12",
    "LLM1stPlayer": "one",
    "LLM2ndPlayer": "two",
    "WinRatio-1st": "0.4",
    "WinRatio-2nd": "0.2",
    "Wins-1st": "2",
    "Wins-2nd": "1",
    "Disqualifications-1st": "1",
    "Disqualifications-2nd": "0",
    "Draws": "0",
    "InvalidMovesRatio-1st": "0.25",
    "InvalidMovesRatio-2nd": "0",
    "TotalMoves-1st": "20",
    "TotalMoves-2nd": "15",
    "ProviderEmail": "a@example.org",
    "DateTime": "2024-07-01 10:00:00",
    "UUID": "u-1",
}


def test_row_of_the_original_is_understood(tmp_path):
    """Without a number of matches its outcomes say how many there were, and nothing is called cancelled."""
    consistent = {**PUBLISHED, "WinRatio-1st": "0.5", "WinRatio-2nd": "0.25"}
    (tmp_path / "published.json").write_text(json.dumps([consistent]))

    (found,) = rows(tmp_path / "published.json", "--format", "submission")

    assert {column: found[column] for column in ROW} == consistent
    assert (found["Games"], found["Cancelled"], found["InvalidMoves-1st"]) == ("4", "0", "5")


@pytest.mark.parametrize(("second", "is_said"), [("two", True), ("random-play", False)])
def test_a_submission_without_random_play_is_said_to_have_another_scale(tmp_path, second, is_said):
    """One sentence says what 1500 is, and that such ratings are not those against random play."""
    row = {**PUBLISHED, "WinRatio-1st": "0.5", "WinRatio-2nd": "0.25", "LLM2ndPlayer": second}
    (tmp_path / "published.json").write_text(json.dumps([row]))

    shown = " ".join(arena("leaderboard", tmp_path / "published.json").stdout.split())

    said = "Nobody plays at random in the submission: 1500 is the mean of one and its opponents"
    assert shown.count(said) == int(is_said)


@pytest.mark.parametrize("options", [(), ("--format", "lines")])
def test_ratio_that_contradicts_the_outcomes_is_named_once(tmp_path, options):
    """The outcomes count; one line names the row and both numbers."""
    (tmp_path / "published.json").write_text(json.dumps([PUBLISHED]))

    done = arena("leaderboard", tmp_path / "published.json", *options)

    said = " ".join(done.stderr.split())
    assert said.count("row 1") == 1
    assert "WinRatio-1st is 0.4, its outcomes give 2 of 4 matches, 0.5" in said
    assert "WinRatio-2nd is 0.2, its outcomes give 1 of 4 matches, 0.25" in said


def test_matches_without_a_result_are_counted_and_in_no_rate(tmp_path):
    """Lines have a column for them where there are any, and shares are of the others."""
    row = {**PUBLISHED, "WinRatio-1st": "0.5", "WinRatio-2nd": "0.25", "Games": "4", "NoResult": "1"}
    (tmp_path / "published.json").write_text(json.dumps([row]))

    (found,) = rows(tmp_path / "published.json", "--by", "pairing", "--format", "csv")
    shown = arena("leaderboard", tmp_path / "published.json", "--format", "lines").stdout

    assert (found["NoResult"], found["Games-1st"], found["WinRatio-1st"]) == ("1", "4", "0.5")
    assert "no result" in shown


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"Wins-1st": "many"}, "row 1"),
        ({"Draws": "0.5"}, "Draws is '0.5'"),
        ({"Draws": "00"}, "Draws is '00'"),
        ({"WinRatio-1st": "0.0001"}, "would mean 20000 matches"),
        ({"UUID": None}, "no UUID"),
        ({"Games": "2"}, "4 outcomes of 2 matches"),
    ],
)
def test_row_that_is_no_result_is_a_mistake(tmp_path, change, said):
    """A broken row ends the command with its file, its number and what was wrong."""
    row = {key: value for key, value in {**PUBLISHED, **change}.items() if value is not None}
    (tmp_path / "broken.json").write_text(json.dumps([row]))

    done = arena("leaderboard", tmp_path / "broken.json")

    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(
    "options",
    [
        ("--format", "csv", "-o", "own.csv"),
        ("--format", "csv", "--by", "pairing", "-o", "own.csv"),
        ("--format", "lines", "--by", "agent", "-o", "own.json"),
        ("-o", "own.json"),
        ("-o", "own.html"),
    ],
)
def test_leaderboard_that_is_given_as_results_says_which_file_to_give(run, other, tmp_path, options):
    """What the command itself wrote sums up matches; the one sentence names what to give in its place."""
    *options, name = options
    written = tmp_path / name
    assert arena("leaderboard", run, other, *options, written).exit_code == 0

    refused = arena("leaderboard", written)
    told = " ".join(refused.stderr.split())

    assert refused.exit_code == 2
    assert told.startswith(f"arena: {written}: ")
    assert "'arena leaderboard RUN… --format submission -o FILE.csv'" in told
    assert told.count("arena: ") == 1


def test_choosing_and_refusing(run, other):
    """Games, forms and agents can be chosen; what fits nothing, and words unknown, are said."""
    chosen = rows(run, other, "--game", "tic-tac-toe", "--agent", "random", "--format", "submission")

    assert {row["GameType"] for row in chosen} == {"tic-tac-toe"}
    assert arena("leaderboard", run, "--form", "image").exit_code == 2
    assert "got 'player'" in arena("leaderboard", run, "--by", "player").stderr


def test_terminal_shows_every_column(run):
    """The tables in the terminal have all columns of the original, with intervals."""
    shown = arena("leaderboard", run, "--by", "form,agent", "--format", "lines").stdout

    assert all(word in shown for word in ("won", "wins", "disqualified", "draws", "moves", "invalid", "Wilson"))


def test_page_cannot_be_broken_by_a_name(tmp_path):
    """Whatever agents are called, the page has one script, and no name is markup."""
    row = {**PUBLISHED, "LLM1stPlayer": "</script><script>alert(1)</script>", "UUID": "u-2"}
    (tmp_path / "odd.json").write_text(json.dumps([row]))

    done = arena("leaderboard", tmp_path / "odd.json", "-o", tmp_path / "board.html")

    assert done.exit_code == 0, done.stderr
    page = (tmp_path / "board.html").read_text("utf-8")
    assert page.count("<script>") == page.count("</script>") == 1


@pytest.mark.parametrize("form", ["lines", "standings"])
def test_sources_that_contradict_each_other_are_an_error_that_names_both(run, tmp_path, form):
    """Two tables with the same ids and other results: neither is believed."""
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    assert arena("leaderboard", run, "--format", "submission", "-o", one).exit_code == 0
    found = list(csv.DictReader(io.StringIO(one.read_text())))
    told = {**found[0], "Source": "two.csv", "Wins-1st": found[0]["Wins-2nd"], "Wins-2nd": found[0]["Wins-1st"]}
    told |= {f"Disqualifications-{seat}": found[0][f"Disqualifications-{other}"] for seat, other in SEATS}
    told |= {f"WinRatio-{seat}": "" for seat, _ in SEATS}
    with two.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(told))
        writer.writeheader()
        writer.writerow(told)

    done = arena("leaderboard", one, two, *(["--format", "lines"] if form == "lines" else []))

    said = " ".join(done.stderr.split())
    assert done.exit_code != 0
    assert "two.csv and forms (run) say different things of the same matches" in said
    assert done.stdout == ""
