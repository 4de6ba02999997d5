"""The game ``diplomacy-facts``: where positions come from, what is asked, and what an answer earns."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import FORFEITED, Illegal
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending, Player, canonical_json
from arena.testing import REFERENCE_GAME, check_game, play, playing
from arena_agent_baseline.uniform import Uniform
from arena_agent_llm.agent import LLM
from arena_backend_scripted.backend import Scripted
from arena_game_diplomacy import POWERS, Position
from arena_game_diplomacy.facts.positions import random_walk
from arena_game_diplomacy.facts.question_game import POSITIONS, DiplomacyFacts
from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.knowledge.truth import FIELDS, WORST_CASE, true_report

FRANCE = DiplomacyFacts(power="FRANCE", number=3)

NOTHING: Any = {"location": [], "unit": [], "adjacent": {}, "attackable": [], "attack_analysis": {}}


def question(game: DiplomacyFacts, seed: int = 0) -> Any:
    """The question of a match that begins with a seed."""
    state, _ = game.start(Chance(seed), 1)
    return state.question  # pyright: ignore[reportAttributeAccessIssue]


def right(game: DiplomacyFacts, seed: int = 0) -> dict[str, Any]:
    """The right answer in a match that begins with a seed."""
    asked = question(game, seed)
    return true_report(asked.situation, (asked.power,), asked.fields)


def verdict(record: Any) -> Any:
    """The data of the one event ``judged``."""
    (event,) = [event for event in record.events if event.kind == "judged"]
    return event.data


@pytest.mark.slow
def test_random_play_follows_the_rules():
    """It begins with the opening, goes from Spring to Fall to Spring, and knows who was last in each province."""
    walk = max((random_walk(number) for number in range(8)), key=len)

    assert walk[0].position == Position.opening()
    assert [s.position.phase for s in walk[:4]] == ["S1901M", "F1901M", "S1902M", "F1902M"]
    for earlier, later in pairwise(walk):
        for power, places in later.influence.items():
            standing = {unit[2:5] for unit in later.position.units[power]}
            assert standing <= set(places)
        before = {place for places in earlier.influence.values() for place in places}
        after = [place for places in later.influence.values() for place in places]
        assert before <= set(after)
        assert len(after) == len(set(after))


@pytest.mark.campaign
def test_positions_are_from_all_years():
    """Forty of them are from early, middle and late years, and nearly no two are the same."""
    last = [random_walk(number)[-1].position for number in range(40)]

    assert {(position.year - 1901) // 3 for position in last} == {0, 1, 2, 3}
    assert len({canonical_json(position.to_json()) for position in last}) > 35


@pytest.mark.campaign
def test_positions_are_the_same_everywhere():
    """Another process makes the same bytes; another seed makes another position."""
    program = (
        "from arena_game_diplomacy.facts.positions import random_walk\n"
        "from arena.record import canonical_json\n"
        "print(canonical_json(random_walk(5, 2)[-1].position.to_json()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == canonical_json(random_walk(5, 2)[-1].position.to_json()) + "\n"
    assert random_walk(5, 2) != random_walk(5, 3)


@pytest.mark.parametrize("field", ["all", *FIELDS, WORST_CASE])
def test_the_right_answer_earns_one(field: Any, tmp_path: Path):
    """Whatever is asked, the truth earns 1, and the event says that nothing was missed."""
    game = attrs.evolve(FRANCE, field=field)

    record = play(game, [playing(right(game))], tmp_path).over

    assert record.returns == (1.0,)
    assert list(verdict(record)["scores"]) == (list(FIELDS) if field == "all" else [field])
    assert all(score["extra"] == score["missing"] == 0 for score in verdict(record)["scores"].values())


def test_a_partly_right_answer_earns_f1(tmp_path: Path):
    """Return is F1 of what was said: twice the hits over all that was said and all that is true."""
    game = attrs.evolve(FRANCE, field="attackable")
    answer = right(game)["attackable"]

    record = play(game, [playing({"attackable": [*answer[1:], "no place"]})], tmp_path).over

    assert record.returns == pytest.approx((2 * (len(answer) - 1) / (2 * len(answer)),))
    assert verdict(record)["scores"]["attackable"] == {"hits": len(answer) - 1, "extra": 1, "missing": 1}
    assert verdict(record)["truth"] == {"attackable": answer}


def test_who_gives_no_answer_has_left_everything_out(tmp_path: Path):
    """A player who forfeits earns 0, and all that is true counts as left out."""
    silent = LLM(backend=Scripted(answers=("no idea",)), constrained=False)

    record = play(FRANCE, [silent], tmp_path, illegal_actions=IllegalActionPolicy(retries=0)).over

    assert (record.ending, record.returns) == (Ending.RULES, (0.0,))
    assert verdict(record)["report"] is None
    assert all(score["hits"] == score["extra"] == 0 for score in verdict(record)["scores"].values())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "the report: expected an object, got None"),
        ({}, "the report: 'location' is missing"),
        ({**right(FRANCE), "unit": "A PAR"}, "the report.unit: expected a list, got 'A PAR'"),
        ({**right(FRANCE), "adjacent": {"PAR": "BUR"}}, "the report.adjacent.'PAR': expected a list, got 'BUR'"),
        ({**right(FRANCE), "attack_analysis": {"PAR": 1.5}}, "expected a whole number, got 1.5"),
        ({**right(FRANCE), "why": "so"}, "the report: 'why' has no place there"),
    ],
)
def test_what_does_not_look_like_a_report_is_refused(answer: Any, reason: str):
    """A report has all fields in their form; the reason says what is not so."""
    state, _ = FRANCE.start(Chance(0), 1)

    found = state.check(Player(0), answer)

    assert isinstance(found, Illegal)
    assert reason in found.reason


def test_answers_are_read_into_the_form_of_a_report():
    """Other names and shapes become a report, and what is left out is empty; what says nothing stays as it is."""
    state, _ = FRANCE.start(Chance(0), 1)
    read = state.decision(Player(0)).interpret
    said = {"my_location": "Paris, Brest", "attack_analysis": [{"BUR": "2"}, ["PIC", 1], ["PIC", 2]], "why": "so"}
    empty: dict[str, Any] = {"unit": [], "adjacent": {}, "attackable": []}

    assert read(said) == {"location": ["BRE", "PAR"], **empty, "attack_analysis": {"BUR": 2, "PIC": 0}}
    assert read(right(FRANCE)) == right(FRANCE)
    assert [read(answer) for answer in (None, ["PAR"], {"orders": {}})] == [None, ["PAR"], {"orders": {}}]


def test_a_single_field_is_read_without_its_name():
    """Where one field is asked, a model may answer with what it holds."""
    state, _ = attrs.evolve(FRANCE, field="location").start(Chance(0), 1)
    read = state.decision(Player(0)).interpret

    assert read("paris") == read([["PAR"]]) == read({"Locations": ["PAR"]}) == {"location": ["PAR"]}
    assert read(["Paris"]) == {"location": ["Paris"]}
    assert read(None) is None


def test_a_model_answers_with_an_object(tmp_path: Path):
    """A model's JSON is the report, also where it writes names in full and wraps places in objects."""
    game = attrs.evolve(FRANCE, field="unit")
    units = [{"type": {"A": "army", "F": "fleet"}[u[0]], "location": u[2:]} for u in right(game)["unit"]]
    model = LLM(backend=Scripted(answers=(canonical_json({"action": {"units": units}}),)), constrained=False)

    assert play(game, [model], tmp_path).over.returns == (1.0,)


