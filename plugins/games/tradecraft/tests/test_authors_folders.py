"""Folders of the shape that TradeCraft's authors published are read as they are; the files here are our own."""

import json
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest
from arena.errors import ConfigError, InputWarning
from arena_cli.application.group import group
from arena_game_tradecraft.commands.importing import import_pack
from arena_game_tradecraft.commands.problems_command import tradecraft_problems
from arena_game_tradecraft.commands.rules_command import tradecraft_rules
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import load_problems
from arena_game_tradecraft.rules.loading import load
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

FUEL = {
    "values": [
        "#minecraft:coals",
        {"value": "minecraft:kelp_brick", "count": 0.4},
        {"value": "minecraft:hot_rod", "count": 0.666666667},
        {"value": "minecraft:locked_box", "count": 5.333333333},
        {"value": "#minecraft:hives", "count": 5.333333},
        {"value": "minecraft:rug", "count": 23.88059701},
        {"id": "minecraft:log_block", "count": 0.1},
        {"value": "minecraft:locked_box", "count": 1.333333},
    ]
}
"""A tag of fuels with ``value`` and decimals, which names one item twice with different counts."""

CRAFTS = {
    "tags/items/fuel.json": FUEL,
    "tags/items/coals.json": {"values": ["minecraft:coal"]},
    "tags/items/hatches.json": {"values": ["minecraft:hatch"]},
    "tags/blocks/hives.json": {"values": ["minecraft:hive", "minecraft:nest"]},
    "tags/blocks/hatches.json": {"values": ["minecraft:wall_hatch"]},
    "tags/blocks/unnamed.json": {"values": ["minecraft:air", "#minecraft:nowhere"]},
    "tags/_custom/gold_crafts.json": {"values": ["minecraft:gold_spoon", "minecraft:gold_fork"]},
    "tags/_temp_tags/0a1b.json": {"values": ["minecraft:left_over"]},
    "recipes/gold_nugget.json": {
        "type": "minecraft:smelting",
        "ingredient": {"tag": "minecraft:gold_crafts"},
        "result": "minecraft:gold_nugget",
        "cookingtime": 200,
    },
    "recipes/roof.json": {
        "type": "minecraft:crafting_shaped",
        "pattern": ["HH"],
        "key": {"H": {"tag": "minecraft:hatches"}},
        "result": {"item": "minecraft:roof"},
    },
    "temp_data/recipe_out.json": ["something else"],
}
"""A rule folder: fuels, tags of items, of blocks and of one's own, and what a run of the original leaves behind."""

ELEMENTS = ("air", "fire", "water")
COMBINED = {
    "steam": ("fire", "water"),
    "mist": ("air", "steam"),
    "fire": ("mist", "mist"),
    "cloud": ("air", "mist"),
    "fog": ("air", "mist"),
    "dream": ("dream", "fog"),
}
"""What two things make; an element among them, one pair that makes two things, and one thing that needs itself."""


def write_folder(root: Path, contents: Mapping[str, object]) -> Path:
    """Files below ``root``, as JSON."""
    for path, content in contents.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content), "utf-8")
    return root


def combined(kind: str = "shapes:crafting_shaped") -> dict[str, object]:
    """Recipes of two things in a namespace of their own, a file each."""
    return {
        f"recipes/{made}_from_{one}_{other}.json": {
            "type": kind,
            "category": "misc",
            "pattern": ["XY"] if one != other else ["XX"],
            "key": {"X": {"item": f"shapes:{one}"}} | ({"Y": {"item": f"shapes:{other}"}} if one != other else {}),
            "result": {"item": f"shapes:{made}"},
            "show_notification": True,
        }
        for made, (one, other) in COMBINED.items()
    }


def rules_said(*words: str) -> Result:
    """What ``tradecraft-rules`` says."""
    return CliRunner().invoke(tradecraft_rules, words, catch_exceptions=False)


def test_fuels_are_read_with_value_and_decimals(tmp_path: Path):
    """An entry may say ``value`` or ``id``, and a decimal count is the nearest fraction of at most 500 parts."""
    fuel = import_pack(write_folder(tmp_path / "crafts", CRAFTS)).rules.tags["#fuel"]

    assert fuel == {
        "coal": 1,
        "hive": Fraction(16, 3),
        "hot_rod": Fraction(2, 3),
        "kelp_brick": Fraction(2, 5),
        "locked_box": Fraction(16, 3),
        "log_block": Fraction(1, 10),
        "nest": Fraction(16, 3),
        "rug": Fraction(1600, 67),
    }


def test_a_fraction_written_as_text_is_exact(tmp_path: Path):
    """A count as text is exactly what it says, however fine."""
    files = CRAFTS | {"tags/items/fuel.json": {"values": [{"value": "coal", "count": "1001/1000"}]}}

    assert import_pack(write_folder(tmp_path / "crafts", files)).rules.tags["#fuel"] == {"coal": Fraction(1001, 1000)}


