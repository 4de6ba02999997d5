"""Problems are read from files, and their mistakes are named."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from arena.errors import ConfigError
from arena_game_tradecraft.loading import load
from arena_game_tradecraft.problem import Problem, load_problems, parse_problems, write_problem
from jsonschema import Draft202012Validator

SCHEMA = Draft202012Validator(
    json.loads(files("arena_game_tradecraft").joinpath("schemas", "problem.json").read_text("utf-8"))
)
ONE = {"hands": [{"minecraft:stick": 2}, {"coal": 1}], "targets": ["torch", {"torch": 4}]}


def test_one_or_a_list_of_them():
    """A file holds one problem or several; a target may be the name of one item, names lose the game's namespace."""
    (one,) = parse_problems("x", json.dumps(ONE))

    assert one == Problem(({"stick": 2}, {"coal": 1}), ({"torch": 1}, {"torch": 4}))
    assert parse_problems("x", json.dumps([ONE, {**ONE, "max_turn": 4}]))[1].max_turn == 4
    assert SCHEMA.is_valid(ONE)
    assert SCHEMA.is_valid([ONE, ONE])


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
    with pytest.raises(ConfigError, match="expected a number from 1 to 2 after '#', got '3'"):
        load_problems(f"{file}#3")


BROKEN = {
    "hands[1].coal: expected a whole number of at least 1, got 0": ONE | {"hands": [{}, {"coal": 0}]},
    "hands[0].stick: expected a whole number of at least 1, got '1/2'": ONE | {"hands": [{"stick": "1/2"}, {}]},
    "'targets' is missing": {"hands": []},
    "turns: unknown key (there is: hands, targets, max_turn)": ONE | {"turns": 3},
    "max_turn: expected a whole number of at least 1, got 0": ONE | {"max_turn": 0},
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


@pytest.mark.parametrize("problem", [p for p in BROKEN if "as many" not in p])
def test_schema_refuses_what_the_validator_refuses(problem: str):
    """What is wrong is wrong by the schema as well; only that lists are equally long it cannot say."""
    assert not SCHEMA.is_valid(BROKEN[problem])


def test_an_empty_list_is_refused():
    """A file without a problem is a mistake."""
    with pytest.raises(ConfigError, match="expected at least one problem"):
        parse_problems("mine.json", "[]")
