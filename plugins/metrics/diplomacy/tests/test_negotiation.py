"""Negotiation as a model annotates it: the match of three years gives exactly what was counted by hand."""

import importlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import arena
import attrs
import pytest
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import Player
from arena.tables import Section, Table
from arena.testing import check_metric
from arena_backend_scripted.backend import Scripted
from arena_cli.application.group import group
from arena_engine import Journal
from arena_metric_diplomacy import negotiation
from arena_metric_diplomacy.negotiation import RUBRIC, DiplomacyNegotiation
from arena_metric_diplomacy.negotiation_counts import accepted, accepted_by_either, counted, measure
from arena_metric_judge import rubric
from arena_metric_judge.annotation import Annotation, append
from click.testing import CliRunner

AGENTS = ("england", "france", "germany", "pair", "italy")


@pytest.fixture(scope="module")
def years() -> Iterator[ModuleType]:
    """The script with its annotations, which an agent finds by its name as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))
        yield importlib.import_module("annotated_years")


def benchmark(years: ModuleType, **more: Any) -> dict[str, Any]:
    """The match of three years, played by a policy for each seat and annotated by a script."""
    rules = [
        {"when": f"You annotate what {power} wrote in the phase {phase}", "say": said}
        for (power, phase), said in years.ANSWERS.items()
    ]
    again = {"when": "Your last answer was refused", "say": "It still does."}
    script = years.script
    return {
        "name": "three-years",
        "games": {
            "years": {
                "use": "diplomacy",
                **script.SETTINGS,
            }
        },
        "agents": {agent: {"use": "policy", "policy": "annotated_years:chosen"} for agent in AGENTS},
        "schedule": {"use": "fixed", "seatings": [list(AGENTS)]},
        "metrics": {
            "talk": {
                "use": "diplomacy-negotiation",
                "tries": 2,
                "backend": {"use": "scripted", "rules": [again, *rules]},
            }
        },
        **more,
    }


@pytest.fixture(scope="module")
def run(years: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of the run."""
    return arena.run(benchmark(years), output=tmp_path_factory.mktemp("years") / "run", trust_code=True).directory


@pytest.fixture(scope="module")
def section(run: Path) -> Section:
    """What the metric makes of the run."""
    return summary(run)


def summary(run: Path) -> Section:
    """What the metric makes of a run."""
    metric = DiplomacyNegotiation(backend=Scripted())
    with Journal.open(run) as journal:
        measured = [
            MeasurementRow.of(each, record)
            for record in journal.records()
            for each in metric.measure(FinishedMatch(record, None))
        ]
    (found,) = metric.summarize(Measurements(rows=[*measured, *rows(run)]))
    return found


def table(section: Section, title: str) -> Table:
    """A table of the section."""
    (found,) = (each for each in section.tables if each.title == title)
    return found


def lines(section: Section, title: str) -> dict[str, tuple[Any, ...]]:
    """The cells of a table behind game and agent, by agent."""
    return {str(row[1]): row[2:] for row in table(section, title).rows}


def rows(run: Path) -> list[MeasurementRow]:
    """What was measured."""
    with Journal.open(run) as journal:
        records = {record.id: record for record in journal.records()}
        found = [(m, records[match]) for match, each in journal.judgements("talk").items() for m in each]
    return [MeasurementRow.of(measurement, record) for measurement, record in found]


def test_everything_is_counted_as_it_was_annotated(run: Path, years: ModuleType):
    """Messages, strategies, proposals, acceptance, tones, perspectives and conditions of each player."""
    found = {str(each.row.agent): attrs.asdict(each.counts) for each in counted(rows(run))}

    assert found == years.COUNTS


def test_six_measures_are_their_ratios(section: Section, years: ModuleType):
    """Each measure is the sum of what counts by what it is held against, and a dash where that is nothing."""
    found = lines(section, "Negotiation")

    values = {agent: tuple(cell.value for cell in cells[1:]) for agent, cells in found.items()}
    assert values == {agent: pytest.approx(expected) for agent, expected in years.MEASURES.items()}
    assert {agent: cells[0] for agent, cells in found.items()} == {
        agent: counts["messages"] for agent, counts in years.COUNTS.items()
    }


