"""Rule sets are read from wherever they are, and their mistakes are named."""

import json
import shutil
import zipfile
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest
from arena.errors import ConfigError
from arena_game_tradecraft.rules.compact import write_rules
from arena_game_tradecraft.rules.datapack import parse_pack
from arena_game_tradecraft.rules.loading import cache_directory, load, locate, read_pack
from jsonschema import Draft202012Validator

PACKAGE = files("arena_game_tradecraft")
TORCH = {
    "type": "minecraft:crafting_shaped",
    "pattern": ["C", "S"],
    "key": {"C": [{"item": "minecraft:coal"}, {"item": "minecraft:charcoal"}], "S": {"tag": "minecraft:sticks"}},
    "result": {"item": "minecraft:torch", "count": 4},
}
STICKS = {"values": ["minecraft:stick", {"id": "minecraft:bamboo", "count": 2}]}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of one recipe and one tag, laid out as in a jar."""
    root = tmp_path / "pack"
    for path, content in {"recipes/torch": TORCH, "tags/items/sticks": STICKS}.items():
        file = root / "data" / "minecraft" / f"{path}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content), "utf-8")
    return root


def schema(name: str) -> Draft202012Validator:
    """A validator for one of the schemas that the package ships."""
    return Draft202012Validator(json.loads(PACKAGE.joinpath("schemas", f"{name}.json").read_text("utf-8")))


def test_workshop_has_every_kind_of_recipe():
    """The rule set that is shipped as an example has shaped, shapeless, cut, cooked and smithed things."""
    rules = load("workshop")

    assert {recipe.kind for recipe in rules.recipes} == {
        *("crafting_shaped", "crafting_shapeless", "stonecutting", "smithing_transform"),
        *("smelting", "blasting", "smoking", "campfire_cooking"),
    }
    fuel = {r.name for r in rules.recipes if "#fuel" in {i.name for i in r.ingredients}}
    assert "grilled_fish_from_smoking" in fuel
    assert "grilled_fish_from_campfire" not in fuel


def test_shipped_schemas_accept_what_is_shipped():
    """Every file of the example fits the schemas, and so does what it comes to."""
    for path, content in read_pack(locate("workshop")).items():
        schema("recipe" if path.startswith("recipes") else "tag").validate(json.loads(content))
    schema("ruleset").validate(json.loads(write_rules(load("workshop"))))


def test_counts_of_nested_tags_are_multiplied():
    """A tag in a tag gives its members the count it has there; decimals are kept exactly."""
    fuel = load("workshop").tags["#fuel"]

    assert fuel["birch_log"] == Fraction(16, 3)
    assert fuel["coal_block"] == Fraction(1, 10)
    assert fuel["coal"] == 1


@pytest.mark.parametrize("how", ["folder", "zip", "jar", "package", "compact", "space"])
def test_same_rules_from_everywhere(how: str, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder, a zip file, a jar, a package and a single file give equal rules with equal digests."""
    folder = load(pack)
    if how == "compact":
        source = tmp_path / "one.json"
        source.write_text(write_rules(folder), "utf-8")
    elif how == "package":
        (pack / "__init__.py").touch()
        shutil.move(pack, tmp_path / "packed_rules_of_a_test")
        monkeypatch.syspath_prepend(tmp_path)
        source = "packed_rules_of_a_test:data/minecraft"
    elif how in ("zip", "jar"):
        source = tmp_path / f"rules.{how}"
        with zipfile.ZipFile(source, "w") as archive:
            for file in pack.rglob("*.json"):
                archive.write(file, file.relative_to(pack).as_posix())
            archive.writestr("data/minecraft/advancements/recipes/torch.json", "no recipe at all")
    else:
        source = pack / "data" / "minecraft" if how == "space" else pack

    rules = load(source)

    assert rules.digest == folder.digest
    assert rules.recipes == folder.recipes
    (torch,) = rules.recipes
    assert [i.name for i in torch.ingredients] == ["#coal|charcoal", "#sticks"]
    assert torch.count == 4
    assert rules.items == ("bamboo", "charcoal", "coal", "stick", "torch")


def test_later_versions_are_read_alike():
    """The names of folders and fields of later versions of the game mean the same."""
    old = {"recipes/torch.json": TORCH, "tags/items/sticks.json": STICKS}
    late = {**TORCH, "key": {"C": ["minecraft:coal", "minecraft:charcoal"], "S": "#minecraft:sticks"}}
    new = {"recipe/torch.json": {**late, "result": {"id": "torch", "count": 4}}, "tags/item/sticks.json": STICKS}

    read = [parse_pack({k: json.dumps(v).encode() for k, v in files.items()}, "x") for files in (old, new)]

    assert write_rules(read[0]) == write_rules(read[1])


def test_recipes_without_a_result_of_their_own_are_left_out(pack: Path):
    """What cannot be written as ingredients and a result is no recipe."""
    special = pack / "data/minecraft/recipes/map_cloning.json"
    special.write_text('{"type": "minecraft:crafting_special_mapcloning"}', "utf-8")

    assert [recipe.name for recipe in load(pack).recipes] == ["torch"]