@pytest.mark.campaign
@pytest.mark.parametrize("every", [60, 10])
def test_chance_draws_what_is_left_open(every: int):
    """Position and power are drawn; what is given stays, and a power that is out is asked about when it was not."""
    drawn = [question(DiplomacyFacts(), seed) for seed in range(20)]

    assert len({asked.name for asked in drawn}) > 10
    assert len({asked.power for asked in drawn}) > 3
    assert all(asked.situation.position.units[asked.power] for asked in drawn)
    assert {question(DiplomacyFacts(power="ITALY"), seed).power for seed in range(5)} == {"ITALY"}
    assert {question(DiplomacyFacts(number=7), seed).name.partition(",")[0] for seed in range(5)} == {"position 8"}
    for number in range(0, POSITIONS, every):
        for power in POWERS:
            asked = question(DiplomacyFacts(number=number, power=power))
            assert asked.situation.position.units[power]


def test_the_question_holds_what_it_takes():
    """Units, influence and what is asked stand in the text; borders can be left out; the spectator sees the same."""
    state, _ = FRANCE.start(Chance(0), 1)
    text = FRANCE.forms["text"](state.observe(Player(0)))
    bare = attrs.evolve(FRANCE, borders=False)
    short = bare.forms["text"](bare.start(Chance(0), 1)[0].observe(None))

    assert isinstance(text, str)
    assert isinstance(short, str)
    for unit in state.observe(None)["units"]["FRANCE"]:  # pyright: ignore
        assert unit in text
        assert unit in short
    assert "You are FRANCE" in text
    assert "PAR: BRE, BUR, GAS, PIC" in text
    assert "PAR: BRE" not in short
    assert '"attack_analysis"' in short