def test_acceptance_is_counted_in_both_ways(section: Section):
    """By words, by orders, by both and by either of them, each of those that are clear."""
    found = {
        a: [c if isinstance(c, int) else c.value for c in cells]
        for a, cells in lines(section, "Acceptance of proposals").items()
    }

    assert found["england"] == [5, 0, 2 / 5, 2 / 3, 2 / 5, 2 / 5]
    assert found["france"] == [5, 2, pytest.approx(2 / 3), 1 / 2, 1.0, 1.0]
    assert found["italy"] == [1, 1, None, None, None, None]


@pytest.mark.parametrize(
    ("words", "orders", "both", "either"),
    [
        ("yes", "yes", "yes", "yes"),
        ("yes", "none", "yes", "yes"),
        ("unclear", "yes", "yes", "yes"),
        ("yes", "no", "no", "yes"),
        ("no", "yes", "no", "yes"),
        ("no", "none", "no", "no"),
        ("unclear", "no", "no", "no"),
        ("unclear", "none", "unclear", "unclear"),
    ],
)
def test_what_is_accepted(words: str, orders: str, both: str, either: str):
    """What is agreed to and then not done is not accepted; by the paper's rule it is."""
    assert (accepted(words, orders), accepted_by_either(words, orders)) == (both, either)


def test_annotated_pacts_are_held_against_orders(run: Path, years: ModuleType):
    """The pacts that the annotator could say in fixed sentences were kept or broken as those that were said so."""
    pacts: list[Any] = [row.detail for row in rows(run) if row.name == "pact"]

    assert {(p["bound"], p["partner"], p["kind"], p["phase"]): tuple(p["kept"]) for p in pacts} == years.PACTS


def test_what_was_not_answered_is_missing_and_counted(section: Section, years: ModuleType):
    """An answer that is refused after all tries is in no measure, and counted under its kind."""
    found = lines(section, "Answers of the annotator")

    assert {agent: cells[:3] for agent, cells in found.items()} == years.QUESTIONS
    assert {cells[3] for cells in found.values()} == {0}
    assert "Refused as unreadable: 1." in table(section, "Answers of the annotator").note


def test_every_table_names_the_annotator(section: Section):
    """Whose opinion it is stands under each table, with the version of the rubric."""
    version = rubric.load(RUBRIC).version

    assert len(section.tables) == 5
    for each in section.tables:
        assert f"Annotator: scripted, by the rubric 'diplomacy-negotiation' (version {version})." in each.note


def test_an_annotator_sees_a_power_and_no_agent(run: Path):
    """A question shows what its power wrote, read and declared and what was ordered, and no names of agents."""
    with Journal.open(run) as journal:
        (record,) = journal.records()
        asked = {
            a.scope: json.loads(a.request)["messages"][1]["parts"][0]
            for a in journal.recorded(record.id).values()
            if a.scope.startswith("metric/")
        }
    shown = {scope.split("/")[-2]: text for scope, text in asked.items() if scope.endswith("/0")}
    france = shown["round-S1901M-FRANCE-0"]

    assert len([scope for scope in shown if scope.startswith("round-")]) == 19
    for text in (
        "Let us keep ENG empty.",
        "Good luck in Iberia.",
        "Iberia first",
        "A PAR - PIC",
        "Peace to all of you!",
    ):
        assert text in france
    for text in ("I will keep the peace until F1901.", "A PIC S A YOR - BEL", "F1901M"):
        assert text not in france
    assert "Let us keep BUR empty until F1902." in france
    assert not any(f'"{agent}"' in text or "pair" in text for text in shown.values() for agent in AGENTS)
    assert "[message 1; round 1, to GLOBAL; round 1]" in shown["round-S1901M-ITALY-0"]
    assert "Wait for France." not in shown["round-S1902M-FRANCE-0"]
    assert '"aligned"' not in shown["round-S1902M-ENGLAND-0"]