BROKEN = {
    "result.count: expected a whole number of at least 1, got 0": TORCH | {"result": {"item": "torch", "count": 0}},
    "type: unknown type 'crafting_shape' (did you mean 'crafting_shaped'?)": TORCH | {"type": "crafting_shape"},
    "pattern: the symbol 'X' is not in 'key'": TORCH | {"pattern": ["X"]},
    "'result' is missing": {key: value for key, value in TORCH.items() if key != "result"},
    "key.C: expected at least one alternative, got []": TORCH | {"key": {"C": [], "S": "stick"}},
    "key.S: there is no tag '#stick' (did you mean '#sticks'?)": TORCH | {"key": {"C": "coal", "S": "#stick"}},
    "'type' is missing": {},
    "expected a table, got []": [],
    "there is no tag '#fuel'": {"type": "smelting", "ingredient": "sand", "result": "glass", "cookingtime": 200},
}


@pytest.mark.parametrize("problem", BROKEN)
def test_mistakes_are_named_by_file_and_path(problem: str, pack: Path):
    """A recipe with a mistake is refused with its file, the path in it, and what was expected."""
    (pack / "data/minecraft/recipes/broken.json").write_text(json.dumps(BROKEN[problem]), "utf-8")

    with pytest.raises(ConfigError) as caught:
        load(pack)

    assert caught.value.problems == (f"data/minecraft/recipes/broken.json: {problem}",)


@pytest.mark.parametrize("problem", [p for p in BROKEN if "symbol" not in p and "no tag" not in p])
def test_schema_refuses_what_the_validator_refuses(problem: str):
    """What is wrong with a recipe alone is wrong by its schema as well."""
    assert not schema("recipe").is_valid(BROKEN[problem])


def test_every_file_with_a_mistake_is_named(pack: Path):
    """Mistakes in several files are found in one go, tags before recipes."""
    (pack / "data/minecraft/tags/items/a.json").write_text('{"values": ["#b"]}', "utf-8")
    (pack / "data/minecraft/tags/items/b.json").write_text('{"values": ["#a"]}', "utf-8")
    (pack / "data/minecraft/recipes/broken.json").write_text("{", "utf-8")

    with pytest.raises(ConfigError) as caught:
        load(pack)

    assert caught.value.problems[0] == "data/minecraft/tags/items/b.json: values[0]: the tag '#a' contains itself"
    assert caught.value.problems[-1].startswith("data/minecraft/recipes/broken.json: this is not JSON")


def one(needs: object) -> object:
    """A rule set in one file, of one recipe."""
    return {"format": 1, "tags": {}, "recipes": {"a": ["x", needs, "a", 1]}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"format": 2}, "format: expected 1, the format that this version reads, got 2"),
        ({"format": 1, "tags": {"x": {}}, "recipes": {}}, "tags.x: the name of a tag begins with '#', unlike 'x'"),
        ({"format": 1, "tags": {}, "recipes": {}}, "recipes: there is no recipe"),
        (one({}), "recipes.a[1]: expected at least one ingredient, got {}"),
        (one({"b": "0/1"}), "recipes.a[1].b: expected an amount above 0, like 3, 0.5 or '16/3', got '0/1'"),
    ],
)
def test_mistakes_in_single_files_are_named(content: object, problem: str, tmp_path: Path):
    """A rule set in one file is held to its schema, with the same precision."""
    (tmp_path / "one.json").write_text(json.dumps(content), "utf-8")

    with pytest.raises(ConfigError) as caught:
        load(tmp_path / "one.json")

    assert caught.value.problems == (f"one.json: {problem}",)
    assert not schema("ruleset").is_valid(content)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("no-such", "no rule set called 'no-such' (there is: "),
        ("./no-such", "./no-such: no such file or folder"),
        ("arena_game_tradecraft:no-such", "the package 'arena_game_tradecraft' has no 'no-such'"),
        ("no_such_package:x", "no package called 'no_such_package' is installed"),
    ],
)
def test_missing_rule_sets_are_named(source: str, said: str):
    """A source that leads nowhere is refused with what there is."""
    with pytest.raises(ConfigError) as caught:
        load(source)

    assert said in str(caught.value)


def test_cache_follows_the_contents(pack: Path, tmp_path: Path):
    """What is kept of a pack is used while the pack stays the same, and never afterwards."""
    cache = tmp_path / "kept"
    load(pack, cache=cache)
    (kept,) = cache.iterdir()
    marked = kept.read_text("utf-8").replace('"torch",4', '"torch",5')
    kept.write_text(marked, "utf-8")

    assert load(pack, cache=cache).recipes[0].count == 5, "the kept file is what is read"

    recipe = pack / "data/minecraft/recipes/torch.json"
    recipe.write_text(json.dumps({**TORCH, "result": {"item": "torch", "count": 6}}), "utf-8")
    assert load(pack, cache=cache).recipes[0].count == 6


def test_spoiled_cache_is_made_again(pack: Path, tmp_path: Path):
    """A kept file that cannot be read costs nothing but time."""
    cache = tmp_path / "kept"
    before = load(pack, cache=cache)
    (kept,) = cache.iterdir()
    kept.write_text("{", "utf-8")

    assert load(pack, cache=cache).digest == before.digest
    assert json.loads(kept.read_text("utf-8"))["format"] == 1


def test_cache_that_cannot_be_written_is_done_without(pack: Path, tmp_path: Path):
    """Where there is no place to keep a pack it is read all the same."""
    blocked = tmp_path / "a file"
    blocked.touch()

    assert load(pack, cache=blocked / "cache").recipes


def test_cache_is_where_the_user_wants_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """``XDG_CACHE_HOME`` says where packs are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    load("workshop")

    assert cache_directory() == tmp_path / "arena" / "tradecraft"
    assert list(cache_directory().iterdir())
