"""Problems are read from files, and their mistakes are named."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from arena.errors import ConfigError
from arena_engine import build_benchmark
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import (
    BANDS,
    Difficulty,
    Problem,
    level_of,
    load_problems,
    parse_problems,
    write_problem,
)
from arena_game_tradecraft.rules.loading import load
from jsonschema import Draft202012Validator

SCHEMA = Draft202012Validator(
    json.loads(files("arena_game_tradecraft").joinpath("schemas", "problem.json").read_text("utf-8"))
)
ONE = {"hands": [{"minecraft:stick": 2}, {"coal": 1}], "targets": ["torch", {"torch": 4}]}
UNPROVED = {"chain": [2, "unknown"], "trades": [1, 2], "kinds": [1, 1], "jointly": "unknown"}


def graded(**more: Any) -> dict[str, Any]:
    """``ONE`` with what is proved of it, in part as the test says."""
    return ONE | {"difficulty": {"chain": [2, 2], "trades": [2, 1], "kinds": [2, 1], "jointly": True} | more}


def easy(**more: Any) -> dict[str, Any]:
    """``ONE``, and an easier level."""
    return graded(trades=[1, 1], **more)


def test_one_or_a_list_of_them():
    """A file holds one problem or several; a target may be the name of one item, names lose the game's namespace."""
    (one,) = parse_problems("x", json.dumps(ONE))

    assert one == Problem(({"stick": 2}, {"coal": 1}), ({"torch": 1}, {"torch": 4}))
    assert parse_problems("x", json.dumps([ONE, {**ONE, "max_turn": 4}]))[1].max_turn == 4
    assert SCHEMA.is_valid(ONE)
    assert SCHEMA.is_valid([ONE, ONE])


def test_what_is_proved_is_read_and_written():
    """A problem is written as it was read, with what is proved of it."""
    text = json.dumps([graded(jointly=False), ONE | {"difficulty": UNPROVED}])
    problems = parse_problems("x", text)

    assert problems[0].difficulty == Difficulty((2, 2), (2, 1), (2, 1), jointly=False)
    written = [write_problem(problem) for problem in problems]
    SCHEMA.validate(written)
    assert parse_problems("x", json.dumps(written)) == problems
    assert written[1]["difficulty"] == UNPROVED


@pytest.mark.parametrize("name", ["paper", "workshop"])
def test_what_is_shipped_can_be_played(name: str):
    """Every shipped problem fits the schema and its rule set, and is written again as it was read."""
    problems = load_problems(name)
    rules = load({"paper": "minecraft"}.get(name, name))

    assert [problem.faults(rules) for problem in problems] == [[]] * len(problems)
    written = [write_problem(problem) for problem in problems]
    SCHEMA.validate(written)
    assert parse_problems("x", json.dumps(written)) == problems


def test_problems_of_the_papers_experiments():
    """The five problems of the experiments share their hands and differ in their targets."""
    problems = load_problems("paper")

    assert len(problems) == 5
    assert len({json.dumps(problem.hands) for problem in problems}) == 1
    assert [[next(iter(t)) for t in problem.targets] for problem in problems] == [
        ["shears", "torch"],
        ["bucket", "stone_shovel"],
        ["bucket", "lever"],
        ["chain", "stone_shovel"],
        ["chain", "lever"],
    ]


def test_one_is_picked_by_its_number(tmp_path: Path):
    """A number after ``#`` picks one, counted from 1, also of one's own file."""
    file = tmp_path / "mine.json"
    file.write_text(json.dumps([ONE, {**ONE, "max_turn": 4}]), "utf-8")

    assert load_problems(f"{file}#2")[0].max_turn == 4
    assert load_problems("paper#3") == load_problems("paper")[2:3]
    with pytest.raises(ConfigError, match="from 1 to 2, 'easy', 'medium', 'hard' or 'jointly' after '#', got '3'"):
        load_problems(f"{file}#3")


def test_some_are_picked_by_what_is_proved_of_them(tmp_path: Path):
    """A level or ``jointly`` after ``#`` picks what is proved to be so, and several words what is all of it."""
    file = tmp_path / "mine.json"
    written = [graded(), easy(jointly=False), easy(jointly="unknown"), easy(), ONE, ONE | {"difficulty": UNPROVED}]
    file.write_text(json.dumps(written), "utf-8")
    problems = load_problems(str(file))

    assert load_problems(f"{file}#medium") == problems[:1]
    assert load_problems(f"{file}#easy") == problems[1:4]
    assert load_problems(f"{file}#jointly") == (problems[0], problems[3])
    assert load_problems(f"{file}#easy+jointly") == load_problems(f"{file}#jointly+4") == problems[3:4]
    with pytest.raises(ConfigError, match=r"mine.json#hard\+jointly: none of 6 problems is hard and jointly"):
        load_problems(f"{file}#hard+jointly")
    with pytest.raises(ConfigError, match="after '#', got 'simple'"):
        load_problems(f"{file}#easy+simple")


def test_a_problem_is_as_hard_as_its_hardest_target():
    """A score is the chain times the trades, of which none counts as one; what is not proved has no number."""
    graded = Difficulty((2, 3), (0, 3), (0, 4), jointly=True)

    assert [graded.score(player) for player in range(2)] == [2, 9]
    assert (graded.hardest, graded.level) == (9, "hard")
    assert Difficulty((3, 2), (1, 2), (1, 2), jointly=True).level == "medium"
    assert Difficulty((3, 2), (1, 1), (1, 1), jointly=False).level == "easy"
    assert Difficulty((3, 9), (1, "unknown"), (1, 2), jointly="unknown").level == "unknown"
    assert Difficulty((3, "impossible"), ("unknown",) * 2, (1, 2), jointly=False).level == "impossible"


