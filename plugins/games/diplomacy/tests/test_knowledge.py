"""What is true of a position for a power, how reports of it are read, and how they are scored."""

import json
import re
from random import Random
from typing import Any

import pytest
from arena.record import canonical_json
from arena_game_diplomacy import POWERS, Position, adjudicate, legal_orders
from arena_game_diplomacy.knowledge.report_reading import plain_report, read_report
from arena_game_diplomacy.knowledge.reports import explanation, report_fault, report_schema
from arena_game_diplomacy.knowledge.truth import (
    FIELDS,
    MULTI_HOP,
    ONE_HOP,
    WORST_CASE,
    FieldScore,
    Situation,
    is_missing,
    pooled,
    random_report,
    scored,
    scored_at_random,
    true_report,
    truths,
)
from arena_game_diplomacy.rules.board import read_map
from jsonschema import Draft202012Validator

EVERY = (*FIELDS, WORST_CASE)
BOARD = read_map("standard")

WEST = Situation(
    Position.from_json(
        {
            "phase": "F1903M",
            "units": {
                "FRANCE": ["A PAR", "F BRE", "F SPA/SC"],
                "GERMANY": ["A BUR", "A MUN", "A RUH"],
                "ENGLAND": ["F ENG", "F NTH"],
            },
        }
    ),
    {"FRANCE": ["PAR", "BRE", "SPA", "MAR"], "GERMANY": ["BUR", "MUN", "RUH"], "ENGLAND": ["ENG", "NTH", "LON"]},
)
"""A position small enough to be answered by hand."""

ANSWERS: dict[str, Any] = {
    "location": ["BRE", "MAR", "PAR", "SPA"],
    "unit": ["A PAR", "F BRE", "F SPA"],
    "adjacent": {
        "BRE": ["ENG", "GAS", "MAO", "PIC"],
        "PAR": ["BRE", "BUR", "GAS", "PIC"],
        "SPA": ["LYO", "MAO", "MAR", "POR", "WES"],
    },
    "attackable": ["BUR", "ENG", "GAS", "LYO", "MAO", "MAR", "PIC", "POR", "WES"],
    "attack_analysis": {"BUR": 2, "ENG": 2, "GAS": 1, "LYO": 1, "MAO": 1, "MAR": 1, "PIC": 1, "POR": 1, "WES": 1},
    "worst_case": {"BUR": 4, "ENG": 3, "GAS": 1, "LYO": 1, "MAO": 1, "MAR": 1, "PIC": 1, "POR": 1, "WES": 1},
}


def crowded(rng: Random) -> Situation:
    """A position with twelve units of France and ten of others, drawn evenly among all provinces."""
    units: dict[str, list[str]] = {power: [] for power in POWERS}
    for number, name in enumerate(rng.sample(sorted(BOARD.provinces), 22)):
        kind = rng.choice({"inland": "A", "sea": "F", "coastal": "AF"}[BOARD.provinces[name].kind])
        coasts = BOARD.provinces[name].coasts
        place = f"{name}/{rng.choice(coasts)}" if kind == "F" and coasts else name
        units["FRANCE" if number < 12 else rng.choice(POWERS[3:])].append(f"{kind} {place}")
    return Situation(Position.from_json({"phase": "S1905M", "units": units}), {})


def test_truths_of_a_small_position():
    """All six fields, found by hand: places of fleets by their coast, own units in nobody's way, defenders counted."""
    assert true_report(WEST, ("FRANCE",), EVERY) == ANSWERS
    assert (ONE_HOP, MULTI_HOP) == (("location", "unit", "adjacent"), ("attackable", "attack_analysis"))


def test_powers_of_one_hand_are_one():
    """For a player who holds both, the units of either power are own ones: neither attackable nor defenders."""
    both = true_report(WEST, ("FRANCE", "GERMANY"), EVERY)

    assert "BUR" not in both["attackable"]
    assert {"A PAR", "A MUN"} < set(both["unit"])
    assert both["location"] == ["BRE", "BUR", "MAR", "MUN", "PAR", "RUH", "SPA"]
    assert both["worst_case"]["ENG"] == 3


