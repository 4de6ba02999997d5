"""Users bring their own rules: the jar of a game, a data pack, or pairs in the form of recipes."""

import json
import zipfile
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from arena.errors import ConfigError
from arena_game_tradecraft.commands.importing import import_pack, import_pairs
from arena_game_tradecraft.commands.rules_command import tradecraft_rules
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.pairs import write_pairs
from click.testing import CliRunner, Result

OLD = ("recipes", "tags/items")
LATE = ("recipe", "tags/item")


def jar_files(folders: tuple[str, str]) -> dict[str, object]:
    """A small world of our own, as the jar of an older or a later version holds it."""
    recipes, tags = folders
    is_late = folders == LATE
    result = "id" if is_late else "item"

    def item(name: str) -> object:
        return f"minecraft:{name}" if is_late else {"item": f"minecraft:{name}"}

    def tag(name: str) -> object:
        return f"#minecraft:{name}" if is_late else {"tag": f"minecraft:{name}"}

    cooked = {"ingredient": tag("pebbles"), "experience": 0.1, "cookingtime": 200}
    late_result = {"id": "minecraft:glass"} if is_late else "minecraft:glass"
    return {
        f"{recipes}/raft.json": {
            "type": "minecraft:crafting_shaped",
            "category": "misc",
            "pattern": ["R R", "RRR"],
            "key": {"R": tag("rods")},
            "result": {result: "minecraft:raft", "count": 2},
        },
        f"{recipes}/glass.json": {"type": "minecraft:smelting", **cooked, "result": late_result},
        f"{recipes}/tile.json": {
            "type": "minecraft:stonecutting",
            "ingredient": item("pebble"),
            **(
                {"result": {"id": "minecraft:tile", "count": 4}}
                if is_late
                else {"result": "minecraft:tile", "count": 4}
            ),
        },
        f"{recipes}/star.json": {"type": "minecraft:crafting_special_firework_star", "category": "misc"},
        f"{recipes}/rocket.json": {"type": "minecraft:crafting_special_firework_rocket", "category": "misc"},
        f"{tags}/rods.json": {"values": ["minecraft:stick", "#minecraft:poles"]},
        f"{tags}/poles.json": {"values": ["minecraft:bamboo", {"id": "minecraft:mast", "required": False}]},
        f"{tags}/pebbles.json": {"replace": False, "values": ["minecraft:pebble", "minecraft:marble"]},
        "advancements/recipes/raft.json": {"criteria": {}},
        "datapacks/bundle/data/minecraft/recipes/bundle.json": {"type": "unheard of"},
        f"loot_tables/{recipes}/raft.json": {"type": "chest"},
    }


def write_folder(root: Path, contents: Mapping[str, object]) -> Path:
    """Files below ``root``, as JSON."""
    for path, content in contents.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content), "utf-8")
    return root