def test_a_question_can_be_asked_without_an_answer():
    """A state can be copied before it is answered, and a forfeit in one leaves the other alone."""
    state, _ = FRANCE.start(Chance(0), 1)
    copy = state.clone()

    (event,) = copy.apply({Player(0): FORFEITED})

    assert (copy.to_act(), state.to_act()) == ((), (Player(0),))
    assert FRANCE.describe_event(event, None) == "F1 0.00"
    assert state.check(Player(0), NOTHING) is None


@pytest.mark.campaign
@pytest.mark.parametrize("playouts", [3, 16])
def test_keeps_the_contract_of_games(playouts):
    """Whatever is drawn, a question is a game like any other."""
    check_game(DiplomacyFacts(years=4), playouts=playouts)


def test_positions_of_a_journal_are_asked_about(tmp_path: Path):
    """The positions of a run's matches, with the influence that they recorded, take the place of random play."""
    first = play(DiplomacyFacts(number=2, power="TURKEY"), [playing(NOTHING)], tmp_path / "run").over
    game = DiplomacyFacts(journal=str(tmp_path / "run"), number=0, power="TURKEY")

    asked = question(game)

    assert asked.situation == question(DiplomacyFacts(number=2, power="TURKEY")).situation
    assert first.id in asked.name
    assert right(game) == right(DiplomacyFacts(number=2, power="TURKEY"))
    assert question(attrs.evolve(game, number=None)).situation == asked.situation


def test_a_match_is_a_journal_of_positions(tmp_path: Path):
    """Each Spring and Fall of a match can be asked about, with the influence that was recorded."""
    match = Diplomacy(hands=("FRANCE", ("ITALY", "TURKEY")), negotiation_rounds=0, last_year=1902)
    record = play(match, [Uniform(), Uniform()], tmp_path / "run").over
    journal = str(tmp_path / "run" / "journal.sqlite")

    asked = [question(DiplomacyFacts(journal=journal, number=n, power="ITALY")) for n in range(4)]

    phases = [each.situation.position.phase for each in asked]
    assert phases == ["S1901M", "F1901M", "S1902M", "F1902M"]
    assert [each.name for each in asked] == [f"position {n + 1}, {p} of {record.id}" for n, p in enumerate(phases)]
    before: dict[str, Any] = {}
    for data in (event.data for event in record.events if event.kind in ("start", "adjudicated")):
        following: Any = data.get("next") or data.get("position")  # pyright: ignore
        before[following["phase"]] = data["influence"]  # pyright: ignore
    assert [each.situation.influence["TURKEY"] for each in asked] == [tuple(before[p]["TURKEY"]) for p in phases]


def test_faulty_journals_are_named(tmp_path: Path):
    """A journal that is not there or none, one without Diplomacy, and a number beyond are said before anything runs."""
    play(DiplomacyFacts(number=2, power="TURKEY"), [playing(NOTHING)], tmp_path / "run")
    play(REFERENCE_GAME, [Uniform(), Uniform()], tmp_path / "other")
    (tmp_path / "text").write_text("no journal")

    for journal, problem in (
        ("nowhere", r"journal: .*nowhere: expected the folder of a run or its journal: No such file"),
        ("text", r"journal: .*"),
        ("other", r"journal: .*journal.sqlite: expected finished matches of the game diplomacy, found none"),
    ):
        with pytest.raises(ConfigError, match=problem):
            DiplomacyFacts(journal=str(tmp_path / journal))
    with pytest.raises(ConfigError, match="number: expected less than 1"):
        DiplomacyFacts(journal=str(tmp_path / "run"), number=1)