def test_an_item_with_two_counts_is_a_warning(tmp_path: Path):
    """Where a tag names an item twice with different counts, the first one is taken, and both are named."""
    crafts = write_folder(tmp_path / "crafts", CRAFTS)
    note = "tags/items/fuel.json: values[7]: 'locked_box' is there twice, with the counts 16/3 and 4/3; the first one"

    said = rules_said(str(crafts))

    assert f"warning: {note}" in " ".join(said.stderr.split())
    for _ in ("read", "kept"):
        with pytest.warns(InputWarning, match=r"'locked_box' is there twice, with the counts 16/3 and 4/3"):
            load(crafts, cache=tmp_path / "cache")


def test_each_game_of_a_folder_tells_what_could_be_read_in_two_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A second game of the same folder, whose rules are in memory and in the cache, warns like the first one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    crafts = write_folder(tmp_path / "crafts", CRAFTS)
    (tmp_path / "problems.json").write_text(json.dumps([{"hands": [{"coal": 1}] * 2, "targets": [{"coal": 1}] * 2}]))

    for _ in ("first", "second"):
        with pytest.warns(InputWarning, match=r"'locked_box' is there twice"):
            TradeCraft(ruleset=str(crafts), problems=str(tmp_path / "problems.json"))


def test_tags_of_blocks_count_where_something_names_them(tmp_path: Path):
    """Tags of blocks and custom ones are read where they are named, and tags of items come first."""
    rules = import_pack(write_folder(tmp_path / "crafts", CRAFTS)).rules

    assert set(rules.tags) == {"#coals", "#fuel", "#gold_crafts", "#hatches", "#hives"}
    assert set(rules.tags["#hatches"]) == {"hatch"}
    assert not {"air", "wall_hatch", "left_over"} & rules.item_set


def test_the_schema_of_tags_accepts_the_fuels():
    """The schema of tags knows ``value``, and asks for one of the two names."""
    schema = files("arena_game_tradecraft") / "schemas" / "tag.json"
    validator = Draft202012Validator(json.loads(schema.read_text("utf-8")))

    assert validator.is_valid(FUEL)
    assert not validator.is_valid({"values": [{"count": 2}]})


def test_an_entry_without_a_name_is_named(tmp_path: Path):
    """An entry that names nothing is a mistake with its file and place, and with what was expected."""
    files = CRAFTS | {"tags/items/coals.json": {"values": [{"count": 2}]}}

    with pytest.raises(ConfigError) as caught:
        import_pack(write_folder(tmp_path / "crafts", files))

    expected = "tags/items/coals.json: values[0]: expected a name, or a table with 'id' or 'value', got {'count': 2}"
    assert caught.value.problems[0] == expected


def test_types_of_any_namespace_are_read(tmp_path: Path):
    """The type of a recipe is known whatever its namespace is."""
    folder = write_folder(tmp_path / "shapes", combined())

    rules = import_pack(folder).rules

    assert {recipe.kind for recipe in rules.recipes} == {"crafting_shaped"}
    assert "shapes:steam" in rules.makes


def test_elements_can_be_named(tmp_path: Path):
    """``--elements`` says what all else follows from, also where recipes make an element."""
    folder = write_folder(tmp_path / "shapes", combined())

    plain = rules_said(str(folder)).stdout
    named = rules_said(str(folder), "--elements", ",".join(ELEMENTS)).stdout

    assert "8 items (2 that nothing makes, 6 that something does)" in plain
    assert "6 recipes, 0 tags" in plain
    assert "5 different sets of what goes in" in plain
    assert "2 items follow from those that nothing makes, in up to 0 steps" in plain
    assert "7 items follow from the 3 elements, in up to 3 steps" in named


def test_elements_that_are_not_there_are_named(tmp_path: Path):
    """An element that is none of the items is a mistake, with what was expected."""
    folder = write_folder(tmp_path / "shapes", combined())

    with pytest.raises(ConfigError, match=r"--elements: .* got 'aether': there is none in shapes"):
        rules_said(str(folder), "--elements", "air,aether")
    with pytest.raises(ConfigError, match="--elements: expected names of items with commas between them, got ','"):
        rules_said(str(folder), "--elements", ",")