@pytest.mark.parametrize("seed", range(5))
def test_adjacent_are_the_moves_that_are_legal_without_a_convoy(seed: int):
    """Where a unit may be ordered to go without ``VIA`` when nobody could convoy it is what is adjacent to it."""
    situation = crowded(Random(seed))
    position = situation.position
    found: set[str] = set()
    for unit in position.units["FRANCE"]:
        alone = Position.from_json({"phase": "S1901M", "units": {"FRANCE": [unit]}})
        for order in legal_orders(alone)["FRANCE"][unit]:
            if " - " in order:
                found.add(f"{unit[2:5]}-{order.rpartition(' - ')[2][:3]}")

    assert truths(situation, ("FRANCE",))["adjacent"] == found


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("field", ["attack_analysis", "worst_case"])
def test_so_many_units_succeed_and_fewer_fail(field: str):
    """The adjudicator agrees: with that many units the attack succeeds, with one less it does not.

    Everybody else holds, or in the worst case supports the unit under attack to hold.
    """
    tried = 0
    for seed in range(40):
        situation = crowded(Random(seed))
        units = situation.position.units
        (numbers,) = true_report(situation, ("FRANCE",), (field,)).values()
        for place, needed in numbers.items():
            own = [unit for unit in units["FRANCE"] if place in BOARD.reach[unit]]
            if len(own) < needed or (needed == 1 and place not in BOARD.army_borders):
                continue
            tried += needed > 1
            for count in {needed, max(needed - 1, 1)}:
                assert attack_succeeds(situation, place, own[:count], field) is (count == needed), (seed, place, count)
    assert tried > 20


def attack_succeeds(situation: Situation, place: str, own: list[str], field: str) -> bool:
    """Whether the first of these units gets to a place with the support of the others."""
    position = situation.position
    target = next(p for p in sorted(BOARD.moves[own[0]]) if BOARD.province_of[p] == place)
    orders = {power: [f"{unit} H" for unit in units] for power, units in position.units.items()}
    held = position.occupied.get(place)
    if field == "worst_case" and held is not None:
        for power in set(POWERS) - {"FRANCE"}:
            helpers = [unit for unit in position.units[power] if place in BOARD.reach[unit]]
            kept = [order for order in orders[power] if order[:-2] not in helpers]
            orders[power] = [*kept, *(f"{unit} S {held[1]}" for unit in helpers)]
    helping = [f"{unit} S {own[0]} - {place}" for unit in own[1:]]
    holding = [order for order in orders["FRANCE"] if order[:-2] not in own]
    orders["FRANCE"] = [f"{own[0]} - {target}", *helping, *holding]
    return f"{own[0][0]} {target}" in adjudicate(position, orders).units["FRANCE"]


