"""The tables and figures of Diplomacy in the report ``spin-bench``, from small runs of its suites."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import arena
import pytest
from arena.record import Player
from arena.tables import Cell, Estimate, Section, Table
from arena_engine import Journal
from arena_metric_diplomacy.negotiation import RUBRIC
from arena_metric_judge import rubric
from arena_metric_judge.annotation import Annotation, append
from arena_report import Report, Screen, build
from arena_suite_spin_bench.report import SpinBenchReport
from arena_suite_spin_bench.scores import SpinBenchScores
from arena_suite_spin_bench.shipped_numbers import published

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("report-diplomacy"),  # one process: what all tests here share takes long to make
]

CIVIL_DISORDER = {"retries": 10, "then": "forfeit"}
TALK = '{"messages": [{"from": "%s", "to": ["%s"], "text": "If you leave ENG empty, I do."}], "strategy": "peace"}'
HOLD = '{"reasoning": "stay", "orders": {}}'


def speaker(own: str, other: str) -> dict[str, Any]:
    """A player who says one sentence in each round of talk, and holds."""
    rules = [{"when": "Trust is low", "say": TALK % (own, other)}, {"when": ".", "say": HOLD}]
    prompt = {"style": "spin-diplomacy-no-facts", "history": "none"}
    return {"use": "llm", "constrained": False, "backend": {"use": "scripted", "rules": rules}, "prompt": prompt}


def annotation_of(other: str) -> dict[str, Any]:
    """What the annotator says of all that such a player wrote in a phase."""
    proposal = {"to": other, "text": "leave ENG empty", "nature": "mutual", "words": "yes", "orders": "yes", "pact": []}
    return {
        "message 1": {"aligned": True, "perspective": False, "proposal": [proposal]},
        f"round 1, to {other}": {"tone": "promote"},
        "round 1": {"conditional": True},
    }


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A short version of each suite, with players that ask no model, and one talk that a script annotates."""
    place = tmp_path_factory.mktemp("runs")
    hands = {"negotiation-rounds": 0, "last-year": 1902, "use": "diplomacy"}
    talk = {"negotiation-rounds": 1, "last-year": 1901}
    four = [["RUSSIA"], ["AUSTRIA", "ENGLAND"], ["ITALY", "TURKEY"], ["FRANCE", "GERMANY"]]
    field = dict.fromkeys(("b", "c", "d"), "diplomacy-greedy")
    others = {"FRANCE": "ENGLAND", "ENGLAND": "FRANCE"}
    rules = [
        {"when": f"You annotate what {own} wrote", "say": json.dumps(annotation_of(other))}
        for own, other in others.items()
    ]
    found: dict[str, dict[str, Any]] = {
        "basic": {
            "games": {"basic": {**hands, "hands": [["FRANCE"]], "knowledge": "asked"}},
            "agents": {"mine": "diplomacy-greedy", "random": "random"},
            "schedule": "self-play",
        },
        "four": {
            "games": {
                "silent": {**hands, "hands": four},
                "talking": {**hands, "hands": four, "negotiation-rounds": 1},
            },
            "agents": {"mine": "diplomacy-greedy", **field},
            "schedule": {"use": "fixed", "seatings": [["mine", *field]]},
        },
        "ablation": {
            "games": {"ablation-report": {**hands, "hands": [["FRANCE"]]}},
            "agents": {"neither": "diplomacy-hold"},
            "schedule": "self-play",
        },
        "talk": {
            "games": {"talk": {**hands, "hands": [["FRANCE"], ["ENGLAND"]], **talk}},
            "agents": {"france": speaker("FRANCE", "ENGLAND"), "england": speaker("ENGLAND", "FRANCE")},
            "schedule": {"use": "fixed", "seatings": [["france", "england"]]},
            "metrics": {
                "annotated": {"use": "diplomacy-negotiation", "backend": {"use": "scripted", "rules": rules}},
            },
        },
    }
    made: dict[str, Path] = {}
    for name, plain in found.items():
        whole = {"name": name, "seed": 1, "metrics": [], "illegal-actions": CIVIL_DISORDER, **plain}
        made[name] = arena.run(whole, output=place / name).directory
    return made


def report_of(runs: Mapping[str, Path], metric: SpinBenchScores | None = None) -> Report:
    """The report of several runs together."""
    journals = [Journal.open(run) for run in runs.values()]
    try:
        if metric is None:
            return build(journals, wanted=SpinBenchReport.metrics)
        return build(journals, {"spin-bench": metric})
    finally:
        for journal in journals:
            journal.close()


@pytest.fixture(scope="module")
def report(runs: dict[str, Path]) -> Report:
    """The report of all runs."""
    return report_of(runs)