def test_nothing_is_asked_twice(run: Path):
    """Going on with the run asks the annotator nothing again."""

    def answers() -> int:
        with Journal.open(run) as journal:
            (record,) = journal.records()
            return sum(answer.scope.startswith("metric/") for answer in journal.recorded(record.id).values())

    before = answers()
    done = CliRunner().invoke(group, ["resume", str(run), "-q"])

    assert done.exit_code == 0, done.output
    assert answers() == before == 19 + 1


@pytest.mark.slow
def test_an_annotator_that_broke_off_goes_on(run: Path, years: ModuleType, tmp_path: Path):
    """Where a call fails for good, the match is annotated later, and no answer that came is asked for again."""
    plain = benchmark(years)
    log = tmp_path / "calls"
    plain["metrics"]["talk"]["backend"] |= {"log": str(log), "faults": [{"kind": "bad-request", "calls": [12]}]}
    broken = arena.run(plain, output=tmp_path / "run", trust_code=True).directory
    assert rows(broken) == []

    done = CliRunner().invoke(group, ["resume", str(broken), "-q"])
    asked = [line.split()[0] for line in log.read_text().splitlines()]

    assert done.exit_code == 0, done.output
    assert rows(broken) == rows(run)
    assert len(asked) == 19 + 1 + 1
    assert len(set(asked)) == 19 + 1


def test_people_are_held_against_the_annotator(run: Path, years: ModuleType):
    """Agreement by measure, of a person who says what the model says, but for the perspective of one power."""
    asked, path = rubric.load(RUBRIC), run / "annotations.jsonl"
    with Journal.open(run) as journal:
        (record,) = journal.records()
    for (power, phase), said in years.ANSWERS.items():
        if said.startswith("{"):
            player = next(p for p, hand in enumerate(years.script.HANDS) if power in hand)
            append(path, annotation(record.id, player, phase, power, judged(json.loads(said), asked, power), asked))
    done = CliRunner().invoke(
        group, ["annotate", str(run), "--rubric", RUBRIC, "--compare"], terminal_width=200, env={"COLUMNS": "200"}
    )

    assert done.exit_code == 0, done.output
    assert "in all rows: rater judge talk, other rater ann" in " ".join(done.output.split())
    found = {line[0]: (int(line[1]), line[2]) for line in cells(done.output) if len(line) > 3 and line[1].isdigit()}
    assert found == {
        "Alignment with the strategy": (8, "100 %"),
        "Perspective": (21, "81 %"),
        "Nature of the proposal": (14, "100 %"),
        "Acceptance by words": (14, "100 %"),
        "Acceptance by orders": (14, "100 %"),
        "Peace or conflict": (23, "100 %"),
        "Conditional plans": (20, "100 %"),
        "proposal: number found": (21, "100 %"),
    }


def cells(shown: str) -> list[list[str]]:
    """The cells of the tables that are shown at the terminal."""
    return [re.split(r"\s{2,}", line.strip()) for line in shown.splitlines()]


def judged(said: Mapping[str, Any], asked: rubric.Rubric, power: str) -> dict[str, Any]:
    """What a person writes down who says the same, but sees the view of others in each message of England."""
    found: dict[str, Any] = {}
    for label, own in said.items():
        scores: dict[str, Any] = {}
        for name, value in own.items():
            if name == "proposal":
                scores[name] = [
                    {n: v if asked.dimensions[n].note else {"score": v, "justification": ""} for n, v in each.items()}
                    for each in value
                ]
            else:
                sees = value or (name == "perspective" and power == "ENGLAND")
                scores[name] = {"score": sees if isinstance(value, bool) else value, "justification": ""}
        found[label] = scores
    return found


def annotation(match: str, player: int, phase: str, power: str, scores: Any, asked: rubric.Rubric) -> Annotation:
    """A line of a file of annotations."""
    return Annotation(
        run="three-years",
        match=match,
        player=Player(player),
        turn=None,
        rubric=asked.name,
        version=asked.version,
        annotator="ann",
        scores=scores,
        round=phase,
        party=power,
    )