@pytest.mark.parametrize(
    "report",
    [
        ANSWERS,
        {f"my_{field}": value for field, value in ANSWERS.items()},
        {
            "My Locations": "Brest, marseilles; Paris, spain",
            "units": ["army Paris", "Fleet in brest", "f spa(sc)"],
            "adjacent": [{place: others} for place, others in ANSWERS["adjacent"].items()],
            "attackable": dict.fromkeys(ANSWERS["attackable"], True) | {"BEL": False},
            "attack_analysis": [{place: number} for place, number in ANSWERS["attack_analysis"].items()],
            "worst-case": [[place, float(number)] for place, number in ANSWERS["worst_case"].items()],
        },
        {
            "location": {"FRANCE": ["bre", "Mar", "Par", "Spa/sc"]},
            "unit": {"armies": ["Paris"], "fleets": "Brest, Spain (south coast)"},
            "adjacent": [
                {"location": f"A {place}", "adjacent": others} for place, others in ANSWERS["adjacent"].items()
            ],
            "attackable": [{"place": place} for place in ANSWERS["attackable"]],
            "attack_analysis": "\n".join(f"{place}: {n} units" for place, n in ANSWERS["attack_analysis"].items()),
            "worst_case": [{"place": place, "units": f"{n}"} for place, n in ANSWERS["worst_case"].items()],
        },
        {
            "location": ANSWERS["location"],
            "unit": [{"type": "Army", "location": "PAR"}, {"BRE": "fleet"}, {"unit": "F SPA/SC"}],
            "adjacent": [[place, other] for place, others in ANSWERS["adjacent"].items() for other in others],
            "attackable": ANSWERS["attackable"] * 2,
            "attack_analysis": {place: {"units": n} for place, n in ANSWERS["attack_analysis"].items()},
            "worst_case": ANSWERS["worst_case"],
        },
        {
            **ANSWERS,
            "unit": ["PAR", "BRE", "SPA"],
            "adjacent": "\n".join(f"{place} -> {', '.join(others)}" for place, others in ANSWERS["adjacent"].items()),
        },
    ],
)
def test_right_reports_are_right_however_they_are_written(report: Any):
    """Full names, other cases, coasts, lists and objects: what says the same scores the same."""
    scores = scored(report, WEST, ("FRANCE",), EVERY)

    assert {field: score.f1 for field, score in scores.items()} == dict.fromkeys(EVERY, 1.0)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("location", ["PAR", "PAR", "BEL"], (1, 1, 3)),
        ("location", "nothing of mine", (0, 1, 4)),
        ("location", [None, 3, ["BRE"]], (1, 1, 3)),
        ("location", ["LIV"], (0, 1, 4)),
        ("unit", ["F PAR", "F BRE"], (1, 1, 2)),
        ("unit", ["PAR", "GAS"], (1, 1, 2)),
        ("unit", {"A": ["PAR", "BRE"]}, (1, 1, 2)),
        ("adjacent", {"PAR": ["BRE", "BUR", "MAR"]}, (2, 1, 11)),
        ("adjacent", {"nowhere": ["BRE", "BUR"]}, (0, 2, 13)),
        ("adjacent", ["PAR"], (0, 1, 13)),
        ("attackable", ["BUR", "BRE", "XYZ"], (1, 2, 8)),
        ("attack_analysis", {"BUR": 1, "ENG": 2}, (1, 1, 8)),
        ("attack_analysis", {"BUR": "many", "ENG": True, "GAS": 1.5, "PIC": 1e400}, (0, 4, 9)),
        ("attack_analysis", [["BUR", 2], ["BUR", 3]], (1, 1, 8)),
        ("worst_case", {"BUR": 4}, (1, 0, 8)),
    ],
)
def test_wrong_reports_are_counted(field: str, value: Any, expected: tuple[int, int, int]):
    """What is right, wrong and left out is counted; what cannot be read, or can mean two provinces, is wrong."""
    (score,) = scored({field: value}, WEST, ("FRANCE",), (field,)).values()

    assert (score.hits, score.extra, score.missing) == expected


def nested(depth: int) -> Any:
    value: Any = "PAR"
    for _ in range(depth):
        value = [value]
    return value


def wrapped(depth: int) -> Any:
    value: Any = "PAR"
    for _ in range(depth):
        value = {"place": value}
    return value


@pytest.mark.parametrize(
    "report",
    [
        None,
        7,
        "text",
        [],
        {},
        {"orders": {}},
        {field: nested(300) for field in EVERY},
        {field: wrapped(300) for field in EVERY},
        dict.fromkeys(EVERY, "�\x1b[2J" * 100),
        {field: {"": "", " ": [], "XYZ": {"": None}} for field in EVERY},
        {field: [[], {}, [{}], "", {"FRANCE": {"FRANCE": {"FRANCE": {"FRANCE": {"FRANCE": 1}}}}}] for field in EVERY},
        {field: float("nan") for field in EVERY},
    ],
)
def test_no_report_is_too_odd_to_be_scored(report: Any):
    """Whatever it is, a report is scored, and nothing of it is right by accident."""
    scores = scored(report, WEST, ("FRANCE",), EVERY)

    assert sum(score.hits for score in scores.values()) == 0
    assert {field: score.missing for field, score in scores.items()} == {
        field: len(items) for field, items in truths(WEST, ("FRANCE",), EVERY).items()
    }


@pytest.mark.parametrize(
    "report",
    [
        {"unit": ["? PAR", "nothing", "F PAR"], "location": 3, "adjacent": ["PAR", "PAR-BUR", "x-y-z", "SPA: LIV"]},
        {"attack_analysis": {"BUR": 2, "GAS": "many", "nowhere": 3}, "attackable": {"BUR": True}, "unit": "PAR"},
    ],
)
def test_a_report_in_plain_form_says_the_same(report: Any):
    """Put into the form of the schema, an answer is scored as before, its mistakes included."""
    plain = plain_report(report, EVERY, BOARD)

    Draft202012Validator(report_schema(EVERY)).validate(plain)
    assert report_fault(plain, EVERY) is None
    assert scored(plain, WEST, ("FRANCE",), EVERY) == scored(report, WEST, ("FRANCE",), EVERY)