@pytest.fixture(scope="module")
def section(report: Report) -> Section:
    """The section of Diplomacy in the report of all runs."""
    return section_of(report)


def section_of(report: Report) -> Section:
    return next(section for section in report.sections if section.title == "SPIN-Bench: Diplomacy")


def table(section: Section, title: str) -> Table:
    return next(table for table in section.tables if table.title.startswith(title))


def rows(section: Section, title: str, row: str = "measured") -> dict[str, dict[str, Cell]]:
    """The rows of a kind, by agent, as cells by column."""
    found = table(section, title)
    names = [column.name for column in found.columns]
    return {str(cells[0]): dict(zip(names, cells, strict=True)) for cells in found.rows if cells[1] == row}


def value(cell: Cell) -> object:
    return cell.value if isinstance(cell, Estimate) else cell


def test_table_9_has_years_and_centres(section: Section):
    """Measured players, random and greedy play, and what the paper printed."""
    mine = rows(section, "Table 9")["mine"]

    assert value(mine["won"]) == 0
    assert mine["years to win"] is None
    assert 5 <= float(str(value(mine["centres"]))) <= 17
    assert rows(section, "Table 9", "reference").keys() == {"random play", "greedy play"}
    printed = rows(section, "Table 9", "published")
    assert len(printed) == 11
    assert (printed["GPT-4o"]["years to win"], printed["GPT-4o"]["centres"]) == (16, 19)
    assert printed["o1-mini"]["years to win"] is None


def test_table_10_shows_the_tested_seat_without_talk_and_with_it(section: Section):
    """One line for each agent that held Russia of four, numbers side by side; the field has no line."""
    measured = rows(section, "Table 10: orders")

    assert measured.keys() == {"4: mine"}
    assert isinstance(measured["4: mine"]["Move w/o"], Estimate)
    assert isinstance(measured["4: mine"]["Move with"], Estimate)
    counted = rows(section, "Table 10: moves")["4: mine"]
    assert 0 < int(str(counted["Move S w/o"])) <= int(str(counted["Move T w/o"]))
    assert value(measured["4: mine"]["Move w/o"]) == pytest.approx(
        int(str(counted["Move S w/o"])) / int(str(counted["Move T w/o"]))
    )


def test_published_supports_are_corrected(section: Section):
    """The doubled denominator is taken back where its numbers are printed, and shown beside it as printed."""
    rates, supports = (rows(section, f"Table 10: {name}", "published") for name in ("orders", "supports"))

    assert rates["2: o1"]["SS w/o"] == pytest.approx(21 / 23)
    assert rates["2: o1"]["SS with"] == 1.0
    assert rates["2: o1"]["SO w/o"] is None
    assert (supports["2: o1"]["SS T w/o"], supports["2: o1"]["SS printed w/o"]) == (23, 0.46)
    assert rates["4: DeepSeek-R1"]["SS w/o"] is None
    assert supports["4: DeepSeek-R1"]["SS printed w/o"] == 0.35
    assert len(rates) == 12 + 3


def test_what_the_original_would_print_is_shown_for_measured_rows(section: Section):
    """Its rate of own supports has twice their number and those of others below the line."""
    mine = rows(section, "Table 10: supports")["4: mine"]
    given, others = int(str(mine["SS T w/o"])), int(str(mine["SO T w/o"]))

    assert given > 0
    assert mine["SS printed w/o"] == pytest.approx(int(str(mine["SS S w/o"])) / (2 * given + others))


def test_the_papers_numbers_agree_with_its_rates():
    """All rates of Table 10 are those of the printed numbers, and the surplus of own supports is even."""
    for row in published("table-10"):
        for name, rate in zip(("move", "attack", "support-self", "support-others"), row["rates"], strict=True):
            succeeded, given = row[name]
            assert (succeeded / given if given else 0) == pytest.approx(rate, abs=0.0051)
        assert (row["support-self"][1] - row["support-others"][1]) % 2 == 0


def test_ablation_is_a_table_of_its_own(section: Section):
    """Its agents are in no other table of France alone."""
    measured = rows(section, "Appendix D.3")
    printed = [row for row in table(section, "Appendix D.3").rows if row[1] == "published"]

    assert {name: value(row["centres"]) for name, row in measured.items()} == {"neither": 3}
    assert [row[2:] for row in printed] == [
        ("yes", "yes", 1.0, 16, 19),
        ("no", "yes", 0.0, None, 17),
        ("no", "no", 0.0, None, 15),
    ]