def test_many_equal_mistakes_are_one_line(tmp_path: Path):
    """More than twenty mistakes that differ in their place alone are one line with their number; twenty are not."""
    wrong = {f"recipes/wrong_{n:03}.json": {"type": "shapes:squeezing"} for n in range(300)}
    few = {f"recipes/few_{n:03}.json": {"type": "shapes:crafting_shaped", "key": {"X": "a"}} for n in range(20)}

    with pytest.raises(ConfigError) as caught:
        import_pack(write_folder(tmp_path / "shapes", wrong | few))

    (one,) = [problem for problem in caught.value.problems if "squeezing" in problem]
    assert one == "recipes/wrong_000.json: type: unknown type 'shapes:squeezing' (and 299 more of this kind)"
    assert sum("'pattern' is missing" in problem for problem in caught.value.problems) == 20


def problem(second: Mapping[str, int], target: str) -> dict[str, object]:
    """A problem of two, written with the namespace and without anything that is proved of it."""
    return {
        "hands": [{"minecraft:oak_log": 3, "minecraft:coal": 2}, {f"minecraft:{k}": n for k, n in second.items()}],
        "targets": [{"minecraft:torch": 1}, {f"minecraft:{target}": 1}],
    }


@pytest.fixture
def task(tmp_path: Path) -> str:
    """A file of three problems, of which the second asks for something that nobody can make."""
    written = [problem({"flint": 1}, "stick"), problem({"flint": 3}, "arrow"), problem({"cobblestone": 3}, "lever")]
    folder = write_folder(tmp_path, {"1p_v_1p/game_task.json": written})
    return str(folder / "1p_v_1p" / "game_task.json")


def test_a_problem_that_cannot_be_won_is_left_out_of_draws(task: str):
    """A set with a target out of reach is played without that problem, and the number is said."""
    with pytest.warns(InputWarning, match=r"1 of 3 problems has a target out of reach .*: problems\[1\].targets\[1\]"):
        game = TradeCraft(problems=task)

    assert [list(problem.targets[1]) for problem in game.pool] == [["stick"], ["lever"]]
    with pytest.raises(ConfigError, match=r"problems\[0\].targets\[1\]: 'arrow' cannot be made from what the players"):
        TradeCraft(problems=f"{task}#2")


def test_a_problem_that_cannot_be_won_is_graded_and_marked(task: str, tmp_path: Path):
    """``--grade`` and ``--show`` have a row for each problem, and mark what is out of reach."""
    graded = tmp_path / "graded.json"

    said = CliRunner().invoke(tradecraft_problems, ["--grade", task, "-o", str(graded)], catch_exceptions=False)
    shown = CliRunner().invoke(tradecraft_problems, ["--show", task], catch_exceptions=False)

    assert "2 easy, 1 impossible" in said.stdout
    for each in (said, shown):
        rows = [line for line in each.stdout.splitlines() if line[:2].strip().isdigit() and " | " in line]
        assert ["impossible" in row for row in rows] == [False, True, False]
        assert "1 of 3 problems has a target out of reach" in " ".join(each.stdout.split())
    with pytest.warns(InputWarning, match=r"1 torch|1 arrow is proved to be out of reach"):
        assert len(TradeCraft(problems=str(graded)).pool) == 2


def test_a_folder_of_folders_names_those_that_have_rules(tmp_path: Path):
    """Who names the folder around the rule sets is told which rule sets it holds."""
    for name in ("crafts", "shapes"):
        write_folder(tmp_path / "rule_sets" / name, CRAFTS if name == "crafts" else combined())

    with pytest.raises(ConfigError, match="rule_sets: there is no recipe; name a folder in it: crafts, shapes"):
        import_pack(tmp_path / "rule_sets")


def test_a_folder_of_problems_names_a_file_in_it(task: str):
    """Who names the folder of a mode is told which file to name."""
    folder = str(Path(task).parent)

    with pytest.raises(ConfigError) as caught:
        load_problems(folder)

    assert caught.value.problems == (
        f"{folder}: expected a file of problems, got a folder; name a file in it, like '{task}'",
    )


def test_a_file_of_problems_is_no_rule_set(task: str):
    """Who names problems where rules are expected is told what was expected."""
    with pytest.raises(ConfigError, match=r"game_task.json: expected rules in one table with 'format', .*, got \["):
        load(task)


@pytest.mark.campaign
def test_the_command_line_says_a_warning_in_one_line(task: str, tmp_path: Path):
    """A run with a problem that is left out says so once, without the place in the code."""
    words = ["run", "--game", "tradecraft", "--set", f"games.tradecraft.problems={task}", "-n", "1", "-q"]
    words += ["--set", "games.tradecraft.max-turns=1", "--agent", "random", "--agent", "random"]

    done = CliRunner().invoke(group, [*words, "-o", str(tmp_path / "run")], prog_name="arena")

    assert done.exit_code == 0, done.output
    said = " ".join(done.stderr.split())
    assert said.startswith("warning: 1 of 3 problems has a target out of reach and is left out of draws: problems[1]")
    assert said.count("warning:") == 1
    assert ".py" not in said