def test_a_missing_report_leaves_everything_out():
    """What has no field is missing, and all truths are false negatives; an empty field is a report."""
    assert [is_missing(report) for report in (None, [], {}, {"orders": {}}, {"unit": []})] == [True] * 4 + [False]
    assert pooled(scored(None, WEST, ("FRANCE",))) == FieldScore(0, 0, 4 + 3 + 13 + 9 + 9)


def test_provinces_with_two_coasts_can_be_skipped_as_the_original_does():
    """What borders on the fleet in Spain then counts neither as right nor as left out; what borders on Spain does."""
    report = {"adjacent": {"SPA": ["LYO", "BUR"], "PAR": ["BRE"]}}

    assert scored(report, WEST, ("FRANCE",), ("adjacent",)) == {"adjacent": FieldScore(2, 1, 11)}
    assert scored(report, WEST, ("FRANCE",), ("adjacent",), skip_two_coasts=True) == {"adjacent": FieldScore(1, 0, 7)}


def test_f1_is_that_of_sums():
    """Scores of several reports are added before F1 is taken; without anything to say, or said, there is none."""
    assert FieldScore(3, 1, 2).f1 == pytest.approx(6 / 9)
    assert (FieldScore(1, 0, 0) + FieldScore(0, 2, 1)).f1 == pytest.approx(2 / 5)
    assert FieldScore().f1 is None


def test_schema_holds_the_truth_and_random_reports():
    """The right answer and random ones fit the schema of a report, which asks for all fields."""
    check = Draft202012Validator(report_schema(EVERY))

    check.validate(true_report(WEST, ("FRANCE",), EVERY))
    for seed in range(20):
        check.validate(random_report(WEST, ("FRANCE",), Random(seed), EVERY))
    assert not check.is_valid({field: [] for field in FIELDS})
    assert list(report_schema()["properties"]) == list(FIELDS)  # pyright: ignore[reportArgumentType, reportCallIssue]


def test_random_reports_have_as_many_entries_as_the_right_one():
    """They are as long as the truth in every field, so what they get right says what chance alone reaches."""
    sizes = {field: len(items) for field, items in truths(WEST, ("FRANCE",), EVERY).items()}
    total = FieldScore()
    for seed in range(200):
        report = random_report(WEST, ("FRANCE",), Random(seed), EVERY)
        assert {field: len(items) for field, items in read_report(report, BOARD).items()} == sizes
        total += pooled(scored(report, WEST, ("FRANCE",), ("attackable",)))

    assert total.f1 == pytest.approx(9 / 75, abs=0.03)


def test_random_reports_need_not_be_written_to_be_scored():
    """The short way gives what the report that is drawn from the same generator scores."""
    for seed in range(20):
        report = random_report(WEST, ("FRANCE",), Random(seed), EVERY)

        assert scored_at_random(Random(seed), WEST, ("FRANCE",), EVERY) == scored(report, WEST, ("FRANCE",), EVERY)


def test_random_reports_depend_on_their_generator_alone():
    """Equal seeds give equal reports, with their keys in the same order."""
    first, second = (random_report(WEST, ("FRANCE",), Random(3), EVERY) for _ in range(2))

    assert (
        canonical_json(first) == canonical_json(second) != canonical_json(random_report(WEST, ("FRANCE",), Random(4)))
    )


def test_each_field_is_explained_with_an_example_that_earns_nothing():
    """One line for each field, under the name that the schema has for it; who copies the example is wrong anywhere."""
    lines = explanation(EVERY).splitlines()
    examples = {line.split('"')[1]: json.loads(re.findall(r"such as (.*?[\]}])(?:;|$)", line)[0]) for line in lines}

    assert [line.split('"')[1] for line in lines] == list(EVERY)
    assert len(explanation().splitlines()) == len(FIELDS)
    assert report_fault(examples, EVERY) is None
    assert all(item.startswith("?!") for items in read_report(examples, BOARD).values() for item in items)