def test_table_2_reads_what_another_metric_judged(section: Section):
    """Six measures of each agent, from the annotations of the run's own metric, whatever its entry is called."""
    measured = rows(section, "Table 2")

    assert measured.keys() == {"england", "france"}
    for row in measured.values():
        shown = {name: value(cell) for name, cell in row.items() if name not in ("agent", "row")}
        assert shown == {"AlignR": 1.0, "AcceptR": 1.0, "Mut:1S": None, "P:C": None, "Persp.": 0.0, "Cond.": 1.0}
    assert rows(section, "Table 2", "published")["o1"]["P:C"] == 9.26


def test_table_11_is_there_once_people_have_labelled(runs: dict[str, Path], tmp_path: Path, section: Section):
    """People's labels are held against the annotator's; the paper's agreement stands beside it."""
    asked, path = rubric.load(RUBRIC), tmp_path / "labels.jsonl"
    with Journal.open(runs["talk"]) as journal:
        (record,) = journal.records()
    scores = {
        label: {name: scored(name, each, asked) for name, each in own.items()}
        for label, own in annotation_of("ENGLAND").items()
    }
    scores["message 1"]["perspective"] = {"score": True, "justification": ""}
    who = {"run": "talk", "match": record.id, "player": Player(0), "turn": None, "annotator": "ann"}
    append(
        path,
        Annotation(**who, rubric=asked.name, version=asked.version, scores=scores, round="S1901M", party="FRANCE"),
    )

    made = section_of(report_of({"talk": runs["talk"]}, SpinBenchScores(labels=str(path))))

    found = {name: (value(row["agree"]), row["pairs"]) for name, row in rows(made, "Table 11").items()}
    assert found == {
        "Alignment with the strategy": (1.0, 1),
        "Perspective": (0.0, 1),
        "Nature of the proposal": (1.0, 1),
        "Peace or conflict": (1.0, 1),
        "Conditional plans": (1.0, 1),
        "Acceptance by words": (1.0, 1),
    }
    assert rows(made, "Table 11", "published")["Perspective"]["agree"] == pytest.approx(0.9104)
    assert "Table 11" in section.text.partition("Not measured:")[2]
    assert not any(table.title.startswith("Table 11") for table in section.tables)


def scored(name: str, given: Any, asked: rubric.Rubric) -> Any:
    """A score as a person's file has it."""
    if name == "proposal":
        return [{n: v if asked.dimensions[n].note else {"score": v, "justification": ""} for n, v in given[0].items()}]
    return {"score": given, "justification": ""}


def test_a_file_of_labels_that_is_not_there_is_named(runs: dict[str, Path]):
    """The report says which file is missing and what writes one."""
    metric = SpinBenchScores(labels="nowhere.jsonl")

    made = report_of({"talk": runs["talk"]}, metric)

    told = "nowhere.jsonl: there is no such file; `arena annotate RUN` writes one"
    assert any(told in each for each in made.failures)


def test_figure_4_has_five_fields_one_hop_and_multi_hop_apart(section: Section):
    """F1 by agent, with random answers and the truth beside it, as figures and as a table."""
    figures = {figure.title: figure for figure in section.figures if figure.title.startswith("Figure 4")}

    assert {title: figure.x for title, figure in figures.items()} == {
        "Figure 4: knowledge, one-hop": ("location", "unit", "adjacent"),
        "Figure 4: knowledge, multi-hop": ("attackable", "attack_analysis"),
    }
    assert all("mine" in figure.series for figure in figures.values())
    assert len([table for table in section.tables if table.title.startswith("Figure 4")]) == 2


def test_centres_by_year_are_curves(section: Section):
    """Each game of the suites has its own, with every player and the references."""
    curves = {figure.title: figure for figure in section.figures if figure.y_title == "centres"}

    assert curves.keys() == {f"{game}: centres by year" for game in ("basic", "silent", "talking", "ablation-report")}
    assert curves["basic: centres by year"].x == (1901.0, 1902.0)


def test_tables_fit_eighty_columns(report: Report):
    """Every table of Diplomacy is laid out for a terminal, and what was not played is named."""
    shown = SpinBenchReport().text(report, Screen(width=80, is_brief=True))

    start = shown.index("SPIN-Bench: Diplomacy")
    assert max(map(len, shown[start:].split("More with --full")[0].splitlines())) <= 80


def test_a_directory_has_the_last_map_of_each_match(runs: dict[str, Path], tmp_path: Path):
    """Beside tables and figures stands each match's last board as SVG."""
    with Journal.open(runs["ablation"]) as journal:
        made = build([journal], wanted=SpinBenchReport.metrics, boards=True)
    SpinBenchReport().write(made, tmp_path / "made")

    (board,) = (tmp_path / "made").glob("last-board-*.svg")
    assert "1902" in board.read_text(encoding="utf-8")