def test_bands_have_no_gaps():
    """Every score lies in just one band."""
    spans = list(BANDS.values())

    assert spans[0][0] == 0
    assert spans[-1][1] is None
    assert [first for first, _ in spans[1:]] == [last + 1 for _, last in spans[:-1] if last is not None]
    assert [level_of(score) for score in (0, 3, 4, 8, 9, 99)] == ["easy", "easy", "medium", "medium", "hard", "hard"]


def test_what_is_proved_can_stand_in_a_benchmark():
    """A problem that is written into a benchmark file may carry what is proved of it."""
    written = {"hands": [{"stick": 2}, {"coal": 1}], "targets": [{"torch": 1}, {"torch": 4}]} | {"difficulty": UNPROVED}
    game = {"use": "tradecraft", "ruleset": "workshop", "problems": [written]}

    agents = {"one": "random", "other": "random"}

    made = build_benchmark({"games": {"tc": game}, "agents": agents}).games["tc"].game

    assert isinstance(made, TradeCraft)
    assert made.pool[0].difficulty == Difficulty((2, "unknown"), (1, 2), (1, 1), jointly="unknown")


BROKEN = {
    "expected at least one hand": {"hands": [], "targets": []},
    "hands[0].minecraft:coal: 'coal' stands twice in one table": ONE
    | {"hands": [{"coal": 1, "minecraft:coal": 2}, {}]},
    "hands[1].coal: expected a whole number of at least 1, got 0": ONE | {"hands": [{}, {"coal": 0}]},
    "hands[0].stick: expected a whole number of at least 1, got '1/2'": ONE | {"hands": [{"stick": "1/2"}, {}]},
    "'targets' is missing": {"hands": []},
    "turns: unknown key (there is: hands, targets, max_turn, difficulty)": ONE | {"turns": 3},
    "max_turn: expected a whole number of at least 1, got 0": ONE | {"max_turn": 0},
    "difficulty: 'kinds' is missing": ONE | {"difficulty": {"chain": [1, 1], "trades": [1, 1], "jointly": True}},
    "difficulty.chain[1]: expected a whole number of at least 0, got 1/2": graded(chain=[1, 0.5]),
    "difficulty.trades[0]: expected a whole number of at least 0, 'unknown' or 'impossible', got 'some'": graded(
        trades=["some", 1]
    ),
    "difficulty: jointly: expected true, false or 'unknown', got 1": graded(jointly=1),
    "difficulty.hard: unknown key (there is: chain, trades, kinds, jointly)": graded(hard=True),
    "difficulty: expected one number a player in chain, trades and kinds alike, got 2, 1 and 2": graded(trades=[1]),
    "difficulty: expected numbers for 2 players, got them for 1": ONE
    | {"difficulty": {"chain": [1], "trades": [1], "kinds": [1], "jointly": True}},
    "every player needs a target": ONE | {"targets": ["torch", {}]},
    "expected as many targets as hands, got 1 and 2": ONE | {"targets": ["torch"]},
}


@pytest.mark.parametrize("problem", BROKEN)
def test_mistakes_are_named_by_path(problem: str):
    """Each mistake is named with its path, in a list with its place."""
    with pytest.raises(ConfigError) as caught:
        parse_problems("mine.json", json.dumps(BROKEN[problem]))
    with pytest.raises(ConfigError) as listed:
        parse_problems("mine.json", json.dumps([ONE, BROKEN[problem]]))

    assert caught.value.problems == (f"mine.json: {problem}",)
    assert listed.value.problems[0].startswith("mine.json: [1]")
    assert listed.value.problems[0].endswith(problem.partition(": ")[2])


LENGTHS = ("twice", "as many", "alike", "numbers for")


@pytest.mark.parametrize("problem", [p for p in BROKEN if not any(w in p for w in LENGTHS)])
def test_schema_refuses_what_the_validator_refuses(problem: str):
    """What is wrong is wrong by the schema as well; but not of lengths and names that must agree."""
    assert not SCHEMA.is_valid(BROKEN[problem])


def test_nothing_that_stands_twice_is_lost():
    """A key that stands twice in one table is refused, since one of the two would be lost."""
    with pytest.raises(ConfigError, match="this is not JSON: the key 'coal' stands twice in one table"):
        parse_problems("mine.json", '{"hands": [{"coal": 1, "coal": 2}], "targets": ["torch"]}')


def test_unknown_items_and_targets_out_of_reach_are_named():
    """Items that the rules do not have are named with what is meant, and targets that nothing held leads to."""
    rules = load("workshop")
    strange, beyond = (Problem(({"stick": 2}, {item: 1}), ({"torch": 1}, {"torch": 4})) for item in ("coall", "sand"))

    assert strange.faults(rules) == ["hands[1]: 'coall' is no item of the rule set 'workshop' (did you mean 'coal'?)"]
    assert Problem(({"xyzzy": 1},), ({"torch": 1},)).faults(rules)[0].endswith("of the rule set 'workshop'")
    assert [fault.partition(":")[0] for fault in beyond.faults(rules)] == ["targets[0]", "targets[1]"]
    assert beyond.faults(rules)[0] == "targets[0]: 'torch' cannot be made from what the players hold"


def test_an_empty_list_is_refused():
    """A file without a problem is a mistake."""
    with pytest.raises(ConfigError, match="expected at least one problem"):
        parse_problems("mine.json", "[]")