def test_contract_is_kept():
    """The metric keeps the contract, also with matches that are not of Diplomacy."""
    check_metric(DiplomacyNegotiation(backend=Scripted()))


def test_other_games_are_left_alone(tmp_path: Path):
    """In a run that has other games as well, nothing is asked about them."""
    plain = {
        "games": {"talks": {"use": "negotiation", "rounds": 1}},
        "agents": {"one": "random", "two": "random"},
        "schedule": {"use": "fixed", "seatings": [["one", "two"]]},
        "metrics": {"talk": {"use": "diplomacy-negotiation", "backend": "scripted"}},
    }
    run = arena.run(plain, output=tmp_path / "run").directory

    assert rows(run) == []
    assert summary(run).text == "There is no match of Diplomacy with talk."


@pytest.mark.slow
def test_sums_come_before_intervals(years: ModuleType, tmp_path: Path):
    """Matches that share their deals are one unit, and intervals rest on those units, of which a ratio needs ten."""
    plain = benchmark(years, schedule={"use": "fixed", "seatings": [list(AGENTS)], "repeats": 10})
    # without rules the script answers at random, in the form that was asked for
    plain["metrics"]["talk"]["backend"] = "scripted"
    run = arena.run(plain, output=tmp_path / "run", trust_code=True).directory
    found = counted(rows(run))
    england = [each for each in found if each.row.agent == "england"]
    estimate = measure(england, "Persp.", 0.95, 0)

    assert estimate.n == 10
    assert estimate.value == sum(e.counts.perspective for e in england) / sum(e.counts.messages for e in england)
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low < estimate.value < estimate.high


def test_a_rubric_needs_what_is_measured(tmp_path: Path):
    """A rubric of one's own has the dimensions that the measures are made of; what is missing is named."""
    text = (Path(negotiation.__file__).parent / "rubrics" / "diplomacy-negotiation.yaml").read_text()
    path = tmp_path / "mine.yaml"
    path.write_text(text.replace("  conditional:", "  iffy:"))

    with pytest.raises(ValueError, match="'dimensions' has no 'conditional' of 'talk'"):
        DiplomacyNegotiation(backend=Scripted(), rubric=str(path))
    with pytest.raises(ValueError, match="no 'aligned' of 'message'"):
        DiplomacyNegotiation(backend=Scripted(), rubric="theory-of-mind")


def quiet(years: ModuleType, backend: Any) -> dict[str, Any]:
    """A match of one year in which Italy writes one message and Turkey none."""
    plain = benchmark(years)
    plain["games"]["years"] |= {"hands": [["ITALY"], ["TURKEY"]], "negotiation_rounds": 1, "last_year": 1901}
    plain["schedule"] = {"use": "fixed", "seatings": [["italy", "france"]]}
    plain["metrics"]["talk"] = {"use": "diplomacy-negotiation", "tries": 1, "backend": backend}
    return plain


def test_who_wrote_nothing_has_no_measures(years: ModuleType, tmp_path: Path):
    """Silence is no score of 0: whoever wrote nothing stands in the table with dashes, and is not asked about."""
    run = arena.run(quiet(years, "scripted"), output=tmp_path / "run", trust_code=True).directory
    found = lines(summary(run), "Negotiation")

    assert found["france"][0] == 0
    assert [cell.value for cell in found["france"][1:]] == [None] * 6
    assert found["italy"][0] == 1
    assert [row.player for row in rows(run) if row.name == "asked"] == [0]


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_embedded_model_annotates(years: ModuleType, tmp_path: Path):
    """The embedded model is asked one question: its answer is counted, or its refusal is under its kind."""
    model = {"use": "llamacpp", "temperature": 0, "max-tokens": 300}
    run = arena.run(quiet(years, model), output=tmp_path / "run", trust_code=True).directory
    asked = [row for row in rows(run) if row.name == "asked"]

    assert len(asked) == 1
    assert {(bool(row.value), row.detail["kind"] == "") for row in asked} <= {(True, True), (False, False)}
    assert sum(each.counts.messages for each in counted(rows(run))) == sum(bool(row.value) for row in asked)