def write_jar(file: Path, contents: Mapping[str, object]) -> Path:
    """An archive with the files where the game has them, and with what else is in a jar."""
    with zipfile.ZipFile(file, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        jar.writestr("net/minecraft/client/main/Main.class", b"\xca\xfe\xba\xbe")
        for path, content in contents.items():
            jar.writestr(f"data/minecraft/{path}", json.dumps(content))
    return file


@pytest.mark.parametrize("folders", [OLD, LATE])
@pytest.mark.parametrize("how", ["jar", "folder", "space"])
def test_jar_or_folder_of_any_version_is_taken_over(how: str, folders: tuple[str, str], tmp_path: Path):
    """A jar, a data pack and its namespace alone give the same rules, older and later versions alike."""
    files = jar_files(folders)
    if how == "jar":
        source = write_jar(tmp_path / "client.jar", files)
    else:
        space = write_folder(tmp_path / "pack" / "data" / "minecraft", files)
        source = tmp_path / "pack" if how == "folder" else space

    imported = import_pack(source)

    rules = imported.rules
    ways = {r.name: ({i.name: i.amount for i in r.ingredients}, r.output, r.count) for r in rules.recipes}
    assert ways == {
        "raft": ({"#rods": 5}, "raft", 2),
        "glass": ({"#pebbles": 1, "#fuel": Fraction(1, 8)}, "glass", 1),
        "tile": ({"pebble": 1}, "tile", 4),
    }
    assert set(rules.tags["#rods"]) == {"stick", "bamboo", "mast"}
    assert imported.left_out == {"crafting_special_firework_rocket": 1, "crafting_special_firework_star": 1}


def test_what_burns_is_added_to_a_jar(tmp_path: Path):
    """A jar does not say what burns; of its items and coal, those burn that do in the game, for as long."""
    rules = import_pack(write_jar(tmp_path / "client.jar", jar_files(OLD))).rules

    assert rules.tags["#fuel"] == {"bamboo": 32, "coal": 1, "stick": 16}


def test_what_a_pack_says_about_burning_is_kept(tmp_path: Path):
    """A pack with a tag of fuels of its own keeps it, and one that cooks nothing gets none."""
    own = write_folder(tmp_path / "own", jar_files(OLD) | {"tags/items/fuel.json": {"values": ["oil"]}})
    raw = write_folder(
        tmp_path / "raw", {"recipes/x.json": {"type": "stonecutting", "ingredient": "stone", "result": "slab"}}
    )

    assert import_pack(own).rules.tags["#fuel"] == {"oil": 1}
    assert import_pack(raw).rules.tags == {}


def test_mistakes_in_a_pack_are_named(tmp_path: Path):
    """A pack with a mistake is not taken over by halves."""
    broken = {"recipes/a.json": {"type": "smelting", "ingredient": {"tag": "ore"}, "result": "iron"}}
    source = write_folder(tmp_path / "pack", broken)

    with pytest.raises(ConfigError, match=r"recipes/a.json: ingredient: there is no tag '#ore'"):
        import_pack(source)


PAIRS = {
    "steam": {"pattern": ["XY"], "key": {"X": "fire", "Y": "water"}},
    "steam_2": {"pattern": ["XY"], "key": {"X": "heat", "Y": "water"}},
    "heat": {"pattern": ["XX"], "key": {"X": "fire"}},
    "heat_again": {"pattern": ["XX"], "key": {"X": "fire"}},
    "hot spring": {"pattern": ["XY"], "key": {"X": "heat", "Y": "water"}},
}


def pair_pack(root: Path, more: Mapping[str, object] | None = None) -> Path:
    """A pack of pairs, in a namespace of its own."""
    recipes: dict[str, object] = {}
    for name, way in PAIRS.items():
        key = {symbol: {"item": f"elements_:{part}"} for symbol, part in way["key"].items()}
        output = {"item": f"elements_:{name.partition('_')[0]}"}
        recipes[f"recipes/{name}.json"] = {"type": "crafting_shaped", **way, "key": key, "result": output}
    return write_folder(root, recipes | dict(more or {}))


def test_pairs_are_taken_over(tmp_path: Path):
    """Recipes with patterns XY and XX become pairs, each once, in names without their namespace."""
    rules = import_pairs(pair_pack(tmp_path / "pack")).rules

    assert write_pairs(rules) == (
        "fire\nwater\nheat: fire + fire\nhot_spring: heat + water\nsteam: fire + water, heat + water\n"
    )
    depths = rules.reachable(["fire", "water"])
    assert depths == {"fire": 0, "water": 0, "heat": 1, "steam": 1, "hot_spring": 2}


@pytest.mark.parametrize(
    ("recipe", "problem"),
    [
        ({"pattern": ["XYX"], "key": {"X": "a", "Y": "b"}, "result": "c"}, "mud: expected two items that make one"),
        ({"pattern": ["XY"], "key": {"X": "a", "Y": "b"}, "result": "c", "count": 2}, "mud: expected two items"),
        ({"pattern": ["XY"], "key": {"X": "a", "Y": "fire"}, "result": "c"}, "elements_:fire and fire would be called"),
    ],
)
def test_what_is_no_pair_is_named(recipe: dict[str, object], problem: str, tmp_path: Path):
    """Recipes that are no pairs, and names that would become one, are mistakes."""
    source = pair_pack(tmp_path / "pack", {"recipes/mud.json": {"type": "crafting_shaped", **recipe}})

    with pytest.raises(ConfigError, match=problem):
        import_pairs(source)


def test_pairs_are_written_as_they_are_read():
    """What is shipped as lines comes back from them unchanged."""
    rules = load("alchemy")
    again = write_pairs(rules)

    assert len(again.splitlines()) == len(rules.items)
    assert sum(line.count("+") for line in again.splitlines()) == len(rules.recipes)


def run(*words: str) -> Result:
    """What the command says."""
    return CliRunner().invoke(tradecraft_rules, words, catch_exceptions=False)


def test_command_counts_and_shows():
    """The command says how much there is, and how something is made."""
    said = run("minecraft", "--item", "torch", "--item", "cobblestone").stdout

    assert "1144 recipes, 105 tags" in said
    assert "#coals + stick = 4 torch (crafting_shaped)" in said
    assert "nothing makes cobblestone" in said


def test_command_keeps_rules_in_a_file(tmp_path: Path):
    """What was imported is kept in a file that loads as the same rules."""
    jar = write_jar(tmp_path / "client.jar", jar_files(LATE))

    said = run(str(jar), "-o", str(tmp_path / "mine.json")).stdout

    assert "left out: 1 of crafting_special_firework_star" in said
    assert load(tmp_path / "mine.json").digest == import_pack(jar).rules.digest


def test_command_keeps_pairs_as_text(tmp_path: Path):
    """Pairs are written as lines and load from them."""
    pack = pair_pack(tmp_path / "pack")

    run(str(pack), "--pairs", "-o", str(tmp_path / "mine.txt"))

    assert load(tmp_path / "mine.txt").digest == import_pairs(pack).rules.digest


def test_command_refuses_other_files(tmp_path: Path):
    """The name of the file says what is written into it."""
    said = run("workshop", "-o", str(tmp_path / "mine.yaml"))

    assert said.exit_code == 2
    assert "expected a name that ends in .json or .txt, got 'mine.yaml'" in said.stderr


def test_command_names_unknown_items():
    """Asking for something that is not there is a mistake."""
    with pytest.raises(ConfigError, match="there is no 'unobtainium' in workshop"):
        run("workshop", "--item", "unobtainium")
